"""Ways to play at random, and the games in `golden/`: one for each board and number of seats.

`python tests/golden_games.py` plays the golden games again and writes them down. Do this only when
a change of the rules, a board or the notation is meant to change them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from branchline import Game, State, builtin_boards, load_board, write_game
from branchline.engine.describe import Words
from branchline.engine.events import Event

FOLDER = Path(__file__).parent / "golden"
TABLES = [
    (name, seats)
    for name in builtin_boards()
    for seats in range(load_board(name).seats_min, load_board(name).seats_max + 1)
]
"""Every board with every number of seats."""

# How gladly a policy chooses each sort of action; the last word is for all other sorts.
POLICIES: dict[str, dict[str, float]] = {
    "uniform": {},
    "claims": {"claim": 30, "ferry": 30, "bore": 30, "any": 30, "else": 1},
    "tickets": {"tickets": 20, "express": 5, "claim": 4, "else": 2},
    "hoarder": {"draw": 2, "take": 1, "else": 1e-9},
    "rare": {
        "claim": 3, "ferry": 12, "bore": 12, "any": 400, "express": 4, "mat express": 12,
        "mat": 8, "station": 2, "sets": 9, "extra": 3, "back-off": 2, "draw": 4, "else": 1,
    },
    "saver": {},  # a hoarder up to a large hand, then a lover of rare things
}  # fmt: skip
LARGE_HAND = 22


@cache
def game_of(board: str, seats: int) -> Game:
    """The game of a board, made once."""
    return Game(board, seats)


@cache
def sorts(game: Game) -> list[str]:
    """The sort of each action: the first word of its text, and more where that tells more."""
    found = []
    routes = {game.route_text(r.index): r for r in game.board.routes}
    for action in range(len(game.action_rules)):
        words = game.action_text(action).split()
        sort = words[0]
        if sort == "claim":
            route = routes[words[1]]
            marks = {"ferry": route.locomotives, "bore": route.tunnel, "any": route.any_cards}
            sort = next((mark for mark, on in marks.items() if on), sort)
        elif sort == "pay" and "sets" in words and words[words.index("sets") + 1] != "0":
            sort = "sets"
        elif sort == "pay" and "extra" in words and words[words.index("extra") + 1] != "0":
            sort = "extra"
        elif sort == "mat" and words[-2] == "express":
            sort = "mat express"
        elif sort == "express" and words[-1] == "tickets":
            sort = "tickets"
        found.append(sort)
    return found


def choose(state: State, seat: int, policy: str, rng: random.Random) -> int:
    """A legal action: first its sort, then one of them."""
    legal = state.legal(seat)
    if policy == "saver":
        large = state.d[state.t.hand_size + seat] >= LARGE_HAND
        policy = "rare" if large or rng.random() < 0.02 else "hoarder"
    weights = POLICIES[policy]
    if not weights:
        return rng.choice(legal)
    sort_of = sorts(state.game)
    present: dict[str, list[int]] = {}
    for action in legal:
        present.setdefault(sort_of[action], []).append(action)
    likely = [weights.get(sort, weights["else"]) for sort in present]
    return rng.choice(present[rng.choices(list(present), likely)[0]])


def play(state: State, policy: str, rng: random.Random, cap: int = 6000) -> Iterator[int]:
    """Play to the end, giving each move's seat after it was made; at most `cap` moves."""
    for _ in range(cap):
        if state.over:
            return
        seat = rng.choice(state.to_act)
        state.apply(seat, choose(state, seat, policy, rng))
        yield seat
    raise AssertionError(f"no end after {cap} moves")


def finished(board: str, seats: int, seed: int, policy: str, log: bool = False) -> State:
    """A whole game."""
    state = game_of(board, seats).start(seed, log=log)
    for _ in play(state, policy, random.Random(f"{seed} {policy}")):
        pass
    return state


def cut(board: str, seats: int, seed: int, moves: int, policy: str = "rare") -> State:
    """A game that stops after so many moves."""
    state = game_of(board, seats).start(seed)
    for _ in islice(play(state, policy, random.Random(seed)), moves):
        pass
    return state


# Lines that each golden game of a board must have, the seat left out.
SHOWN: dict[str, list[str]] = {
    "iberia": [
        "draft pick 6", "draft keep .*", "second-draft pick .*", "second-draft keep .*",
        "festival first", "festival second", "claim .*palma.* .*", "tickets", "keep .*",
    ],
    "south_korea": [
        "draft pick 6", "draft keep .*", "express . cards", "express . tickets", "mat none",
        r"mat \w+", r"mat \w+ express .", "pay . extra [1-9]", "claim taebaek-pohang .*",
    ],
    "new_york": ["opening keep 1 2", "take locomotive", "draw", "tickets", "keep 2", "pay .*"],
    "nordic": [
        "opening keep 1 2", "take locomotive", "back-off", "tunnel .", "substitute .*",
        "pay . sets [1-9]", "tickets", "claim .*#2 .*", "claim lieksa-murmansk .*",
    ],
    "usa": ["opening keep 1 3", "take locomotive", "claim .* wild", "claim .*#2 .*", "tickets"],
    "europe": [
        "opening keep .*", "station", "station at .*", "station pay .*", "back-off", "tunnel .",
        "claim .* wild", "tickets", "pay .*",
    ],
}  # fmt: skip


def shows(text: str, board: str) -> bool:
    """Whether a game in the notation has every sort of line that its board should show."""
    return all(re.search(rf"^\d {line} *(;.*)?$", text, re.MULTILINE) for line in SHOWN[board])


TOLD = {
    "CardDrawn", "DeckShuffled", "DisplayReset", "TicketsOffered", "TicketPicked",
    "SecondTicketPicked", "DraftCardDrawn", "TunnelCardTurnedUp", "FestivalTaken",
    "TrainPlacedOnMat", "LastRoundBegan",
}  # fmt: skip


def said(state: State, event: Event) -> str:
    """A comment: what chance brought, secrets included, and what else a reader can't see."""
    if event.kind.name not in TOLD:
        return ""
    return Words(state.game, "en").event(event, open=True).removesuffix(".")


def golden(board: str, seats: int) -> str:
    """The first game, by seed, that shows enough and never runs out of cards."""
    for seed in range(2000):
        state = finished(board, seats, seed, "saver" if board == "nordic" else "rare", log=True)
        text = write_game(state)
        stayed = any(event.kind.name == "DisplayStayed" for event in state.events)
        if shows(text, board) and not stayed:
            text = write_game(state, said)
            scores = " ".join(map(str, state.outcome.scores))
            winners = " ".join(map(str, state.outcome.winners))
            return f"{text}; scores {scores}\n; winners {winners}\n"
    raise AssertionError(f"no game on {board} with {seats} seats shows all of {SHOWN[board]}")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for board, seats in TABLES:
        text = golden(board, seats)
        (FOLDER / f"{board}_{seats}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
