"""Serves the page: files that never change under their names, and one page for every address."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from branchline.core.catalogue import say
from branchline.service.guard import language_of

FOLDER: Final = Path(__file__).parent / "page"
FOR_EVER: Final = "public, max-age=31536000, immutable"
ADDRESSES: Final = ("/", "/t/{table}", "/replay", "/rules", "/rules/{board}")
"""What the page itself knows how to show."""


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the page that the build has put into the package."""
    index = folder / "index.html"

    async def show(request: Request) -> Response:
        if not index.is_file():
            text = say("table.no_page", language_of(request.scope))
            return Response(text + "\n", 503, media_type="text/plain; charset=utf-8")
        return FileResponse(index, headers={"cache-control": "no-cache"})

    for address in ADDRESSES:
        app.add_api_route(address, show, methods=["GET", "HEAD"], include_in_schema=False)

    @app.get("/{name:path}", include_in_schema=False)
    async def file(name: str) -> Response:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            raise HTTPException(404)
        lasting = name.startswith("assets/")
        return FileResponse(path, headers={"cache-control": FOR_EVER if lasting else "no-cache"})
