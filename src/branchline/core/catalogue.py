"""The message catalogue: every sentence that a person reads, in every language.

A message is known by a dotted key, `file.name` or `file.table.name`: `rules.BASE-1.title` is the
`title` in the table `[BASE-1]` of `rules.toml`. Every TOML file in a language's folder is part of
the catalogue. A message with a plural is a table of forms, such as `one` and `other`, and the value
`n` chooses among them by the rules in `language.toml`. `{train.other}` in a message is a form of a
noun: the board's own word if it has one (`core/vocabulary.py`), else that of `words.toml`.

A language is a folder with a `language.toml`, in the package's folder `lang` or in one of the
folders that the environment variable `BRANCHLINE_LANGUAGES` names.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from branchline.core.plurals import PluralRules

FALLBACK: Final = "en"  # where something has no words in a language
CITY_NAMES: Final = ("printed", "local")
FORMS: Final = ("one", "other", "a", "the", "no")
"""The forms of a noun."""


def _lang() -> Traversable:
    return files("branchline.lang")


def _read(file: Traversable) -> dict[str, object]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _language_folders() -> dict[str, Traversable]:
    """The folder of each language by its id, English first."""
    more = os.environ.get("BRANCHLINE_LANGUAGES", "").split(os.pathsep)
    found: dict[str, Traversable] = {}
    for parent in (_lang(), *(Path(path) for path in more if path)):
        for folder in parent.iterdir() if parent.is_dir() else ():
            if re.fullmatch("[a-z]{2,3}", folder.name) and (folder / "language.toml").is_file():
                found[folder.name] = folder
    return {lang: found[lang] for lang in sorted(found, key=lambda lang: (lang != "en", lang))}


_folders: Final = _language_folders()
LANGUAGES: Final = tuple(_folders)
"""The ids of all languages, English first."""


def _noun_names() -> tuple[str, ...]:
    words = _read(_folders["en"] / "words.toml")
    return tuple(
        n for n, forms in words.items() if isinstance(forms, dict) and {*FORMS} <= {*forms}
    )


NOUNS: Final = _noun_names()
"""The things that a board may have its own word for."""


class Noun:
    """A word for a thing in the forms that sentences need: "taxi", "taxis", "a taxi" …"""

    def __init__(self, one: str, other: str, a: str, the: str, no: str) -> None:
        self.one: Final = one
        self.other: Final = other
        self.a: Final = a
        self.the: Final = the
        self.no: Final = no

    def __format__(self, spec: str) -> str:
        raise KeyError(self.one)  # a sentence names a form; else a value of that name is missing


class _RuleFacts:
    """What is true of a rule in every language."""

    def __init__(self, book: str, boards: tuple[str, ...]) -> None:
        self.book: Final = book
        self.boards: Final = boards


_messages: Final[dict[str, dict[str, str]]] = {}  # by language, then by whole key; read once
_plurals: Final[dict[str, PluralRules]] = {}  # by language; read once
_nouns: Final[dict[str, dict[str, Noun]]] = {}  # by language, then by name; made once
_facts: Final[dict[str, _RuleFacts]] = {}  # by rule id, in the order of the rules page; read once


class RuleText:
    """A rule as a reader of one language sees it, with its source and the boards it governs."""

    def __init__(self, id: str, title: str, text: str, book: str, boards: tuple[str, ...]) -> None:
        self.id: Final = id
        self.title: Final = title
        self.text: Final = text
        self.book: Final = book
        self.boards: Final = boards


def say(key: str, lang: str, **values: object) -> str:
    """The message `key` in `lang`, with `{name}` replaced by the value called `name`.

    A form of a noun, `{train.other}`, needs no value unless the board has its own word.
    Raises `KeyError` naming the key if there is no such message or if it needs a value that was
    not given.

    >>> say("rules.BASE-1.title", "fr")
    'La pioche'
    """
    messages = _messages_in(lang)
    template = messages.get(key)
    if template is None:
        if key + ".other" not in messages:
            raise KeyError(f"no message {key!r} in {lang!r}")
        if "n" not in values:
            raise KeyError(f"message {key!r} in {lang!r} needs the value 'n'")
        template = messages[f"{key}.{_plural_form(values['n'], lang)}"]
    try:
        return template.format_map({**nouns(lang), **values})
    except KeyError as missing:
        name = str(missing.args[0])
        raise KeyError(f"message {key!r} in {lang!r} needs the value {name!r}") from None


def has_message(key: str, lang: str) -> bool:
    """Whether the catalogue has a message, with or without a plural.

    >>> has_message("rules.BASE-1.title", "fr"), has_message("rules.BASE-1.joke", "fr")
    (True, False)
    """
    messages = _messages_in(lang)
    return key in messages or f"{key}.other" in messages


def nouns(lang: str) -> dict[str, Noun]:
    """The usual words for the things of a game, by the names in `NOUNS`."""
    found = _nouns.get(lang)
    if found is None:
        messages = _messages_in(lang)
        found = {
            name: Noun(*[messages[f"words.{name}.{form}"] for form in FORMS]) for name in NOUNS
        }
        _nouns[lang] = found
    return found


@cache
def _colours(lang: str) -> dict[str, object]:
    """The usual names of the colours."""
    found: dict[str, object] = {}
    for key, text in _messages_in(lang).items():
        if key.startswith("words.colour.") and key.endswith(".name"):
            found[key.split(".")[2]] = text
    return found


def plural_forms(lang: str) -> list[str]:
    """The forms that a message with a plural has in `lang`.

    >>> plural_forms("en")
    ['one', 'other']
    """
    return _plural_rules(lang).forms


def pick_language(explicit: str | None) -> str:
    """The language to speak: the one asked for, else the environment's, else English.

    `BRANCHLINE_LANG` comes before the locale. Raises `ValueError` if what was asked for, in either
    way, is not in `LANGUAGES`.

    >>> pick_language("fr")
    'fr'
    """
    wanted = explicit if explicit is not None else os.environ.get("BRANCHLINE_LANG") or None
    if wanted is not None:
        _check_language(wanted)
        return wanted
    # The first of these that is set decides, as for every program that follows POSIX.
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = os.environ.get(variable, "")
        if locale:
            lang = re.split(r"[_.@-]", locale.lower())[0]
            return lang if lang in LANGUAGES else "en"
    return "en"


def pick_city_names(explicit: str | None, lang: str) -> str:
    """The language of city names: none, which is as printed on the board, or the reader's.

    `printed` or `local`, as asked for, else by `BRANCHLINE_CITY_NAMES`, else `printed`. Raises
    `ValueError` if it is something else.

    >>> pick_city_names("printed", "fr"), pick_city_names("local", "fr")
    ('', 'fr')
    """
    wanted = explicit if explicit is not None else os.environ.get("BRANCHLINE_CITY_NAMES")
    if wanted not in (None, "", *CITY_NAMES):
        raise ValueError(f"unknown city names {wanted!r}; choose from: {', '.join(CITY_NAMES)}")
    return lang if wanted == "local" else ""


def rule_ids() -> list[str]:
    """Every rule id, in the order of the rules page.

    >>> rule_ids()[:2]
    ['BASE-1', 'BASE-2']
    """
    return list(_rule_facts())


def rule_text(id: str, lang: str, words: Mapping[str, object] | None = None) -> RuleText:
    """The rule `id` in `lang`, in a board's words (`Vocabulary.of_rules`) if they are given.

    Raises `KeyError` naming the id if there is no such rule.

    >>> rule_text("BASE-13", "en").title
    'Opening tickets'
    """
    facts = _rule_facts().get(id)
    if facts is None:
        raise KeyError(f"no rule {id!r}")
    values = {**_colours(lang), **(words or {})}
    title = say(f"rules.{id}.title", lang, **values)
    text = say(f"rules.{id}.text", lang, **values)
    return RuleText(id, title, text, facts.book, facts.boards)


def _check_language(lang: str) -> None:
    if lang not in LANGUAGES:
        raise ValueError(f"unsupported language {lang!r}; supported: {', '.join(LANGUAGES)}")


def _plural_form(n: object, lang: str) -> str:
    if not isinstance(n, (int, float)):
        raise TypeError(f"a plural is chosen by a number, not by {n!r}")
    return _plural_rules(lang).form(n)


def _plural_rules(lang: str) -> PluralRules:
    rules = _plurals.get(lang)
    if rules is None:
        conditions = _read(_folders[lang] / "language.toml").get("plural")
        rules = PluralRules(conditions if isinstance(conditions, dict) else {})
        _plurals[lang] = rules
    return rules


def _messages_in(lang: str) -> dict[str, str]:
    messages = _messages.get(lang)
    if messages is None:
        _check_language(lang)
        messages = {}
        for file in _folders[lang].iterdir():
            if file.name.endswith(".toml"):
                _flatten(file.name.removesuffix(".toml"), _read(file), messages)
        _messages[lang] = messages
    return messages


def _rule_facts() -> dict[str, _RuleFacts]:
    if not _facts:
        read: dict[str, _RuleFacts] = {}
        for id, table in _read(_lang() / "rules.toml").items():
            if not isinstance(table, dict):
                raise TypeError(f"rule {id!r} is not a table")
            read[id] = _RuleFacts(str(table["book"]), tuple(str(b) for b in table["boards"]))
        _facts.update(read)
    return _facts


def _flatten(prefix: str, table: Mapping[str, object], into: dict[str, str]) -> None:
    for name, value in table.items():
        key = f"{prefix}.{name}"
        if isinstance(value, str):
            into[key] = value
        elif isinstance(value, dict):
            _flatten(key, value, into)
        else:
            raise TypeError(f"message {key!r} is neither text nor a table")
