"""The graph of all turns of a box, from which it is solved in exact fractions."""

from heapq import heappop, heappush

from shutbox.games.box.packed_rules import PackedRules
from shutbox.games.box.rules import BoxPosition
from shutbox.solving.graph import Builder
from shutbox.solving.progress import Progress, no_progress

Moves = dict[int, list[tuple[int, tuple[int, ...]]]]
"""For each number of dice that can be thrown: (weight, tiles of each legal cover)."""


class BoxGraph:
    """The graph of all turns of a box, for solving it; it begins with the tiles `packed.up`."""

    def __init__(self, packed: PackedRules, progress: Progress = no_progress) -> None:
        self._packed = packed
        self.root = packed.up  # the tiles up where the graph begins
        self._at: dict[int, int] = {}
        self._throws: dict[tuple[int, int], int] = {}
        self._builder = Builder(taken=self._taken)
        moves = self._moves(progress)
        # A subset is a smaller number, so successors are added first.
        for up in sorted(moves):
            self._add(up, moves.pop(up))
        self.graph = self._builder.graph()

    @property
    def places(self) -> dict[tuple[int, int], int]:
        """The node by (tiles up, dice to be thrown); the dice are 0 before a number is chosen."""
        return {**{(up, 0): node for up, node in self._at.items()}, **self._throws}

    @property
    def boxes(self) -> int:
        """An upper bound on how many sets of tiles can be up, see `PackedRules.positions`."""
        return self._packed.positions

    def find(self, position: BoxPosition) -> int | None:
        """Return the node of a position; None if it has a roll or the root does not lead to it."""
        if position.roll:
            return None
        if position.dice is None:
            return self._at.get(position.up)
        return self._throws.get((position.up, position.dice))

    def holds(self, position: BoxPosition) -> bool:
        """Whether the tiles up can be reached from the root; the dice are not checked."""
        return position.up in self._at

    def _moves(self, progress: Progress) -> dict[int, Moves]:
        """Return the moves by the tiles up, for all that can be reached; a shut box has none."""
        packed = self._packed
        moves: dict[int, Moves] = {}
        seen, waiting = {packed.up}, [-packed.up]
        while waiting:
            up = -heappop(waiting)
            numbers = () if packed.rules.is_shut(up) else packed.rules.dice_open(up)
            by_dice = moves[up] = {number: list(packed.falls_at(up, number)) for number in numbers}
            covers = {tiles for falls in by_dice.values() for _, cs in falls for tiles in cs}
            for after in {up ^ tiles for tiles in covers} - seen:
                seen.add(after)
                heappush(waiting, -after)
            if len(moves) % 1024 == 0:
                progress(len(moves), 2 * packed.positions)
        return moves

    def _taken(self, covers: tuple[int, ...]) -> list[tuple[int, ...]]:
        numbers = self._packed.rules.numbers
        return [tuple(numbers(tiles)) for tiles in covers]

    def _add(self, up: int, moves: Moves) -> None:
        builder, at = self._builder, self._at
        if self._packed.rules.is_shut(up):
            at[up] = builder.end(self._packed.rules.score(up), True)
            return
        stuck = None
        for number, falls in moves.items():
            children = []
            for weight, covers in falls:
                if covers:
                    child = builder.choice(tuple([at[up ^ tiles] for tiles in covers]), covers)
                else:
                    if stuck is None:
                        stuck = builder.end(self._packed.rules.score(up), False)
                    child = stuck
                children.append((child, weight))
            self._throws[up, number] = builder.throw(children)
        at[up] = builder.choice(tuple(self._throws[up, number] for number in moves))
