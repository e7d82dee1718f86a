"""Verifying a record: was the seed the promised one, and does everything follow from it?

A server publishes the SHA-256 of the seed before the first card. When the game is over and the
seed is known, anyone can play the recorded actions again from that seed and compare every card,
every event and every point with what the record says. If the seed was drawn with the players, that
is checked, too. The texts are `serve.verify.…`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import msgspec

from branchline._version import VERSION
from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError, RecordError
from branchline.engine.game import Game
from branchline.engine.notation import parse_action
from branchline.engine.record import (
    IMPOSSIBLE,
    MAX_BYTES,
    Record,
    SeedDraw,
    rebuild,
    rows,
    text_of,
)
from branchline.engine.seed_draw import drawn_seed, seat_promise, server_promise
from branchline.engine.state import State

OK: Final = "ok"
FAILED: Final = "failed"
SKIPPED: Final = "skipped"
BROKEN: Final = (BranchlineError, *IMPOSSIBLE)
CHECKS: Final = ("board", "commitment", "actions", "events", "hash", "result", "rebuilt")


class Check:
    """One question about a record: `status` is ok, failed, or skipped if it can't be asked.

    `at` is where something is wrong: the number of an action or event, from 1; else 0.
    """

    def __init__(self, code: str, status: str, at: int = 0) -> None:
        self.code: Final = code
        self.status: Final = status
        self.at: Final = at

    def text(self, lang: str) -> str:
        """The finding as a sentence."""
        cannot_begin = self.code == "actions" and self.status == FAILED and self.at == 0
        finding = "unplayable" if cannot_begin else self.status
        return say(f"serve.verify.{self.code}.{finding}", lang, at=self.at)

    def __repr__(self) -> str:
        return f"Check({self.code}: {self.status}{f' at {self.at}' if self.at else ''})"


class Verification:
    """Every check of a record, in the order of `CHECKS`; `draw` is third if the seed was drawn."""

    def __init__(self, record: Record, checks: list[Check]) -> None:
        self.record: Final = record
        self.checks: Final = checks

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong. What could not be asked is not wrong."""
        return all(check.status != FAILED for check in self.checks)

    @property
    def other_rules(self) -> bool:
        """Whether it fails, but was made by another version, whose rules may have been others."""
        own = {"board", "commitment", "draw"}.isdisjoint(self.failed)
        return own and not self.ok and self.record.engine != VERSION

    @property
    def failed(self) -> list[str]:
        """The codes of the checks that failed."""
        return [check.code for check in self.checks if check.status == FAILED]

    def lines(self, lang: str) -> list[str]:
        """The findings, one a line, and a verdict."""
        record = self.record
        found = [
            say(
                "serve.verify.game",
                lang,
                board=record.board.id,
                seats=record.seats,
                n=len(record.actions),
                seed=record.seed,
            )
        ]
        for check in self.checks:
            mark = say(f"serve.verify.mark.{check.status}", lang)
            found.append(say("serve.verify.line", lang, mark=mark, text=check.text(lang)))
        if record.draw is not None and record.draw.withheld:
            found.append(say("serve.verify.withheld", lang, n=len(record.draw.withheld)))
        promised = record.commitment is not None
        verdict = "wrong" if not self.ok else "sound" if promised else "consistent"
        if self.other_rules:
            verdict = "other_rules"
        found.append(say(f"serve.verify.{verdict}", lang, engine=record.engine[:20]))
        return found


def commitment_of(seed: str) -> str:
    """What is published of a seed before the game.

    The seed has to be long and random, or it could be found by trying.

    >>> commitment_of("7")[:8]
    '7902699b'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def verify(record: Record) -> Verification:
    """Play a record again and compare everything that it says; never raises.

    >>> import branchline
    >>> state = branchline.Game("usa", seats=2).start(seed=7)
    >>> verify(state.record()).ok
    True
    """
    checks = [Check("board", OK), _promise(record)]
    if record.draw is not None:
        checks.append(_draw(record, record.draw))
    try:
        game = record.game()
    except BROKEN:
        checks[0] = Check("board", FAILED)
        checks += [Check(code, SKIPPED) for code in CHECKS[2:]]
        return Verification(record, checks)

    played, wrong = _played(record, game)
    if played is None:
        checks.append(Check("actions", FAILED, wrong))
        checks += [Check(code, SKIPPED) for code in CHECKS[3:]]
        return Verification(record, checks)
    checks.append(Check("actions", OK))
    differs = _first_difference(record, played)
    checks.append(Check("events", FAILED if differs else OK, differs))
    checks.append(_position(record, played))
    checks.append(Check("result", OK if _result_fits(record, played) else FAILED))
    checks.append(Check("rebuilt", OK if _rebuilds(record, game, played) else FAILED))
    return Verification(record, checks)


def verify_lines(
    source: str | Path | bytes, lang: str, promised: str | None = None
) -> tuple[list[str], bool]:
    """The findings about a record, given as a file's name or as its content, and the verdict.

    `promised` is the commitment as someone has noted it down when the game began.

    Raises `BranchlineError` if there is no record to be read.
    """
    text = text_of(source if isinstance(source, bytes) else _content(source))
    if not text.lstrip().startswith("{"):
        raise RecordError("not_a_record")
    record = Record.from_json(text)
    if promised is not None:
        record = msgspec.structs.replace(record, commitment=promised)
    verification = verify(record)
    return verification.lines(lang), verification.ok


def _promise(record: Record) -> Check:
    if record.commitment is None:
        return Check("commitment", SKIPPED)
    try:
        same = commitment_of(record.seed) == record.commitment.lower()
    except UnicodeEncodeError:
        same = False
    return Check("commitment", OK if same else FAILED)


def _draw(record: Record, draw: SeedDraw) -> Check:
    """Does the seed follow from all parts, and is each part what was promised?

    Skipped if no player has put one in: then there is nothing that the server could not know.
    """
    nonces = {k: nonce for k, nonce in enumerate(draw.nonces) if nonce is not None}
    promises = {k: promise for k, promise in enumerate(draw.promises) if promise is not None}
    try:
        kept = {k: seat_promise(draw.table, nonce) for k, nonce in nonces.items()}
        server = server_promise(draw.table, draw.round, draw.part)
        seed = drawn_seed(
            *(draw.table, record.board.digest, record.seats, record.first),
            *(draw.round, draw.part, nonces),
        )
    except UnicodeEncodeError:
        return Check("draw", FAILED)
    by_seat = len(draw.nonces) == len(draw.promises) == record.seats
    rounds = [lost.round for lost in draw.withheld] == list(range(1, draw.round))
    if not (by_seat and rounds and kept == promises and server == draw.server):
        return Check("draw", FAILED)
    return Check("draw", FAILED if seed != record.seed else OK if nonces else SKIPPED)


def _played(record: Record, game: Game) -> tuple[State | None, int]:
    """The game played again with a log; or None and the number of the action that can't be."""
    number = 0
    try:
        state = game.start(record.seed, record.first, log=True)
        for seat, text in record.actions:
            number += 1
            state.apply(seat, parse_action(game, text))
    except BROKEN:
        return None, number
    return state, 0


def _first_difference(record: Record, played: State) -> int:
    """The number of the first event that is not as it was; 0 if all are."""
    again = rows(played.events)
    for number, (ours, theirs) in enumerate(zip(again, record.events, strict=False), 1):
        if ours != theirs:
            return number
    return 0 if len(again) == len(record.events) else min(len(again), len(record.events)) + 1


def _position(record: Record, played: State) -> Check:
    # The hash covers the layout of the state, which another version may have changed.
    if record.engine != VERSION:
        return Check("hash", SKIPPED)
    return Check("hash", OK if played.hash() == record.hash else FAILED)


def _result_fits(record: Record, played: State) -> bool:
    if record.result is None:
        return not played.over
    outcome = played.outcome
    same = record.result.scores == outcome.scores and record.result.winners == outcome.winners
    return same and played.over


def _rebuilds(record: Record, game: Game, played: State) -> bool:
    try:
        return rebuild(record, game) == played
    except BROKEN:
        return False


def _content(path: str | Path) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BranchlineError("file_unreadable", {"path": path, "reason": reason}) from None
    if len(content) > MAX_BYTES:
        raise BranchlineError("file_too_large", {"path": path, "most": MAX_BYTES})
    return content
