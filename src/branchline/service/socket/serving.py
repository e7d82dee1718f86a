"""A connection to a table, from its opening to its end."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from branchline.service.access.keys import hash_key
from branchline.service.broadcast.channel import Channel
from branchline.service.broadcast.live_table import Connection
from branchline.service.context import Service
from branchline.service.errors import ServiceError
from branchline.service.http.refusals import refuse
from branchline.service.http.responses import error_text
from branchline.service.http.scope import city_names_of, language_of
from branchline.service.messages import Trouble
from branchline.service.socket.channels import channel_of
from branchline.service.socket.inbox import Inbox
from branchline.service.socket.session import SocketSession
from branchline.service.storage import StoreError

PROTOCOL_NAME: Final = "branchline.1"
CLOSE_AGAIN: Final = 4000  # a close code of ours: connect again
CLOSING: Final = 5.0  # seconds that a slow reader gets for what is queued


async def serve_socket(service: Service, websocket: WebSocket, id: str) -> None:
    """Serve one connection to a table, from its opening to its end."""
    query = websocket.query_params
    state = websocket.scope["state"]
    lang = language_of(websocket.scope)
    if PROTOCOL_NAME not in websocket.scope.get("subprotocols", []):
        await refuse(websocket.scope, websocket.send, 400, "wrong_protocol")
        return
    try:
        since = max(0, int(query.get("since", "0")[:12]))
        wanted = int(query.get("seat", "-1")[:4])
        live = await service.rooms.live_table(id)
    except ValueError:
        await refuse(websocket.scope, websocket.send, 400, "bad_number")
        return
    except (ServiceError, StoreError) as error:
        status, text = getattr(error, "status", 503), error_text(error, lang)
        await refuse(websocket.scope, websocket.send, status, error.code, text=text)
        return
    key = hash_key(state["secret"])
    cities = city_names_of(websocket.scope)
    channel = channel_of(websocket)
    seat = live.table.seat_for(key, wanted)
    connection = Connection(seat, lang, key, channel, cities, wanted, service.rooms.outbox)
    if service.limiters.weigh(state["address"], max(0, live.table.number - since)) > 0:
        await refuse(websocket.scope, websocket.send, 429, "too_many_requests")
        return
    watches = not live.table.seats_of(key)
    crowded = watches and live.spectators() >= service.settings.limits.spectators
    with service.limiters.sockets.hold(state["address"]) as entered:
        if not entered or crowded:
            await refuse(websocket.scope, websocket.send, 429, "too_many_sockets")
            return
        try:
            await websocket.accept(subprotocol=PROTOCOL_NAME)
        except OSError:
            return  # whoever came is gone
        if not watches:
            live.address = state["address"]
        service.metrics.sockets.inc()
        try:
            address = state["address"]
            session = SocketSession(service.rooms, live, connection, service.limiters, address)
            await _serve(service, websocket, channel, session, since)
        finally:
            service.metrics.sockets.dec()


async def _serve(
    service: Service,
    websocket: WebSocket,
    channel: Channel,
    session: SocketSession,
    since: int,
) -> None:
    live, connection = session.live, session.connection
    closer = asyncio.create_task(_close_after(websocket, channel, connection))
    try:
        await service.rooms.welcome(live, connection, since)
        # In a task of its own, since a message that passes all the middleware pays for each.
        await asyncio.create_task(Inbox(service.limiters, session).serve(channel))
    except (ServiceError, StoreError) as error:
        session.reply(Trouble(error.code, error_text(error, connection.lang)))
    finally:
        service.rooms.leave(live, connection)
        connection.drop()
        with contextlib.suppress(asyncio.TimeoutError, RuntimeError, WebSocketDisconnect, OSError):
            await asyncio.wait_for(closer, CLOSING)


async def _close_after(websocket: WebSocket, channel: Channel, connection: Connection) -> None:
    """When a connection has ended: send what is queued, and close."""
    await connection.ended.wait()
    await channel.writable.wait()
    connection.flush()
    await channel.writable.wait()
    await websocket.close(CLOSE_AGAIN)
