"""Everything that the server says is in the reader's language, whichever that is."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from branchline import builtin_boards
from branchline.core.catalogue import LANGUAGES
from pseudo_language import PSEUDO, names_on, words_of_another_language, write_language
from service.server import Client, Party, Server, Socket

pytestmark = pytest.mark.anyio

BOARDS = builtin_boards()
KNOWN = {"Ann", *(name for board in BOARDS for name in names_on(board))}
NOT_SHOWN = {"notation", "event", "push", *LANGUAGES}
"""Fields that no reader of this language sees: notation, kinds of events, a key, other texts."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that knows the pseudo-language."""
    languages = write_language(tmp_path_factory.mktemp("languages"))
    environ = {"BRANCHLINE_LANGUAGES": str(languages)}
    with Server(tmp_path_factory.mktemp("server"), environ=environ) as running:
        yield running
        assert running.metric("branchline_errors_total") == 0, running.log


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text within a message, with the name of its field."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name not in NOT_SHOWN:
                yield from strings(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, key)
    elif isinstance(value, str):
        yield key, value


def not_translated(messages: list[Any]) -> dict[str, set[str]]:
    """By field, the texts with words of another language.

    A field has texts for people unless all of them are identifiers.
    """
    by_field: dict[str, set[str]] = {}
    for key, text in strings(messages):
        by_field.setdefault(key, set()).add(text)
    found = {}
    for key, texts in by_field.items():
        if any(not re.fullmatch(r"[A-Za-z0-9_.#/-]*", text) for text in texts - KNOWN):
            wrong = {text for text in texts if words_of_another_language(text, KNOWN)}
            if wrong:
                found[key] = wrong
    return found


async def asked(client: Client, *paths: str) -> list[Any]:
    return [(await client.http.get(path)).json() for path in paths]


async def refusals(socket: Socket) -> list[Any]:
    """What the server says to the first actions of the board that are not allowed now."""
    assert socket.decision is not None
    legal = {offer["action"] for offer in socket.decision["offers"]}
    actions = [action for action in range(200) if action not in legal]
    answers = [await socket.ask("why", action=action) for action in actions]
    return [*answers, await socket.act(actions[0])]


@pytest.mark.parametrize("board", BOARDS)
async def test_a_whole_game_is_told_in_the_language(board: str, party: Party) -> None:
    client = await party.client("Ann", PSEUDO)
    table = await client.create(board, 2, bots=["easy"])
    socket = await party.socket(client, table)
    await socket.until(lambda: socket.decision is not None)
    said = await refusals(socket)
    await socket.say("77")
    await socket.play(random.Random(1))
    said += [json.loads(text) for text in socket.received]
    said += await asked(client, "/api/boards", f"/api/boards/{board}", f"/api/rules?board={board}")
    said += await asked(client, f"/api/tables/{table}", "/api/tables/z8rcdffzy7z", "/api/nowhere")
    record = (await client.http.get(f"/api/tables/{table}/record")).content
    said.append((await client.http.post("/api/replays", content=record)).json())
    assert len(str(said)) > 100_000
    assert {one.get("type") for one in said if isinstance(one, dict)} >= {
        "because",
        "refused",
        "update",
        "welcome",
    }
    assert not_translated(said) == {}
