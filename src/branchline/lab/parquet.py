"""Writing Parquet in row groups of a fixed size, so that equal rows make equal files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from branchline.lab.errors import require


class TableWriter:
    """Writes a table, however many rows come at once; one row group at most is held in memory.

    `types` are Arrow types, or their names.
    """

    def __init__(
        self, path: Path, types: Mapping[str, Any], metadata: Mapping[str, str], group: int
    ) -> None:
        self.arrow: Final = require("pyarrow")
        arrow = self.arrow
        fields = [
            (name, arrow.type_for_alias(kind) if isinstance(kind, str) else kind)
            for name, kind in types.items()
        ]
        self.schema: Final = arrow.schema(fields, metadata=dict(metadata))
        self.group: Final = group
        self.held: Final[list[Any]] = [self.schema.empty_table()]
        self.rows = 0
        parquet = require("pyarrow.parquet")
        self.writer: Final = parquet.ParquetWriter(path, self.schema, compression="zstd")

    def add_rows(self, rows: Iterable[Sequence[Any]]) -> None:
        """Add rows of Python values."""
        columns = list(zip(*rows, strict=True))
        if columns:
            self.add(dict(zip(self.schema.names, columns, strict=True)))

    def add(self, columns: Mapping[str, Any]) -> None:
        """Add columns of equal length: sequences, numpy arrays or Arrow arrays."""
        arrow = self.arrow
        arrays = [arrow.array(columns[field.name], field.type) for field in self.schema]
        table = arrow.Table.from_arrays(arrays, schema=self.schema)
        self.held.append(table)
        self.rows += table.num_rows
        if self.rows < self.group:
            return
        table = arrow.concat_tables(self.held)
        full = self.rows - self.rows % self.group
        for start in range(0, full, self.group):
            self._write(table.slice(start, self.group))
        self.held[:] = [table.slice(full).combine_chunks()]
        self.rows -= full

    def _write(self, table: Any) -> None:
        # How a column is divided into chunks would show in the pages of the file.
        self.writer.write_table(table.combine_chunks(), self.group)

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, *error: object) -> None:
        if self.rows:
            self._write(self.arrow.concat_tables(self.held))
        self.writer.close()
