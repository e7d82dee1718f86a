"""The reference of all rules' parameters, from their types and docstrings.

The types say what is allowed, the docstrings what it means, and the built-in boards serve as
examples. A parameter without a docstring ends the build.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import inspect

import branchline
from branchline.core.catalogue import LANGUAGES
from branchline.core.mapfile import builtin_boards, load_board
from branchline.rules.parameters import PARAMS, REQUIRED, Params

INTRODUCTION: Final = Path(__file__).parent / "introductions/parameters.md"
SOURCES: Final = Path(branchline.__file__).parent
RULE_ID: Final = re.compile(r"\b((?:BASE|IB|KR|NY|NO|US|EU|RU)-\d+)\b")
COMMON: Final = frozenset(Params.__struct_fields__)
SHOWN_ITEMS: Final = 2


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION.read_text("utf-8").strip(), _overview()]
    for name, kind in PARAMS.items():
        parts += _rule(name, kind)
    return "\n\n".join([*parts, "## What is checked in addition {#checks}", _checks()]) + "\n"


def field_docs(kind: type) -> dict[str, str]:
    """The docstrings of a class's fields by name, also those that it inherits."""
    found: dict[str, str] = {}
    for cls in reversed(kind.__mro__):
        if cls.__module__.startswith("branchline."):
            found |= _docs_in(cls.__module__).get(cls.__name__, {})
    return found


@cache
def _docs_in(module: str) -> dict[str, dict[str, str]]:
    """By class and field, the strings below the fields of a module's classes."""
    return {
        node.name: {
            item.target.id: ast.literal_eval(below.value)
            for item, below in zip(node.body, node.body[1:], strict=False)
            if isinstance(item, ast.AnnAssign)
            and isinstance(item.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
        }
        for node in _tree(module).body
        if isinstance(node, ast.ClassDef)
    }


@cache
def _tree(module: str) -> ast.Module:
    """The source of a module, which lies next to the compiled one."""
    path = SOURCES.joinpath(*module.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text("utf-8"))


def _class_doc(kind: type) -> str:
    for node in _tree(kind.__module__).body:
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            return ast.get_docstring(node) or ""
    return ""


def _overview() -> str:
    rows = ["| rule | what it is | |", "|---|---|---|"]
    for name, kind in PARAMS.items():
        summary = _class_doc(kind).split("\n")[0]
        needed = "every board" if name in REQUIRED else ""
        rows.append(f"| [`{name}`](#{name}) | {_linked(summary)} | {needed} |")
    return "\n".join(rows)


def _rule(name: str, kind: type[Params]) -> Iterator[str]:
    yield f"## `{name}` {{#{name}}}"
    yield _linked(_prose(_class_doc(kind)))
    if name in REQUIRED:
        yield "Every board needs this rule."
    yield from _fields(kind)
    examples = _examples(name)
    if examples:
        yield "On the boards that come with the program:"
        yield "```toml\n" + "\n".join(examples) + "\n```"


def _fields(kind: type) -> Iterator[str]:
    """The table of a class's fields, and below it those of the tables that they hold."""
    docs, info = field_docs(kind), inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    left_out = COMMON | (set(LANGUAGES) - docs.keys())  # a text stands for those in all languages
    fields = [field for field in info.fields if field.name not in left_out]
    if not fields:
        yield "It has no parameters."
        return
    rows = ["| parameter | what it may be | default | |", "|---|---|---|---|"]
    parts: list[type] = []
    for field in fields:
        if field.name not in docs:
            sys.exit(f"{kind.__module__}: {kind.__name__}.{field.name} has no docstring")
        default = "" if field.required else f"`{_toml(field.default)}`"
        meaning = _linked(_prose(docs[field.name]))
        name = field.encode_name
        rows.append(f"| `{name}` | {_type(field.type, parts)} | {default} | {meaning} |")
    yield "\n".join(rows)
    for part in parts:
        yield f"**{_plural(part)}**: {_linked(_class_doc(part))}"
        yield from _fields(part)


def _type(info: inspect.Type, parts: list[type], several: bool = False) -> str:
    """In words, what a parameter may be; the classes of its tables are added to `parts`."""
    match info:
        case inspect.Metadata(extra={"phrase": "a_share"}):
            return 'a share between 0 and 1, as `"2/3"`'
        case inspect.Metadata(type=inner):
            return _type(inner, parts, several)
        case inspect.IntType(ge=low, le=high):
            return f"{'numbers' if several else 'a number'} from {low} to {high}"
        case inspect.BoolType():
            return "`true` or `false`"
        case inspect.StrType(pattern=pattern):
            return _text(pattern or "", several)
        case inspect.LiteralType(values=values):
            return " or ".join(", ".join(f'`"{value}"`' for value in values).rsplit(", ", 1))
        case inspect.ListType(item_type=item, min_length=least, max_length=most):
            return f"a list of {_type(item, parts, several=True)}{_length(least, most)}"
        case inspect.DictType(value_type=value):
            return f"by number of players: {_type(value, parts)}"
        case inspect.UnionType(types=types):
            return " or ".join(_type(one, parts) for one in types)
        case inspect.StructType(cls=cls):
            parts.append(cls)
            return _plural(cls).lower()
    raise TypeError(f"no words for {info}")


def _length(least: int | None, most: int | None) -> str:
    if least and most:
        return f" ({least} to {most} of them)"
    return f" (at least {least})" if least else ""


def _text(pattern: str, several: bool) -> str:
    if "A-Z]+-" in pattern:
        return "rule ids" if several else "a rule id"
    if pattern.startswith("^[a-z]"):
        return "ids" if several else "an id"
    return "texts" if several else "a text"


def _plural(cls: type) -> str:
    """The words of a class's name: `MatLine` is "Mat lines"."""
    words = re.sub(r"(?<=[a-z])([A-Z])", lambda m: f" {m[1].lower()}", cls.__name__)
    return f"{words}s"


def _examples(name: str) -> list[str]:
    """How the built-in boards set a rule; boards that set it alike stand together."""
    found: dict[str, list[str]] = {}
    for id in builtin_boards():
        for entry in load_board(id).rules:
            if entry.name == name:
                line = _entry(name, dict(entry.params))
                found.setdefault(line, []).append(id)
    return [f"# {', '.join(boards)}\n{line}" for line, boards in found.items()]


def _entry(name: str, params: dict[str, Any]) -> str:
    return "{ " + ", ".join([f'rule = "{name}"', *_pairs(params)]) + " }"


def _pairs(table: dict[str, Any]) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in table.items()]


def _toml(value: Any) -> str:
    """A value as board files write it; of a long list of tables, only the first."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case dict():
            return "{ " + ", ".join(_pairs(value)) + " }"
        case list() | tuple() if value and isinstance(value[0], dict):
            shown = "".join(f"\n  {_toml(item)}," for item in value[:SHOWN_ITEMS])
            rest = len(value) - SHOWN_ITEMS
            return f"[{shown}\n  # … and {rest} more\n]" if rest > 0 else f"[{shown}\n]"
        case list() | tuple():
            return "[" + ", ".join(_toml(item) for item in value) + "]"
    return str(value)


def _checks() -> str:
    """What the rules ask of a board beyond the types, by the docstrings of their checks."""
    lines = ["Problems are named with their place in the file:", ""]
    for module in dict.fromkeys(kind.__module__ for kind in PARAMS.values()):
        lines += [
            f"- {ast.get_docstring(node)}"
            for node in _tree(module).body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
        ]
    return "\n".join(lines)


def _prose(doc: str) -> str:
    """A docstring in one line, for a table."""
    return " ".join(doc.split())


def _linked(text: str) -> str:
    """Rule ids lead to the rules."""
    return RULE_ID.sub(lambda m: f"[{m[1]}](rules.md#{m[1].lower()})", text)
