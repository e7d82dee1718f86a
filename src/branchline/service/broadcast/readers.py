"""What a reader may see of a table, in the reader's language.

A reader is a seat, or a spectator (-1), and a language. Everything that leaves the server about a
game passes through here, and nothing here reads more of a state than the reader's view and the
reader's part of each event.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec

from branchline.bots.registry import bot_title
from branchline.core.catalogue import say
from branchline.engine.describe import Words
from branchline.engine.game import Game
from branchline.engine.outcome import Outcome
from branchline.engine.seed_draw import server_promise
from branchline.engine.state import State
from branchline.engine.verify import commitment_of
from branchline.engine.view import View
from branchline.rules.tickets.completed import joined
from branchline.service.broadcast.offers import Offers
from branchline.service.messages import (
    ClockInfo,
    Decision,
    DrawInfo,
    DrawnParts,
    EntryInfo,
    EventInfo,
    Line,
    ResultInfo,
    SeatInfo,
    TableInfo,
    Wish,
)
from branchline.service.tables.log_entries import (
    Answered,
    AnyEntry,
    Began,
    BotGone,
    BotSeated,
    ChatSet,
    Created,
    Left,
    Missed,
    Moved,
    Opened,
    Promised,
    Rematched,
    Said,
    Sealed,
    Seated,
    StoredEvent,
    TakenBack,
    Wished,
    events_of,
)
from branchline.service.tables.table import Table
from branchline.service.tables.table_state import SeatState
from branchline.service.tables.table_state import Wish as Pending

Fields = dict[str, list[int]]
Joined = tuple[list[int], list[int]]
"""A seat's completed tickets, and the routes of others that it may use for them."""
NOTHING_JOINED: Final[Joined] = ([], [])
MOST_QUESTIONS: Final = 4096  # that are kept in words

_encode: Final = msgspec.json.Encoder().encode


@lru_cache(maxsize=64)
def offers_of(game: Game, lang: str, cities: str) -> Offers:
    return Offers(game, lang, cities)


@lru_cache(maxsize=4096)
def words_of(game: Game, lang: str, names: tuple[str, ...], seat: int, cities: str) -> Words:
    return Words(game, lang, names, seat, cities)


@lru_cache(maxsize=16_384)
def encoded_event(words: Words, fact: StoredEvent) -> bytes | None:
    """What a reader may know of an event, encoded; cached, since most events recur."""
    for event in events_of(words.game, [fact]):
        known = event.seen(words.viewer)
        if known is not None:
            text = words.event(event)
            encoded: bytes = _encode(EventInfo(event.kind.name, event.seat, text, known))
            return encoded
    return None


_questions: Final[dict[object, str]] = {}


def question_of(words: Words, view: View) -> str:
    """What the open decision is about, in words; kept, since most questions recur."""
    asked = view.question
    if asked is None:
        return ""
    values = [tuple(v) if isinstance(v, list) else v for v in asked.values.values()]
    key = (words, asked.key, tuple(values))
    found = _questions.get(key)
    if found is None:
        if len(_questions) >= MOST_QUESTIONS:
            _questions.clear()
        found = _questions[key] = words.question(view)
    return found


def lines_of(outcome: Outcome, words: Words) -> list[list[Line]]:
    """The lines of a score by seat, as they are sent."""
    return [
        [Line(x.rule, x.what, x.points, x.ref, words.score_line(x), dict(x.values)) for x in lines]
        for lines in outcome.lines
    ]


def result_of(
    state: State, outcome: Outcome, words: Words, seed: str, draw: DrawnParts | None
) -> ResultInfo:
    """The end of a game, all open."""
    held = [state.view(seat).tickets for seat in range(state.game.seats)]
    return ResultInfo(
        outcome.scores,
        lines_of(outcome, words),
        outcome.winners,
        outcome.tickets,
        seed,
        held,
        outcome.tie_break,
        words.tie_break(outcome),
        draw,
    )


def draw_info(table: Table) -> DrawInfo | None:
    """How the seed is drawn, as everyone may know it."""
    draw = table.table_state.draw
    if not draw.part:
        return None
    seats = range(len(table.seats))
    return DrawInfo(
        round=draw.round,
        server=server_promise(table.id, draw.round, draw.part),
        full=bool(draw.since),
        promises=[draw.promises.get(k, "") for k in seats] if draw.promises else [],
        sealed=bool(draw.sealed),
        opened=[k in draw.nonces for k in seats] if draw.sealed else [],
    )


def drawn_parts(table: Table) -> DrawnParts | None:
    """What the seed was drawn from, when the game is over."""
    draw = table.table_state.draw
    if not draw.part:
        return None
    return DrawnParts(draw.part, [draw.nonces.get(k, "") for k in range(len(table.seats))])


def fields_of(view: View) -> Fields:
    """A view as it is sent."""
    return {name: view[name] for name in view.game.view_fields}


def changed(before: Fields, after: Fields) -> Fields:
    """The fields that are not what they were."""
    return {name: value for name, value in after.items() if before.get(name) != value}


def seat_name(seat: SeatState, number: int, lang: str) -> str:
    """What a seat is called: its person, its bot, or its number."""
    if seat.name:
        return seat.name
    if seat.bot:
        return say("table.bot_name", lang, level=level_name(seat.bot, lang), n=number + 1)
    return say("actions.seat", lang, n=number + 1)


def seat_info(seat: SeatState, name: str, present: bool) -> SeatInfo:
    """A seat as everyone sees it."""
    held = bool(seat.key)
    return SeatInfo(
        name=name if not seat.open else "",
        kind="bot" if seat.bot else "person" if held else "open",
        bot=seat.bot,
        stand_in=bool(seat.bot) and held,
        free=seat.open or (bool(seat.bot) and not held and bool(seat.name)),
        present=present and held,
    )


def level_name(level: str, lang: str) -> str:
    """The name of a bot's level."""
    return say(f"table.level.{level}", lang) if level in LEVEL_NAMES else bot_title(level)


LEVEL_NAMES: Final = ("easy", "normal", "hard", "expert")


class Reader:
    """A seat, or a spectator, that reads a table in one language.

    `cities` is the language of city names; without one they are as printed on the board.
    """

    def __init__(self, table: Table, seat: int, lang: str, cities: str = "") -> None:
        self.table: Final = table
        self.seat: Final = seat
        self.lang: Final = lang
        self.cities: Final = cities
        names = tuple([seat_name(s, k, lang) for k, s in enumerate(table.seats)])
        self.words: Final = words_of(table.game, lang, names, seat, cities)

    def say(self, key: str, **values: object) -> str:
        return say(f"table.{key}", self.lang, **values)

    def told(self, key: str, seat: int, **values: object) -> str:
        """What has become of a seat: the reader's own, or another."""
        who = "you" if seat == self.seat else "they"
        return self.say(f"{key}.{who}", name=self.words.name(seat), **values)

    def number(self, number: int) -> int:
        """The number by which the reader knows an entry."""
        return self.table.number_for(self.seat, number)

    def void_from(self, move: int) -> int:
        """The first entry that the reader got of those that go with a move."""
        return self.table.next_number_for(self.seat, move)

    # --- the game -----------------------------------------------------------------------------

    def view(self) -> View | None:
        state = self.table.state
        return state.view(self.seat) if state is not None else None

    def joined(self) -> Joined:
        """The reader's completed tickets as the board stands, and the routes that it borrows."""
        state = self.table.state
        return joined(state, self.seat) if state is not None and self.seat >= 0 else NOTHING_JOINED

    def decision(self, view: View | None) -> Decision | None:
        """What the reader has to decide now."""
        if view is None or self.seat < 0:
            return None
        owed = self.table.seats[self.seat].decision
        if not owed:
            return None
        offers = [msgspec.Raw(offer) for offer in self.offers(view)]
        return Decision(self.number(owed), view.phase, question_of(self.words, view), offers)

    def offers(self, view: View) -> list[bytes]:
        """What the reader may do, encoded."""
        return offers_of(self.table.game, self.lang, self.cities).of(view)

    def clock(self, now: int) -> ClockInfo | None:
        """The clocks, if the table plays with them."""
        table = self.table
        if table.created.clock.kind == "none" or table.status != "playing":
            return None
        seats = range(len(table.seats))
        running = [bool(s.decision) and s.person for s in table.seats]
        return ClockInfo([table.left(k, now) for k in seats], running)

    # --- the table -----------------------------------------------------------------------------

    def info(self, present: Sequence[bool], spectators: int) -> TableInfo:
        """The table as everyone sees it."""
        table, f = self.table, self.table.table_state
        wish = f.wish and self._wish(f.wish)
        return TableInfo(
            id=f.id,
            board=f.created.board,
            digest=f.created.digest,
            status=table.status,
            seats=[seat_info(s, self.words.name(k), present[k]) for k, s in enumerate(table.seats)],
            host=table.host_seat(),
            public=f.created.public,
            chat=f.chat,
            clock=f.created.clock,
            commitment=commitment_of(f.seed) if f.seed else "",
            spectators=spectators,
            wish=wish or None,
            rematch=f.rematch,
            result=self._result() if table.status == "over" else None,
            series=table.series() if f.created.series is not None else None,
            first=f.created.first,
            draw=draw_info(table),
        )

    def _wish(self, wish: Pending) -> Wish:
        request, move = self.number(wish.request), self.void_from(wish.move)
        return Wish(request, wish.seat, move, wish.agreed)

    def _result(self) -> ResultInfo:
        state = self.table.state
        assert state is not None
        seed, draw = self.table.table_state.seed, drawn_parts(self.table)
        return result_of(state, state.outcome, self.words, seed, draw)

    # --- the log ----------------------------------------------------------------------------------

    def entry(self, number: int, at: int, entry: AnyEntry) -> EntryInfo:
        """An entry of the log, as far as the reader may know it."""
        if isinstance(entry, Moved):
            step = self.table.step_at(number)
            late = entry.by == "clock"
            return EntryInfo(
                number=self.number(number),
                at=at,
                kind="moved",
                seat=entry.seat,
                by=entry.by,
                text=self.told("by_clock", entry.seat) if late else "",
                events=[msgspec.Raw(event) for event in self.events(entry.events)],
                free=step is not None and step.harmless,
            )

        def entry_of(kind: str, **more: Any) -> EntryInfo:
            return EntryInfo(self.number(number), at, kind, **more)

        match entry:
            case Created():
                return entry_of("created")
            case Seated(seat, name, _):
                name = name or self.words.name(seat)  # of someone who was forgotten
                return entry_of("seated", seat=seat, name=name, text=self.say("seated", name=name))
            case Left(seat, _, _, name):
                text = self.say("left", name=name or self.words.name(seat))
                return entry_of("left", seat=seat, text=text)
            case BotSeated(seat, level, _, by):
                held = bool(self.table.seats[seat].key)
                level = level_name(level, self.lang)
                if held or by == "clock":
                    key = "bot_clock" if by == "clock" else "bot_seated"
                    text = self.told(key, seat, level=level)
                else:
                    text = self.say("bot_joins", name=self.words.name(seat), level=level)
                return entry_of("bot", seat=seat, by=by, text=text)
            case BotGone(seat):
                return entry_of("back", seat=seat, text=self.told("back", seat))
            case Promised(seats):
                return entry_of("promised", seat=seats[0])
            case Sealed():
                return entry_of("sealed")
            case Opened(seats):
                return entry_of("opened", seat=seats[0])
            case Missed(seats):
                return entry_of("missed", seat=seats[0], text=self.say("missed", n=len(seats)))
            case Began(_, _, facts):
                dealt = [msgspec.Raw(event) for event in self.events(facts)]
                return entry_of("began", text=self.say("began"), events=dealt)
            case Wished(seat, move):
                text = self.say("wish", name=self.words.name(seat))
                return entry_of("wish", seat=seat, to=self.void_from(move), text=text)
            case Answered(seat, _, yes):
                text = self.say("agrees" if yes else "refuses", name=self.words.name(seat))
                return entry_of("answer", seat=seat, text=text)
            case TakenBack(seat, move):
                text = self.told("taken_back", seat)
                return entry_of("taken_back", seat=seat, to=self.void_from(move), text=text)
            case Said(seat, name, text):
                name = name or (self.words.name(seat) if seat >= 0 else self.say("spectator"))
                return entry_of("said", seat=seat, name=name, text=text)
            case ChatSet(on):
                return entry_of("chat", text=self.say("chat_on" if on else "chat_off"))
            case Rematched(table):
                return entry_of("rematch", name=table, text=self.say("rematch"))
        raise AssertionError(entry)

    def events(self, facts: list[StoredEvent]) -> list[bytes]:
        """What the reader may know of some events, encoded."""
        words, loud = self.words, self.table.announced
        found: list[bytes] = []
        for fact in facts:
            if fact[0] in loud:
                encoded = encoded_event(words, fact)
                if encoded is not None:
                    found.append(encoded)
        return found
