"""Shows the examples of docstrings as code, which begin with `>>>` and have no heading."""

from __future__ import annotations

import re
from typing import Any, Final

import griffe

EXAMPLE: Final = re.compile(r"(?m)^>>> .*(?:\n(?!\s*$).*)*")


class FencedExamples(griffe.Extension):
    """Puts a fence around each paragraph that begins with `>>>`."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text of a docstring with its examples in fences."""
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
