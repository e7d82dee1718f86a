"""Worlds that a seat can't tell from the true one.

Cards that the seat has not seen are dealt anew. Tickets change names among those of which the seat
knows the same: since what it knows of each ticket stays as it is, its view stays equal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from branchline.core.machine import i64, vec
from branchline.core.rng import RESAMPLE, Rng, seed_words, shuffle, stream
from branchline.engine.flow import TURN
from branchline.engine.layout import HELD, IN_DECK, OFFERED, REJECTED, column
from branchline.engine.rule import PRIVATE, TOGETHER
from branchline.engine.view import UNKNOWN, know_tickets

if TYPE_CHECKING:
    from branchline.engine.state import State


def resample(s: State, seat: i64, seed: int | str) -> State:
    """A random state with the same view for `seat`, and a future of its own."""
    world = s.clone()
    words = seed_words(seed)
    for k in range(4):
        world.d[s.t.seed + k] = words[k]
    rng = stream(words, 0, RESAMPLE, 0)
    forget_private(world, seat)
    deal_cards(world, seat, rng)
    swap_kept(world, seat, rng)
    for rule in s.game.resample_rules:
        rule.resample(world, seat, rng)
    draw_again(world, seat, rng)
    rename_tickets(world, seat, rng)
    choose_again(world, seat, rng)
    return world


def forget_private(s: State, seat: i64) -> None:
    """What another is about to do in a private decision is unknown: it is just that one's turn."""
    d, t = s.d, s.t
    if s.game.phase_flags[d[t.phase]] & PRIVATE and d[t.turn] != seat:
        d[t.phase] = TURN
        d[t.used] = 0
        for k in range(t.reg, t.control_size):
            d[k] = 0


def deal_cards(s: State, seat: i64, rng: Rng) -> None:
    """Deal the cards of the deck and the unknown ones of the other hands anew."""
    d, t = s.d, s.t
    counts = column([0] * t.kinds)
    for k in range(d[t.deck_len]):
        if d[t.deck + k] < t.special:
            counts[d[t.deck + k]] += 1
    for other in range(t.seats):
        if other != seat:
            for kind in range(t.kinds):
                at: i64 = other * t.kinds + kind
                counts[kind] += d[t.hand + at] - d[t.known + at]
                d[t.hand + at] = d[t.known + at]
    pool = column([0] * t.deck_size)
    n: i64 = 0
    for kind in range(t.kinds):
        for _ in range(counts[kind]):
            pool[n] = kind
            n += 1
    shuffle(rng, pool, 0, n)
    for other in range(t.seats):
        if other == seat:
            continue
        held: i64 = 0
        for kind in range(t.kinds):
            held += d[t.hand + other * t.kinds + kind]
        while held < d[t.hand_size + other]:
            n -= 1
            d[t.hand + other * t.kinds + pool[n]] += 1
            held += 1
    refill_deck(s, pool, n, rng)


def refill_deck(s: State, pool: vec[i64], n: i64, rng: Rng) -> None:
    """Put `pool[:n]` into the deck; other cards change places with them unless theirs is known."""
    d, t = s.d, s.t
    places = column([0] * t.deck_size)
    moving: i64 = n
    open_places: i64 = 0
    for k in range(d[t.deck_len]):
        card = d[t.deck + k]
        if card >= t.special:
            if card in s.game.fixed_cards:
                continue
            pool[moving] = card
            moving += 1
        places[open_places] = k
        open_places += 1
    if moving > n:
        shuffle(rng, pool, 0, moving)
    for k in range(open_places):
        d[t.deck + places[k]] = pool[k]


def swap_kept(s: State, seat: i64, rng: Rng) -> None:
    """Which of its tickets another seat has kept, and which it has put out, is unknown."""
    d, t = s.d, s.t
    for other in range(t.seats):
        if other == seat:
            continue
        mine = [
            k
            for k in range(t.tickets)
            if d[t.ticket_at + k] == HELD + other or d[t.ticket_at + k] == REJECTED + other
        ]
        where = column([d[t.ticket_at + k] for k in mine])
        shuffle(rng, where, 0, len(mine))
        for k in range(len(mine)):
            d[t.ticket_at + mine[k]] = where[k]


def draw_again(s: State, seat: i64, rng: Rng) -> None:
    """Tickets of which the seat only knows that they went into the deck may lie anywhere in it.

    They may also be with a rival who has drawn from it. What was drafted stays with whom it was.
    """
    d, t = s.d, s.t
    codes = column([0] * t.tickets)
    know_tickets(s, seat, codes, 0)
    groups: dict[tuple[int, int], list[int]] = {}
    for ticket in range(t.tickets):
        where: i64 = d[t.ticket_at + ticket]
        batch: i64 = 0
        drafted = False
        for rule in s.game.view_rules:
            batch += rule.batch(s, ticket)
            drafted = drafted or rule.drafted_by(s, ticket) == where - HELD
        rival = HELD <= where < HELD + t.seats and not drafted
        offer = OFFERED <= where < OFFERED + t.seats
        if codes[ticket] == UNKNOWN and (where == IN_DECK or rival or offer):
            long = int(t.board.tickets[ticket].long)
            groups.setdefault((int(batch), long), []).append(ticket)
    move_roles(s, list(groups.values()), rng)


def move_roles(s: State, groups: list[list[int]], rng: Rng) -> vec[i64]:
    """Let the tickets of each group change places at random; returns who took whose place."""
    d, t = s.d, s.t
    name = column(list(range(t.tickets)))
    for members in groups:
        order = column(list(members))
        shuffle(rng, order, 0, len(members))
        for k in range(len(members)):
            name[members[k]] = order[k]
    rename(d, t.ticket_at, name)
    for k in range(t.tickets):
        d[t.ticket_deck + k] = name[d[t.ticket_deck + k]]
    return name


def rename_tickets(s: State, seat: i64, rng: Rng) -> None:
    """Shuffle the names of tickets among those of which the seat knows the same."""
    t = s.t
    codes = column([0] * t.tickets)
    know_tickets(s, seat, codes, 0)
    classes: dict[tuple[int, ...], list[int]] = {}
    for ticket in range(t.tickets):
        key = [int(codes[ticket]), int(t.board.tickets[ticket].long)]
        for rule in s.game.view_rules:
            key.append(rule.ticket_key(s, seat, ticket))
        classes.setdefault(tuple(key), []).append(ticket)
    name = move_roles(s, list(classes.values()), rng)
    for rule in s.game.rules:
        rule.relabel(s, name)


def rename(d: vec[i64], at: i64, name: vec[i64]) -> None:
    """Rename the tickets in a field that has one number for each of them."""
    n: i64 = len(name)
    old = d[at : at + n]
    for k in range(n):
        d[at + name[k]] = old[k]


def choose_again(s: State, seat: i64, rng: Rng) -> None:
    """Others may have made a choice that this seat has not seen."""
    d, t = s.d, s.t
    if not s.game.phase_flags[d[t.phase]] & TOGETHER:
        return
    waiting = d[t.waiting]
    for other in range(t.seats):
        if other != seat and not waiting >> other & 1:
            d[t.waiting] = 1 << other
            s.enumerated = -1
            s.enumerate(other)
            d[t.choice + other] = s.buf[rng.below(s.n)] + 1
    d[t.waiting] = waiting
    s.enumerated = -1
