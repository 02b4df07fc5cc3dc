"""The encoding of positions and choices of a game or a match as arrays of numbers."""

from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import C, Choose, Game, P, position_meant
from shutbox.games.traits import Encoding, Feature, traits_of
from shutbox.match import Match, turn_game
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Opening,
    Standing,
    Status,
    Turn,
    WithoutChips,
)
from shutbox.match.transitions import MOST_REPEATS
from shutbox.table.lookup import game_meant

Numbers: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.int8]

MOST_NUMBER = 1 << 62  # the largest feature, so that int64 holds it


class Encoder:
    """An encoder of the positions and the choices of a game or a match, as arrays of numbers.

    An action is the index of a choice in `awaits(position).choices`; positions can be given as
    text. Raises TooLarge for a game that does not define an encoding or its most choices, or that
    has scores too long for int64, and what `find` raises for a name.

    >>> from shutbox import find
    >>> six = find("six")
    >>> encoder = Encoder(six)
    >>> here = six.position_at("1-6/5")
    >>> encoder.position(here).tolist(), encoder.mask(here).tolist()
    ([1, 1, 1, 1, 1, 1, 0, 5], [1, 1, 1, 0])
    >>> encoder.choices(here).tolist()[1]
    [1, 0, 0, 1, 0, 0, 0]
    """

    def __init__(self, game: Game[Any, Any] | str) -> None:
        game = game_meant(game)
        turn = turn_game(game)
        traits = traits_of(turn)
        if traits.encoding is None or traits.most_choices is None:
            raise TooLarge(
                "{game} does not say how its positions are written in numbers", game=turn.name
            )
        self.game, self._start = game, game.start()
        self.most_choices = traits.most_choices
        """The number of actions: the most choices that one position can have, by a formula."""
        encoding = traits.encoding()
        if isinstance(game, Match):
            encoding = _match_encoding(game, encoding)
            self.most_choices = max(self.most_choices, 3 if game.format.stake else 0)
        self._encoding: Encoding = encoding
        self.features: tuple[Feature, ...] = encoding.position
        """The name and the range of each number of a position."""
        self.choice_features: tuple[Feature, ...] = encoding.choice
        """The name and the range of each number of a choice."""
        if any(max(f.most, -f.least) > MOST_NUMBER for f in self.features):
            raise TooLarge("{game} has scores that are too long for an array", game=game.name)
        self.low: Numbers = np.array([f.least for f in self.features], np.int64)
        """int64[F]: the lower bound of each number of a position."""
        self.high: Numbers = np.array([f.most for f in self.features], np.int64)
        """int64[F]: the upper bound of each number of a position."""
        # Every mask is a slice of this: ones, then zeros.
        self._ones_and_zeros = np.repeat(np.array([1, 0], np.int8), self.most_choices)

    def position(self, position: Any) -> Numbers:
        """Return a position as int64[F], in the order of `features`."""
        read = position_meant(self.game, position, self._start)
        return np.array(self._encoding.of_position(read), np.int64)

    def choices(self, position: Any) -> Numbers:
        """Return int64[C, G]: the `choice_features` of each of C choices, in order; C can be 0."""
        awaited = self.game.awaits(position_meant(self.game, position, self._start))
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        rows = [self._encoding.of_choice(choice) for choice in choices]
        return np.array(rows, np.int64).reshape(len(rows), len(self.choice_features))

    def mask(self, position: Any) -> Mask:
        """Return the mask of a position, int8[most_choices]: 1 for its legal actions, then 0."""
        awaited = self.game.awaits(position_meant(self.game, position, self._start))
        return self.mask_of(len(awaited.choices) if isinstance(awaited, Choose) else 0)

    def mask_of(self, number: int) -> Mask:
        """Return the mask of a position with `number` choices, int8[most_choices]."""
        start = self.most_choices - number
        return self._ones_and_zeros[start : start + self.most_choices].copy()


DOING = (Turn, Contest, Opening, Ended)  # the phases of a match, by their number in the encoding
ABOUT, STATUS, ANSWERS = tuple(About), tuple(Status), tuple(WithoutChips)


def _match_encoding(match: Match[P, C], turn: Encoding) -> Encoding:
    """Return the encoding of a match, made from that of its game.

    A position has the numbers of the turn, all 0 between turns; the phase (turn, contest, question,
    end), the seat that is due, the round and so on; and then the tally of each seat, with one throw
    each also its row. A choice has the numbers of the turn's choice, and then buy, sit out, leave.
    """
    seats, format = len(match.players), match.format
    # The bank gives chips to a seat that cannot pay for a round, at most once a round.
    chips = sum(match.rules.purses) + match.rules.refill * seats * format.most_rounds
    whole = (  # in the order of `_of_position`
        Feature("doing", len(DOING) - 1),
        Feature("due", seats - 1),
        Feature("round", format.most_rounds),
        Feature("first", seats - 1),
        Feature("pot", chips),
        Feature("about", len(ABOUT) - 1),
        Feature("again", MOST_REPEATS),
    )
    each = _seat_features(match, turn, chips)
    per_seat = (f._replace(name=f"{f.name}_{seat}") for seat in range(seats) for f in each)
    answers = tuple(Feature(answer.name.lower(), 1) for answer in ANSWERS)
    blank = tuple(max(0, feature.least) for feature in turn.position)
    of_turn = (f._replace(least=min(0, f.least)) for f in turn.position)
    # A space with equal bounds is invalid, so a number that is always 0 has an upper bound of 1.
    position = (*of_turn, *whole, *per_seat)
    return Encoding(
        position=tuple(f._replace(most=max(f.most, f.least + 1)) for f in position),
        choice=(*turn.choice, *answers),
        of_position=partial(_of_position, match, turn, blank),
        of_choice=partial(_of_choice, turn),
    )


def _of_position(
    match: Match[Any, Any], turn: Encoding, blank: tuple[int, ...], position: Standing[Any]
) -> tuple[int, ...]:
    """Return the numbers of a position; `blank` are those of the turn while there is none."""
    standing = match.settled(position).position
    doing = standing.doing
    played, due, contest, repeats = blank, 0, 0, 0
    threw: dict[int, int] = {}
    match doing:
        case Turn(seat=due, at=at):
            played = turn.of_position(at)
        case Contest():
            contest, repeats = ABOUT.index(doing.about), doing.repeats
            due = doing.among[len(doing.rolls)]
            totals = [roll.total for roll in doing.rolls]
            waiting = [0] * (len(doing.among) - len(totals))
            threw = dict(zip(doing.among, totals + waiting, strict=True))
        case Opening():
            due = match.rules.seat_short_of_chips(standing) or 0
        case Ended():
            pass
    phase = DOING.index(type(doing))
    numbers = [*played, phase, due, standing.round, standing.first, standing.pot, contest, repeats]
    for seat in range(len(match.players)):
        numbers += _seat_numbers(standing, seat, threw)
        if match.rules.rows:
            row = turn.of_position(standing.rows[seat]) if standing.rows else blank
            is_thrower = seat == getattr(doing, "thrower", None)
            numbers += (standing.tallies[seat].passed, is_thrower, *row)
    return tuple(map(int, numbers))


def _seat_features(match: Match[P, C], turn: Encoding, chips: int) -> tuple[Feature, ...]:
    """Return the features of a seat, those of `_seat_numbers` first; `chips` is the most chips."""
    low, high = sorted((match.scoring.best, match.scoring.worst))
    least, most = match.rules.score_range
    features = (
        Feature("total", high, low),
        Feature("score", max(0, most), min(0, least)),
        Feature("has_score", 1),
        Feature("shut", 1),
        Feature("sits_out", 1),
        Feature("status", len(STATUS) - 1),
        Feature("chips", chips),
        Feature("in_contest", 1),
        Feature("threw", sum(match.rules.dice.sides)),
    )
    if not match.rules.rows:
        return features
    of_row = (f._replace(name=f"row_{f.name}") for f in turn.position)
    return (*features, Feature("passed", 1), Feature("threw_for_all", 1), *of_row)


def _seat_numbers(standing: Standing[Any], seat: int, threw: dict[int, int]) -> tuple[int, ...]:
    """Return the numbers of a seat without its row; `threw` has the pips by seat of a contest."""
    tally = standing.tallies[seat]
    return (
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


def _of_choice(turn: Encoding, choice: Any) -> tuple[int, ...]:
    answers = tuple(int(choice is answer) for answer in ANSWERS)
    played = (0,) * len(turn.choice) if any(answers) else turn.of_choice(choice)
    return (*played, *answers)
