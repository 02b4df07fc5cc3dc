"""A position that knows its game: what a user of the library holds.

    position = at("classic").throw("5 3")

It reads what people write, and answers with its choices, its worth and its picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from shutbox.engine.cups import cup_meant
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import IllegalRoll, NotUnderstood
from shutbox.engine.game import (
    Awaited,
    Choose,
    Game,
    Over,
    Placed,
    Throw,
    check_game,
    position_meant,
    position_text,
)
from shutbox.engine.game_text import refusal_text
from shutbox.engine.messages import gettext
from shutbox.engine.scene import Scene
from shutbox.match import Match
from shutbox.solving.fold import check_has_values
from shutbox.solving.objectives import MEAN, NO_AIM, Aim, aim_named
from shutbox.solving.options import Number
from shutbox.table.lookup import find_position

if TYPE_CHECKING:
    from shutbox.solving import Solution
    from shutbox.solving.advice.ranking import Ranked
    from shutbox.solving.solvers import Solutions


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A position of a game or match, as a value: it never changes, and equal ones are equal.

    >>> position = at("classic").throw("5 3")
    >>> position.choices
    ('8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4')
    >>> position.choose("7 1")
    at('classic:2.3.4.5.6.8.9')
    >>> print(position)
    1 to 9 are up. The dice show 3 and 5, 8.

    `at` makes it. In a notebook it draws itself. Methods that act return the next position.
    """

    game: Game[Any, Any]
    position: Any
    """The position as `game` takes it, without the game."""

    def __post_init__(self) -> None:
        check_game(self.game)
        object.__setattr__(self, "position", position_meant(self.game, self.position))

    def __repr__(self) -> str:
        return f"at({self.text!r})"

    def __str__(self) -> str:
        """Return the board and the dice in words."""
        return " ".join(filter(None, (self.scene.board, self.scene.dice)))

    def _repr_svg_(self) -> str:
        return self.svg

    @property
    def text(self) -> str:
        """The full text of the position, which `at` reads: `classic:1.5.9/2+2`."""
        return position_text(self.game, self.position)

    @property
    def awaited(self) -> Awaited[Any]:
        """The event that the game waits for, a Throw or a Choose, or an Over at the end."""
        return self.game.awaits(self.position)

    @property
    def due(self) -> str:
        """The kind of event that is due: `throw` or `choice`; empty at the end."""
        match self.awaited:
            case Throw():
                return "throw"
            case Choose():
                return "choice"
        return ""

    @property
    def seat(self) -> int | None:
        """The seat that is due, from 0; None at the end."""
        awaited = self.awaited
        return None if isinstance(awaited, Over) else awaited.seat

    @property
    def dice(self) -> Dice | None:
        """The dice to throw; None where no throw is due."""
        awaited = self.awaited
        return awaited.dice if isinstance(awaited, Throw) else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The open choices as `choose` reads them, in the order of the game; empty if none is."""
        awaited = self.awaited
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        return tuple(map(self.game.choice_text, choices))

    @property
    def over(self) -> Over | None:
        """The result at the end, with its scores and winners; None before.

        >>> at("classic:1.2.3/6+6").over
        Over(scores=(6,), shut=False, winners=())
        """
        awaited = self.awaited
        return awaited if isinstance(awaited, Over) else None

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat, in points: at the end, and in a match the totals so far.

        In a turn that goes on it is the score if it ended here; empty in a game without scores.

        >>> at("classic:1.2.3").scores, at("pub").scores
        ((6,), (0, 0))
        """
        if (over := self.over) is not None:
            return over.scores
        if isinstance(self.game, Match):
            tallies = self.game.settled(self.position).position.tallies
            return tuple(tally.total for tally in tallies)
        return () if (points := self.scene.points) is None else (points,)

    @property
    def scene(self) -> Scene:
        """The pieces to draw, the sentences to say, and an offer for each choice."""
        return self.game.scene(self.position)

    @property
    def svg(self) -> str:
        """The picture of the position as SVG text."""
        from shutbox.output.picture import svg  # most programs never draw

        return svg(self.scene)

    def throw(self, roll: str | Roll | Sequence[int] | None = None) -> "Position":
        """Return the position after a roll, such as "3+5", "5 3" or (3, 5).

        Without a roll, the operating system throws the dice. Raises IllegalRoll if the dice cannot
        show it or no throw is due, and NotUnderstood for what is no roll.
        """
        if (dice := self.dice) is None:
            raise self._not_due()
        if isinstance(roll, Roll):
            roll = roll.pips
        fell = cup_meant(None).throw(dice) if roll is None else dice.read(roll)
        return Position(self.game, self.game.rolled(self.position, fell))

    def _not_due(self) -> IllegalRoll:
        if self.over is not None:
            why = gettext("the game is over; there is nothing to throw")
        else:
            offers = self.scene.offers
            why = refusal_text(gettext("a choice comes first"), [offer.says for offer in offers])
        return IllegalRoll(why, self.position)

    def choose(self, choice: Any) -> "Position":
        """Return the position after a choice of the game, its text, or its row of `ranked`.

        A text can have any form that players type. Raises IllegalChoice, with what was possible,
        and NotUnderstood or Ambiguous for a text.
        """
        choice = getattr(choice, "choice", choice)
        if isinstance(choice, str):
            choice = self.game.parse_choice(self.position, choice)
        return Position(self.game, self.game.chosen(self.position, choice))

    def value(self, aim: Aim | str | None = None) -> Number:
        """Return what the position is worth under best play.

        In a turn it is the expected score, or the chance that `aim` names: `shut`, `beat:8`. In a
        match, which all play to win, it is the share of the win of the seat that is due, and of the
        first seat at the end.

        >>> round(float(at("classic").value()), 4), at("six").value("shut")
        (11.0092, Fraction(145, 1944))

        Raises TooLarge for a game that cannot be solved, and NotUnderstood for an unknown aim, or
        one given in a match.
        """
        if isinstance(self.game, Match):
            if aim is not None:
                raise NotUnderstood(NO_AIM)
            from shutbox.solving.odds import odds  # it loads the solver of matches

            return Fraction(odds(self.game, self.position).shares[self.seat or 0])
        check_has_values(self.game)
        return self._solve(aim).value(self.position)

    def ranked(self, aim: Aim | str | None = None) -> "tuple[Ranked, ...]":
        """Return a row for each choice, best first, with its value and what it costs.

        >>> [row.text for row in at("six:1-6/3").ranked()]
        ['3', '1 2']

        In a match all play to win, so `aim` is only for a single turn. Raises NothingDue if no
        choice is due, and what `shutbox.advise` raises.
        """
        from shutbox.solving.advice.adviser import advise
        from shutbox.solving.advice.ranking import advice

        # Where no choice is due or there are no scores, `advise` raises, and says why.
        if isinstance(self.game, Match) or self.due != "choice" or self.game.scoring is None:
            return advise(self, aim=aim).ranked
        return advice(self._solve(aim), self.position).ranked

    def _solve(self, aim: Aim | str | None) -> "Solution[Any, Any]":
        game: Any = self.game  # games are hashable, which their protocol does not say
        named = aim_named(MEAN if aim is None else aim, game)
        return _cache_of(game).at(game, self.position, named)

    def best(self, aim: Aim | str | None = None) -> "Ranked":
        """Return the row of the best choice. Raises as `ranked` does.

        >>> at("classic:1.3.4.9/1+3").best("shut").text
        '4'
        """
        return self.ranked(aim)[0]


def at(place: Game[Any, Any] | Placed | str, position: Any = None) -> Position:
    """Return a position, given as one text, or as a game and a position in it.

    >>> at("classic"), at("classic", "1.5.9/2+2")
    (at('classic:1.2.3.4.5.6.7.8.9'), at('classic:1.5.9/2+2'))

    `place` is a full text, the name of a game or match, the game itself, or a table. `position` can
    be a text, too; without it the position is that of `place`, or the start. Raises what
    `find_position` raises.
    """
    return Position(*find_position(place, position))


@lru_cache(maxsize=8)
def _cache_of(game: Game[Any, Any]) -> "Solutions":
    """Return a game's own cache of solutions, empty at first, so that it is solved only once.

    The caches of the last 8 games stay in memory.
    """
    from shutbox.solving.solvers import Solutions  # a position that only plays needs no solver

    return Solutions()
