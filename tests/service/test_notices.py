"""Turn notices: sent in the background, never into our own network, and readable by one browser."""

from __future__ import annotations

import asyncio
import datetime
import json
import ssl
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from branchline.core.catalogue import LANGUAGES
from branchline.engine.describe import describe_error
from branchline.engine.errors import BranchlineError
from branchline.service.notices.notices import (
    Notice,
    Notices,
    Push,
    Target,
    Webhook,
    from_store,
    load_signer,
    read_targets,
    stored,
    turn_notice,
)
from branchline.service.notices.outbound import (
    AddressRefused,
    OutboundClient,
    checked_url,
    is_public,
)
from branchline.service.notices.web_push import Signer
from branchline.service.operations.metrics import Metrics
from service.browser import Browser, signed_claims

NOTICE = turn_notice("abcdefghjkm", "Iberia", 1, "Ann", "https://play.example.org/t/abc", "fr")
HOOK = Webhook("https://hook.example/told?x=1")


class Net:
    """A net of one server: keeps the requests and answers with what it is told to."""

    def __init__(self, *answers: int | Exception) -> None:
        self.answers = list(answers) or [200]
        self.requests: list[httpx.Request] = []
        self.names: dict[str, list[str]] = {}
        self.asked = 0

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return httpx.Response(answer, headers={"location": "http://127.0.0.1/"})

    async def resolve(self, host: str, port: int) -> list[str]:
        self.asked += 1
        return self.names.get(host, ["93.184.216.34"])

    def way(self, private: bool = False) -> OutboundClient:
        return OutboundClient(
            private, resolve=self.resolve, transport=httpx.MockTransport(self.handle)
        )


def post(net: Net, url: str, private: bool = False) -> int:
    async def run() -> int:
        way = net.way(private)
        try:
            return await way.post(url, b"x", {"a": "b"})
        finally:
            await way.close()

    return asyncio.run(run())


# Where requests may go


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.1.1.1", "240.0.0.1",
        "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1", "fc00::1",
        "fd12:3456::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:a00:1::1", "2001:db8::1",
        "2001:0:53aa:64c:0:0:80ff:fffe", "::127.0.0.1",
    ],
)  # fmt: skip
def test_no_request_goes_to_an_address_that_is_not_public(address: str) -> None:
    assert not is_public(ip_address(address))
    net = Net()
    net.names["hook.example"] = [address]
    with pytest.raises(AddressRefused, match="address"):
        post(net, "https://hook.example/")
    bracketed = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused, match="address"):
        post(net, f"https://{bracketed}/")
    assert not net.requests


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"],
)
def test_public_addresses_are_reached(address: str) -> None:
    assert is_public(ip_address(address))
    net = Net()
    net.names["hook.example"] = [address]
    assert post(net, "https://hook.example/") == 200


def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    net = Net()
    net.names["hook.example"] = ["93.184.216.34", "127.0.0.1"]
    with pytest.raises(AddressRefused, match="address"):
        post(net, "https://hook.example/")


def test_a_name_is_resolved_once_and_the_request_goes_to_what_was_checked() -> None:
    net = Net()
    assert post(net, "https://hook.example/told?x=1") == 200
    (request,) = net.requests
    assert net.asked == 1
    assert request.url == "https://93.184.216.34/told?x=1"
    assert request.headers["host"] == "hook.example"
    assert request.extensions["sni_hostname"] == "hook.example"
    assert request.headers["a"] == "b"


@pytest.mark.parametrize(
    "url",
    [
        "http://hook.example/", "ftp://hook.example/", "file:///etc/passwd", "https://",
        "https://hook.example:22/", "https://hook.example:8443/", "https://me:pw@hook.example/",
        "https://127.0.0.1/", "https://[::1]/", "//hook.example/", "hook.example", "",
        "https://hook.example/" + "x" * 2000, "https://hook.example/\n", "https://hook.example:x/",
        "https://[::1/", "gopher://hook.example:443/", "https:///x", "https://user@hook.example/",
        "http://hook.example:443/",
    ],
)  # fmt: skip
def test_addresses_that_are_never_asked(url: str) -> None:
    with pytest.raises(AddressRefused):
        checked_url(url)


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "localhost", "0"])
def test_other_ways_to_write_this_machine_are_found_when_resolved(host: str) -> None:
    async def run() -> None:
        way = OutboundClient()
        try:
            await way.post(f"https://{host}/", b"", {})
        finally:
            await way.close()

    with pytest.raises(AddressRefused):
        asyncio.run(run())


def test_a_host_may_allow_its_own_network() -> None:
    net = Net()
    net.names["box.local"] = ["192.168.1.9"]
    assert post(net, "http://box.local:8123/x", private=True) == 200
    assert net.requests[0].url == "http://192.168.1.9:8123/x"
    assert net.requests[0].headers["host"] == "box.local:8123"
    for url in ("http://box.local:22/", "http://box.local:25/", "ftp://box.local/"):
        with pytest.raises(AddressRefused):
            post(net, url, private=True)


def test_a_redirect_is_not_followed() -> None:
    net = Net(302)
    assert post(net, "https://hook.example/") == 302
    assert len(net.requests) == 1


def test_a_name_that_does_not_exist_is_refused() -> None:
    net = Net()
    net.names["hook.example"] = []
    with pytest.raises(AddressRefused, match="name"):
        post(net, "https://hook.example/")


def test_a_slow_answer_is_given_up() -> None:
    async def slow(host: str, port: int) -> list[str]:
        await asyncio.sleep(0.5)
        return ["93.184.216.34"]

    async def run() -> None:
        there = httpx.MockTransport(Net().handle)
        way = OutboundClient(timeout=0.05, resolve=slow, transport=there)
        try:
            await way.post("https://hook.example/", b"", {})
        finally:
            await way.close()

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def certificate(folder: Path, name: str) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    plain = serialization.NoEncryption()
    secret = key.private_bytes(Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    file.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return file


def test_the_certificate_is_checked_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    file = certificate(tmp_path, "hook.example")
    here = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    here.load_cert_chain(file)
    trust = ssl.create_default_context(cafile=str(file))
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await writer.drain()
        writer.close()

    async def to_here(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=here)
        port = server.sockets[0].getsockname()[1]
        transport = httpx.AsyncHTTPTransport(verify=trust)
        way = OutboundClient(private=True, resolve=to_here, transport=transport)
        try:
            assert await way.post(f"https://hook.example:{port}/x", b"{}", {}) == 204
            with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
                await way.post(f"https://other.example:{port}/x", b"{}", {})
        finally:
            await way.close()
            server.close()
            await server.wait_closed()

    asyncio.run(run())
    (head,) = heads
    assert b"host: hook.example:" in head.lower()


# What is sent


def deliver(
    net: Net, target: Target, webhooks: str = "public", signer: Signer | None = None
) -> tuple[Metrics, list[Target]]:
    """Send one notice and wait for what becomes of it."""
    metrics = Metrics()
    gone: list[Target] = []

    async def forget(notice: Notice, target: Target) -> None:
        assert notice == NOTICE
        gone.append(target)

    async def run() -> None:
        way = net.way(private=webhooks == "any")
        notices = Notices(webhooks, metrics, forget, signer, public=way, own=way, pause=0)
        assert notices.send(target, NOTICE)
        await notices.idle()
        await notices.stop()

    asyncio.run(run())
    return metrics, gone


def count(metrics: Metrics, kind: str, outcome: str) -> float:
    return metrics.value("notices_total", kind=kind, outcome=outcome)


def test_a_webhook_gets_the_notice_as_json() -> None:
    net = Net(204)
    metrics, _ = deliver(net, HOOK)
    (request,) = net.requests
    assert request.method == "POST"
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.content) == {
        "table": "abcdefghjkm",
        "board": "Iberia",
        "seat": 1,
        "name": "Ann",
        "link": "https://play.example.org/t/abc",
        "text": "Ann, c’est à vous de jouer sur Iberia.",
    }
    assert count(metrics, "webhook", "sent") == 1


@pytest.mark.parametrize("trouble", [500, 503, httpx.ConnectError("x"), TimeoutError()])
def test_a_failure_is_tried_once_more(trouble: int | Exception) -> None:
    net = Net(trouble, 200)
    metrics, _ = deliver(net, HOOK)
    assert len(net.requests) == 2
    assert count(metrics, "webhook", "sent") == 1
    net = Net(trouble)
    metrics, _ = deliver(net, HOOK)
    assert len(net.requests) == 2
    assert count(metrics, "webhook", "failed") == 1


@pytest.mark.parametrize("status", [301, 400, 403, 404])
def test_a_refusal_is_not_tried_again(status: int) -> None:
    net = Net(status)
    metrics, gone = deliver(net, HOOK)
    assert len(net.requests) == 1
    assert not gone
    assert count(metrics, "webhook", "failed") == 1


def test_a_webhook_into_our_own_network_is_counted_and_not_made() -> None:
    net = Net()
    net.names["hook.example"] = ["10.0.0.1"]
    metrics, _ = deliver(net, HOOK)
    assert not net.requests
    assert count(metrics, "webhook", "refused") == 1


def test_no_webhook_is_sent_where_they_are_off() -> None:
    net = Net()
    metrics, _ = deliver(net, HOOK, webhooks="off")
    assert not net.requests
    assert count(metrics, "webhook", "refused") == 1


# Web push


def keeper() -> tuple[dict[str, str], Callable[[str, str], Awaitable[str]]]:
    kept: dict[str, str] = {}

    async def once(name: str, value: str) -> str:
        return kept.setdefault(name, value)

    return kept, once


def test_the_servers_key_is_made_once() -> None:
    kept, once = keeper()
    first = asyncio.run(load_signer(once))
    assert asyncio.run(load_signer(once)).public == first.public
    assert list(kept) == ["vapid"]
    other = asyncio.run(load_signer(keeper()[1]))
    assert other.public != first.public


def test_a_push_can_be_read_by_its_browser_and_is_signed_by_us() -> None:
    browser = Browser()
    (target,) = read_targets({"push": browser.subscription}, "off")
    assert isinstance(target, Push)
    signer = asyncio.run(load_signer(keeper()[1]))
    net = Net(201)
    metrics, _ = deliver(net, target, webhooks="off", signer=signer)
    (request,) = net.requests
    assert json.loads(browser.read(request.content))["table"] == "abcdefghjkm"
    assert b"abcdefghjkm" not in request.content
    assert not any("abcdefghjkm" in value for value in request.headers.values())
    assert request.headers["content-encoding"] == "aes128gcm"
    assert int(request.headers["ttl"]) > 0
    claims = signed_claims(request.headers["authorization"], signer.public)
    assert claims["aud"] == "https://push.example"
    assert claims["sub"] == "https://play.example.org"
    assert count(metrics, "push", "sent") == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_is_gone_is_given_back_to_be_deleted(status: int) -> None:
    (target,) = read_targets({"push": Browser().subscription}, "off")
    signer = asyncio.run(load_signer(keeper()[1]))
    metrics, gone = deliver(Net(status), target, signer=signer)
    assert gone == [target]
    assert count(metrics, "push", "gone") == 1


def test_a_stored_subscription_with_keys_that_are_none_is_not_sent_to() -> None:
    net = Net()
    signer = asyncio.run(load_signer(keeper()[1]))
    metrics, _ = deliver(net, Push("https://push.example/x", "AAAA", "AAAA"), signer=signer)
    assert not net.requests
    assert count(metrics, "push", "refused") == 1
    assert metrics.value("errors_total", kind="notice") == 0


def test_a_push_goes_to_public_addresses_whatever_webhooks_may_do() -> None:
    subscription = {**Browser().subscription, "endpoint": "https://10.0.0.1/x"}
    with pytest.raises(BranchlineError):
        read_targets({"push": subscription}, "any")


# What browsers ask for


def test_nothing_is_asked_for() -> None:
    assert read_targets({}, "public") == []
    assert read_targets({"push": None, "webhook": None}, "off") == []


def test_both_ways_can_be_asked_for() -> None:
    wish = {"push": Browser().subscription, "webhook": "https://hook.example/"}
    push, webhook = read_targets(wish, "public")
    assert isinstance(push, Push)
    assert webhook == Webhook("https://hook.example/")


@pytest.mark.parametrize(
    ("wish", "webhooks", "code"),
    [
        ({"webhook": "https://hook.example/"}, "off", "no_webhooks"),
        ({"webhook": "http://hook.example/"}, "public", "bad_webhook_public"),
        ({"webhook": "https://192.168.1.1/"}, "public", "bad_webhook_public"),
        ({"webhook": 7}, "public", "bad_webhook_public"),
        ({"webhook": "http://hook.example:22/"}, "any", "bad_webhook_any"),
        ({"push": {}}, "public", "bad_push"),
        ({"push": "x"}, "public", "bad_push"),
        ({"push": {"endpoint": "https://a.example/", "keys": {}}}, "public", "bad_push"),
        ({"push": {"endpoint": "https://a.example/", "keys": {"p256dh": "AA", "auth": "AA"}}},
         "public", "bad_push"),
        ({"push": {"endpoint": "https://a.example/", "keys": {"p256dh": "é", "auth": "é"}}},
         "public", "bad_push"),
        ({"push": {"endpoint": "https://a.example/", "keys": {"p256dh": "", "auth": ""}}},
         "public", "bad_push"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(wish: dict[str, Any], webhooks: str, code: str) -> None:
    with pytest.raises(BranchlineError) as caught:
        read_targets(wish, webhooks)
    assert caught.value.code == code
    for lang in LANGUAGES:
        assert describe_error(caught.value, lang)


def test_a_push_whose_keys_are_no_keys_is_refused() -> None:
    whole = Browser().subscription["keys"]["p256dh"]
    for key in (whole[:-4], "B" + "A" * 86, whole + "A"):
        subscription = Browser().subscription
        subscription["keys"]["p256dh"] = key
        with pytest.raises(BranchlineError, match="bad_push"):
            read_targets({"push": subscription}, "public")


# Never in the way


def queue(size: int, signer: Signer | None = None) -> tuple[Notices, Metrics]:
    metrics = Metrics()

    async def forget(notice: Notice, target: Target) -> None:
        raise AssertionError

    return Notices("public", metrics, forget, signer, public=Net().way(), size=size), metrics


def test_a_full_queue_drops_and_returns_at_once() -> None:
    async def run() -> None:
        notices, metrics = queue(3)
        sent = [notices.send(Webhook(f"https://{k}.example/"), NOTICE) for k in range(5)]
        assert sent == [True, True, True, False, False]
        assert count(metrics, "webhook", "dropped") == 2
        await notices.stop()

    asyncio.run(run())


def test_nobody_is_told_without_end() -> None:
    async def run() -> None:
        notices, _ = queue(1000)
        assert sum(notices.send(HOOK, NOTICE) for _ in range(100)) == 10
        assert notices.send(Webhook("https://other.example/"), NOTICE)
        await notices.stop()

    asyncio.run(run())


def test_an_error_of_ours_does_not_stop_a_worker(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()

    async def broken(notice: Notice, target: Target) -> None:
        raise RuntimeError

    async def run() -> None:
        way = Net(410).way()
        notices = Notices("public", metrics, broken, public=way, own=way)
        for k in range(20):
            notices.send(Webhook(f"https://{k}.example/"), NOTICE)
        await notices.idle()
        await notices.stop()

    asyncio.run(run())
    assert metrics.value("errors_total", where="notice") == 20
    assert len(caplog.records) == 20


def test_a_target_comes_back_from_storage() -> None:
    for target in (HOOK, Push("https://a.example/", "k", "a")):
        assert from_store(stored(target)) == target


def test_the_page_learns_the_key_if_there_is_one() -> None:
    async def run() -> None:
        signer = await load_signer(keeper()[1])
        for own, told in ((None, ""), (signer, signer.public)):
            notices, _ = queue(1, own)
            assert notices.public_key == told
            await notices.stop()
        assert len(signer.public) == 87

    asyncio.run(run())


class Dead(Net):
    """A net in which hosts below `dead.…` never answer."""

    async def handle_later(self, request: httpx.Request) -> httpx.Response:
        if "dead" in request.headers["host"]:
            await asyncio.Event().wait()
        return self.handle(request)

    def way(self, private: bool = False) -> OutboundClient:
        transport = httpx.MockTransport(self.handle_later)
        return OutboundClient(private, 1000.0, resolve=self.resolve, transport=transport)


@pytest.mark.parametrize("host", ["dead{k}.example", "dead{k}.one.example", "dead{k}.org"])
def test_webhooks_that_never_answer_silence_nobody_else(host: str) -> None:
    net, metrics = Dead(204), Metrics()

    async def run() -> None:
        way = net.way()
        notices = Notices("public", metrics, nobody, public=way, own=way)
        for k in range(100):
            assert notices.send(Webhook(f"https://{host.format(k=k)}/"), NOTICE)
        notices.send(Webhook("https://alive.net/"), NOTICE)
        async with asyncio.timeout(20):
            while not net.requests:
                await asyncio.sleep(0)
        await notices.stop()

    asyncio.run(run())
    assert count(metrics, "webhook", "sent") == 1


async def nobody(notice: Notice, target: Target) -> None:
    raise AssertionError("nobody is gone")


def test_receivers_take_turns_however_much_waits_for_one_of_them() -> None:
    net = Net(204)
    order: list[str] = []

    async def run() -> None:
        way = net.way()
        notices = Notices("public", Metrics(), nobody, public=way, own=way)
        for k in range(50):
            notices.send(Webhook(f"https://many.example/{k}"), NOTICE)
        notices.send(Webhook("https://one.test/"), NOTICE)
        await notices.idle()
        await notices.stop()
        order.extend(str(request.headers["host"]) for request in net.requests)

    asyncio.run(run())
    assert len(order) == 51
    assert order.index("one.test") <= 4
