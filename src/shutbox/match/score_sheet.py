"""The score sheet of a match: a line for each round that is over."""

from collections.abc import Iterable

from shutbox.game import C, P
from shutbox.match.game import Choice, Match
from shutbox.match.outcome import RoundResult
from shutbox.match.standing import Standing
from shutbox.play import Step


def sheet(
    match: Match[P, C], steps: Iterable[Step[Standing[P], Choice[C]]]
) -> tuple[RoundResult, ...]:
    """The rounds that are over after these steps of a play, in order.

    >>> from shutbox import Play, Roll, Rolled, find
    >>> from shutbox.match import Format
    >>> match = Match(find("lucky-seven"), Format.parse("rounds=2"), ["Ann", "Bob"])
    >>> play = Play(match, [Rolled(Roll((1, 1))), Rolled(Roll((1, 2)))])
    >>> [first] = sheet(match, play.steps)
    >>> first.winners, [tally.score for tally in first.tallies]
    ((0, 1), [7, 7])
    """
    results = (match.settled(step.after).result for step in steps)
    return tuple(result for result in results if result is not None)
