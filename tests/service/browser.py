"""The other side of web push, from the texts of RFC 8188, 8291 and 8292 alone."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any, Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data_of(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def key_of(secret: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(data_of(secret), "big"), ec.SECP256R1())


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Browser:
    """A browser that has subscribed."""

    def __init__(self, secret: str | None = None, auth: bytes = b"0123456789abcdef") -> None:
        self._key: Final = key_of(secret) if secret else ec.generate_private_key(ec.SECP256R1())
        self._auth: Final = auth
        self.subscription: Final[dict[str, Any]] = {
            "endpoint": "https://push.example/send/abc",
            "expirationTime": None,
            "keys": {"p256dh": text_of(point_of(self._key)), "auth": text_of(auth)},
        }

    def read(self, body: bytes) -> bytes:
        """What a message says."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        shared = hmac.digest(self._auth, self._key.exchange(ec.ECDH(), point), "sha256")
        info = b"WebPush: info\0" + point_of(self._key) + theirs
        mixed = hmac.digest(salt, hmac.digest(shared, info + b"\1", "sha256"), "sha256")
        key = hmac.digest(mixed, b"Content-Encoding: aes128gcm\0\1", hashlib.sha256)[:16]
        nonce = hmac.digest(mixed, b"Content-Encoding: nonce\0\1", hashlib.sha256)[:12]
        padded = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert padded[-1:] == b"\2"
        return padded[:-1]


def signed_claims(authorization: str, public: str) -> dict[str, Any]:
    """What a push service is told, if it is signed with the key that the browser was given."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert parts["k"] == public
    head, body, signature = parts["t"].split(".")
    assert json.loads(data_of(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = data_of(signature)
    assert len(raw) == 64
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data_of(public))
    signed = f"{head}.{body}".encode()
    point.verify(utils.encode_dss_signature(*numbers), signed, ec.ECDSA(hashes.SHA256()))
    claims: dict[str, Any] = json.loads(data_of(body))
    return claims
