"""A whole turn as arrays: every position at which a choice is due, and where each action leads.

A place of the turn is a number: 0 to before S, a position at which a choice is due, a *state*; S
and above, a throw, S plus the place of its row in `outcomes`; below 0, an end, the complement of
its number. A row is the number of equally likely outcomes, and then the place that each leads to.

From these arrays `batch_kernel` plays many turns at a time. Values are exact, by the chances of all
throws, and float64 at the end; nothing is sampled.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import cost_of
from shutbox.bots import bot
from shutbox.errors import TooLarge
from shutbox.game import Choose, Game, Over, Throw
from shutbox.games.traits import traits_of
from shutbox.messages import gettext
from shutbox.player import Player, picked
from shutbox.rl.encoder import Encoder, Mask, Numbers
from shutbox.solver.fold import After, as_it_is, nodes
from shutbox.solver.graph import Builder, Graph
from shutbox.solver.objectives import MEAN, Aim

MOST_SECONDS = 0.3
"""What a game may take to be solved in whole fractions, as it says itself; its arrays take some
fifty times as long."""
MOST_ENTRIES = 1 << 24
"""Of all rows together."""
SLACK = 1e-9
"""Actions whose values differ by no more are as good."""

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
    at: Floats
    """float64: the value of each place under best play; those of ends are at its end."""

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
        return _arrays(game, aim_named(aim, game))

    @cached_property
    def masks(self) -> Mask:
        """int8[S, K]: 1 for each action that is open."""
        return (np.arange(self.leads.shape[1]) < self.counts[:, None]).astype(np.int8)

    @cached_property
    def values(self) -> Floats:
        """float64[S]: the value of each state under best play, exactly."""
        return self.at[: len(self.positions)]

    @cached_property
    def action_values(self) -> Floats:
        """float64[S, K]: the value of each action, best play after it; -inf where none is open."""
        at = self.at[self.leads]
        found = np.where(self.masks, at, -np.inf)
        none = self.counts == 0
        found[none] = at[none]
        return found

    @cached_property
    def value(self) -> float:
        """The value of the turn under best play."""
        return float(self.at[self.start])

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
        costs, visits = (chances * self.costs).sum(axis=1), self._visits(chances)
        return Regret(float(visits @ costs), costs, visits)

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


def baselines(turns: TurnArrays) -> dict[str, Regret]:
    """What well-known ways to play lose: something to hold a learner against.

    The exact regret of a random player, of fewest tiles, of a sheet of paper, and of perfect play.

    >>> found = baselines(TurnArrays.of("six", "shut"))
    >>> {name: round(regret.total, 4) for name, regret in found.items()}
    {'random': 0.0361, 'fewest': 0.0, 'sheet': 0.0, 'perfect': 0.0}
    """
    found = {"random": turns.regret(turns.uniform)}
    for kind in ("fewest", "sheet"):
        found[kind] = turns.regret(turns.policy(bot(kind)))
    return {**found, "perfect": turns.regret(turns.best)}


def _arrays(game: Game[Any, Any], aim: Aim) -> TurnArrays:
    """The arrays, read off the graph in which every choice is a node."""
    builder, states = Builder(), dict[int, Any]()  # the position of each node that is a state

    def state(position: Any, leads: tuple[int, ...]) -> int:
        states[node := builder.stop(leads)] = position
        return node

    def choose(position: Any, choose: Choose[Any], after: After[int]) -> int:
        return state(position, tuple(map(after, choose.choices)))

    def chosen(position: Any, choose: Choose[Any], after: After[int]) -> int:
        return node(position)

    def ended(position: Any, over: Over) -> int:
        return state(position, (node(position),))

    alike = _alike_in_throws(game)
    node = nodes(game, builder, choose, alike=alike)
    # Where nothing has been chosen yet, an end is a state of its own.
    root = nodes(game, builder, chosen, over=ended, alike=alike)(game.start())
    graph, scoring = builder.graph(), game.scoring
    assert scoring is not None  # an aim is about scores
    sign = 1 if aim.more_is_better(scoring, 0) else -1
    worths = {
        end: Fraction(sign * aim.worth(Over((score,), shut)))
        for end, (score, shut) in graph.ends.items()
    }
    places, outcomes = _places(graph, [*states])
    encoder = Encoder(game)
    leads = np.zeros((len(states), encoder.most_choices), np.int32)
    for row, here in zip(leads, states, strict=True):
        there = places[list(graph.children[here])]
        row[:] = there[-1]
        row[: len(there)] = there
    values, divisor = graph.valued(worths, more=True)
    at = np.zeros(len(states) + len(outcomes) + len(worths))
    at[places] = [value / divisor for value in values]
    awaits = map(game.awaits, states.values())
    return TurnArrays(
        game=game,
        aim=aim,
        encoder=encoder,
        positions=tuple(states.values()),
        numbers=np.array([encoder.position(here) for here in states.values()]),
        counts=np.array([len(a.choices) if isinstance(a, Choose) else 0 for a in awaits], np.int32),
        leads=leads,
        outcomes=outcomes,
        start=int(places[root]),
        worths=np.array([float(worth) for worth in worths.values()]),
        order=tuple(place for place in places.tolist() if place >= 0),
        at=at,
    )


def _alike_in_throws(game: Game[Any, Any]) -> Callable[[Any], Any]:
    """Which positions go on in the same way; each state is one of its own."""
    if (alike := traits_of(game).alike) is None:
        return as_it_is
    return lambda here: alike(here) if isinstance(game.awaits(here), Throw) else here


def _places(graph: Graph, states: Sequence[int]) -> tuple[Places, Places]:
    """The place of each node, and the rows of all throws. Raises TooLarge beyond MOST_ENTRIES."""
    shares = [gcd(*falls) for falls in graph.weights]
    ways = [graph.ways // share if share else 0 for share in shares]
    entries = sum(number + 1 for number in ways if number)
    if entries > MOST_ENTRIES:
        raise TooLarge(
            "a table of {entries:,} outcomes is too large; {most:,} are held",
            entries=entries,
            most=MOST_ENTRIES,
        )
    places = np.zeros(len(graph.children), np.int32)
    places[states] = np.arange(len(states))
    places[list(graph.ends)] = ~np.arange(len(graph.ends))
    outcomes = np.zeros(entries, np.int32)
    row = 0
    for node, number in enumerate(ways):
        if number:
            often = np.array(graph.weights[node]) // shares[node]
            places[node] = len(states) + row
            outcomes[row] = number
            outcomes[row + 1 : row + 1 + number] = np.repeat(
                places[list(graph.children[node])], often
            )
            row += number + 1
    return places, outcomes
