"""The numbers that the claim under way keeps, and the kinds of its actions."""

from __future__ import annotations

from typing import Final

# Registers of a claim under way.
ROUTE: Final = 0
COLOUR: Final = 1
LOCOS: Final = 2
SETS: Final = 3
EXTRA: Final = 4
LEFT: Final = 5  # substitutes still to name
LEAST: Final = 6  # the lowest kind that may be named next
DUE: Final = 7  # what a tunnel still asks for

CLAIM: Final = 0
PAY: Final = 1
SUBSTITUTE: Final = 2
