"""Positions and choices of a game or a match as arrays: the one place that says their order."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.errors import TooLarge
from shutbox.game import Choose, Game
from shutbox.games.traits import Encoding, Feature, traits_of
from shutbox.match import Match
from shutbox.rl.match_encoding import match_encoding

Numbers: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.int8]

MOST_NUMBER = 1 << 62  # what a feature can be: int64 holds it


class Encoder:
    """How a game, or a match, is written in arrays.

    An action is the place of a choice in `awaits(position).choices`, from 0.

    >>> from shutbox import find
    >>> six = find("six")
    >>> encoder = Encoder(six)
    >>> here = six.position_at("1-6/5")
    >>> encoder.position(here).tolist(), encoder.mask(here).tolist()
    ([1, 1, 1, 1, 1, 1, 0, 5], [1, 1, 1, 0])
    >>> encoder.choices(here).tolist()[1]
    [1, 0, 0, 1, 0, 0, 0]

    Raises TooLarge for a game that does not say how it is written in numbers, or how many choices
    it can have at most, or where a score is longer than int64.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        turn = game.game if isinstance(game, Match) else game
        traits = traits_of(turn)
        if traits.encoding is None or traits.most_choices is None:
            raise TooLarge(
                "{game} does not say how its positions are written in numbers", game=turn.name
            )
        self.game = game
        self.most_choices = traits.most_choices
        """The most choices that one position can have, by a formula: the number of actions."""
        encoding = traits.encoding()
        if isinstance(game, Match):
            encoding = match_encoding(game, encoding)
            self.most_choices = max(self.most_choices, 3 if game.format.stake else 0)
        self._encoding: Encoding = encoding
        self.features: tuple[Feature, ...] = encoding.position
        """What each number of a position is."""
        self.choice_features: tuple[Feature, ...] = encoding.choice
        """What each number of a choice is."""
        if any(max(f.most, -f.least) > MOST_NUMBER for f in self.features):
            raise TooLarge("{game} has scores that are too long for an array", game=game.name)
        self.low: Numbers = np.array([f.least for f in self.features], np.int64)
        """int64[F]: the least that each number of a position can be."""
        self.high: Numbers = np.array([f.most for f in self.features], np.int64)
        """int64[F]: the most."""
        # Every mask is a part of this: ones, then zeros.
        self._ones_and_zeros = np.repeat(np.array([1, 0], np.int8), self.most_choices)

    def position(self, position: Any) -> Numbers:
        """int64[F]: a position, in the order of `features`."""
        return np.array(self._encoding.of_position(position), np.int64)

    def choices(self, position: Any) -> Numbers:
        """int64[C, G]: its C choices in canonical order, in the order of `choice_features`."""
        awaited = self.game.awaits(position)
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        rows = [self._encoding.of_choice(choice) for choice in choices]
        return np.array(rows, np.int64).reshape(len(rows), len(self.choice_features))

    def mask(self, position: Any) -> Mask:
        """int8[most_choices]: 1 for each action that is open, and these come first."""
        awaited = self.game.awaits(position)
        return self.mask_of(len(awaited.choices) if isinstance(awaited, Choose) else 0)

    def mask_of(self, number: int) -> Mask:
        """int8[most_choices]: the mask of so many choices."""
        start = self.most_choices - number
        return self._ones_and_zeros[start : start + self.most_choices].copy()
