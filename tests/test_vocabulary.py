"""The words of a board: New York's taxis, Nordic's violet, and the usual words of all others."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from branchline import Game, builtin_boards, load_board
from branchline.core.catalogue import LANGUAGES, NOUNS, rule_text, say
from branchline.core.vocabulary import Vocabulary
from branchline.engine.describe import Words
from branchline.engine.events import NOBODY, Event
from branchline.engine.outcome import Line
from branchline.rules.governing import rules_of
from branchline.service.tables.boards import Boards, board_facts, rules_in
from golden_games import finished
from positions import Position

FOREIGN = {"en": r"\b(locomotives?|trains?)\b", "fr": r"\b([Ll]ocomotives?|[Ww]agons?)\b"}
"""What New York does not have."""


def kind(game: Game, name: str) -> int:
    return next(k for k, event in enumerate(game.event_kinds) if event.name == name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_board_without_words_of_its_own_has_the_usual_ones(lang: str) -> None:
    usual = Vocabulary(load_board("usa"), lang)
    assert usual.own_words() == {}
    for noun in NOUNS:
        for form in ("one", "other", "a", "the", "no"):
            assert getattr(usual.nouns[noun], form) == say(f"words.{noun}.{form}", lang)


@pytest.mark.parametrize("board", builtin_boards())
def test_a_board_has_the_same_words_in_every_language(board: str) -> None:
    words = load_board(board).words
    assert {lang: sorted(words[lang]) for lang in words} == {
        lang: sorted(words.get("en", {})) for lang in words
    }
    assert not words or set(words) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("board", "lang", "kind", "said"),
    [
        ("new_york", "en", "locomotive", ("taxi card", "a taxi card", "2 taxi cards")),
        ("new_york", "fr", "locomotive", ("carte Taxi", "une carte Taxi", "2\u00a0cartes Taxi")),
        ("nordic", "en", "pink", ("violet", "a violet card", "2 violet")),
        ("nordic", "fr", "pink", ("violet", "une carte violette", "2\u00a0cartes violettes")),
        ("usa", "fr", "orange", ("orange", "une carte orange", "2\u00a0cartes orange")),
        ("usa", "en", "orange", ("orange", "an orange card", "2 orange")),
    ],
)
def test_cards_are_named_as_the_board_names_them(
    board: str, lang: str, kind: str, said: tuple[str, str, str]
) -> None:
    words = Vocabulary(load_board(board), lang)
    assert (words.colour(kind), words.a_card(kind), words.cards(kind, 2)) == said


def test_routes_have_feminine_colours_in_french() -> None:
    p = Position("usa", 2)
    assert (
        Words(p.game, "fr").track(p.route("chicago-saint_louis")) == "Chicago–Saint Louis (verte)"
    )
    p = Position("nordic", 2)
    facts = Words(p.game, "fr").route_facts(p.route("helsinki-tallinn"))
    assert facts == "2\u00a0espaces, violette, ferry\u00a0: 1\u00a0Locomotive"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_new_york_never_speaks_of_trains_and_locomotives(lang: str) -> None:
    """In actions, questions, refusals, events, scores and rules of whole games."""
    state = finished("new_york", 2, 3, "rare", log=True)
    game = state.game
    said = [Words(game, lang).event(event, open=True) for event in state.events]
    said += [Words(game, lang).score_line(line) for line in chain(*state.outcome.lines)]
    position = Position("new_york", 2)
    position.hand(0, pink=1, locomotive=2)
    words = Words(game, lang)
    for action in range(len(game.action_rules)):
        refusal = position.s.why_not(0, action)
        said.append(words.refusal(refusal) if refusal else words.action(position.s, action, 0))
    for event in game.event_kinds:
        numbers = [1] * (len(event.names) + (game.layout.kinds - 1 if event.rest else 0))
        for seat in (NOBODY, 0):
            try:
                said.append(words.event(Event(event, seat, numbers)))
            except KeyError:
                continue  # always about someone, or never
    nouns = words.vocabulary.nouns
    rules = rules_of(game.board)
    said += [rule_text(id, lang, nouns).title for id in rules]
    said += [rule_text(id, lang, nouns).text for id in rules]
    assert len(said) > 300
    found = [text for text in said if re.search(FOREIGN[lang], text)]
    assert found == []


@pytest.mark.parametrize(
    ("lang", "line", "reset"),
    [
        (
            "en",
            "2 tourist attractions",
            "Too many taxi cards face up: the whole display is replaced.",
        ),
        (
            "fr",
            "2\u00a0attractions touristiques",
            "Les cartes Taxi sont en surnombre\u00a0: toutes les cartes visibles sont remplacées.",
        ),
    ],
)
def test_the_score_and_the_log_have_the_boards_words(lang: str, line: str, reset: str) -> None:
    game = Game("new_york", 2)
    words = Words(game, lang)
    assert words.score_line(Line(0, "NY-5", "attractions", 2, 2)) == line
    assert words.event(Event(game.event_kinds[kind(game, "DisplayReset")], NOBODY, [])) == reset


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_gets_the_boards_words_under_the_keys_of_its_catalogue(lang: str) -> None:
    facts = board_facts(load_board("new_york"), "en").words[lang]
    one, other = {
        "en": ("{n} taxi card", "{n} taxi cards"),
        "fr": ("{n}\u00a0carte Taxi", "{n}\u00a0cartes Taxi"),
    }[lang]
    assert (facts["cards.locomotive.one"], facts["cards.locomotive.other"]) == (one, other)
    assert facts["words.train.other"] == "taxis"
    violet = board_facts(load_board("nordic"), lang).words["fr"]
    assert violet["colour.pink"] == "violet"
    assert violet["cards.pink.other"] == "{n}\u00a0cartes violettes"
    assert board_facts(load_board("usa"), lang).words == {"en": {}, "fr": {}}


def test_the_rules_of_one_board_are_in_its_words() -> None:
    boards = Boards()
    titles = {rule.id: rule.title for rule in rules_in(boards, "fr", "new_york")}
    assert titles["BASE-4"] == "Les cartes Taxi visibles"
    assert titles["BASE-3"] == "Piocher des cartes Transport"
    titles = {rule.id: rule.title for rule in rules_in(boards, "fr")}
    assert titles["BASE-4"] == "Les Locomotives visibles"


@pytest.mark.rule("BASE-1")
@pytest.mark.parametrize(
    ("lang", "usual", "own"),
    [("en", "(pink, blue", "(violet, blue"), ("fr", "(rose, ", "(violet, ")],
)
def test_the_rules_of_a_board_name_its_colours(lang: str, usual: str, own: str) -> None:
    def deck(board: str) -> str:
        return next(rule.text for rule in rules_in(Boards(), lang, board) if rule.id == "BASE-1")

    assert usual in deck("")
    assert usual in deck("usa")
    assert own in deck("nordic")
    assert usual not in deck("nordic")


@pytest.mark.rule("IB-1")
def test_what_joins_the_deck_is_told() -> None:
    state = Game("iberia", 2).start(1, log=True)
    said = {lang: [Words(state.game, lang).event(e) for e in state.events] for lang in LANGUAGES}
    shuffles = [text for text in said["en"] if "into the deck" in text or "is shuffled" in text]
    assert shuffles[0] == "The deck is shuffled: 110 cards."
    assert re.fullmatch(
        r"The festival cards are shuffled into the deck, which now has \d+ cards\.", shuffles[1]
    )
    assert re.fullmatch(
        r"The Ticket Draft card is put into the deck, which now has \d+ cards\.", shuffles[2]
    )
    assert any("La carte Draft de Destinations est glissée" in text for text in said["fr"])
    assert sum("Les cartes Festival sont mélangées à la pioche" in t for t in said["fr"]) == 1
