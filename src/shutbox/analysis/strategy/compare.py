"""What ways to play and players are worth, compared with best play: exactly, nothing is tried.

What a way of playing loses in a turn is what it is worth less than best play. Dividing that by
the number of its decisions, choices between at least two things, gives its loss per decision:
how strong a player is, whatever the dice do.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import check_cost, turns_of
from shutbox.analysis.strategy.following import (
    BEST,
    AnyPlayer,
    Followed,
    by_sheet,
    check_player,
    followed,
    is_named,
    name_of,
    sheet_of,
)
from shutbox.analysis.strategy.heuristics import WAYS
from shutbox.game import Game, Over
from shutbox.messages import gettext, gettext_noop
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import MEAN, Aim
from shutbox.solver.solution import (
    Chances,
    GraphSolution,
    Number,
    apart,
    by_score,
    chances,
    to_shut,
)
from shutbox.specialists import PocketSheet

ASKING = 50
"""To ask a player at each of his positions takes so many times as long as to solve the game."""
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
        return to_shut(self.chances)

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


def _strength(way: str, followed: Followed, solution: GraphSolution[Any, Any]) -> Strength:
    """What comes of a turn that was followed, against the best play that a solution knows."""
    often, scale, worth = followed.often, followed.graph.scale, solution.aim.worth
    ends, throws = chances(followed.graph, often)
    worths = (worth(Over((score,), shut)) * chance for (score, shut), chance in ends.items())
    value = sum(worths, start=Fraction(0))
    drawn, decided = (
        Fraction(sum(often[node] for node in nodes), scale)
        for nodes in (followed.draws, followed.decisions)
    )
    return Strength(way, value, apart(value, solution.value()), ends, throws - drawn, decided)


def evaluate(
    game: Game[Any, Any] | str,
    player: AnyPlayer,
    aim: Aim | str = MEAN,
    *,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Strength:
    """What comes of a player in one turn, and what that loses against best play for an aim.

    `player` is anything with a method `pick`, a function of the game, the position and the choices,
    or a name: `perfect`, `fewest`, `most`, `highest`, `first`, `careful`, `sheet`, `random`.

    >>> import shutbox
    >>> def last(game, position, choices):
    ...     return choices[-1]
    >>> found = shutbox.evaluate("classic", last)
    >>> round(float(found.value), 4), round(float(found.per_decision), 4)
    (24.2282, 8.632)
    >>> shutbox.evaluate("six", "perfect", "shut").value
    Fraction(145, 1944)

    A player is asked twice at each position that his choices lead to, and must say the same. One
    who takes each choice as often as the others, as `random` does, says so by an attribute
    `uniform = True`, and is not asked.

    `anyway`: whatever it costs; a large box such as The 300 takes hours, and `shutbox.simulate`
    tries a player there, with a standard error. Raises NotDeterministic for a player who does not
    always choose the same, IllegalChoice for one who takes what is not offered, TooLarge where it
    is beyond the limits of whole fractions, and NotUnderstood for a match, and for what is no
    player.
    """
    game = turn_named(game)
    aim = aim_named(aim, game)
    check_player(player)
    solution = _solved(game, aim, 2 if is_named(player) else ASKING, anyway, progress)
    return _strength(name_of(player), followed(player, solution), solution)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ways to play one game for one aim."""

    game: str
    aim: str
    best: Strength
    ways: tuple[Strength, ...]  # the others, the best first
    sheet: PocketSheet | None = None  # if it was asked for and the game has one

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
    game: Game[Any, Any] | str,
    aim: Aim | str = MEAN,
    *,
    players: Mapping[str, AnyPlayer] | None = None,
    sheet: bool = False,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Comparison:
    """Best play and every fixed way to play, or some players instead, from the start of a game.

    >>> found = compare("classic")
    >>> [(way.way, round(float(way.value), 3)) for way in (found.best, *found.ways)][:3]
    [('best', 11.009), ('careful', 11.397), ('fewest', 12.217)]
    >>> def last(game, position, choices):
    ...     return choices[-1]
    >>> [way.way for way in compare("six", players={"mine": last, "first": "first"}).ways]
    ['first', 'mine']

    `players`: whom to compare, by what they are to be called, see `shutbox.evaluate`. `sheet`: also
    the strategy on a sheet of paper; `anyway`: whatever it costs. Raises NotUnderstood for a match,
    TooLarge where there is nothing to compare or too much, and what `evaluate` raises.
    """
    game = turn_named(game)
    aim = aim_named(aim, game)
    asked: Mapping[str, AnyPlayer] = {name: name for name in WAYS} if players is None else players
    for player in asked.values():
        check_player(player)
    times = sum(1 if is_named(player) else ASKING for player in asked.values())
    solution = _solved(game, aim, times + 1, anyway, progress)
    found = [_strength(name, followed(one, solution), solution) for name, one in asked.items()]
    on_paper = sheet_of(solution) if sheet else None
    if on_paper is not None and "sheet" not in asked:
        found.append(_strength("sheet", by_sheet(on_paper, solution), solution))
    ways = sorted(found, key=lambda way: way.loss)
    best = _strength("best", followed(BEST, solution), solution)
    return Comparison(game.name, aim.name, best, tuple(ways), on_paper)


def _solved(
    game: Game[Any, Any], aim: Aim, times: int, anyway: bool, progress: Progress
) -> GraphSolution[Any, Any]:
    """The game in whole fractions. Raises TooLarge where so many times that is beyond limits."""
    if not anyway:
        check_cost(game, game.start(), times=times)
    return GraphSolution(game, aim, turns_of(game, game.start(), progress))
