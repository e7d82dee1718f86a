"""One schema for what leaves the server: everything that is sent is of a published type."""

from __future__ import annotations

import json
import random
from typing import Any

import httpx
import msgspec
import pytest

from branchline import builtin_boards
from branchline.drawing.file_format import Drawing
from branchline.engine.record import Record
from branchline.service import answers
from branchline.service.messages import EventInfo, Offer, ServerMessage
from branchline.service.schema import ANSWERS, schema
from service.server import Party, Server

pytestmark = pytest.mark.anyio


def is_an_offer(offer: dict[str, Any]) -> None:
    """The known facts are of their types, and all others are numbers."""
    known = msgspec.json.decode(msgspec.json.encode(offer), type=Offer)
    more = {name: value for name, value in offer.items() if name not in Offer.__struct_fields__}
    assert {**json.loads(msgspec.json.encode(known)), **more} == offer
    msgspec.convert(more, dict[str, int | list[int]])


def is_a(content: bytes, kind: Any) -> None:
    """The JSON is of that type, and has no field that the type doesn't have."""
    found = msgspec.json.decode(content, type=kind)
    assert json.loads(msgspec.json.encode(found)) == json.loads(content)


@pytest.mark.parametrize("board", builtin_boards())
def test_boards_their_pictures_and_rules_are_of_their_types(server: Server, board: str) -> None:
    def get(path: str) -> bytes:
        answer = httpx.get(f"{server.url}/api/{path}")
        assert answer.status_code == 200
        return answer.content

    is_a(get(f"boards/{board}"), answers.BoardFacts)
    is_a(get(f"boards/{board}?lang=fr&cities=local"), answers.BoardFacts)
    is_a(get(f"boards/{board}/drawing"), Drawing)
    is_a(get(f"rules?board={board}"), list[answers.RuleText])
    is_a(get("boards"), list[answers.BoardSummary])
    is_a(get("about"), answers.About)


async def test_tables_records_replays_and_errors_are_of_their_types(party: Party) -> None:
    ann = await party.client("Ann")
    body = {"board": "new_york", "seats": 2, "name": "Ann", "bots": ["easy"], "public": True}
    made = await ann.http.post("/api/tables", json=body)
    is_a(made.content, answers.NewTableAnswer)
    table = made.json()["table"]
    link = await ann.http.post(f"/api/tables/{table}/seats/0/link")
    is_a(link.content, answers.LinkAnswer)
    moved = await ann.http.post(f"/api/tables/{table}/move", json={"token": link.json()["token"]})
    is_a(moved.content, answers.SeatAnswer)
    early = await ann.http.get(f"/api/tables/{table}/replay")
    is_a(early.content, answers.ErrorAnswer)
    socket = await party.socket(ann, table)
    await socket.play(random.Random(4))
    for path, kind in (
        ("", answers.TableAnswer),
        ("/record", Record),
        ("/replay", answers.Replay),
        ("/replay?seat=1&lang=fr", answers.Replay),
    ):
        is_a((await ann.http.get(f"/api/tables/{table}{path}")).content, kind)
    for path in ("", "/mine"):
        is_a((await ann.http.get(f"/api/tables{path}")).content, list[answers.TableBrief])
    is_a((await ann.http.post(f"/api/tables/{table}/rematch")).content, answers.RematchAnswer)


@pytest.mark.parametrize("board", builtin_boards())
async def test_messages_are_of_their_types(party: Party, board: str) -> None:
    ann = await party.client("Ann")
    socket = await party.socket(ann, await ann.create(board, 2, bots=["easy"]))
    rng = random.Random(f"types {board}")
    for number in range(40):
        if not await socket.step(rng):
            break
        await socket.ask("how", route=number)
        await socket.ask("why", route=number)
    told = [json.loads(text) for text in socket.received]
    assert {"welcome", "update", "done", "ways", "because"} <= {m["type"] for m in told}
    for text, message in zip(socket.received, told, strict=True):
        is_a(text.encode(), ServerMessage)
        for way in message.get("ways", []):
            for offer in way.get("offers", []):
                is_an_offer(offer)
        if message.get("decision"):
            for offer in message["decision"]["offers"]:
                is_an_offer(offer)
        for entry in message.get("entries", [message.get("entry", {})]):
            is_a(msgspec.json.encode(entry.get("events", [])), list[EventInfo])


def test_the_published_schema_has_every_type_that_it_refers_to(server: Server) -> None:
    published = httpx.get(f"{server.url}/api/schema.json").json()
    assert published == json.loads(json.dumps(schema()))
    assert refs(published, "#/$defs/") <= set(published["$defs"])
    for kind in ANSWERS:
        assert kind.__name__ in published["$defs"]
    colour = published["$defs"]["RouteFacts"]["properties"]["colour"]
    assert colour["description"] == "A position in the board's colours; null for gray."


def test_openapi_says_of_every_answer_what_is_in_it(server: Server) -> None:
    openapi = httpx.get(f"{server.url}/api/openapi.json").json()
    parts = openapi["components"]["schemas"]
    assert refs(openapi, "#/components/schemas/") <= set(parts)
    untyped = set()
    for path, methods in openapi["paths"].items():
        for method, route in methods.items():
            (good,) = [code for code in route["responses"] if code.startswith("2")]
            content = route["responses"][good].get("content", {}).get("application/json", {})
            if good != "204" and not refs(content, "#/components/schemas/"):
                untyped.add(f"{method} {path}")
    assert untyped == {"get /api/schema.json"}


def refs(data: object, prefix: str) -> set[str]:
    """The names of all types that something refers to."""
    if isinstance(data, dict):
        found: set[str] = set().union(*(refs(value, prefix) for value in data.values()))
        return found | {str(data["$ref"]).removeprefix(prefix)} if "$ref" in data else found
    return set().union(*(refs(item, prefix) for item in data)) if isinstance(data, list) else set()
