"""Playing in the terminal: menus, looking things up, taking back, saving, and keeping secrets."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from rich.console import Console

from branchline import Game, State, View, builtin_boards
from branchline.bots import seat_bot
from branchline.core.catalogue import LANGUAGES
from branchline.core.rng import Rng
from branchline.engine.describe import Words
from branchline.engine.errors import RecordError
from branchline.engine.events import NOBODY
from branchline.engine.playback import playback_of
from branchline.tui.boards import board_page
from branchline.tui.character_map import CharacterMap
from branchline.tui.line_mode import LineMode
from branchline.tui.lookups import find_city, find_routes
from branchline.tui.match import PERSON, Match, Quit
from branchline.tui.menus import Choice, TicketChoice, menu
from branchline.tui.network import joined
from branchline.tui.problems import UserError, load_state, save_state
from branchline.tui.reader import Reader
from branchline.tui.replayer import Replayer
from branchline.tui.screen import Screen
from positions import Position
from rules.helpers_expansion import give_fiestas, put_on_mat

BOARDS = builtin_boards()


class Answers(Reader):
    """Input that is made while it is asked for."""

    def __init__(self, console: Console, answer: Callable[[], str]) -> None:
        super().__init__(console, io.StringIO())
        self.answer = answer

    def line(self, prompt: str) -> str:
        return self.answer()


class Seat:
    """A person at a table, who types what a test wants and sees what is printed."""

    def __init__(
        self, state: State, typed: str = "", lang: str = "en", width: int = 80, seed: int = 1
    ) -> None:
        self.words = Words(state.game, lang, viewer=PERSON)
        rivals = [seat_bot("random", state.game, seat, seed) for seat in range(1, state.game.seats)]
        self.match = Match(state, rivals, self.words)
        self.screen = io.StringIO()
        self.console = Console(file=self.screen, width=width, highlight=False)
        self.sitting = self.with_input(io.StringIO(typed))

    def with_input(self, stream: io.StringIO) -> LineMode:
        return LineMode(self.match, self.words, self.console, Reader(self.console, stream))

    def type(self, text: str) -> str:
        """Type lines and play on as far as they reach; gives what was printed."""
        self.screen.seek(0)
        self.screen.truncate()
        with pytest.raises((EOFError, Quit)):
            self.with_input(io.StringIO(text)).play()
        return self.screen.getvalue()

    def by_chance(self, seed: int) -> str:
        """Play to the end by random answers to the menus that are shown."""
        rng = Rng(seed, 2, 3, 4)

        past: list[str] = []

        def answer() -> str:
            past.append(self.screen.getvalue())
            self.screen.seek(0)
            self.screen.truncate()
            lines = past[-1].splitlines()
            start = max(k for k, line in enumerate(lines) if line.startswith("  1  "))
            count = 1
            for line in lines[start + 1 :]:
                if re.match(rf"\s*{count + 1}  ", line):
                    count += 1
            if isinstance(menu(self.match.view, self.words), TicketChoice):
                first = rng.below(count)
                return " ".join(str(1 + (first + k) % count) for k in range(4))
            return str(1 + rng.below(count))

        LineMode(self.match, self.words, self.console, Answers(self.console, answer)).play()
        return "".join(past) + self.screen.getvalue()


def started(board: str, seats: int = 2, seed: int = 1) -> State:
    return Game(board, seats).start(seed, first=0, log=True)


def after_opening(board: str, seats: int = 2, seed: int = 1) -> State:
    state = started(board, seats, seed)
    while state.phase != "turn":
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[-1])
    return state


def listed(choices: list[Choice] | TicketChoice) -> list[Choice]:
    assert isinstance(choices, list)
    return choices


# Whole games


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_game_can_be_played_to_the_end_by_numbers_alone(board: str, lang: str) -> None:
    seat = Seat(started(board), lang=lang)
    shown = seat.by_chance(seed=5)
    assert seat.match.over
    assert (
        shown.rstrip()
        .splitlines()[-1]
        .endswith(("win.", "wins.", "victory.", "gagné.", "victoire."))
    )
    assert max(map(len, shown.splitlines())) <= 80
    assert "{" not in shown


@pytest.mark.parametrize(("board", "width"), [("europe", 60), ("south_korea", 60), ("usa", 120)])
def test_no_line_is_wider_than_the_screen(board: str, width: int) -> None:
    shown = Seat(started(board, seats=3), width=width).by_chance(seed=3)
    assert max(map(len, shown.splitlines())) <= width


# Secrets


@pytest.mark.parametrize("board", BOARDS)
def test_the_screen_is_the_same_whatever_the_person_can_not_know(board: str) -> None:
    state = started(board, seats=2, seed=8)
    player = seat_bot("random", state.game, 0, 4)
    words = Words(state.game, "en", viewer=PERSON)

    def shown(view: View) -> str:
        file = io.StringIO()
        console = Console(file=file, width=100)
        screen = Screen(words)
        screen.known = True
        console.print(screen.table(view))
        console.print(screen.own(view))
        if view.actions:
            console.print(repr(menu(view, words)), words.question(view))
        console.print(CharacterMap(view, words, 99, 40).text())
        return file.getvalue()

    for step in range(120):
        if state.over:
            break
        if step % 8 == 0:
            other = state.resample(PERSON, step)
            assert shown(state.view(PERSON)) == shown(other.view(PERSON))
        seat = state.to_act[0]
        state.apply(seat, player.decide(state.view(seat), 1.0))


def test_rivals_tickets_and_blind_cards_are_not_told_before_the_end() -> None:
    state = started("usa", seats=2, seed=8)
    seat = Seat(state)
    text = seat.type("1 2\n1\n5\n1\n5\n" * 4 + "log\n")
    theirs = [seat.words.ticket(k) for k in state.view(1).tickets]
    mine = [seat.words.ticket(k) for k in state.view(0).tickets]
    assert theirs
    assert not [ticket for ticket in theirs if ticket in text and ticket not in mine]
    assert "Player 2 draws a card from the deck." in text
    assert not re.search(r"Player 2 draws an? \w+ card from the deck", text)


def test_scores_are_not_handed_out_before_the_end() -> None:
    match = Seat(started("usa")).match
    with pytest.raises(ValueError, match="not over"):
        _ = match.outcome


# Menus


def test_a_turn_is_grouped_and_claims_come_with_the_most_points_first() -> None:
    p = Position("usa", seats=2)
    p.hand(0, blue=6, locomotive=1)
    words = Words(p.game, "en", viewer=0)
    choices = listed(menu(p.s.view(0), words))
    assert [c.label.plain.split(" (")[0] for c in choices] == [
        "Draw cards",
        "Claim a route",
        "Draw 3 tickets",
    ]
    claims = choices[1].more
    points = [int(re.findall(r"(\d+) points?", c.label.plain)[0]) for c in claims]
    assert points == sorted(points, reverse=True)


def test_colours_and_payments_come_thriftiest_first() -> None:
    p = Position("usa", seats=2)
    p.hand(0, blue=4, red=2, locomotive=3)
    words = Words(p.game, "en", viewer=0)
    claims = listed(menu(p.s.view(0), words))[1].more
    gray = next(c for c in claims if c.label.plain.startswith("Calgary–Helena"))
    assert [c.label.plain.split(" with ")[1] for c in gray.more] == [
        "blue (you have 4)",
        "red (you have 2)",
    ]
    p.act("claim calgary-helena blue")
    pays = [c.label.plain for c in listed(menu(p.s.view(0), words))]
    assert pays[0] == "Pay 4 blue"
    assert pays[-1] == "Pay 1 blue and 3 locomotives"
    assert words.question(p.s.view(0)).startswith("How do you pay for Calgary–Helena")


def test_twins_that_do_not_differ_are_offered_once() -> None:
    p = Position("usa", seats=2)
    p.hand(0, red=1)
    claims = listed(menu(p.s.view(0), Words(p.game, "en")))[1].more
    names = [c.label.plain for c in claims]
    assert len([n for n in names if n.startswith("Dallas–Houston")]) == 1


def test_every_action_of_a_turn_is_in_the_menu_or_is_its_twins() -> None:
    for board in BOARDS:
        state = after_opening(board, seats=2)
        words = Words(state.game, "en", viewer=0)
        view = state.view(0)

        def actions(choices: list[Choice]) -> set[int]:
            found = {c.action for c in choices if c.action >= 0}
            return found.union(*(actions(c.more) for c in choices))

        missing = set(view.actions) - actions(listed(menu(view, words)))
        assert all("#2" in state.game.action_text(a) for a in missing)


def test_tickets_to_keep_are_chosen_by_their_numbers_and_refused_with_the_rule() -> None:
    seat = Seat(started("nordic"))
    text = seat.type("1\n1 9\n3 1 1\n")
    assert "Of these 5 tickets, at least 2 must be kept. (NO-1)" in text
    assert "There are only 5 tickets to choose from." not in text
    assert "Not recognised" in text
    assert len(seat.match.view.tickets) == 2


def test_several_numbers_in_a_line_answer_several_questions() -> None:
    seat = Seat(after_opening("usa", seed=2))
    before = sum(seat.match.view["hand"])
    seat.type("1 5\n")
    assert sum(seat.match.view["hand"]) == before + 1


def test_a_long_list_is_cut_and_a_city_finds_its_routes() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0, **dict.fromkeys(p.game.board.colours, 3))
    seat = Seat(p.s)
    text = seat.type("2\n")
    assert "type + for all, or the name of a city" in text
    assert "Dallas–Houston" not in text
    assert "Dallas–Houston" in seat.type("2\n+\n")
    text = seat.type("duluth\n")
    shown = [line for line in text.splitlines() if re.match(r"\s+\d+  \S+.*points", line)]
    assert shown
    assert all("Duluth" in line for line in shown)
    text = seat.type("miami\n")
    assert "Atlanta–Miami" in text
    assert "open" in text


def test_an_action_may_be_typed_in_the_notation() -> None:
    seat = Seat(after_opening("usa", seed=2))
    before = sum(seat.match.view["hand"])
    text = seat.type("pass\ndraw\n")
    assert "You may pass only when nothing else is possible. (RU-3)" in text
    assert sum(seat.match.view["hand"]) == before + 1


@pytest.mark.parametrize(
    "nonsense", ["?", "99", "0", "-1", "claim", "💥", "why", "save", "rules x"]
)
def test_nonsense_is_answered_and_changes_nothing(nonsense: str) -> None:
    seat = Seat(after_opening("usa", seed=2))
    before = seat.match.view
    text = seat.type(nonsense + "\n")
    assert seat.match.view == before
    assert len(text.splitlines()) > 5


# Looking up


def test_why_names_the_rule() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0)
    seat = Seat(p.s)
    text = seat.type("why Los Angeles-el paso\nwhy boston-miami\nwhy bostn-miami\nwhy boston\n")
    assert "El Paso–Los Angeles" in text
    assert "BASE-7, Claiming a route" in text
    assert "No route joins Boston–Miami directly." in text
    assert "do you mean Boston?" in text
    assert "Name two cities" in text


def test_why_says_that_a_route_can_be_claimed() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0, red=1)
    text = Seat(p.s).type("why dallas-houston\n")
    assert "Dallas–Houston (1 space, grey): you can claim it now." in text


@pytest.mark.parametrize(
    ("typed", "city"),
    [
        ("göteborg", "goteborg"),
        ("Goteborg", "goteborg"),
        ("goth", "goteborg"),
        ("ÅRHUS", "arhus"),
        ("copenhague", "kobenhavn"),
        ("mo i rana", "mo_i_rana"),
        ("stock", "stockholm"),
        ("st", ""),
    ],
)
def test_cities_are_found_as_people_type_them(typed: str, city: str) -> None:
    words = Words(Game("nordic", 2), "en")
    if city:
        assert words.game.board.cities[find_city(words, typed)].id == city
    else:
        with pytest.raises(UserError):
            find_city(words, typed)


def test_names_with_hyphens_are_split_in_the_right_place() -> None:
    words = Words(Game("usa", 2), "fr")
    found = find_routes(words, "Saint-Louis-Chicago")
    assert {words.route(r) for r in found} == {"Chicago–Saint Louis"}
    assert len(find_routes(words, "sault-sainte-marie–toronto")) == 1


def test_the_other_commands_show_what_they_promise() -> None:
    seat = Seat(after_opening("nordic", seed=2))
    assert "Bergen" in seat.type("routes\n")
    only = seat.type("routes kiruna\n").split("route  ")[-1]
    assert "Kiruna–Narvik" in only
    assert "Lieksa–Murmansk" in seat.type("routes all\n")
    assert "Oslo" in seat.type("map\n")
    assert "Crossing a tunnel" in seat.type("rules\n")
    assert "For each" in seat.type("rules no-5\n")
    assert "There is no rule XX" in seat.type("rules XX\n")
    assert "known cards" in seat.type("known\n")
    assert "why CITY-CITY" in seat.type("help\n")
    assert "You are offered" in seat.type("log\n")


def test_commands_have_french_names_as_well() -> None:
    seat = Seat(after_opening("nordic", seed=2), lang="fr")
    assert "pourquoi VILLE-VILLE" in seat.type("aide\n")
    assert "pourquoi VILLE-VILLE" in seat.type("help\n")
    assert "Traverser un tunnel" in seat.type("règles\n")
    assert "Traverser un tunnel" in seat.type("regles\n")
    seat.type("quitter\n")


def test_a_ticket_is_marked_as_soon_as_own_routes_join_it() -> None:
    p = Position("usa", seats=2, log=True)
    p.tickets(0, "boston-miami")
    ticket = p.ticket("boston-miami")
    assert not joined(p.s.view(0), 0, ticket)
    p.own(0, "boston-new_york", "new_york-washington", "raleigh-washington")
    p.own(0, "charleston-raleigh", "charleston-miami")
    assert joined(p.s.view(0), 0, ticket)
    file = io.StringIO()
    Console(file=file, width=80).print(Screen(Words(p.game, "en", viewer=0)).own(p.s.view(0)))
    assert "✓ Boston–Miami (12)" in file.getvalue()


# Taking back


def test_a_decision_is_taken_back_while_nothing_hidden_was_seen() -> None:
    state = after_opening("south_korea", seed=4)
    seat = Seat(state)
    claim = next(
        a
        for a in state.legal(0)
        if state.game.action_text(a).startswith("claim ") and _asks_for_payment(state, a)
    )
    before = seat.match.view
    seat.match.act(claim)
    assert seat.match.view.phase in ("pay", "mat")
    text = seat.type("undo\n")
    assert seat.match.view == before
    assert "Draw cards" in text


def _asks_for_payment(state: State, action: int) -> bool:
    other = state.clone()
    other.apply(0, action)
    return 0 in other.to_act


def test_a_card_that_was_seen_can_not_be_put_back() -> None:
    seat = Seat(after_opening("usa", seed=2))
    text = seat.type("draw\nundo\n")
    assert "Too late: something hidden has been seen" in text
    assert sum(seat.match.view["hand"]) == 5


def test_nothing_is_taken_back_once_a_rival_has_decided() -> None:
    p = Position("usa", seats=2, log=True)
    p.hand(0, red=1)
    seat = Seat(p.s)
    text = seat.type("claim dallas-houston red\nundo\n")
    assert "Too late: others have decided since" in text


def test_nothing_is_taken_back_before_the_first_decision() -> None:
    assert "You have decided nothing yet." in Seat(started("usa")).type("undo\n")


# Saving


@pytest.mark.parametrize("name", ["game.json", "game.txt", "partie"])
def test_a_game_is_saved_and_goes_on_where_it_was(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    seat = Seat(after_opening("nordic", seed=2), lang="fr")
    seat.type(f"draw\nsave {path}\n")
    again = load_state(path)
    assert again.hash() == seat.match._state.hash()
    assert again.events
    assert Seat(again).match.view == seat.match.view


def test_a_file_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    seat = Seat(after_opening("usa", seed=2))
    text = seat.type(f"save {tmp_path}/no/where.json\nsave\n")
    assert "can’t be written" in " ".join(text.split())
    assert "Name a file" in text


def test_a_saved_game_on_an_own_board_comes_back(tmp_path: Path) -> None:
    text = files("branchline.maps").joinpath("usa.toml").read_text(encoding="utf-8")
    board = tmp_path / "mine.toml"
    board.write_text(text.replace('id = "usa"', 'id = "mine"'), encoding="utf-8")
    state = Game(str(board), 2).start(3, log=True)
    for name in ("g.json", "g.txt"):
        save_state(state, str(tmp_path / name), "en")
    assert load_state(str(tmp_path / "g.json")).hash() == state.hash()
    assert load_state(str(tmp_path / "g.txt"), str(board)).hash() == state.hash()
    with pytest.raises(RecordError, match="foreign_board"):
        load_state(str(tmp_path / "g.txt"))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"{}", b"[]", b"\xff\x00", b"0 draw", b"branchline 1\n"),
        b"branchline 1\nboard usa\nseats 9\nseed 1\n",
        b"branchline 1\nboard usa\nseats 2\nseed 1\n0 fly\n",
        b"branchline 1\nboard usa\nseats 2\nseed 1\n0 pass\n",
        b"branchline 1\nhello\n",
    ],
)
def test_damaged_files_are_refused_as_such(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(content)
    with pytest.raises(Exception) as caught:  # noqa: PT011 (any of ours)
        load_state(str(path))
    assert caught.type.__module__.startswith("branchline.")


def test_a_record_is_found_out_by_one_changed_byte(tmp_path: Path) -> None:
    state = after_opening("new_york", seed=2)
    text = state.record().to_json()
    path = tmp_path / "game.json"
    for old, new in (('"seed": "2"', '"seed": "3"'), ('"seats": 2', '"seats": 3')):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(RecordError):
            load_state(str(path))


# Replaying


def test_every_position_can_be_shown_for_every_seat_and_openly() -> None:
    state = started("iberia", seats=2, seed=3)
    player = seat_bot("random", state.game, 0, 1)
    while not state.over:
        seat = state.to_act[0]
        state.apply(seat, player.decide(state.view(seat), 1.0))
    for viewer, open in ((NOBODY, False), (0, False), (1, False), (NOBODY, True)):
        file = io.StringIO()
        console = Console(file=file, width=80)
        shown = Replayer(playback_of(state), "fr", console, viewer, open)
        for number in (0, 1, 20, shown.last):
            shown.show(number)
        assert "Destinations à piocher" in file.getvalue()
        assert "Total" in file.getvalue()


def test_a_seat_that_is_shown_hears_no_secrets_of_others() -> None:
    state = after_opening("usa", seats=2, seed=3)
    file = io.StringIO()
    shown = Replayer(playback_of(state), "en", Console(file=file, width=200), 1, False)
    for number in range(shown.last + 1):
        shown.show(number)
    words = Words(state.game, "en")
    theirs = {words.ticket(k) for k in state.view(0).tickets}
    mine = {words.ticket(k) for k in state.view(1).tickets}
    assert theirs
    assert not [ticket for ticket in theirs - mine if ticket in file.getvalue()]


def test_stepping_goes_on_back_and_to_any_number() -> None:
    state = after_opening("usa", seats=2, seed=3)
    file = io.StringIO()
    console = Console(file=file, width=80)
    shown = Replayer(playback_of(state), "en", console, NOBODY, False)
    shown.step(Reader(console, io.StringIO("\nb\n2\n99\nx\nq\n")), 0)
    positions = re.findall(r"position (\d+) of 2", file.getvalue())
    assert positions == ["0", "1", "0", "2"]
    assert file.getvalue().count("Choose a position from 0 to 2.") == 2
    with pytest.raises(UserError):
        shown.show(3)


# Boards


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_page_of_a_board_says_what_is_exact(board: str, lang: str) -> None:
    file = io.StringIO()
    Console(file=file, width=100).print(board_page(Game(board, 2).board, lang))
    text = file.getvalue()
    assert ("reconstructed" in text or "reconstitué" in text) is (
        board in ("iberia", "south_korea")
    )


@pytest.mark.rule("IB-9", "KR-8")
def test_the_page_of_a_board_has_festival_charts_and_mat_lines() -> None:
    def page(board: str) -> str:
        file = io.StringIO()
        Console(file=file, width=100).print(board_page(Game(board, 2).board, "en"))
        return re.sub(" +", " ", file.getvalue())

    assert "Valencia 2 4 6 9 13 17 22" in page("iberia")
    assert "Porto/Coimbra 2 4 6 9" in page("iberia")
    assert "[W] North Jeolla 1 2 3 4 5 6 7 8 9" in page("south_korea")
    assert "4 players: 10, 6, 4" in page("south_korea")
    assert "Festivals:" not in page("usa")


@pytest.mark.rule("IB-9", "KR-8")
def test_the_charts_tell_what_they_are_worth_now() -> None:
    p = Position("iberia", seats=2, log=True)
    give_fiestas(p, 0, sevilla=3)
    p.s.d[p.field("festival_piles") + 1] = 2  # at Sevilla
    seat = Seat(p.s)
    shown = re.sub(" +", " ", seat.type("charts\n"))
    assert "Sevilla 3 of 5 (6)" in shown
    assert "Sevilla 2 (+7)" in shown
    assert "Sevilla 2 4 6 9 13 3 6 2 13" in shown  # yours, now, at the city, with them
    assert "Your festival cards are worth 6 points now." in shown
    p = Position("south_korea", seats=2, log=True)
    put_on_mat(p, 0, "white", 3, 4)
    put_on_mat(p, 1, "white", 6)
    shown = re.sub(" +", " ", Seat(p.s).type("charts\n"))
    assert "[W] #1 7 (10) #2 6 (0)" in shown
    assert "[W] North Jeolla 1 2 3#1 4#1 5 6#2 7 8 9 #1 7 (10) #2 6 (0)" in shown
    assert "neither festivals" in Seat(after_opening("nordic", seed=2)).type("charts\n")
