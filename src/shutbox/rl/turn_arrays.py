"""A whole turn as arrays: every position at which a choice is due, and where each action leads.

A place of the turn is a number: 0 to before S, a position at which a choice is due, a *state*; S
and above, a throw, S plus the place of its row in `outcomes`; below 0, an end, the complement of
its number. A row is the number of equally likely outcomes, and then the place that each leads to.

From these arrays `batch_kernel` plays many turns at a time, and values are worked out exactly, that
is by the chances of all throws, in float64; nothing is sampled.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import cost_of
from shutbox.dice import Dice
from shutbox.errors import TooLarge
from shutbox.game import Awaited, Choose, Game, Over, Throw
from shutbox.games.traits import traits_of
from shutbox.messages import gettext
from shutbox.player import Player, picked
from shutbox.rl.encoder import Encoder, Mask, Numbers
from shutbox.solver.expand import as_it_is
from shutbox.solver.objectives import MEAN, Aim

MOST_SECONDS = 0.3
"""What a game may take to be solved in whole fractions, as it says itself; its arrays take some
fifty times as long."""
MOST_ENTRIES = 1 << 24
"""Of all rows together."""
SLACK = 1e-9
"""Actions whose values differ by no more are as good."""

_STATE, _THROW, _END = "state", "throw", "end"
_Place: TypeAlias = tuple[str, int]
Places = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TurnArrays:
    """The arrays of a game of one turn, for an aim; S states, K actions, F features.

    >>> six = TurnArrays.of("six")
    >>> len(six.positions), six.leads.shape, six.numbers.shape
    (237, (237, 4), (237, 8))
    >>> round(six.value, 4), round(six.regret(six.uniform).total, 4)
    (-8.8513, 2.2088)

    A state at which nothing is open is a first throw that itself ends the turn; every action ends
    it then.
    """

    game: Game[Any, Any]
    aim: Aim
    encoder: Encoder
    positions: tuple[Any, ...]
    """The position of each state; a position comes after all that it leads to."""
    numbers: Numbers
    """int64[S, F]: each in the order of `Encoder.features`."""
    counts: Places
    """int32[S]: how many actions are open."""
    leads: Places
    """int32[S, K]: the place that each action leads to; of those that are not open, of the last."""
    outcomes: Places
    """int32: the rows of all throws, one after the other."""
    start: int
    """The place where the turn begins."""
    worths: Floats
    """float64[E]: what each end is worth under the aim, more being better."""
    order: tuple[int, ...]
    """The places of states and throws, each after all that it leads to."""

    @classmethod
    def of(cls, game: Game[Any, Any] | str, aim: Aim | str = MEAN) -> "TurnArrays":
        """The arrays of a game or its name, for an aim or its name.

        Raises TooLarge for a game that is too large, need never end, or does not say how large it
        is or how it is written in numbers; NotUnderstood for a match.
        """
        game = turn_named(game)
        start = game.start()
        if (cost := cost_of(game, start)).seconds > MOST_SECONDS:
            raise TooLarge(
                "{game} has {positions:,} positions, too many to hold all of a turn as arrays",
                game=game.name,
                positions=cost.positions,
            )
        return _Builder(game, aim_named(aim, game)).arrays()

    @cached_property
    def masks(self) -> Mask:
        """int8[S, K]: 1 for each action that is open."""
        return (np.arange(self.leads.shape[1]) < self.counts[:, None]).astype(np.int8)

    @cached_property
    def values(self) -> Floats:
        """float64[S]: the value of each state under best play, exactly."""
        return self._values(None)[0]

    @cached_property
    def action_values(self) -> Floats:
        """float64[S, K]: the value of each action, best play after it; -inf where none is open."""
        at = self._values(None)[1]
        found = np.where(self.masks, at, -np.inf)
        none = self.counts == 0
        found[none] = at[none]
        return found

    @cached_property
    def value(self) -> float:
        """The value of the turn under best play."""
        return self._values(None)[2]

    @cached_property
    def costs(self) -> Floats:
        """float64[S, K]: what each open action loses against the best: 0 or more, else 0."""
        return np.where(self.masks, self.values[:, None] - self.action_values, 0.0)

    @cached_property
    def uniform(self) -> Floats:
        """float64[S, K]: the policy that takes each open action as often."""
        return self.masks / np.maximum(self.counts, 1)[:, None]

    @cached_property
    def best(self) -> Places:
        """int32[S]: the best action, of equally good ones the first."""
        as_good: Places = np.argmax(self.costs + (1 - self.masks) <= SLACK, axis=1)
        return as_good.astype(np.int32)

    def policy(self, player: Player[Any, Any]) -> Places:
        """int32[S]: what a player picks at each state. Raises IllegalChoice for what is not open.

        >>> from shutbox import bot
        >>> six = TurnArrays.of("six")
        >>> round(six.regret(six.policy(bot("fewest"))).total, 4)
        0.0
        """
        found = np.zeros(len(self.positions), np.int32)
        for state, position in enumerate(self.positions):
            awaited = self.game.awaits(position)
            if isinstance(awaited, Choose):
                choices = awaited.choices
                found[state] = choices.index(picked(player, self.game, position, choices))
        return found

    def regret(self, policy: NDArray[Any]) -> "Regret":
        """What a policy loses, exactly: int[S], its actions, or float[S, K], their probabilities.

        Raises ValueError for a policy of another shape, or one that takes what is not open.
        """
        chances = self._chances(policy)
        total = self.value - self._values(chances)[2]
        return Regret(float(total), (chances * self.costs).sum(axis=1), self._visits(chances))

    def _chances(self, policy: NDArray[Any]) -> Floats:
        states, actions = self.leads.shape
        chances = np.asarray(policy)
        if chances.shape == (states,):
            if ((chances < 0) | (chances >= np.maximum(self.counts, 1))).any():
                raise ValueError(gettext("the policy takes an action that is not open"))
            chances = np.eye(actions)[chances] * self.masks
        if chances.shape != (states, actions):
            shapes = gettext(
                "a policy is int[{states}] or float[{states}, {actions}]",
                states=states,
                actions=actions,
            )
            raise ValueError(shapes)
        chances = chances.astype(np.float64)
        sums = np.abs(chances.sum(axis=1) - (self.counts > 0))
        if (chances < 0).any() or (chances * (1 - self.masks)).any() or (sums > SLACK).any():
            raise ValueError(gettext("the probabilities of open actions have no sum of 1"))
        return chances

    def _values(self, chances: Floats | None) -> tuple[Floats, Floats, float]:
        """Of each state, of each action, and of the turn; without a policy, under best play."""
        states = len(self.positions)
        at = np.zeros(states + len(self.outcomes) + len(self.worths))
        # A place below 0 counts from the end, so that of each end is there.
        at[len(at) - len(self.worths) :] = self.worths[::-1]
        actions = np.zeros(self.leads.shape)
        for place in self.order:
            if place >= states:
                row = place - states
                ways = self.outcomes[row]
                at[place] = at[self.outcomes[row + 1 : row + 1 + ways]].mean()
                continue
            open_ = max(1, self.counts[place])
            here = actions[place] = at[self.leads[place]]
            if chances is None or not self.counts[place]:
                at[place] = here[:open_].max()
            else:
                at[place] = chances[place] @ here
        return at[:states], actions, float(at[self.start])

    def _visits(self, chances: Floats) -> Floats:
        """How often each state comes up in a turn."""
        states = len(self.positions)
        often = np.zeros(states + len(self.outcomes) + len(self.worths))
        often[self.start] = 1.0
        for place in reversed(self.order):
            if not (here := often[place]):
                continue
            if place >= states:
                row = place - states
                ways = self.outcomes[row]
                np.add.at(often, self.outcomes[row + 1 : row + 1 + ways], here / ways)
            else:
                np.add.at(often, self.leads[place], here * chances[place])
        return often[:states]


@dataclass(frozen=True, eq=False)
class Regret:
    """What a policy loses against best play, exactly; of a match see `match_regret`."""

    total: float
    """In a turn: the value of best play less its own."""
    costs: Floats
    """float64[S]: what it loses in each state where it comes up, best play after it."""
    visits: Floats
    """float64[S]: how often each state comes up in a turn under the policy."""

    @property
    def per_step(self) -> float:
        """What a step loses in the mean; 0 where no choice was made."""
        return self.total / max(1.0, float(self.visits.sum()))


class _Builder:
    """Finds the places of a turn, each once all that it leads to is there.

    What a place is: its kind, and its number among those of this kind.
    """

    def __init__(self, game: Game[Any, Any], aim: Aim) -> None:
        self.game = game
        self.aim = aim
        scoring = game.scoring
        assert scoring is not None  # an aim is about scores
        self.sign = 1 if aim.more_is_better(scoring, 0) else -1
        self.alike: Callable[[Any], Any] = traits_of(game).alike or as_it_is
        self.positions: list[Any] = []
        self.leads: list[list[_Place]] = []
        self.rows: list[tuple[int, list[tuple[_Place, int]]]] = []
        self.entries = 0
        self.ends: dict[tuple[int, bool], _Place] = {}
        self.worths: list[float] = []
        self.order: list[_Place] = []
        self.known: dict[tuple[Any, bool], _Place] = {}

    def arrays(self) -> TurnArrays:
        start = self.place(self.game.start(), first=True)
        states, encoder = len(self.positions), Encoder(self.game)

        def number(place: _Place) -> int:
            kind, at = place
            return {_STATE: at, _THROW: at + states, _END: ~at}[kind]

        outcomes = np.zeros(self.entries, np.int32)
        for row, falls in self.rows:
            weights = [weight for _, weight in falls]
            outcomes[row] = sum(weights)
            there = [number(place) for place, _ in falls]
            outcomes[row + 1 : row + 1 + sum(weights)] = np.repeat(there, weights)
        leads = np.zeros((states, encoder.most_choices), np.int32)
        for state, places in enumerate(self.leads):
            here = list(map(number, places))
            leads[state, : len(here)] = here
            leads[state, len(here) :] = here[-1]
        awaits = map(self.game.awaits, self.positions)
        counts = [len(a.choices) if isinstance(a, Choose) else 0 for a in awaits]
        return TurnArrays(
            game=self.game,
            aim=self.aim,
            encoder=encoder,
            positions=tuple(self.positions),
            numbers=np.array([encoder.position(here) for here in self.positions]),
            counts=np.array(counts, np.int32),
            leads=leads,
            outcomes=outcomes,
            start=number(start),
            worths=np.array(self.worths),
            order=tuple(map(number, self.order)),
        )

    def place(self, position: Any, *, first: bool) -> _Place:
        """The place of a position; `first` where nothing has been chosen yet."""
        awaited = self.game.awaits(position)
        here = self.alike(position) if isinstance(awaited, Throw) else position
        if (found := self.known.get((here, first))) is None:
            found = self.known[here, first] = self.add(here, awaited, first=first)
        return found

    def add(self, position: Any, awaited: Awaited[Any], *, first: bool) -> _Place:
        match awaited:
            case Over(scores=scores, shut=shut):
                end = self.ends.get((scores[0], shut))
                if end is None:
                    end = self.ends[scores[0], shut] = _END, len(self.worths)
                    self.worths.append(float(self.sign * self.aim.worth(awaited)))
                return self.state(position, [end]) if first else end
            case Choose(choices=choices):
                if first:  # a state is the same, wherever it comes up
                    return self.place(position, first=False)
                after = (self.game.chosen(position, choice) for choice in choices)
                return self.state(position, [self.place(there, first=False) for there in after])
            case Throw(dice=dice):
                return self.throw(position, dice, first=first)

    def state(self, position: Any, leads: list[_Place]) -> _Place:
        self.positions.append(position)
        self.leads.append(leads)
        self.order.append((_STATE, len(self.leads) - 1))
        return self.order[-1]

    def throw(self, position: Any, dice: Dice, *, first: bool) -> _Place:
        often: dict[_Place, int] = {}
        for roll, weight in dice.outcomes():
            there = self.place(self.game.rolled(position, roll), first=first)
            often[there] = often.get(there, 0) + weight
        share = gcd(*often.values())
        falls = [(place, weight // share) for place, weight in often.items()]
        row, self.entries = self.entries, self.entries + 1 + sum(w for _, w in falls)
        if self.entries > MOST_ENTRIES:
            raise TooLarge(
                "a table of {entries:,} outcomes is too large; {most:,} are held",
                entries=self.entries,
                most=MOST_ENTRIES,
            )
        self.rows.append((row, falls))
        self.order.append((_THROW, row))
        return self.order[-1]
