"""A second server on the same SQLite file, and a folder that can't be written, are refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from branchline.cli import run
from branchline.service.storage import StoreError
from branchline.service.storage.file_lock import only_server
from service.server import Server

pytestmark = pytest.mark.anyio


def refusal(data: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What a server that can't start says, in one line."""
    capsys.readouterr()
    assert run(["--lang", "en", "serve", "--port", "0", "--data", str(data)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_second_server_on_one_file_is_refused_and_a_killed_one_is_not_in_the_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Server(tmp_path) as server:
        for _ in range(2):
            line = refusal(tmp_path, capsys)
            assert f"process {server.pid}," in line
            assert "PostgreSQL" in line
            server.restart()  # killed: nothing is left of its lock
        copy = str(tmp_path / "copy.db")
        assert run(["backup", copy, "--data", str(tmp_path)]) == 0
        assert run(["restore", copy, "--data", str(tmp_path)]) == 2


def test_a_lock_ends_with_its_block_and_its_process(tmp_path: Path) -> None:
    database = str(tmp_path / "games.db")
    program = (
        "import sys; from branchline.service.storage.file_lock import only_server\n"
        "with only_server(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, database]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError) as refused, only_server(database):
            pass
        assert refused.value.values["pid"] == str(other.pid)
        other.kill()
        other.wait()
        with only_server(database):
            pass
    with only_server(database), only_server("postgresql://somewhere/games"):
        pass


def test_a_folder_that_can_not_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        if not mounted:
            if os.geteuid() == 0:
                pytest.skip("root may write anywhere, and may not mount here")
            folder.chmod(0o500)
        for data in (folder, folder / "new"):
            line = refusal(data, capsys)
            assert str(data) in line
            assert "--data" in line
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)
        folder.chmod(0o700)
