"""The score sheet of a match: a line for each round that is over."""

from collections.abc import Iterable

from shutbox.game import C, P
from shutbox.match.game import Choice, Match
from shutbox.match.rules import RoundResult
from shutbox.play import Event, standing


def sheet(match: Match[P, C], log: Iterable[Event[Choice[C]]]) -> list[RoundResult]:
    """The rounds that are over after these events, in order.

    >>> from shutbox import Roll, Rolled, find
    >>> from shutbox.match import Format
    >>> match = Match(find("lucky-seven"), Format.parse("rounds=2"), ["Ann", "Bob"])
    >>> [first] = sheet(match, [Rolled(Roll((1, 1))), Rolled(Roll((1, 2)))])
    >>> first.winners, [tally.score for tally in first.tallies]
    ((0, 1), [7, 7])
    """
    results = (match.settled(step.after).result for step in standing(match, log))
    return [result for result in results if result is not None]
