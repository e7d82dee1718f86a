"""Words that a shell completes: boards, bots, rules, and files of the current folder."""

from __future__ import annotations

from pathlib import Path

from branchline.bots import bot_names
from branchline.core.catalogue import rule_ids
from branchline.core.mapfile import builtin_boards


def board_names(incomplete: str) -> list[str]:
    """Boards that come with the program, and board files."""
    return _beginning([*builtin_boards(), *_files("*.toml")], incomplete)


def bot_choices(incomplete: str) -> list[str]:
    """Bots for a list with commas: what comes after the last comma is completed."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _beginning(bot_names(), last)]


def rules(incomplete: str) -> list[str]:
    """Ids of rules."""
    return _beginning(rule_ids(), incomplete.upper())


def _files(pattern: str) -> list[str]:
    return sorted(path.name for path in Path().glob(pattern))


def _beginning(words: list[str], start: str) -> list[str]:
    return [word for word in words if word.startswith(start)]
