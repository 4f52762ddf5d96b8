"""Result rows as Parquet, smaller and ready for data frames. Needs pyarrow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ..game import NotUnderstood
from ..optional import needs
from .results import NAMES, SeatResult

with needs("pyarrow", extra="arena"):
    import pyarrow as pa
    from pyarrow import parquet

SETTINGS: Final = b"catinthebox arena"
TYPES: Final = {"match": pa.string(), "player": pa.string()} | dict.fromkeys(
    ("share", "ms", "slowest_ms"), pa.float64()
)


def content(rows: Sequence[SeatResult], settings: Mapping[str, str]) -> bytes:
    """Encode rows and settings as a Parquet file."""
    schema = pa.schema([(name, TYPES.get(name, pa.int64())) for name in NAMES])
    schema = schema.with_metadata({SETTINGS: json.dumps(dict(settings)).encode()})
    columns = {name: [getattr(row, name) for row in rows] for name in NAMES}
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns, schema=schema), sink)
    return bytes(sink.getvalue())


def parsed(file: bytes, path: Path) -> tuple[dict[str, str] | None, list[SeatResult]]:
    """Decode the settings and rows of a Parquet file."""
    try:
        table = parquet.read_table(pa.BufferReader(file))
        columns = [table.column(name).to_pylist() for name in NAMES]
    except (pa.ArrowException, KeyError):
        raise NotUnderstood("input.file", f"{path} is not a file of results") from None
    settings = (table.schema.metadata or {}).get(SETTINGS)
    rows = [SeatResult(*values) for values in zip(*columns, strict=True)]
    return json.loads(settings) if settings else None, rows
