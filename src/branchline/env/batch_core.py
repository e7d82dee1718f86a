"""Many games at once, stepped in compiled code: no object is made for a game or a step.

What the steps lead to stands in flat vectors that are read through the buffer protocol, so that
`Batch` shows them as arrays without a copy. Game number k depends on the seed and on k alone, as in
`engine.playout.play_many`.
"""

from __future__ import annotations

from typing import Final, final

from branchline.bots.checked_bot import CheckedBot
from branchline.bots.session import Session
from branchline.core.machine import i16, i64, u8, vec
from branchline.core.rng import POLICY, Rng, seed_words, stream
from branchline.engine.encoding import Encoding
from branchline.engine.errors import IllegalAction
from branchline.engine.flow import OVER, deal, draw_first
from branchline.engine.game import Game
from branchline.engine.layout import ALL_MARKS, ALWAYS, HIDDEN, Layout, column
from branchline.engine.rule import TOGETHER
from branchline.engine.scoring import tally, winners
from branchline.engine.state import State

# What a game is worth to a seat when it ends.
WIN: Final = 0
MARGIN: Final = 1
POINTS: Final = 2

# Who plays a seat.
LEARNER: Final = 0
RANDOM: Final = 1  # decides in compiled code, without a view
BOT: Final = 2

LINE: Final = 8  # numbers in a line of memory
MOST_OF_A_FIELD: Final = 128


@final
class BatchCore:
    """`n` games of one kind. `Batch` is the face of it and says what each part means."""

    def __init__(
        self,
        game: Game,
        n: int,
        bots: list[str],
        seconds: float,
        reward: int,
        observe: bool,
        keep_moves: bool,
        auto_reset: bool,
    ) -> None:
        self.game: Final = game
        self.n: Final[i64] = n
        self.actions: Final[i64] = game.actions
        self.seats: Final[i64] = game.seats
        self.encoding: Final = Encoding(game)
        self.row: Final[i64] = self.encoding.size
        self.reward: Final[i64] = reward
        self.observe: Final = observe
        self.keep_moves: Final = keep_moves
        self.auto_reset: Final = auto_reset
        self.seconds: Final = seconds
        self.bots: Final = bots
        kinds = [BOT] * game.seats
        for seat in range(game.seats):
            if not bots[seat]:
                kinds[seat] = LEARNER
            elif bots[seat] == "random":
                kinds[seat] = RANDOM
        self.kinds: Final = column(kinds)
        self.has_bots: Final = max(kinds) > LEARNER
        # One place for each game, or one row of places.
        self.masks: Final = vec[u8]([u8(0)] * (n * game.actions))
        learners = kinds.count(LEARNER)
        self.learners: Final[i64] = learners
        # Of each learner's seat, its place among them.
        self.place: Final = column(
            [kinds[:seat].count(LEARNER) if not bots[seat] else 0 for seat in range(game.seats)]
        )
        row = self.encoding.size if observe else 0
        # Of each game a row for each learner, of which the one that is to act is up to date.
        self.rows: Final = vec[i16]([i16(0)] * (n * learners * row))
        self.stale: Final = column([ALL_MARKS] * (n * learners if observe else 0))
        self.touches: Final = column([0] * (n * learners if observe else 0))  # seen by each row
        self.finals: Final = vec[i16]([i16(0)] * (n * row))
        self.aside: Final = vec[i16]([i16(0)] * self.encoding.size)  # what `look` shows
        self.to_act: Final = vec[u8]([u8(0)] * n)
        self.ends: Final = vec[u8]([u8(0)] * n)
        self.rewards: Final = vec[float]([0.0] * (n * game.seats))
        self.scores: Final = vec[i16]([i16(0)] * (n * game.seats))
        self.numbers: Final = vec[i64]([0] * n)
        self.chosen: Final = column([0] * n)  # what `step` does
        self.hot: Final = hot_numbers(game.layout)
        self.warmed: i64 = 0
        # The games themselves.
        self.seed: str = ""
        self.stride: i64 = 0
        self.finished: i64 = 0
        self.states: Final[list[State]] = [State(game, game.no_actions) for _ in range(n)]
        if observe:
            for s in self.states:
                s.watch()
        self.last_moves: Final[list[list[int] | None]] = [None] * n
        self.last_numbers: Final = column([-1] * n)
        self.chance: Final[list[Rng]] = []
        self.sessions: Final[list[Session | None]] = []
        self.checked: Final[list[CheckedBot]] = []
        for _ in range(n if self.has_bots else 0):
            for seat in range(game.seats):
                self.chance.append(Rng(0, 0, 0, 0))
                self.sessions.append(None)
                if kinds[seat] == BOT:
                    self.checked.append(CheckedBot(bots[seat]))

    # --- games ----------------------------------------------------------------------------------

    def reset(self, seed: str, first: int, stride: int) -> None:
        """Begin anew: place k plays the games number `first + k`, then `stride` further on."""
        self.seed = seed
        self.stride = stride
        self.finished = 0
        k: i64 = 0
        while k < self.n:
            self.clear(self.states[k], k)
            self.last_moves[k] = None
            self.last_numbers[k] = -1
            self.begin(k, first + k)
            self.go_on(self.states[k], k)
            k += 1

    def begin(self, k: i64, number: i64) -> None:
        """Deal game `number` at place k."""
        game = self.game
        seed = f"{self.seed}/{number}"
        words = seed_words(seed)
        s = State(game, game.blank_state[:])
        before = self.states[k]
        s.buf = before.buf  # the list of legal actions is written anew
        s.touched = before.touched
        if self.keep_moves:
            s.moves = []
        self.states[k] = s
        self.numbers[k] = number
        deal(s, words, draw_first(game, words))
        if self.has_bots:
            bot: i64 = k * (len(self.checked) // self.n)
            for seat in range(self.seats):
                if self.kinds[seat] == RANDOM:
                    self.chance[k * self.seats + seat] = stream(words, 0, POLICY, seat)
                elif self.kinds[seat] == BOT:
                    session = Session(self.checked[bot], game, seat, f"{seed}/{seat}")
                    self.sessions[k * self.seats + seat] = session
                    bot += 1

    def step(self, actions: bytes) -> None:
        """Take an action in every game: 16 bits for each, the low byte first.

        Nothing is done if one of them is not allowed.
        """
        masks, chosen = self.masks, self.chosen
        n: i64 = self.n
        at: i64 = 0
        k: i64 = 0
        while k < n:
            action: i64 = actions[2 * k] + 256 * actions[2 * k + 1]
            if action >= self.actions or masks[at + action] == 0:
                self.refuse(k, action)
            chosen[k] = action
            at += self.actions
            k += 1
        k = 0
        while k < n:
            if k + 1 < n:
                self.warm(k + 1)
            self.take(k, chosen[k])
            k += 1

    def warm(self, k: i64) -> None:
        """Read what the next step of a game will need.

        A batch is larger than the processor's fast memory. Reads that don't depend on each other
        wait together for the slow one; in the course of a step they would wait one by one. For
        the same reason the game after it is touched: here its parts would wait for it.
        """
        s = self.states[k]
        d, hot = s.d, self.hot
        read: i64 = s.buf[0]
        if k + 1 < self.n:
            read += self.states[k + 1].n
        j: i64 = 0
        n: i64 = len(hot)
        while j < n:
            read += d[hot[j]]
            j += 1
        self.warmed = read + d[s.t.deck + d[s.t.deck_len]]  # next to the top card

    def play(self, k: i64, action: i64) -> i64:
        """Take an action in one game; returns the seat that is to act then, -1 if it has ended."""
        if action < 0 or action >= self.actions or self.masks[k * self.actions + action] == 0:
            self.refuse(k, action)
        self.take(k, action)
        if self.ends[k] == 1 and not self.auto_reset:
            return -1
        return i64(self.to_act[k])

    def look(self, k: i64, seat: i64) -> None:
        """Put what any seat may know of a game aside."""
        self.encoding.write(self.states[k], seat, self.aside, 0)

    def refuse(self, k: i64, action: i64) -> None:
        """Raise the reason why an action is not allowed."""
        s = self.states[k]
        # A clone: the list of legal actions that lies in the state must stay as it is.
        refusal = s.clone().why_not(i64(self.to_act[k]), action)
        assert refusal is not None
        raise IllegalAction(refusal)

    def take(self, k: i64, action: i64) -> None:
        """Take a legal action and go on to the next decision of a learner."""
        s = self.states[k]
        self.clear(s, k)
        seat: i64 = i64(self.to_act[k])
        if s.moves is not None:
            s.moves.append(action * 8 + seat)
        s.step(seat, action)
        self.go_on(s, k)

    def clear(self, s: State, k: i64) -> None:
        """Take back the mask and the reward of the last step."""
        masks, buf = self.masks, s.buf
        at: i64 = k * self.actions
        j: i64 = 0
        n: i64 = s.n
        while j < n:
            masks[at + buf[j]] = u8(0)
            j += 1
        if self.ends[k] == 1:
            self.ends[k] = u8(0)
            j = k * self.seats
            end: i64 = j + self.seats
            while j < end:
                self.rewards[j] = 0.0
                j += 1

    def go_on(self, s: State, k: i64) -> None:
        """Let bots play up to a learner's decision, and show it."""
        seat: i64 = 0
        while True:
            d, t = s.d, s.t
            if d[t.phase] == OVER:
                self.end(k)
                if not self.auto_reset:
                    s.n = 0
                    return
                self.begin(k, self.numbers[k] + self.stride)
                s = self.states[k]
                continue
            seat = d[t.turn]
            if self.game.phase_flags[d[t.phase]] & TOGETHER:
                seat = 0
                while not d[t.waiting] >> seat & 1:
                    seat += 1
            if self.kinds[seat] == LEARNER:
                break
            self.let_bot_play(s, k, seat)
        self.to_act[k] = u8(seat)
        s.enumerate(seat)
        masks, buf = self.masks, s.buf
        at: i64 = k * self.actions
        j: i64 = 0
        n: i64 = s.n
        while j < n:
            masks[at + buf[j]] = u8(1)
            j += 1
        if self.observe:
            self.show(s, k, seat)

    def show(self, s: State, k: i64, seat: i64) -> None:
        """Bring the row of a learner up to date, and note for the others what has changed."""
        stale = self.stale
        changed: i64 = s.changed
        first: i64 = k * self.learners
        if changed != ALWAYS:
            s.changed = ALWAYS
            j: i64 = first
            end: i64 = first + self.learners
            while j < end:
                stale[j] |= changed
                j += 1
        place: i64 = first + self.place[seat]
        stale[place] = self.encoding.update(
            s, seat, self.rows, place * self.row, stale[place], self.touches[place]
        )
        self.touches[place] = s.touches

    def let_bot_play(self, s: State, k: i64, seat: i64) -> None:
        action: i64 = 0
        if self.kinds[seat] == RANDOM:
            s.enumerate(seat)
            action = s.buf[self.chance[k * self.seats + seat].below(s.n)]
        else:
            session = self.sessions[k * self.seats + seat]
            assert session is not None
            action = session.decide(s.view(seat), self.seconds)
        if s.moves is not None:
            s.moves.append(action * 8 + seat)
        s.step(seat, action)

    def end(self, k: i64) -> None:
        """A game has ended: what it is worth to each seat."""
        s = self.states[k]
        points = tally(s, False)
        winning = winners(s, points)
        for seat in range(self.seats):
            worth: float = 0.0
            own: i64 = points.total[seat]
            if self.reward == WIN:
                if seat in winning:
                    worth = 1.0 / len(winning)
            elif self.reward == MARGIN:
                best: i64 = -1_000_000
                for other in range(self.seats):
                    if other != seat and points.total[other] > best:
                        best = points.total[other]
                worth = float(own - best)
            else:
                worth = float(own)
            self.rewards[k * self.seats + seat] = worth
            self.scores[k * self.seats + seat] = i16(own)
            if self.kinds[seat] == BOT:
                session = self.sessions[k * self.seats + seat]
                if session is not None:
                    session.finish(s.view(seat))
        if self.observe:
            self.encoding.write(s, i64(self.to_act[k]), self.finals, k * self.row)
        self.ends[k] = u8(1)
        self.finished += 1
        self.last_moves[k] = s.moves
        self.last_numbers[k] = self.numbers[k]


def hot_numbers(t: Layout) -> vec[i64]:
    """Numbers of a state, one of each line of memory that most steps read."""
    hot: list[int] = []
    for f in t.fields.fields:
        if f.visibility == HIDDEN and f.offset >= t.deck and f.offset <= t.ticket_by:
            continue  # the decks and what is known of them
        if f.offset == t.owner:
            continue
        for k in range(f.offset, min(f.offset + f.size, f.offset + MOST_OF_A_FIELD)):
            if not hot or k - hot[-1] >= LINE:
                hot.append(k)
    return column(hot)
