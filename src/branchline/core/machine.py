"""The machine types: real ones where the code is compiled, plain ones where it is not.

Compiled modules never run this file's substitutes: the compiler reads `machine.pyi`, which names
the true types. Uncompiled, an `i64` is an `int` and a `vec` is a `list`. So code that uses them
must keep every intermediate within 63 bits and never grow or compare a `vec` in place.
"""

from __future__ import annotations

from typing import Any

i64 = int


class vec:
    """`vec[i64](items)` is a list when the code is not compiled."""

    def __class_getitem__(cls, item: Any) -> Any:
        return list
