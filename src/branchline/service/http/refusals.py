"""Errors that are answered before a request reaches its route."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Final

import msgspec
from starlette.types import Scope, Send

from branchline.core.catalogue import say
from branchline.service.http.scope import language_of

Header = tuple[bytes, bytes]

POLICY_VIOLATION: Final = 1008  # a WebSocket close code


async def refuse(
    scope: Scope,
    send: Send,
    status: int,
    code: str,
    headers: Iterable[Header] = (),
    text: str = "",
) -> None:
    """Answer a request, or the opening of a socket, with an error.

    `text` is for errors whose sentence has more in it than their code.
    """
    text = text or say(f"errors.{code}", language_of(scope))
    body = msgspec.json.encode({"error": {"code": code, "text": text}})
    sent = [
        (b"content-type", b"application/json; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        *headers,
    ]
    kind = "http.response"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": code})
            return
        kind = "websocket.http.response"
    with contextlib.suppress(OSError):  # whoever asked may be gone
        await send({"type": f"{kind}.start", "status": status, "headers": sent})
        await send({"type": f"{kind}.body", "body": body})
