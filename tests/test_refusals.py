"""Refusals never lie: what they say of cards, trains, tickets and spots is so in the position."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from branchline import Game, State
from branchline.engine.describe import Words
from golden_games import TABLES, game_of, play
from positions import Position
from test_properties import numbers
from true_refusals import Case, check

POSITIONS = 60
"""How many positions of each board and number of seats are sampled."""


def samples(board: str, seats: int, wanted: int) -> Iterator[tuple[State, random.Random]]:
    """Positions of games that are played at random, in different ways."""
    rng = random.Random(f"refusals {board} {seats}")
    while wanted > 0:
        for policy in ("rare", "saver", "claims", "tickets"):
            state = game_of(board, seats).start(rng.randrange(10**6))
            for _ in play(state, policy, rng):
                if not state.over and rng.random() < 0.08:
                    yield state, rng
                    wanted -= 1
                    if wanted == 0:
                        return


def asked_for(state: State, seat: int, rng: random.Random) -> list[int]:
    """Actions of every sort, most of them of the decision that is open."""
    game = state.game
    claims = [a for a in range(len(game.action_rules)) if game.action_text(a).startswith("claim ")]
    owners = {(game.action_rules[a].name, game.action_kinds[a]) for a in state.legal(seat)}
    near = [
        a
        for a in range(len(game.action_rules))
        if (game.action_rules[a].name, game.action_kinds[a]) in owners
    ]
    everything = range(len(game.action_rules))
    return [
        *(rng.sample(claims, 12) if state.phase == "turn" else []),
        *rng.sample(near, min(len(near), 12)),
        *rng.sample(everything, 6),
    ]


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("BASE-7", "IB-8", "NO-3", "NO-4", "NO-6", "KR-2", "RU-10")
def test_no_refusal_says_anything_that_is_not_so(board: str, seats: int) -> None:
    found = 0
    for state, rng in samples(board, seats, POSITIONS):
        seat = rng.choice(state.to_act)
        for action in asked_for(state, seat, rng):
            refusal = state.why_not(seat, action)
            if refusal is not None:
                check(Case(state, seat, action), refusal)
                found += 1
    assert found > 5 * POSITIONS


# --- the sentences -------------------------------------------------------------------------------

NBSP = "\u00a0"


def told(p: Position, text: str) -> tuple[str, str, str]:
    """Why an action is refused: the rule, and the sentences; all of it is compared first."""
    refusal = p.why_not(text)
    seat = p.s.to_act[0]
    check(
        Case(p.s, seat, next(a for a in actions(p.game) if p.game.action_text(a) == text)), refusal
    )
    said = [Words(p.game, lang).refusal(refusal) for lang in ("en", "fr")]
    return refusal.rule, said[0], said[1]


def actions(game: Game) -> range:
    return range(len(game.action_rules))


@pytest.mark.parametrize(
    ("board", "hand", "action", "rule", "english", "french"),
    [
        (  # the cards that would serve, and what one has of them
            "usa", {"red": 1, "locomotive": 1, "blue": 9}, "claim chicago-duluth red", "BASE-7",
            ("Chicago–Duluth needs 3 cards, red or locomotives, and you have 1 red and 1"
            " locomotive."),
            ("Chicago–Duluth demande 3\u00a0cartes rouges ou Locomotives, et vous avez"
            " 1\u00a0carte rouge et"
            " 1\u00a0Locomotive."),
        ),
        (
            "usa", {"blue": 9}, "claim chicago-duluth red", "BASE-7",
            "Chicago–Duluth needs 3 cards, red or locomotives, and you have none.",
            "Chicago–Duluth demande 3\u00a0cartes rouges ou Locomotives, et vous n’en avez aucune.",
        ),
        (  # a gray route, where other colours serve
            "usa", {"red": 1, "blue": 3}, "claim calgary-vancouver red", "BASE-7",
            ("With red, Calgary–Vancouver needs 3 cards, red or locomotives, and you have 1 red."
            " You can claim it with blue."),
            ("En rouge, Calgary–Vancouver demande 3\u00a0cartes rouges ou Locomotives, et vous avez"
            " 1\u00a0carte rouge. Vous pouvez la prendre en bleu."),
        ),
        (
            "usa", {"locomotive": 3}, "claim chicago-duluth red", "BASE-7",
            ("Chicago–Duluth can’t be claimed with red: you have no red card."
            " You can claim it with locomotives alone."),
            (f"Chicago–Duluth ne peut pas se prendre en rouge{NBSP}: vous n’avez aucune carte"
            f" rouge."
            " Vous pouvez la prendre uniquement avec des Locomotives."),
        ),
        (
            "usa", {"red": 3}, "claim chicago-duluth wild", "BASE-7",
            ("With locomotives alone, Chicago–Duluth needs 3 of them, and you have none."
            " You can claim it with red."),
            ("Uniquement avec des Locomotives, Chicago–Duluth en demande 3, et vous n’en avez"
            " aucune."
            " Vous pouvez la prendre en rouge."),
        ),
        (  # one space: no "1 cards"
            "usa", {"red": 1}, "claim dallas-houston blue", "BASE-7",
            ("With blue, Dallas–Houston needs 1 card, blue or a locomotive, and you have none."
            " You can claim it with red."),
            ("En bleu, Dallas–Houston demande 1\u00a0carte bleue ou une Locomotive, et vous"
            " n’en avez"
            " aucune. Vous pouvez la prendre en rouge."),
        ),
        (  # Europe's ferries by Europe's book
            "europe", {"red": 6, "locomotive": 1}, "claim palermo-smyrna red", "EU-1",
            ("Palermo–Smyrna is a ferry: it needs at least 2 locomotives, and you have 1"
            " locomotive."),
            ("Palermo–Smyrna est un ferry et demande au moins 2\u00a0Locomotives, et vous avez"
            " 1\u00a0Locomotive."),
        ),
        (
            "europe", {"red": 6, "locomotive": 1}, "claim palermo-smyrna wild", "EU-1",
            "With locomotives alone, Palermo–Smyrna needs 6 of them, and you have 1 locomotive.",
            ("Uniquement avec des Locomotives, Palermo–Smyrna en demande 6, et vous avez"
            " 1\u00a0Locomotive."),
        ),
        (
            "europe", {"red": 2}, "claim amsterdam-london red", "EU-1",
            "Amsterdam–London takes 2 locomotives and no colour; you have none.",
            (f"Amsterdam–London demande 2\u00a0Locomotives, et aucune couleur n’y sert{NBSP};"
            " vous n’en avez aucune."),
        ),
        (  # Nordic ferries know three for one
            "nordic", {"orange": 1, "red": 2}, "claim kristiansand-stavanger#2 orange", "NO-4",
            ("Kristiansand–Stavanger (orange) is a ferry: it needs 3 cards, at least 1"
            " locomotive and"
            " for the rest orange or locomotives. Any 3 cards stand for a locomotive, and you have"
            " 1 orange and 2 other cards."),
            (f"Kristiansand–Stavanger (orange) est un ferry et demande 3\u00a0cartes{NBSP}: au"
            " moins"
            " 1\u00a0Locomotive, et pour le reste des cartes orange ou des Locomotives."
            " 3\u00a0cartes"
            " quelconques remplacent une Locomotive, et vous avez 1\u00a0carte orange et"
            " 2\u00a0autres"
            " cartes."),
        ),
        (
            "nordic", {"red": 3}, "claim umea-vaasa red", "NO-4",
            ("Umeå–Vaasa takes 1 locomotive, or any 3 cards instead, and no colour; you have"
            " 3 cards. You can claim it with locomotives and sets of any cards, no colour."),
            ("Umeå–Vaasa demande 1\u00a0Locomotive, ou 3\u00a0cartes quelconques à la place,"
            " et aucune"
            f" couleur"
            f" n’y sert{NBSP}; vous avez 3\u00a0cartes. Vous pouvez la prendre sans couleur,"
            " avec des"
            " Locomotives ou des lots de cartes quelconques."),
        ),
        (  # locomotives serve inside the sets of Murmansk–Lieksa
            "nordic", {"green": 7, "red": 4, "locomotive": 3},
            "claim lieksa-murmansk green", "NO-6",
            ("With green, Lieksa–Murmansk needs 9 green cards; any 4 cards, locomotives included,"
            " stand for one, and you have 7 green and 7 other cards."),
            (f"En vert, Lieksa–Murmansk demande 9\u00a0cartes vertes{NBSP}; 4\u00a0cartes"
            " quelconques,"
            f" même des"
            " Locomotives, en remplacent une, et vous avez 7\u00a0cartes vertes et"
            " 7\u00a0autres cartes."),
        ),
        (
            "nordic", {"green": 7}, "claim lieksa-murmansk wild", "NO-6",
            "Without a colour, Lieksa–Murmansk needs 9 sets of any 4 cards, and you have 7 cards.",
            ("Sans couleur, Lieksa–Murmansk demande 9\u00a0lots de 4\u00a0cartes quelconques,"
            " et vous avez"
            " 7\u00a0cartes."),
        ),
        (
            "nordic", {"green": 1, "locomotive": 2}, "claim orebro-oslo green", "NO-3",
            ("Örebro–Oslo (green) needs 2 green cards, and you have 1 green; locomotives"
            " don’t serve there."),
            ("Örebro–Oslo (verte) demande 2\u00a0cartes vertes, et vous avez 1\u00a0carte"
            f" verte{NBSP};"
            " les Locomotives n’y servent pas."),
        ),
        (  # the book's colour names
            "nordic", {"green": 1}, "claim imatra-kuopio pink", "BASE-7",
            "Imatra–Kuopio needs 2 violet cards, and you have none.",
            "Imatra–Kuopio demande 2\u00a0cartes violettes, et vous n’en avez aucune.",
        ),
        (  # New York's words
            "new_york", {"pink": 1}, "claim chelsea-soho pink", "BASE-7",
            "Chelsea–Soho needs 4 cards, pink or taxi cards, and you have 1 pink.",
            ("Chelsea–Soho demande 4\u00a0cartes roses ou cartes Taxi, et vous avez"
            " 1\u00a0carte rose."),
        ),
    ],
)  # fmt: skip
@pytest.mark.rule("BASE-7", "IB-8", "NO-3", "NO-4", "NO-6", "EU-1")
def test_a_claim_without_the_cards_is_told_which_cards_would_serve(
    board: str, hand: dict[str, int], action: str, rule: str, english: str, french: str
) -> None:
    p = Position(board, 2)
    p.hand(0, **hand)
    assert told(p, action) == (rule, english, french)


@pytest.mark.rule("KR-2")
def test_during_the_draft_no_express_card_has_been_spent() -> None:
    state = Game("south_korea", 2).start(1)
    assert state.phase == "draft_pick"
    action = next(a for a in actions(state.game) if state.game.action_text(a) == "express 1 cards")
    refusal = state.why_not(0, action)
    assert refusal is not None
    check(Case(state, 0, action), refusal)
    assert refusal.reason == "other_decision"


@pytest.mark.rule("KR-3", "KR-4")
def test_an_express_card_that_would_bring_nothing_says_why() -> None:
    p = Position("south_korea", 2)
    p.set_ticket_deck(p.ticket_deck()[:2])
    assert told(p, "express 2 tickets")[1:] == (
        "An Express card would bring nothing here: only 2 tickets are left.",
        (
            f"Une carte Train Express n’apporterait rien ici{NBSP}: il ne reste que 2\u00a0cartes"
            " Destination."
        ),
    )
    p.set_ticket_deck([])
    assert told(p, "express 2 tickets")[1] == "The ticket deck is empty."
    p.set_deck([])
    rule, english, _ = told(p, "express 1 cards")
    assert (rule, english) == (
        "KR-3", "An Express card would bring nothing here: deck and discards are empty."
    )  # fmt: skip


@pytest.mark.rule("RU-10")
def test_a_full_line_of_the_mat_names_the_spot_that_the_express_card_would_reach() -> None:
    p = Position("south_korea", 2)
    p.hand(0, white=4)
    p.act("claim namwon-jinju white")
    p.act("pay 0 extra 0")
    lines = next(e.params["lines"] for e in p.game.board.rules if e.name == "province_mat")
    assert isinstance(lines, list)
    line = [entry["colour"] for entry in lines].index("white")
    width = len(numbers(p.s, "mat")) // len(lines)
    for spot in range(4):
        p.s.d[p.field("mat") + line * width + spot] = 2
    p.arranged()
    assert told(p, "mat white")[1] == "On the white line (North Jeolla) no spot up to 3 is free."
    assert told(p, "mat white express 1")[1:] == (
        "On the white line (North Jeolla) no spot up to 4 is free.",
        "Sur la ligne blanche (Jeolla du Nord), aucune case n’est libre jusqu’à la case\u00a04.",
    )


@pytest.mark.rule("KR-6")
def test_cards_over_that_are_not_held_are_told_from_those_that_serve_nothing() -> None:
    p = Position("south_korea", 2)
    p.hand(0, white=5)
    p.trains(0, 3)  # none would be left for the mat
    p.hand(0, white=5, locomotive=1)
    p.act("claim namwon-jinju white")
    assert told(p, "pay 0 extra 2")[::2] == (
        "KR-6",
        (
            "On ne joue plus de cartes que la route n’en demande que pour atteindre une case"
            " libre plus"
            " élevée du tableau Provinces."
        ),
    )
    assert told(p, "pay 0 extra 3")[:2] == (
        "BASE-7", "That takes 6 white, and you have 5 white."
    )  # fmt: skip


@pytest.mark.rule("NO-8")
def test_with_an_empty_deck_the_face_up_cards_are_not_called_gone() -> None:
    p = Position("iberia", 2)
    p.set_deck([])
    assert told(p, "draw")[1:] == (
        "No card can be drawn from the deck: deck and discards are empty.",
        f"On ne peut rien tirer de la pioche{NBSP}: pioche et défausse sont vides.",
    )
    p = Position("nordic", 2)
    p.set_deck([])
    card = p.display_cards()[0]
    assert told(p, f"take {card}")[0::1][1:] == (
        "Deck and discards are empty: no cards can be drawn now, not even face-up ones.",
        f"Pioche et défausse sont vides{NBSP}: on ne peut prendre aucune carte, même visible.",
    )


@pytest.mark.rule("BASE-2")
def test_another_decision_is_named_only_when_one_is_open() -> None:
    p = Position("usa", 2)
    assert told(p, "pay 0")[1:] == (
        "There is nothing of the kind to decide now.",
        "Il n’y a rien de tel à décider maintenant.",
    )
    p.act("draw")
    assert told(p, "tickets")[1:] == (
        "Another decision is open now.",
        "Une autre décision est en cours.",
    )


@pytest.mark.rule("EU-1")
def test_a_station_that_can_not_be_built_says_why() -> None:
    p = Position("europe", 2)
    p.hand(0, red=1, blue=1)
    p.s.d[p.field("stations_left")] = 2
    assert told(p, "station")[1:] == (
        (
            "Your next station costs 2 cards of one colour, locomotives included, and you have 1 at"
            " most."
        ),
        (
            "Votre prochaine gare coûte 2\u00a0cartes d’une même couleur, en comptant les"
            " Locomotives, et"
            " vous en avez 1 au plus."
        ),
    )
    p.hand(0, red=2, green=2, blue=1)
    p.act("station")
    p.act("station at wien")
    assert told(p, "station pay blue 0")[1] == "That takes 2 blue, and you have 1 blue."
    p = Position("europe", 2)
    p.hand(0, red=1)
    for city in range(p.t.cities):
        p.s.d[p.field("stations") + city] = 2
    p.arranged()
    assert told(p, "station")[1:] == (
        "There is a station everywhere already.", "Il y a déjà une gare partout."
    )  # fmt: skip


@pytest.mark.rule("NO-5", "EU-1")
@pytest.mark.parametrize(("board", "route", "rule"), [
    ("europe", "barcelona-pamplona", "EU-1"), ("nordic", "bergen-oslo", "NO-5"),
])  # fmt: skip
def test_a_tunnel_says_what_it_asks_for_and_cites_the_book_of_its_board(
    board: str, route: str, rule: str
) -> None:
    p = Position(board, 2)
    colour = p.game.board.routes[p.route(route)].colour
    card = p.game.board.colours[colour] if colour >= 0 else "red"
    length = int(p.game.board.routes[p.route(route)].length)
    p.hand(0, **{card: length, "locomotive": 1})
    p.deck(card, card, "white" if card != "white" else "black")
    p.act(f"claim {route} {card}")
    p.act(next(text for text in p.legal() if text.startswith("pay 0")))
    assert p.s.phase == "tunnel"
    cited, english, _ = told(p, "tunnel 0")
    assert cited == rule
    assert english == (
        f"The tunnel asks for 2 more cards. That would be 2 {card}; beyond the cards laid down, you"
        " have 1 locomotive."
    )
    assert told(p, "tunnel 3")[1] == "The tunnel asks for only 2 more cards."
