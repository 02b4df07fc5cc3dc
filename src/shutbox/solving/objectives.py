"""Aims that a player can have: a payoff of the end, and a direction for each seat."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.engine.english import safe_text, shown
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Game, Over, Scoring
from shutbox.engine.messages import gettext_noop
from shutbox.engine.typed_text import in_ascii

WIN_SECONDS = 3.0
"""A match is played, advised and reviewed for the win only if solving it takes no longer, by an
estimate; see `match_value.first_round_for_win`."""
MOST_DIGITS = 100  # of a score to beat; under the scoring `digits` scores are long numbers


@dataclass(frozen=True, slots=True)
class Aim:
    """What a game is played for: a payoff of its end, which each seat maximises or minimises."""

    name: str
    payoff: Callable[[Over], int | Fraction]  # the payoff of an end
    more_is_better: Callable[[Scoring, int], bool]  # whether a seat maximises it

    def __repr__(self) -> str:
        name = self.name.upper().replace("-", "_")
        return name if AIMS.get(self.name) is self else f"Aim({self.name})"


def _score(over: Over) -> int:
    return over.scores[0]


def _is_shut(over: Over) -> int:
    return int(over.shut)


def _share(over: Over) -> Fraction:
    return Fraction(0 in over.winners, max(1, len(over.winners)))


def _as_scored(scoring: Scoring, seat: int) -> bool:
    return not scoring.low_is_good


def _more(scoring: Scoring, seat: int) -> bool:
    return True


def _less(scoring: Scoring, seat: int) -> bool:
    return False


def _first_seat(scoring: Scoring, seat: int) -> bool:
    return seat == 0


MEAN = Aim("mean", _score, _as_scored)
"""The best expected score."""
SHUT = Aim("shut", _is_shut, _more)
"""The highest chance to shut the box, or to complete the crew."""
WORST_SHUT = Aim("worst-shut", _is_shut, _less)
"""The lowest chance to shut the box, or to complete the crew."""
WIN = Aim("win", _share, _first_seat)
"""Seat 0's share of the win of a match, a half if two tie; all other seats play against it. For two
players who both play to win that is exact, for more players it is not."""


@dataclass(frozen=True, slots=True)
class _Beaten:
    """A payoff, compared by value: 1 for a score better than a target, 1/2 for a tie, else 0."""

    target: int
    low_is_good: bool

    def __call__(self, over: Over) -> int | Fraction:
        [score] = over.scores
        if score == self.target:
            return Fraction(1, 2)
        return int((score < self.target) == self.low_is_good)


def beat(target: int, scoring: Scoring | Game[Any, Any]) -> Aim:
    """Return the aim of the highest chance to score better than a target; a tie counts half.

    `scoring` can be the game itself. Raises NotUnderstood for a game without scores, an object of
    another type, or a target that is not an `int`.

    >>> aim = beat(8, Scoring(best=0, worst=45))
    >>> aim.name, [aim.payoff(Over((score,))) for score in (7, 8, 9)]
    ('beat:8', [1, Fraction(1, 2), 0])
    """
    known = scoring if isinstance(scoring, Scoring) else getattr(scoring, "scoring", None)
    number: Any = target
    fits = isinstance(number, int) and abs(number) < 10**MOST_DIGITS
    if not isinstance(known, Scoring) or not fits:
        raise NotUnderstood("a score to beat is a number, of a game; or write 'beat:8' as the aim")
    return Aim(f"beat:{target}", _Beaten(target, known.low_is_good), _more)


AIMS = {aim.name: aim for aim in (MEAN, SHUT, WORST_SHUT)}  # by name; `find_aim` makes beat:T


def find_aim(text: str, scoring: Scoring) -> Aim:
    """Return the aim `mean`, `shut`, `worst-shut` or `beat:T`. Raises NotUnderstood otherwise."""
    name = in_ascii(text).strip().lower()
    if name in AIMS:
        return AIMS[name]
    if number := re.fullmatch(rf"beat:(-?[0-9]{{1,{MOST_DIGITS}}})", name):
        return beat(int(number[1]), scoring)
    if name.startswith("beat:"):
        score = shown(text.strip()[5:])
        raise NotUnderstood("{score} is not a score; type one such as 13", score=score)
    raise NotUnderstood(
        "{text} is not an aim; they are mean, shut, worst-shut, and beat:T, such as beat:8",
        text=shown(text),
    )


NO_AIM = gettext_noop("among other players everybody plays to win: give no aim")


def aim_named(aim: Aim | str, game: Game[Any, Any]) -> Aim:
    """Return an aim given by name or as it is. Raises NotUnderstood for anything else."""
    assert game.scoring is not None  # the caller has refused games without scores
    if isinstance(aim, str):
        return find_aim(aim, game.scoring)
    if not isinstance(aim, Aim):
        raise NotUnderstood(
            "{aim} is not an aim; write mean, shut, worst-shut or beat:8, or give a shutbox.Aim",
            aim=safe_text(aim),
        )
    return aim
