"""Random numbers that are the same on every machine, compiled or not.

The generator is sfc32 on 32-bit words. A game's seed is hashed into four words once; every shuffle
then gets its own generator from these words, its purpose and its number. So a state carries no
generator, only the words and how often it has shuffled, and a clone costs nothing extra.

The contract, which old records rely on: `shuffle` walks from the last place down to the second and
swaps each with a place drawn by `below(place + 1)`; what is shuffled is first put in ascending
order unless its order is itself part of the game.
"""

from __future__ import annotations

import hashlib
from typing import Final

from branchline.core.machine import i64, vec

WORD: Final = 0xFFFFFFFF

# Purposes: which kind of chance a generator serves. Old records depend on these numbers.
CARDS: Final = 1
TICKETS: Final = 2
FIRST_SEAT: Final = 3
RESAMPLE: Final = 4
POLICY: Final = 5
DRAFT_CARD: Final = 6


class Rng:
    """A small, fast generator with exact bounds.

    >>> Rng(1, 2, 3, 4).below(1)
    0
    """

    def __init__(self, a: i64, b: i64, c: i64, d: i64) -> None:
        self.a: i64 = a & WORD
        self.b: i64 = b & WORD
        self.c: i64 = c & WORD
        self.d: i64 = d & WORD
        for _ in range(16):
            self.word()

    def word(self) -> i64:
        """The next 32 bits."""
        t: i64 = (self.a + self.b + self.d) & WORD
        self.d = (self.d + 1) & WORD
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) & WORD
        self.c = ((((self.c << 21) & WORD) | (self.c >> 11)) + t) & WORD
        return t

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, each exactly as likely (Lemire's rejection)."""
        m: i64 = self.word() * n
        if (m & WORD) < n:
            floor: i64 = (WORD + 1 - n) % n
            while (m & WORD) < floor:
                m = self.word() * n
        return m >> 32


def stream(words: vec[i64], at: i64, purpose: i64, number: i64) -> Rng:
    """The generator for one purpose and one use, from the four seed words at `words[at]`."""
    return Rng(
        words[at] ^ ((purpose * 0x9E3779B1) & WORD),
        words[at + 1] ^ ((number * 0x85EBCA6B) & WORD),
        words[at + 2],
        words[at + 3],
    )


def shuffle(rng: Rng, v: vec[i64], start: i64, n: i64) -> None:
    """Shuffle `v[start : start + n]` in place."""
    k: i64 = n - 1
    while k > 0:
        j: i64 = rng.below(k + 1)
        x: i64 = v[start + k]
        v[start + k] = v[start + j]
        v[start + j] = x
        k -= 1


def seed_words(seed: int | str) -> vec[i64]:
    """Four 32-bit words from a seed of any size.

    >>> [int(w) for w in seed_words(7)] == [int(w) for w in seed_words("7")]
    True
    """
    digest = hashlib.sha256(f"branchline seed {seed}".encode()).digest()
    return vec[i64]([int.from_bytes(digest[4 * k : 4 * k + 4], "big") for k in range(4)])
