"""Serves the page: files that never change under their names, and one page for every address."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

from branchline.core.catalogue import say
from branchline.service.guard import language_of

FOLDER: Final = Path(__file__).parent / "page"
FOR_EVER: Final = "public, max-age=31536000, immutable"
ADDRESSES: Final = ("/", "/t/{table}", "/replay", "/rules", "/rules/{board}")
"""What the page itself knows how to show."""


def has_page(folder: Path = FOLDER) -> bool:
    """Whether the build has put the page into the package."""
    return (folder / "index.html").is_file()


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the page that the build has put into the package."""
    index = folder / "index.html"

    def page(request: Request, status: int = 200) -> Response:
        if not index.is_file():
            text = say("table.no_page", language_of(request.scope))
            return Response(text + "\n", 503, media_type="text/plain; charset=utf-8")
        return FileResponse(index, status, headers={"cache-control": "no-cache"})

    async def show(request: Request) -> Response:
        return page(request)

    for address in ADDRESSES:
        app.add_api_route(address, show, methods=["GET", "HEAD"], include_in_schema=False)

    nothing = app.router.default

    async def file(scope: Scope, receive: Receive, send: Send) -> None:
        """What no route is for may be a file; a route with another method goes first."""
        found = file_at(folder, scope["path"]) if is_read(scope) else None
        if found is None and is_visit(scope):
            await page(Request(scope), 404)(scope, receive, send)
            return
        if found is None:
            await nothing(scope, receive, send)
            return
        lasting = scope["path"].startswith("/assets/")
        headers = {"cache-control": FOR_EVER if lasting else "no-cache"}
        await FileResponse(found, headers=headers)(scope, receive, send)

    app.router.default = file


def is_read(scope: Scope) -> bool:
    return scope["type"] == "http" and scope["method"] in ("GET", "HEAD")


def is_visit(scope: Scope) -> bool:
    """A person's browser asks for an address that is none: the page itself tells them so."""
    accepted = Headers(scope=scope).get("accept", "") if is_read(scope) else ""
    return "text/html" in accepted and not scope["path"].startswith("/api/")


def file_at(folder: Path, path: str) -> Path | None:
    """The file of the page at an address; never one outside of its folder."""
    try:
        found = (folder / path.lstrip("/")).resolve()
        inside = found.is_relative_to(folder.resolve()) and found.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return None
    return found if inside else None
