"""A strategy for a box that fits on one sheet of paper: points for tiles, and a rule for dice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from shutbox.english import dice_words, listed
from shutbox.games.box import Box
from shutbox.games.box.rules import BoxPosition, Choice, UseDice
from shutbox.games.box.tile_sets import Cover, places
from shutbox.messages import gettext
from shutbox.solver.solution import GraphSolution

NEVER = 0  # no tiles up total so little: all the dice are thrown wherever one may


@dataclass(frozen=True, slots=True)
class BoxSheet:
    """The strategy of one sheet.

    >>> from shutbox.games.catalogue import find
    >>> box = find("against-all-odds")
    >>> sheet = BoxSheet(box, (2, 1, 0, 0, 4), fewer_up_to=6)
    >>> position = box.position_at("1.3.5.7.9/2+6")
    >>> box.choice_text(sheet.pick(position, box.awaits(position).choices))
    '3 5'
    """

    box: Box
    points: tuple[int, ...]
    """Of each tile, in the order of its places: whole and small. The fewest are covered."""
    fewer_up_to: int | None
    """As few dice as may be are thrown where the tiles up total at most this, and else all; None
    where there is never a choice of dice."""

    def pick(self, position: BoxPosition, choices: tuple[Choice, ...]) -> Choice:
        """The choice by the sheet; of equal ones the first in canonical order."""
        if isinstance(choices[0], UseDice):
            return choices[0 if self._throws_few(self.box.rules.total(position.up)) else -1]
        covers = (choice for choice in choices if isinstance(choice, Cover))
        return min(covers, key=lambda cover: self.of(cover.tiles))

    def _throws_few(self, total: int) -> bool:
        return self.fewer_up_to is None or total <= self.fewer_up_to

    def of(self, tiles: int) -> int:
        """The points of some tiles together."""
        return sum(self.points[place] for place in places(tiles))

    def places(
        self, solution: GraphSolution[Any, Any], dice: dict[int, int] | None = None
    ) -> dict[int, int]:
        """The place of its choice at every node of the box's graph where one is due.

        `dice` are the `dice_choices` of the graph, where they are known already.
        """
        graph = solution.graph
        points = {label: self.of(label) for label in graph.taken}
        found = {}
        for node, labels in graph.labels.items():
            here = [points[label] for label in labels]
            found[node] = here.index(min(here))
        dice = dice_choices(self.box, solution) if dice is None else dice
        for node, total in dice.items():
            found[node] = 0 if self._throws_few(total) else len(graph.children[node]) - 1
        return found

    @property
    def lines(self) -> tuple[str, ...]:
        """The strategy in sentences."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[str]:
        rules = self.box.rules
        up = places(rules.start)
        if rules.variant.behind:
            front = self._points(place for place in up if place < rules.front)
            behind = self._points(place for place in up if place >= rules.front)
            yield gettext("Points of the tiles in front: {points}.", points=front)
            yield gettext("Points of the tiles behind: {points}.", points=behind)
        else:
            yield gettext("Points of the tiles: {points}.", points=self._points(up))
        yield gettext(
            "Take the cover that has the fewest points in all. Of equal ones take the one with "
            "the fewest tiles, and of these the one with the highest tile."
        )
        if self.fewer_up_to is not None:
            yield self._dice(self.fewer_up_to)

    def _points(self, places: Iterable[int]) -> str:
        tiles = self.box.rules.tiles
        return listed(
            gettext("{tile} has {points}", tile=tiles[place].number, points=self.points[place])
            for place in places
        )

    def _dice(self, fewer_up_to: int) -> str:
        number = len(self.box.rules.dice)
        many = dice_words(number)
        few = dice_words(1) if number == 2 else gettext("as few dice as you may")
        if fewer_up_to == NEVER:
            return gettext("Always throw {many}.", many=many)
        if fewer_up_to >= self.box.rules.total(self.box.rules.start):
            return gettext("Throw {few} whenever you may.", few=few)
        return gettext(
            "Where you may choose, throw {few} once the tiles up total at most {most}, and {many} "
            "before.",
            few=few,
            most=fewer_up_to,
            many=many,
        )


def dice_choices(box: Box, solution: GraphSolution[Any, Any]) -> dict[int, int]:
    """The nodes of a box's graph at which dice are chosen, and the total of the tiles up there."""
    graph = solution.graph
    if all(node in graph.labels for node in graph.choices()):
        return {}
    movable = 0
    for tiles in graph.taken:  # a label is the tiles of a cover
        movable |= tiles
    fixed = box.rules.start & ~movable
    found = {}
    some = movable
    while True:
        node = solution.place(BoxPosition(some | fixed))
        if node is not None and len(graph.children[node]) > 1 and not graph.weights[node]:
            found[node] = box.rules.total(some | fixed)
        if not some:
            return found
        some = (some - 1) & movable
