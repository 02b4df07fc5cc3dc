"""Turns played at random, by the million: what a player is worth where nobody can work it out.

A player who always chooses the same is asked for every choice first, and what he says becomes a
table that is played without him. One who does not is asked in each turn. Turns are numbered and
draw independently of one another, so the processes that play them make no difference.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

from shutbox.analysis.named import turn_named
from shutbox.analysis.simulation.turn_table import GOLDEN, WORD, TurnTable, outcome
from shutbox.analysis.simulation.workers import check_workers, spread
from shutbox.analysis.solvers.select import check_cost, turns_of
from shutbox.analysis.strategy.evaluate import ASKING
from shutbox.analysis.strategy.following import (
    AnyPlayer,
    Asked,
    check_player,
    followed,
    is_named,
    name_of,
)
from shutbox.cups import secret_below
from shutbox.dice import Dice, Roll
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Choose, Game, Over, Throw
from shutbox.solver.graph import Ending, Progress, unheard
from shutbox.solver.objectives import MEAN
from shutbox.solver.solution import GraphSolution

MOST_TURNS = 10**11
MOST_ASKED_TURNS = 10**8  # where the player is asked in each of them
SHARE = 1 << 20  # turns that a process plays before it tells
ASKED_SHARE = 256
DICE = 1 << 20  # no turn that asks throws more dice


@dataclass(frozen=True)
class Simulation:
    """What came of the turns that were played."""

    game: str
    player: str
    turns: int
    seed: str  # the same seed plays the same turns
    ends: dict[Ending, int]
    """How many turns ended so, by score and whether the box was shut; ascending."""

    @property
    def counts(self) -> dict[int, int]:
        """How many turns had each score, the scores ascending."""
        found: dict[int, int] = {}
        for (score, _), count in self.ends.items():
            found[score] = found.get(score, 0) + count
        return found

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(score * count for score, count in self.counts.items()) / self.turns

    @property
    def standard_error(self) -> float:
        """How far the mean is from the true one, typically; infinite for a single turn.

        The square root of the sample variance, with `turns - 1` below, by the number of turns.
        """
        if self.turns == 1:
            return float("inf")
        mean = self.mean
        squares = sum(count * (score - mean) ** 2 for score, count in self.counts.items())
        return sqrt(squares / (self.turns - 1) / self.turns)

    @property
    def shut(self) -> float:
        """The share of the turns that shut the box, or completed the crew."""
        return sum(count for (_, shut), count in self.ends.items() if shut) / self.turns


def simulate(
    game: Game[Any, Any] | str,
    player: AnyPlayer = "perfect",
    turns: int = 1_000_000,
    *,
    seed: str | int | None = None,
    workers: int = 1,
    progress: Progress = unheard,
) -> Simulation:
    """Many turns of a game, played by one player from its start.

    `player` is a player, a function, or a name, as for `evaluate`; `perfect` plays for the best
    expected score. The same seed plays the same turns, with as many `workers`, processes, as you
    like, and whatever is installed; without one a secret seed is drawn. `progress` is told how many
    turns are played, and of how many.

    >>> import shutbox
    >>> found = shutbox.simulate("classic", "perfect", 2_000, seed="pub")
    >>> round(found.mean, 3), round(found.standard_error, 3), found.counts[0]
    (10.835, 0.175, 205)

    A player who says `deterministic = False` is asked in each turn, and draws for himself: only
    the dice are those of the seed. Raises TooLarge for a game that need never end, for too many
    turns, and for a name where the game cannot be solved within the limits; NotUnderstood for a
    match, and for what is no player, no number of turns or no number of workers; and
    IllegalChoice for a player who takes what is not offered.
    """
    game = turn_named(game)
    check_player(player)
    check_workers(workers)
    table = _table(game, player)
    _check_turns(turns, MOST_TURNS if table else MOST_ASKED_TURNS)
    seed = f"{secret_below(1 << 64):016x}" if seed is None else str(seed)
    key = _key(seed)
    if table is not None:
        work, share = partial(_play_table, table, key), SHARE
    else:
        assert not isinstance(player, str)  # who has a name is followed
        work, share = partial(_play_asked, game, player, key), ASKED_SHARE
    ends = dict[Ending, int]()
    done = 0
    for found in spread(work, tuple(_shares(turns, share)), workers):
        for end, count in found.items():
            ends[end] = ends.get(end, 0) + count
        done += sum(found.values())
        progress(done, turns)
    return Simulation(game.name, name_of(player), turns, seed, dict(sorted(ends.items())))


def _table(game: Game[Any, Any], player: AnyPlayer) -> TurnTable | None:
    """The table of a player; None for one who must be asked in each turn."""
    named = is_named(player)
    if not named and not getattr(player, "deterministic", True):
        return None
    try:
        check_cost(game, game.start(), times=2 if named else ASKING)
        solution = GraphSolution(game, MEAN, turns_of(game, game.start()))
        return TurnTable.of(followed(player, solution))
    except TooLarge:
        if isinstance(player, str):
            raise
        return None


def _check_turns(turns: object, most: int) -> None:
    if not isinstance(turns, int) or turns < 1:
        raise NotUnderstood("turns: {turns} is not a number of turns", turns=turns)
    if turns > most:
        raise TooLarge(
            "{turns:,} turns are too many; at most {most:,} are played", turns=turns, most=most
        )


def _shares(turns: int, share: int) -> Iterator[tuple[int, int]]:
    """The number of the first turn, and how many there are, of each share."""
    for first in range(0, turns, share):
        yield first, min(share, turns - first)


def _key(seed: str) -> int:
    """The first eight bytes of SHA-256 of a seed, see `shutbox.solver.simulation`."""
    from hashlib import sha256  # takes a while to import, and only this needs it

    text = seed.encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(b"shutbox turns 1\n" + text).digest()[:8], "big")


def _play_table(table: TurnTable, key: int, share: tuple[int, int]) -> dict[Ending, int]:
    counts = table.counts(key, *share)
    return {end: count for end, count in zip(table.ends, counts, strict=True) if count}


def _play_asked(
    game: Game[Any, Any], player: Any, key: int, share: tuple[int, int]
) -> dict[Ending, int]:
    asked = Asked(player, game)
    first, turns = share
    found = dict[Ending, int]()
    for turn in range(first, first + turns):
        end = _play_turn(game, asked, _TurnCup(key, turn))
        found[end] = found.get(end, 0) + 1
    return found


def _play_turn(game: Game[Any, Any], asked: Asked[Any, Any], cup: "_TurnCup") -> Ending:
    position = game.start()
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                position = game.rolled(position, cup.throw(dice))
            case Choose(choices=choices):
                position = game.chosen(position, asked.choice(position, choices))
            case Over(scores=scores, shut=shut):
                return scores[0], shut


class _TurnCup:
    """The dice of one turn: draw `k` of turn `i` has the number `i * DICE + k`."""

    def __init__(self, key: int, turn: int) -> None:
        self._counter = key + turn * DICE * GOLDEN

    def throw(self, dice: Dice) -> Roll:
        return dice.read([self._face(sides) for sides in dice.sides])

    def _face(self, sides: int) -> int:
        self._counter += GOLDEN
        return 1 + outcome(self._counter & WORD, sides)
