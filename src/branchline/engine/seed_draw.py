"""How a server and its players draw a seed that none of them can choose.

The server promises its part when the table is made, and every player who takes part promises a
nonce: they publish hashes. When all promises lie open, the nonces are revealed, and the seed is a
hash of all parts, the board, the seats and the table. Whoever has put in one random nonce, and has
seen all promises before revealing it, knows that nobody has chosen the seed.
`docs/threat_model.md` says what each side could still do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence


def _digest(*lines: object) -> str:
    return hashlib.sha256("\n".join(map(str, lines)).encode()).hexdigest()


def server_promise(table: str, round: int, part: str) -> str:
    """What a server publishes of its part before anyone reveals a nonce.

    >>> server_promise("abc", 1, "00")[:8]
    'b7ff673d'
    """
    return _digest("branchline server 1", table, round, part)


def seat_promise(table: str, nonce: str) -> str:
    """What a player publishes of a nonce.

    >>> seat_promise("abc", "11")[:8]
    'b4e5b84f'
    """
    return _digest("branchline seat 1", table, nonce)


def server_nonce(part: str, seat: int) -> str:
    """The nonce of a seat for which nobody else put one in, such as a bot's."""
    return _digest("branchline nonce 1", part, seat)


def drawn_seed(
    table: str,
    board: str,
    seats: int,
    first: int | None,
    round: int,
    part: str,
    nonces: Mapping[int, str],
) -> str:
    """The seed that follows from all parts; `board` is its digest.

    >>> drawn_seed("abc", "d1", 2, None, 1, "00", {0: "11"})[:8]
    'c02c1019'
    """
    parts: Sequence[str] = [nonces.get(k) or server_nonce(part, k) for k in range(seats)]
    start = "drawn" if first is None else first
    return _digest("branchline seed 1", table, board, seats, start, round, part, *parts)
