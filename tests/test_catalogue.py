"""The message catalogue: its languages say the same things, and say them well."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter

import pytest

from branchline.core import catalogue
from branchline.core.catalogue import (
    LANGUAGES,
    NOUNS,
    nouns,
    pick_language,
    rule_ids,
    rule_text,
    say,
)
from branchline.core.mapfile import load_board
from branchline.core.plurals import PluralRules

LANG = files("branchline.lang")
BOARDS = ["iberia", "south_korea", "new_york", "nordic", "usa", "europe"]
RULE_COUNTS = {"BASE": 14, "IB": 9, "KR": 8, "NY": 5, "NO": 9, "US": 2, "EU": 1, "RU": 16}
RULE_IDS = [f"{family}-{n}" for family, count in RULE_COUNTS.items() for n in range(1, count + 1)]
BOOKS = {
    "BASE": "base",
    "IB": "iberia",
    "KR": "south_korea",
    "NY": "new_york",
    "NO": "nordic",
    "US": "public",
    "EU": "public",
    "RU": "ruling",
}


def leaves(prefix: str, table: dict[str, object]) -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from leaves(f"{prefix}.{name}", value)
        else:
            assert isinstance(value, str), f"{prefix}.{name} is not text"
            yield f"{prefix}.{name}", value


def message_files(lang: str) -> list[str]:
    return sorted(f.name for f in (LANG / lang).iterdir() if f.name.endswith(".toml"))


def messages(lang: str) -> dict[str, str]:
    """Every message as its file has it, read without the catalogue."""
    found: dict[str, str] = {}
    for name in message_files(lang):
        if name == "language.toml":
            continue  # about the language, not a message
        table = tomllib.loads((LANG / lang / name).read_text(encoding="utf-8"))
        found.update(leaves(name.removesuffix(".toml"), table))
    return found


EN, FR = messages("en"), messages("fr")
PLURAL_FORMS = ("zero", "one", "two", "few", "many", "other")


def placeholders(text: str) -> set[str]:
    """The values that a message needs; nouns take the forms that the language wants."""
    return {field for field in fields(text) if "." not in field}


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.fixture
def quiet_environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for variable in ("BRANCHLINE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


@pytest.fixture
def two_coaches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue of two messages, one of them with a plural."""
    small = {
        "en": {
            "t.coach.one": "{n} coach",
            "t.coach.other": "{n} coaches",
            "t.to": "to {city}",
        },
        "fr": {
            "t.coach.one": "{n} voiture",
            "t.coach.other": "{n} voitures",
            "t.to": "vers {city}",
        },
    }
    for lang, messages in small.items():
        monkeypatch.setitem(catalogue._messages, lang, messages)


# The files


def test_every_folder_is_a_language_and_english_comes_first() -> None:
    folders = {f.name for f in LANG.iterdir() if f.is_dir() and not f.name.startswith("_")}
    assert sorted(LANGUAGES[1:]) == list(LANGUAGES[1:])
    assert (LANGUAGES[0], {*LANGUAGES}) == ("en", folders)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_files(lang: str) -> None:
    assert message_files(lang) == message_files("en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_its_own_name_and_has_plural_rules(lang: str) -> None:
    language = tomllib.loads((LANG / lang / "language.toml").read_text(encoding="utf-8"))
    assert language.keys() == {"name", "plural"}
    assert language["name"][0].isupper()
    assert PluralRules(language["plural"]).form(1) == "one"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_keys_and_all_its_plural_forms(lang: str) -> None:
    language = tomllib.loads((LANG / lang / "language.toml").read_text(encoding="utf-8"))
    forms = [*language["plural"], "other"]
    plurals = {key.removesuffix(".other") for key in EN if key.endswith(".other")}
    nouns_and_colours = {stem for stem in plurals if stem.startswith("words.")}
    nouns_and_colours -= {"words.coloured.cards"}  # a message with a plural
    plurals -= nouns_and_colours
    expected = {key for key in EN if key.rpartition(".")[0] not in plurals}
    expected |= {f"{stem}.{form}" for stem in plurals for form in forms}
    assert messages(lang).keys() == expected


def placeholders_of_messages(found: dict[str, str]) -> dict[str, set[str]]:
    """What each message needs, all forms of a plural together.

    A singular may leave out its number ("your last train"), the plural may not.
    """
    needed: dict[str, set[str]] = {}
    for key, text in found.items():
        stem, _, form = key.rpartition(".")
        name = stem if f"{stem}.other" in found and form in PLURAL_FORMS else key
        needed.setdefault(name, set()).update(placeholders(text))
    return needed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_placeholders(lang: str) -> None:
    assert placeholders_of_messages(messages(lang)) == placeholders_of_messages(EN)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_name_things_by_forms_that_every_noun_has(lang: str) -> None:
    for key, text in messages(lang).items():
        for field in fields(text):
            noun, dot, form = field.partition(".")
            assert not dot or (noun in NOUNS and form in vars(nouns(lang)[noun])), (key, field)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("file", ["actions", "events", "refusals", "score"])
def test_sentences_of_a_game_leave_trains_locomotives_and_colours_to_the_board(
    file: str, lang: str
) -> None:
    words = {"en": "trains?|locomotives?|pink|attractions?"}
    words["fr"] = "wagons?|Locomotives?|roses?|attractions?"
    for key, text in messages(lang).items():
        if key.startswith(f"{file}."):
            assert not re.search(rf"\b({words[lang]})\b", re.sub(r"\{[^}]*\}", "", text)), key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_message_is_empty_or_padded(lang: str) -> None:
    for key, text in messages(lang).items():
        assert text.strip(), key
        if key.startswith("rules."):
            assert text == text.strip(), key
            assert "  " not in text, key


def test_french_is_not_english() -> None:
    for key, english in EN.items():
        # A word or two may be the same in both: "Festival", "{n} points".
        if len(re.findall(r"[^\W\d_]+", re.sub(r"\{[^}]*\}", "", english))) > 3:
            assert FR[key] != english, key


def test_the_catalogue_says_what_the_files_have() -> None:
    for lang, found in (("en", EN), ("fr", FR)):
        for key, text in found.items():
            if not fields(text):
                assert say(key, lang) == text.format()


# Typography


def french_faults(text: str) -> list[str]:
    """Where the spaces of French punctuation are missing or could break the line."""
    # Inside a word these are an address, a time or a format, not punctuation.
    signs = r"(?:[^\u00a0!?][!?]|[^\u00a0][:;])(?=[\s!?»)]|$)"
    return re.findall(rf"{signs}|«(?!\u00a0)|(?<!\u00a0)»", text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Prêt\u00a0? Oui\u00a0!", True),
        ("Quoi\u00a0?!", True),
        ("un\u00a0: deux\u00a0; «\u00a0trois\u00a0»", True),
        ("à 12:30, http://exemple.fr, {x:.1f}", True),
        ("Prêt?", False),
        ("Prêt ?", False),
        ("un : deux", False),
        ("un; deux", False),
        ("«trois»", False),
        ("« trois\u00a0»", False),
    ],
)
def test_the_typography_check_knows_right_from_wrong(text: str, right: bool) -> None:
    assert (not french_faults(text)) is right


def test_french_punctuation_has_no_break_spaces() -> None:
    for key, text in FR.items():
        assert not french_faults(text), (key, french_faults(text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_use_typographic_apostrophes_and_quotes(lang: str) -> None:
    for key, text in messages(lang).items():
        if key.startswith("rules."):
            assert not re.search(r"['\"]|\.\.\.| - |--", text), key


SPACED = {"play.map_key", "play.more_news.one", "play.more_news.other", "play.step"}
SPACED |= {"serve.verify.line"}
"""Messages that keep columns apart by spaces."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_apostrophes_and_quotes_are_typographic_and_spaces_single(lang: str) -> None:
    for key, text in messages(lang).items():
        prose = re.sub(r'pip install "[^"]*"|\w+\["\w+"\]', "", text)  # code has plain quotes
        assert not re.search(r"['\"]|\.\.\.", prose), (key, text)
        if key not in SPACED:
            assert not re.search(r"[ \u00a0]{2}", text), (key, text)


def test_french_puts_a_no_break_space_before_a_percent_sign() -> None:
    for key, text in FR.items():
        if key.startswith(("cli.column.", "lab.column.")):
            continue  # "% de victoires"
        assert not re.search(r"[^\u00a0\u202f]%", text), (key, text)


GIVEN_UP = (
    *(r"\bcartes? Express\b", r"[Pp]lateau des provinces", r"[Tt]ableau(x)? [Pp]rovince\b"),
    *(r"Robot (moyen|fort)\b", r"[Rr]epr(endre|is) (un|votre dernier|le) coup", r"\brivaux?\b"),
    *(r"[Gg]lobe-trotter", r"[Oo]rdre du tour", r"\b[Ee]mployez", r"\bEmploi\b"),
    *(r"^Le plus de points gagne", r"pioche est finie", r"devez une carte de plus"),
    *(r"n’est pas compris", r"n’a pas ce joueur", r"\bprimes?\b"),
)
"""Words for which the French rulebooks have others, and phrases that nobody would say."""


def test_french_uses_the_words_of_the_rulebooks_throughout() -> None:
    for key, text in FR.items():
        for word in GIVEN_UP:
            assert not re.search(word, text), (key, text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_level_of_the_bots_is_called_the_same_everywhere(lang: str) -> None:
    found = messages(lang)
    levels = [key.rpartition(".")[2] for key in found if key.startswith("table.level.")]
    assert levels
    for level in levels:
        word = found[f"table.level.{level}"]
        assert found[f"page.lobby.{level}"] == word
        assert word in found[f"page.level.{level}"].lower()
    if lang == "fr":
        words = ["facile", "normal", "difficile"]
        assert [found[f"table.level.{level}"] for level in levels[:3]] == words


# The rules


def test_rule_ids_are_those_of_the_rules_page_in_its_order() -> None:
    assert rule_ids() == RULE_IDS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_wording_has_every_rule_in_the_same_order_and_nothing_else(lang: str) -> None:
    table = tomllib.loads((LANG / lang / "rules.toml").read_text(encoding="utf-8"))
    assert list(table) == RULE_IDS
    for id, rule in table.items():
        assert set(rule) == {"title", "text"}, id


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("id", RULE_IDS)
def test_a_rule_has_a_short_title_a_full_text_a_book_and_boards(id: str, lang: str) -> None:
    rule = rule_text(id, lang)
    assert rule.id == id
    assert 2 <= len(rule.title.split()) <= 5
    assert not rule.title.endswith(".")
    assert rule.text.endswith(".")
    assert rule.book == BOOKS[id.split("-")[0]]
    assert rule.boards
    assert list(rule.boards) == [b for b in BOARDS if b in rule.boards], "in order, each once"


def test_each_board_has_the_rules_that_govern_it() -> None:
    def without(*absent: str) -> tuple[str, ...]:
        return tuple(b for b in BOARDS if b not in absent)

    expected = dict.fromkeys(RULE_IDS, tuple(BOARDS))
    homes = {"IB": "iberia", "KR": "south_korea", "NY": "new_york", "NO": "nordic"}
    homes |= {"US": "usa", "EU": "europe"}
    for id in RULE_IDS:
        family = id.split("-")[0]
        if family in homes:
            expected[id] = (homes[family],)
    expected["BASE-1"] = expected["BASE-9"] = without("new_york")  # NY-1, NY-3
    expected["BASE-4"] = expected["BASE-5"] = expected["RU-1"] = without("nordic")  # NO-2
    expected["BASE-8"] = without("new_york", "nordic")  # NY-4, NO-7
    expected["BASE-13"] = ("usa",)
    expected["BASE-14"] = ("nordic", "usa", "europe")
    expected["RU-4"] = expected["RU-6"] = ("nordic", "europe")
    expected["RU-5"] = ("nordic",)
    expected["RU-7"] = expected["RU-8"] = expected["RU-9"] = ("iberia",)
    expected["RU-10"] = ("south_korea",)
    assert {id: rule_text(id, "en").boards for id in rule_ids()} == expected


def test_rulings_are_ours_by_their_heading_and_do_not_say_so_again() -> None:
    for lang, one, several in (
        ("en", "Our own ruling ", "Our own rulings "),
        ("fr", "Notre arbitrage,", "Nos arbitrages,"),
    ):
        assert say("cli.book.ruling", lang).startswith(one)
        assert say("page.rules.book_ruling", lang).startswith(several)
        for id in RULE_IDS:
            assert not re.search("[Oo]ur ruling|[Nn]otre arbitrage", rule_text(id, lang).text), id


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_becomes_of_three_locomotives_is_only_told_where_it_applies(lang: str) -> None:
    third = {"en": "third locomotive", "fr": "troisième Locomotive"}[lang]
    assert [id for id in RULE_IDS if third in rule_text(id, lang).text] == ["BASE-5"]
    assert "nordic" not in rule_text("BASE-5", lang).boards


@pytest.mark.parametrize("lang", LANGUAGES)
def test_rules_name_no_file(lang: str) -> None:
    for id in RULE_IDS:
        assert "_" not in rule_text(id, lang).text, id


def test_both_languages_give_the_same_numbers() -> None:
    for id in RULE_IDS:
        numbers = [sorted(re.findall(r"\d+", rule_text(id, lang).text)) for lang in LANGUAGES]
        assert numbers[0] == numbers[1], id


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("board", "id"),
    [
        ("iberia", "IB-1"),
        ("south_korea", "KR-1"),
        ("new_york", "NY-1"),
        ("nordic", "NO-1"),
        ("usa", "US-1"),
        ("europe", "EU-1"),
    ],
)
def test_the_rules_of_a_board_give_its_numbers_of_trains_and_tickets(
    board: str, id: str, lang: str
) -> None:
    facts, text = load_board(board), rule_text(id, lang).text
    trains = {"en": r"{} (plastic taxis|trains)", "fr": r"{}\u00a0(taxis|wagons)"}[lang]
    tickets = {"en": r"{} tickets", "fr": r"{}\u00a0cartes Destination"}[lang]
    assert re.search(trains.format(facts.trains), text)
    assert re.search(tickets.format(len(facts.tickets)), text)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_of_iberia_say_that_france_is_a_city(lang: str) -> None:
    assert re.search("France.* (one city|est une ville)", rule_text("IB-9", lang).text)


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(KeyError, match="BASE-99"):
        rule_text("BASE-99", "en")


# Saying


def test_a_placeholder_takes_its_value(two_coaches: None) -> None:
    assert say("t.to", "en", city="Oslo") == "to Oslo"
    assert say("t.to", "fr", city="Oslo") == "vers Oslo"


@pytest.mark.parametrize(
    ("n", "english", "french"),
    [
        (0, "0 coaches", "0 voiture"),
        (1, "1 coach", "1 voiture"),
        (2, "2 coaches", "2 voitures"),
        (-1, "-1 coaches", "-1 voiture"),
        (1.5, "1.5 coaches", "1.5 voiture"),
    ],
)
def test_the_number_chooses_the_plural(
    two_coaches: None, n: float, english: str, french: str
) -> None:
    assert say("t.coach", "en", n=n) == english
    assert say("t.coach", "fr", n=n) == french


def test_a_missing_message_is_named(two_coaches: None) -> None:
    with pytest.raises(KeyError, match=r"t\.nowhere"):
        say("t.nowhere", "en")
    with pytest.raises(KeyError, match="no message 't'"):
        say("t", "en")


def test_a_missing_value_is_named_with_its_message(two_coaches: None) -> None:
    with pytest.raises(KeyError, match=r"t\.to.*city"):
        say("t.to", "en")
    with pytest.raises(KeyError, match=r"t\.coach.*'n'"):
        say("t.coach", "en")


def test_a_plural_needs_a_number(two_coaches: None) -> None:
    with pytest.raises(TypeError, match="three"):
        say("t.coach", "en", n="three")


def test_an_unsupported_language_is_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match=r"'de'.*en, fr"):
        say("rules.BASE-1.title", "de")
    with pytest.raises(ValueError, match=r"'de'.*en, fr"):
        rule_text("BASE-1", "de")


# Plural rules


@pytest.mark.parametrize(
    ("rules", "forms"),
    [
        ({"one": "n = 1"}, {1: "one", -1: "other", 0: "other", 1.5: "other"}),
        ({"one": "i = 0,1"}, {0: "one", -1.5: "one", 1.9: "one", 2: "other", -2: "other"}),
        (
            {"one": "n = 1", "few": "i % 10 = 2..4 and i % 100 != 12..14"},
            {1: "one", 2: "few", 24: "few", 12: "other", 5: "other", 21: "other"},
        ),
        ({"one": "n = 1 or n = 11..13"}, {1: "one", 12: "one", 12.5: "other", 2: "other"}),
        ({}, {1: "other"}),
    ],
)
def test_plural_rules_choose_the_form(rules: dict[str, str], forms: dict[float, str]) -> None:
    assert {n: PluralRules(rules).form(n) for n in forms} == forms


@pytest.mark.parametrize("text", ["", "n", "n = x", "n == 1", "f = 1", "n = 1 and", "n = 1 xor 2"])
def test_a_plural_rule_that_can_not_be_read_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a plural condition"):
        PluralRules({"one": text})


# Picking a language


def test_an_explicit_language_wins(quiet_environment: pytest.MonkeyPatch) -> None:
    quiet_environment.setenv("BRANCHLINE_LANG", "fr")
    assert pick_language("en") == "en"


@pytest.mark.parametrize("wrong", ["de", "", "french"])
def test_an_unsupported_explicit_language_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="supported: en, fr"):
        pick_language(wrong)


def test_the_variable_comes_before_the_locale(quiet_environment: pytest.MonkeyPatch) -> None:
    quiet_environment.setenv("LANG", "fr_FR.UTF-8")
    quiet_environment.setenv("BRANCHLINE_LANG", "en")
    assert pick_language(None) == "en"
    quiet_environment.setenv("BRANCHLINE_LANG", "")
    assert pick_language(None) == "fr"
    quiet_environment.setenv("BRANCHLINE_LANG", "de")
    with pytest.raises(ValueError, match="'de'"):
        pick_language(None)


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_MESSAGES", "LANG"])
@pytest.mark.parametrize(
    ("locale", "lang"), [("fr_CA.UTF-8", "fr"), ("fr", "fr"), ("de_DE.UTF-8", "en"), ("C", "en")]
)
def test_the_locale_decides_when_nothing_is_asked(
    quiet_environment: pytest.MonkeyPatch, variable: str, locale: str, lang: str
) -> None:
    quiet_environment.setenv(variable, locale)
    assert pick_language(None) == lang


def test_the_first_locale_variable_that_is_set_decides(
    quiet_environment: pytest.MonkeyPatch,
) -> None:
    quiet_environment.setenv("LANG", "fr_FR.UTF-8")
    quiet_environment.setenv("LC_ALL", "en_GB.UTF-8")
    assert pick_language(None) == "en"
    quiet_environment.setenv("LC_ALL", "")
    assert pick_language(None) == "fr"


def test_english_is_spoken_without_any_wish(quiet_environment: pytest.MonkeyPatch) -> None:
    assert pick_language(None) == "en"
