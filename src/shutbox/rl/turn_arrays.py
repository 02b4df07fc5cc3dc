"""A whole turn as arrays: every position at which a choice is due, and where each action leads.

A *place* of the turn is a number. From 0 to S - 1 it is a *state*, a position at which a choice is
due. From S on it is a throw: S plus the offset of its row in `outcomes`. Below 0 it is an end: the
bitwise complement of its number. A row has the count of equally likely outcomes, then their places.

`solving.turn_kernel` plays many turns at a time from these arrays. Values are computed exactly from
the odds of all throws, and only the results are rounded to float64; nothing is sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.messages import gettext
from shutbox.engine.play import Player, ask_player
from shutbox.games.traits import traits_of
from shutbox.rl.encoder import Encoder, Mask, Numbers
from shutbox.rl.regret import Floats, Regret
from shutbox.solving.fold import ResultOf, node_fold
from shutbox.solving.graph import Builder, Graph
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.solvers import cost_of
from shutbox.table.bots import as_player, bot
from shutbox.table.solver_input import turn_meant

MOST_SECONDS = 0.3
"""The longest that a game can take to solve in exact fractions, as its traits estimate. Its arrays
take some fifty times as long."""
MOST_ENTRIES = 1 << 24  # the most entries of all rows together
SLACK = 1e-9  # actions whose values differ by no more are equally good

Places = NDArray[np.int32]


@dataclass(frozen=True, eq=False, repr=False)
class TurnArrays:
    """The arrays of a game of one turn, for an aim, with S states, K actions and F features.

    >>> six = TurnArrays.of("six")
    >>> six
    TurnArrays(six, mean, 237 states)
    >>> len(six.positions), six.leads.shape, six.numbers.shape
    (237, (237, 4), (237, 8))
    >>> round(six.value, 4), round(six.regret(six.uniform).total, 4)
    (-8.8513, 2.2088)

    A state is a position at which a choice is due, and an action the index of a choice there. In
    all values more is better, so a score is negated if low is good. A state without legal actions
    stands for a first throw that itself ends the turn; then any action ends it. `pickle` keeps the
    arrays in a file.
    """

    game: Game[Any, Any]
    aim: Aim
    encoder: Encoder
    positions: tuple[Any, ...]
    """The position of each state; every position comes after its successors."""
    numbers: Numbers
    """int64[S, F]: the encoded positions, in the order of `Encoder.features`."""
    counts: Places
    """int32[S]: the number of legal actions."""
    leads: Places
    """int32[S, K]: the place that each action leads to, for illegal ones that of the last legal."""
    outcomes: Places
    """int32: the rows of all throws, one after the other."""
    start: int
    """The place where the turn begins."""
    payoffs: Floats
    """float64[E]: the payoff of each end under the aim; more is better."""
    order: tuple[int, ...]
    """The places of states and throws, each after its successors."""
    place_values: Floats
    """float64: the value of each place under best play; negative places count from the back."""

    @classmethod
    def of(cls, game: Game[Any, Any] | str, aim: Aim | str = MEAN) -> "TurnArrays":
        """Return the arrays of a game for an aim; both can be given by name.

        Raises TooLarge for a game that is too large, can go on forever, or has no defined size or
        encoding; NotUnderstood for a match or an unknown aim; and what `find` raises.
        """
        game = turn_meant(game)
        start = game.start()
        if (cost := cost_of(game, start)).seconds > MOST_SECONDS:
            raise TooLarge(
                "{game} has {positions:,} positions, too many to hold all of a turn as arrays",
                game=game.name,
                positions=cost.positions,
            )
        return _arrays(game, aim_named(aim, game))

    def __repr__(self) -> str:
        return f"TurnArrays({self.game.name}, {self.aim.name}, {len(self.positions):,} states)"

    @cached_property
    def masks(self) -> Mask:
        """int8[S, K]: 1 for each legal action."""
        return (np.arange(self.leads.shape[1]) < self.counts[:, None]).astype(np.int8)

    @cached_property
    def values(self) -> Floats:
        """float64[S]: the exact value of each state under best play."""
        return self.place_values[: len(self.positions)]

    @cached_property
    def action_values(self) -> Floats:
        """float64[S, K]: the value of each action, with best play after it; -inf if it is illegal.

        Every action in a state without legal actions has the value of the end.
        """
        after = self.place_values[self.leads]
        values = np.where(self.masks, after, -np.inf)
        none_legal = self.counts == 0
        values[none_legal] = after[none_legal]
        return values

    @cached_property
    def value(self) -> float:
        """The value of the turn under best play; a score is negated if low is good."""
        return float(self.place_values[self.start])

    @cached_property
    def costs(self) -> Floats:
        """float64[S, K]: the loss of each legal action against the best; 0 for illegal actions."""
        return np.where(self.masks, self.values[:, None] - self.action_values, 0.0)

    @cached_property
    def uniform(self) -> Floats:
        """float64[S, K]: the policy that takes each legal action with the same probability."""
        return self.masks / np.maximum(self.counts, 1)[:, None]

    @cached_property
    def best(self) -> Places:
        """int32[S]: the best action; of equally good ones the first; 0 if none is legal."""
        as_good: Places = np.argmax(self.costs + (1 - self.masks) <= SLACK, axis=1)
        return as_good.astype(np.int32)

    def policy(self, player: Player[Any, Any] | str) -> Places:
        """Return int32[S]: the action that a player takes in each state, 0 where none is legal.

        `player` can be a name. Raises what `shutbox.bot` raises, and IllegalChoice if the player
        picks something that is no choice there.
        """
        player = as_player(player)
        actions = np.zeros(len(self.positions), np.int32)
        for state, position in enumerate(self.positions):
            awaited = self.game.awaits(position)
            if isinstance(awaited, Choose):
                choices = awaited.choices
                actions[state] = choices.index(ask_player(player, self.game, position, choices))
        return actions

    def regret(self, policy: NDArray[Any]) -> Regret:
        """Return the exact loss of a policy: an action at each state, or probabilities of actions.

        `policy` is int[S] or float[S, K], and 0 in states without legal actions. Raises ValueError
        for another shape, for illegal actions, and for probabilities that do not sum to 1.
        """
        chances = self._chances(policy)
        costs, visits = (chances * self.costs).sum(axis=1), self._visits(chances)
        return Regret(float(visits @ costs), costs, visits)

    def _chances(self, policy: NDArray[Any]) -> Floats:
        states, actions = self.leads.shape
        chances = np.asarray(policy)
        if chances.shape == (states,) and chances.dtype.kind in "iu":
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
        """Return float64[S]: how often each state comes up, on average, under a policy."""
        states = len(self.positions)
        often = np.zeros(states + len(self.outcomes) + len(self.payoffs))
        often[self.start] = 1.0
        for place in reversed(self.order):
            if not (visits := often[place]):
                continue
            if place >= states:
                row = place - states
                count = self.outcomes[row]
                np.add.at(often, self.outcomes[row + 1 : row + 1 + count], visits / count)
            else:
                np.add.at(often, self.leads[place], visits * chances[place])
        return often[:states]


def baselines(turns: TurnArrays | str) -> dict[str, Regret]:
    """Return the exact regret of each of four strategies, by name, to compare a learner with.

    They are a random player, fewest tiles, a sheet of paper, and perfect play. A game's name stands
    for `TurnArrays.of(name)`, which can raise an error.

    >>> found = baselines(TurnArrays.of("six", "shut"))
    >>> {name: round(regret.total, 4) for name, regret in found.items()}
    {'random': 0.0361, 'fewest': 0.0, 'sheet': 0.0, 'perfect': 0.0}
    """
    turns = turns if isinstance(turns, TurnArrays) else TurnArrays.of(turns)
    regrets = {"random": turns.regret(turns.uniform)}
    for kind in ("fewest", "sheet"):
        regrets[kind] = turns.regret(turns.policy(bot(kind)))
    return {**regrets, "perfect": turns.regret(turns.best)}


def _arrays(game: Game[Any, Any], aim: Aim) -> TurnArrays:
    """Return the arrays of a game, from its graph with every state as a node of its own."""
    graph, root, states = _graph_of(game)
    places, outcomes = _places(graph, [*states])

    # The places that actions lead to. The columns of illegal actions repeat the last legal one.
    encoder = Encoder(game)
    leads = np.zeros((len(states), encoder.most_choices), np.int32)
    for row, state in zip(leads, states, strict=True):
        children = places[list(graph.children[state])]
        row[:] = children[-1]
        row[: len(children)] = children

    # The payoffs of ends, so that more is better, and the values that follow. They are computed in
    # whole numbers and rounded only here; the negative places of ends count from the back.
    scoring = game.scoring
    assert scoring is not None  # a game with an aim has scores
    sign = 1 if aim.more_is_better(scoring, 0) else -1
    payoffs = {
        end: Fraction(sign * aim.payoff(Over((score,), shut)))
        for end, (score, shut) in graph.ends.items()
    }
    values, divisor = graph.values_and_divisor(payoffs, more=True)
    place_values = np.zeros(len(states) + len(outcomes) + len(payoffs))
    place_values[places] = [value / divisor for value in values]

    awaits = map(game.awaits, states.values())
    return TurnArrays(
        game=game,
        aim=aim,
        encoder=encoder,
        positions=tuple(states.values()),
        numbers=np.array([encoder.position(position) for position in states.values()]),
        counts=np.array([len(a.choices) if isinstance(a, Choose) else 0 for a in awaits], np.int32),
        leads=leads,
        outcomes=outcomes,
        start=int(places[root]),
        payoffs=np.array([float(payoff) for payoff in payoffs.values()]),
        # Nodes are numbered from the ends upward, so each place comes after its successors.
        order=tuple(place for place in places.tolist() if place >= 0),
        place_values=place_values,
    )


def _graph_of(game: Game[Any, Any]) -> tuple[Graph, int, dict[int, Any]]:
    """Return the graph of a turn, its root, and the position of each node that is a state."""
    builder, states = Builder(), dict[int, Any]()
    canonical = traits_of(game).canonical

    def add_state(position: Any, children: tuple[int, ...]) -> int:
        node = builder.choice(children, keep=True)
        states[node] = position
        return node

    def choice_node(position: Any, awaited: Choose[Any], after: ResultOf[int]) -> int:
        return add_state(position, tuple(map(after, awaited.choices)))

    def merge_throws(position: Any) -> Any:
        """Return the position that stands for all throws like this one; a state only for itself."""
        is_throw = isinstance(game.awaits(position), Throw)
        return canonical(position) if canonical and is_throw else position

    node_of = node_fold(game, builder, choice_node, canonical=merge_throws)

    # The throws before the first choice have a fold of their own, in which an end is a state, too.
    def first_choice(position: Any, awaited: Choose[Any], after: ResultOf[int]) -> int:
        return node_of(position)

    def early_end(position: Any, over: Over) -> int:
        return add_state(position, (node_of(position),))

    first_node_of = node_fold(game, builder, first_choice, over=early_end, canonical=merge_throws)
    root = first_node_of(game.start())
    return builder.graph(), root, states


def _places(graph: Graph, states: Sequence[int]) -> tuple[Places, Places]:
    """Return each node's place, and the rows of throws. Raises TooLarge above MOST_ENTRIES.

    The weights of a throw are divided by their common factor, so that its row is as short as it can
    be. An outcome stands in the row as often as its weight says.
    """
    shares = [gcd(*falls) for falls in graph.weights]
    counts = [graph.total // share if share else 0 for share in shares]
    entries = sum(number + 1 for number in counts if number)
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
    for node, number in enumerate(counts):
        if number:
            often = np.array(graph.weights[node]) // shares[node]
            places[node] = len(states) + row
            outcomes[row] = number
            outcomes[row + 1 : row + 1 + number] = np.repeat(
                places[list(graph.children[node])], often
            )
            row += number + 1
    return places, outcomes
