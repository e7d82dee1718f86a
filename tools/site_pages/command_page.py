"""The reference of the command, from its own help texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import typer

from branchline.cli import make_app
from branchline.core.catalogue import say

INTRODUCTIONS: Final = Path(__file__).parent / "introductions"
COLUMNS: Final = {
    "en": {"argument": "what it is", "option": "what it does"},
    "fr": {"argument": "signification", "option": "effet"},
}


def page(lang: str) -> str:
    """Every command below the other, groups before their parts."""
    introduction = (INTRODUCTIONS / f"command.{lang}.md").read_text("utf-8").strip()
    root: Any = typer.main.get_command(make_app(lang))
    return "\n\n".join([introduction, *_sections(root, "branchline", lang)]) + "\n"


def _sections(command: Any, name: str, lang: str) -> list[str]:
    context = command.context_class(command, info_name=name, **command.context_settings)
    usage = " ".join(command.get_usage(context).split())
    usage = usage.removeprefix(say("cli.usage", lang)).strip()
    parts = [f"## {name} {{#{name.replace(' ', '-')}}}", _plain(command.help or "")]
    parts.append(f"```text\n{usage}\n```")
    parameters = [p for p in command.get_params(context) if not getattr(p, "hidden", False)]
    for kind, about in COLUMNS[lang].items():
        rows = [_row(p) for p in parameters if p.param_type_name == kind]
        if rows:
            parts.append("\n".join([f"| {kind} | {about} |", "|---|---|", *rows]))
    for part in getattr(command, "commands", {}).values():
        parts += _sections(part, f"{name} {part.name}", lang)
    return parts


def _row(parameter: Any) -> str:
    names = [*parameter.opts, *parameter.secondary_opts]
    metavar = "" if getattr(parameter, "is_flag", False) else parameter.metavar or ""
    if parameter.param_type_name == "argument":
        shown = f"`{metavar or parameter.name.upper()}`"
    else:
        words = ", ".join(f"`{name}`" for name in names)
        shown = f"{words} `{metavar}`" if metavar else words
    return f"| {shown} | {_plain(parameter.help or '')} |"


def _plain(text: str) -> str:
    """A help text without Rich's markup, in one line, for a table."""
    text = re.sub(r"\[/?(?:bold|dim|italic|cyan|green|yellow)\]", "", text)
    return re.sub(r"\s*\n\s*", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")
