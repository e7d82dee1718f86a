"""Finding points that are near each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from branchline.drawing.file_format import PIECE_LENGTH, PIECE_WIDTH, Box
from branchline.drawing.geometry import Bar, overlap


class Grid:
    """Points sorted into cells, to find those that are near."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float], size: float) -> None:
        self._xs, self._ys, self._size = xs, ys, size
        self._cells: dict[tuple[int, int], list[int]] = {}
        for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
            self._cells.setdefault((int(x // size), int(y // size)), []).append(i)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The pairs that are nearer to each other than a cell's size, in x and in y."""
        xs, ys, size = self._xs, self._ys, self._size
        for (cx, cy), inside in self._cells.items():
            around = [(cx + 1, cy), (cx - 1, cy + 1), (cx, cy + 1), (cx + 1, cy + 1)]
            neighbours = [j for cell in around for j in self._cells.get(cell, ())]
            for n, i in enumerate(inside):
                x, y = xs[i], ys[i]
                for j in inside[:n] + neighbours:
                    if -size < xs[j] - x < size and -size < ys[j] - y < size:
                        yield i, j

    def within(self, box: Box) -> Iterator[int]:
        """The points in a box, and perhaps a few around it."""
        left, top, wide, high = box
        size = self._size
        for cx in range(int(left // size), int((left + wide) // size) + 1):
            for cy in range(int(top // size), int((top + high) // size) + 1):
                yield from self._cells.get((cx, cy), ())


def near_pairs(cars: Sequence[Bar]) -> Iterator[tuple[int, int]]:
    """The pairs of cars, or of pieces on them, that may reach into each other."""
    size = hypot(PIECE_LENGTH, PIECE_WIDTH)
    return Grid([c.x for c in cars], [c.y for c in cars], size).pairs()


def total_overlap(cars: Sequence[Bar]) -> float:
    """How far cars reach into each other, all in all."""
    return sum(max(0.0, overlap(cars[i], cars[j])) for i, j in near_pairs(cars))
