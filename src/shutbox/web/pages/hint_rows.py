"""The rows of a hint as the page has them without script; `static/model/figures.js` makes the same.

A cost is the difference of two values as they are printed, so that what stands there adds up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from shutbox.analysis.advice.figures import AdviceFigures, ChoiceFigures
from shutbox.english import capital, tenths
from shutbox.messages import gettext
from shutbox.scene import Kind
from shutbox.web.pages import numbers
from shutbox.web.pages.charts import bar
from shutbox.web.rooms.table_view import PieceView, TableView

_POINTS, _SHARE = 20, 100  # tenths of a cost that shorten a bar to its last fifth, at least


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice."""

    name: str
    value: str
    cost: str
    shut: str
    """The chance to shut the box; empty where it is the same whatever is chosen."""
    bar: Markup
    is_best: bool
    is_wordy: bool


def aim_words(figures: AdviceFigures) -> str:
    """What is played for, above the rows."""
    if not figures.chance:
        return gettext("Expected result, the best first.")
    if figures.aim == "win":
        return gettext("Share of the win, the best first.")
    return gettext("Chances, the best first.")


def hint_rows(figures: AdviceFigures, table: TableView) -> list[HintRow]:
    """A row for each choice, the best first."""
    scale, chance = (100 if figures.chance else 1), figures.chance
    values = [tenths(one.value * scale) for one in figures.choices]
    longest = max(_SHARE if chance else _POINTS, *(abs(value - values[0]) for value in values))
    differs = len({numbers.percent(one.shut) for one in figures.choices}) > 1
    in_rows = any(piece.kind == Kind.TILE.value and piece.row > 0 for piece in table.pieces)
    rows = []
    for one, value in zip(figures.choices, values, strict=True):
        tiles = [] if in_rows else _tiles(one.text, table)
        name = "+".join(tile.face for tile in tiles)
        rows.append(
            HintRow(
                name or capital(one.says),
                _unit(numbers.tenth(value / 10), chance=chance),
                _cost(one, value - values[0], figures),
                _shut(one, figures, table.pieces) if differs else "",
                bar(1 - 0.8 * abs(value - values[0]) / longest),
                one.best,
                not name,
            )
        )
    return rows


def _unit(number: str, *, chance: bool) -> str:
    return numbers.unbroken(gettext("{number} %", number=number)) if chance else number


def _cost(one: ChoiceFigures, apart: int, figures: AdviceFigures) -> str:
    if one.best:
        return gettext("best")
    if apart or not one.cost:
        return _unit(numbers.signed(apart / 10), chance=figures.chance)
    least = numbers.signed(0.1 if figures.low_is_good else -0.1)
    return gettext("under {cost}", cost=_unit(least, chance=figures.chance))


def _shut(one: ChoiceFigures, figures: AdviceFigures, pieces: Sequence[PieceView]) -> str:
    chance = numbers.percent(one.shut)
    if any(piece.kind == Kind.TILE.value for piece in pieces):
        return gettext("shut {chance}", chance=chance)
    return gettext("{shuts} {chance}", shuts=figures.shuts, chance=chance)


def _tiles(text: str, table: TableView) -> list[PieceView]:
    """The tiles that a choice takes; none where it takes anything else."""
    takes = next((offer.takes for offer in table.offers if offer.text == text), ())
    taken = [piece for piece in table.pieces if piece.key in takes]
    return taken if all(piece.kind == Kind.TILE.value for piece in taken) else []
