"""The HTTP interface does what its published schema says, whatever it is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from service.server import Server

pytest.importorskip("schemathesis")

# The framework names only one of an address's methods in `Allow`. Which data is acceptable depends
# on the tables that there are; that good requests are accepted is what the other tests show.
LEFT_OUT = ["allow_header_conformance", "positive_data_acceptance", "missing_required_header"]


def schemathesis(server: Server, folder: Path, *options: str, settings: str = "") -> str:
    """Send made-up requests to every address; gives the report, which must be without a fault."""
    config = folder / "schemathesis.toml"
    config.write_text(settings)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)]
    command += ["run", f"{server.url}/api/openapi.json", "--phases", "examples,coverage,fuzzing"]
    command += ["--checks", "all", "--generation-deterministic", "--no-color", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, cwd=folder)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


def test_made_up_requests_are_answered_as_the_schema_says(server: Server, tmp_path: Path) -> None:
    report = schemathesis(server, tmp_path, "-n", "12", "--exclude-checks", ",".join(LEFT_OUT))
    assert "Tested: 30" in report


@pytest.mark.parametrize("bots", [[None, "easy"], ["easy", "easy"]])
def test_made_up_requests_to_a_table_are_answered_as_the_schema_says(
    server: Server, tmp_path: Path, bots: list[str | None]
) -> None:
    body = {"board": "nordic", "seats": 3, "name": "Ann", "bots": bots}
    made = httpx.post(f"{server.url}/api/tables", json=body)
    cookie = f"branchline={made.cookies['branchline']}"
    settings = f'[parameters]\n"path.table" = "{made.json()["table"]}"\n"path.board" = "usa"\n'
    left_out = ",".join([*LEFT_OUT, "negative_data_rejection"])  # the table is always a good one
    options = ["-n", "8", "-H", f"Cookie: {cookie}", "--exclude-checks", left_out]
    options += ["--include-path-regex", r"\{table\}"]
    schemathesis(server, tmp_path, *options, settings=settings)


def test_every_error_has_a_code_and_a_text_in_the_reader_s_language(server: Server) -> None:
    for path in ("/api/tables/x", "/api/tables/23456789abc", "/api/boards/x", "/api/nowhere", "/x"):
        english, french = (httpx.get(f"{server.url}{path}?lang={lang}") for lang in ("en", "fr"))
        assert english.status_code == french.status_code >= 400
        one, two = english.json()["error"], french.json()["error"]
        assert one["code"] == two["code"]
        assert one["text"] != two["text"]
