"""The frame around everything, and free places in it for the title and the compass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.drawing.file_format import Box
from branchline.drawing.geometry import Bar, bounds, boxes_overlap, flat_bar, overlap

EDGE: Final = 40.0
AIR: Final = 10.0  # between the boxes and everything else
INSET: Final = 18.0  # between the boxes and the edge of the picture
TITLE: Final = (220.0, 54.0)
COMPASS: Final = (60.0, 60.0)
NARROWEST: Final = 0.62  # width by height


def framed(
    solid: Sequence[Bar], title: Box | None = None, compass: Box | None = None
) -> tuple[Box, Box, Box]:
    """The frame around the solid shapes, and boxes within it for the title and the compass.

    Boxes that are given stay where they are.
    """
    solid = [*solid, *(flat_bar(box) for box in (title, compass) if box)]
    left, top, wide, high = bounds([point for shape in solid for point in shape.corners])
    left, top, wide, high = left - EDGE, top - EDGE, wide + 2 * EDGE, high + 2 * EDGE
    if wide < NARROWEST * high:
        left -= (NARROWEST * high - wide) / 2
        wide = NARROWEST * high
    frame = (left, top, wide, high)
    title = title or _free_place(frame, TITLE, solid, [])
    if title is None:
        wide, more = max(wide, TITLE[0] + 2 * INSET), TITLE[1] + INSET
        frame = (left, top - more, wide, high + more)
        title = (left + INSET, top - more + INSET, *TITLE)
    compass = compass or _free_place(frame, COMPASS, solid, [title])
    if compass is None:
        frame = (frame[0], frame[1], frame[2], frame[3] + COMPASS[1] + INSET)
        right, bottom = frame[0] + frame[2] - INSET, frame[1] + frame[3] - INSET
        compass = (right - COMPASS[0], bottom - COMPASS[1], *COMPASS)
    return frame, title, compass


def _free_place(
    frame: Box, size: tuple[float, float], solid: Sequence[Bar], taken: Sequence[Box]
) -> Box | None:
    """The free box of that size that is nearest to a corner of the frame."""
    wide, high = frame[2] - size[0] - 2 * INSET, frame[3] - size[1] - 2 * INSET
    if wide < 0 or high < 0:
        return None
    near = [(shape, bounds(shape.corners)) for shape in solid]
    places = [
        (min(x, wide - x) + min(y, high - y), y, x)
        for x in [*range(0, int(wide), 12), wide]
        for y in [*range(0, int(high), 12), high]
    ]
    for _, y, x in sorted(places):
        box = (frame[0] + INSET + x, frame[1] + INSET + y, *size)
        if any(boxes_overlap(box, other, AIR) for other in taken):
            continue
        here = flat_bar(box)
        if not any(boxes_overlap(box, b, AIR) and overlap(here, s) > -AIR for s, b in near):
            return box
    return None
