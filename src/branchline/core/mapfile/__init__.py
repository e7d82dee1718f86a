"""Map files: reading a board from TOML, checking it, and replacing its lists by overlays.

Structure is what the classes of `schema` say; `checks` adds what only the whole file shows. Both
collect every problem before they complain. What the rules need is checked where rules are known.

>>> board = load_board(builtin_boards()[0])
>>> board_from_data(board.source, "again").digest == board.digest
True
"""

from branchline.core.mapfile.build import board_from_data
from branchline.core.mapfile.files import MAX_BYTES
from branchline.core.mapfile.load import builtin_boards, load_board, overlay_target
from branchline.core.mapfile.problems import (
    MapError,
    MapProblem,
    Phrase,
    as_is,
    closest,
    no_city,
    phrase,
    place_of,
)
from branchline.core.mapfile.schema import (
    CardColour,
    Data,
    Id,
    Text,
    in_every_language,
    map_schema,
)
from branchline.core.mapfile.validation import misfits

__all__ = [
    "MAX_BYTES",
    "CardColour",
    "Data",
    "Id",
    "MapError",
    "MapProblem",
    "Phrase",
    "Text",
    "as_is",
    "board_from_data",
    "builtin_boards",
    "closest",
    "in_every_language",
    "load_board",
    "map_schema",
    "misfits",
    "no_city",
    "overlay_target",
    "phrase",
    "place_of",
]
