"""`planner-1` never changes: strength is measured against it for years."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from branchline import Game, builtin_boards, load_board
from branchline._plain import compiled
from branchline.bots import BotError, BotFault, make_bot, seat_bot
from branchline.bots.board_data import DEFAULT, board_table, planner_weights, tables
from branchline.bots.session import Session
from branchline.bots.style import checked_weights

# Made with the planner of Branchline 0.2.0, before it had versions. Never renew them to please a
# change of the planner. A change of a board or its rules may: old results then no longer compare.
DECISIONS = {
    "iberia": "81b26e3a95a7fa0d",
    "south_korea": "865c81a4b488842c",
    "new_york": "58f392ccfb2c5235",
    "nordic": "ba4045b5e7f775b1",
    "usa": "ee6883f992e1f0bb",
    "europe": "1aed061f4f45cb3c",
}
# As plain Python the other boards take minutes; the compiled run does all of them.
BOARDS = [board for board in DECISIONS if compiled() or board == "new_york"]


def decisions(spec: str, board: str, seats: int) -> list[str]:
    """What a bot decides: all moves of a game among itself, then its answers in a random game."""
    game = Game(board, seats)
    said = []
    for rivals in (spec, "random"):
        state = game.start(f"planner-1/{seats}")
        bots = [Session(make_bot(spec), game, seat, f"{seats}/{seat}") for seat in range(seats)]
        moves = [Session(make_bot(rivals), game, seat, f"{seats}/{seat}") for seat in range(seats)]
        while not state.over:
            seat = state.to_act[0]
            view = state.view(seat)
            answer = bots[seat].decide(view, 1.0)
            said.append(f"{seat} {game.action_text(answer)}")
            state.apply(seat, answer if rivals == spec else moves[seat].decide(view, 1.0))
    return said


def digest(spec: str, board: str) -> str:
    found = load_board(board)
    said = [
        f"{seats} {line}"
        for seats in range(found.seats_min, found.seats_max + 1)
        for line in decisions(spec, board, seats)
    ]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]


@pytest.mark.parametrize("board", BOARDS)
def test_planner_1_decides_as_it_always_did(board: str) -> None:
    assert digest("planner-1", board) == DECISIONS[board], (
        f"planner-1 plays differently on {board}. It is the yardstick of all measurements: "
        "give what is new a weight whose value in version 1 changes nothing."
    )


def test_the_digest_tells_a_changed_player() -> None:
    assert digest("planner-1:card_value=0.5", "new_york") != DECISIONS["new_york"]


# --- weights kept with the boards ---------------------------------------------------------------


def use(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("BRANCHLINE_BOT_DATA", str(folder))


def test_a_planner_has_the_weights_of_its_board_and_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = decisions("planner-1", "new_york", 2)
    use(tmp_path, monkeypatch, new_york="[planner.2]\ncard_value = 0.5\n[value.2]\nsome = 1\n")
    assert decisions("planner", "new_york", 2) == decisions(
        "planner-1:card_value=0.5", "new_york", 2
    )
    assert decisions("planner:card_value=0.62", "new_york", 2) == before, "what is given counts"
    assert decisions("planner-1", "new_york", 2) == before, "a yardstick is the same everywhere"


def test_tables_are_found_by_board_then_by_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = "[planner.2]\ncard_value = 0.5\n[value.2]\nbias = 1.5\n"
    use(tmp_path, monkeypatch, mine=ours, _default="[planner.3]\nnoise = 1\n")
    assert planner_weights("mine", 2) == {"card_value": 0.5}
    assert planner_weights("mine", 3) == {"noise": 1}
    file = str(tmp_path / "mine.toml")
    assert board_table("value", "mine", 2) == (file, {"bias": 1.5})
    assert board_table("value", "mine", 3) == ("_default.toml", {})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[value.2]\nscale = 0", "[value.2]: Expected `float` > 0.0 - at `$.scale`"),
        ("[value.2]\nscale = nan", "scale"),
        ("[value.2]\nwin_share = 5", "win_share"),
        ("[value.2]\nturns = -1", "turns"),
        ("[value.2]\nturns = 6\nweights = [1.0]", "weights, not 1"),
        ("[value.2]\nscales = 25", "unknown field `scales`"),
        ("[value]\n2 = 3", "[value.2]"),
        ("value = 3", "[value.2]"),
        ("[search.2]\nwork_per_second = 0", "work_per_second"),
        ("[search.2]\nwork_per_second = inf", "work_per_second"),
        ("[search.2]\nracing = 1", "racing"),
        ("[planner.2]\nnoise = 'much'", "[planner.2]: noise=much"),
        ("[planner.2]\nwings = 2", "[planner.2]: wings"),
        ("[planner.2", "end of a table"),
    ],
)
def test_numbers_that_no_bot_can_use_are_refused_with_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, what: str
) -> None:
    use(tmp_path, monkeypatch, new_york=text)
    with pytest.raises(BotFault) as found:
        seat_bot("expert", Game("new_york", 2), 0, 1)
    assert (found.value.code, found.value.own) == ("bot_data", False)
    assert found.value.detail.startswith(str(tmp_path / "new_york.toml"))
    assert what in found.value.detail


@pytest.mark.parametrize("board", [*builtin_boards(), DEFAULT])
def test_the_weights_that_come_with_the_boards_are_weights(board: str) -> None:
    for seats, weights in tables("", board).get("planner", {}).items():
        assert 2 <= int(seats) <= 5
        assert set(checked_weights(weights)) == set(weights)


@pytest.mark.parametrize("text", ["wings=2", "noise=nan", "noise=inf", "noise=much", "noise=true"])
@pytest.mark.parametrize("name", ["planner", "planner-1"])
def test_a_planner_refuses_what_is_not_a_weight(name: str, text: str) -> None:
    with pytest.raises(BotError):
        make_bot(f"{name}:{text}")
