"""What makes a release fits together: versions, workflows, the Dockerfile and the notes."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from branchline._version import VERSION

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SCRIPT = "tools/release_notes.py"
HOME = "https://github.com/branchline-games/branchline"


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def read_yaml(path: str | Path) -> dict[Any, Any]:
    loaded = yaml.safe_load((ROOT / path).read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def notes(root: Path, tag: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / SCRIPT), tag]
    return subprocess.run(command, check=False, capture_output=True, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of which 1.2.0 is ready to be released."""
    for name, text in {
        SCRIPT: (ROOT / SCRIPT).read_text("utf-8"),
        "src/branchline/_version.py": '"""The version."""\n\nVERSION = "1.2.0"\n',
        "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.0\n",
        "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.0] - 2026-12-01\n\n"
        "### Added\n\n- One thing that\n  goes on – here.\n- Two.\n\nA word\nmore.\n\n"
        "```\na\nb\n```\n\n## [1.1.0] - 2026-11-01\n\n- old\n\n[1.1.0]: https://example.org\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_notes_are_the_section_of_the_version_with_each_paragraph_on_one_line(
    tree: Path,
) -> None:
    done = notes(tree, "v1.2.0")
    assert done.stderr == ""
    assert done.stdout == (
        "### Added\n\n- One thing that goes on – here.\n- Two.\n\nA word more.\n\n```\na\nb\n```\n"
    )


@pytest.mark.parametrize(
    ("tag", "file", "old", "new", "named"),
    [
        ("v1.2.1", "CHANGELOG.md", "", "", "_version.py says 1.2.0"),
        ("1.2.0", "CHANGELOG.md", "", "", "the tag is 1.2.0"),
        ("v1.2.0", "CITATION.cff", "\nversion: 1.2.0", "\nversion: 1.1.0", "CITATION.cff"),
        ("v1.2.0", "CHANGELOG.md", "[1.2.0] - 2026-12-01", "[1.2.0]", "CHANGELOG.md"),
        ("v1.2.0", "CHANGELOG.md", "[1.2.0]", "[1.2.9]", "CHANGELOG.md"),
    ],
)
def test_a_release_that_is_not_ready_is_refused_with_one_line(
    tree: Path, tag: str, file: str, old: str, new: str, named: str
) -> None:
    text = (tree / file).read_text("utf-8")
    (tree / file).write_text(text.replace(old, new), encoding="utf-8")
    done = notes(tree, tag)
    assert done.returncode == 1
    assert done.stdout == ""
    assert named in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_version_is_the_same_everywhere() -> None:
    assert "version" in project()["project"]["dynamic"]
    assert project()["tool"]["setuptools"]["dynamic"]["version"] == {
        "attr": "branchline._version.VERSION"
    }
    assert read_yaml("CITATION.cff")["version"] == VERSION
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    names = re.findall(r"^## \[(.+?)\]", changelog, re.MULTILINE)
    assert names[0] == "Unreleased"
    assert names[1:2] in ([], [VERSION]) or VERSION not in names


def test_the_home_of_the_project_is_the_same_everywhere() -> None:
    assert all(url.startswith(HOME) for url in project()["project"]["urls"].values())
    assert read_yaml("CITATION.cff")["repository-code"] == HOME
    [link] = read_yaml(".github/ISSUE_TEMPLATE/config.yml")["contact_links"]
    assert link["url"].startswith(HOME)


def test_wheels_are_built_and_tested_for_the_versions_of_python_that_are_promised() -> None:
    settings = project()["tool"]["cibuildwheel"]
    promised = [
        c.rpartition(" ")[2]
        for c in project()["project"]["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", c)
    ]
    assert settings["build"] == [f"cp{version.replace('.', '')}-*" for version in promised]
    assert promised[0] == project()["project"]["requires-python"].removeprefix(">=")
    for path in re.findall(r"\btests/[\w./]+", " ".join(settings["test-command"])):
        assert (ROOT / path).exists(), path
    assert all((ROOT / path).exists() for path in settings["test-sources"])


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.name)
def test_a_workflow_runs_what_exists_and_may_do_nothing_by_default(path: Path) -> None:
    workflow = read_yaml(path)
    assert workflow["permissions"] == {}
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        if "uses" in job:
            assert (ROOT / job["uses"]).exists(), job["uses"]
            continue
        assert "timeout-minutes" in job, name
        for run in [step["run"] for step in job["steps"] if "run" in step]:
            assert set(re.findall(r"^make ([a-z-]+)", run, re.MULTILINE)) <= set(targets), run
            for program in re.findall(r"(?:^|\s)((?:\.ci|tools)/[\w.]+)", run):
                assert (ROOT / program).exists(), run


def test_only_the_jobs_that_publish_may_write() -> None:
    writing = {
        (path.stem, name)
        for path in WORKFLOWS
        for name, job in read_yaml(path)["jobs"].items()
        if "write" in job["permissions"].values()
    }
    assert writing == {("release", "pypi"), ("release", "image"), ("release", "page")}


def test_nothing_is_published_before_the_tag_and_all_tests_were_checked() -> None:
    jobs = read_yaml(".github/workflows/release.yml")["jobs"]
    for name in ("pypi", "image"):
        assert jobs[name]["needs"] == ["ci", "wheels"]
        assert "environment" in jobs[name]
    assert jobs["ci"]["needs"] == jobs["wheels"]["needs"] == "notes"
    assert any(SCRIPT in step.get("run", "") for step in jobs["notes"]["steps"])


def test_the_dockerfile_copies_only_what_there_is() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    stages = set(re.findall(r"^FROM \S+ AS (\w+)", text, re.MULTILINE))
    assert set(re.findall(r"(?:--from|,from|=bind,from)=(\w+)", text)) <= stages
    copies = re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
    assert copies
    for source in [name for line in copies for name in line.split()[:-1]]:
        assert list(ROOT.glob(source)), source


def test_dependabot_looks_into_folders_that_exist() -> None:
    for update in read_yaml(".github/dependabot.yml")["updates"]:
        for folder in update.get("directories", [update.get("directory")]):
            assert (ROOT / folder.lstrip("/")).is_dir(), folder


def test_the_hooks_before_a_commit_use_the_locked_versions() -> None:
    lock = (ROOT / "requirements/dev.txt").read_text("utf-8")
    hooks = read_yaml(".pre-commit-config.yaml")["repos"][0]["hooks"]
    pins = {pin for hook in hooks for pin in hook.get("additional_dependencies", [])}
    ruff = {pin for pin in pins if pin.startswith("ruff==")}
    assert len(ruff) == 1
    assert f"{ruff.pop()} " in lock
