"""Events as lines of text: what is worth telling at once, and what only the whole log has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from branchline.engine.describe import Words
from branchline.engine.events import Event
from branchline.engine.game import Game
from branchline.engine.state import State

QUIET: Final = frozenset(
    {
        "ChoiceMade",
        "DeckShuffled",
        "DisplayFilled",
        "GameBegan",
        "TicketsShuffled",
        "TunnelCardsDiscarded",
        "TurnBegan",
        "TurnsLeft",
    }
)
"""What the table shows anyway, or what only fills the log."""

OWN_ONLY: Final = frozenset(
    {
        "PackDealt",
        "PackPassed",
        "SecondPackDealt",
        "SecondPackPassed",
        "SecondTicketPicked",
        "TicketPicked",
        "TicketsOffered",
    }
)
"""What all seats do at the same time: news only of oneself."""


def is_news(event: Event, viewer: int) -> bool:
    """Whether an event is told as soon as it has happened."""
    if event.kind.name in QUIET:
        return False
    return event.kind.name not in OWN_ONLY or event.seat == viewer


def told(
    words: Words, events: Sequence[Event], everything: bool = False, open: bool = False
) -> list[str]:
    """The events in words, with equal lines in a row counted instead of repeated."""
    chosen = [e for e in events if everything or open or is_news(e, words.viewer)]
    lines = filter(None, (words.event(e, open=open) for e in chosen))
    counted = [(line, len(list(same))) for line, same in groupby(lines)]
    return [line if n == 1 else f"{line} ×{n}" for line, n in counted]


def comment(game: Game, lang: str) -> Callable[[State, Event], str]:
    """Words for the comments of a text in the notation: what a spectator sees."""
    words = Words(game, lang)

    def of(state: State, event: Event) -> str:
        return words.event(event).removesuffix(".") if is_news(event, words.viewer) else ""

    return of
