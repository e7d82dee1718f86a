"""The words for the things of one board: its own where its file has them, else the usual ones.

>>> from branchline.core.mapfile import load_board
>>> Vocabulary(load_board("new_york"), "en").nouns["train"].other
'taxis'
>>> Vocabulary(load_board("usa"), "fr").cards("blue", 2)
'2\\xa0cartes bleues'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from branchline.core.board import Board
from branchline.core.catalogue import NOUNS, Noun, nouns, plural_forms, say

LOCOMOTIVE: Final = "locomotive"


class Vocabulary:
    """A board's words in one language."""

    def __init__(self, board: Board, lang: str) -> None:
        own = board.words.get(lang, {})
        self.lang: Final = lang
        self._own: Final = list(own)
        self.nouns: Final[dict[str, Noun]] = {
            **nouns(lang),
            **{name: Noun(**forms) for name, forms in own.items() if name in NOUNS},
        }
        self._colours: Final = {
            name: _whole_colour(forms, lang) for name, forms in own.items() if name not in NOUNS
        }

    def say(self, key: str, **values: object) -> str:
        """A message of the catalogue with this board's nouns in it."""
        return say(key, self.lang, **{**self.nouns, **values})

    def _form(self, colour: str, form: str) -> str:
        if colour in self._colours:
            return self._colours[colour][form]
        return say(f"words.colour.{colour}.{form}", self.lang)

    def _coloured(self, form: str, colour: str, n: int = 1) -> str:
        one, other = self._form(colour, "one"), self._form(colour, "other")
        return say(f"words.coloured.{form}", self.lang, one=one, other=other, n=n)

    def colour(self, name: str) -> str:
        """A colour, or the wild card, by itself: "bleu"."""
        return self.nouns[LOCOMOTIVE].one if name == LOCOMOTIVE else self._form(name, "name")

    def of_route(self, name: str) -> str:
        """A colour as a route has it: "bleue"."""
        return self._form(name, "one")

    def of_cards(self, name: str) -> str:
        """A colour as several cards have it: "bleues"."""
        return self._form(name, "other")

    def letter(self, name: str) -> str:
        """The letter that stands for a colour."""
        return "L" if name == LOCOMOTIVE else self._form(name, "letter")

    def a_card(self, name: str) -> str:
        return self.nouns[LOCOMOTIVE].a if name == LOCOMOTIVE else self._form(name, "a_card")

    def the_card(self, name: str) -> str:
        locomotive = self.nouns[LOCOMOTIVE].the
        return locomotive if name == LOCOMOTIVE else self._coloured("the_card", name)

    def no_card(self, name: str) -> str:
        locomotive = self.nouns[LOCOMOTIVE].no
        return locomotive if name == LOCOMOTIVE else self._coloured("no_card", name)

    def cards(self, name: str, n: int) -> str:
        """A number of cards of a kind: "2 blue", "1 locomotive"."""
        if name == LOCOMOTIVE:
            return self.say("actions.locomotives", n=n)
        return self._coloured("cards", name, n)

    def of_rules(self) -> dict[str, object]:
        """What the rules call the things and the colours of this board.

        >>> from branchline.core.catalogue import rule_text
        >>> from branchline.core.mapfile import load_board
        >>> words = Vocabulary(load_board("nordic"), "en").of_rules()
        >>> "(violet, blue, " in rule_text("BASE-1", "en", words).text
        True
        """
        return {**self.nouns, **{name: forms["name"] for name, forms in self._colours.items()}}

    def own_words(self) -> dict[str, str]:
        """The words that are the board's own, by the keys of the page's catalogue."""
        found: dict[str, str] = {}
        for name in self._own:
            if name in self.nouns:
                noun = self.nouns[name]
                forms = {"one": noun.one, "other": noun.other, "a": noun.a}
                forms |= {"the": noun.the, "no": noun.no}
                found |= {f"words.{name}.{form}": text for form, text in forms.items()}
            if name not in self.nouns or name == LOCOMOTIVE:
                found[f"colour.{name}"] = self.colour(name)
                found[f"a_card.{name}"] = self.a_card(name)
                for form in plural_forms(self.lang):
                    found[f"cards.{name}.{form}"] = self._counted(name, form)
        return found

    def _counted(self, name: str, form: str) -> str:
        """The message that counts cards of a kind, with a placeholder for the number."""
        if name == LOCOMOTIVE:
            return self.say(f"actions.locomotives.{form}", n="{n}")
        one, other = self._form(name, "one"), self._form(name, "other")
        return say(f"words.coloured.cards.{form}", self.lang, one=one, other=other, n="{n}")


def _whole_colour(forms: Mapping[str, str], lang: str) -> dict[str, str]:
    """A board's own colour with the forms that its file leaves out."""
    name = forms["name"]
    given = {form: text for form, text in forms.items() if text}
    whole = {"one": name, "other": given.get("one", name), **given}
    whole.setdefault("a_card", say("words.coloured.a_card", lang, one=whole["one"]))
    whole.setdefault("letter", name[0].upper())
    return whole
