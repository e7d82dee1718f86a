"""The OpenAPI description of the HTTP interface, with the types of its answers."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from fastapi import FastAPI

from branchline.service.schema import answer_parts

REFERENCE: Final = "#/components/schemas/{name}"


def reference(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Where the schema of a type is found."""
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def json_of(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """An answer in JSON, as a route declares it."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def add_answers(app: FastAPI) -> None:
    """Let the description that FastAPI makes of the application have the types of the answers."""
    describe = app.openapi

    def whole() -> dict[str, Any]:
        if app.openapi_schema is None:
            found = describe()
            parts = found.setdefault("components", {}).setdefault("schemas", {})
            parts.update(answer_parts(REFERENCE))
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = whole  # type: ignore[method-assign]  # as FastAPI's guide has it
