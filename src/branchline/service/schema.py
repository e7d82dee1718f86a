"""One schema for all that leaves the server: messages of the socket, and answers over HTTP."""

from __future__ import annotations

import ast
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

import msgspec

from branchline.drawing.file_format import Drawing
from branchline.engine.record import Record
from branchline.service import answers, messages

ANSWERS: Final = (
    answers.About,
    answers.BoardSummary,
    answers.BoardFacts,
    answers.RuleText,
    answers.TableAnswer,
    answers.TableBrief,
    answers.SeatAnswer,
    answers.NewTableAnswer,
    answers.LinkAnswer,
    answers.RematchAnswer,
    answers.History,
    answers.RankedPerson,
    answers.ErrorAnswer,
    answers.Replay,
    Record,
    Drawing,
)


def answer_parts(ref_template: str) -> dict[str, Any]:
    """The JSON Schema of every answer and of what is in it, by name."""
    _, parts = msgspec.json.schema_components(ANSWERS, ref_template=ref_template)
    # A rule's parameters are its own; `branchline maps schema` prints them.
    rule = {"type": "object", "properties": {"rule": {"type": "string"}}, "required": ["rule"]}
    parts["RuleEntry"] = {"title": "RuleEntry", **rule, "additionalProperties": True}
    ref = {"$ref": ref_template.format(name="RuleEntry")}
    parts["BoardFacts"]["properties"]["rule_list"]["items"] = ref
    describe_fields(parts)
    return parts


def schema() -> dict[str, Any]:
    """The JSON Schema of all messages and answers."""
    found = messages.schema()
    describe_fields(found["$defs"])
    parts = {**found["$defs"], **answer_parts("#/$defs/{name}")}
    return {
        **found,
        "title": "Branchline, messages of the table socket and answers over HTTP",
        "$defs": parts,
    }


def describe_fields(parts: dict[str, Any]) -> None:
    """Give each field the description that stands below it in the source of its type."""
    for name, field, text in described_fields():
        for part in parts.values():
            inherits = part.get("title") in heirs(name)
            if inherits and field in part.get("properties", {}):
                part["properties"][field].setdefault("description", text)


def heirs(name: str) -> frozenset[str]:
    """The names of a type and of those that add fields to it."""
    kind = getattr(answers, name, None) or getattr(messages, name)
    return frozenset([name, *(heir.__name__ for heir in kind.__subclasses__())])


@cache
def described_fields() -> list[tuple[str, str, str]]:
    """The fields of messages and answers that have a description: type, field, text."""
    found = []
    for file in ("messages.py", "answers.py"):
        source = (resources.files("branchline.service") / file).read_text(encoding="utf-8")
        for kind in ast.parse(source).body:
            if not isinstance(kind, ast.ClassDef):
                continue
            for field, text in pairwise(kind.body):
                match field, text:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(words))),
                    ):
                        found.append((kind.name, name, words))
    return found
