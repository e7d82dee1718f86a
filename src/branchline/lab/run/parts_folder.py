"""A folder that keeps results as they are finished, so that a run can be taken up again.

`settings.json` says what is played. Each part is written under another name and then renamed, so
that a part is whole or absent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from branchline.lab.errors import LabError

T = TypeVar("T")


class PartsFolder(Generic[T]):
    """Parts with the results of consecutive items, numbered from 0 to `total`.

    Raises `LabError` if the folder belongs to something else or has other settings.
    """

    def __init__(self, folder: str, settings: Mapping[str, Any], total: int, decoder: Any) -> None:
        self.settings: Final = settings
        self.total: Final = total
        self.decoder: Final = decoder  # of a part: a list of results
        self.folder: Final = Path(folder)
        self.part_folder: Final = self.folder / "parts"
        path = self.folder / "settings.json"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._compare(path.read_bytes())
            elif any(self.folder.iterdir()):
                raise LabError("folder_in_use", {"folder": str(self.folder)})
            else:
                write_whole(path, msgspec.json.format(msgspec.json.encode(settings), indent=1))
            self.prepare()
        except OSError as error:
            reason = error.strerror or str(error)
            raise LabError(
                "folder_unusable", {"folder": str(self.folder), "reason": reason}
            ) from None

    def prepare(self) -> None:
        """The folder is the right one: make it ready for parts."""
        self.part_folder.mkdir(exist_ok=True)

    def _compare(self, content: bytes) -> None:
        try:
            found = msgspec.json.decode(content, type=dict[str, Any])
        except msgspec.DecodeError:
            raise LabError("folder_in_use", {"folder": str(self.folder)}) from None
        other = differences(found, self.settings)
        if other:
            listed = "; ".join(other)
            raise LabError("other_settings", {"folder": str(self.folder), "settings": listed})

    def add(self, first: int, results: Sequence[T]) -> None:
        """Keep the results of neighbouring items."""
        name = f"{first:012d}-{first + len(results):012d}.msgpack"
        write_whole(self.part_folder / name, msgspec.msgpack.encode(results))

    def parts(self) -> Iterator[list[T]]:
        """All results that are there, in the order of the items, each once."""
        for _, results in self._whole_parts():
            yield results

    def numbered(self) -> dict[int, T]:
        """All results that are there, by the numbers of their items."""
        found = self._whole_parts()
        return {first + k: result for first, part in found for k, result in enumerate(part)}

    def _whole_parts(self) -> Iterator[tuple[int, list[T]]]:
        done = 0
        for first, last, path in self._files():
            results = self._read(path) if last > done else None
            if results is not None:
                start = max(done, first)
                yield start, results[start - first :]
                done = last

    def missing(self) -> list[range]:
        """The items that are not there."""
        gaps = []
        done = 0
        for first, last, _ in self._files():
            gaps.append(range(done, min(first, self.total)))
            done = max(done, last)
        gaps.append(range(done, self.total))
        return [items for items in gaps if items]

    def _files(self) -> list[tuple[int, int, Path]]:
        found = []
        for path in self.part_folder.glob("*-*.msgpack"):
            first, _, last = path.stem.partition("-")
            found.append((int(first), int(last), path))
        return sorted(found)

    def _read(self, path: Path) -> list[T] | None:
        """A part, or None if the disk has damaged it: its items are done again."""
        try:
            results: list[T] = self.decoder.decode(path.read_bytes())
        except msgspec.DecodeError:
            path.unlink()
            return None
        return results


def temporary(path: Path) -> Path:
    """The name of a file that is still being written."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is whole or absent, whatever happens."""
    other = temporary(path)
    with other.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    other.replace(path)


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """What two settings differ in, one line each.

    >>> differences({"seed": "1", "games": 5}, {"seed": "2", "games": 5})
    ['seed: 1 ≠ 2']
    """
    lines = []
    for name in dict.fromkeys([*here, *there]):
        old, new = there.get(name), here.get(name)
        tables: list[Any] = [value[0] for value in (old, new) if value and _is_one_table(value)]
        if len(tables) == 2:
            lines += differences(*tables)
        elif old != new:
            lines.append(f"{name}: {_short(old)} ≠ {_short(new)}")
    return lines


def _is_one_table(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)


def _short(value: Any) -> str:
    if isinstance(value, list):
        return f"[{len(value)}]" if value and isinstance(value[0], dict) else ",".join(value)
    return str(value)[:60]
