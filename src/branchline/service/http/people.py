"""The HTTP interface for a visitor's own page: past games, name, rating, export, deletion."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, Request, Response

from branchline.service.access.keys import new_secret, set_cookie
from branchline.service.answers import History, RankedPerson
from branchline.service.errors import ServiceError
from branchline.service.http import forms
from branchline.service.http.api import ERRORS, Lang, answered, key, service_of
from branchline.service.http.responses import answer, language
from branchline.service.http.scope import is_https

HISTORY: Final = 4  # requests in addition to the one, which hundreds of games cost

router = APIRouter(prefix="/api", responses=ERRORS)


@router.get("/me", responses=answered(History))
async def me(request: Request, lang: Lang = None) -> Response:
    """The games that this browser has played to their end, and what can be counted in them."""
    service = service_of(request)
    if service.limiters.requests.take(request.state.address, HISTORY) > 0:
        raise ServiceError("too_many_requests", status=429)
    return answer(await service.people.history(key(request), language(request)))


@router.get("/me/export", responses=answered(History))
async def export(request: Request, lang: Lang = None) -> Response:
    """The same as a file."""
    response = await me(request, lang)
    response.headers["content-disposition"] = 'attachment; filename="branchline-games.json"'
    return response


@router.put("/me", status_code=204)
async def remember(request: Request, form: forms.PersonForm) -> Response:
    """The name that one wants to be known by, and whether it is shown with the rating."""
    service = service_of(request)
    if service.limiters.names.take(request.state.address) > 0:
        raise ServiceError("too_many_requests", status=429)
    await service.people.remember(key(request), form.name, form.listed)
    return Response(status_code=204)


@router.delete("/me", status_code=204)
async def forget(request: Request) -> Response:
    """Leave all games and be forgotten; the browser gets another secret."""
    await service_of(request).people.forget(key(request))
    response = Response(status_code=204)
    name, cookie = set_cookie(new_secret(), is_https(request.scope))
    response.headers.append(name.decode(), cookie.decode())
    return response


@router.get("/ratings", responses=answered(RankedPerson, many=True))
async def ratings(request: Request) -> Response:
    """Those who want to be shown with their rating, the best first."""
    return answer(await service_of(request).people.ranking())
