"""A match in features: the turn that is played, and how everybody stands.

What a position leads to by itself has come about already: the numbers are those where somebody is
due, or of the end.
"""

from functools import partial
from typing import Any

from shutbox.game import C, P
from shutbox.games.traits import Encoding, Feature
from shutbox.match import Match
from shutbox.match.chips import WithoutChips
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Turn
from shutbox.match.transitions import MOST_AGAIN

DOING = (Turn, Contest, Opening, Ended)
"""What is being done, by its number."""
ABOUT, STATUS, ANSWERS = tuple(About), tuple(Status), tuple(WithoutChips)


def match_encoding(match: Match[P, C], turn: Encoding) -> Encoding:
    """The encoding of a match, from that of its game.

    A position: the turn, all 0 between turns; what is being done (turn, contest, question, end),
    who is due, and the round; then for each seat what it has. A choice: that of the turn, and after
    it buy, sit out and leave.
    """
    whole, each = _features(match)
    per_seat = (
        Feature(f"{feature.name}_{seat}", feature.most, feature.least)
        for seat in range(len(match.players))
        for feature in each
    )
    answers = tuple(Feature(answer.name.lower(), 1) for answer in ANSWERS)
    nothing = tuple(max(0, feature.least) for feature in turn.position)
    of_turn = tuple(
        Feature(feature.name, feature.most, min(0, feature.least)) for feature in turn.position
    )
    # A space whose bounds are equal is none: what is always 0 has an upper bound of 1.
    position = (*of_turn, *whole, *per_seat)
    return Encoding(
        position=tuple(Feature(f.name, max(f.most, f.least + 1), f.least) for f in position),
        choice=(*turn.choice, *answers),
        of_position=partial(_of_position, match, turn, nothing),
        of_choice=partial(_of_choice, turn),
    )


def _features(match: Match[Any, Any]) -> tuple[tuple[Feature, ...], tuple[Feature, ...]]:
    """What a match says beside the turn, and what it says of each seat."""
    seats, format = len(match.players), match.format
    scoring = match.scoring
    low, high = min(scoring.best, scoring.worst), max(scoring.best, scoring.worst)
    least, most = match.rules.scores
    # The bank gives to who has none, at most once a round.
    chips = sum(match.rules.purses) + match.rules.refill * seats * format.most_rounds
    pips = sum(match.rules.dice.sides)
    whole = (
        Feature("doing", len(DOING) - 1),
        Feature("due", seats - 1),
        Feature("round", format.most_rounds),
        Feature("first", seats - 1),
        Feature("pot", chips),
        Feature("about", len(ABOUT) - 1),
        Feature("again", MOST_AGAIN),
    )
    each = (
        Feature("total", high, low),
        Feature("score", max(0, most), min(0, least)),
        Feature("has_score", 1),
        Feature("shut", 1),
        Feature("sits_out", 1),
        Feature("status", len(STATUS) - 1),
        Feature("chips", chips),
        Feature("in_contest", 1),
        Feature("threw", pips),
    )
    return whole, each


def _of_position(
    match: Match[Any, Any], turn: Encoding, nothing: tuple[int, ...], position: Standing[Any]
) -> tuple[int, ...]:
    here = match.settled(position).position
    doing = here.doing
    played, due, about, again = nothing, 0, 0, 0
    threw: dict[int, int] = {}
    match doing:
        case Turn(seat=due, at=at):
            played = turn.of_position(at)
        case Contest():
            about, again = ABOUT.index(doing.about), doing.again
            due = doing.among[len(doing.rolls)]
            totals = [roll.total for roll in doing.rolls]
            waiting = [0] * (len(doing.among) - len(totals))
            threw = dict(zip(doing.among, totals + waiting, strict=True))
        case Opening():
            due = match.rules.asked(here) or 0
        case Ended():
            pass
    found = [*played, DOING.index(type(doing)), due, here.round, here.first, here.pot, about, again]
    for seat, tally in enumerate(here.tallies):
        found += (
            tally.total,
            tally.score or 0,
            tally.score is not None,
            tally.shut,
            tally.sits_out,
            STATUS.index(tally.status),
            tally.chips,
            seat in threw,
            threw.get(seat, 0),
        )
    return tuple(map(int, found))


def _of_choice(turn: Encoding, choice: Any) -> tuple[int, ...]:
    answers = tuple(int(choice is answer) for answer in ANSWERS)
    played = (0,) * len(turn.choice) if any(answers) else turn.of_choice(choice)
    return (*played, *answers)
