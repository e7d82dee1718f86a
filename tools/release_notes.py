"""Prints the notes of a release, from the changelog, for the tag that names it.

    python tools/release_notes.py v0.2.0

Refuses with one line if the tag is not the version of the package, if `CITATION.cff` names another
one, or if the changelog has no section with a date for it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADING = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)
LINK = re.compile(r"^\[[^\]]+\]: \S+$", re.MULTILINE)
BLOCK = re.compile(r"\s*([-*+>#|]|\d+\. |```)")


class NotReadyError(Exception):
    """Why this tag can't be released."""


def one_value(path: Path, pattern: str) -> str:
    found = re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        raise NotReadyError(f"{path.name} should name one version, and names {len(found)}")
    return str(found[0])


def package_version(root: Path = ROOT) -> str:
    return one_value(root / "src/branchline/_version.py", r'^VERSION = "(.+)"$')


def citation_version(root: Path = ROOT) -> str:
    return one_value(root / "CITATION.cff", r"^version: \"?([^\"\s]+)\"?$")


def sections(changelog: str) -> dict[str, tuple[str | None, str]]:
    """Name to date and text of every section, in the order of the file: the newest first."""
    headings = list(HEADING.finditer(changelog))
    ends = [heading.start() for heading in headings[1:]] + [len(changelog)]
    return {
        heading["name"]: (heading["date"], LINK.sub("", changelog[heading.end() : end]).strip())
        for heading, end in zip(headings, ends, strict=True)
    }


def unwrapped(text: str) -> str:
    """The same text with each paragraph and list item on one line.

    A release page shows every line break of its notes; the changelog is wrapped at a fixed width.
    """
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        goes_on = lines and lines[-1].strip() and not lines[-1].startswith("#")
        if goes_on and line.strip() and not (fenced or fence or BLOCK.match(line)):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
        fenced ^= fence
    return "\n".join(lines)


def release_notes(tag: str, root: Path = ROOT) -> str:
    """The notes for a tag, or `NotReadyError`."""
    version = package_version(root)
    if tag != f"v{version}":
        raise NotReadyError(f"the tag is {tag}, and src/branchline/_version.py says {version}")
    if citation_version(root) != version:
        raise NotReadyError(f"CITATION.cff says {citation_version(root)}, not {version}")
    found = sections((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    date, text = found.get(version, (None, ""))
    if date is None or not text:
        raise NotReadyError(
            f"CHANGELOG.md has no section “## [{version}] - YYYY-MM-DD” with something in it"
        )
    return unwrapped(text) + "\n"


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python tools/release_notes.py TAG", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        sys.stdout.write(release_notes(sys.argv[1]))
    except NotReadyError as reason:
        print(f"release notes: {reason}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
