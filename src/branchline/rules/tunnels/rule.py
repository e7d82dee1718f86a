"""Tunnels: the length of the way is not known before it is tried (NO-5, RU-4, RU-6)."""

from __future__ import annotations

from typing import Final

from branchline.core.machine import i64, vec
from branchline.engine.events import LOG, NOBODY, EventKind
from branchline.engine.facts import Action, Part, Row, Sentence, Values
from branchline.engine.flow import end_turn
from branchline.engine.game import Game
from branchline.engine.layout import CARDS_OF_A_KIND, PUBLIC, TOUCHED
from branchline.engine.position import Position
from branchline.engine.rule import ALWAYS_ASK, ON_PAID, ON_TURN_END, ON_VALUE, Refusal, Rule
from branchline.engine.state import State
from branchline.engine.view import View
from branchline.rules.claims.claim_routes import ClaimRoutes, claims_of
from branchline.rules.claims.refusals import held
from branchline.rules.claims.registers import COLOUR, DUE, LOCOS, ROUTE

BACK_OFF: Final = 0
PAY_MORE: Final = 1

LAID: Final = 0
TURNED_UP: Final = 1
BACKED_OFF: Final = 2
CLEARED: Final = 3


# Each of the three cards turned up costs another with a probability of about one in four. A failed
# attempt costs the turn, so a tunnel without a spare card is worth less than its probability.
ODDS: Final = [0.2, 0.85, 0.98]

# With so few cards left, locomotives among them, the next attempts may all fail.
FEW_CARDS: Final = 12


class Tunnels(Rule):
    """Turns up cards when a tunnel is claimed, and asks for what is due."""

    def __init__(self, cite: str, reveal: i64) -> None:
        super().__init__("tunnels", cite, 5, ON_PAID | ON_TURN_END | ON_VALUE)
        self.reveal: Final = reveal
        self.headline = 8
        self.game: Game | None = None
        self.claims: ClaimRoutes | None = None
        self.back: i64 = 0
        self.more: i64 = 0
        self.phase: i64 = 0
        self.revealed: i64 = 0
        self.kinds: list[EventKind] = []

    def declare(self, game: Game) -> None:
        self.game = game
        self.claims = claims_of(game)
        self.back = game.add_actions(self, BACK_OFF, 1)
        self.more = game.add_actions(self, PAY_MORE, self.reveal + 1)
        self.phase = game.add_phase("tunnel", self, ALWAYS_ASK)
        self.revealed = game.layout.fields.add(
            "revealed", game.layout.kinds, PUBLIC, CARDS_OF_A_KIND, mark=TOUCHED
        )
        self.kinds = [
            game.add_event(self.index, LAID, "TunnelTried", "route cards*"),
            game.add_event(self.index, TURNED_UP, "TunnelCardTurnedUp", "card"),
            game.add_event(self.index, BACKED_OFF, "TunnelGivenUp", "route", reveals=False),
            game.add_event(
                self.index, CLEARED, "TunnelCardsDiscarded", "", reveals=False, news=LOG
            ),
        ]

    def paid(self, s: State, seat: i64) -> bool:
        d, t = s.d, s.t
        route: i64 = d[t.reg + ROUTE]
        assert self.claims is not None
        if self.claims.tunnel[route] == 0:
            return False
        self.tried(s, seat, route)
        colour: i64 = d[t.reg + COLOUR]
        due: i64 = 0
        k: i64 = 0
        while k < self.reveal:
            card: i64 = s.top()
            if card == t.blank:
                break
            self.turned_up(s, card)
            s.renew_deck()
            # With colour "wild" only locomotives were played, and only they count.
            if card == t.loco or card == colour:
                due += 1
            k += 1
        if due == 0:
            return False
        assert self.game is not None
        d[t.reg + DUE] = due
        s.ask(self.phase, self.game.turn_bit[seat])
        return True

    def legal(self, s: State, seat: i64) -> None:
        d, t = s.d, s.t
        hand: i64 = t.hand + seat * t.kinds
        colour: i64 = d[t.reg + COLOUR]
        due: i64 = d[t.reg + DUE]
        locos: i64 = d[hand + t.loco] - d[t.laid + t.loco]
        others: i64 = 0
        if colour != t.loco:
            others = d[hand + colour] - d[t.laid + colour]
        s.put(self.back)
        y: i64 = 0
        while y <= due:
            if y <= locos and due - y <= others:
                s.put(self.more + y)
            y += 1

    def apply(self, s: State, seat: i64, action: i64) -> None:
        d, t = s.d, s.t
        assert self.claims is not None
        if action == self.back:
            self.backed_off(s, seat, d[t.reg + ROUTE])
            end_turn(s)
            return
        y: i64 = action - self.more
        d[t.laid + t.loco] += y
        d[t.laid + d[t.reg + COLOUR]] += d[t.reg + DUE] - y
        d[t.reg + LOCOS] += y
        self.claims.complete(s, seat)

    def turn_ended(self, s: State, seat: i64) -> bool:
        d, t = s.d, s.t
        if d[t.used] == 1:  # else no claim was made
            kind: i64 = 0
            while kind < t.kinds:
                if d[self.revealed + kind] > 0:
                    self.cleared(s)
                    break
                kind += 1
        return False

    def unseen_cards(self, d: vec[i64], counts: vec[i64]) -> None:
        assert self.game is not None
        for kind in range(self.game.layout.kinds):
            counts[kind] -= d[self.revealed + kind]

    def why_not(self, s: State, seat: i64, action: i64) -> Refusal | None:
        if s.d[s.t.phase] != self.phase:
            return None
        d, t = s.d, s.t
        due, colour = d[t.reg + DUE], d[t.reg + COLOUR]
        if action - self.more > due:
            return Refusal(self.cite, "tunnel_too_much", {"due": due})
        hand = t.hand + seat * t.kinds
        locos = d[hand + t.loco] - d[t.laid + t.loco]
        others = 0 if colour == t.loco else d[hand + colour] - d[t.laid + colour]
        y = action - self.more
        if colour == t.loco and y < due:
            return Refusal(self.cite, "tunnel_locomotives", {"due": due})
        values: dict[str, int | list[int]] = {"due": due}
        values["cards"] = held(s, colour, due - y, y)
        values["own"] = held(s, colour, others, locos)
        return Refusal(self.cite, "tunnel_payment", values)

    def facts(self, action: i64, view: View | None) -> Action:
        if action == self.back:
            return Action(action, "back_off", self.write(action), lasting=True)
        y = int(action - self.more)
        if view is None or view.one("phase") != self.phase:
            return Action(action, "tunnel", self.write(action), {"locomotives": y}, "pay_plain")
        registers = view["registers"]
        values: Values = {"cards": view.game.cards_of(registers[COLOUR], registers[DUE] - y, y)}
        return Action(action, "tunnel", self.write(action), values)

    def question(self, view: View) -> Sentence | None:
        registers = view["registers"]
        return Sentence("tunnel", {"whole_route": registers[ROUTE], "due": registers[DUE]})

    def rows(self, view: View) -> list[Row]:
        """The cards that were turned up."""
        revealed = view["revealed"]
        if not any(revealed):
            return []
        return [Row("revealed", [[Part(cards=revealed)]])]

    # --- what bots should know --------------------------------------------------------------------

    def uncertain(self, route: i64) -> bool:
        assert self.game is not None
        return self.game.board.routes[route].tunnel

    def claim_odds(self, spare: i64) -> float:
        if spare >= len(ODDS):
            return 1.0
        return ODDS[spare] if spare > 0 else ODDS[0]

    def claim_fails(self, p: Position, colour: i64, spare: i64) -> bool:
        """When hardly a card is left to be turned up: is there enough to pay whatever it is?

        Otherwise players who can't pay could try the same tunnel in turn for ever; drawing cards
        brings them on. Once the deck is empty, everyone knows what can be turned up: the discards.
        """
        if p.deck > FEW_CARDS:
            return False
        due: i64 = min(self.reveal, p.deck)  # at most, or exactly if there are no more
        if p.data[p.at_discard_size] == p.deck:
            others: i64 = p.deck - p.data[p.at_discard + p.t.loco]
            if colour < p.t.colours:
                others -= p.data[p.at_discard + colour]
            due = max(0, due - others)
        return due > spare

    def action_value(self, p: Position, action: i64) -> float:
        """Pay what is due, with few locomotives; give up only as a last resort."""
        return -20.0 if action == self.back else -float(action)

    def write(self, action: i64) -> str:
        return "back-off" if action == self.back else f"tunnel {action - self.more}"

    # --- events -------------------------------------------------------------------------------

    def tried(self, s: State, seat: i64, route: i64) -> None:
        """Cards are laid down for a tunnel; everyone has seen them."""
        d, t = s.d, s.t
        known: i64 = t.known + seat * t.kinds
        kind: i64 = 0
        while kind < t.kinds:
            if d[t.laid + kind] > d[known + kind]:
                d[known + kind] = d[t.laid + kind]
                s.touch(known + kind)
            kind += 1
        if s.log is not None:
            laid = [int(d[t.laid + k]) for k in range(t.kinds)]
            s.log.add(self.kinds[LAID], seat, [route, *laid])

    def turned_up(self, s: State, card: i64) -> None:
        s.d[s.t.deck_len] -= 1
        s.d[self.revealed + card] += 1
        s.touch(self.revealed + card)
        if s.log is not None:
            s.log.add(self.kinds[TURNED_UP], NOBODY, [card])

    def backed_off(self, s: State, seat: i64, route: i64) -> None:
        if s.log is not None:
            s.log.add(self.kinds[BACKED_OFF], seat, [route])

    def cleared(self, s: State) -> None:
        """The cards that were turned up are discarded."""
        d, t = s.d, s.t
        kind: i64 = 0
        while kind < t.kinds:
            n: i64 = d[self.revealed + kind]
            if n > 0:
                d[t.discard + kind] += n
                d[t.discard_size] += n
                d[self.revealed + kind] = 0
                s.touch(t.discard + kind)
                s.touch(self.revealed + kind)
            kind += 1
        if s.log is not None:
            s.log.add(self.kinds[CLEARED], NOBODY, [])

    def redo(self, s: State, local: i64, seat: i64, numbers: list[int]) -> None:
        if local == LAID:
            for k in range(1, len(numbers)):
                s.d[s.t.laid + k - 1] = numbers[k]
            self.tried(s, seat, numbers[0])
        elif local == TURNED_UP:
            self.turned_up(s, numbers[0])
        elif local == BACKED_OFF:
            self.backed_off(s, seat, numbers[0])
        else:
            self.cleared(s)
