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
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from shutbox.english import listed, shown
from shutbox.errors import NotUnderstood, needing
from shutbox.results import Column, Row

JSON_LINES = ".jsonl"
_KINDS: dict[type, str] = {str: "string", int: "int64", float: "float64", bool: "bool"}
_AT_ONCE = 10_000  # rows of one Parquet batch, which is held in memory


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
    `check_file` and `replacing` raise, and any error that making the rows raises.
    """
    check_file(file)
    with replacing(file) as stream:
        _WRITERS[file.suffix.lower()](stream, columns, rows)


def json_line(value: object) -> bytes:
    """Return a value as the bytes of one line of JSON, with a line feed at the end."""
    return json.dumps(value).encode() + b"\n"


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes replace the file on success; on an error the file is untouched.

    Raises NotUnderstood if the file cannot be written, and for any OSError in the `with` block.
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

    kinds = ((column.name, _KINDS[column.kind]) for column in columns)
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
