"""Verifying records: every change that anyone could make is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from branchline import Game, Record
from branchline.core.catalogue import LANGUAGES
from branchline.engine.errors import BranchlineError
from branchline.engine.verify import CHECKS, commitment_of, verify, verify_lines
from golden_games import TABLES, cut

PROMISED = 100_000


@cache
def promised(board: str = "new_york", moves: int = PROMISED) -> str:
    """A record with a commitment, as a server gives it out."""
    record = cut(board, 2, 5, moves).record()
    return msgspec.structs.replace(record, commitment=commitment_of(record.seed)).to_json()


def nth(data: dict[str, Any], name: str) -> list[Any]:
    found: list[list[Any]] = [event for event in data["events"] if event[0] == name]
    return found[len(found) // 2]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_a_true_record_of_any_table_is_sound(board: str, seats: int) -> None:
    for moves in (0, 30, 100_000):
        record = cut(board, seats, 3, moves).record()
        verification = verify(record)
        assert verification.ok, verification.checks
        assert [check.code for check in verification.checks] == list(CHECKS)
        assert {check.status for check in verification.checks} == {"ok", "skipped"}


def test_the_promise_is_the_hash_of_the_seeds_text() -> None:
    assert commitment_of("abc").startswith("ba7816bf8f01cfea")
    record = Record.from_json(promised())
    assert record.commitment == commitment_of(record.seed)
    assert [check.status for check in verify(record).checks] == ["ok"] * len(CHECKS)


def test_a_record_without_a_promise_reads_and_writes_as_before() -> None:
    record = cut("new_york", 2, 5, 30).record()
    assert "commitment" not in record.to_json()
    assert Record.from_json(promised()).to_json() == promised()


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], set[str]]] = {
    "another seed": (lambda d: d.update(seed=d["seed"] + "1"), {"commitment"}),
    "another promise": (lambda d: d.update(commitment="0" * 64), {"commitment"}),
    "an empty promise": (lambda d: d.update(commitment=""), {"commitment"}),
    "a strange promise": (lambda d: d.update(commitment="é"), {"commitment"}),
    "an event changed": (lambda d: nth(d, "RouteClaimed")[2].__setitem__(0, 3), {"events"}),
    "a card changed": (lambda d: nth(d, "CardDrawn")[2].__setitem__(0, 8), {"events"}),
    "an event of another seat": (lambda d: nth(d, "CardDrawn").__setitem__(1, -1), {"events"}),
    "an event missing": (lambda d: d["events"].remove(nth(d, "CardTaken")), {"events"}),
    "the last event missing": (lambda d: d["events"].pop(), {"events"}),
    "an event more": (lambda d: d["events"].append(d["events"][-1]), {"events"}),
    "an unknown event": (lambda d: d["events"].insert(9, ["Flood", 0, []]), {"events", "rebuilt"}),
    "no events": (lambda d: d.update(events=[]), {"events", "rebuilt"}),
    "an action missing": (lambda d: d["actions"].pop(), {"events", "hash", "result"}),
    "an action more": (lambda d: d["actions"].append(d["actions"][-1]), {"actions"}),
    "an action of another seat": (lambda d: d["actions"].insert(9, [1, "draw"]), {"actions"}),
    "an action that is none": (lambda d: d["actions"].insert(9, [0, "fly"]), {"actions"}),
    "another first seat": (lambda d: d.update(first=1 - d.get("first", 0)), set()),
    "more seats": (lambda d: d.update(seats=3), set()),
    "too many seats": (lambda d: d.update(seats=8), {"board"}),
    "another position": (lambda d: d.update(hash="0" * 16), {"hash"}),
    "more points": (lambda d: d["result"]["scores"].__setitem__(0, 999), {"result"}),
    "another winner": (lambda d: d["result"].update(winners=[0, 1]), {"result"}),
    "no winner": (lambda d: d["result"].update(winners=[]), {"result"}),
    "no result": (lambda d: d.pop("result"), {"result"}),
    "another board": (lambda d: d["board"].update(digest="0" * 16), {"board"}),
    "an unknown board": (lambda d: d["board"].update(id="atlantis"), {"board"}),
    "another seed, without the promise": (
        lambda d: (d.update(seed=d["seed"] + "1"), d.pop("commitment")),
        set(),
    ),
    "no seed": (lambda d: (d.update(seed=""), d.pop("commitment")), set()),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_changed_record_is_found(what: str) -> None:
    edit, expected = EDITS[what]
    data = json.loads(promised())
    edit(data)
    verification = verify(Record.from_json(json.dumps(data)))
    assert not verification.ok, verification.checks
    assert expected <= set(verification.failed), verification.checks
    assert [check.code for check in verification.checks] == list(CHECKS)


def test_an_action_changed_for_another_legal_one_is_found() -> None:
    state = cut("new_york", 2, 5, 20)
    seat, last = state.to_act[0], state.clone()
    one, other = state.legal(seat)[:2]
    state.apply(seat, one)
    last.moves, last.seed, last.first = list(state.moves or [])[:-1], state.seed, state.first
    last.apply(seat, other)
    true, changed = state.record(), last.record()
    mixed = msgspec.structs.replace(true, actions=changed.actions)
    assert "events" in verify(mixed).failed
    assert verify(true).ok
    assert verify(changed).ok


def test_a_result_claimed_before_the_end_is_found() -> None:
    state = cut("new_york", 2, 5, 30)
    data = json.loads(state.record().to_json())
    data["result"] = {"scores": state.outcome.scores, "winners": state.outcome.winners}
    assert verify(Record.from_json(json.dumps(data))).failed == ["result"]


def test_only_the_changed_thing_is_blamed() -> None:
    data = json.loads(promised())
    data["hash"] = "0" * 16
    assert verify(Record.from_json(json.dumps(data))).failed == ["hash"]
    data = json.loads(promised())
    data["result"]["scores"][0] += 1
    assert verify(Record.from_json(json.dumps(data))).failed == ["result"]


def test_the_position_is_compared_within_one_version_only() -> None:
    data = json.loads(promised())
    data.update(engine="0.0.1", hash="0" * 16)
    verification = verify(Record.from_json(json.dumps(data)))
    assert verification.ok
    assert [c.code for c in verification.checks if c.status == "skipped"] == ["hash"]


def test_the_first_wrong_event_and_action_are_named() -> None:
    data = json.loads(promised())
    data["events"][40] = data["events"][41]
    found = {c.code: c.at for c in verify(Record.from_json(json.dumps(data))).checks}
    assert found["events"] == 41
    data = json.loads(promised())
    data["actions"][10] = [0, "fly"]
    found = {c.code: c.at for c in verify(Record.from_json(json.dumps(data))).checks}
    assert found["actions"] == 11


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_findings_are_told_in_both_languages(lang: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(promised(), encoding="utf-8-sig")
    for source in (file, str(file), promised().encode()):
        lines, ok = verify_lines(source, lang)
        assert ok
        assert len(lines) == 2 + len(CHECKS)
    verdicts = {verify_lines(file, lang)[0][-1]}
    for edit, _ in EDITS.values():
        data = json.loads(promised())
        edit(data)
        lines, ok = verify_lines(json.dumps(data).encode(), lang)
        assert not ok
        verdicts.add(lines[-1])
    lines, ok = verify_lines(cut("new_york", 2, 5, 30).record().to_json().encode(), lang)
    assert ok
    verdicts.add(lines[-1])
    assert len(verdicts) == 3


@pytest.mark.parametrize("content", [b"", b"branchline 1\nboard usa", b"\xff\xfe", b"{}", b'{"a"'])
def test_what_is_no_record_is_told(content: bytes) -> None:
    with pytest.raises(BranchlineError):
        verify_lines(content, "en")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BranchlineError, match="file_unreadable"):
        verify_lines(tmp_path / "nothing.json", "en")


def test_a_promise_noted_down_at_the_start_is_believed_more_than_the_record() -> None:
    state = Game("new_york", seats=2).start(seed="a long and random seed")
    record = msgspec.structs.replace(
        state.record(), commitment=commitment_of("a long and random seed")
    )
    content = record.to_json().encode()
    assert verify_lines(content, "en")[1]
    assert verify_lines(content, "en", commitment_of("a long and random seed"))[1]
    assert not verify_lines(content, "en", commitment_of("another"))[1]
