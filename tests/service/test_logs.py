"""Logs: lines with facts, as text or JSON; no secret gets into them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator

import pytest

from branchline.service.access.keys import new_secret
from branchline.service.operations.logs import HIDDEN, redact, set_up_logs

LOGGERS = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "httpx", "httpcore",
           "asyncio", "websockets", "aiohttp")  # fmt: skip
log = logging.getLogger("branchline.test")


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """The loggers as they were before."""
    kept = [
        (logger, logger.level, logger.handlers[:], logger.filters[:], logger.propagate)
        for logger in map(logging.getLogger, LOGGERS)
    ]
    yield
    for logger, level, handlers, filters, propagate in kept:
        logger.setLevel(level)
        logger.handlers[:] = handlers
        logger.filters[:] = filters
        logger.propagate = propagate


def lines(write: Callable[[], object], level: str = "info", style: str = "text") -> list[str]:
    stream = io.StringIO()
    set_up_logs(level, style, stream)
    write()
    return stream.getvalue().splitlines()


def test_a_line_of_text_has_everything() -> None:
    facts = {"table": "abc", "seats": 3, "who": "Ann B"}
    (line,) = lines(lambda: log.info("table %s", "made", extra=facts))
    assert line.endswith('info    branchline.test: table made table=abc seats=3 who="Ann B"')
    assert line[10] == "T"
    assert line.split()[0].endswith("Z")


def test_a_line_of_json_has_everything() -> None:
    (line,) = lines(lambda: log.warning("späť", extra={"table": "abc", "n": 3}), style="json")
    entry = json.loads(line)
    assert entry.pop("time").endswith("Z")
    assert entry == {
        "level": "warning", "logger": "branchline.test", "message": "späť", "table": "abc", "n": 3
    }  # fmt: skip


def fail() -> None:
    try:
        raise ValueError("token=abc123")
    except ValueError:
        log.exception("failed")


def test_a_traceback_stays_in_its_entry_and_is_clean() -> None:
    (line,) = lines(fail, style="json")
    trace = json.loads(line)["trace"]
    assert "ValueError" in trace
    assert "abc123" not in trace
    text = "\n".join(lines(fail))
    assert "ValueError" in text
    assert "abc123" not in text


def test_a_message_cannot_pass_for_two() -> None:
    assert len(lines(lambda: log.info("a\nb\r\nc", extra={"x": "d\ne"}))) == 1
    assert len(lines(lambda: log.info("a\nb", extra={"x": "d\ne"}), style="json")) == 1


SECRET = new_secret()


@pytest.mark.parametrize("style", ["text", "json"])
@pytest.mark.parametrize(
    "write",
    [
        lambda: log.info("cookie branchline=%s; x", SECRET),
        lambda: log.info("%s", SECRET),
        lambda: log.info("headers %r", {"cookie": f"branchline={SECRET}"}),
        lambda: log.info("headers %r", [(b"cookie", f"branchline={SECRET}".encode())]),
        lambda: log.info("/api/x?token=%s&lang=fr", SECRET),
        lambda: log.info("hello", extra={"token": SECRET}),
        lambda: log.info("hello", extra={"facts": {"seat_token": SECRET, "more": [SECRET]}}),
        lambda: log.info("hello", extra={"set_cookie": SECRET}),
        lambda: log.info("%(seed)s", {"seed": SECRET}),
    ],
)
def test_keys_and_tokens_are_hidden(write: Callable[[], object], style: str) -> None:
    (line,) = lines(write, style=style)
    assert SECRET not in line
    assert SECRET[:20] not in line
    assert HIDDEN in line


@pytest.mark.parametrize(
    "text",
    [
        "seed=12345", "seed: 12345", '{"seed": "12345"}', "{'seed': '12345'}", "seed 12345",
        "Seed=12345,", "postgresql://me:12345@db/x", "Authorization: Bearer 12345678912345",
        "Authorization: vapid t=12345abcdefgh,k=x", "password=12345", '"p256dh":"12345"',
        "private_key=12345", "endpoint: https://push.example/12345",
        "Cookie: branchline=12345", "token = 12345",
    ],
)  # fmt: skip
def test_secrets_are_known_by_their_names(text: str) -> None:
    assert "12345" not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "table abcdefghjkm made", "GET /api/tables/abcdefghjkm 200", "seats: 3, seeded",
        "https://play.example.org/api", "KeyError: 'x'", "basic rules hold",
        "0" * 64 + " is a hash", "monkey=1",
    ],
)  # fmt: skip
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def access(status: int) -> None:
    form = '%s - "%s %s HTTP/%s" %d'
    logger = logging.getLogger("uvicorn.access")
    logger.info(form, "192.0.2.1:1", "GET", "/x?token=abc", "1.1", status)


def test_requests_are_logged_if_they_failed_through_our_fault() -> None:
    assert not lines(lambda: access(200))
    assert not lines(lambda: access(404))
    (line,) = lines(lambda: access(500))
    assert "uvicorn.access" in line
    assert "abc" not in line
    assert len(lines(lambda: access(200), level="debug")) == 1


def test_whoever_is_refused_a_socket_does_not_fill_the_log() -> None:
    logger = logging.getLogger("uvicorn.error")
    message = "ASGI callable returned without completing handshake."
    assert not lines(lambda: logger.error(message))
    assert lines(lambda: logger.error(message), level="debug")
    assert lines(lambda: logger.error("Exception in ASGI application"))


def test_the_servers_loggers_speak_with_one_voice() -> None:
    own = io.StringIO()
    logging.getLogger("uvicorn").addHandler(logging.StreamHandler(own))
    (line,) = lines(lambda: logging.getLogger("uvicorn.error").info("started"), style="json")
    assert json.loads(line)["message"] == "started"
    assert own.getvalue() == ""


def test_levels_are_kept() -> None:
    assert not lines(lambda: log.info("x"), level="warning")
    assert not lines(lambda: log.debug("x"))
    assert lines(lambda: log.debug("x"), level="debug")
    assert not lines(lambda: logging.getLogger("httpx").info("POST https://x"))
