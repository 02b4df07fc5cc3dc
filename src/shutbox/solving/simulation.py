"""Monte Carlo estimates for players whose value cannot be computed, over millions of random turns.

A deterministic player is queried for every choice in advance. The answers become a table that is
played without the player: the successor of each equally likely outcome of each throw, with all
choices made. `solving.turn_kernel` says how it is read; plain Python does the same for few turns,
and without the extra `fast`. Any other player is queried in each turn. Turns are numbered and draw
independently of one another, so turns can be played in any order.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import gcd, inf, sqrt
from typing import Any

from shutbox.engine.cups import seed_text
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import safe_text
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Game, Over
from shutbox.engine.play import play_out
from shutbox.output.results import Column, Result, Row
from shutbox.solving import compiled
from shutbox.solving.comparison import QUERY_FACTOR
from shutbox.solving.graph import Ending
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.solvers import check_cost, solve_turn
from shutbox.solving.strategy.following import (
    CheckedPlayer,
    PolicyGraph,
    Strategy,
    is_named,
    name_of,
    policy_graph_of,
)
from shutbox.table.bots import AnyPlayer, strategy_of
from shutbox.table.solver_input import turn_meant

MOST_TURNS = 10**11
MOST_ASKED_TURNS = 10**8  # if the player is queried in each turn
SHARE = 1 << 20  # turns between two reports of progress
ASKED_SHARE = 256  # if the player is queried in each turn
DICE = 1 << 20  # random numbers reserved for a turn in which the player is queried
MOST_ENTRIES = 1 << 26  # of a table; a larger one is refused
FEW = 20_000  # turns that take no longer in plain Python than loading the compiled code
WORD = (1 << 64) - 1
GOLDEN, ONE, TWO = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True, repr=False)
class Simulation(Result):
    """The results of simulated turns of one player."""

    COLUMNS = (Column("score", int), Column("shut", bool), Column("turns", int))

    game: str
    player: str
    turns: int
    seed: str  # the same seed plays the same turns
    ends: dict[Ending, int]  # the number of turns with each end (score, shut), ascending

    def _summary(self) -> str:
        mean = f"mean = {self.mean:.4f} +- {self.standard_error:.4f}"
        return f"{self.game}, {self.player}, {self.turns:,} turns, {mean}"

    def _rows(self) -> Iterator[Row]:
        return ((score, shut, count) for (score, shut), count in self.ends.items())

    @property
    def counts(self) -> dict[int, int]:
        """The number of turns with each score, the scores ascending."""
        return {int(score): count for score, count in self._payoffs(MEAN).items()}

    @property
    def mean(self) -> float:
        """The mean score."""
        return self.estimate(MEAN)[0]

    @property
    def standard_error(self) -> float:
        """The standard error of the mean score; infinite for a single turn."""
        return self.estimate(MEAN)[1]

    def estimate(self, aim: Aim | str) -> tuple[float, float]:
        """Return the mean value of the ends for an aim or its name, and its standard error.

        The error is the sample standard deviation (with `turns - 1` in the denominator), divided by
        the square root of the number of turns; infinite for a single turn.
        """
        if not isinstance(aim, Aim):
            aim = aim_named(aim, turn_meant(self.game))
        payoffs = self._payoffs(aim).items()
        mean = float(sum(payoff * count for payoff, count in payoffs) / self.turns)
        if self.turns == 1:
            return mean, inf
        squares = sum(count * (payoff - mean) ** 2 for payoff, count in payoffs)
        return mean, sqrt(squares / (self.turns - 1) / self.turns)

    def _payoffs(self, aim: Aim) -> dict[int | Fraction, int]:
        """Return the number of turns with each value for an aim."""
        counts = Counter[int | Fraction]()
        for (score, shut), count in self.ends.items():
            counts[aim.payoff(Over((score,), shut))] += count
        return counts

    @property
    def shut(self) -> float:
        """The share of the turns that shut the box, or completed the crew."""
        return sum(count for (_, shut), count in self.ends.items() if shut) / self.turns


def simulate(
    game: Game[Any, Any] | str,
    player: AnyPlayer = "perfect",
    turns: int | float = 1_000_000,
    *,
    seed: str | int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play many turns of a game with one player, from its start.

    `player` is a player, a function, or a name, as in `evaluate`; `perfect` plays for the best
    expected score. The same seed gives the same turns, whatever is installed. Without a seed, a
    random one is drawn. `progress` is called with the number of turns played and of all turns.

    >>> import shutbox
    >>> found = shutbox.simulate("classic", "perfect", 2_000, seed="pub")
    >>> round(found.mean, 3), round(found.standard_error, 3), found.counts[0]
    (10.835, 0.175, 205)

    A player with `deterministic = False` is queried in each turn, and draws its own random numbers:
    the seed covers only the dice. Raises NotDeterministic for any other player that is found to
    choose differently at one position; TooLarge for a game without scores or end, for too many
    turns, and for a name if the game cannot be solved within the limits; NotUnderstood for a match
    and for an invalid player or number of turns; IllegalChoice for a choice not offered; and what
    the player and `shutbox.find` raise.
    """
    game = turn_meant(game)
    strategy = strategy_of(player)
    table = _table_of(game, strategy)
    turns = _whole_number(turns, MOST_TURNS if table else MOST_ASKED_TURNS)
    if seed is None:
        from secrets import token_hex  # takes a while to import, and only this needs it

        seed = token_hex(8)
    seed = seed_text(seed)
    key = _key(seed)
    play: Callable[[range], dict[Ending, int]]
    if table is not None:
        play, share = partial(_play_table, table, key), SHARE
    else:
        assert not isinstance(strategy, str)  # a strategy with a name always has a table
        play, share = partial(_play_asked, game, strategy, key), ASKED_SHARE
    ends, report = Counter[Ending](), progress_meant(progress)
    for first in range(0, turns, share):
        ends.update(play(range(first, min(first + share, turns))))
        report(ends.total(), turns)
    return Simulation(game.name, name_of(player), turns, seed, dict(sorted(ends.items())))


def _table_of(game: Game[Any, Any], player: Strategy) -> "TurnTable | None":
    """Return a player's table; None if it varies or costs too much (TooLarge if it is a name)."""
    named = is_named(player)
    if not named and not getattr(player, "deterministic", True):
        return None
    try:
        check_cost(game, game.start(), times=2 if named else QUERY_FACTOR)
        return TurnTable.of(policy_graph_of(player, solve_turn(game, MEAN)))
    except TooLarge:
        if isinstance(player, str):
            raise
        return None


def _whole_number(turns: object, most: int) -> int:
    if isinstance(turns, float) and turns.is_integer():
        turns = int(turns)
    if not isinstance(turns, int) or turns < 1:
        raise NotUnderstood("turns: {turns} is not a number of turns", turns=safe_text(turns)[:40])
    if turns > most:
        raise TooLarge(
            "{turns} turns are too many; at most {most:,} are played",
            turns=safe_text(turns, "{:,}".format),
            most=most,
        )
    return turns


def _key(seed: str) -> int:
    """Return the number from which all draws follow: 8 bytes of the SHA-256 of a tag and a seed."""
    from hashlib import sha256  # takes a while to import, and only this needs it

    text = seed.encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(b"shutbox turns 1\n" + text).digest()[:8], "big")


def _play_table(table: "TurnTable", key: int, turns: range) -> dict[Ending, int]:
    counts = table.count_ends(key, turns.start, len(turns))
    return {end: count for end, count in zip(table.ends, counts, strict=True) if count}


def _play_asked(game: Game[Any, Any], player: Any, key: int, turns: range) -> dict[Ending, int]:
    checked = CheckedPlayer(player, game)
    overs = (play_out(game, checked, _TurnCup(key, turn)) for turn in turns)
    return Counter((over.scores[0], over.shut) for over in overs)


class _TurnCup:
    """A cup for one simulated turn: draw `k`, from 1, of turn `i` has the number `i * DICE + k`."""

    def __init__(self, key: int, turn: int) -> None:
        self._counter = key + turn * DICE * GOLDEN

    def throw(self, dice: Dice) -> Roll:
        return dice.read([self._face(sides) for sides in dice.sides])

    def _face(self, sides: int) -> int:
        self._counter += GOLDEN
        return 1 + outcome(self._counter & WORD, sides)


# The table and the random numbers


@dataclass(frozen=True)
class TurnTable:
    """A turn with every choice made, as a table: it is played by one random draw in each row."""

    entries: "array[int]"
    """int32: a row for each node with random outcomes: the number of equally likely ones, and for
    each the index of the row it leads to, or the complement (~) of the number of an end."""
    root: int  # the start of the turn, as an outcome in `entries`
    ends: tuple[Ending, ...]  # the ends that can occur, by number
    most: int  # the most random draws of a turn, reserved for each; at least 1

    @classmethod
    def of(cls, policy: PolicyGraph) -> "TurnTable":
        """Return the table of a turn whose choices are made. Raises TooLarge above MOST_ENTRIES."""
        graph, chances = policy.graph, policy.graph.scaled_chances(policy.root)
        entries = array("i")
        ends: list[Ending] = []
        leads: dict[int, int] = {}  # the entry that leads to each node
        draws: dict[int, int] = {}  # the most draws from each node on
        reached = (w for w, chance in zip(graph.weights, chances, strict=False) if chance)
        size = sum(map(_outcomes, reached))
        if size > MOST_ENTRIES:
            raise TooLarge(
                "a table of {entries:,} outcomes is too large; {most:,} are held",
                entries=size,
                most=MOST_ENTRIES,
            )
        # Children come before their parents, so the successors of a node are known.
        for node, chance in enumerate(chances):
            if not chance:
                continue
            children, weights = graph.children[node], graph.weights[node]
            drawn = len(children) > 1  # a single outcome needs no draw
            draws[node] = max((draws[child] for child in children), default=0) + drawn
            if drawn:
                leads[node] = len(entries)
                share = gcd(*weights)
                entries.append(_outcomes(weights))
                for child, weight in zip(children, weights, strict=True):
                    entries.extend([leads[child]] * (weight // share))
            elif children:
                leads[node] = leads[children[0]]
            else:
                leads[node] = ~len(ends)
                ends.append(graph.ends[node])
        return cls(entries, leads[policy.root], tuple(ends), max(1, draws[policy.root]))

    def count_ends(self, key: int, first: int, turns: int) -> list[int]:
        """Return how often `turns` turns, numbered from `first`, end at each of `ends`.

        `key` is the number from which all draws follow; see `turn_kernel`.
        """
        if turns <= FEW or not compiled.installed():
            return self._count_in_python(key, first, turns)
        arrays = compiled.turn_kernel()
        table = arrays.np.frombuffer(self.entries, arrays.np.int32)
        ends = arrays.count_ends(table, self.root, len(self.ends), self.most, key, first, turns)
        return [int(count) for count in ends]

    def _count_in_python(self, key: int, first: int, turns: int) -> list[int]:
        entries = self.entries
        ends = [0] * len(self.ends)
        for turn in range(first, first + turns):
            entry, counter = self.root, key + turn * self.most * GOLDEN
            while entry >= 0:
                counter += GOLDEN
                entry = entries[entry + 1 + outcome(counter & WORD, entries[entry])]
            ends[~entry] += 1
        return ends


def outcome(counter: int, count: int) -> int:
    """Return one of `count` outcomes, from 0, by the counter of a draw (64 bits), without bias.

    >>> [outcome(number * GOLDEN & WORD, 6) for number in range(1, 9)]
    [5, 2, 0, 5, 0, 1, 1, 4]
    """
    draw = mix(counter)
    share = (draw >> 32) * count
    if share & 0xFFFFFFFF < count:
        while share & 0xFFFFFFFF < (1 << 32) % count:
            draw = mix((draw + GOLDEN) & WORD)
            share = (draw >> 32) * count
    return share >> 32


def mix(word: int) -> int:
    """Return the output of the generator SplitMix64 for a state of 64 bits.

    >>> hex(mix(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    word = (word ^ word >> 30) * ONE & WORD
    word = (word ^ word >> 27) * TWO & WORD
    return word ^ word >> 31


def _outcomes(weights: tuple[int, ...]) -> int:
    """Return how many equally likely outcomes a node with weights has; 0 without weights."""
    return sum(weights) // gcd(*weights) if weights else 0
