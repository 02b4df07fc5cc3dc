"""Rows under named columns, written for other programs: as CSV, JSON lines or Parquet.

The end of a file's name says which. Rows come one at a time, so there may be more of them than fit
into memory. What is written takes the place of a file of that name once it is whole: whatever goes
wrong, there is never half a file, and an older one stays as it was.
"""

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from shutbox.english import listed, shown
from shutbox.errors import NotInstalled, NotUnderstood, needing

JSON_LINES = ".jsonl"
_KINDS: dict[type, tuple[str, str]] = {  # as pandas and as Parquet call them
    str: ("string", "string"),
    int: ("Int64", "int64"),
    float: ("float64", "float64"),
    bool: ("boolean", "bool"),
}
_AT_ONCE = 10_000  # rows that Parquet keeps together; they are in memory meanwhile

Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: in every row a value of its kind, or None for none."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool] = str
    """Whole numbers are kept in 64 bits, and other numbers as float64."""


def check_file(file: Path) -> None:
    """Find out before long work whether such a file can be written.

    >>> from pathlib import Path
    >>> check_file(Path("games.csv"))

    Raises NotUnderstood for another ending, and NotInstalled for Parquet without pyarrow.
    """
    if file.suffix.lower() not in _WRITERS:
        facts = {"file": shown(str(file)), "endings": listed(_WRITERS, "or")}
        raise NotUnderstood("{file} does not end in {endings}", **facts)
    if file.suffix.lower() == ".parquet":
        with needing("data"):
            import pyarrow.parquet  # noqa: F401


def write_rows(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write the rows into a file, in the format that its name ends in.

    CSV has a head, nothing where a value is None, and `true` and `false`; JSON lines have an object
    for each row, with all columns in their order. Both are UTF-8 with plain line feeds. Raises what
    `check_file` raises, NotUnderstood for a file that cannot be written, and whatever the rows
    raise.
    """
    check_file(file)
    with replacing(file) as stream:
        _WRITERS[file.suffix.lower()](stream, columns, rows)


def json_line(value: object) -> bytes:
    """A value as one of JSON lines."""
    return json.dumps(value).encode() + b"\n"


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """A stream whose bytes become the file once all went well; else it is as it was.

    Raises NotUnderstood where the file cannot be written.
    """
    real = Path(os.path.realpath(file))  # a link stays one
    part = real.with_name(f".{real.name}.{os.getpid()}.part")
    try:
        with open(part, "xb") as stream:
            try:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                os.replace(part, real)
            except BaseException:
                with suppress(OSError):
                    part.unlink()
                raise
    except OSError as error:
        facts = {"file": file, "reason": error.strerror or error}
        raise NotUnderstood("{file} cannot be written: {reason}", **facts) from None


def frame_of(columns: Sequence[Column], rows: Iterable[Row]) -> Any:
    """The rows as a `pandas.DataFrame`. Raises NotInstalled without pandas."""
    try:
        import pandas
    except ImportError:
        raise NotInstalled("pandas is not installed; pip install pandas brings it") from None
    names = [column.name for column in columns]
    frame = pandas.DataFrame.from_records(list(rows), columns=names)
    # By themselves whole numbers with a gap would become floats, and an empty column anything.
    return frame.astype({column.name: _KINDS[column.kind][0] for column in columns})


def _write_csv(stream: BinaryIO, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(column.name for column in columns)
    lines.writerows(map(_cell, row) for row in rows)
    text.detach()


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _write_json_lines(stream: BinaryIO, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    names = [column.name for column in columns]
    stream.writelines(json_line(dict(zip(names, row, strict=True))) for row in rows)


def _write_parquet(stream: BinaryIO, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    import pyarrow
    from pyarrow import parquet

    kinds = ((column.name, _KINDS[column.kind][1]) for column in columns)
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in kinds])
    left = iter(rows)
    with parquet.ParquetWriter(stream, schema) as writer:
        while some := list(islice(left, _AT_ONCE)):
            values = zip(*some, strict=True)
            arrays = [
                pyarrow.array(column, field.type)
                for column, field in zip(values, schema, strict=True)
            ]
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))


_WRITERS: dict[str, Callable[[BinaryIO, Sequence[Column], Iterable[Row]], None]] = {
    ".csv": _write_csv,
    JSON_LINES: _write_json_lines,
    ".parquet": _write_parquet,
}
