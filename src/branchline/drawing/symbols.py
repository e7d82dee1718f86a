"""The symbols and colours of the cards: nothing on a board is shown by colour alone."""

from __future__ import annotations

from typing import Final, NamedTuple

SYMBOLS: Final[dict[str, str]] = {
    "pink": (
        "M10 17.5C3.5 12 2 9 2 6.6A4.3 4.3 0 0 1 10 4.6 4.3 4.3 0 0 1 18 6.6C18 9 16.5 12 10 17.5z"
    ),
    "blue": "M10 1.5C14.2 7.4 16.3 10.3 16.3 12.8a6.3 6.3 0 0 1-12.6 0C3.7 10.3 5.8 7.4 10 1.5z",
    "orange": "M10 2 19 17.5H1z",
    "white": (
        "M10 1.8a8.2 8.2 0 1 0 0 16.4 8.2 8.2 0 0 0 0-16.4z"
        "M10 6.4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2z"
    ),
    "green": "M2.5 17.5C1.5 8 7 2 17.5 2.5 18 13 12 18.5 2.5 17.5z",
    "yellow": "M10 1.2l2.6 5.7 6.2.7-4.6 4.2 1.3 6.1L10 14.8l-5.5 3.1 1.3-6.1L1.2 7.6l6.2-.7z",
    "black": "M3.2 3.2h13.6v13.6H3.2z",
    "red": "M7.2 1.8h5.6v5.4h5.4v5.6h-5.4v5.4H7.2v-5.4H1.8V7.2h5.4z",
    "locomotive": (
        "M2 2.8h7.6v2.3h-1v3.5h3.7V5.1h-1.2V2.8h5v2.3h-1.2v3.5h1.5c1 0 1.8.8 1.8 1.8v3H2z"
        "M3.8 5.1v3h2.9v-3zM5 13.9a2.4 2.4 0 1 0 .01 0zM10.8 14.3a2.1 2.1 0 1 0 .01 0z"
        "M15.7 14.3a2.1 2.1 0 1 0 .01 0z"
    ),
}
"""Path data in a box of 20 by 20, by the colour of a card; holes by the even-odd rule."""


class Paint(NamedTuple):
    """How a car of a colour is painted."""

    fill: str
    edge: str
    symbol: str


PAINTS: Final[dict[str, Paint]] = {
    "pink": Paint("#dc86d8", "#7a2f82", "#501757"),
    "blue": Paint("#3f82d6", "#173f7a", "#ffffff"),
    "orange": Paint("#f08c2e", "#87440a", "#4d2400"),
    "white": Paint("#f7f5ef", "#7c776a", "#6a6558"),
    "green": Paint("#4f9d4a", "#1f5220", "#ffffff"),
    "yellow": Paint("#f5cf3d", "#8a6a06", "#6b4e00"),
    "black": Paint("#3b3b42", "#111114", "#e9e9ee"),
    "red": Paint("#cf3f36", "#6f1511", "#ffffff"),
    "gray": Paint("#b4b2ac", "#66645e", "#66645e"),
}
"""The same in both themes, so that a card looks the same wherever it lies."""


class Slot(NamedTuple):
    """How a free space is painted: a band of its colour around a hollow, which holds the symbol."""

    band: str
    hollow: str
    edge: str
    symbol: str


def slot_paint(name: str, theme: str) -> Slot:
    """The paint of a free space of a colour, on a light or a dark page.

    >>> slot_paint("blue", "light").band
    '#3f82d6'
    """
    paint = PAINTS[name]
    if theme == "light":
        return Slot(paint.fill, mix(paint.fill, "#fffdf6", 0.8), paint.edge, paint.edge)
    band = "#5a5c66" if name == "black" else paint.fill  # black on dark land would be lost
    return Slot(band, mix(band, "#14171b", 0.72), "#0b0d10", mix(band, "#ffffff", 0.6))


def mix(one: str, two: str, part: float) -> str:
    """A colour between two others: `part` of the second.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(one[k : k + 2], 16), int(two[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{int(a * (1 - part) + b * part + 0.5):02x}" for a, b in pairs)


def sprite() -> str:
    """All symbols as definitions of an SVG; use them by `#symbol-<colour>`.

    >>> sprite().count("<symbol")
    9
    """
    return "".join(
        f'<symbol id="symbol-{name}" viewBox="0 0 20 20">'
        f'<path fill-rule="evenodd" fill="currentColor" d="{path}"/></symbol>'
        for name, path in SYMBOLS.items()
    )
