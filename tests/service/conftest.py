"""What the tests of the server share: databases, the server itself, and people at its tables."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from service.postgres import postgres, postgres_url
from service.server import Party, Server

__all__ = ["postgres", "postgres_url"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Tests that are coroutines run in asyncio."""
    return "asyncio"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    url: str = request.getfixturevalue("postgres_url")
    return url


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with little room, if this user may mount one; else the test is told by its name."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    yield folder
    if mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a module, which must not have failed inside at its end."""
    with Server(tmp_path_factory.mktemp("server")) as running:
        yield running
        assert running.metric("branchline_errors_total") == 0, running.log


@pytest.fixture
async def party(server: Server) -> AsyncIterator[Party]:
    """People who come to the server, and leave at the end of the test."""
    async with Party(server.url) as people:
        yield people
