"""Works out anew what the gallery of the first page says of each game, in `gallery.toml`.

    python docs/gallery.py

For every game that is solved in a moment: the expected result, the expected number of throws of a
turn, the chance to shut the box, and how much skill there is: what choosing at random loses against
best play, in standard deviations of the result of best play.
A test holds the file against the solver.
"""

from math import sqrt
from pathlib import Path

from shutbox import catalogue, find
from shutbox.analysis.odds import odds_of
from shutbox.analysis.solvers.select import solve
from shutbox.analysis.strategy.compare import compare
from shutbox.games.traits import traits_of

FILE = Path(__file__).parents[1] / "src/shutbox/web/pages/gallery.toml"
MOST_SECONDS = 10.0
HEAD = (
    "# Worked out by docs/gallery.py: expected result, throws of a turn, chance to shut, skill.\n"
)


def stanza(name: str) -> str:
    """What the file says of a game; nothing where it is not solved in a moment."""
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
    loss = float(compare(game, players={"random": "random"}).way("random").loss)
    figures = {"mean": mean, "throws": odds.throws, "shut": odds.shut, "skill": loss / spread}
    lines = (f"{key} = {float(value):.4f}\n" for key, value in figures.items())
    return f"\n[{name}]\n{''.join(lines)}"


def text() -> str:
    """The whole file."""
    return HEAD + "".join(stanza(entry.name) for entry in catalogue())


if __name__ == "__main__":
    FILE.write_text(text())
