"""The rows of a hint: what each choice takes, and its figures as they are printed and spoken.

A cost is the difference of two values as they are printed, so that what stands there adds up.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from shutbox.analysis.advice.ranking import AdviceFigures, ChoiceFigures
from shutbox.english import capital, tenths
from shutbox.messages import gettext
from shutbox.scene import Kind
from shutbox.web.rooms import numbers
from shutbox.web.rooms.table_view import PieceView, TableView

_POINTS, _SHARE = 20, 100  # tenths of a cost that shorten a bar to its last fifth, at least


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice of a hint."""

    text: str
    """The choice in notation, as an offer has it."""
    name: str
    value: str
    cost: str
    shut: str
    """The chance to shut the box; empty where it is the same whatever is chosen."""
    spoken: str
    """All of it in words."""
    takes: tuple[str, ...]
    """Keys of the tiles that it takes; none where it takes anything else."""
    length: float
    """Of its bar, from 0 to 1."""
    is_best: bool
    is_wordy: bool
    """Whether its name is words, and not the numbers of tiles."""


def aim_words(figures: AdviceFigures) -> str:
    """Return what is played for, above the rows."""
    if not figures.chance:
        return gettext("Expected result, the best first.")
    if figures.aim == "win":
        return gettext("Share of the win, the best first.")
    return gettext("Chances, the best first.")


def hint_rows(figures: AdviceFigures, table: TableView) -> tuple[HintRow, ...]:
    """Return a row for each choice, the best first."""
    scale, chance = (100 if figures.chance else 1), figures.chance
    values = [tenths(one.value * scale) for one in figures.choices]
    longest = max(_SHARE if chance else _POINTS, *(abs(value - values[0]) for value in values))
    differs = len({_percent(one.shut) for one in figures.choices}) > 1
    # Of two rows a number alone does not say which tile it is.
    in_rows = any(piece.kind == Kind.TILE.value and piece.row > 0 for piece in table.pieces)
    rows = []
    for one, worth in zip(figures.choices, values, strict=True):
        tiles = _tiles(one.text, table)
        name = "" if in_rows else "+".join(tile.face for tile in tiles)
        value = _unit(numbers.tenth(worth / 10), chance=chance)
        cost = _cost(one, worth - values[0], figures)
        shut = _shut(one, figures, table.pieces) if differs else ""
        rows.append(
            HintRow(
                *(one.text, name or capital(one.says), value, cost, shut),
                spoken=_spoken(figures.aim, one.says, value, cost, shut),
                takes=tuple(tile.key for tile in tiles),
                length=1 - 0.8 * abs(worth - values[0]) / longest,
                is_best=one.best,
                is_wordy=not name,
            )
        )
    return tuple(rows)


def _percent(chance: float) -> str:
    """Return a chance in whole percent; what is hardly anything is not called nothing.

    >>> [_percent(chance).split() for chance in (0.117, 0.004, 0.999, 0.0)]
    [['12', '%'], ['under', '1', '%'], ['over', '99', '%'], ['0', '%']]
    """
    if 0 < chance < 0.005:
        return numbers.unbroken(gettext("under 1 %"))
    if 0.995 < chance < 1:
        return numbers.unbroken(gettext("over 99 %"))
    return _unit(str(tenths(10 * chance)), chance=True)


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
    chance = _percent(one.shut)
    if any(piece.kind == Kind.TILE.value for piece in pieces):
        return gettext("shut {chance}", chance=chance)
    return gettext("{shuts} {chance}", shuts=figures.shuts, chance=chance)


def _spoken(aim: str, choice: str, value: str, cost: str, shut: str) -> str:
    about = {"choice": choice, "value": value, "cost": cost}
    if aim == "mean":
        words = gettext("{choice}: {value} expected, {cost}", **about)
    elif aim == "win":
        words = gettext("{choice}: wins {value}, {cost}", **about)
    else:
        words = gettext("{choice}: {value}, {cost}", **about)
    return gettext("{words}; {shut}", words=words, shut=shut) if shut else words


def _tiles(text: str, table: TableView) -> list[PieceView]:
    """Return the tiles that a choice takes; none where it takes anything else."""
    takes = next((offer.takes for offer in table.offers if offer.text == text), ())
    tiles = {piece.key: piece for piece in table.pieces if piece.kind == Kind.TILE.value}
    return [tiles[key] for key in takes] if tiles.keys() >= set(takes) else []
