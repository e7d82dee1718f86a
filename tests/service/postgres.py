"""A PostgreSQL of our own: a cluster in a temporary folder, reached by a socket in that folder."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

START_SECONDS = 30


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs, of the newest version that is installed."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name), reverse=True
    )
    found = shutil.which(name, path=os.pathsep.join([*map(str, folders), os.environ["PATH"]]))
    if found is None:
        pytest.fail(
            f"{name} is missing: these tests need a PostgreSQL server. "
            "tools/system_packages.sh installs it on Debian, if run as root."
        )
    return found


def other_user() -> str | None:
    """Whom to run the server as: itself refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {user.pw_name for user in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Cluster:
    """A server and its files. It keeps nothing that it is told if the machine fails."""

    def __init__(self) -> None:
        self._user = other_user()
        self.folder = Path(tempfile.mkdtemp(prefix="branchline-pg-"))
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        self._data = self.folder / "data"
        self._server: subprocess.Popen[bytes] | None = None
        options = ["-U", "branchline", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        self._run(program("initdb"), "-D", str(self._data), *options).wait()
        if not (self._data / "postgresql.conf").exists():
            pytest.fail(f"initdb failed:\n{self.log}")

    @property
    def log(self) -> str:
        """What the programs have said."""
        return (self.folder / "log").read_text(errors="replace")

    def url(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://branchline@/{database}?host={self.folder}"

    def create_database(self) -> str:
        """Make an empty database; gives its address."""
        name = f"t{uuid.uuid4().hex}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.url(name)

    def start(self) -> None:
        """Start the server and wait until it answers."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            if self._server is None:
                settings = ("listen_addresses=", "fsync=off", "max_connections=60")
                options = [word for setting in settings for word in ("-c", setting)]
                self._server = self._run(
                    program("postgres"), "-D", str(self._data), "-k", str(self.folder), *options
                )
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    pytest.fail(f"PostgreSQL doesn't start:\n{self.log}")
                if self._server.poll() is not None:
                    self._server = None  # processes of a killed one may still be there
                time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server, by default in an orderly way; connections are cut off."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait()
            self._server = None

    def remove(self) -> None:
        """End the server and forget everything."""
        self.stop(signal.SIGQUIT)  # at once, without tidying up
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"},
            )


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server that runs as long as the tests of this process."""
    cluster = Cluster()
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture
def postgres_url(postgres: Cluster) -> str:
    """The address of an empty database."""
    postgres.start()  # a test may have stopped it
    return postgres.create_database()
