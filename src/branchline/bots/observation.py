"""What a bot reads from a view, as plain arrays: the facts of the board and the seat's position.

A bot never sees a state. `Observation.read` copies what a decision needs from the view's vector.
What a board has at all (festivals, a mat, attractions …) comes from its rules, not from its name.
"""

from __future__ import annotations

from typing import Final

from branchline.core.board import GRAY
from branchline.core.machine import i64, vec
from branchline.engine.game import Game
from branchline.engine.table import CLOSED, column
from branchline.engine.view import MINE, OFFERED_TO_ME, PICKED_BY_ME, View
from branchline.rules.attractions.rule import Attractions
from branchline.rules.cards.draw import DrawCards
from branchline.rules.claims.claim_routes import ClaimRoutes, claims_of
from branchline.rules.ending.rule import Ending
from branchline.rules.express_cards.rule import ExpressCards
from branchline.rules.festivals.rule import Festivals
from branchline.rules.globetrotter.rule import Globetrotter
from branchline.rules.longest_path.rule import LongestPath
from branchline.rules.province_mat.rule import ProvinceMat
from branchline.rules.stations.rule import Stations
from branchline.rules.tickets.draw import DrawTickets


class Observation:
    """A seat's position in numbers, read again for every decision."""

    def __init__(self, game: Game, seat: i64) -> None:
        t = game.table
        self.game: Final = game
        self.t: Final = t
        self.seat: Final[i64] = seat
        self.seats: Final[i64] = t.seats
        self.claims: Final[ClaimRoutes] = claims_of(game)
        draw = game.rule_named("draw_cards")
        assert isinstance(draw, DrawCards)
        self.draw: Final[DrawCards] = draw
        tickets = game.rule_named("draw_tickets")
        assert isinstance(tickets, DrawTickets)
        self.draw_tickets: Final[DrawTickets] = tickets
        ending = game.rule_named("ending")
        assert isinstance(ending, Ending)
        self.ending: Final[Ending] = ending
        festivals = game.rule_named("festivals")
        self.festivals: Final = festivals if isinstance(festivals, Festivals) else None
        express = game.rule_named("express_cards")
        self.express: Final = express if isinstance(express, ExpressCards) else None
        mat = game.rule_named("province_mat")
        self.mat: Final = mat if isinstance(mat, ProvinceMat) else None
        attractions = game.rule_named("attractions")
        self.attractions: Final = attractions if isinstance(attractions, Attractions) else None
        stations = game.rule_named("stations")
        self.stations: Final = stations if isinstance(stations, Stations) else None
        globetrotter = game.rule_named("globetrotter")
        self.globetrotter: Final[i64] = (
            globetrotter.points if isinstance(globetrotter, Globetrotter) else 0
        )
        longest = game.rule_named("longest_path")
        self.longest_path: Final[i64] = longest.points if isinstance(longest, LongestPath) else 0
        self.tunnel: Final[vec[i64]] = column([int(r.tunnel) for r in game.board.routes])

        # The position.
        self.data: vec[i64] = column([])
        self.phase: i64 = 0
        self.turns: i64 = 0
        self.last: i64 = 0
        self.locos: i64 = 0
        self.cards: i64 = 0
        self.trains: i64 = 0
        self.hand: Final[vec[i64]] = column([0] * t.kinds)
        self.owner: Final[vec[i64]] = column([0] * t.routes)
        self.open: Final[vec[i64]] = column([0] * t.routes)  # 1: this seat may claim it
        self.held: list[int] = []
        self.offered: list[int] = []
        self.picked: list[int] = []
        self.pack: list[int] = []  # in a draft, what lies in front of the seat
        self.ticket_deck: i64 = 0
        self.deck: i64 = 0

    def at(self, name: str) -> i64:
        """The offset of a field in the view."""
        return self.game.view_fields[name].offset

    def read(self, view: View) -> None:
        """Read a view."""
        t = self.t
        d = view.data
        self.data = d
        self.phase = d[self.at("phase")]
        self.turns = d[self.at("turns")]
        self.last = d[self.at("last")]
        hand: i64 = self.at("hand")
        self.cards = 0
        kind: i64 = 0
        while kind < t.kinds:
            self.hand[kind] = d[hand + kind]
            self.cards += d[hand + kind]
            kind += 1
        self.locos = self.hand[t.loco]
        self.trains = d[self.at("trains") + self.seat]
        self.ticket_deck = d[self.at("ticket_len")]
        self.deck = d[self.at("deck_len")] - d[self.at("specials")] + d[self.at("discard_size")]
        owner: i64 = self.at("owner")
        me: i64 = self.seat + 1
        r: i64 = 0
        while r < t.routes:
            self.owner[r] = d[owner + r]
            r += 1
        r = 0
        while r < t.routes:
            twin: i64 = t.twin[r]
            self.open[r] = 0
            if self.owner[r] == 0 and (twin < 0 or self.owner[twin] != me):
                self.open[r] = 1
            r += 1
        self.read_tickets(d)
        self.pack = view.pack

    def read_tickets(self, d: vec[i64]) -> None:
        at: i64 = self.at("tickets")
        self.held = []
        self.offered = []
        self.picked = []
        ticket: i64 = 0
        while ticket < self.t.tickets:
            what: i64 = d[at + ticket]
            if what == MINE:
                self.held.append(ticket)
            elif what == OFFERED_TO_ME:
                self.offered.append(ticket)
            elif what == PICKED_BY_ME:
                self.picked.append(ticket)
            ticket += 1

    def unseen(self) -> list[int]:
        """The tickets that, as far as this seat knows, may still be in the deck."""
        at: i64 = self.at("tickets")
        return [k for k in range(self.t.tickets) if self.data[at + k] == 0]

    def rival(self, owner: i64) -> bool:
        """Whether a route's owner is another player."""
        return owner != 0 and owner != CLOSED and owner != self.seat + 1

    def missing(self, r: i64) -> i64:
        """How many cards the hand lacks for a route; a ferry's locomotives count double."""
        t = self.t
        need: i64 = t.length[r] - self.claims.symbols[r]
        locos: i64 = self.locos
        short: i64 = 0
        if self.claims.symbols[r] > locos:
            short = 2 * (self.claims.symbols[r] - locos)
            locos = 0
        else:
            locos -= self.claims.symbols[r]
        if self.claims.wild[r] == 0:
            locos = 0
        have: i64 = 0
        colour: i64 = t.colour[r]
        if colour == GRAY:
            c: i64 = 0
            while c < t.colours:
                if self.hand[c] > have:
                    have = self.hand[c]
                c += 1
        else:
            have = self.hand[colour]
        if need > have + locos:
            short += need - have - locos
        return short
