"""Small drawings in the rows of a table, next to the numbers that they show.

Widths are in percent, so that the drawings fit any screen while letters keep their size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

PATTERNS: Final = (
    ("#0072b2", ""),
    ("#009e73", "M0 8L8 0M-2 2L2 -2M6 10L10 6"),
    ("#d55e00", "M0 0L8 8M-2 6L2 10M6 -2L10 2"),
    ("#cc79a7", "M0 4H8"),
    ("#e69f00", "M4 0V8"),
    ("#56b4e9", "M0 4H8M4 0V8"),
    ("#8c6d31", "M2 2h1v1h-1zM6 6h1v1h-1z"),
    ("#6a51a3", "M0 8L8 0M0 0L8 8"),
    ("#555555", "M0 2H8M0 6H8"),
)
"""Colours that colour-blind readers tell apart, each with its own hatching."""


def pattern_defs() -> str:
    """The fillings, once for a page."""
    parts = []
    for k, (colour, path) in enumerate(PATTERNS):
        lines = f'<path d="{path}" stroke="#fff" stroke-width="1.3" fill="none"/>' if path else ""
        parts.append(
            f'<pattern id="fill{k}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<rect width="8" height="8" fill="{colour}"/>{lines}</pattern>'
        )
    return f'<svg class="defs" aria-hidden="true"><defs>{"".join(parts)}</defs></svg>'


def swatch(k: int) -> str:
    """A filling for a legend."""
    fill = f'<rect width="18" height="12" fill="url(#fill{k % len(PATTERNS)})"/>'
    return f'<svg class="swatch" width="18" height="12" aria-hidden="true">{fill}</svg>'


class Scale:
    """Values on a line, as percentages of its width."""

    def __init__(self, low: float, high: float) -> None:
        self.low: Final = low
        self.high: Final = high if high > low else low + 1.0

    def at(self, value: float) -> float:
        """Where a value lies, clamped to the line."""
        part = (value - self.low) / (self.high - self.low)
        return 2 + 96 * min(1.0, max(0.0, part))


def whisker(scale: Scale, value: float, low: float, high: float, mark: float) -> str:
    """A point with its interval, and a dashed line at a value to compare with."""
    one, two = scale.at(low), scale.at(high)
    lines = [
        _upright(scale.at(mark), 0, 22, "mark"),
        f'<line class="span" x1="{one:.2f}%" x2="{two:.2f}%" y1="11" y2="11"/>',
        _upright(one, 6, 16, "span"),
        _upright(two, 6, 16, "span"),
        f'<circle class="dot" cx="{scale.at(value):.2f}%" cy="11" r="4.5"/>',
    ]
    return _chart(lines)


def bar(scale: Scale, value: float) -> str:
    """A bar from the start of the scale."""
    start = scale.at(scale.low)
    wide = scale.at(value) - start
    return _chart([f'<rect class="bar" x="{start}%" y="4" width="{wide:.2f}%" height="14"/>'])


def stack(scale: Scale, parts: Sequence[tuple[int, float]]) -> str:
    """Parts side by side: gains to the right of zero, losses to the left of it."""
    right = left = 0.0
    shapes = []
    for fill, value in parts:
        start, end = (right, right + value) if value >= 0 else (left + value, left)
        right, left = (end, left) if value >= 0 else (right, start)
        x, wide = scale.at(start), scale.at(end) - scale.at(start)
        shapes.append(
            f'<rect x="{x:.2f}%" y="3" width="{wide:.2f}%" height="16" class="part" '
            f'fill="url(#fill{fill % len(PATTERNS)})"/>'
        )
    shapes.append(_upright(scale.at(0.0), 0, 22, "zero"))
    return _chart(shapes)


def _upright(x: float, top: int, bottom: int, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.2f}%" x2="{x:.2f}%" y1="{top}" y2="{bottom}"/>'


def _chart(shapes: Sequence[str]) -> str:
    inside = "".join(shapes)
    return f'<svg class="chart" width="100%" height="22" aria-hidden="true">{inside}</svg>'
