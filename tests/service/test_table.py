"""Folding: what a table is follows from its log alone, from wherever one begins to read."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from branchline import State
from branchline.engine.events import Log
from branchline.service.messages import ClockRule
from branchline.service.tables.log_entries import (
    Answered,
    AnyEntry,
    Began,
    BotGone,
    BotSeated,
    ChatSet,
    Created,
    Left,
    Moved,
    Rematched,
    Said,
    Seated,
    TakenBack,
    Wished,
    decode,
    encode,
)
from branchline.service.tables.table import (
    Table,
    apply_all,
    from_snapshot,
    new_table,
    stored_events,
)
from golden_games import TABLES, choose, game_of

Row = tuple[int, int, AnyEntry]
BOARDS = list(dict.fromkeys(board for board, _ in TABLES))


class Story:
    """A log that is written as a server would write it."""

    def __init__(self, board: str, seats: int, seed: int, clock: ClockRule | None = None) -> None:
        self.rng = random.Random(f"{board} {seats} {seed}")
        self.game = game_of(board, seats)
        self.created = Created(board, self.game.board.digest, seats, False, clock or CLOCK)
        self.rows: list[Row] = []
        self.table = self.empty()
        self.write(self.created)
        for seat in range(seats):
            self.write(Seated(seat, f"P{seat}", f"key {seat}"))
        state = self.game.start(seed, log=True)
        self.write(Began("0", f"{seed}", stored_events(state.events)))

    def empty(self) -> Table:
        return new_table("t", self.created, self.game)

    @property
    def state(self) -> State:
        assert self.table.state is not None
        return self.table.state

    def write(self, entry: AnyEntry) -> int:
        """Add an entry and take it in; a takeback is taken in by reading everything again."""
        number = len(self.rows) + 1
        at = (self.rows[-1][1] if self.rows else 0) + self.rng.randrange(5000)
        self.rows.append((number, at, entry))
        if isinstance(entry, TakenBack):
            self.table = apply_all(self.empty(), self.rows)
        else:
            self.table.apply(number, at, entry)
        return number

    def move(self) -> int:
        seat = self.rng.choice(self.state.to_act)
        action = choose(self.state, seat, "rare", self.rng)
        after = self.state.clone()
        after.log = Log()
        after.apply(seat, action)
        facts = stored_events(after.events)
        move = Moved(seat, self.game.action_text(action), "person", facts, f"m{len(self.rows)}")
        return self.write(move)

    def take_back(self) -> None:
        steps = self.table.table_state.steps[-6:]
        step = self.rng.choice(steps)
        quiet = self.table.stays_quiet(step.number) and self.table.may_undo(step.seat, step.number)
        self.write(TakenBack(step.seat, step.number, f"b{len(self.rows)}", quiet))

    def anything(self) -> None:
        """Something that may happen at a table, most often a move."""
        seat = self.rng.randrange(self.game.seats)
        others: list[Callable[[], object]] = [
            self.take_back,
            lambda: self.write(Said(seat, "", "hello", f"s{len(self.rows)}")),
            lambda: self.write(ChatSet(False)),
            lambda: self.write(BotSeated(seat, "easy", "1")),
            lambda: self.write(BotGone(seat)),
            lambda: self.write(Seated(seat, "New", f"key {len(self.rows)}")),
        ]
        if self.rng.random() < 0.8 or len(self.table.table_state.steps) < 3:
            self.move()
        else:
            self.rng.choice(others)()


CLOCK = ClockRule("game", 3600)


def tell(board: str, seats: int, seed: int, length: int = 120) -> Story:
    story = Story(board, seats, seed)
    while len(story.rows) < length and not story.state.over:
        story.anything()
    return story


@pytest.mark.parametrize("board", BOARDS)
def test_a_log_is_read_from_any_snapshot_as_from_its_beginning(board: str) -> None:
    story = tell(board, 2, 1)
    whole = apply_all(story.empty(), story.rows)
    assert whole.table_state == story.table.table_state
    assert whole.state == story.state
    for cut in range(1, len(story.rows)):
        rest = story.rows[cut:]
        if any(isinstance(e, TakenBack) and e.move <= cut for _, _, e in rest):
            continue  # a snapshot of what was taken back is not used
        part = apply_all(story.empty(), story.rows[:cut])
        resumed = apply_all(from_snapshot(story.game, part.snapshot()), rest)
        assert resumed.table_state == whole.table_state
        assert resumed.state == whole.state


@pytest.mark.parametrize("board", BOARDS)
def test_a_move_that_others_do_not_hear_of_changes_nothing_for_them(board: str) -> None:
    story = Story(board, 2, 3)
    quiet = 0
    for _ in range(300):
        if story.state.over:
            break
        before = [story.state.view(seat) for seat in (-1, 0, 1)]
        number = story.move()
        after = [story.state.view(seat) for seat in (-1, 0, 1)]
        for reader, (old, new) in enumerate(zip(before, after, strict=True), start=-1):
            if not story.table.hears(reader, number):
                quiet += 1
                assert old == new
                assert story.table.number_for(reader, number) == story.table.number_for(
                    reader, number - 1
                )
    assert quiet >= 2


@pytest.mark.parametrize("board", BOARDS)
def test_every_reader_has_numbers_without_gaps(board: str) -> None:
    table = (story := tell(board, 2, 5)).table
    for reader in (-1, 0, 1):
        heard = [n for n, _, _ in story.rows if table.hears(reader, n)]
        assert [table.number_for(reader, n) for n in heard] == list(range(1, len(heard) + 1))
        assert [table.number_from(reader, k) for k in range(1, len(heard) + 1)] == heard
        for number in range(1, len(story.rows) + 1):
            following = next((n for n in heard if n >= number), None)
            if following is not None:
                known = table.number_for(reader, following)
                assert table.next_number_for(reader, number) == known


def test_what_is_taken_back_twice_in_different_depths_is_void_once() -> None:
    story = Story("nordic", 2, 7)
    states = {}
    for _ in range(8):
        states[len(story.rows) + 1] = story.state.clone()
        story.move()
    numbers = sorted(states)
    story.write(TakenBack(0, numbers[6]))
    assert story.state == states[numbers[6]]
    story.move()
    story.write(TakenBack(0, numbers[3]))
    assert story.state == states[numbers[3]]
    story.move()
    story.write(TakenBack(0, len(story.rows)))
    assert story.state == states[numbers[3]]
    assert [step.number for step in story.table.table_state.steps] == numbers[:3]


@pytest.mark.parametrize("seed", range(5))
def test_who_takes_back_has_used_the_own_time_and_no_one_else_s(seed: int) -> None:
    story = Story("usa", 3, seed, ClockRule("move", 60))
    while len(story.table.table_state.steps) < 12 or story.state.phase != "turn":
        story.move()
    seat, since = story.state.turn, story.table.seats[story.state.turn].since
    first = last = story.move()
    while story.state.turn == seat:
        last = story.move()
    while story.state.turn != seat:  # the others
        story.move()
    back = story.write(TakenBack(seat, first, "back"))
    times = {number: at for number, at, _ in story.rows}
    assert story.table.seats[seat].since == times[back] - (times[last] - since)


def test_an_entry_that_does_not_follow_is_refused() -> None:
    story = Story("nordic", 2, 1)
    for number in (len(story.rows), len(story.rows) + 2):
        with pytest.raises(ValueError, match="does not follow"):
            story.table.apply(number, 0, ChatSet(False))
    with pytest.raises(ValueError, match="loaded again"):
        story.table.apply(len(story.rows) + 1, 0, TakenBack(0, 1))


def test_the_messages_that_are_remembered_do_not_grow_without_end() -> None:
    story = Story("nordic", 2, 1)
    for k in range(1000):
        story.write(Said(k % 2, "", "hello", f"id {k}"))
    assert len(story.table.table_state.ids) <= 128
    assert story.table.done(1, "id 999") == len(story.rows)
    assert story.table.done(0, "id 999") == 0


REVEALS_NOTHING = {
    *("CardTaken", "CardsPlayed", "ChoiceMade", "DecisionAsked", "DisplayStayed", "ExpressSpent"),
    *("FestivalTaken", "LastRoundBegan", "Passed", "RouteClaimed", "RouteClosed", "StationBuilt"),
    *("TicketsKept", "TrainPlacedOnMat", "TunnelCardsDiscarded", "TunnelGivenUp", "TurnBegan"),
    "TurnsLeft",
}


def test_after_these_events_alone_a_seat_may_take_back() -> None:
    kinds = [kind for board in BOARDS for kind in game_of(board, 2).event_kinds]
    assert {kind.name for kind in kinds if not kind.reveals_to(0, 0)} == REVEALS_NOTHING


@pytest.mark.parametrize("board", BOARDS)
def test_events_that_show_what_was_hidden_reveal(board: str) -> None:
    kinds = {kind.name: kind for kind in game_of(board, 2).event_kinds}
    assert not kinds["RouteClaimed"].reveals_to(0, 0)
    assert not kinds["TicketsKept"].reveals_to(0, 0)
    assert kinds["TicketsKept"].reveals_to(0, 1), (
        "how many another seat keeps is a secret until then"
    )
    for name in ("CardDrawn", "DisplayFilled", "DeckShuffled", "TicketsOffered", "GameEnded"):
        assert kinds[name].reveals_to(0, 0)
    revealing = ("TurnedUp", "Drawn", "Dealt", "Passed", "Filled", "Offered", "Shuffled")
    for name in kinds:
        if name.endswith(revealing) and name != "Passed":
            assert kinds[name].reveals_to(0, 0), name


@pytest.mark.parametrize(
    "entry",
    [
        Created("nordic", "00", 2, True, ClockRule("move", 60, "seat"), 1, 500, False, "before"),
        Seated(0, "Zoë", "key"),
        Left(1, "normal", "seed", "Bob"),
        BotSeated(1, "hard", "seed", "clock"),
        BotGone(1),
        Began("0.1", "seed", [("GameBegan", -1, (0, 1, 2, 3, 4))]),
        Moved(0, "draw", "person", [("CardDrawn", 0, (3,))], "id"),
        Wished(0, 7, "id"),
        Answered(1, 8, True, "id"),
        TakenBack(0, 7, "id", True),
        Said(-1, "", "text", "id"),
        ChatSet(True),
        Rematched("next"),
    ],
)
def test_entries_are_read_as_they_were_written(entry: AnyEntry) -> None:
    assert decode(encode(entry)) == entry


def test_entries_without_what_was_added_later_are_still_read() -> None:
    old = {
        b'{"kind":"left","seat":1,"level":"normal","seed":"s"}': Left(1, "normal", "s"),
        b'{"kind":"taken_back","seat":0,"move":7}': TakenBack(0, 7),
    }
    for body, entry in old.items():
        assert decode(body) == entry
