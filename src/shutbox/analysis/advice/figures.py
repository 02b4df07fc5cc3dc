"""Advice as numbers, to be drawn: what each choice is worth, and what it costs."""

from dataclasses import dataclass

from shutbox.analysis.advice.ranking import Advice, Ranked
from shutbox.analysis.wording import is_chance
from shutbox.game import RuleCard, Scoring


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """One choice, and what comes of it under best play."""

    text: str  # the choice in notation
    says: str  # what a voice calls it
    value: float  # an expected score, or the chance of what is played for
    cost: float  # what it is worth less than the best choice: 0 or more
    shut: float  # the chance to shut the box, or to complete the crew
    best: bool  # whether no choice is better

    @classmethod
    def of(cls, one: Ranked) -> "ChoiceFigures":
        """Return a ranked choice as numbers."""
        figures = float(one.value), float(one.cost), float(one.shut)
        return cls(one.text, one.says, *figures, best=not one.cost)


@dataclass(frozen=True, slots=True)
class AdviceFigures:
    """The choices of a position as numbers, best first."""

    aim: str  # mean, win, shut or another word of docs/odds.md: what values are of
    chance: bool  # whether they are chances, from 0 to 1, or else points
    low_is_good: bool  # whether less of them is better
    shuts: str  # what `shut` is the chance of, such as "shuts the box"
    choices: tuple[ChoiceFigures, ...]
    more: int  # how many worse choices there are besides
    why: str = ""  # what speaks for the best, a sentence, where that is told


def figures(advice: Advice, scoring: Scoring, card: RuleCard, most: int) -> AdviceFigures:
    """The best choices of some advice, at most so many, as numbers.

    >>> from shutbox.analysis.advice.adviser import Adviser
    >>> from shutbox.games.catalogue import find_position
    >>> game, here = find_position("classic:1.3.4.9/1+3")
    >>> found = figures(Adviser(game).advise(here), game.scoring, game.card(), most=1)
    >>> best = found.choices[0]
    >>> best.text, round(best.value, 2), best.cost, round(best.shut, 3), best.best, found.more
    ('4', 9.94, 0.0, 0.058, True, 1)
    """
    chance = is_chance(advice.aim)
    return AdviceFigures(
        aim=advice.aim,
        chance=chance,
        # Nobody who asks for a hint plays for being worst, but words for it there are.
        low_is_good=advice.aim == "worst-shut" or (scoring.low_is_good and not chance),
        shuts=card.shuts,
        choices=tuple(map(ChoiceFigures.of, advice.ranked[:most])),
        more=max(0, len(advice.ranked) - most),
    )
