"""What else may run on a server while people play: replays, uploads, drawings, tables of bots.

`load.py` starts it as a process of its own, which stands back behind the players' clients, and
measures how many moves they still make. What is asked for comes at a fixed rate, whether or not the
server keeps up; beyond what it takes at a time it refuses, as it should.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from branchline import Game
from branchline.core.mapfile import load_board

KINDS = ("replays", "uploads", "drawings", "bots")
RATE = 10.0  # requests a second of each kind
BOT_TABLES = 100
MANY_BOT_TABLES = 400  # next to which a bot's answer is measured
BIG = 1024 * 1024 - 1024  # bytes of a record that is not one, just below what is taken
BOARD_ID = "crowd"

Ask = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


def write_board(folder: Path) -> Path:
    """A board that has no picture yet: `usa` under another name."""
    path = folder / "crowd.toml"
    path.write_text(toml_of({**load_board("usa").source, "id": BOARD_ID, "provenance": []}))
    return path


def toml_of(data: dict[str, Any]) -> str:
    """A board's data as a TOML file, all of it in inline tables."""
    return "".join(f"{key} = {inline(value)}\n" for key, value in data.items())


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {inline(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def finished_game() -> bytes:
    """The record of a game of five at random."""
    state, rng = Game("usa", 5).start(seed=1), random.Random(1)
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
    return state.record().to_json().encode()


async def crowd(url: str, kinds: list[str], bot_tables: int) -> None:
    """Ask for all of these at their rates, between a line of the input and the next.

    Then tell what was answered. What can be made beforehand is made before the first line.
    """
    os.nice(19)  # its own work must not take what the players' clients need
    record = finished_game()
    rubbish = b"{" + b" " * BIG
    asks: dict[str, Ask] = {
        "replays": lambda http, k: http.post(f"/api/replays?seat={k % 5}", content=record),
        "uploads": lambda http, k: http.post("/api/replays", content=rubbish),
        "drawings": lambda http, k: http.get(f"/api/boards/{BOARD_ID}/drawing"),
    }
    limits = httpx.Limits(max_connections=64)
    print("prepared", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        answered: Counter[str] = Counter()
        async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
            if "bots" in kinds:
                for _ in range(bot_tables):
                    await table_of_bots(http)
            works = [ask_on(http, kind, asks[kind], answered) for kind in kinds if kind in asks]
            tasks = [asyncio.create_task(work) for work in works]
            print("ready", flush=True)
            await asyncio.to_thread(sys.stdin.readline)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        print(json.dumps(answered), flush=True)


async def table_of_bots(http: httpx.AsyncClient) -> None:
    form = {"board": "usa", "seats": 2, "name": "Ann", "bots": ["easy"]}
    made = await http.post("/api/tables", json=form)
    made.raise_for_status()
    seat = f"/api/tables/{made.json()['table']}/seats/0/bot"
    (await http.put(seat, json={"level": "easy"})).raise_for_status()


async def ask_on(http: httpx.AsyncClient, kind: str, ask: Ask, answered: Counter[str]) -> None:
    """Ask at a fixed rate, whatever becomes of it."""
    waiting: set[asyncio.Task[None]] = set()

    async def one(k: int) -> None:
        with contextlib.suppress(httpx.TransportError):
            answered[f"{kind} {(await ask(http, k)).status_code}"] += 1

    start = time.perf_counter()
    try:
        for k in itertools.count():
            task = asyncio.create_task(one(k))
            waiting.add(task)
            task.add_done_callback(waiting.discard)
            await asyncio.sleep(max(0.0, start + (k + 1) / RATE - time.perf_counter()))
    finally:
        for task in waiting:
            task.cancel()
