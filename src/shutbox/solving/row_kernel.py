"""Compiled backward induction over pairs of rows, for two players who throw once each in turn.

For each of `N` rows, and each of the other player's, three tables have the owner's share of the
win, float64[N, N], by the other's row and then the owner's. In `alone` the owner throws next, as
the other is out or done; in `waits` the other throws next; in `passed` too, and the owner has just
passed. Without numba all of this runs as plain Python.
"""

from typing import Any, NamedTuple

from shutbox.solving import jit


class RowArrays(NamedTuple):
    """The rows as arrays. Covers lead to lower numbers, so the highest number is the start."""

    first: Any  # row `x` has the options of dice from `first[x]` to before `first[x + 1]`
    roll: Any  # an option has the rolls from `roll[option]` on
    chance: Any  # of each roll, float64
    cover: Any  # a roll has the covers from `cover[roll]` on
    after: Any  # the row that each cover leads to
    points: Any  # of each row; more is better
    shut: Any  # whether each row is shut


class RoundRules(NamedTuple):
    """The rules of a round in which each of two players has a row, as the loops need them."""

    common: bool  # whether a throw counts for both once both have left the start
    passes: bool  # whether a player who is stuck passes, else is out
    wins: bool  # whether a shut row wins at once
    doubles: bool  # whether a shut row doubles the other's points


@jit.inlined
def _ended(x: int, y: int, rules: RoundRules, rows: RowArrays) -> float:
    """Return the share of `x` once no player covers any more; if a shut row wins, `y` was first."""
    points, shut = rows.points, rows.shut
    if rules.wins and (shut[x] or shut[y]):
        return 0.0 if shut[y] else 1.0
    mine = points[x] * (2 if rules.doubles and shut[y] and not shut[x] else 1)
    theirs = points[y] * (2 if rules.doubles and shut[x] and not shut[y] else 1)
    return 0.5 if mine == theirs else 1.0 if mine > theirs else 0.0


@jit.inlined
def _covered(roll: int, shares: Any, stuck: float, rows: RowArrays) -> float:
    """Return the best of `shares`, by row, after the covers of a roll; `stuck` without any."""
    best = stuck if rows.cover[roll] == rows.cover[roll + 1] else 0.0
    for cover in range(rows.cover[roll], rows.cover[roll + 1]):
        best = max(best, shares[rows.after[cover]])
    return best


@jit.inlined
def _thrown(x: int, shares: Any, stuck: float, rows: RowArrays) -> float:
    """Return the share of `x`, who throws for this row alone; the arguments are as above."""
    top = 0.0
    for option in range(rows.first[x], rows.first[x + 1]):
        mean = 0.0
        for roll in range(rows.roll[option], rows.roll[option + 1]):
            mean += rows.chance[roll] * _covered(roll, shares, stuck, rows)
        top = max(top, mean)
    return top


@jit.inlined
def _thrown_for_both(x: int, y: int, end: float, rows: RowArrays, alone: Any, waits: Any) -> float:
    """Return the share of `x`, who throws for both and covers first; `end` is as it stands."""
    mean, begin = 0.0, rows.roll[rows.first[x]]
    for roll in range(begin, rows.roll[rows.first[x] + 1]):
        theirs, best = roll - begin + rows.roll[rows.first[y]], 0.0
        if rows.cover[roll] == rows.cover[roll + 1]:
            best = 1 - _covered(theirs, alone[x], 1 - end, rows)
        for cover in range(rows.cover[roll], rows.cover[roll + 1]):
            mine = rows.after[cover]
            share = alone[y][mine] if rows.cover[theirs] == rows.cover[theirs + 1] else 1.0
            for other in range(rows.cover[theirs], rows.cover[theirs + 1]):
                share = min(share, waits[rows.after[other]][mine])
            best = max(best, share)
        mean += rows.chance[roll] * best
    return mean


@jit.compiled
def fill(row: int, rules: RoundRules, rows: RowArrays, alone: Any, waits: Any, passed: Any) -> None:
    """Write the values of the pairs of `row` with itself and lower rows, after those of the latter.

    Both players of a pair have the row in turn, since it matters which of them throws.
    """
    shut, start = rows.shut, len(rows.shut) - 1
    for other in range(row + 1):
        for x, y in ((row, other), (other, row)):
            end = _ended(x, y, rules, rows)
            is_over = shut[x] or (rules.wins and shut[y])
            alone[y][x] = end if is_over else _thrown(x, alone[y], end, rows)
            if rules.passes:
                passed[x][y] = 1 - _thrown(x, waits[y], end, rows)
        for x, y in ((row, other), (other, row)):
            stuck = passed[y][x] if rules.passes else 1 - alone[x][y]
            if shut[y]:
                share = alone[y][x]
            elif shut[x]:
                share = 1 - alone[x][y]
            elif rules.common and row < start:
                share = _thrown_for_both(x, y, _ended(x, y, rules, rows), rows, alone, waits)
            else:
                share = _thrown(x, waits[y], stuck, rows)
            waits[x][y] = 1 - share
