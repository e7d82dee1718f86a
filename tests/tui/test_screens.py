"""The full-screen table as it looks: characters of the whole screen, kept in `screens/`.

After a change that is meant, `SCREENS_ANEW=1 pytest tests/tui/test_screens.py` writes them anew;
look at the difference.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from branchline import Game, State
from branchline.bots import seat_bot
from positions import Position
from tui.sitting import Sitting, at_table

FOLDER = Path(__file__).parent / "screens"

SCREENS = {
    "new_york-80x24-en-tickets": ("new_york", 2, (80, 24), "en", 0, ["1"]),
    "nordic-80x24-fr-route": ("nordic", 3, (80, 24), "fr", 60, ["tab"]),
    "europe-80x24-en-log": ("europe", 5, (80, 24), "en", 200, ["p", "p"]),
    "usa-80x24-fr-draw": ("usa", 4, (80, 24), "fr", 100, ["1"]),
    "iberia-120x40-en-claims": ("iberia", 2, (120, 40), "en", 80, ["2"]),
    "south_korea-120x40-fr-turn": ("south_korea", 4, (120, 40), "fr", 120, []),
    "nordic-120x40-en-help": ("nordic", 2, (120, 40), "en", 30, ["f1"]),
    "usa-200x60-en-turn": ("usa", 5, (200, 60), "en", 150, []),
}


def after(game: Game, moves: int) -> State:
    """A game that bots have played for so many moves, and on to the person's next turn."""
    state = game.start(7, first=0, log=True)
    bots = [seat_bot("random", game, seat, 1) for seat in range(game.seats)]
    while moves > 0 or (len(state.moves or ()) and state.to_act[0] != 0):
        seat = state.to_act[0]
        state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
        moves -= 1
    return state


def compare(name: str, text: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("SCREENS_ANEW"):
        file.write_text(text, "utf-8")
    assert text == file.read_text("utf-8")


@pytest.mark.parametrize("name", SCREENS)
def test_the_screen_looks_as_it_did(name: str) -> None:
    board, seats, size, lang, moves, keys = SCREENS[name]

    async def look(person: Sitting) -> None:
        await person.press(*keys)
        text = person.text()
        assert len(text.splitlines()) == size[1]
        assert max(map(len, text.splitlines())) <= size[0]
        compare(name, text)

    at_table(after(Game(board, seats), moves), look, size=size, lang=lang)


def test_the_screen_of_a_payment_looks_as_it_did() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0, blue=4, locomotive=2)

    async def look(person: Sitting) -> None:
        await person.type("claim calgary-helena blue")
        compare("usa-80x24-en-payment", person.text())

    at_table(p.s, look)
