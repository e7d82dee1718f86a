"""Templates for authors: a bot and a board that work as they are, with comments on what to change.

The comments come from the catalogue, so that an author reads them in his or her language.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import textwrap
from pathlib import Path
from typing import Final

from branchline.core.catalogue import LANGUAGES, say
from branchline.core.mapfile import builtin_boards
from branchline.tui.problems import UserError, file_problem

WIDTH: Final = 88

BOT: Final = '''"""{module}"""

import random

from branchline import Game, View


class {name}:
    """{about}"""

    def __init__(self, boldness: float = 0.9) -> None:
        {parameters}
        self.boldness = boldness

    def start(self, game: Game, seat: int, seed: int | str) -> None:
        {start}
        self.game = game
        self.chance = random.Random(f"{{seed}}/{{seat}}")

    def decide(self, view: View, seconds: float) -> int:
        {decide}
        claims = [action for action in view.actions if self.spaces(action) > 0]
        if claims and self.chance.random() < self.boldness:
            return max(claims, key=self.spaces)
        return self.chance.choice(view.actions)

    def finish(self, view: View) -> None:
        """{finish}"""

    def spaces(self, action: int) -> int:
        """{spaces}"""
        route = self.game.action(action).route
        return 0 if route is None else self.game.board.routes[route].length
'''

BOARD: Final = """{head}

format = 1
id = "{id}"
name.en = "{title}"
name.fr = "{title}"
seats = [2, 4]
trains = 20
{colours}
colours = ["red", "blue", "green", "yellow"]

{cities}
cities.derry     = {{ name = "Derry", lat = 55.00, lon = -7.32 }}
cities.belfast   = {{ name = "Belfast", lat = 54.60, lon = -5.93 }}
cities.sligo     = {{ name = "Sligo", lat = 54.27, lon = -8.47 }}
cities.galway    = {{ name = "Galway", lat = 53.27, lon = -9.05 }}
cities.athlone   = {{ name = "Athlone", lat = 53.42, lon = -7.94 }}
cities.dublin    = {{ name = "Dublin", lat = 53.35, lon = -6.26 }}
cities.limerick  = {{ name = "Limerick", lat = 52.67, lon = -8.63 }}
cities.waterford = {{ name = "Waterford", lat = 52.26, lon = -7.11 }}
cities.cork      = {{ name = "Cork", lat = 51.90, lon = -8.47 }}

{routes}
routes = [
  {{ between = ["derry", "belfast"],      length = 2, colour = "red" }},
  {{ between = ["derry", "sligo"],        length = 3, colour = "gray" }},
  {{ between = ["derry", "dublin"],       length = 4, colour = "green" }},
  {{ between = ["belfast", "dublin"],     length = 3, colour = "blue" }},
  {{ between = ["belfast", "dublin"],     length = 3, colour = "yellow" }},
  {{ between = ["sligo", "galway"],       length = 2, colour = "yellow" }},
  {{ between = ["sligo", "athlone"],      length = 2, colour = "blue" }},
  {{ between = ["galway", "athlone"],     length = 2, colour = "gray" }},
  {{ between = ["galway", "limerick"],    length = 2, colour = "green" }},
  {{ between = ["athlone", "dublin"],     length = 2, colour = "red" }},
  {{ between = ["athlone", "limerick"],   length = 2, colour = "gray" }},
  {{ between = ["dublin", "waterford"],   length = 3, colour = "gray" }},
  {{ between = ["limerick", "waterford"], length = 3, colour = "red" }},
  {{ between = ["limerick", "cork"],      length = 2, colour = "yellow" }},
  {{ between = ["waterford", "cork"],     length = 3, colour = "blue", tunnel = true }},
]

{tickets}
tickets = [
  {{ between = ["derry", "cork"],       points = 10 }},
  {{ between = ["belfast", "cork"],     points = 9 }},
  {{ between = ["belfast", "galway"],   points = 7 }},
  {{ between = ["derry", "waterford"],  points = 8 }},
  {{ between = ["sligo", "dublin"],     points = 4 }},
  {{ between = ["galway", "dublin"],    points = 4 }},
  {{ between = ["sligo", "waterford"],  points = 7 }},
  {{ between = ["derry", "athlone"],    points = 5 }},
  {{ between = ["limerick", "dublin"],  points = 4 }},
  {{ between = ["galway", "cork"],      points = 4 }},
  {{ between = ["belfast", "limerick"], points = 7 }},
  {{ between = ["athlone", "cork"],     points = 4 }},
]

{rules}
rules = [
  {{ rule = "deck", per_colour = 10, locomotives = 10, hand = 4, display = 5 }},
  {{ rule = "opening_tickets", deal = 3, keep = 2, rejected = "bottom" }},
  {{ rule = "draw_cards", cards = 2, face_up_locomotive = "ends_draw" }},
  {{ rule = "locomotive_reset", at = 3, limit = 3 }},
  {{ rule = "claim_routes", points = [1, 2, 4, 7] }},
  {{ rule = "doubles", open_from = 3 }},
  {{ rule = "tunnels", reveal = 3 }},
  {{ rule = "draw_tickets", draw = 2, keep = 1, rejected = "bottom" }},
  {{ rule = "ending", trains = 2 }},
  {{ rule = "longest_path", points = 5 }},
  {{ rule = "tie_breaks", order = ["tickets"] }},
]

{provenance}
[[provenance]]
part = "routes"
status = "exact"
{sources}
"""


def new_bot(name: str, lang: str) -> tuple[Path, str]:
    """Write a new bot; returns its file and how it is called."""
    stem = name.removesuffix(".py")
    if not stem.isidentifier() or not stem.isascii() or keyword.iskeyword(stem):
        raise UserError("bad_bot_name", {"name": name[:80]})
    path = Path(f"{stem}.py")
    if not path.exists() and importlib.util.find_spec(stem) is not None:
        raise UserError("module_taken", {"name": stem[:80]})
    bot = "".join(word[:1].upper() + word[1:] for word in stem.split("_")) or "Mine"
    if not bot.isidentifier():
        bot = f"Bot{bot}"
    spec = f"{stem}:{bot}"

    def t(key: str) -> str:
        return say(f"starts.bot.{key}", lang, bot=spec)

    module = f"{t('module')}\n\n" + "\n".join(f"    {line}" for line in BOT_COMMANDS) + "\n"
    comments = {key: comment(t(key), 8) for key in ("parameters", "start", "decide")}
    text = BOT.format(
        name=bot,
        module=module.replace("BOT", spec),
        about=t("about"),
        finish=t("finish"),
        spaces=t("spaces"),
        **comments,
    )
    write_new(path, text)
    return path, spec


BOT_COMMANDS: Final = (
    "branchline bots check BOT",
    "branchline play --against BOT",
    "branchline arena BOT normal --map usa",
    "branchline serve --bot BOT",
)


def new_board(name: str, lang: str) -> Path:
    """Write a new board; returns its file."""
    id = name.removesuffix(".toml")
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", id):
        raise UserError("bad_board_id", {"name": name[:80]})
    if id in builtin_boards():
        raise UserError("board_taken", {"name": id})
    path = Path(f"{id}.toml")

    def t(key: str) -> str:
        return say(f"starts.board.{key}", lang, file=path.name)

    commands = "\n".join(f"#     {line.replace('FILE', path.name)}" for line in BOARD_COMMANDS)
    parts = ("colours", "cities", "routes", "tickets", "rules", "provenance")
    text = BOARD.format(
        id=id,
        title=id.replace("_", " ").capitalize(),
        head=f"{comment(t('head'))}\n#\n{commands}\n#\n{comment(t('more'))}",
        sources="\n".join(f'{name} = "{say("starts.board.source", name)}"' for name in LANGUAGES),
        **{part: comment(t(part)) for part in parts},
    )
    write_new(path, text)
    return path


BOARD_COMMANDS: Final = (
    "branchline maps check FILE",
    "branchline maps watch FILE",
    "branchline play --map FILE",
    "branchline serve --board FILE",
)


def comment(text: str, indent: int = 0) -> str:
    """A text as lines of comment; the first is already indented."""
    lines = textwrap.wrap(text, WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    return f"\n{' ' * indent}".join(f"# {line}" for line in lines)


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UserError("file_exists", {"path": str(path)}) from None
    except OSError as error:
        raise file_problem("file_unwritable", str(path), error) from None
