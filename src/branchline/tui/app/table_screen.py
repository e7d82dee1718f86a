"""The table as a screen: map, panes, command line, and what the keys do."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Final

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, Static, Tab, Tabs

from branchline.bots import BotFault
from branchline.engine.describe import Words
from branchline.engine.errors import BranchlineError
from branchline.tui import screen
from branchline.tui.app.board_map import BoardMap
from branchline.tui.app.choice_list import ChoiceList
from branchline.tui.app.command_line import CommandLine
from branchline.tui.app.keys_help import keys_help
from branchline.tui.app.pages import Page, Question
from branchline.tui.app.panes import Hand, Log, Market, Players, Tickets
from branchline.tui.character_map import Spot
from branchline.tui.lookups import route_state
from branchline.tui.match import Match
from branchline.tui.menus import of_city, of_route
from branchline.tui.scores import scoreboard, winners
from branchline.tui.table_commands import LOOKUPS, TableCommands

TALL: Final = 34  # lines from which all panes are shown at once
SIDE: Final = (30, 60)  # columns of the panes, at least and at most
PANES: Final = ("choices", "tickets", "log")
PAUSE: Final = 0.3  # seconds after which what quick bots do is shown one by one
NEWS: Final = 3  # events that are told below the map when the person is to decide again
DRAW: Final = {"d": "draw", "t": "tickets"}  # keys, and the kind of action that they take


class TableScreen(Screen[None]):
    """One person playing one match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1,question_mark", "look_up('help')", show=False),
        Binding("tab", "next_route(1)", show=False),
        Binding("shift+tab", "next_route(-1)", show=False),
        Binding("escape,backspace", "back", show=False),
        Binding("slash,colon", "type", show=False),
        Binding("p", "next_pane", show=False),
        Binding("f6", "app.focus_next", show=False),
        Binding("f2", "app.switch_theme", show=False),
        Binding("k", "do('known')", show=False),
        Binding("u", "do('undo')", show=False),
        Binding("l", "look_up('log')", show=False),
        Binding("r", "look_up('rules')", show=False),
        Binding("s", "result", show=False),
        Binding("q,ctrl+c", "leave", show=False),
        *(Binding(key, f"take('{kind}')", show=False) for key, kind in DRAW.items()),
        *(Binding(str(n), f"choose({n})", show=False) for n in range(10)),
    ]

    def __init__(self, match: Match, words: Words) -> None:
        super().__init__()
        self.match: Final = match
        self.words: Final = words
        self.commands: Final = TableCommands(match, words)
        self.shown: Final = screen.Screen(words)
        self.board: Final = BoardMap(match.view, words)
        self.choices: Final = ChoiceList(words)
        self.fault: BotFault | None = None
        self.thinking = False  # a bot is being asked
        self.shown_at = 0.0

    def say(self, key: str, **values: object) -> str:
        return self.words.say(f"play.app.{key}", **values)

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="table"):
            yield self.board
            with Vertical(id="side"):
                yield Players(id="players")
                yield Market(id="market")
                yield Hand(id="hand")
                yield Tabs(*(Tab(self.say(f"pane.{name}"), id=name) for name in PANES))
                with Vertical(id="choices-pane") as pane:
                    pane.border_title = self.say("pane.choices")
                    yield Static(id="question")
                    yield self.choices
                yield Tickets(id="tickets-pane")
                yield Log(id="log-pane")
        yield Static(id="status")
        yield CommandLine(self.commands, self.say("placeholder"))

    def on_mount(self) -> None:
        self.query_one(Tabs).can_focus = False
        self.choices.focus()
        self.go_on()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height >= TALL, "-tall")
        self.query_one("#side").styles.width = min(max(event.size.width * 3 // 8, SIDE[0]), SIDE[1])
        self.call_after_refresh(self.show)

    # --- the course of the game -------------------------------------------------------------------

    def go_on(self) -> None:
        """Show the table; then the bots play, or the person decides, or the game is over."""
        self.show()
        mine = not self.match.over and not self.match.rivals_turn
        self.choices.offer(self.match.view if mine else None)
        self.query_one("#question", Static).update(self.choices.question)
        self.query_one("#question").display = bool(self.choices.question)
        if mine:
            self.show_pane("choices")
            if self.focused is self.board and not self.claimable:
                self.choices.focus()
        elif self.match.over:
            self.tell(winners(self.match.outcome, self.words))
            self.action_result()
        else:
            self.think()

    def action_result(self) -> None:
        """The scores of a game that is over."""
        if self.match.over:
            self.open_page(self.say("result"), scoreboard(self.match.outcome, self.words))

    def think(self) -> None:
        """Ask the bot that is to act, unless it is being asked already."""
        if not self.thinking:
            self.thinking = True
            self.ask_rival()

    @work(thread=True)
    def ask_rival(self) -> None:
        """Wait for the bot's answer without holding up the screen."""
        try:
            action = self.match.ask_rival()
        except BotFault as fault:
            self.app.call_from_thread(self.fail, fault)
        else:
            self.app.call_from_thread(self.rival_acts, action)

    def rival_acts(self, action: int) -> None:
        self.thinking = False
        self.match.rival_acts(action)
        if not self.match.rivals_turn:
            self.tell(" ".join(self.match.news()[-NEWS:]))
            self.go_on()
            return
        if monotonic() - self.shown_at > PAUSE:
            self.show()
        self.think()

    def fail(self, fault: BotFault) -> None:
        self.fault = fault
        self.app.exit()

    def on_market_taken(self, event: Market.Taken) -> None:
        self.act(event.action)

    def act(self, action: int) -> None:
        """Take an action for the person, or say why it may not be taken."""
        if self.match.over or self.match.rivals_turn:
            self.tell(self.say("wait"))
            return
        refused = self.commands.refused(action)
        if refused:
            self.tell(refused)
            return
        self.match.act(action)
        self.tell("")
        self.go_on()

    # --- showing ----------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the position on the map and in the panes."""
        view = self.match.view
        self.shown_at = monotonic()
        self.board.show(view)
        self.query_one("#title", Static).update(self.title_line())
        self.query_one(Players).show(self.shown, view)
        self.query_one(Market).show(self.shown, view)
        self.query_one(Hand).show(self.shown, view)
        self.query_one(Tickets).show(self.shown, view)
        self.query_one(Log).show(self.shown, self.match)

    def title_line(self) -> str:
        view = self.match.view
        words = [view.game.board.named(self.words.lang), *self.shown.progress(view)]
        if self.match.over:
            words.append(self.say("over"))
        elif self.match.rivals_turn:
            words.append(self.say("thinking", name=self.words.name(view.to_act[0])))
        else:
            words.append(self.say("your_turn"))
        return " · ".join(words)

    def tell(self, text: str | Text) -> None:
        """A message in the lines below the map."""
        self.query_one("#status", Static).update(text)

    def open_page(self, title: str, content: RenderableType) -> None:
        self.app.push_screen(Page(title, content, self.say("close")))

    def show_pane(self, name: str) -> None:
        """Bring a pane to the front, where there is room for only one."""
        self.query_one(Tabs).active = name
        for pane in PANES:
            self.query_one(f"#{pane}-pane").set_class(pane == name, "-front")
        self.call_after_refresh(self.query_one(Log).scroll_end, animate=False)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        if event.tab.id is not None:
            self.show_pane(event.tab.id)

    def action_next_pane(self) -> None:
        at = PANES.index(self.query_one(Tabs).active)
        self.show_pane(PANES[(at + 1) % len(PANES)])

    # --- pointing and choosing --------------------------------------------------------------------

    def on_board_map_pointed(self, event: BoardMap.Pointed) -> None:
        self.point(event.spot)

    def point(self, spot: Spot) -> None:
        """Move the cursor of the map and tell what it is on."""
        self.board.point(spot)
        self.tell(self.about(spot))

    def about(self, spot: Spot) -> Text:
        view = self.match.view
        if spot.kind == "city":
            routes = [r for r in view.game.board.routes if spot.number in (r.a, r.b)]
            count = len(of_city(self.choices.top, spot.number))
            parts = [self.say("city", city=self.words.city(spot.number), n=len(routes))]
            return Text(" · ".join([*parts, self.say("choices", n=count)] if count else parts))
        route = spot.number
        points = self.words.say("play.points", n=self.words.points_of(route))
        claimable = bool(of_route(view, self.words, route))
        text = Text(f"{self.words.route(route)} · {self.words.route_facts(route)} · {points} · ")
        text.append_text(route_state(view, self.words, route, claimable))
        return text.append(f" · {self.say('claim')}") if claimable else text

    def on_board_map_chosen(self, event: BoardMap.Chosen) -> None:
        spot = event.spot
        view = self.match.view
        if spot.kind == "city":
            found = of_city(self.choices.top, spot.number)
        else:
            found = of_route(view, self.words, spot.number)
        if len(found) == 1 and not found[0].more:
            self.act(found[0].action)
        elif found:
            self.choices.open(found)
            self.show_pane("choices")
            self.choices.focus()
        elif spot.kind == "route":
            self.why(spot.number)
        else:
            self.do("routes", self.words.city(spot.number))

    def why(self, route: int) -> None:
        """Say why a route can't be claimed, by its rule."""
        actions = self.commands.claims(route)
        refused = self.commands.refused(actions[0]) if actions else ""
        self.tell(refused or self.about(Spot("route", route)))

    @property
    def claimable(self) -> set[int]:
        """The routes that the person can do something about now."""
        view = self.match.view
        numbers = [view.action(number).route for number in view.actions]
        return {route for route in numbers if route is not None}

    def action_next_route(self, step: int) -> None:
        """Point at the next route that can be claimed now."""
        routes = sorted(self.claimable, key=self.words.route)
        if not routes:
            self.tell(self.say("no_routes"))
            return
        cursor = self.board.cursor
        if cursor is not None and cursor.kind == "route" and cursor.number in routes:
            at = (routes.index(cursor.number) + step) % len(routes)
        else:
            at = 0 if step > 0 else len(routes) - 1
        self.board.focus()
        self.point(Spot("route", routes[at]))

    def on_choice_list_considered(self, event: ChoiceList.Considered) -> None:
        if event.route >= 0:
            spot = Spot("route", event.route)
            self.board.point(spot, event.cities)
            self.tell(self.about(spot))
        elif event.cities:
            self.board.point(None, event.cities)

    def on_choice_list_decided(self, event: ChoiceList.Decided) -> None:
        if event.action is None:
            self.tell(self.choices.question)
        else:
            self.act(event.action)

    def action_choose(self, number: int) -> None:
        self.show_pane("choices")
        self.choices.choose(number)

    def action_take(self, kind: str) -> None:
        """Take the one action of a kind, if there is one."""
        view = self.match.view
        found = [number for number in view.actions if view.action(number).kind == kind]
        if len(found) == 1:
            self.act(found[0])

    def action_back(self) -> None:
        self.choices.back()
        self.show_pane("choices")
        self.choices.focus()

    # --- commands ---------------------------------------------------------------------------------

    def action_type(self) -> None:
        self.query_one(CommandLine).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what was typed; then keys mean what they meant before."""
        typed = self.commands.understand(self.query_one(CommandLine).take())
        self.choices.focus()
        if typed is None:
            self.tell(self.words.say("play.not_understood"))
        elif typed.numbers:
            if not self.choices.keep(typed.numbers):
                self.choose_all(typed.numbers)
        elif typed.command:
            self.do(typed.command, typed.about)
        elif typed.action >= 0:
            self.act(typed.action)
        elif typed.city >= 0:
            self.board.focus()
            self.point(Spot("city", typed.city))

    def choose_all(self, numbers: tuple[int, ...]) -> None:
        """Choose one line after the other, as far as they belong to one decision."""
        for number in numbers:
            if not self.choices.choose(number):
                n = self.choices.option_count
                self.tell(self.words.say("play.no_number", n=n))
                return

    def action_look_up(self, command: str) -> None:
        self.do(command, "")

    def action_do(self, command: str) -> None:
        self.do(command, "")

    def do(self, command: str, about: str) -> None:
        """Obey a command."""
        try:
            if command in LOOKUPS:
                width = max(self.size.width - 12, 40)
                title = self.words.say(f"play.command.{command}")
                page = self.commands.look_up(command, about, width)
                page = Group(keys_help(self.words), page) if command == "help" else page
                self.open_page(title, page)
            elif command == "known":
                self.shown.known = not self.shown.known
                self.show()
            elif command == "undo":
                self.undo()
            elif command == "save":
                self.tell(self.commands.save(about))
            else:
                self.action_leave()
        except BranchlineError as error:
            self.tell(self.words.error(error))

    def undo(self) -> None:
        if self.match.rivals_turn:
            self.tell(self.say("wait"))
            return
        self.match.undo()
        self.tell("")
        self.go_on()

    def action_leave(self) -> None:
        """Leave, at once if the game is over."""
        if self.match.over:
            self.app.exit()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.app.exit()

        self.app.push_screen(Question(self.say("leave"), self.say("yes")), answered)
