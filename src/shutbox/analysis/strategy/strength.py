"""How strong a way to play is: what it is worth, and what it loses against best play.

What a way of playing loses in a turn is what it is worth less than best play. Dividing that by
the number of its decisions, choices between at least two things, gives its loss per decision:
how strong a player is, whatever the dice do.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.analysis.strategy.following import BEST, Followed
from shutbox.analysis.strategy.heuristics import WAYS
from shutbox.game import Over
from shutbox.messages import gettext, gettext_noop
from shutbox.solver.solution import Chances, GraphSolution, Number, apart, by_score

SAYS = {
    **dict.fromkeys(("best", BEST), gettext_noop("makes the best choice")),
    **{name: way.says for name, way in WAYS.items()},
    "sheet": gettext_noop("plays by a strategy that fits on one sheet of paper"),
}
"""What each way to play does, to follow its name."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What comes of one way to play, in whole fractions."""

    way: str  # the name of the way or the player; `best` is best play
    value: Number  # what it is worth: an expected score, or a probability
    loss: Number  # how much worse that is than best play: 0 or more
    chances: Chances  # the probability of each end: its score, and whether the box is shut
    throws: Number  # the expected number of throws of a turn
    decisions: Number  # the expected number of choices between at least two things

    @property
    def shut(self) -> Number:
        """The chance to shut the box, or to complete the crew."""
        return sum((p for (_, shut), p in self.chances.items() if shut), start=Fraction(0))

    @property
    def distribution(self) -> dict[int, Number]:
        """The probability of each final score, the scores ascending."""
        return by_score(self.chances)

    @property
    def per_decision(self) -> Number:
        """The expected loss of each decision; 0 where there is none."""
        return self.loss / self.decisions if self.decisions else Fraction(0)

    def report(self) -> dict[str, Any]:
        """The numbers for programs: as floats, and as fractions where they are."""
        names = ("value", "loss", "shut", "throws", "decisions", "per_decision")
        exact = {name: str(getattr(self, name)) for name in names}
        return {
            "way": self.way,
            "says": gettext(SAYS[self.way]) if self.way in SAYS else "",
            **{name: float(getattr(self, name)) for name in names},
            "exact": exact,
        }


def strength(way: str, followed: Followed, solution: GraphSolution[Any, Any]) -> Strength:
    """What comes of a turn that was followed, against the best play that a solution knows."""
    graph, often = followed.graph, followed.often
    scale = graph.scale
    chances: Chances = {
        ending: Fraction(often[node], scale)
        for node, ending in graph.ends.items()
        if node <= followed.root and often[node]
    }
    worth = solution.aim.worth
    value = sum(
        (worth(Over((score,), shut)) * chance for (score, shut), chance in chances.items()),
        start=Fraction(0),
    )
    thrown = (n for node, n in enumerate(often) if graph.weights[node])
    drawn = sum(often[node] for node in followed.draws)
    return Strength(
        way=way,
        value=value,
        loss=apart(value, solution.value()),
        chances=chances,
        throws=Fraction(sum(thrown) - drawn, scale),
        decisions=Fraction(sum(often[node] for node in followed.decisions), scale),
    )
