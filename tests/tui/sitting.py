"""A person at the full-screen table, who presses keys, clicks, and reads the screen."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import WorkerCancelled

from branchline import Game, State, View
from branchline.bots import Bot, seat_bot
from branchline.engine.describe import Words
from branchline.tui.app.board_map import BoardMap
from branchline.tui.app.table_app import TableApp
from branchline.tui.app.table_screen import TableScreen
from branchline.tui.character_map import Spot
from branchline.tui.match import PERSON, Match

SMALL = (80, 24)


class Sitting:
    """The table as the person has it before them."""

    def __init__(self, app: TableApp, match: Match, pilot: Pilot[None]) -> None:
        self.app = app
        self.match = match
        self.pilot = pilot

    @property
    def table(self) -> TableScreen:
        return self.app.table

    @property
    def board(self) -> BoardMap:
        return self.table.board

    @property
    def view(self) -> View:
        return self.match.view

    @property
    def status(self) -> str:
        """What is said below the map."""
        return str(self.table.query_one("#status", Static).visual)

    @property
    def choices(self) -> list[str]:
        """The lines of the list of choices."""
        return [str(option.prompt) for option in self.table.choices.options]

    async def settle(self) -> None:
        """Wait until the bots have played and the screen shows it."""
        await self.pilot.pause()
        while any(not worker.is_finished for worker in self.app.workers):
            with suppress(WorkerCancelled):  # by the next one, which has more to show
                await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, line: str) -> None:
        """Type a line and send it."""
        await self.pilot.press("slash", *line)
        await self.press("enter")

    async def click(self, spot: Spot) -> None:
        """Click on what is on the map."""
        await self.pilot.click(BoardMap, offset=self.board.where(spot))
        await self.settle()

    async def decide(self, number: int) -> None:
        """Answer the open decision by keys: a line of the list, or as many tickets as needed."""
        if self.table.choices.tickets is not None:
            lines = len(self.choices)
            for k in range(lines - 1):
                await self.pilot.press(str(1 + k))
            await self.press(str(lines))
        else:
            await self.press(str(1 + number % min(len(self.choices), 9)))

    def text(self) -> str:
        """The characters of the screen, without colours."""
        found = re.findall(
            r'<text[^>]* x="([\d.]+)"[^>]*clip-path="url\(#[^)]*-line-(\d+)\)"[^>]*>(.*?)</text>',
            self.app.export_screenshot(),
        )
        width, height = self.app.size
        rows = [[" "] * width for _ in range(height)]
        for x, line, content in found:
            for k, character in enumerate(html.unescape(content).replace("\xa0", " ")):
                rows[int(line)][round(float(x) / 12.2) + k] = character
        return "\n".join("".join(row).rstrip() for row in rows) + "\n"


def at_table(
    state: State,
    play: Callable[[Sitting], Awaitable[None]],
    size: tuple[int, int] = SMALL,
    lang: str = "en",
    rivals: Sequence[Bot] = (),
) -> Match:
    """Let a person play at a table of that size; returns the match as they leave it."""
    game = state.game
    words = Words(game, lang, viewer=PERSON)
    bots = rivals or [seat_bot("random", game, seat, 1) for seat in range(1, game.seats)]
    match = Match(state, bots, words)
    app = TableApp(match, words)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            sitting = Sitting(app, match, pilot)
            await sitting.settle()
            await play(sitting)

    asyncio.run(run())
    return match


def started(board: str, seats: int = 2, seed: int = 1) -> State:
    return Game(board, seats).start(seed, first=0, log=True)


def after_opening(board: str, seats: int = 2, seed: int = 1) -> State:
    """A game in which the person has its first turn."""
    state = started(board, seats, seed)
    while state.phase != "turn":
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[-1])
    return state


def near_the_end(game: Game, seed: int = 1) -> State:
    """A game that bots have played until the trains run short."""
    state = game.start(seed, first=0, log=True)
    bots = [seat_bot("hard", game, seat, seed) for seat in range(game.seats)]
    while not state.over and min(state.view(-1)["trains"]) > 3:
        seat = state.to_act[0]
        state.apply(seat, bots[seat].decide(state.view(seat), 1.0))
    return state


def shown(widget: Widget) -> bool:
    """Whether a widget has room on the screen."""
    return widget.display and widget.size.height > 0
