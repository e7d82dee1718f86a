"""Web push: the examples of its RFCs, and what no browser could read."""

from __future__ import annotations

import time

import pytest
from cryptography.exceptions import InvalidSignature

from branchline.service.notices.web_push import MOST, RECORD, Signer, encrypt, new_secret
from service.browser import Browser, data_of, key_of, signed_claims, text_of

# RFC 8291, appendix A.
CONTENT = b"When I grow up, I want to be a watermelon"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6T"
    "lzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
    "a-fN"
)

# RFC 8292, section 2.4.
AUTHORIZATION = (
    "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJl"
    "eHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLG"
    "kMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, "
    "k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
)
PUBLIC = AUTHORIZATION.partition("k=")[2]


def test_the_example_of_rfc_8291_is_encrypted_as_there() -> None:
    message = encrypt(CONTENT, P256DH, AUTH, key=key_of(SENDER), salt=data_of(SALT))
    assert text_of(message) == MESSAGE


def test_the_browser_of_our_tests_reads_the_example_of_rfc_8291() -> None:
    browser = Browser(RECEIVER, data_of(AUTH))
    assert browser.subscription["keys"] == {"p256dh": P256DH, "auth": AUTH}
    assert browser.read(data_of(MESSAGE)) == CONTENT


@pytest.mark.parametrize("length", [0, 1, 1000, MOST])
def test_a_message_is_read_by_its_browser_and_no_two_are_equal(length: int) -> None:
    browser, content = Browser(), b"x" * length
    one, two = (encrypt(content, **browser.subscription["keys"]) for _ in range(2))
    assert browser.read(one) == browser.read(two) == content
    assert one[:16] != two[:16]
    assert one[21:86] != two[21:86]
    assert len(one) <= RECORD


def test_padding_of_keys_does_not_matter() -> None:
    browser = Browser()
    keys = browser.subscription["keys"]
    assert browser.read(encrypt(b"x", keys["p256dh"] + "=", keys["auth"] + "==")) == b"x"


@pytest.mark.parametrize(
    ("p256dh", "auth", "length"),
    [
        (P256DH, AUTH, MOST + 1),
        (P256DH, AUTH[:-4], 1),
        (P256DH[:-4], AUTH, 1),
        ("B" + "A" * 86, AUTH, 1),
        ("é", AUTH, 1),
        ("A", AUTH, 1),
        ("", "", 1),
    ],
)
def test_what_cannot_be_encrypted_is_refused(p256dh: str, auth: str, length: int) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (there is nothing more to say)
        encrypt(b"x" * length, p256dh, auth)


def test_our_check_of_signatures_takes_the_example_of_rfc_8292() -> None:
    claims = signed_claims(AUTHORIZATION, PUBLIC)
    assert claims["aud"] == "https://push.example.net"
    with pytest.raises(InvalidSignature):
        signed_claims(AUTHORIZATION.replace(".i3CY", ".i3CZ"), PUBLIC)


def test_a_request_is_signed_for_one_push_service_and_less_than_a_day() -> None:
    signer = Signer(new_secret())
    headers = signer.headers("https://push.example:8443/send/abc?x=1", "https://play.example.org")
    claims = signed_claims(headers["authorization"], signer.public)
    assert claims["aud"] == "https://push.example:8443"
    assert claims["sub"] == "https://play.example.org"
    assert 0 < claims["exp"] - time.time() < 24 * 60 * 60


def test_a_secret_always_has_the_same_public_key() -> None:
    # Made by py-vapid, with which servers have stored theirs.
    secret = "pfKRpyrJPYxRPshRzLI-Op-S_zIM0SHDW1md1Gv2FHc"
    assert (
        Signer(secret).public
        == "BOBZCIC6qAg607oMplJCAmQ7OLXjyLA8cINK99_BpaaqG4XbLKZajn8nHIpOWv9tLpIXHNJ-wU2CN_Rful9iyLM"
    )
    assert Signer(new_secret()).public != Signer(new_secret()).public
