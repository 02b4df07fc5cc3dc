"""How strong ways to play are, worked out exactly: what each is worth, and what it loses.

What a way of playing loses in a turn is what it is worth less than best play. Dividing that by
the number of its decisions, choices between at least two things, gives its loss per decision:
how strong a player is, whatever the dice do.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.analysis.solvers.select import check_cost, turns_of
from shutbox.analysis.strategy.heuristics import WAYS, choices_of
from shutbox.analysis.strategy.pocket_sheet import Sheet, sheet_of
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Game
from shutbox.match import Match
from shutbox.messages import gettext, gettext_noop
from shutbox.solver.graph import Graph, Progress, unheard
from shutbox.solver.objectives import Aim
from shutbox.solver.solution import GraphSolution

SAYS = {
    "best": gettext_noop("makes the best choice"),
    **{name: way.says for name, way in WAYS.items()},
    "sheet": gettext_noop("plays by a strategy that fits on one sheet of paper"),
}
"""What each way to play does, to follow its name."""


@dataclass(frozen=True, slots=True)
class Strength:
    """What comes of one way to play; all of it is exact."""

    way: str  # the name of the way; `best` is best play
    value: Fraction  # what it is worth: an expected score, or a probability
    loss: Fraction  # how much worse that is than best play: 0 or more
    shut: Fraction  # the chance to shut the box, or to complete the crew
    throws: Fraction  # the expected number of throws of a turn
    decisions: Fraction  # the expected number of choices between at least two things

    @property
    def per_decision(self) -> Fraction:
        """The expected loss of each decision; 0 where there is none."""
        return self.loss / self.decisions if self.decisions else Fraction(0)

    def report(self) -> dict[str, Any]:
        """The numbers for programs: as floats, and as fractions."""
        names = ("value", "loss", "shut", "throws", "decisions", "per_decision")
        return {
            "way": self.way,
            "says": gettext(SAYS[self.way]),
            **{name: float(getattr(self, name)) for name in names},
            "exact": {name: str(getattr(self, name)) for name in names},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ways to play one game for one aim."""

    game: str
    aim: str
    best: Strength
    ways: tuple[Strength, ...]  # the others, the best first
    sheet: Sheet | None = None  # if it was asked for and the game has one

    def way(self, name: str) -> Strength:
        """The way of a name. Raises KeyError for one that is not compared."""
        return {strength.way: strength for strength in (self.best, *self.ways)}[name]

    def report(self) -> dict[str, Any]:
        """The comparison for programs."""
        return {
            "game": self.game,
            "aim": self.aim,
            "best": self.best.report(),
            "ways": [strength.report() for strength in self.ways],
            "sheet": None if self.sheet is None else list(self.sheet.lines),
        }


def compare(
    game: Game[Any, Any],
    aim: Aim,
    *,
    sheet: bool = False,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Comparison:
    """Best play and every fixed way to play, from the start of a game.

    >>> from shutbox.games.catalogue import find
    >>> from shutbox.solver import MEAN
    >>> found = compare(find("classic"), MEAN)
    >>> [(way.way, round(float(way.value), 3)) for way in (found.best, *found.ways)][:3]
    [('best', 11.009), ('careful', 11.397), ('fewest', 12.217)]

    `sheet`: also the strategy on a sheet of paper; `anyway`: whatever it costs. Raises
    NotUnderstood for a match, and TooLarge where there is nothing to compare or too much.
    """
    if isinstance(game, Match):
        raise NotUnderstood(
            "{name} is a match; ways to play are compared for one turn, so name its game: {inner}",
            name=game.name,
            inner=game.game.name,
        )
    if game.longest is None or game.scoring is None:
        raise TooLarge(
            "{name} has no score and need never end, so there is nothing to compare", name=game.name
        )
    if not anyway:
        check_cost(game, game.start(), times=len(WAYS) + 1)
    solution = GraphSolution(game, aim, turns_of(game, game.start(), progress))
    played = {name: way.played(solution.graph) for name, way in WAYS.items()}
    on_paper = sheet_of(solution) if sheet else None
    if on_paper is not None:
        played["sheet"] = solution.graph.follow(on_paper.places(solution))
    ways = sorted((strength(*way, solution) for way in played.items()), key=lambda way: way.loss)
    best = strength("best", solution.followed, solution)
    return Comparison(game.name, aim.name, best, tuple(ways), on_paper)


def strength(way: str, graph: Graph, solution: GraphSolution[Any, Any]) -> Strength:
    """What comes of playing so that the graph of a solution becomes this one."""
    root = solution.place(solution.game.start())
    assert root is not None  # the graph begins there
    often, scale = graph.reached(root), graph.scale
    ends = {node: often[node] for node in graph.ends if node <= root}
    worths = (solution.worths[node] * count for node, count in ends.items())
    value = sum(worths, start=Fraction(0)) / scale
    # In the graph of a player who chooses at random choices are throws, so the first one is asked.
    thrown = solution.graph.weights
    chosen = (often[node] for node in choices_of(solution.graph) if node <= root)
    return Strength(
        way=way,
        value=value,
        loss=abs(value - solution.value_at(root)),
        shut=Fraction(sum(n for node, n in ends.items() if graph.ends[node][1]), scale),
        throws=Fraction(sum(n for node, n in enumerate(often) if thrown[node]), scale),
        decisions=Fraction(sum(chosen), scale),
    )
