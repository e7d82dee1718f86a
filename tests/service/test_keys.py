"""Keys, tokens and ids: hard to guess, told apart from anything else."""

from __future__ import annotations

import hashlib
import math
from http.cookies import SimpleCookie

import pytest

from branchline.service.access import keys


def test_secrets_have_256_bits_and_never_repeat() -> None:
    made = {keys.new_secret() for _ in range(1000)}
    assert len(made) == 1000
    assert all(keys.SECRET.fullmatch(secret) for secret in made)


def test_what_is_stored_is_the_hash() -> None:
    secret = keys.new_secret()
    assert keys.hash_key(secret) == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in keys.hash_key(secret)


def test_equal_and_different_are_told_apart() -> None:
    assert keys.same("abc", "abc")
    assert not keys.same("abc", "abd")
    assert not keys.same("abc", "é")


def test_table_ids_are_unguessable_and_readable() -> None:
    made = {keys.new_table_id() for _ in range(2000)}
    assert len(made) == 2000
    assert set("".join(made)) == set(keys.ALPHABET), "every sign is used"
    assert not set(keys.ALPHABET) & set("01ilo")
    assert keys.ID_LENGTH * math.log2(len(keys.ALPHABET)) >= 50
    assert all(keys.is_table_id(id) for id in made)


@pytest.mark.parametrize(
    "text", ["", "abc", "a" * 12, "ABCDEFGHJKM", "a" * 10 + "\n", "a" * 10 + "0"]
)
def test_other_texts_are_no_table_ids(text: str) -> None:
    assert not keys.is_table_id(text)


def test_the_cookie_comes_back_as_the_key() -> None:
    secret = keys.new_secret()
    name, value = keys.set_cookie(secret, secure=True)
    assert name == b"set-cookie"
    cookie = SimpleCookie(value.decode())[keys.COOKIE]
    assert (cookie["path"], cookie["samesite"], cookie["max-age"]) == ("/", "Lax", str(keys.YEAR))
    assert cookie["httponly"] is True
    assert cookie["secure"] is True
    headers = [(b"host", b"x"), (b"cookie", f"a=1; {keys.COOKIE}={cookie.value}; b=2".encode())]
    assert keys.key_of(headers) == secret
    assert keys.key_of({"type": "http", "headers": headers}) == secret


def test_the_cookie_is_bound_to_https_only_where_there_is_https() -> None:
    assert b"Secure" not in keys.set_cookie("x", secure=False)[1]


@pytest.mark.parametrize(
    "cookie",
    [
        b"", b"branchline=", b"branchline=short", b"xbranchline=" + b"a" * 43, b"branchline",
        b"branchline=" + b"a" * 44, b"branchline=" + b"\xe9" * 43, b"=;;=",
    ],
)  # fmt: skip
def test_what_is_no_secret_of_ours_is_no_key(cookie: bytes) -> None:
    assert keys.key_of([(b"cookie", cookie)]) is None


def test_http2_may_split_the_cookies() -> None:
    good = b"branchline=" + b"a" * 43
    assert keys.key_of([(b"cookie", b"x=1"), (b"cookie", good)]) == "a" * 43
