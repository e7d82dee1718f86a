"""What the scope of a request (ASGI) says: its language, its scheme, the address of its client."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import parse_qs

from branchline.core.catalogue import LANGUAGES
from branchline.service.access.limits import address_key


def header(scope: Mapping[str, Any], name: bytes) -> str | None:
    """The first header of this name, in lower case."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return None


def language_of(scope: Mapping[str, Any]) -> str:
    """The language of the answer: `lang` in the query, else `Accept-Language`, else English.

    >>> language_of({"query_string": b"", "headers": [(b"accept-language", b"de, fr-CH;q=0.8")]})
    'fr'
    """
    query = scope.get("query_string", b"")
    if b"lang=" in query:
        try:
            asked = parse_qs(query.decode("latin-1"), max_num_fields=20).get("lang", [""])[-1]
        except ValueError:
            asked = ""
        if asked in LANGUAGES:
            return str(asked)
    return preferred(header(scope, b"accept-language") or "")


def city_names_of(scope: Mapping[str, Any]) -> str:
    """The language of city names: with `cities=local` in the query the answer's, else none.

    >>> city_names_of({"query_string": b"lang=fr&cities=local", "headers": []})
    'fr'
    """
    query = scope.get("query_string", b"")
    return language_of(scope) if b"cities=local" in query.split(b"&") else ""


@lru_cache(maxsize=256)
def preferred(accepted: str) -> str:
    """The first of our languages in the order of an `Accept-Language` header, else English."""
    wishes = []
    for part in accepted[:500].split(","):
        tag, _, weight = part.strip().partition(";")
        match = re.fullmatch(r"\s*q=([01](?:\.[0-9]{0,3})?)\s*", weight)
        quality = float(match[1]) if match else 1.0
        wishes.append((-quality, tag.partition("-")[0].lower()))
    for quality, tag in sorted(wishes, key=lambda wish: wish[0]):
        if tag in LANGUAGES and quality < 0:
            return tag
    return "en"


def is_https(scope: Mapping[str, Any]) -> bool:
    """Whether the browser came by https, as far as we or a trusted proxy know."""
    return scope["scheme"] in ("https", "wss")


def client_of(scope: Mapping[str, Any]) -> str:
    """The address that this client's limits are counted by."""
    client = scope.get("client")
    return address_key(client[0]) if client else ""


def trusted(address: str, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether an address is in one of the networks.

    >>> trusted("::ffff:10.1.2.3", [ip_network("10.0.0.0/8")])
    True
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in network for network in networks)


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("192.0.2.1"), is_loopback("x")
    (True, True, False, False)
    """
    return trusted(address, (ip_network("127.0.0.0/8"), ip_network("::1/128")))


def bare_address(text: str) -> str | None:
    """The address in an entry of `X-Forwarded-For`, which some proxies write with a port."""
    match = re.fullmatch(r"\[([0-9a-fA-F:.]+)\](?::[0-9]+)?|([0-9.]+):[0-9]+", text)
    plain = (match[1] or match[2]) if match else text
    try:
        return str(ip_address(plain))
    except ValueError:
        return None
