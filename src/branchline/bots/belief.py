"""What tickets the rivals seem to hold, judged from a view alone.

A rival lays its routes where its tickets need them. So a ticket is the likelier to be a rival's,
the more of the way between its cities that rival has laid, and the more of the rival's network this
is. In a draft the best tickets go first: one that was still in a pack late is less likely kept.
What a rival can't hold at all (`Worlds` knows from the packs that came by, and from what the seat
itself has seen) is not a matter of belief.

Some rivals do not work for tickets at all: they race for the longest routes and end the game early.
`racing` judges from the routes of a rival whether it does.

The numbers below were fitted to games of planners by `tools/fit_belief.py`; `docs/bots.md` has how
much better than even chances they are.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from branchline.bots.observation import Observation
from branchline.bots.plan import CARD_COST
from branchline.bots.rivals import Rivals
from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.layout import HELD, SIGHTING
from branchline.engine.view import MY_PICK, View, ViewField
from branchline.engine.worlds import Worlds
from branchline.rules.tickets.opening import OpeningTickets

LAID: Final = 6.0  # the share of the way that is laid
NETWORK: Final = 1.5  # what is laid of the way, as a part of the rival's network
LATE: Final = -4.0  # the share of a draft after which it was still in a pack
SMALL: Final = 4  # spaces: a network counts as no smaller than this
PICKS: Final = 6.0  # rounds of a draft, about
LONG_ODDS: Final = 5.0  # how much likelier a rival races for each of its first long routes
SHORT_ODDS: Final = 0.1  # the same for a shorter one
FEW_LONG: Final = 3  # with so many long ones laid, few are left:
LATE_ODDS: Final = 0.5  # then shorter ones tell less


@final
class Belief:
    """Weighs the tickets that a seat does not know, for each of its rivals.

    >>> import branchline
    >>> game = branchline.Game("usa", seats=2)
    >>> state = game.start(seed=1)
    >>> worlds = Belief(game, 0).worlds(state.view(0))
    >>> worlds.draw(seed=1).view(0) == state.view(0)
    True
    """

    def __init__(self, game: Game, seat: int) -> None:
        t = game.layout
        self.game: Final = game
        self.seat: Final = seat
        self.observation: Final = Observation(game, seat)
        self.rivals: Final = Rivals(self.observation)
        opening = game.rule_named("opening_tickets")
        self.least: Final[i64] = opening.keep if isinstance(opening, OpeningTickets) else t.tickets
        self.sightings: Final[list[ViewField]] = [
            f for f in game.view_fields.values() if f.holds == SIGHTING
        ]
        # By rival and ticket, and by ticket: what the board and the drafts say.
        self.laid: Final[list[float]] = [0.0] * (t.seats * t.tickets)
        self.network: Final[list[float]] = [0.0] * (t.seats * t.tickets)
        self.late: Final[list[float]] = [0.0] * t.tickets

    def read(self, view: View) -> None:
        """Look at the board from the seat's place."""
        t, o, rivals = self.observation.t, self.observation, self.rivals
        o.read(view)
        for rival in range(t.seats):
            if rival == self.seat:
                continue
            spaces: i64 = 0
            for r in range(t.routes):
                if o.owner[r] == rival + 1:
                    spaces += t.length[r]
            half_turns: float = float(CARD_COST * max(SMALL, spaces))
            rivals.price(rival)
            rivals.measure()
            for ticket in range(t.tickets):
                at = rival * t.tickets + ticket
                whole: i64 = rivals.whole[ticket]
                laid: i64 = max(0, whole - rivals.far[ticket])
                self.laid[at] = float(laid) / float(whole)
                self.network[at] = float(laid) / half_turns
        for ticket in range(t.tickets):
            self.late[ticket] = self.lateness(view, ticket)

    def lateness(self, view: View, ticket: i64) -> float:
        """The share of the latest draft after which the seat still saw the ticket in a pack."""
        late: float = 0.0
        for f in self.sightings:
            code: i64 = view.data[f.offset + ticket]
            if 0 < code < MY_PICK:
                late = float((code - 1) & 15) / PICKS
        return late

    def weights(self, strength: float = 1.0) -> list[float]:
        """For each seat and ticket, how much likelier than another it is the seat's.

        With a strength of 0 all are alike.
        """
        t = self.observation.t
        found = [1.0] * (t.seats * t.tickets)
        for rival in range(t.seats):
            if rival != self.seat:
                for ticket in range(t.tickets):
                    at = rival * t.tickets + ticket
                    score: float = LAID * self.laid[at] + NETWORK * self.network[at]
                    found[at] = exp(strength * (score + LATE * self.late[ticket]))
        return found

    def racing(self, view: View, usual: float) -> list[float]:
        """For each seat, how likely it races for the longest routes; `usual` before any claim.

        A rival that keeps more tickets than it has to does not race.

        >>> import branchline
        >>> game = branchline.Game("usa", seats=2)
        >>> Belief(game, 0).racing(game.start(seed=1).view(0), 0.3)
        [0.0, 0.3]
        """
        t, o = self.observation.t, self.observation
        found = [0.0] * t.seats
        if usual <= 0.0:
            return found
        o.read(view)
        longest = max([int(length) for length in t.length])
        for rival in range(t.seats):
            long = 0
            short = 0
            for r in range(t.routes):
                if o.owner[r] == rival + 1:
                    if t.length[r] >= longest - 1:
                        long += 1
                    else:
                        short += 1
            odds: float = usual / (1.0 - usual) * LONG_ODDS ** min(long, FEW_LONG)
            odds *= (SHORT_ODDS if long < FEW_LONG else LATE_ODDS) ** short
            tickets: i64 = o.data[o.at("ticket_count") + rival]
            if rival != self.seat and tickets <= self.least:
                found[rival] = odds / (1.0 + odds)
        return found

    def worlds(self, view: View, strength: float = 1.0) -> Worlds:
        """The worlds that fit a view, the likelier ones more often."""
        worlds = Worlds(view)
        if strength != 0.0:
            self.read(view)
            worlds.weigh(self.weights(strength))
        return worlds


def chances(worlds: Worlds, samples: int) -> list[float]:
    """For each seat and ticket, the share of this many worlds in which the seat holds it."""
    t = worlds.t
    found = [0.0] * (t.seats * t.tickets)
    for seed in range(samples):
        d = worlds.draw(seed).d
        for ticket in range(t.tickets):
            where: i64 = d[t.ticket_at + ticket]
            if HELD <= where < HELD + t.seats:
                found[(where - HELD) * t.tickets + ticket] += 1.0 / float(samples)
    return found
