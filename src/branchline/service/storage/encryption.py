"""Logs, snapshots and summaries encrypted with a key that the host keeps outside the database.

Whoever gets at the database, a copy of it or a backup, then learns no card, seed or part of a game.
What was stored before there was a key stays readable as it is.
"""

from __future__ import annotations

import os
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from branchline.service.storage.errors import StoreError

MARK: Final = b"\0b1"
"""How an encrypted body begins. What is plain begins with a brace or a MessagePack map."""
NONCE: Final = 12
PROOF: Final = b"branchline"


class Encryption:
    """Encrypts bodies with AES-256-GCM, each for its own place; without a key it leaves them."""

    def __init__(self, key: str | None) -> None:
        """`key` is 64 hexadecimal digits."""
        self._cipher: Final = AESGCM(bytes.fromhex(key)) if key else None
        self.on: Final = self._cipher is not None

    def seal(self, body: bytes, place: str) -> bytes:
        """A body as it is stored at a place."""
        if self._cipher is None:
            return body
        nonce = os.urandom(NONCE)
        return MARK + nonce + self._cipher.encrypt(nonce, body, place.encode())

    def open(self, body: bytes, place: str) -> bytes:
        """A body as it was; raises `StoreError` without the key, or with another one."""
        if not body.startswith(MARK):
            return body
        if self._cipher is None:
            raise StoreError("key_missing")
        start = len(MARK) + NONCE
        try:
            return self._cipher.decrypt(body[len(MARK) : start], body[start:], place.encode())
        except InvalidTag:
            raise StoreError("key_wrong") from None

    @property
    def proof(self) -> str:
        """What is stored so that the next start knows whether it has the same key; or nothing."""
        return self.seal(PROOF, "key").hex() if self._cipher is not None else ""

    def check(self, proof: str) -> None:
        """Raise `StoreError` unless the proof was made with this key."""
        self.open(bytes.fromhex(proof), "key")


def entry_place(table: str, number: int) -> str:
    return f"entry {table} {number}"


def summary_place(table: str) -> str:
    return f"summary {table}"


def snapshot_place(table: str, number: int) -> str:
    return f"snapshot {table} {number}"
