"""All measurements, interleaved in one run, with medians and spread.

    make bench                    everything, next to others and our own plain Python
    make bench-compare REV=…      this tree next to another revision

Each round takes one sample of each candidate in a fresh process, so that a slow moment of the
machine hits all of them. Absolute times are of this machine and day; trust the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
BUILD = Path(".bench")
CATANATRON = "catanatron==3.2.1"
CATANATRON_GYM = "catanatron_gym==4.0.0"
FASTCATAN = "fastcatan==2.0.0"
NEWER = ("python3.12", "python3.13", "python3.14")
"""Fastcatan needs one of them, or one of pyenv's; PYTHON312 in the environment names another."""

WAYS = {
    "masks": "batch of 1,024, masks",
    "integers": "batch of 1,024, masks and observations (int16)",
    "floats": "batch of 1,024, masks and observations (float32)",
    "aec": "PettingZoo AEC",
    "gymnasium": "Gymnasium, against `random`",
}
OTHERS = {
    "catanatron_gym": "catanatron_gym (Gymnasium, against a random bot)",
    "fastcatan batch": "fastcatan, batch of 1,024, masks",
    "fastcatan driven": "fastcatan, driven from Python",
}

Sample = dict[str, Any]


def sample(python: str, script: str, *args: str, **environment: str) -> Sample:
    """Run a worker and read what it prints."""
    env = {k: v for k, v in os.environ.items() if k not in ("BRANCHLINE_PURE", "PYTHONPATH")}
    done = subprocess.run(
        [python, str(HERE / script), *args],
        env=env | environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    result: Sample = json.loads(done.stdout)
    return result


def other_python(name: str, package: str, python: str) -> str:
    """The interpreter of an environment of its own with another engine in it."""
    venv = BUILD / name
    inside = venv / "bin" / "python"
    if not (venv / ".ready").exists():
        print(f"installing {package} into an environment of its own", file=sys.stderr)
        subprocess.run([python, "-m", "venv", "--clear", str(venv)], check=True)
        subprocess.run(
            [str(inside), "-m", "pip", "--no-input", "--quiet", "install", package], check=True
        )
        (venv / ".ready").touch()
    return str(inside)


def newer_python() -> str | None:
    """An interpreter that fastcatan can be installed for, if this machine has one."""
    pyenv = [str(path) for path in Path.home().glob(".pyenv/versions/3.1[2-9]*/bin/python")]
    for name in (os.environ.get("PYTHON312"), sys.executable, *NEWER, *sorted(pyenv)):
        code = "import sys; sys.exit(sys.version_info < (3, 12))"
        if name and shutil.which(name):
            done = subprocess.run([name, "-c", code], check=False, stderr=subprocess.DEVNULL)
            if done.returncode == 0:
                return name
    return None


def fastcatan_python() -> str | None:
    """The interpreter with fastcatan in it; None, with a word why, if it can't be had."""
    python = newer_python()
    if python is None:
        print("fastcatan is left out: it needs Python 3.12 (PYTHON312=…)", file=sys.stderr)
        return None
    try:
        return other_python("fastcatan", FASTCATAN, python)
    except subprocess.CalledProcessError as error:
        print(f"fastcatan is left out: {error}", file=sys.stderr)
        return None


def revision_folder(revision: str) -> str:
    """Another revision of this project, compiled, in a folder of its own."""
    name = subprocess.run(
        ["git", "rev-parse", "--short", revision], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.strip()
    target = BUILD / f"revision-{name}"
    if not target.exists():
        print(f"building {revision} ({name})", file=sys.stderr)
        tree = BUILD / f"tree-{name}"
        subprocess.run(["git", "worktree", "add", "--force", "-q", str(tree), name], check=True)
        try:
            subprocess.run(
                [
                    *(sys.executable, "-m", "pip", "--no-input", "--quiet", "install"),
                    *("--no-build-isolation", "--no-deps", "--target", str(target), str(tree)),
                ],
                check=True,
            )
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], check=True)
    return str(target.resolve())


def import_seconds(code: str) -> float:
    """Wall time of a fresh interpreter that runs one line."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def scaling(seconds: str) -> float:
    """Games per second of two processes at the same time, against one alone."""
    alone = sample(sys.executable, "worker.py", "--what", "one-game", "--seconds", seconds)
    command = [sys.executable, str(HERE / "worker.py"), "--what", "one-game", "--seconds", seconds]
    pair = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    together = [json.loads(p.communicate()[0]) for p in pair]
    rate = sum(1 / t["playout"]["game"] for t in together)
    return rate * float(alone["playout"]["game"])


def spread(values: list[float]) -> dict[str, float]:
    return {"median": median(values), "low": min(values), "high": max(values)}


def collect(rounds: int, seconds: str) -> dict[str, list[Any]]:
    """All samples of a full run."""
    here = sys.executable
    other = other_python("catanatron", CATANATRON, here)
    other_gym = other_python("catanatron_gym", CATANATRON_GYM, here)
    fastcatan = fastcatan_python()
    out: dict[str, list[Any]] = {}

    def keep(name: str, value: Any) -> None:
        out.setdefault(name, []).append(value)

    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        keep("compiled", sample(here, "worker.py", "--seconds", seconds, "--round", str(number)))
        keep("catanatron", sample(other, "catanatron_worker.py", "2"))
        plain = ("--what", "two", "--seconds", "0.3")
        keep("plain", sample(here, "worker.py", *plain, BRANCHLINE_PURE="1"))
        keep("import", import_seconds("import branchline") - import_seconds("pass"))
        keep("scaling", scaling("1.5"))
        keep("memory", sample(here, "worker.py", "--what", "memory")["memory"])
        keep("env", sample(here, "env_worker.py", "--seconds", seconds))
        keep("catanatron_gym", sample(other_gym, "catanatron_gym_worker.py", "2"))
        if fastcatan is not None:
            keep("fastcatan", sample(fastcatan, "fastcatan_worker.py", "1", OMP_NUM_THREADS="1"))
    return out


def summary(samples: dict[str, list[Any]]) -> dict[str, Any]:
    """Medians and spread of everything, and the ratios within each round."""
    ours, plain, cat = samples["compiled"], samples["plain"], samples["catanatron"]
    boards: dict[str, Any] = {}
    for name in ours[0]["boards"]:
        rows: dict[str, Any] = {}
        for how in ("playout", "driven"):
            times = [s["boards"][name][how]["action"] for s in ours]
            rows[how] = {
                "action": spread(times),
                "games_per_second": spread([1 / s["boards"][name][how]["game"] for s in ours]),
                "times_catanatron": spread(
                    [c["action"] / t for c, t in zip(cat, times, strict=True)]
                ),
            }
            if name in plain[0]["boards"]:
                slow = [s["boards"][name][how]["action"] for s in plain]
                rows[how]["times_plain"] = spread([p / t for p, t in zip(slow, times, strict=True)])
        boards[name] = rows
    return {
        "compiled": ours[0]["compiled"],
        "plain_is_plain": not plain[0]["compiled"],
        "rounds": len(ours),
        "calibration": spread([s["calibration"] for s in ours]),
        "catanatron_action": spread([s["action"] for s in cat]),
        "boards": boards,
        "operations": {
            name: spread([s["operations"][name] for s in ours]) for name in ours[0]["operations"]
        },
        "import": spread(samples["import"]),
        "two_processes": spread(samples["scaling"]),
        "state_memory": spread(samples["memory"]),
        "steps": step_times(samples),
    }


def step_times(samples: dict[str, list[Any]]) -> dict[str, Any]:
    """Seconds per step of the environments, ours by board, and of others."""
    ours = samples["env"]
    others = {"catanatron_gym": spread([s["step"] for s in samples["catanatron_gym"]])}
    for how in ("batch", "driven") if "fastcatan" in samples else ():
        others[f"fastcatan {how}"] = spread([s[how] for s in samples["fastcatan"]])
    boards = {
        board: {how: spread([s[board][how] for s in ours]) for how in ours[0][board]}
        for board in ours[0]
    }
    return {"boards": boards, "others": others}


def number(s: dict[str, float], factor: float = 1.0, digits: int = 2) -> str:
    low, mid, high = (s[k] * factor for k in ("low", "median", "high"))
    return f"{mid:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def show(result: dict[str, Any]) -> None:
    """The tables, as Markdown: median (lowest–highest)."""
    print(
        "| board, seats | playout µs/action | games/s | × Catanatron | × plain "
        "| driven µs/action | × Catanatron |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, rows in result["boards"].items():
        play, drive = rows["playout"], rows["driven"]
        plain = number(play["times_plain"], digits=0) if "times_plain" in play else ""
        print(
            f"| {name} | {number(play['action'], 1e6, 3)} "
            f"| {number(play['games_per_second'], digits=0)} "
            f"| {number(play['times_catanatron'], digits=0)} | {plain} "
            f"| {number(drive['action'], 1e6)} | {number(drive['times_catanatron'], digits=0)} |"
        )
    print()
    print("| what | measured |")
    print("|---|--:|")
    operations = result["operations"]
    rows = [
        ("Catanatron, µs/action", number(result["catanatron_action"], 1e6)),
        ("clone, ns (largest state)", number(operations["clone"], 1e9, 0)),
        ("view, µs", number(operations["view"], 1e6)),
        ("resample, µs", number(operations["resample"], 1e6, 1)),
        ("state to bytes, µs", number(operations["pack"], 1e6, 1)),
        ("state, bytes packed", number(operations["bytes"], 1, 0)),
        ("state, bytes of memory", number(result["state_memory"], 1, 0)),
        ("import, s", number(result["import"], 1, 3)),
        ("two processes against one", number(result["two_processes"])),
        ("calibration, ms", number(result["calibration"], 1e3, 1)),
    ]
    for what, value in rows:
        print(f"| {what} | {value} |")
    show_steps(result["steps"])


def show_steps(steps: dict[str, Any]) -> None:
    """Steps of environments: thousands in a second, and the time of one."""
    print()
    print("| environment | 1,000 steps/s | µs/step |")
    print("|---|--:|--:|")
    rows = [
        (f"{board} 2: {WAYS[how]}", times)
        for board, ways in steps["boards"].items()
        for how, times in ways.items()
    ]
    for what, times in [*rows, *((OTHERS[k], v) for k, v in steps["others"].items())]:
        rate = {"low": 1 / times["high"], "median": 1 / times["median"], "high": 1 / times["low"]}
        print(f"| {what} | {number(rate, 1e-3, 0)} | {number(times, 1e6, 2)} |")


def compare(revision: str, rounds: int, seconds: str) -> dict[str, Any]:
    """This tree against another revision, each time by its ratio to the calibration next to it."""
    folder = revision_folder(revision)
    new, old = [], []
    for k in range(rounds):
        print(f"round {k + 1} of {rounds}", file=sys.stderr)
        new.append(sample(sys.executable, "worker.py", "--seconds", seconds))
        old.append(sample(sys.executable, "worker.py", "--seconds", seconds, PYTHONPATH=folder))
    print(f"| board, seats | how | {revision} | this tree | change |")
    print("|---|---|--:|--:|--:|")
    out: dict[str, Any] = {}
    for name in new[0]["boards"]:
        for how in ("playout", "driven"):
            was, now = (
                [s["boards"][name][how]["action"] / s["calibration"] for s in side]
                for side in (old, new)
            )
            change = median(now) / median(was) - 1
            out[f"{name} {how}"] = {"was": spread(was), "now": spread(now), "change": change}
            print(
                f"| {name} | {how} | {number(spread(was), 1e6, 1)} "
                f"| {number(spread(now), 1e6, 1)} | {change:+.1%} |"
            )
    print("\nThe numbers are millionths of the calibration's time per action.")
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", default="0.15", help="for each board, seat count and way")
    parser.add_argument("--compare", metavar="REV")
    args = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    if args.compare:
        result = compare(args.compare, args.rounds, args.seconds)
        path = BUILD / "compare.json"
    else:
        result = summary(collect(args.rounds, args.seconds))
        show(result)
        path = BUILD / "bench.json"
    path.write_text(json.dumps(result, indent=1))
    print(f"\nwritten: {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
