"""The values of a turn's positions and the best choices there: one interface for all solvers.

A solver has the values of some positions, such as those before each throw. The values of all
others follow from these and from the game protocol, so they are computed here, in one place.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from shutbox.engine.english import figure
from shutbox.engine.errors import NothingDue, needing
from shutbox.engine.game import (
    C,
    Choose,
    Game,
    Over,
    P,
    Placed,
    Throw,
    check_game,
    due_choices,
    position_meant,
    position_text,
    successors,
)
from shutbox.engine.lru import LruCache
from shutbox.output.results import Column, Result, Row
from shutbox.solving.graph import Ending
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number, Option, Options, Ranking

if TYPE_CHECKING:
    from shutbox.solving.policy import Policy

MOST_OPTIONS = 1 << 12  # the most positions whose choices and their values are cached

_OF_SOLVERS = {
    "as_good",
    "ending_chance",
    "place",
    "shut_at",
    "tells_chances",
    "turn_ends",
    "turn_ends_at",
    "value_at",
}

Chances = dict[Ending, Number]  # the probability of each end: its score, and whether it shut


class TurnEnds(NamedTuple):
    """How a turn ends from a position on, and how long it takes, if played for an aim."""

    chances: Chances
    throws: Number  # the expected number of throws to the end


def by_score(chances: Chances) -> dict[int, Number]:
    """Return the probability of each final score, the scores ascending.

    >>> by_score({(7, False): 0.5, (0, True): 0.25, (0, False): 0.25})
    {0: 0.5, 7: 0.5}
    """
    summed: dict[int, Number] = {}
    for (score, _), chance in sorted(chances.items()):
        summed[score] = summed[score] + chance if score in summed else chance
    return summed


def variance(scores: Mapping[int, Number]) -> Number:
    """Return the variance of the scores with these chances, in squared points."""
    none = Fraction(0)
    mean = sum((score * chance for score, chance in scores.items()), start=none)
    return sum((chance * (score - mean) ** 2 for score, chance in scores.items()), start=none)


def chance_to_shut(chances: Chances) -> Number:
    """Return the probability to shut the box, or to complete the crew."""
    return sum((chance for (_, shut), chance in chances.items() if shut), start=Fraction(0))


class Solution(Result, Generic[P, C]):
    """The values of one turn's positions under an aim, and the results of playing for it.

    >>> import shutbox
    >>> solution = shutbox.solve("classic")
    >>> solution
    Solution(classic, mean = 11.0092, 512 boxes)
    >>> solution.best("2.4.5.9/4+5")
    Option(9, value = 5.7302, cost = 0)
    >>> solution.ranked("2.4.5.9/4+5")
    Ranking(9: 5.7302; 4 5: 9.2685)

    Solutions are equal if their game, aim, starting position and solver are.

    A position can also be given as a text, such as `1.5.9/2+4`, or a `Position`. Without one it is
    `start`, the position that was solved from; `game`, `aim` and `more` (whether more is better)
    say what was solved. Of equally good choices the first in canonical order is played. Methods
    raise NothingDue for a position that `holds` rules out, NotUnderstood for a text or a view of
    another game and for anything that is no position, and what `Game.position_at` raises for a
    text. A bare position carries no game, so one of another game with the same tiles is accepted.
    `place` and `after` take positions only, without these checks.
    """

    NAME = "Solution"
    COLUMNS = (Column("score", int), Column("chance", float))

    def __init__(self, game: Game[P, C], aim: Aim, root: Hashable, start: P | None = None) -> None:
        check_game(game)
        scoring = game.scoring
        assert scoring is not None  # games without scores are refused before they are solved
        self.game = game
        self.aim = aim
        self.more = aim.more_is_better(scoring, 0)
        self._pick: Callable[[Iterable[Number]], Number] = max if self.more else min
        self.start: P = game.start() if start is None else start  # the position solved from
        self._identity = type(self), game, aim, root, self.start
        self._chosen: Callable[[P, C], P] = game.chosen
        self._known: dict[P, Number] = {}  # values by position, which come up again
        self._options = LruCache[P, Options[C]](MOST_OPTIONS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __dir__(self) -> list[str]:
        """Return the names that are documented, without those that solvers implement."""
        return sorted({*dir(Solution), "aim", "game", "more", "start"} - _OF_SOLVERS)

    def _summary(self) -> str:
        started = self.start == self.game.start()
        place = self.game.name if started else position_text(self.game, self.start)
        return f"{place}, {self.aim.name} = {figure(self.value())}, {self._counted()}"

    def _counted(self) -> str:
        return f"{self.size:,} positions"

    def _rows(self) -> Iterator[Row]:
        distribution = self.distribution() if self.tells_chances else {}
        return ((score, float(chance)) for score, chance in distribution.items())

    @property
    def tells_chances(self) -> bool:
        """Whether `chances` and `shut` cost no more than values.

        If not, they cost more or are unknown, as with one throw each, and `rows` yields nothing.
        """
        return True

    # Implemented by solvers. A place is the number that a solver has for a position.

    @abstractmethod
    def place(self, position: P) -> int | None:
        """Return the solver's number for a position; None if its values follow from later ones."""

    @abstractmethod
    def _holds(self, position: P) -> bool:
        """Whether `start` can lead to the position; of a box only tiles are checked, not dice."""

    @abstractmethod
    def value_at(self, place: int) -> Number:
        """Return the value at a place, in the unit of the aim."""

    @abstractmethod
    def shut_at(self, place: int) -> Number:
        """Return the chance to shut the box from a place, playing for the aim."""

    @abstractmethod
    def turn_ends_at(self, place: int) -> TurnEnds:
        """Return the chance of each end from a place, playing for the aim, and mean throws."""

    @abstractmethod
    def ending_chance(self, place: int) -> Number:
        """Return the chance that the next throw from a place ends the turn."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Roughly the number of positions before a throw; equal futures can be counted as one."""

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value ties with the best one."""
        return value == best

    def after(self, position: P, choice: C) -> P:
        """Return the position after a choice; the caller must know that it is legal there."""
        return self._chosen(position, choice)

    # Derived from the methods above.

    def holds(self, position: P | str | Placed | None) -> bool:
        """Whether `start` can lead to the position; of a box only tiles are checked, not dice."""
        return self._holds(position_meant(self.game, position, self.start))

    def value(self, position: P | str | Placed | None = None) -> Number:
        """Return the value of a position under best play, in the unit of the aim."""
        known = self._known.get(position) if isinstance(position, type(self.start)) else None
        return self._value(self._checked(position)) if known is None else known

    def _value(self, position: P) -> Number:
        if position not in self._known:
            self._known[position] = self._computed(position)
        return self._known[position]

    def _computed(self, position: P) -> Number:
        if (place := self.place(position)) is not None:
            return self.value_at(place)
        match self.game.awaits(position):
            case Over() as over:
                return Fraction(self.aim.payoff(over))
            case Choose():
                return self.options(position).top
            case Throw():
                return self._expected(self._value, position)

    def best(self, position: P | str | Placed | None = None) -> Option[C]:
        """Return the best choice, the first of equal ones. Raises NothingDue as `options` does."""
        return self.ranked(position)[0]

    def options(self, position: P | str | Placed | None = None) -> Options[C]:
        """Return the choices in canonical order, with their values; `ranked` has the best first.

        Raises NothingDue if no choice is due, or for a position that `holds` rules out.
        """
        known = self._options.find(position) if isinstance(position, type(self.start)) else None
        if known is not None:
            return known
        checked = self._checked(position)
        choices = due_choices(self.game, checked).choices
        values = tuple([self._value(self._chosen(checked, choice)) for choice in choices])
        options = Options(choices, values, self._pick(values), self.as_good)
        return self._options.put(checked, options)

    def ranked(self, position: P | str | Placed | None = None) -> Ranking[C]:
        """Return an `Option` for each choice, best first. Raises NothingDue as `options` does."""
        return self.options(position).ranked(self.game.choice_text)

    def shut(self, position: P | str | Placed | None = None) -> Number:
        """Return the chance to shut the box, or complete the crew, playing for the aim."""
        played = self.after_best_choices(self._checked(position))
        if (place := self.place(played)) is not None:
            return self.shut_at(place)
        if isinstance(over := self.game.awaits(played), Over):
            return Fraction(int(over.shut))
        return self._expected(self.shut, played)

    def chances(self, position: P | str | Placed | None = None) -> Chances:
        """Return the probability of each end, by (score, shut), playing for the aim."""
        return self.turn_ends(position).chances

    def turn_ends(self, position: P | str | Placed | None = None) -> TurnEnds:
        """Return what `chances` and `throws` return, computed once for both."""
        played = self.after_best_choices(self._checked(position))
        if (place := self.place(played)) is not None:
            return self.turn_ends_at(place)
        if isinstance(over := self.game.awaits(played), Over):
            return TurnEnds({(over.scores[0], over.shut): Fraction(1)}, Fraction(0))
        chances: Chances = {}
        throws: Number = Fraction(1)
        for after, share in self._outcomes(played):
            later = self.turn_ends(after)
            throws += later.throws * share
            for end, chance in later.chances.items():
                chances[end] = chances.get(end, Fraction(0)) + chance * share
        return TurnEnds(chances, throws)

    def distribution(self, position: P | str | Placed | None = None) -> Mapping[int, Number]:
        """Return the probability of each possible final score, ascending, playing for the aim."""
        return by_score(self.chances(position))

    def variance(self, position: P | str | Placed | None = None) -> Number:
        """Return the variance of the final score, in squared points, playing for the aim."""
        return variance(self.distribution(position))

    def throws(self, position: P | str | Placed | None = None) -> Number:
        """Return the expected number of throws to the end of the turn, playing for the aim."""
        return self.turn_ends(position).throws

    def positions(self) -> Iterator[P]:
        """Yield every position from `start` on at which a throw or a choice is due, each once.

        Those fewer events away come first; among these, those after lower rolls or earlier choices.
        """
        game = self.game
        seen, waiting = {self.start}, deque([self.start])
        while waiting:
            reached = waiting.popleft()
            if isinstance(game.awaits(reached), Over):
                continue
            yield reached
            after = dict.fromkeys(successors(game, reached))
            fresh = [each for each in after if each not in seen]
            seen.update(fresh)
            waiting.extend(fresh)

    def policy(self) -> "Policy":
        """Return the best choice of every position at which one is due, as arrays.

        Raises NotInstalled without NumPy, and TooLarge if an estimate exceeds MOST_ROWS rows.
        """
        with needing("fast"):
            from shutbox.solving.policy import best_policy
        return best_policy(self)

    def plot(self, ax: Any = None, position: P | str | Placed | None = None) -> Any:
        """Draw the chance of each score on `ax` or new axes; return these. Raises NotInstalled."""
        from shutbox.solving.score_plot import draw_scores  # hardly any program needs it

        title = f"{self.game.card().title} ({self.aim.name})"
        return draw_scores(ax, title, self.distribution(position))

    def ends(self, position: P | str | Placed | None = None) -> Number:
        """Return the chance that the next throw ends the turn, after best choices before it.

        0 if no throw follows.
        """
        played = self.after_best_choices(self._checked(position))
        if (place := self.place(played)) is not None:
            return self.ending_chance(place)
        if not isinstance(awaited := self.game.awaits(played), Throw):
            return Fraction(0)
        after = (
            (self.game.rolled(played, roll), weight) for roll, weight in awaited.dice.outcomes()
        )
        ended = sum(weight for at, weight in after if isinstance(self.game.awaits(at), Over))
        return Fraction(ended, awaited.dice.total_weight)

    def after_best_choices(self, position: P | str | Placed | None) -> P:
        """Return the position after best choices, made until it has a place or no choice is due."""
        played: P = position_meant(self.game, position, self.start)
        # The place where dice are due includes the choice of how many to throw.
        while isinstance(self.game.awaits(played), Choose) and self.place(played) is None:
            played = self._chosen(played, self.options(played).choice)
        return played

    def _checked(self, position: P | str | Placed | None) -> P:
        """Return the position that is meant. Raises NothingDue if `holds` is false for it."""
        checked: P = position_meant(self.game, position, self.start)
        if not self._holds(checked):
            id = self.game.position_id(checked)
            raise NothingDue("{position} cannot come up from what was solved", position=id)
        return checked

    def _outcomes(self, position: P) -> Iterator[tuple[P, Fraction]]:
        """Return each position that a roll and then best choices lead to, once, with its chance."""
        awaited = self.game.awaits(position)
        assert isinstance(awaited, Throw)  # the caller has checked that a throw is due
        weights: dict[P, int] = {}
        for roll, weight in awaited.dice.outcomes():
            after = self.after_best_choices(self.game.rolled(position, roll))
            weights[after] = weights.get(after, 0) + weight
        total = awaited.dice.total_weight
        return ((after, Fraction(weight, total)) for after, weight in weights.items())

    def _expected(self, value: Callable[[P], Number], position: P) -> Number:
        parts = (value(after) * share for after, share in self._outcomes(position))
        return sum(parts, start=Fraction(0))
