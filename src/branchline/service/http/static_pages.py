"""Serves the page: files that never change under their names, and one page for every address.

With the address of a table come the addresses of what its board is drawn from, so that a browser
loads them along with the script and not only when the socket has named the board.

If the documentation has been built into the package, it is served at `/docs`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from branchline.core.board import Board
from branchline.core.catalogue import say
from branchline.service.http.scope import language_of

FOLDER: Final = Path(__file__).parents[1] / "page"
DOCS: Final = Path(__file__).parents[1] / "docs"
INDEX: Final = "index.html"
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
OWN: Final = "private, no-cache"
"""For the page itself, with which a new visitor gets a cookie."""
ADDRESSES: Final = ("/", "/t/{table}", "/replay", "/rules", "/rules/{board}", "/me")
"""Addresses that the page itself shows."""


def has_page(folder: Path = FOLDER) -> bool:
    """Whether the build has put the page into the package."""
    return (folder / "index.html").is_file()


def docs_address(lang: str, docs: Path = DOCS) -> str:
    """Where the documentation begins for readers of a language; empty if it has not been built."""
    if not (docs / INDEX).is_file():
        return ""
    return f"/docs/{lang}/" if (docs / lang / INDEX).is_file() else "/docs/"


def preloads(board: Board, lang: str) -> str:
    """The `Link` header for a table with this board: what the page will ask for, to the letter."""
    path = f"/api/boards/{quote(board.id, safe='')}"
    query = f"?digest={board.digest}&lang={lang}"
    wanted = (path + query, f"{path}/drawing{query}")
    return ", ".join(f"<{address}>; rel=preload; as=fetch; crossorigin" for address in wanted)


class PageFiles(StaticFiles):
    """The files of the page, with how long a browser may keep them."""

    def kept(self, path: str) -> str:
        # The build names what is in this folder after its content.
        return FOR_EVER if path.startswith("/assets/") else ASK_AGAIN

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = self.kept(scope["path"])
        return response


class DocsFiles(PageFiles):
    """The files of the documentation, below `/docs`; a folder is its index."""

    def get_path(self, scope: Scope) -> str:
        return os.path.relpath(super().get_path(scope), "docs")


def add_page(
    app: FastAPI,
    folder: Path = FOLDER,
    docs: Path = DOCS,
    board_at: Callable[[str], Board | None] = lambda table: None,
) -> None:
    """Serve the page and the documentation that the build has put into the package.

    `board_at` returns the board of a table, if it is known without waiting.
    """
    files = PageFiles(directory=folder, check_dir=False)
    guide = DocsFiles(directory=docs, check_dir=False, html=True)
    nothing = app.router.default

    def no_page(scope: Scope) -> Response:
        text = say("table.no_page", language_of(scope))
        return Response(text + "\n", 503, media_type="text/plain; charset=utf-8")

    async def show(request: Request) -> Response:
        try:
            response = await files.get_response(INDEX, request.scope)
        except HTTPException:
            return no_page(request.scope)
        response.headers["cache-control"] = OWN
        board = board_at(request.path_params.get("table", ""))
        if board is not None:
            response.headers["link"] = preloads(board, language_of(request.scope))
        return response

    for address in ADDRESSES:
        app.add_api_route(address, show, methods=["GET", "HEAD"], include_in_schema=False)

    async def file(scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a file where no route matches; a route with another method goes first."""
        answer = nothing
        if is_read(scope):
            found = guide if f"{scope['path']}/".startswith("/docs/") else files
            try:
                answer = await found.get_response(found.get_path(scope), scope)
            except HTTPException:
                if is_visit(scope):
                    answer = missing(scope)
        await answer(scope, receive, send)

    def missing(scope: Scope) -> Response:
        """The page itself tells people that there is nothing at an address."""
        index = folder / INDEX
        if not index.is_file():
            return no_page(scope)
        return FileResponse(index, 404, headers={"cache-control": OWN})

    app.router.default = file


def is_read(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")


def is_visit(scope: Scope) -> bool:
    """Whether a browser asks for a page to show."""
    return "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith(
        "/api/"
    )
