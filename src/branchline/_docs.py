"""What `help` says about compiled classes: the compiler drops docstrings, the sources have them.

This file is never compiled.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast


class _Docs:
    """In the place of a class's docstring: reads it from the source when somebody asks for it."""

    def __get__(self, instance: object, owner: type) -> str:
        return docs_of(owner.__module__, owner.__qualname__)


def lend_docs(*classes: type) -> None:
    """Let these classes have their docstrings where the compiler has left them out."""
    for cls in classes:
        if not cls.__doc__:
            cls.__doc__ = _Docs()  # type: ignore[assignment]


@lru_cache(maxsize=64)
def docs_of(module: str, name: str) -> str:
    """The docstring of a class, and below it those of its public methods and properties."""
    import ast  # takes longer than the rest of the package, and few ask

    for node in ast.parse(_source(module)).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            items = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            members = [_member(item) for item in items if not item.name.startswith("_")]
            return "\n\n".join(filter(None, [ast.get_docstring(node), *members]))
    return ""


def _source(module: str) -> str:
    """The text of a module's source, which lies beside the compiled one."""
    folders = module.split(".")[1:]
    path = Path(__file__).parent.joinpath(*folders).with_suffix(".py")
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _member(item: ast.FunctionDef) -> str:
    """How a method or property is called, and its docstring; nothing if it has none."""
    import ast

    doc = ast.get_docstring(item)
    if not doc:
        return ""
    arguments = ast.unparse(item.args).removeprefix("self").removeprefix(", ")
    is_property = "property" in [ast.unparse(d) for d in item.decorator_list]
    head = item.name if is_property else f"{item.name}({arguments})"
    return f"{head}\n    " + doc.replace("\n", "\n    ")
