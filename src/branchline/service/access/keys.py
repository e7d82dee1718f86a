"""Secrets and names that nobody can guess: the browser's key, one-time tokens, ids of tables.

The server stores hashes of secrets, never secrets. A secret is 256 random bits, so a plain SHA-256
is the right hash: slow, salted hashes protect what people choose and others can guess, and there is
nothing to guess here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Final

COOKIE: Final = "branchline"
YEAR: Final = 365 * 24 * 60 * 60
SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""What a secret looks like: 32 bytes in base64 for URLs."""

ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""Of each group of signs that look alike (0 o, 1 i l) at most one."""
ID_LENGTH: Final = 11  # 31 ** 11 is more than 2 ** 54
TABLE_ID: Final = re.compile(rf"[{ALPHABET}]{{{ID_LENGTH}}}")


def new_secret() -> str:
    """A fresh secret for a browser or for a one-time link."""
    return secrets.token_urlsafe(32)


new_token: Final = new_secret


def hash_key(secret: str) -> str:
    """What is stored of a secret: its SHA-256 in hexadecimal.

    >>> hash_key("abc")[:8]
    'ba7816bf'
    """
    return hashlib.sha256(secret.encode()).hexdigest()


def same(a: str, b: str) -> bool:
    """Whether two secrets or hashes are equal; takes as long wherever they differ."""
    return hmac.compare_digest(a.encode(), b.encode())


def new_table_id() -> str:
    """An id that nobody can guess, short enough to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def is_table_id(text: str) -> bool:
    """Whether the text can be the id of a table.

    >>> is_table_id(new_table_id()), is_table_id("../etc")
    (True, False)
    """
    return TABLE_ID.fullmatch(text) is not None


def key_of(source: Mapping[str, Any] | Iterable[tuple[bytes, bytes]]) -> str | None:
    """The browser's secret in an ASGI scope or its headers; None if it has none of ours.

    >>> key_of([(b"cookie", b"a=b; branchline=" + b"x" * 43)]) == "x" * 43
    True
    """
    headers = source["headers"] if isinstance(source, Mapping) else source
    for name, value in headers:
        if name != b"cookie":
            continue
        for part in value.decode("latin-1").split(";"):
            key, _, secret = part.strip().partition("=")
            if key == COOKIE and SECRET.fullmatch(secret):
                return str(secret)
    return None


def set_cookie(secret: str, secure: bool) -> tuple[bytes, bytes]:
    """The header that gives a browser its secret for a year; `secure` if it came by https.

    A link from elsewhere must open the table as the player's own, hence `Lax` and not `Strict`.
    """
    flags = f"Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")
    return b"set-cookie", f"{COOKIE}={secret}; {flags}".encode("ascii")
