"""The settings of a table server: from options of the command, else the environment, else defaults.

Every field of `Settings` has an environment variable, `BRANCHLINE_` and its name in capitals; every
field of `Limits` likewise, with `BRANCHLINE_LIMIT_`. Lists are written with commas between.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from branchline.engine.errors import BranchlineError

PREFIX: Final = "BRANCHLINE_"
DATABASE_FILE: Final = "branchline.db"


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much anyone may ask of the server. An address is one IPv4 address or an IPv6 /64."""

    tables: int = 10_000
    """Tables that wait or play at the same time."""
    tables_per_address: int = 50
    """New tables from one address in an hour."""
    sockets: int = 20_000
    sockets_per_address: int = 64
    connections_per_address: int = 200
    """Of any kind, from the moment they are opened; at least `sockets_per_address`."""
    messages_per_second: float = 20.0
    """From one socket, in the long run."""
    messages_burst: int = 60
    messages_per_address: float = 100.0
    """From all sockets of one address together."""
    requests_per_second: float = 30.0
    """From one address, in the long run."""
    requests_burst: int = 120
    message_bytes: int = 16 * 1024
    body_bytes: int = 16 * 1024
    """The body of any other request: the largest forms have a few hundred bytes."""
    record_bytes: int = 1024 * 1024
    """The body of a record that is sent to be replayed; those of real games have up to 64 kB."""
    replays_per_minute: int = 60
    """Replays, records and drawings for one address that have to be made."""
    spectators: int = 100
    """At one table."""
    name_length: int = 40
    chat_length: int = 500
    chat_per_minute: int = 20


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set on a table server."""

    host: str = "0.0.0.0"
    port: int = 8000
    database: str | None = None
    """A database URL; without it, an SQLite file in the data folder."""
    data: Path = Path("branchline")
    key: str | None = None
    """The key with which logs are stored encrypted, as 64 hexadecimal digits."""
    origins: tuple[str, ...] = ()
    """Origins of other pages that may use this server, such as `https://play.example.org`."""
    proxy: tuple[str, ...] = ()
    """Addresses or networks of proxies whose `X-Forwarded-…` headers are believed."""
    boards: tuple[Path, ...] = ()
    """Board files that are offered in addition to the built-in boards."""
    bots: tuple[str, ...] = ()
    """Bots that are offered in addition to the levels, such as `my_bot:Mine`."""
    log_format: str = "text"
    log_level: str = "info"
    workers: int = 1
    """Processes in which bots think."""
    bot_seconds: float = 2.0
    """The longest that a bot may think about one decision."""
    keep_waiting: float = 14.0
    """Days without a change after which a table that waits for players is removed; 0: never."""
    keep_playing: float = 0.0
    """The same for a game that nobody goes on with."""
    keep_finished: float = 0.0
    """The same for a finished game."""
    ratings: str = "off"
    """Whether games change the ratings of those who play them: `on` or `off`."""
    webhooks: str = "public"
    """`public`: https to public addresses; `any`: also http and private addresses; `off`."""
    metrics: str = "local"
    """Who may read `/metrics`: this machine alone (`local`), `any`one, or nobody (`off`)."""
    limits: Limits = Limits()

    @property
    def database_url(self) -> str:
        """Where the tables are stored, as a URL.

        >>> Settings(data=Path("/data")).database_url
        'sqlite:////data/branchline.db'
        """
        return self.database or f"sqlite:///{self.data / DATABASE_FILE}"


def default_data_folder(environ: Mapping[str, str]) -> Path:
    """The folder for a user's own data on this platform.

    >>> default_data_folder({"XDG_DATA_HOME": "/srv/data"}).as_posix()
    '/srv/data/branchline'
    """
    xdg = environ.get("XDG_DATA_HOME", "")
    if Path(xdg).is_absolute():
        return Path(xdg) / "branchline"
    if os.name == "nt" and environ.get("LOCALAPPDATA"):
        return Path(environ["LOCALAPPDATA"]) / "branchline"
    home = environ.get("HOME") or Path("~").expanduser()
    return Path(home) / ".local" / "share" / "branchline"


def default_workers() -> int:
    """All cores but one, which is the server's own."""
    return max(1, (os.cpu_count() or 2) - 1)


def read_settings(
    options: Mapping[str, object] | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """The settings of a server that is started with these options in this environment.

    `options` are by field name; None means not given. The option `limit` is a list of `name=value`.
    Raises `BranchlineError` with the code `bad_setting` for the first value that can't be used.

    >>> read_settings({"port": 80}, {"BRANCHLINE_PORT": "81", "BRANCHLINE_LIMIT_TABLES": "5"}).port
    80
    """
    environ = os.environ if environ is None else environ
    given = {name: value for name, value in (options or {}).items() if value is not None}
    limits: dict[str, Any] = {}
    for name, kind in LIMITS.items():
        variable = f"{PREFIX}LIMIT_{name.upper()}"
        if environ.get(variable):
            limits[name] = kind.read(variable, environ[variable])
    for item in _items(given.pop("limit", ())):
        name, _, text = item.partition("=")
        if name not in LIMITS:
            raise bad_setting("--limit", name, ", ".join(LIMITS))
        limits[name] = LIMITS[name].read(f"--limit {name}", text)

    found: dict[str, Any] = {"data": default_data_folder(environ), "workers": default_workers()}
    for name, kind in FIELDS.items():
        variable = f"{PREFIX}{name.upper()}"
        if name in given:
            found[name] = kind.read("--" + OPTIONS.get(name, name.replace("_", "-")), given[name])
        elif environ.get(variable):
            found[name] = kind.read(variable, environ[variable])
    return Settings(**found, limits=Limits(**limits))


def bad_setting(name: str, value: object, expected: str) -> BranchlineError:
    """A setting that can't be used. `expected` is an example or a range, in no language."""
    # A database URL may hold a password, and this goes to a terminal or a log.
    if name == f"{PREFIX}KEY":
        value = "…"
    shown = re.sub(r"//[^/@]*@", "//…@", str(value))[:80]
    return BranchlineError("bad_setting", {"name": name, "value": shown, "expected": expected})


class Kind(NamedTuple):
    """How a setting is written, and what it means."""

    expected: str
    parse: Callable[[str], object]
    many: bool = False

    def read(self, name: str, value: object) -> object:
        """The value of the setting called `name`; raises `BranchlineError` if there is none."""
        items = _items(value) if self.many else [str(value).strip()]
        found = []
        for item in items:
            try:
                found.append(self.parse(item))
            except ValueError:
                raise bad_setting(name, item, self.expected) from None
        return tuple(found) if self.many else found[0]


def _items(value: object) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(item) for item in value]
    return [item.strip() for item in str(value).split(",") if item.strip()]


def _whole(least: int, most: int) -> Kind:
    def parse(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,12}", text) or not least <= int(text) <= most:
            raise ValueError
        return int(text)

    return Kind(f"{least}–{most}", parse)


def _number(least: float, most: float) -> Kind:
    def parse(text: str) -> float:
        number = float(text)
        if not least <= number <= most:
            raise ValueError
        return number

    return Kind(f"{least:g}–{most:g}", parse)


def _one_of(*words: str) -> Kind:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError
        return text

    return Kind(" | ".join(words), parse)


def _host(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._:%-]+", text):
        raise ValueError
    return text


def _database(text: str) -> str:
    if not re.fullmatch(r"(sqlite|postgresql)(\+\w+)?://.*", text):
        raise ValueError
    return text


def _origin(text: str) -> str:
    parts = urlsplit(text.rstrip("/").lower())
    plain = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    if not plain or parts.path or parts.query or parts.fragment:
        raise ValueError
    parts.port  # noqa: B018 (raises if it is not valid)
    return f"{parts.scheme}://{parts.netloc}"


def _key(text: str) -> str:
    if not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError
    return text


def _network(text: str) -> str:
    return str(ip_network(text, strict=False))


def _board_file(text: str) -> Path:
    path = Path(text).expanduser()
    if path.suffix != ".toml" or not path.is_file():
        raise ValueError
    return path


def _bot(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_]\S{0,199}", text):
        raise ValueError
    return text


def _folder(text: str) -> Path:
    if not text or "\0" in text:
        raise ValueError
    return Path(text).expanduser()


MANY: Final = 1_000_000
YEARS: Final = 36_500  # in days
LEVELS: Final = ("debug", "info", "warning", "error")
OPTIONS: Final = {"origins": "origin", "boards": "board", "bots": "bot"}
"""Options that may be given several times are called after one of their items."""
WITHOUT_OPTION: Final = frozenset({"key"})
"""Settings of the environment alone: everyone on the machine can see the options of a command."""
FIELDS: Final = {
    "host": Kind("0.0.0.0 | :: | localhost", _host),
    "port": _whole(0, 65535),
    "database": Kind("postgresql://user:password@host/name | sqlite:///file", _database),
    "data": Kind("/var/lib/branchline", _folder),
    "key": Kind("openssl rand -hex 32", _key),
    "origins": Kind("https://play.example.org", _origin, many=True),
    "proxy": Kind("127.0.0.1 | 10.0.0.0/8", _network, many=True),
    "boards": Kind("board.toml", _board_file, many=True),
    "bots": Kind("my_bot:Mine", _bot, many=True),
    "log_format": _one_of("text", "json"),
    "log_level": _one_of(*LEVELS),
    "workers": _whole(1, 256),
    "bot_seconds": _number(0.01, 60),
    "keep_waiting": _number(0, YEARS),
    "keep_playing": _number(0, YEARS),
    "keep_finished": _number(0, YEARS),
    "ratings": _one_of("on", "off"),
    "webhooks": _one_of("public", "any", "off"),
    "metrics": _one_of("local", "any", "off"),
}
LIMITS: Final = {
    "tables": _whole(1, MANY),
    "tables_per_address": _whole(1, MANY),
    "sockets": _whole(1, MANY),
    "sockets_per_address": _whole(1, MANY),
    "connections_per_address": _whole(1, MANY),
    "messages_per_second": _number(0.1, MANY),
    "messages_burst": _whole(1, MANY),
    "messages_per_address": _number(0.1, MANY),
    "requests_per_second": _number(0.1, MANY),
    "requests_burst": _whole(1, MANY),
    "message_bytes": _whole(256, 2**30),
    "body_bytes": _whole(256, 2**30),
    "record_bytes": _whole(256, 2**30),
    "replays_per_minute": _whole(1, MANY),
    "spectators": _whole(0, MANY),
    "name_length": _whole(1, 200),
    "chat_length": _whole(1, 500),  # what a message can carry
    "chat_per_minute": _whole(1, MANY),
}
