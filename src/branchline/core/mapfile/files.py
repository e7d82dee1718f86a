"""Reading map files and overlays: those that come with the program, and others by their path."""

from __future__ import annotations

import tomllib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from branchline.core.mapfile.problems import as_is, closest, map_error, phrase
from branchline.maps import BOARDS, OVERLAYS

MAX_BYTES: Final = 1_000_000

FILE_ERRORS: Final[dict[type[OSError], str]] = {
    FileNotFoundError: "no_file",
    IsADirectoryError: "a_folder",
    PermissionError: "no_permission",
}


def read_toml(name_or_path: str) -> dict[str, Any]:
    """The content of the board or overlay of that name, or of that `.toml` file."""
    if name_or_path in BOARDS:
        file: Traversable = resources.files("branchline.maps") / f"{name_or_path}.toml"
    elif name_or_path in OVERLAYS:
        file = resources.files("branchline.maps") / "overlays" / f"{name_or_path}.toml"
    elif name_or_path.endswith(".toml"):
        file = Path(name_or_path)
    else:
        known = phrase("a_name", known=", ".join(BOARDS))
        hint = closest(name_or_path, BOARDS)
        raise map_error(name_or_path, "name", phrase("unknown_name"), known, hint)
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        code = next((word for kind, word in FILE_ERRORS.items() if isinstance(error, kind)), "")
        found = phrase(code) if code else as_is(error.strerror)
        raise map_error(name_or_path, "file", found, phrase("a_file")) from None
    if len(content) > MAX_BYTES:
        raise map_error(name_or_path, "file", phrase("too_large"), phrase("bytes", most=MAX_BYTES))
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        message, _, place = str(error).rstrip(")").partition(" (at ")
        found = phrase("not_toml", text=message)
        raise map_error(name_or_path, place or "file", found, phrase("toml")) from None
