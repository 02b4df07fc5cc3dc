"""Writes the exact values of all games into the page `docs/solving.md`.

    python docs/values.py            # games without a row, as `make docs` does
    python docs/values.py classic    # this game again
    python docs/values.py all        # every game again, which takes a minute

A test solves some of the games again and compares their rows.
"""

import re
import sys
from fractions import Fraction
from pathlib import Path

from shutbox import Choose, catalogue, find, solve
from shutbox.games.traits import traits_of
from shutbox.solving.options import Number

PAGE = Path(__file__).with_name("solving.md")
MOST_LISTED = 1 << 20
"""The most boxes of a game whose positions are counted one by one."""


def row(name: str) -> str:
    """Return the row of a game in the table. Empty if no turn of the game has a score to expect."""
    game = find(name)
    if traits_of(game).cost is None:
        return ""
    best, shuts = solve(game), solve(game, "shut")
    counts = f"{traits_of(game).most_positions:,} | not counted"
    if (traits_of(game).most_positions or 0) <= MOST_LISTED:
        awaited = [game.awaits(position) for position in best.positions()]
        decisions = sum(isinstance(one, Choose) and len(one.choices) > 1 for one in awaited)
        counts = f"{len(awaited):,} | {decisions:,}"
    mean, often, most = best.value(), best.shut(), shuts.value()
    figures = " | ".join(map(_figure, (mean, often, most)))
    return f"| `{name}` | {figures} | {counts} |\n"


def _figure(number: Number) -> str:
    """Return eight decimals; of a very small number, five significant digits."""
    return f"{float(number):.8f}" if number > Fraction(1, 10_000) else f"{float(number):.4e}"


def page(again: set[str]) -> str:
    """Return the whole page, with the rows of these games and all missing rows computed again."""
    text = PAGE.read_text("utf-8")
    before, table, after = re.split(r"(?m)((?:^\| `.*\n)+)", text, maxsplit=1)
    old = {line.split("`")[1]: line for line in table.splitlines(keepends=True)}
    names = [entry.name for entry in catalogue()]
    rows = (old[one] if one in old and one not in again else row(one) for one in names)
    return before + "".join(rows) + after


if __name__ == "__main__":
    wanted = set(sys.argv[1:])
    every = {entry.name for entry in catalogue()}
    PAGE.write_text(page(every if "all" in wanted else wanted), "utf-8")
