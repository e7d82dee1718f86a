"""A second opinion on a game: a plain ledger of its events, and its scores.

Nothing here knows the engine. A `Ledger` is fed the events of a record, one by one, and the board's
file. It refuses every event that can't have happened, keeps all cards, trains and tickets in plain
lists, and scores the game the slow and obvious way.

>>> ledger = Ledger(board_data("usa"), 2)
>>> ledger.feed("GameBegan", -1, [1, 0, 0, 0, 0])
>>> score(ledger)[0]
[10, 10]
"""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from functools import partialmethod
from itertools import product
from pathlib import Path
from typing import Any

import networkx as nx

MAPS = Path(__file__).parents[1] / "src" / "branchline" / "maps"
ROUTE_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21, 9: 27}  # BASE-11


def board_data(name: str) -> dict[str, Any]:
    """A board's file as plain data."""
    return tomllib.loads((MAPS / f"{name}.toml").read_text(encoding="utf-8"))


class Ledger:
    """Where everything is, by the events alone."""

    def __init__(self, board: dict[str, Any], seats: int) -> None:
        self.board = board
        self.seats = seats
        self.rules: dict[str, dict[str, Any]] = {r["rule"]: r for r in board["rules"]}
        self.kinds = len(board["colours"]) + 1
        self.loco = self.kinds - 1
        self.special = self.kinds + 1  # cards that are no train cars have codes from here on
        self.festivals = self.rules.get("festivals", {}).get("sets", [])
        deck = self.rules["deck"]
        self.deck: list[int] = []
        self.hands: list[Counter[int]] = [Counter() for _ in range(seats)]
        self.known: list[Counter[int]] = [Counter() for _ in range(seats)]
        self.display: list[int | None] = [None] * deck["display"]
        self.discards: Counter[int] = Counter()
        self.revealed: Counter[int] = Counter()
        self.tried: tuple[int, Counter[int]] = (-1, Counter())  # a tunnel, and the cards for it
        self.paid: Counter[int] = Counter()
        self.piles: Counter[int] = Counter()
        self.festival_cards: list[Counter[int]] = [Counter() for _ in range(seats)]
        self.draft_cards = 0  # draft cards that have left the deck
        self.trains = [board["trains"]] * seats
        self.owner: dict[int, int] = {}
        self.closed: set[int] = set()
        self.mat: dict[tuple[int, int], int] = {}  # (line, value of the spot): seat
        self.express = [list(self.rules.get("express_cards", {}).get("values", []))] * seats
        self.stations: dict[int, int] = {}
        self.ticket_deck: list[int] = []
        self.place = dict.fromkeys(range(len(board["tickets"])), ("box", 0))
        self.picks: Counter[int] = Counter()  # of the draft under way, by seat
        self.turn, self.over = -1, False
        self.draws = 99  # left in this turn; while hands are dealt, any number
        self.owed: set[str] = set()  # what must happen next, if anything must
        self.claimed = -1  # the route claimed in this turn
        self.raised = 0  # by an Express card spent after that

    # --- cards ------------------------------------------------------------------------------

    def top(self, card: int) -> None:
        assert self.deck.pop() == card, "not the top card"
        if not self.deck and +self.discards:
            self.owed = {"DeckShuffled"}  # at once (BASE-6)

    def spoiled(self) -> bool:
        """Whether the display shows too many locomotives (BASE-5)."""
        at = self.rules.get("locomotive_reset", {}).get("at", 99)
        return bool(self.display.count(self.loco) >= at)

    def can_reset(self) -> bool:
        """Whether there are enough other cards for a display that may stay (RU-1)."""
        pool = [card for card in [*self.deck, *self.display] if card is not None]
        pool = [card for card in pool if card < self.special] + list(self.discards.elements())
        others = sum(card != self.loco for card in pool)
        most = self.rules["locomotive_reset"]["at"] - 1
        return bool(others >= min(len(self.display), len(pool)) - most)

    def on_DeckShuffled(self, seat: int, n: list[int]) -> None:
        order = n[2:]
        if n[1]:
            added = Counter(order) - Counter(self.deck)
            assert not Counter(self.deck) - Counter(order), "cards were lost"
            assert not self.deck or min(added) >= self.special
            self.check_draft_card(order)
        else:
            assert not self.deck, "reshuffled too early (BASE-6)"
            assert +self.discards == Counter(order)
            self.discards = Counter()
        self.deck = order

    def check_draft_card(self, order: list[int]) -> None:
        """The draft card lies within a twentieth of the deck around its share (RU-7)."""
        card = self.special + len(self.festivals)
        if "second_draft" in self.rules and card in order:
            share = Fraction(self.rules["second_draft"]["depth"][str(self.seats)])
            others, above = len(order) - 1, order[::-1].index(card)
            assert abs(above - share * others) <= Fraction(others, 20)

    def on_CardDrawn(self, seat: int, n: list[int]) -> None:
        assert self.draws > 0
        self.draws -= 1
        self.top(n[0])
        self.hands[seat][n[0]] += 1

    def on_CardTaken(self, seat: int, n: list[int]) -> None:
        ends = n[1] == self.loco and self.rules["draw_cards"]["face_up_locomotive"] == "ends_draw"
        assert self.draws > ends, "a locomotive as the second card (BASE-4)"
        if self.rules["draw_cards"].get("needs_deck") and self.draws == 2:
            blind = +self.discards or any(card < self.special for card in self.deck)
            assert blind, "drawing without deck and discards (NO-8)"
        self.draws = 0 if ends else self.draws - 1
        assert self.display[n[0]] == n[1]
        self.display[n[0]] = None
        self.hands[seat][n[1]] += 1
        self.known[seat][n[1]] += 1

    def on_DisplayFilled(self, seat: int, n: list[int]) -> None:
        assert self.display[n[0]] is None
        self.top(n[1])
        self.display[n[0]] = n[1]
        if self.spoiled() and not self.can_reset():
            self.owed = {"DisplayStayed"}  # told each time (RU-1)
        elif self.spoiled() and not self.deck:
            self.owed = {"DisplayReset"}  # before the shuffle (BASE-6)
        elif self.owed:
            self.owed.add("DisplayStayed")  # no longer: it shows few enough

    def on_DisplayReset(self, seat: int, n: list[int]) -> None:
        assert self.spoiled(), "reset for nothing"
        assert self.can_reset(), "a reset that can't help (RU-1)"
        self.discards.update(card for card in self.display if card is not None)
        self.display = [None] * len(self.display)
        if not self.deck:
            self.owed = {"DeckShuffled"}

    def on_CardsPlayed(self, seat: int, n: list[int]) -> None:
        self.paid = Counter({kind: k for kind, k in enumerate(n) if k})
        assert self.paid <= self.hands[seat], "cards that the seat does not have"
        self.hands[seat] -= self.paid
        self.known[seat] -= self.paid
        self.discards += self.paid

    def on_TunnelTried(self, seat: int, n: list[int]) -> None:
        self.tried = n[0], Counter({kind: k for kind, k in enumerate(n[1:]) if k})
        assert self.tried[1] <= self.hands[seat]
        assert sum(n[1:]) == self.board["routes"][n[0]]["length"]
        self.known[seat] |= self.tried[1]

    def on_TunnelCardTurnedUp(self, seat: int, n: list[int]) -> None:
        self.top(n[0])
        self.revealed[n[0]] += 1

    def on_TunnelGivenUp(self, seat: int, n: list[int]) -> None:
        assert self.tried[0] == n[0]
        assert self.tunnel_due() > 0

    def on_TunnelCardsDiscarded(self, seat: int, n: list[int]) -> None:
        self.discards += self.revealed
        self.revealed = Counter()

    def tunnel_due(self) -> int:
        """How many cards more the tunnel asks for (NO-5)."""
        return sum(self.revealed[kind] for kind in {*self.tried[1], self.loco})

    # --- trains -----------------------------------------------------------------------------

    def routes_of(self, seat: int) -> list[dict[str, Any]]:
        return [self.board["routes"][k] for k, owner in self.owner.items() if owner == seat]

    def on_RouteClaimed(self, seat: int, n: list[int]) -> None:
        route = self.board["routes"][n[0]]
        assert n[0] not in {*self.owner, *self.closed}
        assert n[1] == ROUTE_POINTS[route["length"]]
        both = self.seats >= self.rules["doubles"]["open_from"]  # may be taken, but not by one
        owners = [seat] if both else range(self.seats)
        pairs = [set(r["between"]) for k in owners for r in self.routes_of(k)]
        assert set(route["between"]) not in pairs, "both routes of a pair (BASE-8)"
        self.owner[n[0]] = seat
        self.claimed, self.raised = n[0], 0
        if "province_mat" in self.rules and self.paid.total() > route["length"]:
            assert self.trains[seat] > route["length"]
            assert self.overpays(seat, route), "cards that can't raise the train (KR-6)"
        self.trains[seat] -= route["length"]
        if route.get("tunnel"):
            assert self.tried[0] == n[0]
            more = self.paid - self.tried[1]
            assert more.total() == self.tunnel_due()
            assert set(more) <= {*self.tried[1], self.loco}, "a tunnel's extra cards (NO-5)"
        else:
            assert self.paid.total() >= route["length"]

    def on_RouteClosed(self, seat: int, n: list[int]) -> None:
        assert n[0] not in self.owner
        assert self.seats < self.rules["doubles"]["open_from"]
        self.closed.add(n[0])

    def spot(self, line: int, value: int) -> int:
        """The highest free spot of a line up to a value; 0: none."""
        spots = self.rules["province_mat"]["lines"][line]["spots"]
        return max((v for v in spots if v <= value and (line, v) not in self.mat), default=0)

    def overpays(self, seat: int, route: dict[str, Any]) -> bool:
        """Whether the cards played reach a higher spot than all smaller payments (KR-6)."""
        lines = self.rules["province_mat"]["lines"]
        serves = [k for k, x in enumerate(lines) if route["colour"] in ("gray", x["colour"])]
        fewer = range(route["length"], self.paid.total())
        return any(
            all(self.spot(k, self.paid.total() + e) > self.spot(k, n + e) for n in fewer)
            for k in serves
            for e in [0, *self.express[seat]]
        )

    def on_TrainPlacedOnMat(self, seat: int, n: list[int]) -> None:
        line, spot, value = n
        assert self.rules["province_mat"]["lines"][line]["spots"][spot] == value
        assert value == self.spot(line, self.paid.total() + self.raised), "another spot (KR-5)"
        weaker = [e for e in self.express[seat] if e < self.raised]
        for less in [0, *weaker] if self.raised else []:
            assert self.spot(line, self.paid.total() + less) < value, "a wasted Express card (KR-7)"
        self.mat[line, value] = seat
        self.trains[seat] -= 1

    def on_ExpressSpent(self, seat: int, n: list[int]) -> None:
        assert n[0] in self.express[seat]
        self.express[seat] = [value for value in self.express[seat] if value != n[0]]
        if self.claimed >= 0:
            self.raised = n[0]
        self.draws += n[0]

    def on_StationBuilt(self, seat: int, n: list[int]) -> None:
        assert n[0] not in self.stations
        self.stations[n[0]] = seat
        assert self.paid.total() == list(self.stations.values()).count(seat)
        assert len(set(self.paid) - {self.loco}) <= 1

    def on_FestivalCardPlaced(self, seat: int, n: list[int]) -> None:
        self.top(self.special + n[0])
        self.piles[n[0]] += 1

    def on_FestivalTaken(self, seat: int, n: list[int]) -> None:
        assert self.piles.pop(n[0]) == n[1] > 0
        self.festival_cards[seat][n[0]] += n[1]

    def on_DraftCardDrawn(self, seat: int, n: list[int]) -> None:
        self.top(self.special + len(self.festivals))
        self.draft_cards += 1

    # --- tickets ----------------------------------------------------------------------------

    def tickets_at(self, place: str, seat: int) -> list[int]:
        return sorted(k for k, where in self.place.items() if where == (place, seat))

    def move(self, tickets: list[int], origin: tuple[str, int], to: tuple[str, int]) -> None:
        for k in tickets:
            assert self.place[k] == origin, f"ticket {k} is at {self.place[k]}"
            self.place[k] = to

    def off_deck(self, tickets: list[int], to: tuple[str, int]) -> None:
        assert sorted(self.ticket_deck[: len(tickets)]) == sorted(tickets)
        del self.ticket_deck[: len(tickets)]
        self.move(tickets, ("deck", 0), to)

    def on_TicketsShuffled(self, seat: int, n: list[int]) -> None:
        for k in n[1:]:
            assert self.place[k][0] in ("box", "deck", "left")
            self.place[k] = ("deck", 0)
        assert set(self.ticket_deck) <= set(n[1:])
        self.ticket_deck = n[1:]

    def on_TicketsOffered(self, seat: int, n: list[int]) -> None:
        self.off_deck(n[1:], ("offered", seat))

    def on_TicketsRemoved(self, seat: int, n: list[int]) -> None:
        self.off_deck(list(self.ticket_deck), ("out", 0))

    def on_TicketsKept(self, seat: int, n: list[int]) -> None:
        kept, rejected, out, mask = n
        self.split(self.tickets_at("offered", seat), mask, kept, rejected, seat)
        left = self.tickets_at("left", 0)
        self.ticket_deck += [] if out else left
        self.move(left, ("left", 0), ("rejected", seat) if out else ("deck", 0))

    def split(self, offer: list[int], mask: int, kept: int, rejected: int, seat: int) -> None:
        chosen = [k for i, k in enumerate(offer) if mask >> i & 1]
        assert mask < 1 << len(offer)
        assert (kept, rejected) == (len(chosen), len(offer) - len(chosen))
        for k in offer:
            self.place[k] = ("held", seat) if k in chosen else ("left", 0)

    def on_PackDealt(self, seat: int, n: list[int]) -> None:
        self.picks.clear()
        self.off_deck(n[1:], ("pack", seat))

    def on_TicketPicked(self, seat: int, n: list[int], left: bool = True) -> None:
        self.move(n, ("pack", self.pack(seat, left)), ("picked", seat))
        self.picks[seat] += 1

    def pack(self, seat: int, left: bool) -> int:
        """Whose pack the seat holds now (IB-2, IB-4)."""
        return (seat - self.picks[seat] if left else seat + self.picks[seat]) % self.seats

    def on_PackPassed(self, seat: int, n: list[int], left: bool = True) -> None:
        assert n[1:] == self.tickets_at("pack", self.pack(seat, left))

    def on_DraftKept(self, seat: int, n: list[int]) -> None:
        self.split(self.tickets_at("picked", seat), n[2], n[0], n[1], seat)

    on_SecondPackDealt = on_PackDealt
    on_SecondTicketPicked = partialmethod(on_TicketPicked, left=False)
    on_SecondPackPassed = partialmethod(on_PackPassed, left=False)
    on_SecondDraftKept = on_DraftKept

    def on_TicketsReturned(self, seat: int, n: list[int]) -> None:
        self.move(n[1:], ("left", 0), ("deck", 0))
        self.ticket_deck += n[1:]

    def on_DisplayStayed(self, seat: int, n: list[int]) -> None:
        assert (n[0] == 2) == self.spoiled(), "a display that does not stay (RU-1)"
        if not self.deck and +self.discards:
            self.owed = {"DeckShuffled"}

    def on_TurnBegan(self, seat: int, n: list[int]) -> None:
        assert not self.spoiled() or not self.can_reset(), "no reset (BASE-5, RU-1)"
        assert self.turn < 0 or seat == (self.turn + 1) % self.seats
        self.turn, self.draws, self.claimed = seat, 2, -1

    def on_GameEnded(self, seat: int, n: list[int]) -> None:
        self.over = True

    def nothing(self, seat: int, n: list[int]) -> None:
        """An event that moves nothing."""

    on_GameBegan = on_DecisionAsked = on_ChoiceMade = on_LastRoundBegan = on_TurnsLeft = nothing
    on_Passed = on_SecondDraftEnded = nothing

    def feed(self, name: str, seat: int, numbers: list[int]) -> None:
        """Book an event; an `AssertionError` if it can't have happened."""
        assert not self.over
        assert not self.owed or name in self.owed, f"{name} before {self.owed}"
        self.owed = set()
        getattr(self, f"on_{name}")(seat, list(numbers))

    def check(self) -> None:
        """Nothing is lost, nothing is made: cards, trains, tickets."""
        if self.deck or self.turn >= 0:
            self.check_cards()
        for seat in range(self.seats):
            placed = sum(route["length"] for route in self.routes_of(seat))
            placed += list(self.mat.values()).count(seat)
            assert self.trains[seat] >= 0
            assert self.trains[seat] + placed == self.board["trains"]
            assert self.known[seat] <= self.hands[seat]
        assert sorted(self.ticket_deck) == self.tickets_at("deck", 0)

    def check_cards(self) -> None:
        deck = self.rules["deck"]
        cards = Counter(self.deck) + self.discards + self.revealed
        cards.update(card for card in self.display if card is not None)
        for hand in self.hands:
            cards += hand
        for kind in range(self.kinds):
            whole = deck["locomotives"] if kind == self.loco else deck["per_colour"]
            assert cards[kind] == whole, f"{cards[kind]} cards of kind {kind}"
        if self.turn < 0:
            return
        for f, festival in enumerate(self.festivals):
            held = sum(seat[f] for seat in self.festival_cards)
            assert cards[self.special + f] + self.piles[f] + held == festival["cards"]
        drafts = cards[self.special + len(self.festivals)] + self.draft_cards
        assert drafts == ("second_draft" in self.rules)


def score(ledger: Ledger) -> tuple[list[int], list[int], str]:
    """Points, winners and the tie-break that decided (BASE-11, BASE-12, each board's own lines)."""
    rules, seats = ledger.rules, range(ledger.seats)
    points, done = [0] * ledger.seats, [0] * ledger.seats
    for seat in seats:
        points[seat], done[seat] = best_tickets(ledger, seat)
        points[seat] += sum(ROUTE_POINTS[r["length"]] for r in ledger.routes_of(seat))
        for f, n in ledger.festival_cards[seat].items():
            points[seat] += ledger.festivals[f]["scores"][n - 1]
        if "attractions" in rules:
            mine = {city for r in ledger.routes_of(seat) for city in r["between"]}
            points[seat] += len(mine & set(rules["attractions"]["cities"]))
        if "stations" in rules:
            points[seat] += 4 * (3 - list(ledger.stations.values()).count(seat))
    if "province_mat" in rules:
        score_mat(ledger, points)
    if "globetrotter" in rules:
        for seat in seats:
            points[seat] += 10 * (done[seat] == max(done))
    mine_of = [[(*r["between"], r["length"]) for r in ledger.routes_of(seat)] for seat in seats]
    trails = [trail_of(edges) for edges in mine_of]
    if "longest_path" in rules:
        for seat in seats:
            points[seat] += 10 * (trails[seat] == max(trails))
    stations = [3 - list(ledger.stations.values()).count(seat) for seat in seats]
    bonus = [int(trail == max(trails)) for trail in trails]
    measures = {"tickets": done, "stations": stations, "longest_path": trails}
    measures["longest_path_bonus"] = bonus
    best = max(points)
    winners = [seat for seat in seats if points[seat] == best]
    decided = ""
    for what in rules["tie_breaks"]["order"]:
        top = max(measures[what][seat] for seat in winners)
        ahead = [seat for seat in winners if measures[what][seat] == top]
        decided = what if ahead != winners else decided
        winners = ahead
    return points, winners, decided


def best_tickets(ledger: Ledger, seat: int) -> tuple[int, int]:
    """Points for tickets and how many are complete, with the best use of the seat's stations."""
    cities = list(ledger.board["cities"])
    own = [r["between"] for r in ledger.routes_of(seat)]
    others = [ledger.routes_of(k) for k in range(ledger.seats) if k != seat]
    rival = [r["between"] for routes in others for r in routes]
    built = [cities[c] for c, owner in ledger.stations.items() if owner == seat]
    choices = [[None, *[pair for pair in rival if city in pair]] for city in built]
    tickets = [ledger.board["tickets"][k] for k in ledger.tickets_at("held", seat)]
    best = (-10_000, 0)
    for borrowed in product(*choices):
        graph = nx.Graph(own + [pair for pair in borrowed if pair is not None])
        part = {city: n for n, cs in enumerate(nx.connected_components(graph)) for city in cs}
        joined = [part.get(a, a) == part.get(b, b) for a, b in (t["between"] for t in tickets)]
        gained = sum(t["points"] * (2 * ok - 1) for t, ok in zip(tickets, joined, strict=True))
        best = max(best, (gained, sum(joined)))
    return best


def score_mat(ledger: Ledger, points: list[int]) -> None:
    """Each line: by the sum of the spots, then the highest spot (KR-8)."""
    prizes = ledger.rules["province_mat"]["scoring"][str(ledger.seats)]
    for line in range(len(ledger.rules["province_mat"]["lines"])):
        spots: dict[int, list[int]] = {}
        for (at, value), seat in ledger.mat.items():
            if at == line:
                spots.setdefault(seat, []).append(value)
        ranked = sorted(spots, key=lambda s: (sum(spots[s]), max(spots[s])), reverse=True)
        for seat, prize in zip(ranked, prizes, strict=False):
            points[seat] += prize


def trail_of(edges: list[tuple[Any, Any, int]]) -> int:
    """The longest trail over edges (a, b, length), each of them once, by trying all (BASE-14)."""
    seen: dict[tuple[Any, int], int] = {}

    def walk(city: Any, used: int) -> int:
        if (city, used) not in seen:
            best = 0
            for k, (a, b, length) in enumerate(edges):
                if not used >> k & 1 and city in (a, b):
                    best = max(best, length + walk(b if city == a else a, used | 1 << k))
            seen[city, used] = best
        return seen[city, used]

    return max((walk(city, 0) for a, b, _ in edges for city in (a, b)), default=0)
