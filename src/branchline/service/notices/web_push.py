"""What web push asks of a server: encryption for one browser (RFC 8291), signatures (RFC 8292).

Built on the primitives of `cryptography`; `notices` does the sending.
"""

from __future__ import annotations

import base64
import os
import time
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE: Final = ec.SECP256R1()
SALT: Final = 16
NUMBER: Final = 32  # bytes of a number on the curve
RECORD: Final = 4096  # every push service takes a body of this length
MOST: Final = RECORD - (SALT + 4 + 1 + 65) - 1 - 16  # less the head, the mark of the end, the tag
SIGNED_FOR: Final = 12 * 60 * 60  # seconds; push services take no more than 24 hours


def encrypt(
    content: bytes,
    p256dh: str,
    auth: str,
    *,
    key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The content as only the browser with these keys can read it, in the coding `aes128gcm`.

    Every message has a new key and salt; tests name theirs. Raises `ValueError` if the browser's
    keys are none, or if there is too much content for one message.
    """
    theirs, secret = _data(p256dh), _data(auth)
    if len(secret) != SALT or len(content) > MOST:
        raise ValueError
    key = key or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT)
    ours = _point(key.public_key())
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    mixed = _derived(shared, secret, b"WebPush: info\0" + theirs + ours, 32)
    content_key = _derived(mixed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(mixed, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(content_key).encrypt(nonce, content + b"\2", None)  # 2: the last record


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


class Signer:
    """The server's own key, with which it signs what it sends to push services (VAPID)."""

    def __init__(self, secret: str) -> None:
        """`secret` is one that `new_secret` has returned."""
        self._key: Final = ec.derive_private_key(int.from_bytes(_data(secret), "big"), CURVE)
        self.public: Final = _text(_point(self._key.public_key()))
        """What a page passes to the browser as `applicationServerKey`."""

    def headers(self, endpoint: str, contact: str) -> dict[str, str]:
        """The headers that show a push service who sends."""
        parts = urlsplit(endpoint)
        until = int(time.time()) + SIGNED_FOR
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": until, "sub": contact}
        token = ".".join(
            _text(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        signature = self._key.sign(token.encode("ascii"), ec.ECDSA(hashes.SHA256()))
        numbers = utils.decode_dss_signature(signature)
        signed = _text(b"".join(n.to_bytes(NUMBER, "big") for n in numbers))
        return {"authorization": f"vapid t={token}.{signed},k={self.public}"}


def new_secret() -> str:
    """A new secret for a `Signer`."""
    key = ec.generate_private_key(CURVE)
    return _text(key.private_numbers().private_value.to_bytes(NUMBER, "big"))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _data(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
