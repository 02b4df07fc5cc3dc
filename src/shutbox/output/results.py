"""Results: rows in columns that print in one line, show in a notebook and convert to pandas frames.

Rows are also written for other programs as CSV. They are written as they come, so there can be more
of them than fit into memory. A file takes its name only once it is complete: if anything fails, an
older one stays as it was.
"""

import errno
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from shutbox.engine.english import figure, shown, visible_path
from shutbox.engine.errors import NotInstalled, NotUnderstood
from shutbox.engine.messages import gettext

MOST_SHOWN = 300  # characters of a `repr`; the rest is cut off
MOST_ROWS = 60  # of the table in a notebook

_NUMBER = re.compile(r"-?[0-9]+([./][0-9]+)?")  # an exact value stays one
_FORMULA = re.compile("(^|[;\t\r\n])([=+@\uff1d\uff0b\uff0d\uff20-])")
"""The beginning of a formula, also in a spreadsheet that reads `;` as the end of a cell."""

_IN_PANDAS = {str: "string", int: "Int64", float: "float64", bool: "boolean"}

Row = Sequence[object]  # a value or None for each column


@dataclass(frozen=True, slots=True)
class Column:
    """The name of a table's column, and the type of its values, any of which can be None."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool] = str
    """The type of the values, as a frame holds them: 64 bits for whole numbers, else float64."""


class Result(ABC):
    """The base of all results: tables with a `repr` of one line, shown as HTML in a notebook.

    A subclass has COLUMNS, `_summary`, and `rows` or `_rows`, each of which calls the other here.

    >>> class Totals(Result):
    ...     COLUMNS = (Column("name"), Column("mean", float))
    ...     _rows = lambda self: (("Ann", Fraction(23, 2)), ("Bob", 7))
    ...     _summary = lambda self: "Ann and Bob"
    >>> Totals()
    Totals(Ann and Bob)
    >>> print(Totals()._repr_html_().partition("<tbody>")[2])
    <tr><td>Ann</td><td>11.5</td></tr><tr><td>Bob</td><td>7</td></tr></tbody></table>
    """

    __slots__ = ()
    COLUMNS: ClassVar[Sequence[Column]] = ()
    NAME: ClassVar[str] = ""  # the name in `repr`; empty: that of the class

    @abstractmethod
    def _summary(self) -> str:
        """Return the text between the brackets of `repr`, which cuts it after MOST_SHOWN."""

    def _rows(self) -> Iterable[Row]:
        return self.rows()

    def rows(self) -> Iterable[Row]:
        """Return the rows, each with a value or None for each of `COLUMNS`, in their order."""
        return self._rows()

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`. Raises NotInstalled without pandas."""
        try:
            import pandas
        except ImportError:
            raise NotInstalled("pandas is not installed; pip install pandas brings it") from None
        kinds = {column.name: _IN_PANDAS[column.kind] for column in self.COLUMNS}
        frame = pandas.DataFrame.from_records(list(self._rows()), columns=list(kinds))
        # Without this, whole numbers with a None become floats, and an empty column has no type.
        return frame.astype(kinds)

    def __repr__(self) -> str:
        text = self._summary()
        text = f"{text[:MOST_SHOWN]} ..." if len(text) > MOST_SHOWN else text
        return f"{self.NAME or type(self).__name__}({text})"

    def _repr_html_(self) -> str:
        from html import escape

        def line(cells: Iterable[object], tag: str) -> str:
            texts = (f"<{tag}>{escape(_cell(cell))}</{tag}>" for cell in cells)
            return f"<tr>{''.join(texts)}</tr>"

        names = (column.name for column in self.COLUMNS)
        some = [line(row, "td") for row in islice(self._rows(), MOST_ROWS + 1)]
        body = "".join(some[:MOST_ROWS]) + line(["..."], "td") * (len(some) > MOST_ROWS)
        head = f"<caption>{escape(repr(self))}</caption><thead>{line(names, 'th')}</thead>"
        return f"<table>{head}<tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    if isinstance(value, float | Fraction):
        return figure(value)
    return "" if value is None else str(value)


# Files of rows


def check_csv_name(file: Path) -> None:
    """Raise NotUnderstood unless the name of a file ends in .csv; called before long work."""
    if file.suffix.lower() != ".csv":
        raise NotUnderstood("{file} does not end in .csv", file=shown(str(file)))


def write_csv_file(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write rows to a CSV file, in UTF-8 with plain line feeds.

    The first line has the names of the columns. None is an empty cell; booleans are `true` and
    `false`. A text that a spreadsheet would run as a formula begins with an apostrophe. Raises what
    `check_csv_name` and `replacing` raise, and any error that making the rows raises.
    """
    import csv  # solvers start faster without these
    import io

    check_csv_name(file)
    with replacing(file) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="")
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(column.name for column in columns)
        lines.writerows(map(_csv_cell, row) for row in rows)
        text.detach()


def _csv_cell(value: object) -> object:
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        return _FORMULA.sub(r"\1'\2", value)
    return str(value).lower() if isinstance(value, bool) else value


@contextmanager
def replacing(file: Path) -> Iterator[BinaryIO]:
    """Yield a stream whose bytes replace the file on success; on an error the file is untouched.

    Raises NotUnderstood if the file cannot be written, and for any OSError in the `with` block.
    """
    real = Path(os.path.realpath(file))  # a symbolic link stays a link
    part = real.with_name(f".{real.name}.{os.getpid()}.part")
    try:
        if real.exists() and not real.is_file():  # a file would take the place of a pipe
            raise OSError(errno.EINVAL, gettext("it is no file"))
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
        facts = {"file": visible_path(file), "reason": error.strerror or error}
        raise NotUnderstood("{file} cannot be written: {reason}", **facts) from None
