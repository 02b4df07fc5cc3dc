"""The graph of a box's turns, made from its packed rules."""

from heapq import heappop, heappush

from shutbox.games.box.packed import PackedRules
from shutbox.games.box.rules import BoxPosition
from shutbox.solver.graph import Builder, Progress, unheard

Moves = dict[int, list[tuple[int, tuple[int, ...]]]]
"""For each number of dice that can be thrown: (weight, tiles of each legal cover)."""


class BoxGraph:
    """The graph of all turns from the position with the tiles `packed.up`.

    >>> from shutbox.games.catalogue import find
    >>> box = find("six")
    >>> six = BoxGraph(box.traits.packed(box.start()))
    >>> six.find(box.start()) == len(six.graph.children) - 1  # its successors come first
    True
    """

    def __init__(self, packed: PackedRules, progress: Progress = unheard) -> None:
        self._packed = packed
        self.root = packed.up  # the tiles up where the graph begins
        self._at: dict[int, int] = {}
        self._throws: dict[tuple[int, int], int] = {}
        self._builder = Builder()
        moves = self._moves(progress)
        # A subset is a smaller number, so successors are added first.
        for here in sorted(moves):
            self._add(here, moves.pop(here))
        self.graph = self._builder.graph()

    @property
    def places(self) -> dict[tuple[int, int], int]:
        """The node by tiles up and number of dice to be thrown, 0 before that is chosen."""
        return {**{(up, 0): node for up, node in self._at.items()}, **self._throws}

    @property
    def boxes(self) -> int:
        """An upper bound on the sets of tiles that can be up, see `PackedRules.positions`."""
        return self._packed.positions

    def find(self, position: BoxPosition) -> int | None:
        """Return the node of a position; None if dice lie or the root does not lead to it."""
        if position.roll:
            return None
        if position.dice is None:
            return self._at.get(position.up)
        return self._throws.get((position.up, position.dice))

    def holds(self, position: BoxPosition) -> bool:
        """Whether the tiles up can be reached from the root; the dice are not checked."""
        return position.up in self._at

    def _moves(self, progress: Progress) -> dict[int, Moves]:
        """Return the moves by reachable tiles up; add each cover to `self._builder.taken`."""
        packed = self._packed
        moves: dict[int, Moves] = {}
        seen, waiting = {packed.up}, [-packed.up]
        while waiting:
            up = -heappop(waiting)
            numbers = () if packed.rules.is_shut(up) else packed.rules.dice_open(up)
            here = moves[up] = {number: list(packed.falls_at(up, number)) for number in numbers}
            covers = {tiles for falls in here.values() for _, cs in falls for tiles in cs}
            for tiles in covers - self._builder.taken.keys():
                self._builder.taken[tiles] = tuple(packed.rules.numbers(tiles))
            for after in {up ^ tiles for tiles in covers} - seen:
                seen.add(after)
                heappush(waiting, -after)
            if len(moves) % 1024 == 0:
                progress(len(moves), 2 * packed.positions)
        return moves

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
