"""The HTTP interface: boards, rules, tables, seats, records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from branchline._version import VERSION
from branchline.bots.registry import LEVELS, bot_title
from branchline.core.catalogue import LANGUAGES
from branchline.drawing.file_format import Drawing
from branchline.engine.record import Record
from branchline.service.access.keys import TABLE_ID, hash_key
from branchline.service.answers import (
    About,
    BoardFacts,
    BoardSummary,
    ErrorAnswer,
    LinkAnswer,
    NewTableAnswer,
    OwnBot,
    RematchAnswer,
    Replay,
    RuleText,
    SeatAnswer,
    TableAnswer,
    TableBrief,
    TextLimits,
)
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.broadcast.readers import Reader
from branchline.service.broadcast.updates import table_info
from branchline.service.context import Service
from branchline.service.errors import ServiceError, Stale
from branchline.service.http import forms
from branchline.service.http.openapi import json_of, reference
from branchline.service.http.responses import answer, city_names, language
from branchline.service.http.scope import is_loopback
from branchline.service.http.static_pages import docs_address
from branchline.service.messages import ClockRule
from branchline.service.operations.listen_addresses import address_for_others
from branchline.service.schema import schema
from branchline.service.tables.boards import board_facts, board_summary, rules_in

T = TypeVar("T")
JSON = "application/json"


@cache
def schema_body() -> bytes:
    """Made once: it takes as long as dozens of other answers."""
    return msgspec.json.encode(schema())


Responses = dict[int | str, dict[str, Any]]


def answered(kind: type[msgspec.Struct], many: bool = False, status: int = 200) -> Responses:
    """What OpenAPI says of a successful answer: one of this type, or a list of them."""
    one = reference(kind)
    return {status: json_of({"type": "array", "items": one} if many else one, "Answered")}


ERRORS: Responses = {
    code: json_of(reference(ErrorAnswer), "Refused")
    for code in (400, 403, 404, 409, 410, 413, 422, 429, 503)
}

TableId = Annotated[str, Path(pattern=f"^{TABLE_ID.pattern}$")]
SeatId = Annotated[int, Path(ge=0, lt=8)]
Lang = Annotated[str | None, Query(alias="lang", max_length=10)]
Cities = Annotated[str | None, Query(alias="cities", max_length=10)]

Digest = Annotated[str | None, Query(pattern="^[0-9a-f]{1,128}$")]

router = APIRouter(prefix="/api", responses=ERRORS)


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def key(request: Request) -> str:
    """The hash of the browser's secret."""
    return hash_key(request.state.secret)


async def again(work: Callable[[], Awaitable[T]]) -> T:
    """Try again if another process was faster."""
    for _ in range(3):
        try:
            return await work()
        except Stale:
            continue
    raise ServiceError("busy", status=503)


# --- what there is ----------------------------------------------------------------------------


@router.get("/about", responses=answered(About))
async def about(request: Request) -> Response:
    """The server: its version, its limits, the levels of its bots, and bots of the host's own."""
    service = service_of(request)
    limits = service.settings.limits
    return answer(
        About(
            version=VERSION,
            languages=list(LANGUAGES),
            levels=list(LEVELS),
            bots=[OwnBot(spec, bot_title(spec)) for spec in service.settings.bots],
            limits=TextLimits(limits.name_length, limits.chat_length),
            push=service.turn_notifier.notices.public_key,
            webhooks=service.settings.webhooks != "off",
            ratings=service.settings.ratings == "on",
            address=await others_address(request),
            docs=docs_address(language(request)),
        )
    )


@router.get("/schema.json")
async def published_schema() -> Response:
    """The JSON Schema of the messages of the table socket, and of all answers."""
    return Response(schema_body(), media_type=JSON)


@router.get("/boards", responses=answered(BoardSummary, many=True))
async def boards(request: Request, lang: Lang = None) -> Response:
    """All boards in brief."""
    found = service_of(request).boards.by_name.values()
    return answer([board_summary(board, language(request)) for board in found])


@router.get("/boards/{board}", responses=answered(BoardFacts))
async def board(
    request: Request, board: str, digest: Digest = None, lang: Lang = None, cities: Cities = None
) -> Response:
    """Everything about a board; with a digest, as it was when a table was made with it."""
    found = await service_of(request).board(board, digest)
    spoken = language(request), city_names(request)
    return answer(await run_in_threadpool(board_facts, found, *spoken))


@router.get("/boards/{board}/drawing", responses=answered(Drawing))
async def drawing(request: Request, board: str, digest: Digest = None) -> Response:
    """The picture of a board, as data."""
    service = service_of(request)
    found = await service.board(board, digest)
    body = await service.archive.drawing(found, request.state.address, language(request))
    return Response(body, media_type=JSON)


@router.get("/rules", responses=answered(RuleText, many=True))
async def rules(request: Request, board: str = "", lang: Lang = None) -> Response:
    """The rules in our words; those of one board, or all."""
    return answer(rules_in(service_of(request).boards, language(request), board[:80]))


# --- tables -----------------------------------------------------------------------------------


def told(request: Request, live: LiveTable) -> TableAnswer:
    """A table as a visitor sees it, and the seats that the visitor has there."""
    held = live.table.seats_of(key(request))
    seat = held[0] if held else -1
    reader = Reader(live.table, seat, language(request), city_names(request))
    return TableAnswer(table_info(live, reader), seat, held)


async def link_to(request: Request, path: str) -> str:
    """A link that works on other devices, as far as the server knows one."""
    base = await others_address(request) or f"{request.base_url}".rstrip("/")
    return base + path


async def others_address(request: Request) -> str:
    """Where others reach this server; only for visitors who sit at the machine itself.

    To anyone else it would tell what the network behind a proxy looks like.
    """
    client, server = request.client, request.scope.get("server")
    if client is None or server is None or not server[1] or not is_loopback(client.host):
        return ""
    host = service_of(request).settings.host
    visited = request.url.hostname or ""
    return await run_in_threadpool(address_for_others, host, server[1], visited)


@router.post("/tables", status_code=201, responses=answered(NewTableAnswer, status=201))
async def create(request: Request, form: forms.TableForm) -> Response:
    """Make a table and take its first seat."""
    service = service_of(request)
    await service.may_create(request.state.address)
    clock = ClockRule(form.clock.kind, form.clock.seconds, form.clock.timeout)
    live = await service.lobby.create(
        key(request),
        form.board,
        form.seats,
        form.name,
        form.bots,
        form.public,
        clock,
        form.first,
        form.pace,
        form.chat,
        form.here,
        form.takes_part,
    )
    live.address = request.state.address
    id = live.table.id
    return answer(NewTableAnswer(id, 0, await link_to(request, f"/t/{id}")), 201)


@router.get("/tables", responses=answered(TableBrief, many=True))
async def tables(request: Request, lang: Lang = None) -> Response:
    """Public tables that wait for players or can be watched."""
    return answer(await service_of(request).public_tables(language(request)))


@router.get("/tables/mine", responses=answered(TableBrief, many=True))
async def mine(request: Request, lang: Lang = None) -> Response:
    """The tables at which this browser holds a seat, the latest first."""
    return answer(await service_of(request).tables_of(key(request), language(request)))


@router.get("/tables/{table}", responses=answered(TableAnswer))
async def table(
    request: Request, table: TableId, lang: Lang = None, cities: Cities = None
) -> Response:
    """One table."""
    return answer(told(request, await service_of(request).rooms.live_table(table)))


@router.post("/tables/{table}/seats", responses=answered(SeatAnswer))
async def sit(request: Request, table: TableId, form: forms.SitForm) -> Response:
    """Take a seat."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    wish = form.name, form.seat, form.takes_part
    seat = await again(lambda: service.lobby.sit(live, key(request), *wish))
    return answer(SeatAnswer(table, seat))


@router.put("/tables/{table}/promise", status_code=204)
async def promise(request: Request, table: TableId, form: forms.PromiseForm) -> Response:
    """Put in a part of the seed: the hash of a nonce."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.promise(live, key(request), form.promise))
    return Response(status_code=204)


@router.put("/tables/{table}/nonce", status_code=204)
async def nonce(request: Request, table: TableId, form: forms.NonceForm) -> Response:
    """Open one's promise."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.reveal(live, key(request), form.nonce))
    return Response(status_code=204)


@router.patch("/tables/{table}/seats/{seat}", status_code=204)
async def rename(request: Request, table: TableId, seat: SeatId, form: forms.NameForm) -> Response:
    """Change one's name."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.rename(live, key(request), seat, form.name))
    return Response(status_code=204)


@router.delete("/tables/{table}/seats/{seat}", status_code=204)
async def leave(request: Request, table: TableId, seat: SeatId) -> Response:
    """Leave a seat; in a game a bot plays on."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.leave(live, key(request), seat))
    return Response(status_code=204)


@router.put("/tables/{table}/seats/{seat}/bot", status_code=204)
async def seat_bot(
    request: Request, table: TableId, seat: SeatId, form: forms.LevelForm
) -> Response:
    """Let a bot play one's own seat, or, as the host, one that is open."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.seat_bot(live, key(request), seat, form.level))
    return Response(status_code=204)


@router.delete("/tables/{table}/seats/{seat}/bot", status_code=204)
async def unseat_bot(request: Request, table: TableId, seat: SeatId) -> Response:
    """Take one's seat back from a bot, or, as the host before the game, open it again."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.unseat_bot(live, key(request), seat))
    return Response(status_code=204)


@router.post("/tables/{table}/seats/{seat}/link", responses=answered(LinkAnswer))
async def link(request: Request, table: TableId, seat: SeatId) -> Response:
    """A link with which another device takes the seat over, once."""
    service = service_of(request)
    token = await service.lobby.link(await service.rooms.live_table(table), key(request), seat)
    return answer(LinkAnswer(await link_to(request, f"/t/{table}#move={token}"), token))


@router.post("/tables/{table}/move", responses=answered(SeatAnswer))
async def move(request: Request, table: TableId, form: forms.TokenForm) -> Response:
    """Take a seat over from another device."""
    service = service_of(request)
    seat = await service.lobby.move(await service.rooms.live_table(table), key(request), form.token)
    return answer(SeatAnswer(table, seat))


@router.put("/tables/{table}/chat", status_code=204)
async def chat(request: Request, table: TableId, form: forms.ChatForm) -> Response:
    """The host switches the chat on or off."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    await again(lambda: service.lobby.chat(live, key(request), form.on))
    return Response(status_code=204)


@router.post("/tables/{table}/rematch", responses=answered(RematchAnswer))
async def rematch(request: Request, table: TableId) -> Response:
    """The table of the next game, with everyone in the same seat."""
    service = service_of(request)
    await service.may_create(request.state.address)
    live = await service.rooms.live_table(table)
    new = await again(lambda: service.lobby.rematch(live, key(request)))
    return answer(RematchAnswer(new))


@router.get("/tables/{table}/record", responses=answered(Record))
async def record(request: Request, table: TableId) -> Response:
    """The record of a finished game."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    body = await service.archive.record(live, request.state.address, language(request))
    name = f"branchline-{live.table.game.board.id}-{table}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type=JSON, headers=headers)


@router.get("/tables/{table}/replay", responses=answered(Replay))
async def table_replay(
    request: Request,
    table: TableId,
    seat: int | None = None,
    lang: Lang = None,
    cities: Cities = None,
) -> Response:
    """A finished game step by step: all open, or as one seat saw it."""
    service = service_of(request)
    spoken = language(request), city_names(request)
    live = await service.rooms.live_table(table)
    body = await service.archive.replay(live, request.state.address, seat, *spoken)
    return Response(body, media_type=JSON)


@router.put("/tables/{table}/notices", status_code=204)
async def notices(request: Request, table: TableId, form: forms.NoticeForm) -> Response:
    """How to be told that it is one's turn."""
    service = service_of(request)
    live = await service.rooms.live_table(table)
    held = live.table.seats_of(key(request))
    if not held:
        raise ServiceError("not_your_seat", status=403)
    wish = {"push": form.push, "webhook": form.webhook}
    link = await link_to(request, f"/t/{table}")
    for seat in held:
        await service.turn_notifier.subscribe(table, seat, wish, link, language(request))
    return Response(status_code=204)


@router.post("/replays", responses=answered(Replay))
async def replays(
    request: Request, seat: int | None = None, lang: Lang = None, cities: Cities = None
) -> Response:
    """A game step by step, from its record in the body: all open, or as one seat saw it."""
    archive, spoken = service_of(request).archive, (language(request), city_names(request))
    body = await archive.uploaded(request.body, request.state.address, seat, *spoken)
    return Response(body, media_type=JSON)
