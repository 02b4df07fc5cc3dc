"""Results that print in one line, show as a table in a notebook, and convert to pandas frames.

A result states its columns, its rows and its one-line summary; the rest follows from these.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from shutbox.english import figure
from shutbox.errors import NotInstalled

MOST_SHOWN = 300  # characters of a `repr`; the rest is cut off
MOST_ROWS = 60  # of the table in a notebook

_IN_PANDAS = {str: "string", int: "Int64", float: "float64", bool: "boolean"}

Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class Column:
    """A column, which has a value of its kind, or None, in every row."""

    name: str
    kind: type[str] | type[int] | type[float] | type[bool] = str
    """The type of the values. Whole numbers are stored in 64 bits, other numbers as float64."""


def frame_of(columns: Sequence[Column], rows: Iterable[Row]) -> Any:
    """Return the rows as a `pandas.DataFrame`. Raises NotInstalled without pandas."""
    try:
        import pandas
    except ImportError:
        raise NotInstalled("pandas is not installed; pip install pandas brings it") from None
    names = [column.name for column in columns]
    frame = pandas.DataFrame.from_records(list(rows), columns=names)
    # Without this, whole numbers with a None become floats, and an empty column has no type.
    return frame.astype({column.name: _IN_PANDAS[column.kind] for column in columns})


class Result(ABC):
    """The base of all results. A subclass has COLUMNS, `_summary`, and either `_rows` or `rows`.

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
        """Return the text between the brackets of `repr`."""

    def _rows(self) -> Iterable[Row]:
        return self.rows()

    def rows(self) -> Iterable[Row]:
        """Return the rows under `COLUMNS`."""
        return self._rows()

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`. Raises NotInstalled without pandas."""
        return frame_of(self.COLUMNS, self._rows())

    def __repr__(self) -> str:
        text = self._summary()
        text = f"{text[:MOST_SHOWN]} ..." if len(text) > MOST_SHOWN else text
        return f"{self.NAME or type(self).__name__}({text})"

    def _repr_html_(self) -> str:
        from html import escape
        from itertools import islice

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
