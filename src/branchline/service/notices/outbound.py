"""Requests to addresses that strangers name, made so that they can't reach our own network.

A name is resolved once, every address that it has is checked, and the connection goes to a checked
address, so that a name that changes its meaning in between gains nothing. Redirects are not
followed, and the environment's proxies are not used.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

import httpx

IP = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[list[str]]]

DEFAULT_PORTS: Final = {"http": 80, "https": 443}
PUBLIC_PORTS: Final = frozenset({443})
LEAST_PRIVATE_PORT: Final = 1024  # below it, only the web's own: mail, SSH and the like are there
MAX_URL: Final = 2000
RESOLVERS: Final = ThreadPoolExecutor(64, thread_name_prefix="branchline-resolver")
"""Of our own: a name server that is silent would occupy the few threads that everyone shares."""
NAT64: Final = ip_network("64:ff9b::/96")


class AddressRefused(Exception):
    """We don't make this request. The argument says why: url, scheme, port, address, name, keys."""


async def system_resolve(host: str, port: int) -> list[str]:
    """All addresses of a host, as the system knows them."""
    loop = asyncio.get_running_loop()
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await loop.run_in_executor(RESOLVERS, ask)
    return [str(entry[4][0]) for entry in found]


def is_public(address: IP) -> bool:
    """Whether an address belongs to the public internet, also what is wrapped in it.

    >>> [is_public(ip_address(a)) for a in ("1.1.1.1", "100.64.0.1", "::ffff:10.0.0.1")]
    [True, False, False]
    """
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local or address.teredo is not None:
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified
    )


def checked_url(text: str, private: bool = False) -> httpx.URL:
    """The address as a URL, if we may ever ask it; raises `AddressRefused`.

    Public: https on port 443. With `private`: also http, and ports from 1024 on.
    """
    if len(text) > MAX_URL or not text.isprintable():
        raise AddressRefused("url")
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):
        raise AddressRefused("url") from None
    if url.scheme not in DEFAULT_PORTS or (url.scheme == "http" and not private):
        raise AddressRefused("scheme")
    if not url.host or url.userinfo:
        raise AddressRefused("url")
    port = port_of(url)
    allowed = port in PUBLIC_PORTS or (
        private and (port in DEFAULT_PORTS.values() or port >= LEAST_PRIVATE_PORT)
    )
    if not allowed:
        raise AddressRefused("port")
    try:
        literal = ip_address(url.host)
    except ValueError:
        return url
    if not private and not is_public(literal):
        raise AddressRefused("address")
    return url


def port_of(url: httpx.URL) -> int:
    """The port that a URL means."""
    return url.port or DEFAULT_PORTS[url.scheme]


class OutboundClient:
    """Makes the requests. `private` allows http and addresses that are not public."""

    def __init__(
        self,
        private: bool = False,
        timeout: float = 5.0,
        resolve: Resolve = system_resolve,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._private: Final = private
        self._timeout: Final = timeout
        self._resolve: Final = resolve
        # Connections are not kept: one that was opened for a name must not serve another name
        # that has the same address.
        self._client: Final = httpx.AsyncClient(
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=timeout,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def post(self, address: str, content: bytes, headers: Mapping[str, str]) -> int:
        """Send a request; returns the status of the answer, whose body is not read.

        Raises `AddressRefused`; `TimeoutError` if all of it takes too long; `httpx.HTTPError`.
        """
        async with asyncio.timeout(self._timeout):
            url = checked_url(address, self._private)
            pinned = url.copy_with(host=await self._address(url))
            host = url.netloc.decode("ascii")
            request = self._client.build_request(
                "POST",
                pinned,
                content=content,
                headers={**headers, "host": host},
                # The certificate is checked against the name, not against the address.
                extensions={"sni_hostname": url.raw_host.decode("ascii")},
            )
            answer = await self._client.send(request, stream=True)
            await answer.aclose()
            return answer.status_code

    async def _address(self, url: httpx.URL) -> str:
        try:
            found = await self._resolve(url.raw_host.decode("ascii").strip("[]"), port_of(url))
            addresses = [ip_address(text.partition("%")[0]) for text in found]
        except (OSError, UnicodeError, ValueError):
            raise AddressRefused("name") from None
        if not addresses:
            raise AddressRefused("name")
        # One private address among public ones is how a name is made to rebind.
        if not self._private and not all(is_public(address) for address in addresses):
            raise AddressRefused("address")
        return str(addresses[0])

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()
