"""The full-screen table: whole games by keys, the map by keys and mouse, commands, slow bots."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline import Game, View, builtin_boards, load_board
from branchline.bots import BotFault
from branchline.core.rng import Rng
from branchline.tui.app.command_line import CommandLine
from branchline.tui.app.pages import Page
from branchline.tui.app.panes import Market
from branchline.tui.character_map import Spot
from branchline.tui.problems import load_state
from positions import Position
from toy_rule import board_with_picnics, forget, register
from tui.sitting import Sitting, after_opening, at_table, near_the_end, shown, started

TABLES = [
    (board, seats)
    for board in builtin_boards()
    for seats in range(load_board(board).seats_min, load_board(board).seats_max + 1)
]


async def play_to_the_end(person: Sitting) -> None:
    """Answer every decision by keys, by chance."""
    rng = Rng(1, 2, 3, 4)
    for _ in range(300):
        if person.match.over:
            return
        before = person.view
        await person.decide(rng.below(1000))
        assert person.view != before or person.table.choices.depth or person.match.over
    raise AssertionError("the game does not end")


# Whole games


def test_a_whole_game_is_played_by_keys() -> None:
    async def play(person: Sitting) -> None:
        await play_to_the_end(person)
        assert isinstance(person.app.screen, Page)
        assert "BASE-" in person.text(), "the scores name the rules that they rest on"
        await person.press("escape")
        assert "the game is over" in person.text()
        await person.press("s")
        assert isinstance(person.app.screen, Page), "the result can be read again"

    assert at_table(started("new_york"), play).over


@pytest.mark.parametrize(("board", "seats"), dict(TABLES).items())
def test_a_game_is_played_to_its_end_by_keys(board: str, seats: int) -> None:
    """Every board with its fullest table."""
    assert at_table(near_the_end(Game(board, seats)), play_to_the_end).over


@pytest.fixture
def picnics() -> Iterator[Game]:
    register()
    yield Game(board_with_picnics(), 2)
    forget()


def test_a_rule_that_nothing_knows_is_played_on_a_board_without_a_stored_drawing(
    picnics: Game,
) -> None:
    state = picnics.start(5, first=0, log=True)
    while state.phase != "turn":
        seat = state.to_act[0]
        state.apply(seat, state.legal(seat)[0])

    async def play(person: Sitting) -> None:
        lines = person.choices
        await person.press(next(line.split()[0] for line in lines if "picnic 2" in line))
        assert person.choices == ["1 picnic small", "2 picnic large"]
        await person.press("u")
        assert person.choices == lines, "taken back"
        await person.type("picnic 1")
        await person.press("2")
        assert person.view["picnics"][0] == 1
        assert "PicnicHeld city=0 size=1" in "\n".join(person.match.log())

    at_table(state, play)


# The map


def at_turn(**cards: int) -> Position:
    p = Position("usa", seats=2, log=True)
    p.hand(0, **cards)
    return p


def test_tab_goes_through_the_routes_within_reach_and_enter_claims_one() -> None:
    p = at_turn(blue=5)
    route = p.route("atlanta-miami")

    async def play(person: Sitting) -> None:
        seen = []
        while person.board.cursor != Spot("route", route):
            await person.press("tab")
            assert person.board.cursor is not None
            seen.append(person.board.cursor)
            assert "you can claim it" in person.status
            assert len(seen) < 60
        assert len(set(seen)) == len(seen)
        assert person.status.startswith("Atlanta–Miami · 5 spaces, blue · 10 points")
        await person.press("shift+tab", "tab", "enter")
        assert person.view.owner(route) == 0

    at_table(p.s, play)


def test_the_payment_is_chosen_in_the_list() -> None:
    p = at_turn(blue=4, locomotive=2)
    route = p.route("duluth-helena")

    async def play(person: Sitting) -> None:
        await person.type("claim calgary-helena blue")
        assert person.choices[0] == "1 Pay 4 blue"
        assert person.table.choices.question.startswith("How do you pay for Calgary–Helena")
        await person.press("down", "enter")
        assert person.view["hand"][person.view.game.layout.loco] == 1
        assert person.view.owner(route) is None

    at_table(p.s, play)


def test_arrows_move_to_the_nearest_thing_in_their_direction() -> None:
    async def play(person: Sitting) -> None:
        await person.type("denver")
        city = person.board.cursor
        assert city is not None
        assert city.kind == "city"
        assert person.status.startswith("Denver · ")
        here = person.board.where(city)
        for way, dx, dy in (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1)):
            person.table.point(city)
            await person.press(way)
            found = person.board.cursor
            assert found is not None
            assert found != city
            there = person.board.where(found)
            assert (there.x - here.x) * dx + (there.y - here.y) * dy > 0

    at_table(after_opening("usa"), play, size=(120, 40))


def test_everything_on_the_map_can_be_reached_by_arrows_and_names() -> None:
    async def play(person: Sitting) -> None:
        board = person.board
        reached: set[Spot] = set()
        waiting = [Spot("city", k) for k in range(len(person.view.game.board.cities))]
        while waiting:
            spot = waiting.pop()
            if spot in reached:
                continue
            reached.add(spot)
            for way in ("left", "right", "up", "down"):
                board.point(spot)
                found = board.next_spot(way)
                waiting += [found] if found is not None else []
        assert len(reached) == len(board.spots)

    at_table(after_opening("new_york"), play)


def test_a_click_points_and_a_second_click_claims() -> None:
    p = at_turn(blue=5)
    route = p.route("atlanta-miami")

    async def play(person: Sitting) -> None:
        await person.click(Spot("route", route))
        assert person.board.cursor == Spot("route", route)
        assert person.view.owner(route) is None
        await person.click(Spot("route", route))
        assert person.view.owner(route) == 0

    at_table(p.s, play)


def test_a_click_on_a_line_between_two_cities_finds_the_route() -> None:
    p = at_turn(blue=5)

    async def play(person: Sitting) -> None:
        ids = [city.id for city in p.game.board.cities]
        await person.click(Spot("city", ids.index("seattle")))
        assert person.status.startswith("Seattle · ")
        place = person.board.where(Spot("route", p.route("los_angeles-phoenix")))
        found = person.board.spot_at(place - (2, 0))
        assert found is not None
        assert found.kind == "route"

    at_table(p.s, play, size=(200, 60))


def test_a_route_out_of_reach_says_why_with_its_rule() -> None:
    p = at_turn(blue=2)
    route = p.route("atlanta-miami")

    async def play(person: Sitting) -> None:
        await person.click(Spot("route", route))
        await person.press("enter")
        assert person.status.startswith("Atlanta–Miami needs 5 cards")
        assert person.status.endswith("(BASE-7)")
        assert person.view.owner(route) is None

    at_table(p.s, play)


def test_a_city_offers_what_can_be_done_there() -> None:
    async def play(person: Sitting) -> None:
        await person.type("miami")
        assert "1 choice here" in person.status
        await person.press("enter")
        assert person.view.owner(route) == 0

    p = at_turn(blue=5)
    route = p.route("atlanta-miami")
    at_table(p.s, play)


def test_the_map_is_enlarged_around_the_cursor() -> None:
    async def play(person: Sitting) -> None:
        await person.press("tab")
        assert person.board.cursor is not None
        before = person.text()
        await person.press("plus", "plus")
        assert person.text() != before
        place = person.board.where(person.board.cursor)
        assert 0 <= place.x < person.board.size.width
        assert 0 <= place.y < person.board.size.height
        await person.press("minus", "minus")
        assert person.text() == before

    at_table(after_opening("europe"), play)


# Panes


def test_tickets_are_marked_and_a_choice_that_is_not_allowed_is_refused_with_the_rule() -> None:
    async def play(person: Sitting) -> None:
        assert "Mark at least 2 to keep." in person.text()
        await person.press("1")
        assert person.choices[0].startswith("1 [x]")
        await person.press("6")
        assert "at least 2 must be kept. (NO-1)" in person.status
        await person.press("2", "6")
        assert len(person.view.tickets) == 2

    at_table(started("nordic"), play)


def test_a_click_on_the_display_takes_the_card() -> None:
    async def play(person: Sitting) -> None:
        card = person.view["display"][0]
        before = person.view.hand[card]
        await person.pilot.click(Market, offset=(1, 1))
        await person.settle()
        assert person.view.hand[card] == before + 1

    at_table(after_opening("new_york", seed=2), play)


def test_letters_draw_from_the_deck_and_draw_tickets() -> None:
    async def play(person: Sitting) -> None:
        before = person.view.deck_size
        await person.press("d")
        assert person.view.deck_size == before - 1
        await person.press("d")
        await person.press("t")
        assert person.table.choices.tickets is not None

    at_table(after_opening("usa"), play)


def test_panes_are_tabs_where_lines_are_few_and_all_shown_where_there_is_room() -> None:
    async def small(person: Sitting) -> None:
        panes = [person.table.query_one(f"#{name}-pane") for name in ("choices", "tickets", "log")]
        assert [shown(pane) for pane in panes] == [True, False, False]
        await person.press("p")
        assert [shown(pane) for pane in panes] == [False, True, False]
        await person.pilot.resize_terminal(120, 40)
        await person.settle()
        assert all(shown(pane) for pane in panes)

    at_table(after_opening("usa"), small)


def test_what_others_are_known_to_hold_can_be_shown() -> None:
    async def play(person: Sitting) -> None:
        assert "known cards" not in person.text()
        await person.press("k")
        assert "known cards" in person.text()

    at_table(after_opening("usa"), play, size=(200, 60))


def test_the_colours_follow_the_terminal_and_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORFGBG", "0;15")

    async def play(person: Sitting) -> None:
        assert not person.app.current_theme.dark
        await person.press("f2")
        assert person.app.current_theme.dark

    at_table(after_opening("usa"), play)


# The command line


def test_the_tab_key_completes_what_is_typed() -> None:
    async def play(person: Sitting) -> None:
        line = person.table.query_one(CommandLine)
        await person.press("slash", *"gote", "tab")
        assert line.value == "Göteborg"
        line.value = ""
        await person.press(*"why ber", "tab")
        assert line.value == "why Bergen–Oslo"
        await person.press("tab")
        assert line.value == "why Bergen–Stavanger"
        await person.press("shift+tab", "enter")
        assert isinstance(person.app.screen, Page)
        await person.press("escape", "slash", "up")
        assert line.value == "why Bergen–Oslo"

    at_table(after_opening("nordic"), play)


def test_every_decision_can_be_completed_in_the_notation() -> None:
    async def play(person: Sitting) -> None:
        texts = [person.view.game.action_text(number) for number in person.view.actions]
        offered = person.table.commands.completions("claim")
        assert set(offered) == {text for text in texts if text.startswith("claim")}

    at_table(after_opening("iberia"), play)


def test_the_command_line_takes_numbers_commands_and_actions(tmp_path: Path) -> None:
    file = tmp_path / "evening.json"

    async def play(person: Sitting) -> None:
        before = sum(person.view.hand)
        await person.type("1 5")
        assert sum(person.view.hand) == before + 1
        await person.type("undo")
        assert person.status.startswith("Too late")
        await person.type(f"save {file}")
        assert "evening.json" in person.status
        await person.type("pass")
        assert person.status.endswith("(RU-3)") or "(" in person.status
        await person.type("nonsense")
        assert person.status.startswith("Not recognised")
        await person.type("99")
        assert person.status.startswith("Choose a number from 1 to")

    match = at_table(after_opening("usa", seed=2), play)
    assert load_state(str(file)).view(0) == match.view


@pytest.mark.parametrize(("lang", "command"), [("en", "routes"), ("fr", "règles"), ("fr", "aide")])
def test_what_is_looked_up_has_a_page_of_its_own(lang: str, command: str) -> None:
    async def play(person: Sitting) -> None:
        await person.type(command)
        assert isinstance(person.app.screen, Page)
        assert f"─ {command} ─" in person.text()
        await person.press("escape")
        assert len(person.app.screen_stack) == 2

    at_table(after_opening("nordic"), play, lang=lang)


def test_help_has_the_keys_the_signs_of_the_map_and_the_commands() -> None:
    async def play(person: Sitting) -> None:
        await person.press("question_mark")
        text = person.text()
        for part in ("the next route that you can claim now", "#1 claimed by that player"):
            assert part in text
        assert "why CITY-CITY" in text

    at_table(after_opening("nordic"), play, size=(120, 60))


def test_leaving_is_asked_for_and_can_be_declined() -> None:
    async def play(person: Sitting) -> None:
        await person.press("q")
        assert "Leave the game?" in person.text()
        await person.press("n")
        assert person.app.screen is person.table
        await person.press("q", "y")
        assert not person.app.is_running

    assert not at_table(after_opening("usa"), play).over


# Bots


class Idle:
    """Does nothing before and after a game."""

    def start(self, game: Game, seat: int, seed: int | str) -> None: ...

    def finish(self, view: View) -> None: ...


class Slow(Idle):
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self.enough = threading.Event()
        self.asked = 0

    def decide(self, view: View, seconds: float) -> int:
        self.asked += 1
        assert self.enough.wait(5)
        return view.actions[-1]


def test_the_screen_answers_while_a_bot_thinks() -> None:
    bot = Slow()

    async def play(person: Sitting) -> None:
        await person.pilot.press("d")
        await person.pilot.pause()
        await person.pilot.press("d")
        await person.pilot.pause()
        assert "Player 2 is thinking" in person.text()
        assert person.choices == []
        await person.pilot.press("u")
        await person.pilot.pause()
        assert person.status == "Wait until the others have played."
        await person.pilot.press("question_mark")
        await person.pilot.pause()
        assert isinstance(person.app.screen, Page)
        await person.pilot.press("escape")
        bot.enough.set()
        await person.settle()
        assert "your turn" in person.text()

    at_table(after_opening("new_york"), play, rivals=[bot])


def test_a_bot_that_thinks_is_not_asked_again() -> None:
    bot = Slow()
    state = after_opening("new_york")
    assert state.moves is not None
    before = len(state.moves)

    async def play(person: Sitting) -> None:
        bot.asked = 0  # it was shown the opening
        for _ in range(2):
            await person.pilot.press("d")
            await person.pilot.pause()
        for _ in range(3):  # whatever shows the table anew
            person.table.go_on()
            await person.pilot.pause()
        assert bot.asked == 1
        bot.enough.set()
        await person.settle()
        assert "your turn" in person.text()

    at_table(state, play, rivals=[bot])
    own = [move for move in state.moves[before:] if move & 7 == 1]
    assert bot.asked == len(own), "once for each of its decisions"


class Faulty(Idle):
    """Fails at its first decision."""

    def decide(self, view: View, seconds: float) -> int:
        raise BotFault("bot_raised", "faulty", True, view.phase, "no trains")


def test_a_bot_that_fails_ends_the_app_with_its_fault() -> None:
    async def play(person: Sitting) -> None:
        await person.press("d", "d")
        assert isinstance(person.table.fault, BotFault)
        assert not person.app.is_running

    at_table(after_opening("new_york"), play, rivals=[Faulty()])
