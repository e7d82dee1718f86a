"""The machine types: real ones where the code is compiled, plain ones where it is not.

Compiled modules never run this file's substitutes: the compiler reads `machine.pyi`, which names
the true types. Uncompiled, an `i64` is an `int` and a `vec` is a `list`. So code that uses them
must keep every intermediate within 63 bits and never grow or compare a `vec` in place.

A `vec` of small numbers (`u8`, `i16`) or of floats can be read through the buffer protocol,
compiled or not.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import Any

i64 = int


class u8(int):
    """A number from 0 to 255."""


class i16(int):
    """A number from -32,768 to 32,767."""


PLAIN: dict[Any, Any] = {u8: bytearray, i16: partial(array, "h"), float: partial(array, "d")}


class vec:
    """`vec[i64](items)` is a list when the code is not compiled, the others are arrays."""

    def __class_getitem__(cls, item: Any) -> Any:
        return PLAIN.get(item, list)
