"""Putting things into words: everything that the code can say has words in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

import branchline
from branchline import Game, IllegalAction, builtin_boards, parse_action
from branchline.bots import seat_bot
from branchline.core.catalogue import LANGUAGES, say
from branchline.core.rng import Rng
from branchline.engine.describe import Words, describe_action, describe_error
from branchline.engine.errors import BranchlineError, SeatsError
from branchline.engine.events import NOBODY, Event
from branchline.engine.outcome import Line
from branchline.engine.rule import Refusal
from positions import Position

PACKAGE = Path(branchline.__file__).parent
BOARDS = builtin_boards()


def sources(*folders: str) -> Iterator[ast.Module]:
    for folder in folders:
        deep = "**/*.py" if folder != "." else "*.py"
        for path in sorted((PACKAGE / folder).glob(deep)):
            yield ast.parse(path.read_text(encoding="utf-8"))


def texts(node: ast.AST) -> set[str]:
    """The texts that an expression may be: `"a"`, or `"a" if … else "b"`."""
    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp(body=first, orelse=second):
            return texts(first) | texts(second)
    return set()


def said(variable: str, calls: tuple[str, ...], place: int, *folders: str) -> set[str]:
    """The texts that calls of these names get at one place, directly or through a variable."""
    found: set[str] = set()
    for tree in sources(*folders):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(node.args) > place:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name.endswith(calls):
                    found |= texts(node.args[place])
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == variable:
                found |= texts(node.value)
    return found


def has(key: str, lang: str) -> bool:
    try:
        say(key, lang, n=1)
    except KeyError as error:
        return "needs the value" in str(error)
    return True


def complete(prefix: str, names: set[str]) -> list[str]:
    return [
        f"{lang} {name}" for lang in LANGUAGES for name in names if not has(prefix + name, lang)
    ]


# Nothing without words


def test_every_reason_of_a_refusal_has_words() -> None:
    reasons = said("reason", ("Refusal",), 1, "engine", "rules")
    assert len(reasons) > 25
    assert complete("refusals.", reasons) == []


def test_every_code_of_an_error_has_words() -> None:
    codes = said("code", ("Error", "_file_problem"), 0, "engine", "rules", "tui", ".")
    codes = {code for code in codes if code.replace("_", "").isalpha() and code.islower()}
    assert {"wrong_seats", "diverged", "bad_board_more", "file_unreadable"} <= codes
    assert complete("errors.", codes | {"illegal_action"}) == []


def test_every_line_of_a_score_has_words() -> None:
    whats = said("what", ("add",), 2, "rules")
    assert {"routes", "festival", "stations"} <= whats
    assert complete("score.", whats) == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_every_kind_of_event_has_words_for_every_reader(board: str, lang: str) -> None:
    game = Game(board, seats=2)
    for kind in game.event_kinds:
        fields = len(kind.names)
        numbers = [1] * fields if not kind.rest else [1] * (fields - 1) + [0] * game.layout.kinds
        for seat in (NOBODY, 0):
            event = Event(kind, seat, numbers)
            for viewer in (NOBODY, 0, 1):
                if seat == NOBODY and not has(f"events.{kind.name}", lang):
                    continue  # always about someone
                if seat == 0 and has(f"events.{kind.name}", lang):
                    continue  # never about anyone
                for open in (False, True):
                    text = Words(game, lang, viewer=viewer).event(event, open=open)
                    assert (text == "") is kind.silent, kind.name
                    assert "{" not in text


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_whole_games_have_words_for_every_action_refusal_event_and_score(
    board: str, lang: str
) -> None:
    game = Game(board, seats=2)
    state = game.start(seed=f"words {board}", log=True)
    players = [seat_bot("random", game, 0, seed) for seed in range(2)]
    rng = Rng(1, 2, 3, 4)
    words = Words(game, lang)
    while not state.over:
        seat = state.to_act[0]
        legal = state.legal(seat)
        named = [words.action(state, action, seat) for action in legal]
        assert len(set(named)) == len(named), (state.phase, named)
        for action, text in zip(legal, named, strict=True):
            assert text != game.action_text(action)
            assert "{" not in text
        for _ in range(3):
            refusal = state.why_not(rng.below(2), rng.below(len(game.action_rules)))
            if refusal is not None:
                assert "{" not in words.refusal(refusal)
        state.apply(seat, players[seat].decide(state.view(seat), 1.0))
    for viewer in (NOBODY, 0):
        told = Words(game, lang, viewer=viewer)
        for event in state.events:
            assert (told.event(event) == "") is event.kind.silent
    for line in chain(*state.outcome.lines):
        assert words.score_line(line)


def test_every_refusal_that_a_rule_can_give_fills_its_sentence() -> None:
    numbers = (
        *("action", "count", "due", "have", "least", "locos"),
        *("need", "offered", "others", "size", "symbols", "value"),
    )
    things = ("by", "card", "city", "line", "route", "seat")
    values: dict[str, int | list[int]] = dict.fromkeys(numbers + things, 1)
    values |= {"own": [1, 0, 2, 0, 0, 0, 0, 0, 0], "cards": [1] * 9, "ways": [0, 8]}
    reasons = said("reason", ("Refusal",), 1, "engine", "rules")
    game = Game("south_korea", seats=2)
    for lang in LANGUAGES:
        for reason in reasons:
            assert "{" not in Words(game, lang).refusal(Refusal("BASE-2", reason, values))


# The words themselves


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "2 orange and 1 locomotive"), ("fr", "2\u00a0cartes orange et 1\u00a0Locomotive")],
)
def test_cards_are_counted(lang: str, expected: str) -> None:
    assert Words(Game("usa", 2), lang).cards([0, 0, 2, 0, 0, 0, 0, 0, 1]) == expected


def test_several_things_are_listed_and_none_is_said() -> None:
    words = Words(Game("usa", 2), "en")
    assert words.listed(["a", "b", "c"]) == "a, b and c"
    assert words.listed([]) == "nothing"
    assert words.cards([0] * 9) == "no cards"


@pytest.mark.parametrize(
    ("lang", "ticket", "route"),
    [
        ("en", "Oslo–Vaasa (9)", "9 spaces, grey, any 4 cards stand for one"),
        (
            "fr",
            "Oslo–Vaasa (9)",
            "9\u00a0espaces, grise, 4\u00a0cartes quelconques en remplacent une",
        ),
    ],
)
def test_tickets_and_routes(lang: str, ticket: str, route: str) -> None:
    p = Position("nordic", seats=2)
    words = Words(p.game, lang)
    assert words.ticket(p.ticket("oslo-vaasa")) == ticket
    assert words.route_facts(p.route("lieksa-murmansk")) == route


def test_the_routes_of_a_pair_are_told_apart() -> None:
    p = Position("usa", seats=2)
    words = Words(p.game, "en")
    assert words.track(p.route("boston-new_york")) == "Boston–New York (red)"
    assert words.track(p.route("boston-new_york#2")) == "Boston–New York (yellow)"
    assert words.track(p.route("dallas-houston")) == "Dallas–Houston"
    assert words.track(p.route("dallas-houston#2")) == "Dallas–Houston (second track)"
    assert words.track(p.route("atlanta-miami")) == "Atlanta–Miami"


@pytest.mark.parametrize(
    ("board", "hand", "before", "action", "english", "french"),
    [
        (
            "nordic",
            {"orange": 3},
            [],
            "claim goteborg-oslo orange",
            "Claim Göteborg–Oslo with orange",
            "Prendre Göteborg–Oslo en orange",
        ),
        (
            "usa",
            {"blue": 5, "locomotive": 2},
            ["claim atlanta-miami blue"],
            "pay 2",
            "Pay 3 blue and 2 locomotives",
            "Payer 3\u00a0cartes bleues et 2\u00a0Locomotives",
        ),
        (
            "south_korea",
            {"white": 4},
            ["claim jinju-namwon white", "pay 0 extra 1"],
            "mat white express 1",
            "Place a train on the white line (North Jeolla), spot 5, with Express +1",
            (
                "Poser un wagon sur la ligne blanche (Jeolla du Nord), case\u00a05, avec la carte"
                " Train Express"
                " +1"
            ),
        ),
        ("usa", {}, [], "draw", "Draw from the deck", "Tirer une carte de la pioche"),
        ("usa", {}, [], "tickets", "Draw 3 tickets", "Piocher 3\u00a0cartes Destination"),
    ],
)
def test_actions(
    board: str, hand: dict[str, int], before: list[str], action: str, english: str, french: str
) -> None:
    p = Position(board, seats=2)
    p.hand(0, **hand)
    for text in before:
        p.act(_found(p, text))
    number = parse_action(p.game, _found(p, action))
    assert describe_action(p.s, number, "en") == english
    assert describe_action(p.s.view(0), number, "fr") == french


def _found(p: Position, text: str) -> str:
    """The text with the cities of a claim in the order that the board has them."""
    if not text.startswith("claim "):
        return text
    _, route, colour = text.split()
    a, b = route.split("-")
    for name in (route, f"{b}-{a}"):
        if any(p.game.route_text(r) == name for r in range(p.t.routes)):
            return f"claim {name} {colour}"
    raise KeyError(text)


def test_tickets_to_keep_are_named() -> None:
    state = Game("nordic", seats=2).start(seed=1)
    first, second = state.view(1).in_question[:2]
    words = Words(state.game, "en")
    action = parse_action(state.game, "opening keep 1 2")
    expected = f"Keep {words.ticket(first)} and {words.ticket(second)}"
    assert words.action(state.view(1), action) == expected


def test_the_pack_of_a_draft_is_what_its_picks_are_numbered_by() -> None:
    state = Game("iberia", seats=3).start(seed=1, log=True)
    words = Words(state.game, "en")
    while state.phase == "draft_pick":
        seat = state.to_act[0]
        action = state.legal(seat)[-1]
        said = words.action(state, action, seat).removeprefix("Pick ")
        before = len(state.events)
        state.apply(seat, action)
        picks = [e for e in state.events[before:] if e.kind.name == "TicketPicked"]
        if picks:  # the last seat has picked; a last ticket is picked without asking
            event = next(e for e in picks if e.seat == seat)
            assert words.ticket(event.numbers[0]) == said


# Who reads


def test_an_event_speaks_to_its_reader_and_keeps_secrets() -> None:
    p = Position("usa", seats=2, log=True)
    p.deck("red")
    p.act("draw")
    event = next(e for e in reversed(p.s.events) if e.kind.name == "CardDrawn")
    game = p.game
    assert Words(game, "en", viewer=0).event(event) == "You draw a red card from the deck."
    assert Words(game, "en", viewer=1).event(event) == "Player 1 draws a card from the deck."
    assert Words(game, "en", ["Ada"]).event(event) == "Ada draws a card from the deck."
    assert Words(game, "fr").event(event) == "Joueur 1 tire une carte de la pioche."
    assert Words(game, "en").event(event, open=True) == "Player 1 draws a red card from the deck."


def test_a_refusal_names_things_not_numbers() -> None:
    p = Position("usa", seats=2)
    p.own(1, "atlanta-miami")
    refusal = p.why_not("claim atlanta-miami blue")
    assert Words(p.game, "en").refusal(refusal) == "Atlanta–Miami already belongs to Player 2."
    mine = Words(p.game, "fr", viewer=1).refusal(refusal)
    assert mine == "Atlanta–Miami est déjà prise par vous."
    p.hand(0, red=1, locomotive=1)
    refusal = p.why_not("claim chicago-duluth red")
    expected = (
        "Chicago–Duluth needs 3 cards, red or locomotives, and you have 1 red and 1 locomotive."
    )
    assert Words(p.game, "en").refusal(refusal) == expected


def test_errors_say_what_to_do() -> None:
    with pytest.raises(SeatsError) as caught:
        Game("nordic", seats=9)
    text = describe_error(caught.value, "en")
    assert text == "nordic can’t be played by 9: choose 2 to 3 players with --seats."
    p = Position("usa", seats=2)
    with pytest.raises(IllegalAction) as refused:
        p.act("pass")
    assert isinstance(refused.value, BranchlineError)
    said = Words(p.game, "en").error(refused.value)
    assert said == "You may pass only when nothing else is possible. (RU-3)"


def test_a_score_line_names_its_subject() -> None:
    p = Position("usa", seats=2)
    ticket = p.ticket("boston-miami")
    line = Line(0, "BASE-11", "ticket_failed", -12, ticket)
    said = Words(p.game, "fr").score_line(line)
    assert said == "Destination non réussie\u00a0: Boston–Miami (12)"
