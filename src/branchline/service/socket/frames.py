"""Frames of a WebSocket (RFC 6455, 5.2), as far as most messages need them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TEXT: Final = 0x81  # a whole text
MASKED: Final = 0x80
SHORT: Final = 126  # bytes from which on the length of a message follows in more bytes


def text_frames(messages: Sequence[bytes]) -> bytes:
    """Messages as a server sends them: whole, unmasked and uncompressed.

    >>> text_frames([b"ab", b"c"])
    b'\\x81\\x02ab\\x81\\x01c'
    """
    parts: list[bytes] = []
    for message in messages:
        size = len(message)
        if size < SHORT:
            parts.append(bytes((TEXT, size)))
        elif size < 65536:
            parts.append(b"\x81\x7e" + size.to_bytes(2, "big"))
        else:
            parts.append(b"\x81\x7f" + size.to_bytes(8, "big"))
        parts.append(message)
    return b"".join(parts)


def short_text(data: bytes) -> bytes | None:
    """The text of a short, whole frame of a client, if the data is one and nothing else.

    >>> short_text(b"\\x81\\x82\\x01\\x01\\x01\\x01" + b"`c")
    b'ab'
    """
    size = len(data) - 6
    if size < 0 or size >= SHORT or data[0] != TEXT or data[1] != MASKED | size:
        return None
    mask = (data[2:6] * 32)[:size]
    text = int.from_bytes(data[6:], "big") ^ int.from_bytes(mask, "big")
    return text.to_bytes(size, "big")


def are_whole(data: bytes) -> bool:
    """Whether the data consists of whole frames of a client, none of which is a part of a message.

    >>> are_whole(b"\\x81\\x80mask" * 2), are_whole(b"\\x81\\x81mask"), are_whole(b"\\x01\\x80mask")
    (True, False, False)
    """
    at, end = 0, len(data)
    while at + 2 <= end:
        if data[at] & 0x80 == 0 or data[at] & 0x0F == 0:  # more will follow, or it follows others
            return False
        size = data[at + 1] & 0x7F
        at += 6
        if size >= SHORT:
            width = 2 if size == SHORT else 8
            size = int.from_bytes(data[at - 4 : at - 4 + width], "big")
            at += width
        at += size
    return at == end
