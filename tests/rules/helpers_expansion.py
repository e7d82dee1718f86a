"""More ways to arrange and read a position: festivals, drafts, Express cards, the mat."""

from __future__ import annotations

from collections import Counter

from branchline import Game, State
from branchline.engine.layout import HELD, IN_DECK, LEFT_OVER, PACK, PICKED
from branchline.rules.drafts.drafting import Drafting
from branchline.rules.drafts.second_draft import SecondDraft
from branchline.rules.express_cards.rule import ExpressCards
from branchline.rules.festivals.rule import Festivals
from branchline.rules.province_mat.rule import ProvinceMat
from positions import Position

COLOURS = ("pink", "blue", "orange", "white", "green", "yellow", "black", "red")
EVERY_CARD = {**dict.fromkeys(COLOURS, 12), "locomotive": 14}

DRAFT = "draft"  # names a card for `stack`, beside colours, `locomotive` and `fiesta <id>`


# --- the deck ---------------------------------------------------------------------------------


def fiesta(name: str) -> str:
    """The name of a festival card for `stack`."""
    return f"fiesta {name}"


def festivals(game: Game) -> Festivals:
    rule = game.rule_named("festivals")
    assert isinstance(rule, Festivals)
    return rule


def second_draft(game: Game) -> SecondDraft:
    rule = game.rule_named("second_draft")
    assert isinstance(rule, SecondDraft)
    return rule


def festival_ids(game: Game) -> list[str]:
    """The festivals in the order of the board file."""
    entry = next(e for e in game.board.rules if e.name == "festivals")
    sets = entry.params["sets"]
    assert isinstance(sets, list)
    return [str(one["id"]) for one in sets]


def code(p: Position, name: str) -> int:
    """The number of a card in the deck."""
    if name == DRAFT:
        return int(second_draft(p.game).card)
    if name.startswith("fiesta "):
        place = festival_ids(p.game).index(name.removeprefix("fiesta "))
        return int(festivals(p.game).card) + place
    return p.kind(name)


def stack(p: Position, *names: str) -> None:
    """Bring cards of the deck to its top, the first on top; the others keep their order."""
    rest = p.deck_codes()
    top = [code(p, name) for name in names]
    for card in top:
        rest.remove(card)
    p.set_deck(top + rest)


def only(p: Position, *names: str) -> None:
    """Let the deck be these cards alone, whatever that does to the total."""
    p.set_deck([code(p, name) for name in names])


def hoard(p: Position, *shares: dict[str, int]) -> None:
    """Deal every card that is not on the display to the hands: the shares, the rest to seat 0.

    Deck and discards are empty afterwards; special cards of the deck are gone.
    """
    shown = Counter(card for card in p.display_cards() if card)
    p.hands_empty()
    p.discards()
    rest = Counter(EVERY_CARD) - shown
    for seat, share in enumerate(shares, 1):
        p.hand(seat, **share)
        rest -= Counter(share)
    p.hand(0, **rest)
    p.set_deck([])


def train_cards(s: State) -> int:
    """All train cars of the game, wherever they are."""
    d, t = s.d, s.t
    deck = d[t.deck_len] - d[t.specials]
    shown = sum(d[t.display + k] != t.blank for k in range(t.display_size))
    return int(deck + shown + d[t.discard_size] + sum(d[t.hand_size + k] for k in range(t.seats)))


# --- events -----------------------------------------------------------------------------------


def seen_by(s: State, seat: int, since: int = 0) -> list[tuple[str, int, dict[str, object]]]:
    """What a seat hears of the events, from number `since` on."""
    heard: list[tuple[str, int, dict[str, object]]] = []
    for event in s.events[since:]:
        fields = event.seen(seat)
        if fields is not None:
            heard.append((event.kind.name, int(event.seat), dict(fields)))
    return heard


def happened(p: Position, since: int, *names: str) -> list[str]:
    """Of the events from number `since` on, those of the kinds named."""
    return [name for name in p.event_names()[since:] if name in names]


# --- festivals --------------------------------------------------------------------------------


def piles(p: Position) -> dict[str, int]:
    """The festival cards that lie beside their cities."""
    at = p.field("festival_piles")
    found = {name: int(p.s.d[at + k]) for k, name in enumerate(festival_ids(p.game))}
    return {name: n for name, n in found.items() if n}


def lay_out(p: Position, **cards: int) -> None:
    """Take festival cards out of the deck and lay them beside their cities."""
    at, names, deck = p.field("festival_piles"), festival_ids(p.game), p.deck_codes()
    for name, n in cards.items():
        for _ in range(n):
            deck.remove(code(p, fiesta(name)))
            p.s.d[at + names.index(name)] += 1
    p.set_deck(deck)


def fiestas_of(p: Position, seat: int) -> dict[str, int]:
    """The festival cards that a seat has taken."""
    names = festival_ids(p.game)
    at = p.field("festival_cards") + seat * len(names)
    found = {name: int(p.s.d[at + k]) for k, name in enumerate(names)}
    return {name: n for name, n in found.items() if n}


def give_fiestas(p: Position, seat: int, **cards: int) -> None:
    """Take festival cards out of the deck and give them to a seat."""
    names, deck = festival_ids(p.game), p.deck_codes()
    at = p.field("festival_cards") + seat * len(names)
    for name, n in cards.items():
        for _ in range(n):
            deck.remove(code(p, fiesta(name)))
            p.s.d[at + names.index(name)] += 1
    p.set_deck(deck)


# --- drafts -----------------------------------------------------------------------------------


def tickets_at(s: State, where: int) -> set[int]:
    return {k for k in range(s.t.tickets) if s.d[s.t.ticket_at + k] == where}


def pack(s: State, number: int) -> set[int]:
    """The tickets left in a pack; pack k was dealt to seat k."""
    return tickets_at(s, PACK + number)


def picked(s: State, seat: int) -> set[int]:
    return tickets_at(s, PICKED + seat)


def held(s: State, seat: int) -> set[int]:
    return tickets_at(s, HELD + seat)


def in_ticket_deck(s: State) -> set[int]:
    return tickets_at(s, IN_DECK)


def left_over(s: State) -> set[int]:
    return tickets_at(s, LEFT_OVER)


def offered_to(s: State, seat: int) -> set[int]:
    """The pack in front of a seat in a draft."""
    rule = s.game.phase_rules[s.d[s.t.phase]]
    assert isinstance(rule, Drafting)
    return pack(s, int(rule.pack_of(s, seat, s.d[s.t.reg])))


def act(s: State, seat: int, text: str) -> None:
    """Take an action in the notation."""
    found = [a for a in s.legal(seat) if s.game.action_text(a) == text]
    assert found, f"{text} is not among {texts(s, seat)}"
    s.apply(seat, found[0])


def texts(s: State, seat: int) -> list[str]:
    """The legal actions of a seat in the notation."""
    return [s.game.action_text(a) for a in s.legal(seat)]


def pick_all(s: State, which: int = 0) -> None:
    """One round of picks: every seat takes the ticket at place `which` (or the last one)."""
    for seat in s.to_act:
        legal = s.legal(seat)
        s.apply(seat, legal[min(which, len(legal) - 1)])


def finish_draft(s: State) -> None:
    """Play the draft that is under way to its end: first picks, first four kept."""
    while s.phase.endswith(("draft_pick", "draft_keep")):
        pick_all(s)


def draft_due(p: Position) -> bool:
    return p.s.d[p.field("second_draft_due")] == 1


def draft_over(p: Position) -> bool:
    return p.s.d[p.field("second_draft_over")] == 1


# --- Express cards and the mat ------------------------------------------------------------------


def express_of(p: Position, seat: int) -> list[int]:
    """The values of a seat's Express cards that are not spent."""
    rule = p.game.rule_named("express_cards")
    assert isinstance(rule, ExpressCards)
    return [rule.values[k] for k in range(rule.count) if rule.has(p.s, seat, k)]


def spend(p: Position, seat: int, *values: int) -> None:
    """Take Express cards away from a seat, as if they were spent in an earlier turn."""
    rule = p.game.rule_named("express_cards")
    assert isinstance(rule, ExpressCards)
    for value in values:
        rule.spent(p.s, seat, rule.values.index(value))
    p.s.d[rule.spent_in] = 0
    p.arranged()


def mat(p: Position) -> ProvinceMat:
    rule = p.game.rule_named("province_mat")
    assert isinstance(rule, ProvinceMat)
    return rule


def line_of(p: Position, colour: str) -> int:
    return int(mat(p).line_of[p.kind(colour)])


def on_mat(p: Position, colour: str) -> dict[int, int]:
    """Who stands on which spot of a line: seats by the value of the spot."""
    rule, line = mat(p), line_of(p, colour)
    found = {}
    for k, value in enumerate(rule.spots[line]):
        owner = int(p.s.d[rule.mat + line * rule.width + k])
        if owner:
            found[value] = owner - 1
    return found


def put_on_mat(p: Position, seat: int, colour: str, *values: int) -> None:
    """Let trains of a seat stand on spots of a line; its reserve is left as it is."""
    rule, line = mat(p), line_of(p, colour)
    for value in values:
        spot = rule.spots[line].index(value)
        p.s.d[rule.mat + line * rule.width + spot] = seat + 1
    p.arranged()


def line_points(p: Position, colour: str) -> list[int]:
    """What the seats score for a line if the game ended now."""
    line = line_of(p, colour)
    return [
        sum(points for ref, points in p.lines(seat, "province_line") if ref == line)
        for seat in range(p.game.seats)
    ]
