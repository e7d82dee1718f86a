"""How a game flows: from the deal to its end, one decision after the other.

An action is done by its rule, what follows is settled hook by hook, and every decision with only
one answer is taken here, up to the next real choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from branchline.core.machine import i64, vec
from branchline.core.rng import FIRST_SEAT, stream
from branchline.engine.errors import StateError
from branchline.engine.rule import ALWAYS_ASK, TOGETHER, Refusal

if TYPE_CHECKING:
    from branchline.engine.game import Game
    from branchline.engine.state import State

TURN: Final = 0  # the phase in which a seat begins its turn
OVER: Final = 1


def draw_first(game: Game, words: vec[i64]) -> i64:
    """The first seat, by the seed's words (RU-11)."""
    return stream(words, 0, FIRST_SEAT, 0).below(game.seats)


def deal(s: State, words: vec[i64], first: i64) -> None:
    """Lay out the table and go to the first decision."""
    s.began(first, words)
    for rule in s.game.setup_rules:
        rule.setup(s)
    advance(s)


def act(s: State, seat: i64, action: i64) -> None:
    """Do one action and what follows from it, up to the next decision."""
    game = s.game
    phase = s.d[s.t.phase]
    if game.phase_flags[phase] & TOGETHER:
        s.chose(seat, action)
        if s.d[s.t.waiting] == 0:
            game.phase_rules[phase].resolve(s)
    else:
        game.action_rules[action].apply(s, seat, action)


def advance(s: State) -> None:
    """Take every decision that has only one answer, up to one that is a real choice."""
    d, t, game = s.d, s.t, s.game
    while True:
        phase: i64 = d[t.phase]
        if phase == OVER:
            return
        flags = game.phase_flags[phase]
        seat: i64 = d[t.turn]
        if flags & TOGETHER:
            seat = forced(s)
            if seat < 0:
                return
        else:
            s.enumerated = -1
            s.enumerate(seat)
            if s.n != 1 or flags & ALWAYS_ASK:
                return
        s.enumerated = -1
        act(s, seat, s.buf[0])


def forced(s: State) -> i64:
    """A seat that owes a choice and has only one, with that one in the buffer; else -1."""
    for seat in range(s.t.seats):
        if s.d[s.t.waiting] >> seat & 1:
            s.enumerated = -1
            s.enumerate(seat)
            if s.n == 1:
                return seat
    return -1


def enumerate_actions(s: State, seat: i64) -> None:
    """Put the legal actions of a seat that owes a decision."""
    game = s.game
    phase: i64 = s.d[s.t.phase]
    if phase == TURN:
        for rule in game.turn_rules:
            rule.turn_actions(s, seat)
    else:
        game.phase_rules[phase].legal(s, seat)


def special_card(s: State, card: i64) -> None:
    """A card that is not a train card lies on top of the deck."""
    for rule in s.game.card_rules:
        if rule.special_card(s, card):
            return
    raise StateError("foreign_card", {"card": card})


def paid(s: State, seat: i64) -> bool:
    """The cards for a claim are laid down. True: a rule goes on with it."""
    for rule in s.game.paid_rules:
        if rule.paid(s, seat):
            return True
    return False


def claimed(s: State, seat: i64, route: i64) -> None:
    """Let the rules follow up a claim, one after the other, then end the turn."""
    d, t = s.d, s.t
    rules = s.game.claim_rules
    k: i64 = d[t.stage]
    n: i64 = len(rules)
    while k < n:
        d[t.stage] = k + 1
        if rules[k].claimed(s, seat, route):
            assert s.game.phase_stage[d[t.phase]] == k + 1, "a phase that is not AFTER_CLAIM"
            return
        k += 1
    d[t.stage] = 0
    end_turn(s)


def end_turn(s: State) -> None:
    """Let the rules end the turn, one after the other, then go to the next seat."""
    d, t = s.d, s.t
    rules = s.game.end_rules
    k: i64 = d[t.stage]
    n: i64 = len(rules)
    while k < n:
        d[t.stage] = k + 1
        if rules[k].turn_ended(s, d[t.turn]):
            assert d[t.phase] == OVER or s.game.phase_stage[d[t.phase]] == k + 1, (
                "a phase that is not AFTER_TURN"
            )
            return
        k += 1
    following: i64 = d[t.turn] + 1
    if following == t.seats:
        following = 0
    s.turn_began(following)


def why_not(s: State, seat: i64, action: i64) -> Refusal | None:
    """Why an action is not allowed now; None if it is."""
    game = s.game
    if s.allows(seat, action):
        return None
    if not 0 <= seat < game.seats:
        return Refusal("BASE-2", "no_such_seat", {"seat": seat})
    if not 0 <= action < len(game.action_rules):
        return Refusal("BASE-2", "no_such_action", {"action": action})
    if s.over:
        return Refusal("BASE-10", "game_over")
    if not s.d[s.t.waiting] >> seat & 1:
        return Refusal("BASE-2", "not_your_turn", {"seat": seat})
    refusal = game.action_rules[action].why_not(s, seat, action)
    if refusal is None:
        # The action belongs to a decision that is not open now.
        reason = "not_open" if s.d[s.t.phase] == TURN else "other_decision"
        refusal = Refusal("BASE-2", reason)
    return refusal
