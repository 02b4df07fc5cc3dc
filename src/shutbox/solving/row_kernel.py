"""Compiled backward induction over pairs of rows, for two players who throw once each in turn.

Each of the `N` rows has a higher number than those that its covers lead to; the highest is the
start. Of a pair (x, y) the owner of row `x` throws, and has a share of the win at index `x * N + y`
of each of three tables in `values`, float64[3 * N * N]: 0, the other's row `y` is over; 1, both are
in; 2, so they are, and the other has just passed.

`rows` is a tuple of arrays. Row `x` has the options `first[x]` to before `first[x + 1]` of dice, an
option the rolls from `roll[option]` on, and a roll, of a `chance`, the covers from `cover[roll]`
on, each of which leads to the row `after[cover]`. `shut` flags rows; of `points` more is better.
Without numba all of this runs as plain Python.
"""

from typing import Any

from shutbox.solving import jit


@jit.inlined
def _ended(x: int, y: int, wins: bool, doubles: bool, rows: Any) -> float:
    """Return the share of `x` once nobody covers any more; if a shut row wins, `y` was first."""
    _, _, _, _, _, shut, points = rows
    if wins and (shut[x] or shut[y]):
        return 0.0 if shut[y] else 1.0
    mine = points[x] * (2 if doubles and shut[y] and not shut[x] else 1)
    theirs = points[y] * (2 if doubles and shut[x] and not shut[y] else 1)
    return 0.5 if mine == theirs else 1.0 if mine > theirs else 0.0


@jit.inlined
def _covered(
    fell: int, at: int, step: int, turned: int, stuck: float, rows: Any, values: Any
) -> float:
    """Return the best of the values from `at` on for the covers of a roll, `turned` by 1 - value.

    The value of row `r` is `r * step` after that of row 0; without covers it is `stuck`.
    """
    _, _, cover, after, _, _, _ = rows
    best = stuck if cover[fell] == cover[fell + 1] else 0.0
    for number in range(cover[fell], cover[fell + 1]):
        best = max(best, abs(turned - values[at + step * after[number]]))
    return best


@jit.inlined
def _thrown(x: int, at: int, step: int, turned: int, stuck: float, rows: Any, values: Any) -> float:
    """Return the share of `x`, who throws for this row alone; the arguments are as above."""
    first, roll, _, _, chance, _, _ = rows
    top = 0.0
    for option in range(first[x], first[x + 1]):
        mean = 0.0
        for fell in range(roll[option], roll[option + 1]):
            mean += chance[fell] * _covered(fell, at, step, turned, stuck, rows, values)
        top = max(top, mean)
    return top


@jit.inlined
def _for_all(x: int, y: int, end: float, rows: Any, values: Any) -> float:
    """Return the share of `x`, who throws for both and covers first; `end` is as it stands."""
    first, roll, cover, after, chance, shut, _ = rows
    size, mean = len(shut), 0.0
    for fell in range(roll[first[x]], roll[first[x] + 1]):
        theirs, best = fell - roll[first[x]] + roll[first[y]], 0.0
        if cover[fell] == cover[fell + 1]:
            best = 1 - _covered(theirs, x, size, 0, 1 - end, rows, values)
        for number in range(cover[fell], cover[fell + 1]):
            to, alone = after[number], values[after[number] * size + y]
            found = 1 - _covered(theirs, size * size + to, size, 0, 1 - alone, rows, values)
            best = max(best, found)
        mean += chance[fell] * best
    return mean


@jit.compiled
def fill(
    row: int, common: bool, passes: bool, wins: bool, doubles: bool, rows: Any, values: Any
) -> None:
    """Write the values of the pairs of `row` with itself and lower rows, after those of the latter.

    If `common`, a throw counts for both once both have left the start.
    """
    _, _, _, _, _, shut, _ = rows
    size = len(shut)
    both, passed = size * size, 2 * size * size
    for other in range(row + 1):
        for x, y in ((row, other), (other, row)):
            end = _ended(x, y, wins, doubles, rows)
            is_over = shut[x] or (wins and shut[y])
            values[x * size + y] = end if is_over else _thrown(x, y, size, 0, end, rows, values)
            at = both + y * size
            if passes:
                values[passed + x * size + y] = _thrown(x, at, 1, 1, end, rows, values)
        for x, y in ((row, other), (other, row)):
            stuck = 1 - values[passes * passed + y * size + x]
            if shut[y]:
                found = values[x * size + y]
            elif shut[x]:
                found = 1 - values[y * size + x]
            elif common and row < size - 1:
                found = _for_all(x, y, _ended(x, y, wins, doubles, rows), rows, values)
            else:
                found = _thrown(x, both + y * size, 1, 1, stuck, rows, values)
            values[both + x * size + y] = found
