"""Tables of rows, written for other programs as CSV, JSON lines or Parquet.

The suffix of the file selects the format. Rows are written as they come, so there can be more of
them than fit into memory. A file takes its name only once it is complete: if anything goes wrong,
there is never half a file, and an older one stays as it was.
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
_KINDS: dict[type, tuple[str, str]] = {  # the names in pandas and in Parquet
    str: ("string", "string"),
    int: ("Int64", "int64"),
    float: ("float64", "float64"),
    bool: ("boolean", "bool"),
}
_AT_ONCE = 10_000  # rows of one Parquet batch, which is held in memory

Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class Column:
    """A column, which has a value of its kind, or None, in every row."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool] = str
    """The type of the values. Whole numbers are stored in 64 bits, other numbers as float64."""


def check_file(file: Path) -> None:
    """Check, before long work, that the suffix of a file is that of a format we can write.

    >>> from pathlib import Path
    >>> check_file(Path("games.csv"))

    Raises NotUnderstood for a suffix other than .csv, .jsonl and .parquet, and NotInstalled for
    Parquet without pyarrow.
    """
    if file.suffix.lower() not in _WRITERS:
        facts = {"file": shown(str(file)), "endings": listed(_WRITERS, "or")}
        raise NotUnderstood("{file} does not end in {endings}", **facts)
    if file.suffix.lower() == ".parquet":
        with needing("data"):
            import pyarrow.parquet  # noqa: F401


def write_rows(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write rows to a file in the format of its suffix.

    CSV has a header line, empty cells for None, and `true` and `false`. JSON lines have an object
    for each row, with all columns in order. Both are UTF-8 with plain line feeds. Raises what
    `check_file` raises, NotUnderstood for a file that cannot be written, and whatever the rows
    raise.
    """
    check_file(file)
    with replacing(file) as stream:
        _WRITERS[file.suffix.lower()](stream, columns, rows)


def json_line(value: object) -> bytes:
    """Return a value as one line of JSON lines, with its line feed."""
    return json.dumps(value).encode() + b"\n"


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes replace the file on success; on an error the file is untouched.

    Raises NotUnderstood if the file cannot be written.
    """
    real = Path(os.path.realpath(file))  # a symbolic link stays a link
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
    """Return the rows as a `pandas.DataFrame`. Raises NotInstalled without pandas."""
    try:
        import pandas
    except ImportError:
        raise NotInstalled("pandas is not installed; pip install pandas brings it") from None
    names = [column.name for column in columns]
    frame = pandas.DataFrame.from_records(list(rows), columns=names)
    # Without this, whole numbers with a None become floats, and an empty column has no type.
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
