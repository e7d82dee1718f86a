"""The boards that come with the program: data only, one TOML file for each."""

from typing import Final

BOARDS: Final = ("iberia", "south_korea", "new_york", "nordic", "usa", "europe")
"""The ids of the boards in the order in which people meet them."""

OVERLAYS: Final = ("usa_1910", "europe_1912")
"""Ticket sets of expansions, in `overlays/`: `--overlay usa_1910`."""
