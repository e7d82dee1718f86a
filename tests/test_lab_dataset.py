"""Decisions as a dataset: what a seat knew, could do and did, and how its game ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import branchline
from branchline._version import VERSION
from branchline.bots import BotFault, CheckedBot, make_bot
from branchline.engine.encoding import Encoding
from branchline.lab.errors import GameFailed
from branchline.lab.records import RecordsFile
from branchline.lab.requests import simulation
from branchline.lab.simulate import dataset
from branchline.lab.simulate.play import run
from branchline.lab.simulate.results_folder import ResultsFolder
from branchline.lab.simulate.simulation import Simulation

parquet = pytest.importorskip("pyarrow.parquet")
np = pytest.importorskip("numpy")

NEW_YORK = "decisions-new_york-2.parquet"


def plan(bots: str, games: int, board: str = "new_york", seats: int | None = None) -> Simulation:
    return simulation(board, [], seats, bots, games, "d", 1.0, True, False, True)


def matrix(table: Any, name: str) -> Any:
    column = table[name].combine_chunks()
    return column.flatten().to_numpy().reshape(len(column), -1)


def legal(table: Any, actions: int) -> Any:
    bits = np.unpackbits(matrix(table, "legal"), axis=1, bitorder="little")
    assert not bits[:, actions:].any()
    return bits[:, :actions].astype(bool)


@pytest.mark.parametrize(
    ("board", "seats", "bots"),
    [
        ("new_york", 2, "planner,greedy"),
        ("iberia", 3, "paths,random,hungry"),
        ("south_korea", 2, "random,random"),  # plays in another way: nobody looks at views
        ("europe", 2, "long,planner:noise=1.0"),
    ],
)
def test_every_row_is_a_decision_of_its_game(
    tmp_path: Path, board: str, seats: int, bots: str
) -> None:
    run(plan(bots, 3, board, seats), "en", 1, str(tmp_path / "out"))
    table = parquet.read_table(tmp_path / "out" / f"decisions-{board}-{seats}.parquet")
    game = branchline.Game(board, seats)
    encoding = Encoding(game)
    rows, masks = matrix(table, "observation"), legal(table, game.actions)
    others = table.select(["game", "step", "seat", "action", "score", "margin", "win_share"])
    lines = iter(zip(rows, masks, others.to_pylist(), strict=True))
    with RecordsFile(tmp_path / "out" / "records.parquet") as games:
        for played in games:
            state = game.start(played.seed)
            moves = zip(played.actors.tolist(), played.actions.tolist(), strict=True)
            for step, (seat, action) in enumerate(moves):
                row, mask, line = next(lines)
                assert row.tolist() == encoding.row(state, seat)
                assert np.flatnonzero(mask).tolist() == sorted(state.legal(seat))
                rival = max(score for k, score in enumerate(played.scores) if k != seat)
                assert line == {
                    "game": played.number,
                    "step": step,
                    "seat": seat,
                    "action": action,
                    "score": played.scores[seat],
                    "margin": played.scores[seat] - rival,
                    "win_share": pytest.approx(
                        (seat in played.winners) / len(played.winners), abs=1e-6
                    ),
                }
                state.apply(seat, action)
            assert state.over
    assert next(lines, None) is None


def test_values_are_those_of_the_bot_for_its_legal_actions(tmp_path: Path) -> None:
    run(plan("planner-1,greedy", 5), "en", 1, str(tmp_path / "out"))
    table = parquet.read_table(tmp_path / "out" / NEW_YORK)
    values = matrix(table, "values")
    mask = legal(table, values.shape[1])
    planner = table["seat"].to_numpy() == 0
    assert np.isnan(values[~planner]).all(), "greedy has no values"
    assert (np.isnan(values) == ~mask)[planner].all()
    best = np.where(mask, values, -np.inf)[planner].max(axis=1)
    chosen = values[planner, table["action"].to_numpy()[planner]]
    assert (chosen == best).all(), "the planner takes the best"
    assert np.isneginf(values[planner]).any(), "what it rules out"


def test_the_planner_values_actions_in_their_order() -> None:
    planner = make_bot("planner")
    state = branchline.Game("iberia", seats=2).start(seed=5)
    planner.start(state.game, 0, 1)
    for _ in range(30):
        seat = state.to_act[0]
        view = state.view(seat)
        if seat == 0:
            action = planner.decide(view, 1.0)
            values = planner.values  # type: ignore[attr-defined]
            assert len(values) == len(view.actions)
            assert view.actions[values.index(max(values))] == action
        else:
            action = view.actions[0]
        state.apply(seat, action)


def test_the_metadata_explains_the_columns(tmp_path: Path) -> None:
    run(plan("planner,greedy", 2), "en", 1, str(tmp_path / "out"))
    schema = parquet.read_schema(tmp_path / "out" / NEW_YORK)
    about = json.loads(schema.metadata[dataset.METADATA.encode()])
    game = branchline.Game("new_york", seats=2)
    fields = Encoding(game).fields
    assert about["engine"] == VERSION
    assert about["board"]["digest"] == game.board.digest
    assert (about["seats"], about["bots"]) == (2, ["planner", "greedy"])
    assert about["observation"] == [
        {"name": f.name, "offset": f.offset, "size": f.size, "most": f.most, "code": f.code}
        for f in fields
    ]
    assert about["actions"] == [game.action_text(k) for k in range(game.actions)]
    assert schema.field("observation").type.list_size == sum(f.size for f in fields)
    assert schema.field("values").type.list_size == game.actions
    settings = json.loads(schema.metadata[b"branchline"])
    assert (settings["seed"], settings["decisions"]) == ("d", True)


def test_a_run_that_was_interrupted_writes_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "GROUP", 100)  # several row groups, filled by several parts
    whole = plan("planner,paths", 12)
    run(whole, "en", 2, str(tmp_path / "whole"))
    parts = ResultsFolder(str(tmp_path / "out"), whole)
    play = whole.begin()
    parts.add(0, [play(k) for k in range(5)])
    parts.add(9, [play(k) for k in range(9, 11)])
    run(whole, "en", 1, str(tmp_path / "out"))
    one, two = (tmp_path / folder / NEW_YORK for folder in ("out", "whole"))
    assert one.read_bytes() == two.read_bytes()
    facts = parquet.ParquetFile(one).metadata
    assert {facts.row_group(k).num_rows for k in range(facts.num_row_groups - 1)} == {100}


def test_every_line_up_has_a_file(tmp_path: Path) -> None:
    whole = simulation(None, [], None, "", 26, "d", 1.0, False, True, True)
    run(whole, "en", 1, str(tmp_path / "out"))
    found = {path.name for path in (tmp_path / "out").glob("decisions-*")}
    assert found == {dataset.dataset_name(line_up) for line_up in whole.line_ups}


BOT = """
class Counting:
    def start(self, game, seat, seed): pass
    def decide(self, view, seconds):
        self.values = [1.0]
        return view.actions[0]
    def finish(self, view): pass
"""


def test_a_bot_that_miscounts_its_values_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "miscounting_bot.py").write_text(BOT)
    monkeypatch.syspath_prepend(tmp_path)
    bot = CheckedBot("miscounting_bot:Counting")
    view = branchline.Game("usa", seats=2).start(seed=1).view(0)
    bot.start(view.game, 0, 1)
    assert bot.values(1) is None
    bot.decide(view, 1.0)
    assert bot.values(1) == [1.0]
    with pytest.raises(BotFault, match="1 values for 3 actions"):
        bot.values(3)
    with pytest.raises(GameFailed, match="miscounting_bot"):
        run(plan("miscounting_bot:Counting,random", 1), "en", 1, str(tmp_path / "out"))
