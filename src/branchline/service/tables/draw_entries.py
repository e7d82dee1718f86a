"""What the entries before a deal change at a table."""

from __future__ import annotations

from branchline.engine.seed_draw import server_promise
from branchline.service.tables.log_entries import FREE, Missed, Opened, Promised, Sealed
from branchline.service.tables.table_state import TableState, Withheld

DrawEntry = Promised | Sealed | Opened | Missed


def take_in(f: TableState, at: int, entry: DrawEntry) -> None:
    """Take in an entry of the draw."""
    draw = f.draw
    match entry:
        case Promised(seats, promise):
            draw.promises.update(dict.fromkeys(seats, promise))
        case Sealed(seats):
            draw.sealed, draw.since = seats, at
        case Opened(seats, nonce):
            draw.nonces.update(dict.fromkeys(seats, nonce))
        case Missed(seats, level, seed, part):
            promise = server_promise(f.id, draw.round, draw.part)
            promises = {k: draw.promises[k] for k in draw.sealed}
            draw.withheld.append(Withheld(draw.round, promise, promises, seats))
            for k in seats:
                give_away(f, k, level, f"{seed} {k}")
            draw.round, draw.part, draw.since = draw.round + 1, part, at
            draw.promises, draw.sealed, draw.nonces = {}, [], {}


def give_away(f: TableState, seat: int, level: str, seed: str) -> None:
    """A bot has a seat for the whole game; nobody can take it back."""
    s = f.seats[seat]
    lost, s.key = s.key, FREE
    s.name, s.bot, s.bot_seed, s.takes_part = "", level, seed, False
    if f.host == lost and all(o.key != lost for o in f.seats):
        f.host = next((o.key for o in f.seats if o.person), FREE)


def seats_changed(f: TableState, at: int) -> None:
    """Before the deal: promises count from the moment when no seat is open."""
    draw = f.draw
    if any(s.open for s in f.seats):
        draw.since, draw.promises = 0, {}
    elif not draw.since:
        draw.since = at
