"""What a server does for its visitors: past games, ratings, and forgetting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from branchline.service.answers import History, RankedPerson, RatingInfo
from branchline.service.broadcast.live_table import LiveTable
from branchline.service.broadcast.summaries import read_summary
from branchline.service.errors import ServiceError, Stale
from branchline.service.people.erasure import erased
from branchline.service.people.history import Finished, by_board, by_opponent, past_game
from branchline.service.people.ratings import Rating, after_game, places_of
from branchline.service.rooms.lobby import Lobby, clean_name
from branchline.service.rooms.rooms import Rooms
from branchline.service.storage import PersonRow, TableRow
from branchline.service.tables import log_entries as log
from branchline.service.tables.log_entries import AnyEntry, Moved
from branchline.service.tables.table import Table

SHOWN: Final = 300  # past games
RANKED: Final = 100  # people in the ranking
ENOUGH: Final = 5  # games before a rating is shown to others
MISSED: Final = 500  # games that are rated at a start, if the last process could not
TRIES: Final = 5


class People:
    """The visitors of a server; `key` is always the hash of a browser's secret."""

    def __init__(self, rooms: Rooms, lobby: Lobby, ratings: bool) -> None:
        self.rooms: Final = rooms
        self.lobby: Final = lobby
        self.ratings: Final = ratings
        if ratings:
            rooms.followers.append(self._follow)

    async def start(self) -> None:
        """Rate the games that ended just before the last process did."""
        if self.ratings:
            store = self.rooms.store
            since = await store.set_setting_once("ratings_since", str(self.rooms.now()))
            for id in await store.unrated(int(since), MISSED):
                await self.rate((await self.rooms.live_table(id)).table)

    # --- past games -------------------------------------------------------------------------------

    async def history(self, key: str, lang: str) -> History:
        """A visitor's own page."""
        rows = await self.rooms.store.tables_of(key, SHOWN)
        over = [await self._finished(row) for row, _ in rows if row.status == "over"]
        games = sorted(over, key=lambda game: -game.at)
        person = await self.rooms.store.person(key)
        rated = person is not None and person.games > 0 and self.ratings
        return History(
            name=person.name if person is not None else "",
            listed=person is not None and person.listed,
            rating=rating_info(person) if person is not None and rated else None,
            games=[past_game(game, key, lang) for game in games],
            boards=by_board(games, key),
            opponents=by_opponent(games, key, lang),
        )

    async def _finished(self, row: TableRow) -> Finished:
        if row.summary is not None:
            s = read_summary(row.summary)
            return Finished(s.id, s.created.board, s.told, s.seats, s.scores, s.winners)
        table = (await self.rooms.live_table(row.id)).table
        assert table.state is not None
        outcome = table.state.outcome
        f = table.table_state
        return Finished(row.id, row.board, f.told, f.seats, outcome.scores, outcome.winners)

    async def remember(self, key: str, name: str, listed: bool) -> None:
        """Keep the name that a visitor wants to be known by; none: no longer."""
        text = clean_name(name, self.lobby.name_length) if name.strip() else ""
        if listed and not text:
            raise ServiceError("bad_name", {"most": self.lobby.name_length}, 422)
        await self.rooms.store.put_person(person_of(key, Rating(), text, listed))

    # --- ratings ----------------------------------------------------------------------------------

    async def ranking(self) -> list[RankedPerson]:
        """Who wants to be shown, the best first; empty where there are no ratings."""
        if not self.ratings:
            return []
        found = await self.rooms.store.ranking(ENOUGH, RANKED)
        return [RankedPerson(person.name, rating_info(person)) for person in found]

    def _follow(self, live: LiveTable, entry: AnyEntry) -> None:
        if isinstance(entry, Moved) and live.table.status == "over":
            self.rooms.later(self.rate(live.table))

    async def rate(self, table: Table) -> bool:
        """Let a finished game count; False: it has counted already."""
        players = players_of(table)
        newcomers = [person_of(key, Rating()) for key, _ in players]
        places = [place for _, place in players]

        def after(people: Sequence[PersonRow]) -> list[PersonRow]:
            before = [Rating(p.mean, p.spread, p.games) for p in people]
            return [
                person_of(p.key, rating)
                for p, rating in zip(people, after_game(before, places), strict=True)
            ]

        return await self.rooms.store.rate(table.id, newcomers, after)

    # --- forgetting -------------------------------------------------------------------------------

    async def forget(self, key: str) -> None:
        """Leave every game, and take the visitor out of the logs of all tables."""
        for id in await self.rooms.store.all_tables_of(key):
            live = await self.rooms.live_table(id)
            held = live.table.seats_of(key)
            if live.table.status != "over":
                for seat in held:
                    await self._leave(live, key, seat)
            rows = await self.rooms.store.entries(id)
            changed = erased([(row.number, log.decode(row.body)) for row in rows], key)
            bodies = {number: log.encode(entry) for number, entry in changed.items()}
            await self.rooms.store.rewrite(id, bodies, key, held)
            self.rooms.drop(id)  # whoever is connected comes back and is told the rest
        await self.rooms.store.drop_person(key)

    async def _leave(self, live: LiveTable, key: str, seat: int) -> None:
        for _ in range(TRIES):
            try:
                if live.table.status != "over" and live.table.seats[seat].key == key:
                    await self.lobby.leave(live, key, seat)
                return
            except Stale:
                continue
        raise ServiceError("busy", status=503)


def players_of(table: Table) -> list[tuple[str, int]]:
    """The people whose ratings a game counts for, with their places; none: it counts for nobody.

    It takes two who have a browser each. Bots don't count, nor do people who share a device, since
    nobody knows who they are. Whoever has left during the game is last.
    """
    assert table.state is not None
    outcome = table.state.outcome
    places = places_of(outcome.scores, outcome.winners)
    keys = [seat.key for seat in table.seats if seat.key]
    players = [
        (seat.key, place)
        for seat, place in zip(table.seats, places, strict=True)
        if seat.key and keys.count(seat.key) == 1
    ]
    last = len(table.seats) + 1
    left = {gone.key for gone in table.table_state.gone}
    players += [(key, last) for key in sorted(left.difference(keys))]
    return players if len(players) > 1 else []


def person_of(key: str, rating: Rating, name: str = "", listed: bool = False) -> PersonRow:
    return PersonRow(key, name, listed, rating.mean, rating.spread, rating.games)


def rating_info(person: PersonRow) -> RatingInfo:
    rating = Rating(person.mean, person.spread, person.games)
    return RatingInfo(rating.points, rating.margin, rating.games)
