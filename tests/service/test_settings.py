"""Settings of the server: options before environment before defaults, and clear refusals."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from branchline.core.catalogue import LANGUAGES
from branchline.engine.describe import describe_error
from branchline.engine.errors import BranchlineError
from branchline.service.operations import settings as module
from branchline.service.operations.listen_addresses import addresses, lan_address, url
from branchline.service.operations.metrics import Metrics
from branchline.service.operations.settings import FIELDS, LIMITS, Limits, Settings, read_settings

HOME = {"HOME": "/home/me"}


def test_nothing_has_to_be_set() -> None:
    found = read_settings({}, HOME)
    assert (found.host, found.port, found.database) == ("0.0.0.0", 8000, None)
    assert found.data == Path("/home/me/.local/share/branchline")
    assert found.database_url == "sqlite:////home/me/.local/share/branchline/branchline.db"
    assert found.workers >= 1
    assert found.limits == Limits()


def test_an_option_comes_before_the_environment_and_that_before_the_default() -> None:
    environ = {**HOME, "BRANCHLINE_PORT": "81", "BRANCHLINE_HOST": "::1"}
    found = read_settings({"port": 82, "host": None}, environ)
    assert (found.port, found.host) == (82, "::1")
    assert read_settings({}, environ).port == 81


def test_an_empty_variable_is_as_good_as_none() -> None:
    assert read_settings({}, {**HOME, "BRANCHLINE_PORT": ""}).port == 8000


def test_every_field_and_every_limit_can_be_set() -> None:
    assert set(FIELDS) | {"limits"} == set(Settings.__struct_fields__)
    assert set(LIMITS) == set(Limits.__struct_fields__)


def test_every_default_is_a_value_that_could_be_set() -> None:
    for name, kind in LIMITS.items():
        default = getattr(Limits(), name)
        assert kind.read(name, f"{default:g}" if isinstance(default, float) else default) == default


def test_lists_are_written_with_commas_or_given_several_times(tmp_path: Path) -> None:
    board = tmp_path / "mine.toml"
    board.write_text("", encoding="utf-8")
    environ = {**HOME, "BRANCHLINE_PROXY": "127.0.0.1, 10.0.0.0/8"}
    options = {"origins": ["HTTPS://Play.example.org/", "http://a:5173"], "boards": [str(board)]}
    found = read_settings(options, environ)
    assert found.proxy == ("127.0.0.1/32", "10.0.0.0/8")
    assert found.origins == ("https://play.example.org", "http://a:5173")
    assert found.boards == (board,)


def test_limits_come_from_options_and_variables() -> None:
    environ = {**HOME, "BRANCHLINE_LIMIT_TABLES": "5", "BRANCHLINE_LIMIT_SOCKETS": "6"}
    found = read_settings({"limit": ["tables=7", "requests_per_second=0.5"]}, environ).limits
    assert (found.tables, found.sockets, found.requests_per_second) == (7, 6, 0.5)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eighty"), ("PORT", "65536"), ("PORT", "-1"), ("PORT", "²"), ("HOST", "a b"),
        ("DATABASE", "mysql://x"), ("DATABASE", "branchline.db"), ("ORIGINS", "example.org"),
        ("ORIGINS", "https://a/b"), ("ORIGINS", "https://u@a"), ("ORIGINS", "null"),
        ("ORIGINS", "https://a:99999"), ("PROXY", "proxy.local"), ("BOARDS", "no-such.toml"),
        ("BOARDS", "/etc/passwd"), ("LOG_FORMAT", "xml"), ("LOG_LEVEL", "loud"), ("WORKERS", "0"),
        ("BOT_SECONDS", "nan"), ("BOT_SECONDS", "inf"), ("BOT_SECONDS", "0"), ("WEBHOOKS", "on"),
        ("LIMIT_TABLES", "0"), ("LIMIT_MESSAGES_PER_SECOND", "fast"), ("LIMIT_CHAT_LENGTH", "501"),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be_used_is_told_with_its_name(variable: str, value: str) -> None:
    name = f"BRANCHLINE_{variable}"
    with pytest.raises(BranchlineError) as caught:
        read_settings({}, {**HOME, name: value})
    assert caught.value.code == "bad_setting"
    assert caught.value.values["name"] == name
    for lang in LANGUAGES:
        assert name in describe_error(caught.value, lang)


def test_an_option_is_named_as_it_is_written() -> None:
    for options, name in (
        ({"bot_seconds": "x"}, "--bot-seconds"),
        ({"origins": ["x"]}, "--origin"),
        ({"limit": ["tables=x"]}, "--limit tables"),
        ({"limit": ["chairs=4"]}, "--limit"),
    ):
        with pytest.raises(BranchlineError) as caught:
            read_settings(options, HOME)
        assert caught.value.values["name"] == name


def test_a_refusal_does_not_repeat_a_password() -> None:
    with pytest.raises(BranchlineError) as caught:
        read_settings({"database": "mysql://me:hunter2@db/x"}, HOME)
    assert "hunter2" not in str(caught.value)


def test_the_data_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = module.default_data_folder
    assert folder({**HOME, "XDG_DATA_HOME": "/x"}) == Path("/x/branchline")
    assert folder({**HOME, "XDG_DATA_HOME": "relative"}) == folder(HOME)
    assert read_settings({"data": "/data"}, HOME).data == Path("/data")


def test_addresses_are_written_so_that_a_browser_takes_them() -> None:
    assert url("::1", 8000) == "http://[::1]:8000/"
    assert url("a.example", 443, "https") == "https://a.example/"
    assert addresses("127.0.0.1", 80) == ("http://127.0.0.1/", None)
    assert addresses("localhost", 8000) == ("http://localhost:8000/", None)
    assert addresses("192.0.2.7", 8000)[1] == "http://192.0.2.7:8000/"


def test_a_server_that_listens_everywhere_tells_its_neighbours_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for near, told in (("192.0.2.9", "http://192.0.2.9:8000/"), (None, None)):
        monkeypatch.setattr(
            "branchline.service.operations.listen_addresses.lan_address", lambda found=near: found
        )
        assert addresses("0.0.0.0", 8000) == ("http://localhost:8000/", told)


def test_the_address_nearby_is_never_one_that_only_this_machine_knows() -> None:
    assert lan_address() not in ("127.0.0.1", "::1", "0.0.0.0")


def test_the_page_for_hosts_names_every_setting_limit_and_metric() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    for name in FIELDS:
        assert f"`BRANCHLINE_{name.upper()}`" in page
        if name not in module.WITHOUT_OPTION:
            assert f"`--{module.OPTIONS.get(name, name.replace('_', '-'))}`" in page
    for name in LIMITS:
        assert f"`{name}`" in page
    for line in Metrics().render()[0].decode().splitlines():
        if line.startswith("# TYPE branchline_") and not line.endswith("_created gauge"):
            assert f"`{line.split()[2]}`" in page


# Packages

WITHOUT = """
import os, sys
from branchline.cli import run

for package in sys.argv[2:]:
    child = os.fork()
    if child == 0:
        sys.modules[package] = None
        os._exit(run(sys.argv[1].split()))
    print(package, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def server_packages() -> list[str]:
    """The modules that the extra `serve` brings and the server can't do without."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    extra = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = [re.split(r"[^\w-]", line)[0].replace("-", "_") for line in extra["serve"]]
    return [name for name in names if name != "uvloop"]


@pytest.mark.parametrize(
    ("command", "packages"),
    [("serve", server_packages()), ("backup x", ["alembic"]), ("restore x", ["alembic"])],
)
def test_a_package_of_the_server_that_is_missing_is_told_in_one_line(
    command: str, packages: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, command, *packages],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "BRANCHLINE_LANG": "en"},
        check=True,
    )
    assert sorted(done.stdout.split()) == sorted([*packages, *["2"] * len(packages)]), done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == len(packages)
    assert all("branchline[serve]" in line for line in lines)
