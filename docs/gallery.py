"""Writes the figures of each game for the gallery of the first page, `gallery.toml`.

    python docs/gallery.py           # every game
    python docs/gallery.py eleven    # only this one

For each game that can be solved in a moment, it writes the expected result, the expected number of
throws in a turn, the chance to shut the box, and the skill: how much random choices lose compared
with best play, in standard deviations of the result of best play. A test compares the file with the
solver.
"""

import re
import sys
from collections.abc import Container
from math import sqrt
from pathlib import Path

from shutbox import catalogue, find
from shutbox.games.traits import traits_of
from shutbox.solving.comparison import compare
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve

FILE = Path(__file__).parents[1] / "src/shutbox/web/pages/gallery.toml"
MOST_SECONDS = 10.0
HEAD = (
    "# Worked out by docs/gallery.py: expected result, throws of a turn, chance to shut, skill.\n"
)


def stanza(name: str) -> str:
    """Return a game's stanza of the file. Empty if the game cannot be solved in a moment."""
    game = find(name)
    traits = traits_of(game)
    if traits.cost is None or (traits.most_positions or 0) > 1 << 18:
        return ""
    if traits.cost(game.start()).seconds > MOST_SECONDS:
        return ""
    odds = odds_of(solve(game), game.start())
    assert odds.mean is not None
    assert odds.shut is not None
    assert odds.throws is not None
    mean = float(odds.mean)
    spread = sqrt(sum(float(p) * (score - mean) ** 2 for score, p in odds.distribution.items()))
    loss = float(compare(game, players={"random": "random"}).strategy("random").loss)
    figures = {"mean": mean, "throws": odds.throws, "shut": odds.shut, "skill": loss / spread}
    lines = (f"{key} = {float(value):.4f}\n" for key, value in figures.items())
    return f"\n[{name}]\n{''.join(lines)}"


def text(names: Container[str]) -> str:
    """Return the whole file, with the stanzas of these games computed again."""
    stanzas = re.split(r"(?m)^(?=\n\[)", FILE.read_text("utf-8"))
    old = {stanza[2:].partition("]")[0]: stanza for stanza in stanzas}
    games = (entry.name for entry in catalogue())
    return HEAD + "".join(stanza(name) if name in names else old.get(name, "") for name in games)


if __name__ == "__main__":
    FILE.write_text(text(sys.argv[1:] or [entry.name for entry in catalogue()]), "utf-8")
