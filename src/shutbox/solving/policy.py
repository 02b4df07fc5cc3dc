"""The best choices of all positions as NumPy arrays, for further computation."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose, Game, Throw
from shutbox.engine.scene import Kind, State
from shutbox.output.results import Column, Result

MOST_ROWS = 2_000_000  # a policy that is estimated to have more is refused
_LIES = (State.LYING, State.HELD)


@dataclass(frozen=True, eq=False, repr=False)
class Policy(Result):
    """The best choice at each of N positions where one is due, in `Solution.positions` order.

    Each position has the same row in all arrays. T is the number of tiles in a position's scene, 0
    in Cargo; D is the most dice that lie in any position's scene.

    >>> import shutbox
    >>> policy = shutbox.solve("six").policy()
    >>> len(policy), policy.up.shape, policy.rolls.shape
    (237, (237, 6), (237, 1))
    >>> [column[4].item() for column in (policy.positions, policy.choices, policy.counts)]
    ['1.2.3.4.5.6/5', '5', 3]
    """

    COLUMNS = (
        *(Column("position"), Column("roll"), Column("count", int), Column("best", int)),
        *(Column("choice"), Column("value", float)),
    )

    game: str
    """The name of the game."""
    aim: str
    """The name of the aim."""
    positions: NDArray[np.str_]
    """str[N]: the text of each position, as `Game.position_at` reads it."""
    up: NDArray[np.bool_]
    """bool[N, T]: whether each tile is up, in the order of the scene."""
    rolls: NDArray[np.int8]
    """int8[N, D]: the pips of the dice that lie, in the order of the scene, padded with 0; all 0
    before a throw, where only the number of dice is chosen."""
    counts: NDArray[np.int32]
    """int32[N]: the number of choices."""
    best: NDArray[np.int32]
    """int32[N]: the index in `awaits(position).choices` of the best choice, the first of equals."""
    choices: NDArray[np.str_]
    """str[N]: the text of the best choice, as `Game.parse_choice` reads it."""
    values: NDArray[np.float64]
    """float64[N]: the value of the position under best play, in the unit of the aim."""

    def __len__(self) -> int:
        return len(self.positions)

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield a row for each position; the roll is text such as 2+4, or None if no dice lie."""
        for row, pips in enumerate(self.rolls.tolist()):
            yield (
                self.positions[row].item(),
                "+".join(str(pip) for pip in pips if pip) or None,
                *(self.counts[row].item(), self.best[row].item()),
                *(self.choices[row].item(), self.values[row].item()),
            )

    def _summary(self) -> str:
        return f"{self.game}, {self.aim}, {len(self):,} positions"


def best_policy(solution: Any) -> Policy:
    """Return the policy of a `Solution`. Raises TooLarge if an estimate exceeds MOST_ROWS rows."""
    game = solution.game
    most = solution.size * _most_rolls(game, solution.start)
    if most > MOST_ROWS:
        raise TooLarge(
            "{game} may have {positions:,} positions with a choice; a policy has at most {most:,}. "
            "Ask `best` of the positions that you need",
            game=game.name,
            positions=most,
            most=MOST_ROWS,
        )
    rows: list[tuple[Any, ...]] = []
    for position in solution.positions():
        if not isinstance(game.awaits(position), Choose):
            continue
        options, pieces = solution.options(position), game.scene(position).pieces
        best, choice = options.best, game.choice_text(options.choice)
        up = [piece.state is State.UP for piece in pieces if piece.kind is Kind.TILE]
        dice = (piece for piece in pieces if piece.kind is Kind.DIE and piece.state in _LIES)
        roll = [die.number or 0 for die in dice]
        entry = len(options.choices), best, choice, float(options.values[best])
        rows.append((game.position_id(position), up, roll, *entry))
    texts, ups, rolls, *rest = zip(*rows, strict=True) if rows else [()] * 7
    counts, places, choices, values = rest
    most = max(map(len, rolls), default=0)
    filled = [[*pips, *[0] * (most - len(pips))] for pips in rolls]
    return Policy(
        game=game.name,
        aim=solution.aim.name,
        positions=np.array(texts, np.str_),
        up=np.array(ups, np.bool_).reshape(len(rows), len(ups[0]) if ups else 0),
        rolls=np.array(filled, np.int8).reshape(len(rows), most),
        counts=np.array(counts, np.int32),
        best=np.array(places, np.int32),
        choices=np.array(choices, np.str_),
        values=np.array(values, np.float64),
    )


def _most_rolls(game: Game[Any, Any], position: Any) -> int:
    """Return the most different rolls of the next throw, whatever is chosen first; 1 at an end."""
    match game.awaits(position):
        case Throw(dice=dice):
            return dice.roll_count
        case Choose(choices=choices):
            return max(_most_rolls(game, game.chosen(position, choice)) for choice in choices)
    return 1
