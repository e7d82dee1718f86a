"""Logs: one line for each event on the error stream, as text or as JSON, and never a secret.

Write with the standard library and put facts into `extra`:
`logging.getLogger(__name__).info("table made", extra={"table": id, "seats": 3})`. The traceback of
another process goes there as `trace`.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from datetime import UTC, datetime
from typing import Any, Final, TextIO

HIDDEN: Final = "[hidden]"
NAMES: Final = (
    r"cookie|token|secret|seed|nonce|password|passwd|authorization|p256dh|auth|endpoint"
    r"|private_key|key"
)
SECRET_NAME: Final = re.compile(rf"(?i)(?:.*[_-])?(?:{NAMES})")
PATTERNS: Final = (
    # The shape of a browser's key or a one-time token, wherever it stands.
    (re.compile(r"(?<![\w-])[A-Za-z0-9_-]{43}(?![\w-])"), HIDDEN),
    (re.compile(r"(?i)((?<![\w-])(?:bearer|basic|vapid)\s+)(?=\S{8})[^\s,]+"), rf"\1{HIDDEN}"),
    # `branchline=…` in a cookie, `token=…`, `"seed": "…"`, `seed: …`; also in a printed dictionary.
    (
        re.compile(
            rf"(?i)((?<![\w-])(?:branchline|{NAMES})[\"']?\s*[=:]\s*)"
            r"(\"[^\"]*\"|'[^']*'|[^\s,;&)}]+)"
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"(?i)((?<![\w-])seed\s+)(?=\S*\d)\S+"), rf"\1{HIDDEN}"),
    (re.compile(r"(//[^\s/:@]*:)[^\s/@]+@"), rf"\1{HIDDEN}@"),
)
STANDARD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {
    "message", "asctime", "taskName", "color_message", "trace",
}  # fmt: skip
FAULT: Final = 500


def redact(text: str) -> str:
    """The text without anything that looks like a secret.

    >>> redact("cookie: branchline=abc; seed=7; postgresql://me:pw@db/x")
    'cookie: [hidden]; seed=[hidden]; postgresql://me:[hidden]@db/x'
    """
    for pattern, instead in PATTERNS:
        text = pattern.sub(instead, text)
    return text


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    return {
        name: HIDDEN if SECRET_NAME.fullmatch(name) else _plain(value)
        for name, value in record.__dict__.items()
        if name not in STANDARD
    }


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {
            str(name): HIDDEN if SECRET_NAME.fullmatch(str(name)) else _plain(part)
            for name, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return redact(str(value))


class Lines(logging.Formatter):
    """A line of text: time, level, logger, message, facts; then a traceback if there is one.

    Secrets are taken out here, at the last moment, so that tracebacks are covered too.
    """

    def format(self, record: logging.LogRecord) -> str:
        facts = "".join(f" {name}={_shown(value)}" for name, value in _facts(record).items())
        # A line break in a message could pass for another entry.
        message = redact(record.getMessage()).replace("\r", "\\r").replace("\n", "\\n")
        line = f"{_time(record)} {record.levelname.lower():<7} {record.name}: {message}{facts}"
        trace = _trace(self, record)
        return f"{line}\n{trace}" if trace else line


class JsonLines(logging.Formatter):
    """A JSON object on one line: time, level, logger, message, every fact by its name, trace."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        for name, value in _facts(record).items():
            entry.setdefault(name, value)
        trace = _trace(self, record)
        if trace:
            entry["trace"] = trace
        return json.dumps(entry, ensure_ascii=False)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if re.fullmatch(r"[^\s\"=]+", text) else json.dumps(text, ensure_ascii=False)


def _trace(formatter: logging.Formatter, record: logging.LogRecord) -> str:
    if record.exc_info:
        return redact(formatter.formatException(record.exc_info))
    return redact(str(getattr(record, "trace", "")))


class OnlyFaults(logging.Filter):
    """Of the server's access log, only the answers that were our fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        arguments = record.args
        if not isinstance(arguments, tuple) or not arguments:
            return True
        status = arguments[-1]
        return not isinstance(status, int) or status >= FAULT


def not_a_refusal(record: logging.LogRecord) -> bool:
    """False for what uvicorn calls an error whenever the opening of a socket is refused."""
    return "without completing handshake" not in str(record.msg)


def set_up_logs(level: str = "info", style: str = "text", stream: TextIO | None = None) -> None:
    """Send all logs to the error stream; run uvicorn with `log_config=None` then.

    With the level `debug` every request is logged, else only those that failed through our fault.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.NOTSET)
        logger.filters.clear()
    if level != "debug":
        logging.getLogger("uvicorn.access").addFilter(OnlyFaults())
        logging.getLogger("uvicorn.error").addFilter(not_a_refusal)
    # These say every request that they make, with its address.
    for name in ("httpx", "httpcore", "asyncio", "websockets", "aiohttp"):
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))
