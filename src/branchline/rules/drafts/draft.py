"""The opening draft, in place of an opening deal (IB-2, KR-1)."""

from __future__ import annotations

from branchline.core.machine import i64
from branchline.engine.game import Game
from branchline.engine.layout import IN_DECK, LEFT_OVER
from branchline.engine.rule import ON_SETUP
from branchline.engine.state import State
from branchline.engine.worlds import Secret, Worlds
from branchline.rules.drafts.drafting import Drafting
from branchline.rules.drafts.hidden_picks import DraftSecret, HiddenPicks, hidden_picks


class Draft(Drafting):
    """The opening draft, in place of an opening deal (IB-2, KR-1)."""

    def __init__(self, cite: str, deal: i64, keep: i64, left: bool) -> None:
        super().__init__("draft", "", cite, 95, ON_SETUP, deal, keep, left)
        self.headline = 1
        self.later: Drafting | None = None  # a draft that comes after this one

    def link(self, game: Game) -> None:
        super().link(game)
        rule = game.rule_named("second_draft")
        if rule is not None:
            assert isinstance(rule, Drafting)
            self.later = rule

    def secret(self, worlds: Worlds) -> Secret | None:
        """What both drafts hide: what was kept in the first was not dealt in the second."""
        first = hidden_picks(self, worlds, 0)
        assert first is not None
        second: HiddenPicks | None = None
        if self.later is not None:
            second = hidden_picks(self.later, worlds, first.keep * worlds.t.seats)
        return DraftSecret(worlds, first, second)

    def setup(self, s: State) -> None:
        d, t = s.d, s.t
        for k in range(t.tickets):
            d[t.ticket_deck + k] = k
        s.shuffle_tickets(t.tickets)
        s.ticket_deck_made(t.tickets)
        self.begin(s)

    def finish(self, s: State) -> None:
        d, t = s.d, s.t
        n: i64 = 0
        for k in range(t.tickets):
            if d[t.ticket_at + k] == IN_DECK or d[t.ticket_at + k] == LEFT_OVER:
                d[t.ticket_deck + n] = k
                n += 1
        s.shuffle_tickets(n)
        s.ticket_deck_made(n)
        s.turn_began(d[t.first])
