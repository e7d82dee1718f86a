"""The addresses at which a server can be reached, on this machine and in its network."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Final

ANYWHERE: Final = ("0.0.0.0", "::", "")
# Addresses for documentation: a datagram socket that is connected sends nothing, it only looks up
# the way there.
PROBES: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def url(host: str, port: int, scheme: str = "http") -> str:
    """The address of a page.

    >>> url("::1", 8000), url("localhost", 80)
    ('http://[::1]:8000/', 'http://localhost/')
    """
    name = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}.get(scheme)
    return f"{scheme}://{name}/" if port == default else f"{scheme}://{name}:{port}/"


def lan_address() -> str | None:
    """This machine's address in its local network; None if it is in none."""
    for family, probe in PROBES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as way:
                way.connect((probe, 9))
                found = str(way.getsockname()[0])
        except OSError:
            continue
        if _useful(found):
            return found
    return _own_name()


def addresses(host: str, port: int) -> tuple[str, str | None]:
    """The address for this machine, and the one for others nearby (None: nobody else can come)."""
    if host in ANYWHERE:
        near = lan_address()
        return url("localhost", port), url(near, port) if near is not None else None
    return url(host, port), None if is_local_name(host) else url(host, port)


def address_for_others(host: str, port: int, visited: str) -> str:
    """Where others reach a server that a visitor of this machine found under this name.

    Empty if the visitor's own address serves as well, or if nobody else can come.

    >>> address_for_others("192.0.2.7", 8000, "localhost")
    'http://192.0.2.7:8000'
    >>> address_for_others("192.0.2.7", 8000, "games.example")
    ''
    """
    if not is_local_name(visited):
        return ""
    _, near = addresses(host, port)
    return (near or "").rstrip("/")


def is_local_name(host: str) -> bool:
    """Whether a name or address means the machine itself, wherever it is used.

    >>> is_local_name("localhost"), is_local_name("[::1]"), is_local_name("192.0.2.1")
    (True, True, False)
    """
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _own_name() -> str | None:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM)
    except OSError:
        return None
    return next((str(entry[4][0]) for entry in found if _useful(str(entry[4][0]))), None)


def _useful(address: str) -> bool:
    found = ip_address(address.partition("%")[0])
    return not (found.is_loopback or found.is_unspecified or found.is_link_local)
