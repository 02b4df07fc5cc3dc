"""A whole turn as arrays: every position at which a choice is due, and where each action leads.

A *place* of the turn is a number. From 0 to S - 1 it is a *state*, a position at which a choice is
due. From S on it is a throw: S plus the offset of its row in `outcomes`. Below 0 it is an end: the
bitwise complement of its number. A row has the count of equally likely outcomes, then their places.

`solving.turn_kernel` plays many turns at a time from these arrays. Values are computed exactly from
the odds of all throws, and only the results are rounded to float64; nothing is sampled.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from shutbox.engine.english import figure, shown
from shutbox.engine.errors import NotKept, NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.messages import gettext
from shutbox.engine.play import Play, Player, picked
from shutbox.engine.typed_text import check_is
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.output.results import Column, Result, Row
from shutbox.rl.encoder import Encoder, Mask, Numbers
from shutbox.solving.equity.match_value import Equity
from shutbox.solving.fold import ResultOf, nodes, unchanged
from shutbox.solving.graph import Builder, Graph
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.review.review import Record, ShareValuation, opened, reviewed
from shutbox.solving.solvers import cost_of, turn_named
from shutbox.table.bots import as_player, bot

MOST_SECONDS = 0.3
"""The longest that a game can take to solve in exact fractions, as its traits estimate. Its arrays
take some fifty times as long."""
MOST_ENTRIES = 1 << 24  # the most entries of all rows together
SLACK = 1e-9  # actions whose values differ by no more are equally good
VERSION = 1  # the version of the files
_UNREADABLE = (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile, zlib.error)
_HELD = ("numbers", "counts", "leads", "outcomes", "start", "payoffs", "order", "at")

Places = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class TurnArrays(Result):
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
    stands for a first throw that itself ends the turn; then any action ends it.
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
    at: Floats
    """float64: the value of each place under best play; negative places count from the back."""

    @classmethod
    def of(cls, game: Game[Any, Any] | str, aim: Aim | str = MEAN) -> "TurnArrays":
        """Return the arrays of a game for an aim; both can be given by name.

        Raises TooLarge for a game that is too large, can go on forever, or has no defined size or
        encoding; NotUnderstood for a match or an unknown aim; and what `find` raises.
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

    def save(self, path: Path | str) -> None:
        """Write the arrays to a file; NumPy adds a missing `.npz`. Raises NotKept if that fails."""
        places = map(self.game.position_id, self.positions)
        held: dict[str, Any] = {name: getattr(self, name) for name in _HELD}
        held |= {"game": self.game.name, "aim": self.aim.name, "positions": [*places]}
        try:
            np.savez_compressed(path, version=VERSION, **held)
        except (OSError, TypeError, ValueError) as error:
            facts = {"file": shown(path), "reason": getattr(error, "strerror", "") or error}
            raise NotKept("{file} cannot be written: {reason}", **facts) from None

    @classmethod
    def load(cls, path: Path | str, game: Game[Any, Any] | None = None) -> "TurnArrays":
        """Return the arrays that `save` wrote; `game` is needed if it cannot be found by its name.

        Raises NotUnderstood if the file cannot be read or is not of the game, TooLarge for a game
        without an encoding, and what `find` and, for the positions, `Game.position_at` raise.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
            of, version = str(found.pop("game")), int(found.pop("version"))
            aim, ids = str(found.pop("aim")), found.pop("positions").tolist()
            fits = version == VERSION and found.keys() == set(_HELD)
        except _UNREADABLE as error:
            facts = {"file": shown(path), "reason": str(error)[:200]}
            raise NotUnderstood("{file} cannot be read: {reason}", **facts) from None
        game = turn_named(of if game is None else game)
        encoder = Encoder(game)
        shape = len(ids), len(encoder.features)
        if not fits or game.name != of or found["numbers"].shape != shape:
            raise NotUnderstood("{file} has no arrays of {game}", file=shown(path), game=game.name)
        return cls(
            game=game,
            aim=aim_named(aim, game),
            encoder=encoder,
            positions=tuple(map(game.position_at, ids)),
            order=tuple(found.pop("order").tolist()),
            start=int(found.pop("start")),
            **found,
        )

    def _summary(self) -> str:
        return f"{self.game.name}, {self.aim.name}, {len(self.positions):,} states"

    @cached_property
    def masks(self) -> Mask:
        """int8[S, K]: 1 for each legal action."""
        return (np.arange(self.leads.shape[1]) < self.counts[:, None]).astype(np.int8)

    @cached_property
    def values(self) -> Floats:
        """float64[S]: the exact value of each state under best play."""
        return self.at[: len(self.positions)]

    @cached_property
    def action_values(self) -> Floats:
        """float64[S, K]: the value of each action, with best play after it; -inf if it is illegal.

        Every action in a state without legal actions has the value of the end.
        """
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

        `player` can be a name, as in `shutbox.bot`. Raises IllegalChoice if the player picks
        something that is no choice there.
        """
        player = as_player(player)
        found = np.zeros(len(self.positions), np.int32)
        for state, position in enumerate(self.positions):
            awaited = self.game.awaits(position)
            if isinstance(awaited, Choose):
                choices = awaited.choices
                found[state] = choices.index(picked(player, self.game, position, choices))
        return found

    def regret(self, policy: NDArray[Any]) -> "Regret":
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
            if not (here := often[place]):
                continue
            if place >= states:
                row = place - states
                count = self.outcomes[row]
                np.add.at(often, self.outcomes[row + 1 : row + 1 + count], here / count)
            else:
                np.add.at(often, self.leads[place], here * chances[place])
        return often[:states]


@dataclass(frozen=True, eq=False, repr=False)
class Regret(Result):
    """The exact loss of a policy against best play in a turn; for a match see `match_regret`."""

    COLUMNS = (Column("state", int), Column("cost", float), Column("visits", float))

    total: float
    """The value of best play minus the value of the policy."""
    costs: Floats
    """float64[S]: the loss in each state when it comes up, with best play after it."""
    visits: Floats
    """float64[S]: how often each state comes up in a turn under the policy, on average."""

    def _summary(self) -> str:
        return f"total = {figure(self.total)}, per step = {figure(self.per_step)}"

    def _rows(self) -> Iterator[Row]:
        pairs = zip(self.costs.tolist(), self.visits.tolist(), strict=True)
        return ((state, *pair) for state, pair in enumerate(pairs))

    @property
    def per_step(self) -> float:
        """The mean loss of a step; 0 if no choice was made."""
        return self.total / max(1.0, float(self.visits.sum()))


def baselines(turns: TurnArrays | str) -> dict[str, Regret]:
    """Return the exact regret of each of four strategies, by name, to compare a learner with.

    They are a random player, fewest tiles, a sheet of paper, and perfect play. A game's name stands
    for `TurnArrays.of(name)`.

    >>> found = baselines(TurnArrays.of("six", "shut"))
    >>> {name: round(regret.total, 4) for name, regret in found.items()}
    {'random': 0.0361, 'fewest': 0.0, 'sheet': 0.0, 'perfect': 0.0}
    """
    turns = turns if isinstance(turns, TurnArrays) else TurnArrays.of(turns)
    found = {"random": turns.regret(turns.uniform)}
    for kind in ("fewest", "sheet"):
        found[kind] = turns.regret(turns.policy(bot(kind)))
    return {**found, "perfect": turns.regret(turns.best)}


def _arrays(game: Game[Any, Any], aim: Aim) -> TurnArrays:
    """Return the arrays of a game, from a graph in which every choice is a node of its own."""
    builder, states = Builder(), dict[int, Any]()  # the position of each node that is a state

    def state(position: Any, leads: tuple[int, ...]) -> int:
        states[node := builder.stop(leads)] = position
        return node

    def choose(position: Any, choose: Choose[Any], after: ResultOf[int]) -> int:
        return state(position, tuple(map(after, choose.choices)))

    def chosen(position: Any, choose: Choose[Any], after: ResultOf[int]) -> int:
        return node(position)

    def ended(position: Any, over: Over) -> int:
        return state(position, (node(position),))

    def plain(here: Any) -> Any:  # every state has its own node, not every throw
        return canonical(here) if isinstance(game.awaits(here), Throw) else here

    canonical = traits_of(game).canonical or unchanged
    node = nodes(game, builder, choose, canonical=plain)
    # An end before the first choice is a state of its own.
    root = nodes(game, builder, chosen, over=ended, canonical=plain)(game.start())
    graph, scoring = builder.graph(), game.scoring
    assert scoring is not None  # a game with an aim has scores
    sign = 1 if aim.more_is_better(scoring, 0) else -1
    payoffs = {
        end: Fraction(sign * aim.payoff(Over((score,), shut)))
        for end, (score, shut) in graph.ends.items()
    }
    places, outcomes = _places(graph, [*states])
    encoder = Encoder(game)
    leads = np.zeros((len(states), encoder.most_choices), np.int32)
    for row, here in zip(leads, states, strict=True):
        children = places[list(graph.children[here])]
        row[:] = children[-1]
        row[: len(children)] = children
    values, divisor = graph.valued(payoffs, more=True)
    at = np.zeros(len(states) + len(outcomes) + len(payoffs))
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
        payoffs=np.array([float(payoff) for payoff in payoffs.values()]),
        order=tuple(place for place in places.tolist() if place >= 0),
        at=at,
    )


def _places(graph: Graph, states: Sequence[int]) -> tuple[Places, Places]:
    """Return each node's place, and the rows of throws. Raises TooLarge above MOST_ENTRIES."""
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


def match_regret(equity: Equity, record: Record) -> tuple[Regret, ...]:
    """Return the losses of each seat's choices in a play or a record of a solved match.

    Losses are shares of the win: 0.01 is one win in a hundred. `costs` has those of the seat's
    choices in the order of play, if everybody plays best after each, within 1e-9 of the exact ones.
    Each choice was made once: all `visits` are 1. `total` is the sum of costs, `per_step` the mean.

    >>> import shutbox
    >>> from shutbox.engine.cups import SeededCup
    >>> from shutbox.engine.play import Chosen, Play, Rolled
    >>> solved = shutbox.equity("six[seats=2,rounds=2]")
    >>> play, cup = Play(solved.match), SeededCup("pub")
    >>> while not isinstance(awaited := play.awaits, shutbox.Over):
    ...     throws = isinstance(awaited, shutbox.Throw)
    ...     play.happen(
    ...         Rolled(cup.throw(awaited.dice)) if throws
    ...         else Chosen(awaited.choices[-1]))
    >>> for regret in match_regret(solved, play):
    ...     print(round(regret.total, 4), regret.costs.round(4).tolist())
    0.4514 [0.1391, 0.0, 0.0, 0.3123]
    0.7275 [0.2645, 0.463]

    `record` is anything that `shutbox.review` takes, over or not; undone choices do not count.
    Raises what `shutbox.review` raises for a record, and NotUnderstood for one of another game.
    """
    check_is(equity, Equity)
    found = opened(record)
    play = found if isinstance(found, Play) else found.play
    game, match = play.game, equity.match
    if not isinstance(game, Match) or (game.game, game.name) != (match.game, match.name):
        raise NotUnderstood(
            "{played} was played, and {solved} was solved", played=game.name, solved=match.name
        )
    review = reviewed(play, ShareValuation(match, equity))
    return tuple(
        Regret(float(seat.cost), costs, np.ones(len(costs)))
        for place, seat in enumerate(review.seats)
        for costs in [np.array([float(c.cost) for c in review.choices if c.seat == place])]
    )
