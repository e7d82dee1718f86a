"""Answers in JSON, and errors in the reader's language."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from branchline.core.catalogue import say
from branchline.engine.describe import describe_error
from branchline.engine.errors import BranchlineError
from branchline.service.answers import ErrorAnswer, ErrorBody
from branchline.service.http.scope import city_names_of, language_of
from branchline.service.storage import StoreError
from branchline.service.workers.jobs import JobRefused

_encode: Final = msgspec.json.Encoder().encode

STATUS: Final = {
    "no_such_board": 404,
    "wrong_seats": 422,
    "no_such_seat": 422,
    "record_too_long": 413,
    "unknown_bot": 422,
}


def language(request: Request) -> str:
    """The language of the answer."""
    return language_of(request.scope)


def city_names(request: Request) -> str:
    """The language of city names in the answer; none: as printed on the board."""
    return city_names_of(request.scope)


def answer(data: object, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(_encode(data), status, media_type="application/json")


def error_answer(code: str, text: str, status: int) -> Response:
    return answer(ErrorAnswer(ErrorBody(code, text)), status)


def on_error(request: Request, error: Exception) -> Response:
    """What a client is told of an error that it has caused, or that storage has."""
    assert isinstance(error, BranchlineError)
    default = 503 if isinstance(error, StoreError) else STATUS.get(error.code, 422)
    status = int(getattr(error, "status", default))
    return error_answer(error.code, error_text(error, language(request)), status)


def error_text(error: BranchlineError, lang: str) -> str:
    """What a visitor is told of an error."""
    if isinstance(error, JobRefused):
        return error.text
    if isinstance(error, StoreError):
        return error.visitor_text(lang)
    return describe_error(error, lang)


def on_invalid(request: Request, error: Exception) -> Response:
    """A request that does not fit the published schema."""
    assert isinstance(error, RequestValidationError)
    places = [".".join(str(x) for x in e["loc"][1:]) or "body" for e in error.errors()[:5]]
    text = say("table.bad_request", language(request), places=", ".join(places)[:200])
    return error_answer("bad_request", text, 422)


def on_http(request: Request, error: Exception) -> Response:
    """No such page, or not by this method."""
    assert isinstance(error, HTTPException)
    key = {404: "not_found", 405: "bad_method"}.get(error.status_code, "bad_request_plain")
    response = error_answer(key, say(f"table.{key}", language(request)), error.status_code)
    response.headers.update(error.headers or {})
    return response


HANDLERS: Final[dict[Any, Any]] = {
    BranchlineError: on_error,
    RequestValidationError: on_invalid,
    HTTPException: on_http,
}
