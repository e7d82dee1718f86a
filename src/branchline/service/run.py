"""Runs the server from its settings to its shutdown; backs up and restores its database."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import uvicorn

from branchline.bots import make_bot
from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError
from branchline.service.app import create_app
from branchline.service.context import Service
from branchline.service.http.static_pages import has_page
from branchline.service.operations.listen_addresses import addresses
from branchline.service.operations.logs import set_up_logs
from branchline.service.operations.open_files import raise_file_limit
from branchline.service.operations.settings import Settings, read_settings
from branchline.service.socket.channels import websocket_protocol
from branchline.service.socket.connections import http_protocol
from branchline.service.storage import Store, StoreError
from branchline.service.storage.backup import Counts
from branchline.service.storage.backup import back_up as copy_database
from branchline.service.storage.database import open_database
from branchline.service.storage.errors import READ_ONLY
from branchline.service.storage.file_lock import only_server
from branchline.service.storage.file_modes import PRIVATE, make_private_folder

SHUTDOWN_SECONDS: Final = 8  # seconds that connections get when the server stops


class Server(uvicorn.Server):
    """A server that prints its addresses as soon as it is listening."""

    greeting: str = ""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        # Games leave no cycles behind: looking for some after every few hundred objects is wasted.
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        if self.started:
            print(self.greeting, flush=True)


def run(options: Mapping[str, object], lang: str) -> None:
    """Serve until told to stop. Raises `BranchlineError` if it can't start."""
    settings = read_settings(options)
    set_up_logs(settings.log_level, settings.log_format)
    if settings.log_level != "debug":  # what these say at every start is of no use to a host
        for name in ("alembic", "uvicorn"):
            logging.getLogger(name).setLevel(logging.WARNING)
    for spec in settings.bots:
        make_bot(spec)  # what is wrong with it is told now rather than at a table
    _make_folder(settings)
    with only_server(settings.database_url), _listen(settings) as listener:
        asyncio.run(_check_store(settings))
        room = raise_file_limit(settings.limits.sockets)
        server = Server(config_of(settings, room))
        port = listener.getsockname()[1]
        server.greeting = greeting(settings.host, port, lang)
        if not has_page():
            print(say("host.serve.no_page", lang), file=sys.stderr)
        server.run(sockets=[listener])


def config_of(settings: Settings, room: int = sys.maxsize) -> uvicorn.Config:
    """The configuration of uvicorn, with room for so many connections."""
    app = create_app(settings)
    service: Service = app.state.service
    service.limiters.connections.fit(room)
    guarded = http_protocol(service.limiters.connections, settings.proxy, service.metrics)
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws=websocket_protocol(),
        ws_max_size=settings.limits.message_bytes,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        proxy_headers=False,  # our own middleware knows which proxies to believe
        server_header=False,
        http=guarded,
        h11_max_incomplete_event_size=32 * 1024,
    )


def greeting(host: str, port: int, lang: str) -> str:
    """What is printed at the start: the addresses of the server."""
    here, near = addresses(host, port)
    lines = [say("host.serve.here", lang, url=here)]
    if near is not None:
        lines.append(say("host.serve.near", lang, url=near))
    lines.append(say("host.serve.stop", lang))
    return "\n".join(lines)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listener.close()
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        code = "port_taken" if taken else "bad_address"
        where = {"host": settings.host, "port": settings.port}
        raise BranchlineError(code, where) from None
    return listener


def _make_folder(settings: Settings) -> None:
    if settings.database is None:
        try:
            make_private_folder(settings.data)
        except OSError as error:
            reason = error.strerror or str(error)
            raise StoreError(READ_ONLY, {"reason": f"{settings.data}: {reason}"}) from None


async def _check_store(settings: Settings) -> None:
    """Open the store once, so that what is wrong with it is said in one line."""
    store = await Store.open(settings.database_url, listen=False, key=settings.key)
    await store.close()


# --- backups ------------------------------------------------------------------------------------


def back_up(options: Mapping[str, object], target: str, force: bool = False) -> Counts:
    """Copy the database to a new file, or with `force` to any; the server may go on meanwhile.

    Returns how many rows the copy has. The schema stays as it is: an older server may be running.
    """
    database = open_database(read_settings(options).database_url)
    if database.postgres:
        raise StoreError("storage_backup")
    return copy_database(database.path, Path(target), force)


def restore_backup(options: Mapping[str, object], source: str) -> Path | None:
    """Replace the database with a backup; returns where the old one was moved to."""
    settings = read_settings(options)
    if settings.database is not None and not settings.database.startswith("sqlite"):
        raise StoreError("storage_backup")
    target = Path(settings.database_url.removeprefix("sqlite:///"))
    asyncio.run(_check_backup(source))
    target.parent.mkdir(parents=True, exist_ok=True)
    with only_server(settings.database_url):
        return _replace_database(target, source)


def _replace_database(target: Path, source: str) -> Path | None:
    kept = None
    if target.exists():
        with closing(sqlite3.connect(target, timeout=0)) as database:
            try:  # nobody may use what is about to be replaced
                database.execute("PRAGMA locking_mode = EXCLUSIVE")
                database.execute("BEGIN EXCLUSIVE")
                database.rollback()
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error:
                raise BranchlineError("server_runs", {"path": str(target)}) from None
        kept = _free_name(target)
        target.replace(kept)
        for more in ("-wal", "-shm"):
            target.with_name(target.name + more).unlink(missing_ok=True)
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    part.touch(PRIVATE)
    shutil.copyfile(source, part)
    part.replace(target)
    return kept


def _free_name(target: Path) -> Path:
    """An unused name next to a database, for the file that is replaced there."""
    stem = f"{target.name}.{time.strftime('%Y%m%d-%H%M%S')}"
    names = (stem, *(f"{stem}-{k}" for k in range(2, 1000)))
    return next(path for name in names if not (path := target.with_name(name)).exists())


async def _check_backup(source: str) -> None:
    """Raises `StoreError` if a file is not one of our backups."""
    path = Path(source)
    if not path.is_file():
        raise StoreError("storage_damaged", {"reason": source[:200]})
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        try:
            database.execute("SELECT count(*) FROM entries").fetchone()
            if database.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise sqlite3.DatabaseError("quick_check")
        except sqlite3.Error as error:
            raise StoreError("storage_damaged", {"reason": str(error)}) from None
