"""Rows as columns for networks: amounts scaled, codes one-hot."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from branchline.engine.encoding import Encoding

WIDEST: Final = 16
"""Codes with more values stay one scaled column each: routes in registers, sightings, actions."""


class Columns:
    """Turns rows of integers into float32 columns.

    An amount is one column from 0 to 1. A code with at most 16 values is a column for each value
    but 0, of which at most one is 1.

    >>> import branchline
    >>> encoding = Encoding(branchline.Game("usa", seats=2))
    >>> columns = Columns(encoding)
    >>> columns.names[:2], columns.size
    (['laid 0', 'laid 1'], 577)
    """

    def __init__(self, encoding: Encoding) -> None:
        source, value, scale, names = [], [], [], []
        for f in encoding.fields:
            split = f.code and f.most < WIDEST
            for k in range(f.size):
                for code in range(1, f.most + 1) if split else [0]:
                    source.append(f.offset + k)
                    value.append(code)
                    scale.append(0.0 if split else 1 / f.most)
                    names.append(f"{f.name} {k} = {code}" if split else f"{f.name} {k}")
        self.size: Final = len(source)
        self.names: Final = names
        self._source: Final = np.array(source)
        self._value: Final = np.array(value, np.int16)
        self._scale: Final = np.array(scale, np.float32)
        self._codes: Final = self._scale == 0

    def __call__(self, rows: NDArray[Any], out: NDArray[np.float32] | None = None) -> NDArray[Any]:
        """The columns of rows, in `out` if it is given."""
        taken = rows[..., self._source]
        columns: NDArray[Any] = np.multiply(taken, self._scale, out=out)
        np.copyto(columns, taken == self._value, where=self._codes)
        return columns
