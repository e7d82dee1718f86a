"""Notices that it is someone's turn: by web push, or by a request to an address of theirs.

Nothing here is ever in the way of a game. `send` puts a notice into a short queue and returns; when
the queue is full, or somebody is told too often, notices are dropped. Each receiver has a queue of
its own, and nobody waits for a receiver that doesn't answer but itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

import httpx
import msgspec

from branchline.core.catalogue import say
from branchline.engine.errors import BranchlineError
from branchline.service.access.keys import hash_key
from branchline.service.access.limits import Buckets
from branchline.service.notices.outbound import AddressRefused, OutboundClient, checked_url
from branchline.service.notices.web_push import Signer, encrypt, new_secret
from branchline.service.operations.metrics import Metrics

VAPID_NAME: Final = "vapid"
QUEUE: Final = 1000
AT_ONCE: Final = 128  # requests under way
EACH_AT_ONCE: Final = 4  # of them to one receiver
PUSH_LIFE: Final = 24 * 60 * 60  # seconds that a push service keeps a notice for a phone
PUSH_GONE: Final = frozenset({404, 410})
WEBHOOK_GONE: Final = frozenset({410})  # 404 may be a typing error that its owner still mends
AGAIN: Final = 500
EACH_RATE: Final = 1 / 5
EACH_BURST: Final = 10

log: Final = logging.getLogger(__name__)


class Push(msgspec.Struct, frozen=True, tag="push"):
    """A browser's subscription."""

    endpoint: str
    p256dh: str
    auth: str

    @property
    def address(self) -> str:
        return self.endpoint


class Webhook(msgspec.Struct, frozen=True, tag="webhook"):
    """An address that a player has named."""

    url: str

    @property
    def address(self) -> str:
        return self.url


Target = Push | Webhook
"""Where to tell someone."""
Once = Callable[[str, str], Awaitable[str]]
"""Stores a value under a name if there is none yet; returns the one that is stored now."""

_STORED: Final[msgspec.json.Decoder[Target]] = msgspec.json.Decoder(Push | Webhook)


def stored(target: Target) -> bytes:
    """A target as bytes; `from_store` is the inverse."""
    return msgspec.json.encode(target)


def from_store(body: bytes) -> Target:
    """A target that was stored."""
    return _STORED.decode(body)


class Notice(msgspec.Struct, frozen=True):
    """What is said, and the JSON that is sent."""

    table: str
    board: str
    seat: int
    name: str
    link: str
    text: str


def turn_notice(table: str, board: str, seat: int, name: str, link: str, lang: str) -> Notice:
    """It is this seat's turn; `board` is the board's name in the reader's language."""
    text = say("serve.notice.turn", lang, name=name, board=board)
    return Notice(table, board, seat, name, link, text)


def read_targets(wish: Mapping[str, Any], webhooks: str) -> list[Target]:
    """What a browser asks for: `{"push": {…}, "webhook": "https://…"}`, one of them, or nothing.

    `webhooks` is the setting. Raises `BranchlineError`: bad_push, bad_webhook, no_webhooks.
    """
    targets: list[Target] = []
    if wish.get("push") is not None:
        targets.append(_read_push(wish["push"]))
    if wish.get("webhook") is not None:
        targets.append(_read_webhook(str(wish["webhook"]), webhooks))
    return targets


def _read_webhook(address: str, webhooks: str) -> Webhook:
    if webhooks == "off":
        raise BranchlineError("no_webhooks")
    try:
        checked_url(address, private=webhooks == "any")
    except AddressRefused:
        raise BranchlineError(f"bad_webhook_{webhooks}") from None
    return Webhook(address)


def _read_push(data: object) -> Push:
    try:
        subscription = msgspec.convert(data, _Subscription)
        push = Push(subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth)
        checked_url(push.endpoint)
        encrypt(b"x", push.p256dh, push.auth)
    except (msgspec.ValidationError, AddressRefused, ValueError):
        raise BranchlineError("bad_push") from None
    return push


class _Keys(msgspec.Struct):
    """65 and 16 bytes in base64 for URLs; whether the first are a point is seen when it is used."""

    p256dh: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{87}=?$")]
    auth: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{22}(==)?$")]


class _Subscription(msgspec.Struct):
    endpoint: str
    keys: _Keys


async def load_signer(once: Once) -> Signer:
    """The server's key: made at its first start, the same ever after, in all its processes."""
    return Signer(await once(VAPID_NAME, new_secret()))


# --- sending --------------------------------------------------------------------------------------


class Receiver:
    """What waits for one receiver, and how much is under way to it."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.waiting: Final[deque[tuple[Target, Notice]]] = deque()
        self.under_way: int = 0
        self.ready: bool = False


def receiver_of(target: Target) -> str:
    """Whose notices wait for each other: of a push service one browser, else a host's.

    The names below one domain are counted as one host, since anyone can have any number of them.

    >>> receiver_of(Webhook("https://a.example.org/1")), receiver_of(Webhook("http://10.0.0.7:8000"))
    ('example.org', '10.0.0.7')
    """
    if isinstance(target, Push):
        return target.endpoint
    host = (urlsplit(target.url).hostname or "").rstrip(".")
    return host if ":" in host or host[-1:].isdigit() else ".".join(host.split(".")[-2:])


class Notices:
    """Sends notices in the background.

    `gone` is called with a target that does not exist any more, to be deleted, and with the notice
    that should have reached it, which names the table and the seat.

    Use: `send(target, notice)` as often as you like, then `await stop()`.
    """

    def __init__(
        self,
        webhooks: str,
        metrics: Metrics,
        gone: Callable[[Notice, Target], Awaitable[None]],
        signer: Signer | None = None,
        *,
        public: OutboundClient | None = None,
        own: OutboundClient | None = None,
        pause: float = 2.0,
        size: int = QUEUE,
    ) -> None:
        self._webhooks: Final = webhooks
        self._metrics: Final = metrics
        self._gone: Final = gone
        self._signer: Final = signer
        self._public: Final = public or OutboundClient()
        self._own: Final = own or (
            OutboundClient(private=True) if webhooks == "any" else self._public
        )
        self._pause: Final = pause
        self._size: Final = size
        self._each: Final = Buckets(EACH_RATE, EACH_BURST)
        self._receivers: Final[dict[str, Receiver]] = {}
        self._ready: Final[deque[Receiver]] = deque()
        """Receivers whose next notice may be sent, in the order of their turns."""
        self._queued: int = 0
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._idle: Final = asyncio.Event()
        self._idle.set()
        self._stopped: bool = False

    @property
    def public_key(self) -> str:
        """What a page needs to subscribe to push notices; empty if there are none."""
        return self._signer.public if self._signer is not None else ""

    def send(self, target: Target, notice: Notice) -> bool:
        """Send a notice soon; False if it was dropped. Returns at once."""
        if self._stopped or self._queued >= self._size or self._each.take(target.address) > 0:
            self._metrics.notice(kind_of(target), "dropped")
            return False
        name = receiver_of(target)
        receiver = self._receivers.get(name)
        if receiver is None:
            receiver = self._receivers[name] = Receiver(name)
        receiver.waiting.append((target, notice))
        self._queued += 1
        self._idle.clear()
        self._queue(receiver)
        self._go_on()
        return True

    async def stop(self) -> None:
        """Stop at once; what is still in the queue is lost."""
        self._stopped = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for way in {self._public, self._own}:
            await way.close()

    async def idle(self) -> None:
        """Wait until everything in the queue has been tried."""
        await self._idle.wait()

    def _queue(self, receiver: Receiver) -> None:
        """Let a receiver wait for its turn, unless it does or has enough under way."""
        if receiver.waiting and not receiver.ready and receiver.under_way < EACH_AT_ONCE:
            receiver.ready = True
            self._ready.append(receiver)

    def _go_on(self) -> None:
        """Begin with what may be sent now."""
        while self._ready and len(self._tasks) < AT_ONCE and not self._stopped:
            receiver = self._ready.popleft()
            receiver.ready = False
            target, notice = receiver.waiting.popleft()
            receiver.under_way += 1
            self._queue(receiver)
            task = asyncio.create_task(self._try(target, notice))
            self._tasks.add(task)
            task.add_done_callback(partial(self._tried, receiver))

    def _tried(self, receiver: Receiver, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        receiver.under_way -= 1
        self._queued -= 1
        if not receiver.under_way and not receiver.waiting:
            del self._receivers[receiver.name]
        self._queue(receiver)
        self._go_on()
        if not self._queued:
            self._idle.set()

    async def _try(self, target: Target, notice: Notice) -> None:
        try:
            outcome = await self._deliver(target, notice)
            self._metrics.notice(kind_of(target), outcome)
        except Exception:
            log.exception("notice failed", extra={"table": notice.table})
            self._metrics.error("notice")

    async def _deliver(self, target: Target, notice: Notice) -> str:
        if isinstance(target, Push) and self._signer is None:
            return "refused"
        if isinstance(target, Webhook) and self._webhooks == "off":
            return "refused"
        for last in (False, True):
            try:
                status = await self._post(target, notice)
            except AddressRefused as error:
                log.info("notice refused", extra={"table": notice.table, "reason": str(error)})
                return "refused"
            except (TimeoutError, httpx.HTTPError, OSError):
                status = AGAIN
            if 200 <= status < 300:
                return "sent"
            if status in (PUSH_GONE if isinstance(target, Push) else WEBHOOK_GONE):
                await self._gone(notice, target)
                return "gone"
            if status < AGAIN or last:
                break
            await asyncio.sleep(self._pause)
        return "failed"

    async def _post(self, target: Target, notice: Notice) -> int:
        content = msgspec.json.encode(notice)
        if isinstance(target, Webhook):
            headers = {"content-type": "application/json", "user-agent": "Branchline"}
            return await self._own.post(target.url, content, headers)
        assert self._signer is not None
        contact = f"https://{urlsplit(notice.link).hostname or 'localhost'}"
        headers = {
            **self._signer.headers(target.endpoint, contact),
            "content-type": "application/octet-stream",
            "content-encoding": "aes128gcm",
            "ttl": str(PUSH_LIFE),
            "urgency": "normal",
            # A later notice of the same table takes the place of one that waits for a phone. The
            # push service need not learn the table's id, with which anyone can watch the game.
            "topic": hash_key(notice.table)[:32],
        }
        try:
            body = encrypt(content, target.p256dh, target.auth)
        except ValueError:
            raise AddressRefused("keys") from None
        return await self._public.post(target.endpoint, body, headers)


def kind_of(target: Target) -> str:
    """`push` or `webhook`, as metrics call it."""
    return "push" if isinstance(target, Push) else "webhook"
