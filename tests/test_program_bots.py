"""Bots in other programs, over their standard input and output."""

from __future__ import annotations

import gc
import json
import shlex
import sys
from pathlib import Path

import pytest

from branchline import Game
from branchline.bots import BotFault, CheckedBot, make_bot
from branchline.bots.conformance import check_bot
from branchline.bots.program import NoProgram, ProgramBot
from branchline.bots.registry import bot_title, is_own, split_bots
from branchline.bots.session import play
from branchline.cli import run as run_command

EXAMPLE = Path(__file__).parents[1] / "examples" / "program_bot.py"
HERE = shlex.quote(sys.executable)
SPEC = f"program:{HERE} {shlex.quote(str(EXAMPLE))}"


def written(folder: Path, body: str) -> str:
    """The spec of a program that answers `start` and then does what `body` says."""
    path = folder / "bot.py"
    path.write_text(
        "import json, sys, time\n"
        "def say(**answer): print(json.dumps(answer), flush=True)\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'start':\n"
        "        say(id=m['id'])\n"
        "    elif m['type'] == 'decide':\n"
        f"        {body}\n",
        "utf-8",
    )
    return f"program:{HERE} {shlex.quote(str(path))}"


def test_the_example_keeps_the_promises_of_a_bot() -> None:
    assert "import branchline" not in EXAMPLE.read_text("utf-8")
    assert check_bot(SPEC, games=1, seconds=20.0, boards=["new_york"]) == []


def test_a_program_plays_many_games_one_after_the_other() -> None:
    game = Game("new_york", seats=2)
    bot = make_bot(SPEC)
    assert isinstance(bot, ProgramBot)
    bot.start(game, 0, 0)
    assert bot.program is not None
    process = bot.program.process
    for seed in range(3):
        state = game.start(seed)
        play(state, [bot, make_bot("random")], [seed, seed], seconds=20.0)
        assert state.over
        assert bot.program.process is process
    assert bot.processor_seconds() > 0 or not Path("/proc/self/stat").exists()
    bot.close()
    assert process.poll() == 0, "it ends when its input does"


def test_a_program_is_ended_with_its_bot(tmp_path: Path) -> None:
    """Also one that does not care that its input is closed."""
    deaf = "say(id=m['id'], action=m['actions'][0]['number']); time.sleep(600)"
    for spec in (SPEC, written(tmp_path, deaf)):
        game = Game("new_york", 2)
        bot = ProgramBot(spec.removeprefix("program:"))
        bot.start(game, 0, 1)
        bot.decide(game.start(1).view(0), 20.0)
        assert bot.program is not None
        process = bot.program.process
        assert process.poll() is None
        del bot
        gc.collect()
        assert process.poll() is not None


def test_what_a_program_is_told(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    path = tmp_path / "bot.py"
    path.write_text(
        "import json, sys\n"
        f"notes = open({str(notes)!r}, 'w')\n"
        "for line in sys.stdin:\n"
        "    notes.write(line); notes.flush()\n"
        "    m = json.loads(line)\n"
        "    if 'id' in m:\n"
        "        action = m['view']['actions'][0] if 'view' in m else 0\n"
        "        print(json.dumps({'id': m['id'], 'action': action}), flush=True)\n",
        "utf-8",
    )
    game = Game("nordic", seats=2)
    state = game.start(4)
    bot = make_bot(f"program:{HERE} {shlex.quote(str(path))}")
    views = []
    bot.start(game, 1, "a seed")
    for _ in range(30):
        seat = state.to_act[0]
        view = state.view(seat)
        action = view.actions[0]
        if seat == 1:
            views.append(view)
            assert bot.decide(view, 20.0) == action
        state.apply(seat, action)
    bot.finish(state.view(1))
    bot.close()  # type: ignore[attr-defined]
    start, *decisions, last = [json.loads(line) for line in notes.read_text("utf-8").splitlines()]
    assert (start["type"], start["protocol"], start["seat"], start["seats"]) == ("start", 1, 1, 2)
    assert start["seed"] == "a seed"
    board = start["board"]
    assert len(board["routes"]) == len(game.board.routes)
    assert board["tickets"][3]["points"] == game.board.tickets[3].points
    assert {"rule": "tunnels", "reveal": 3} in board["rules"]
    assert last == {"type": "finish", "view": state.view(1).to_dict()}
    assert len(decisions) == len(views)
    for told, view in zip(decisions, views, strict=True):
        assert told["view"] == view.to_dict()
        assert told["phase"] == view.phase
        assert [a["number"] for a in told["actions"]] == view.actions
        for action in told["actions"]:
            facts = view.action(action["number"])
            assert (action["kind"], action["text"]) == (facts.kind, facts.notation)
            assert facts.values.items() <= action.items()


FAULTS = [
    ("sys.exit('no more ideas')", "program_died", "no more ideas"),
    ("print('hello', flush=True)", "program_rubbish", "hello"),
    ("say(action=1)", "program_rubbish", "action"),
    ("say(id=m['id'], action='draw')", "program_rubbish", "draw"),
    ("say(id=m['id'], action=True)", "program_rubbish", "true"),
    ("say(id=m['id'], action=99999)", "bot_illegal", "99999"),
    ("time.sleep(60)", "program_late", "0.7"),
]


@pytest.mark.parametrize(("body", "code", "detail"), FAULTS)
def test_a_program_that_fails_is_named_with_what_it_did(
    tmp_path: Path, body: str, code: str, detail: str
) -> None:
    game = Game("new_york", 2)
    bot = CheckedBot(spec := written(tmp_path, body))
    bot.start(game, 0, 1)
    seconds = 0.2 if code == "program_late" else 20.0
    with pytest.raises(BotFault) as caught:
        bot.decide(game.start(1).view(0), seconds)
    fault = caught.value
    assert (fault.code, fault.bot, fault.own, fault.at) == (code, spec, False, "opening_tickets")
    assert detail in fault.detail
    bot.bot.close()


def test_after_a_late_answer_the_next_one_counts(tmp_path: Path) -> None:
    body = "time.sleep(1.5 if m['seconds'] < 1 else 0)"
    body += "; say(id=m['id'], action=m['actions'][0]['number'])"
    game = Game("new_york", 2)
    bot = ProgramBot(written(tmp_path, body).removeprefix("program:"))
    state = game.start(1)
    bot.start(game, 0, 1)
    with pytest.raises(BotFault, match="program_late"):
        bot.decide(state.view(0), 0.1)
    state.apply(0, state.legal(0)[1])
    assert bot.decide(state.view(1), 20.0) == state.legal(1)[0]
    bot.close()


def test_a_program_that_has_ended_is_started_again(tmp_path: Path) -> None:
    body = "say(id=m['id'], action=m['actions'][0]['number']); sys.exit()"
    game = Game("new_york", 2)
    bot = ProgramBot(written(tmp_path, body).removeprefix("program:"))
    state = game.start(1)
    bot.start(game, 0, 1)
    assert bot.decide(state.view(0), 20.0) == state.legal(0)[0]
    assert bot.program is not None
    bot.program.process.wait()
    assert bot.decide(state.view(0), 20.0) == state.legal(0)[0]
    bot.close()


def test_programs_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert bot_title("program:bots/mine --depth=3") == "mine --depth=3"
    assert split_bots("program:./mine --depth=3, random") == ["program:./mine --depth=3", "random"]
    assert not is_own("program:random")
    for wrong in ("program:", "program:./nothing here", "program:'"):
        with pytest.raises(NoProgram, match="no_program"):
            make_bot(wrong)
    assert run_command(["arena", "program:./nothing", "random", "--blocks", "1"]) == 2
    assert "./nothing" in capsys.readouterr().err


def test_programs_play_in_the_arena(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--map", "new_york", "--blocks", "1", "--processes", "1", "--seconds", "20"]
    assert run_command(["arena", SPEC, "random", *options]) == 0
    assert "program_bot.py" in capsys.readouterr().out
    assert run_command(["arena", f"program:{HERE} -c pass", "random", *options]) == 1
    assert "has ended" in capsys.readouterr().err
