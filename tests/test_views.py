"""What a seat sees, never another's secrets; and the worlds that it can't tell apart."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from branchline import Game, State
from branchline.engine.events import Event, Log
from branchline.engine.layout import HELD, HIDDEN, OFFERED, OWNER, REJECTED
from branchline.engine.rule import PRIVATE
from branchline.engine.view import UNDER_DECK
from golden_games import TABLES, choose, cut, finished, game_of, play
from test_properties import by_seat, conserved, numbers

BOARDS = list(dict.fromkeys(board for board, _ in TABLES))
SPECTATOR = -1


def audience(game: Game) -> range:
    """All seats, and the spectator."""
    return range(SPECTATOR, game.seats)


def heard(events: list[Event], seat: int) -> list[object]:
    """What the seat learns from events, with everything that goes over the wire."""
    return [(e.kind.name, int(e.seat), e.seen(seat)) for e in events if e.seen(seat) is not None]


# --- secrets stay secret ---------------------------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_views_have_no_hidden_field_and_only_the_own_part_of_a_private_one(
    board: str, seats: int
) -> None:
    game = game_of(board, seats)
    for f in game.layout.fields.fields:
        assert (f.name in game.view_fields) == (f.visibility != HIDDEN), f.name
        if f.visibility == OWNER:
            assert game.view_fields[f.name].size * seats == f.size
    secrets = {"deck", "seed", "ticket_at", "ticket_deck", "ticket_by"}
    assert {f.name for f in game.layout.fields.fields if f.visibility == HIDDEN} >= secrets
    state = finished(board, seats, 5, "rare")
    assert state.view(0).to_dict().keys() == {"seat", "actions", *game.view_fields}
    json.dumps(state.view(0).to_dict())


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15", "BASE-9")
def test_whatever_a_seat_cannot_know_may_change_without_a_trace_in_its_view(
    board: str, seats: int
) -> None:
    rng = random.Random(f"veil {board} {seats}")
    game = game_of(board, seats)
    state = game.start(rng.randrange(1000))
    for _ in play(state, "rare", rng):
        if rng.random() < 0.9:
            continue
        for seat in audience(game):
            twin = state.clone()
            stir(twin, seat, rng)
            assert twin != state
            assert twin.view(seat).to_dict() == state.view(seat).to_dict()


def stir(state: State, seat: int, rng: random.Random) -> None:
    """Change, by hand, all that the seat can't know: seed, deck, hands, tickets, choices."""
    d, t = state.d, state.t
    for k in range(4):
        d[t.seed + k] = rng.getrandbits(32)
    for other in range(t.seats):
        if other != seat:
            for kind in range(t.kinds):
                d[t.hand + other * t.kinds + kind] = rng.randrange(9)
            d[t.choice + other] = rng.randrange(99)
    deck = [int(d[t.deck + k]) for k in range(d[t.deck_len])]
    rng.shuffle(deck)
    for k, card in enumerate(deck):
        d[t.deck + k] = card
    view = state.view(seat)
    seen = [view[name] for name in ("draft_seen", "second_draft_seen") if name in parts_of(state)]
    mystery = [
        ticket
        for ticket in range(t.tickets)
        if view["tickets"][ticket] == 0 and all(part[ticket] == 0 for part in seen)
    ]
    names = dict(zip(mystery, rng.sample(mystery, len(mystery)), strict=True))
    places = {ticket: int(d[t.ticket_at + ticket]) for ticket in mystery}
    for ticket, other in names.items():
        d[t.ticket_at + other] = places[ticket]
    for k in range(t.tickets):
        ticket = int(d[t.ticket_deck + k])
        d[t.ticket_deck + k] = names.get(ticket, ticket)


def parts_of(state: State) -> set[str]:
    return set(state.game.view_fields)


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12")
def test_others_do_not_see_a_private_decision_before_it_is_done(board: str, seats: int) -> None:
    rng = random.Random(f"private {board} {seats}")
    game = game_of(board, seats)
    met = Counter[str]()
    for policy in ("rare", "saver"):
        state = game.start(rng.randrange(1000), log=True)
        while not state.over:
            seat = rng.choice(state.to_act)
            others = [k for k in audience(game) if k != seat]
            before = [state.view(k) for k in others]
            so_far = len(state.events)
            state.apply(seat, choose(state, seat, policy, rng))
            flags = game.phase_flags[game.phase_names.index(state.phase)]
            if flags & PRIVATE and not state.over:
                met[state.phase] += 1
                assert [state.view(k) for k in others] == before
                assert not [e for e in state.events[so_far:] if not e.kind.silent]
    wanted = {"nordic": {"pay", "substitute"}, "europe": {"pay", "station_city", "station_pay"}}
    assert set(met) >= wanted.get(board, {"pay"})


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_others_hear_of_an_event_only_what_a_spectator_hears(board: str, seats: int) -> None:
    secret = {"CardDrawn": "card", "TicketsOffered": "tickets", "TicketsKept": "mask"}
    secret |= {"ChoiceMade": "action", "PackDealt": "tickets", "TicketPicked": "ticket"}
    for event in finished(board, seats, 3, "rare", log=True).events:
        public = event.seen(SPECTATOR)
        for seat in range(seats):
            if seat != event.seat:
                assert event.seen(seat) == public
        if event.kind.name in ("DeckShuffled", "TicketsShuffled", "TicketsReturned"):
            assert public is not None
            assert "order" not in public
        if event.kind.name in secret:
            own = event.seen(event.seat)
            assert public is not None
            assert own is not None
            assert secret[event.kind.name] in own.keys() - public.keys()
        assert "seed" not in (public or {})


# --- worlds that a seat can't tell apart ----------------------------------------------------


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_a_resampled_world_looks_the_same_at_every_decision(board: str, seats: int) -> None:
    rng = random.Random(f"worlds {board} {seats}")
    game = game_of(board, seats)
    state = game.start(rng.randrange(1000))
    for move, _ in enumerate(play(state, "rare", rng)):
        for seat in audience(game) if move % 8 == 0 else [rng.choice(audience(game))]:
            world = state.resample(seat, move)
            assert world.view(seat) == state.view(seat)
            assert world.view(SPECTATOR) == state.view(SPECTATOR)
            assert numbers(world, "known") == numbers(state, "known")
            conserved(world)
    assert state.resample(0, "one") == state.resample(0, "one") != state.resample(0, "other")


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_a_resampled_world_can_be_played_to_the_end(board: str, seats: int, private: bool) -> None:
    """Also one that another seat imagines while a private decision is open."""
    rng = random.Random(f"futures {board} {seats}")
    game = game_of(board, seats)
    state = game.start(rng.randrange(1000))
    for move, _ in enumerate(play(state, "rare", rng)):
        is_private = bool(game.phase_flags[game.phase_names.index(state.phase)] & PRIVATE)
        if is_private == private and rng.random() < (0.4 if private else 0.015):
            world = state.resample(rng.choice(audience(game)), move)
            for step, _ in enumerate(play(world, "rare", rng)):
                if step % 5 == 0 or world.over:
                    conserved(world)


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12", "RU-15")
def test_twin_worlds_stay_alike_for_a_seat_while_it_hears_the_same(board: str, seats: int) -> None:
    """Two worlds with equal views go on with equal actions; the seat's log and view stay equal."""
    rng = random.Random(f"twins {board} {seats}")
    game = game_of(board, seats)
    together = 0
    for seat in audience(game):
        state = game.start(rng.randrange(1000))
        twin: State | None = None
        while not state.over:
            if twin is None:
                twin = state.resample(seat, rng.randrange(10**6))
            state.log, twin.log = Log(), Log()
            who = rng.choice(state.to_act)
            action = choose(state, who, "rare", rng)
            alike = twin.allows(who, action)
            state.apply(who, action)
            if alike:
                twin.apply(who, action)
                alike = heard(state.events, seat) == heard(twin.events, seat)
            if not alike:
                twin = None
                continue
            together += 1
            assert twin.view(seat).to_dict() == state.view(seat).to_dict()
    assert together > 20 * seats


WATCHERS = pytest.mark.parametrize("seat", [0, SPECTATOR], ids=["seat", "spectator"])


def middle(board: str, seats: int, seed: int, share: float) -> State:
    """A game that has gone on for this share of its moves."""
    whole = cut(board, seats, seed, 10_000, "uniform")
    return cut(board, seats, seed, int(share * len(whole.moves or [])), "uniform")


def even(counts: list[int], samples: int) -> None:
    """The counts may all come from one probability."""
    share = sum(counts) / len(counts) / samples
    spread = 5 * (samples * share * (1 - share)) ** 0.5 + 1
    for n in counts:
        assert abs(n - share * samples) <= spread, (counts, spread)


def alike_tickets(state: State, seat: int) -> list[list[int]]:
    """The tickets of which the seat knows nothing that tells them apart."""
    view = state.view(seat)
    parts = [
        view[name]
        for name in ("tickets", "draft_seen", "second_draft_seen")
        if name in parts_of(state)
    ]
    classes: dict[tuple[object, ...], list[int]] = {}
    for ticket in state.game.board.tickets:
        key = (ticket.long, *[part[ticket.index] for part in parts])
        classes.setdefault(key, []).append(int(ticket.index))
    return [members for members in classes.values() if len(members) > 1]


def ticket_deck(state: State) -> list[int]:
    """The ticket deck, the top first."""
    ring, top, n = (
        numbers(state, "ticket_deck"),
        state.d[state.t.ticket_top],
        state.d[state.t.ticket_len],
    )
    return [ring[(top + k) % len(ring)] for k in range(n)]


@WATCHERS
@pytest.mark.parametrize("share", [0.03, 0.3, 0.8])
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.rule("RU-15")
def test_tickets_that_look_alike_turn_up_anywhere_as_often(
    board: str, share: float, seat: int
) -> None:
    samples = 250
    state = middle(board, 3, 4, share)
    worlds = [state.resample(seat, k) for k in range(samples)]
    places = [numbers(world, "ticket_at") for world in worlds]
    decks = [ticket_deck(world) for world in worlds]
    for members in alike_tickets(state, seat):
        for where in [HELD + rival for rival in (1, 2)] + [OFFERED + 1, REJECTED + 1]:
            even([sum(p[k] == where for p in places) for k in members], samples)
        if decks[0]:
            even([sum(deck[0] == k for deck in decks) for k in members], samples)


@WATCHERS
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.rule("IB-2", "IB-4", "KR-1", "RU-15")
def test_a_resampled_ticket_deck_is_in_an_order_that_nobody_knows(board: str, seat: int) -> None:
    """But for the tickets that the seat has itself put under it."""
    state = middle(board, 3, 8, 0.25)
    decks = [ticket_deck(state.resample(seat, k)) for k in range(200)]
    view = state.view(seat)["tickets"]
    fixed = {k: what - UNDER_DECK for k, what in enumerate(view) if what >= UNDER_DECK}
    loose = len(decks[0]) - len(fixed)
    for ticket in range(state.t.tickets):
        places = [deck.index(ticket) for deck in decks if ticket in deck]
        if ticket in fixed:
            assert set(places) == {fixed[ticket]}
        elif places:
            assert len(set(places)) > min(loose, len(places)) // 3, (ticket, set(places))


@pytest.mark.parametrize("board", ["iberia", "south_korea"])
@pytest.mark.rule("IB-2", "KR-1", "RU-12", "RU-15")
def test_each_pick_of_a_rival_in_the_draft_was_kept_as_likely(board: str) -> None:
    """With two seats the packs come back: the rival's picks are known, but not which it kept."""
    samples, state = 300, cut(board, 2, 5, 12)
    assert state.phase == "turn"
    memory = numbers(state, "draft_memory")  # 1 + 16 * pack + round; round r is seat (pack + r) % 2
    theirs = [k for k, code in enumerate(memory) if code and (code - 1 >> 4) + (code - 1) & 1]
    assert len(theirs) == 6
    worlds = [numbers(state.resample(0, k), "ticket_at") for k in range(samples)]
    seen = [k for k in theirs if state.view(0)["draft_seen"][k]]
    kept = [sum(places[k] == HELD + 1 for places in worlds) for k in seen]
    even(kept, samples)
    assert len(seen) == 5
    assert sum(kept) == pytest.approx(5 * samples * 4 / 6, rel=0.05)


@pytest.mark.parametrize(("board", "seats"), TABLES)
@pytest.mark.rule("RU-12")
def test_a_choice_that_others_have_made_but_not_shown_may_be_any(board: str, seats: int) -> None:
    state = game_of(board, seats).start(3)
    options = len(state.legal(1))
    state.apply(1, state.legal(1)[0])
    seen = Counter(numbers(state.resample(0, k), "choice")[1] for k in range(40 * options))
    assert len(seen) == options
    assert numbers(state.resample(1, 1), "choice")[1] == numbers(state, "choice")[1]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.rule("RU-15")
def test_resampled_cards_are_spread_as_chance_would_deal_them(board: str) -> None:
    samples, seat = 300, 0
    state = middle(board, 2, 6, 0.6)
    t = state.t
    hand, known = by_seat(state, "hand")[1], by_seat(state, "known")[1]
    deck = [card for card in numbers(state, "deck")[: state.d[t.deck_len]] if card < t.special]
    pool = Counter(deck) + (hand - known)
    worlds = [state.resample(seat, k) for k in range(samples)]
    hidden = (hand - known).total()
    for kind in range(t.kinds):
        drawn = [by_seat(world, "hand")[1][kind] - known[kind] for world in worlds]
        share = pool[kind] / pool.total()
        deviation = (hidden * share * (1 - share) / samples) ** 0.5
        assert abs(sum(drawn) / samples - hidden * share) <= 5 * deviation + 0.01
    tops = Counter(numbers(world, "deck")[state.d[t.deck_len] - 1] for world in worlds)
    assert len(tops) > len(pool) // 2
