"""Records, notation, packed states: a game comes back the same from each, and damage is told."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from branchline import (
    BranchlineError,
    Game,
    MapError,
    Record,
    State,
    __version__,
    builtin_boards,
    load_board,
    parse_action,
    read_game,
    replay,
    write_game,
)
from branchline.core.mapfile import board_from_data
from branchline.engine.describe import describe_error
from branchline.engine.errors import RecordError, StateError
from branchline.engine.playback import playback
from branchline.engine.record import MAX_BYTES, replay_events, rewind
from branchline.engine.verify import verify
from branchline.rules.parameters import check_rules
from golden_games import TABLES, cut, finished, game_of, play

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.load_profile("steady")

MAP_FILE = Path(__file__).parents[1] / "src" / "branchline" / "maps" / "new_york.toml"
TOLD = (BranchlineError, MapError)
"""What a reader of damaged data may raise, and nothing else."""


def same(copy: State, state: State) -> None:
    """Two states that nobody can tell apart."""
    assert copy.to_bytes() == state.to_bytes()
    assert (copy, hash(copy), copy.hash()) == (state, hash(state), state.hash())
    assert (copy.over, copy.to_act, copy.phase) == (state.over, state.to_act, state.phase)
    for seat in range(-1, state.game.seats):
        assert copy.legal(seat) == state.legal(seat)
        assert copy.view(seat) == state.view(seat)


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_game_comes_back_the_same_from_every_form(board: str, seats: int) -> None:
    for moves in (0, 1, 23, 90, 100_000):
        state = cut(board, seats, moves + 1, moves)
        same(state.clone(), state)
        same(state.game.unpack(state.to_bytes()), state)
        same(read_game(write_game(state), state.game), state)
        assert len(state.to_bytes()) <= 1024
        if moves in (23, 100_000):
            record = state.record()
            text = record.to_json()
            again = Record.from_json(text)
            assert again == record == Record.from_json(text.encode())
            assert again.to_json() == text
            same(replay(again), state)
            same(replay_events(again), state)
            same(read_game(write_game(state)), state)
            assert (record.result is not None) == state.over
            assert record.hash == state.hash()


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_replays_can_stop_at_every_move_and_undo_goes_back_one_by_one(
    board: str, seats: int
) -> None:
    game = game_of(board, seats)
    rng = random.Random(f"undo {board} {seats}")
    state = game.start("undo")
    hashes = [state.hash(), *[state.hash() for _ in play(state, "rare", rng)]]
    record = state.record()
    for moves in rng.sample(range(len(hashes)), 3):
        assert replay(record, moves).hash() == hashes[moves]
        assert rewind(state, moves).hash() == hashes[moves]
    assert len(set(hashes)) == len(hashes)
    back = state
    for step in range(1, 6):
        back = back.undone()
        assert back.hash() == hashes[-1 - step]
        assert not back.over
    assert state.hash() == hashes[-1]
    back.apply(back.to_act[0], back.legal(back.to_act[0])[0])
    with pytest.raises(StateError):
        game.start(1).undone()
    with pytest.raises(StateError):
        state.clone().record()
    with pytest.raises(StateError):
        state.events  # noqa: B018


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_clone_goes_its_own_way(board: str, seats: int) -> None:
    state = cut(board, seats, 3, 40)
    before, views = state.to_bytes(), [state.view(k) for k in range(seats)]
    one, other = state.clone(), state.clone()
    for way in (one, other):
        assert list(play(way, "rare", random.Random(way is one)))
    assert one != other
    assert state.to_bytes() == before
    assert [state.view(k) for k in range(seats)] == views


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_every_action_has_a_text_of_its_own_that_reads_back(board: str, seats: int) -> None:
    game = game_of(board, seats)
    texts = [game.action_text(action) for action in range(len(game.action_rules))]
    assert len(set(texts)) == len(texts)
    for action, text in enumerate(texts):
        assert parse_action(game, text) == action
        assert parse_action(game, f"  {text.upper()} ".replace(" ", "  ")) == action
        assert text == " ".join(text.split())
        assert ";" not in text


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_the_same_seed_gives_the_same_game_and_another_one_another(board: str, seats: int) -> None:
    game = game_of(board, seats)
    assert game.start(7).hash() == Game(board, seats).start("7").hash()
    assert len({game.start(seed).hash() for seed in range(50)}) == 50
    assert {game.start(seed).turn for seed in range(50)} == set(range(seats))
    for first in range(seats):
        state = game.start(7, first=first)
        assert state.d[state.t.first] == first
        assert read_game(write_game(state), game) == state
    assert replay(game.start(7, first=1).record()).turn == game.start(7, first=1).turn


SEEDS = ["0", "7", "-3", "spring", "été", "1.5", "two words", "a  b", "x;y", " x", "#", "日本"]


@pytest.mark.parametrize("seed", [*SEEDS, "a\tb", "a\nb", "line\u2028end", ""])
def test_a_seed_of_any_kind_comes_back_from_the_notation_and_the_record(seed: str) -> None:
    """Or is refused at once: a game that can't be written down must not begin."""
    try:
        state = game_of("new_york", 2).start(seed)
    except BranchlineError:
        assert seed not in SEEDS[:6]
        return
    assert replay(Record.from_json(state.record().to_json())) == state
    assert read_game(write_game(state)) == state


def custom() -> dict[str, Any]:
    """A board of somebody's own."""
    data = dict(load_board("new_york").source)
    data["id"] = "my_town"
    data["trains"] = 12
    return data


def test_a_record_carries_a_board_that_is_not_ours() -> None:
    game = Game(board_from_data(custom(), "my_town"), 3)
    state = game.start(5)
    assert list(play(state, "uniform", random.Random(5)))
    record = Record.from_json(state.record().to_json())
    assert record.board.data is not None
    assert replay(record) == replay_events(record) == state
    assert read_game(write_game(state), game) == state
    with pytest.raises(TOLD):
        read_game(write_game(state))


# --- damaged and foreign records ------------------------------------------------------------------


@cache
def sound(board: str) -> str:
    """A good record."""
    return finished(board, 2, 21, "rare").record().to_json()


def read_all(text: str | bytes) -> list[str]:
    """Do everything that one can do with a record from elsewhere; gives what was told."""
    told = []
    try:
        record = Record.from_json(text)
    except TOLD as error:
        return [str(error)]
    for use in (replay, replay_events):
        try:
            use(record)
        except TOLD as error:
            told.append(str(error))
    return told


def edited(change: Callable[[dict[str, Any]], object]) -> str:
    data = json.loads(sound("europe"))
    change(data)
    return json.dumps(data)


def nth(data: dict[str, Any], name: str) -> list[Any]:
    """One of the record's events of a kind."""
    found: list[list[Any]] = [event for event in data["events"] if event[0] == name]
    return found[len(found) // 2]


EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "schema of the future": lambda d: d.update(schema=2),
    "no schema": lambda d: d.pop("schema"),
    "more fields": lambda d: d.update(extra=1),
    "unknown board": lambda d: d["board"].update(id="atlantis"),
    "a path for a board": lambda d: d["board"].update(id="../../../etc/passwd"),
    "a file for a board": lambda d: d["board"].update(id="/tmp/x.toml"),
    "wrong digest": lambda d: d["board"].update(digest="0" * 64),
    "another board": lambda d: d["board"].update(id="usa"),
    "board data that are none": lambda d: d["board"].update(data={"a": [1]}),
    "too many seats": lambda d: d.update(seats=10**30),
    "first seat out of range": lambda d: d.update(first=7),
    "huge first seat": lambda d: d.update(first=10**30),
    "seed as a number": lambda d: d.update(seed=3),
    "another seed": lambda d: d.update(seed="other"),
    "lone surrogate as a seed": lambda d: d.update(seed="\ud800"),
    "another hash": lambda d: d.update(hash="00"),
    "an illegal action": lambda d: d["actions"].__setitem__(5, [0, "pass"]),
    "an unknown action": lambda d: d["actions"].__setitem__(5, [0, "fly to the moon"]),
    "an action of a seat that is not there": lambda d: d["actions"].__setitem__(0, [9, "draw"]),
    "an action of a huge seat": lambda d: d["actions"].__setitem__(0, [10**30, "draw"]),
    "an action of a negative seat": lambda d: d["actions"].__setitem__(0, [-1, "draw"]),
    "one action too few": lambda d: d["actions"].pop(),
    "one action twice": lambda d: d["actions"].append(d["actions"][-1]),
    "no actions": lambda d: d.update(actions=[]),
    "an unknown event": lambda d: d["events"].__setitem__(5, ["Earthquake", 0, []]),
    "an event without numbers": lambda d: d["events"].__setitem__(5, ["CardDrawn", 0, []]),
    "an event with too many numbers": lambda d: nth(d, "CardDrawn")[2].extend([1] * 50),
    "an event of a seat that is not there": lambda d: nth(d, "CardTaken").__setitem__(1, 99),
    "an event of a negative seat": lambda d: nth(d, "CardTaken").__setitem__(1, -99),
    "an event with a huge number": lambda d: nth(d, "CardTaken").__setitem__(2, [0, 10**30]),
    "an event changed": lambda d: nth(d, "RouteClaimed")[2].__setitem__(0, 3),
    "a card changed": lambda d: nth(d, "CardDrawn")[2].__setitem__(0, 8),
    "an event missing": lambda d: d["events"].remove(nth(d, "CardTaken")),
    "an event twice": lambda d: d["events"].append(nth(d, "RouteClaimed")),
    "no events": lambda d: d.update(events=[]),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_damaged_record_is_told_and_nothing_else_happens(what: str) -> None:
    assert read_all(edited(EDITS[what]))


WRONG: list[list[Any]] = [
    ["TicketsOffered", 0, [10**12]], ["TicketPicked", 99, [0]], ["TicketPicked", 0, [0]],
    ["PackDealt", 0, [10**12]], ["CardsPlayed", 0, [-5] * 9], ["CardsPlayed", 1, [120] * 9],
    ["RouteClaimed", 0, [5000]], ["RouteClaimed", 0, [-1, 1]], ["TurnBegan", -1, []],
    ["TrainPlacedOnMat", 0, [-8, 100, 1]], ["ExpressSpent", 90, [1, 90]], ["TurnsLeft", -1, [-7]],
    ["DeckShuffled", -1, [10**12, 1]], ["DeckShuffled", -1, [10**12, 0]],
    ["TicketsShuffled", -1, [10**12]], ["TicketsKept", 0, [1, 1, 1, 10**40]],
    ["DecisionAsked", -1, [-1, -1, -1, -1]], ["GameBegan", -1, [0, 0]],
    ["GameBegan", -1, [0, 10**30, 0, 0, 0]], ["StationBuilt", 0, [-3]],
    ["FestivalTaken", 0, [-3, 2]], ["SecondTicketPicked", 0, [0]],
    ["TicketsReturned", -1, [2, 10**12, -(10**12)]],
]  # fmt: skip


@contextmanager
def promptly(seconds: int) -> Iterator[None]:
    """Fail rather than work for ever; what counts is the processor's time."""

    def late(*_: object) -> None:
        raise AssertionError(f"not done after {seconds} seconds")

    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


@pytest.mark.parametrize("board", ["iberia", "south_korea", "europe"])
@pytest.mark.parametrize("event", WRONG, ids=lambda event: f"{event[0]} {str(event[2])[:12]}")
def test_an_event_that_cannot_be_is_told(board: str, event: list[Any]) -> None:
    """At the start, in the middle, at the end; at the latest by the hash."""
    for at in (0, 60, 10**6):
        data = json.loads(sound(board))
        data["events"].insert(at, event)
        with promptly(2), pytest.raises(TOLD):
            replay_events(Record.from_json(json.dumps(data)))


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "{}", "{", b"\xff\xfe", '{"schema": NaN}', "[" * 100_000, "\ud800",
        '{"schema": 1, "board": {"id": "usa", "data": {"a": ' + "[" * 100_000, "\x00",
        '{"a":' * 100_000, b'{"seed": "\xed\xa0\x80"}', "1" * 5000, "9" * (MAX_BYTES + 1),
    ],
    ids=lambda text: repr(text[:40]),
)  # fmt: skip
def test_what_is_no_record_is_told(text: str | bytes) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


def test_a_record_never_makes_us_open_a_file_that_it_names(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(MAP_FILE.read_text(encoding="utf-8"), encoding="utf-8")
    state = cut("new_york", 2, 1, 9)
    record = json.loads(state.record().to_json())
    record["board"]["id"] = str(file)
    with pytest.raises(RecordError):
        replay(Record.from_json(json.dumps(record)))
    with pytest.raises(TOLD):
        read_game(write_game(state).replace("board new_york", f"board {file}"))


WORDS = st.text(max_size=5) | st.sampled_from(["usa", "draw", "CardDrawn", "pass"])
NUMBERS = st.integers() | st.integers(-3, 99) | st.sampled_from([10**20, 1.5])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | WORDS | NUMBERS,
    lambda part: st.lists(part, max_size=3) | st.dictionaries(WORDS, part, max_size=3),
    max_leaves=4,
)


def replaced(data: Any, steps: list[int], value: object) -> Any:
    """The data with one part, found by walking down, replaced."""
    if not steps or not isinstance(data, (dict, list)) or not data:
        return value
    keys: list[Any] = list(data) if isinstance(data, dict) else list(range(len(data)))
    key = keys[steps[0] % len(keys)]
    data[key] = replaced(data[key], steps[1:], value)
    return data


@pytest.mark.parametrize("board", ["iberia", "south_korea", "nordic", "europe"])
def test_any_part_of_a_record_may_be_anything(board: str) -> None:
    @settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(st.integers(0, 10**6), min_size=1, max_size=4), JSON_VALUES)
    def mutate(steps: list[int], value: object) -> None:
        text = json.dumps(replaced(json.loads(sound(board)), steps, value))
        with promptly(5):
            read_all(text)

    mutate()


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 40), st.binary(max_size=12))
def test_any_bytes_of_a_record_may_be_damaged(at: int, length: int, new: bytes) -> None:
    good = sound("new_york").encode()
    at %= len(good)
    with promptly(5):
        read_all(good[:at] + new + good[at + length :])


@settings(max_examples=200)
@given(st.integers(0, 10**6), st.integers(0, 30), st.text(max_size=12))
def test_any_letters_of_a_game_in_the_notation_may_be_damaged(
    at: int, length: int, new: str
) -> None:
    good = write_game(cut("new_york", 2, 4, 60))
    at %= len(good)
    with contextlib.suppress(*TOLD):
        read_game(good[:at] + new + good[at + length :], game_of("new_york", 2))


@pytest.mark.parametrize(
    "edit",
    [
        ("branchline 1", "branchline 2"), ("branchline 1", ""), ("board new_york", "board mu"),
        ("seats 2", "seats two"), ("seats 2", "seats ²"), ("seats 2", "seats 9"), ("seats 2", ""),
        ("seats 2", "seats " + "9" * 5000), ("seed 4", "seed"), ("seed 4", "seed 5"),
        ("seed 4", "seed \ud800"), ("seed 4", "first ²\nseed 4"), ("seed 4", "first 9\nseed 4"),
        ("\n0 ", "\n² "), ("\n0 ", "\n" + "9" * 5000 + " "), ("\n0 ", "\n" + "9" * 30 + " "),
        ("\n0 ", "\n-1 "), ("\n0 ", "\nzero "), ("opening", "closing"), ("hash ", "hash 0"),
        ("keep 1", "keep 7"), ("\n", "\n; a comment\n" * 100_001),
    ],
    ids=lambda edit: repr(edit[1][:16]),
)  # fmt: skip
def test_a_damaged_game_in_the_notation_is_told(edit: tuple[str, str]) -> None:
    good = write_game(cut("new_york", 2, 4, 60))
    assert edit[0] in good
    with pytest.raises(TOLD):
        read_game(good.replace(edit[0], edit[1], 1))


@given(st.integers(0, 10**6), st.binary(max_size=6), st.integers(0, 6))
def test_a_damaged_packed_state_is_told_or_is_a_state(at: int, new: bytes, length: int) -> None:
    game = game_of("nordic", 2)
    good = cut("nordic", 2, 4, 60).to_bytes()
    at %= len(good)
    with contextlib.suppress(StateError):
        game.unpack(good[:at] + new + good[at + length :])
    for other in (game_of("nordic", 3), game_of("usa", 2)):
        with pytest.raises(StateError):
            other.unpack(good)


# --- records of earlier versions ----------------------------------------------------------------

OLD = sorted((Path(__file__).parent / "old_records").glob("*.json.gz"))


def old_record(path: Path) -> Record:
    return Record.from_json(gzip.decompress(path.read_bytes()))


def test_there_is_an_old_record_of_every_board() -> None:
    assert {old_record(path).board.id for path in OLD} == set(builtin_boards())


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_a_record_made_under_earlier_rules_is_shown_by_its_events(path: Path) -> None:
    record = old_record(path)
    assert record.engine != __version__
    assert record.result is not None
    assert replay_events(record).outcome.scores == record.result.scores
    shown = playback(record)
    assert shown.last == len(record.actions)
    told = [e for events in shown.events for e in events]
    assert [(e.kind.name, e.seat, e.numbers) for e in told] == record.events
    turns, empty = 0, 0
    for number, state in enumerate(shown.positions()):
        if number < shown.last:
            seat = shown.moves[number][0]
            assert seat in state.to_act, number
        empty += not shown.events[number]
        turns += sum(e.kind.name == "TurnBegan" for e in shown.events[number])
    assert empty == 0
    assert state.over
    assert turns == state.d[state.t.turns]
    assert shown.outcome(state).winners == record.result.winners


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name.removesuffix(".json.gz"))
def test_a_record_made_under_earlier_rules_says_why_it_cannot_be_played_again(path: Path) -> None:
    record = old_record(path)
    with pytest.raises(RecordError) as caught:
        replay(record)
    assert caught.value.code == "other_rules"
    assert record.engine in describe_error(caught.value, "fr")
    checked = verify(record)
    assert checked.other_rules
    assert record.engine in checked.lines("en")[-1]


def test_a_text_written_under_earlier_rules_says_why_it_cannot_be_read() -> None:
    record = old_record(OLD[0])
    text = f"""branchline 1
engine {record.engine}
board {record.board.id} {record.board.digest[:16]}
seats {record.seats}
seed {record.seed}
"""
    with pytest.raises(RecordError) as caught:
        read_game(text)
    assert caught.value.code == "other_rules_text"


@pytest.mark.parametrize(("board", "seats"), [("iberia", 3), ("nordic", 2), ("south_korea", 4)])
def test_by_its_events_alone_a_game_is_parted_into_the_same_moves(board: str, seats: int) -> None:
    state = finished(board, seats, 5, "saver")
    for moves in (0, 1, 40, len(state.moves or ())):
        compare_playbacks(rewind(state, moves).record())


def compare_playbacks(record: Record) -> None:
    """By its actions and by its events alone."""
    exact = playback(record)
    again = playback(msgspec.structs.replace(record, engine="of another version"))
    assert [len(events) for events in again.events] == [len(events) for events in exact.events]


def test_a_board_written_for_version_0_1_is_still_read() -> None:
    board = load_board("usa")
    source = json.loads(json.dumps(board.source))
    (reset,) = [rule for rule in source["rules"] if rule["rule"] == "locomotive_reset"]
    reset["limit"] = 3
    old = board_from_data(source, "old")
    assert check_rules(old) == []
    assert Game(old, 2).start(1).legal(0)
