"""A strategy for a box that fits on one sheet of paper: points for tiles, and a rule for dice.

The loss of a strategy is the sum, over all choices, of how often a choice comes up times what the
strategy loses there. How often it comes up depends little on the points. So the points are improved
with these frequencies fixed, which takes no solving: choices between the same covers are added up.
Then a pass over the graph gives the new frequencies and the exact loss. All numbers are whole and
the order is fixed, so the same box has the same sheet everywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, cycle, product
from typing import Any, NamedTuple

from shutbox.engine.english import counted, in_html, listed
from shutbox.engine.game import position_meant
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.games.box import Box
from shutbox.games.box.rules import BoxPosition, Choice, UseDice
from shutbox.games.box.tile_sets import Cover, places
from shutbox.solving.graph_solution import GraphSolution

NEVER = 0  # below any total of tiles up, so all the dice are always thrown
MOST_POINTS = 9  # points are single digits: people add them up in their heads
LEVEL = 4  # the points of each tile where all have the same, so that any tile can get fewer or more
ROUNDS = 5  # of a search for points and a pass over the graph
MOST_CHOICES = 2500  # the most lists of covers to choose from that are considered, costliest first
MOST_EVALUATIONS = 2_000_000  # the most evaluations of such lists in all
REGRET_SCALE = 10**15  # the factor that makes regrets whole

Points = tuple[int, ...]
Regrets = list[int]  # the loss of each choice, times how often its position comes up


@dataclass(frozen=True, slots=True)
class BoxSheet:
    """A strategy for a box, short enough for a sheet of paper: points of tiles, a rule for dice."""

    box: Box
    points: tuple[int, ...]
    """The points of each tile, by place; the cover with the fewest points is taken."""
    fewer_up_to: int | None
    """The largest total of the tiles up at which as few dice as possible are thrown; above it all
    are thrown. None if there is never a choice of dice."""

    def pick(self, position: BoxPosition, choices: tuple[Choice, ...]) -> Choice:
        """Return the one of `choices` that the sheet prescribes, the first of equally good ones.

        They are the choices due at the position, in canonical order. Raises NotUnderstood for a
        view of another game and for anything that is no position.
        """
        position = position_meant(self.box, position)
        if isinstance(choices[0], UseDice):
            return choices[0 if self._throws_few(self.box.rules.total(position.up)) else -1]
        covers = (choice for choice in choices if isinstance(choice, Cover))
        return min(covers, key=lambda cover: self._points_of(cover.tiles))

    def _throws_few(self, total: int) -> bool:
        return self.fewer_up_to is None or total <= self.fewer_up_to

    def _points_of(self, tiles: int) -> int:
        """Return the sum of the points of a set of tiles: bit i stands for the tile in place i."""
        return sum(self.points[place] for place in places(tiles))

    def child_indices(self, solution: GraphSolution[Any, Any]) -> dict[int, int]:
        """Return, by node with a choice, the index of the child that the sheet takes."""
        graph = solution.graph
        offered = set[int]().union(*graph.labels.values())
        points = {tiles: self._points_of(tiles) for tiles in offered}
        indices = {}
        for node, covers in graph.labels.items():
            scores = [points[tiles] for tiles in covers]
            indices[node] = scores.index(min(scores))
        for node, total in dice_choices(self.box, solution).items():
            indices[node] = 0 if self._throws_few(total) else len(graph.children[node]) - 1
        return indices

    def _repr_html_(self) -> str:
        return in_html(self.box.card().title, self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """The strategy in sentences."""
        rules = self.box.rules
        up = places(rules.start)
        lines = [gettext("Points of the tiles: {points}.", points=self._list_points(up))]
        if rules.variant.behind:
            front = self._list_points(place for place in up if place < rules.front)
            behind = self._list_points(place for place in up if place >= rules.front)
            lines = [gettext("Points of the tiles in front: {points}.", points=front)]
            lines.append(gettext("Points of the tiles behind: {points}.", points=behind))
        # Translators: a cover: the tiles that one throw puts down; equal ones have as many points.
        says = gettext(
            "Take the cover that has the fewest points in all. Of equal ones take the one with "
            "the fewest tiles, and of these the one with the highest tile."
        )
        dice = [] if self.fewer_up_to is None else [self._dice_rule(self.fewer_up_to)]
        return (*lines, says, *dice)

    def _list_points(self, indices: Iterable[int]) -> str:
        tiles = self.box.rules.tiles
        return listed(
            gettext("{tile} has {points}", tile=tiles[place].number, points=self.points[place])
            for place in indices
        )

    def _dice_rule(self, fewer_up_to: int) -> str:
        number = len(self.box.rules.dice)
        if fewer_up_to == NEVER:
            return counted("Always throw one die.", "Always throw {number} dice.", number)
        if fewer_up_to >= self.box.rules.total(self.box.rules.start):
            if number == 2:
                return gettext("Throw one die whenever you may.")
            # Translators: may: as the rules of the box allow.
            return gettext("Throw as few dice as you may.")
        says = gettext_noop(
            "If you have the choice, throw all dice while {more} or more is up, then as few as you "
            "may."
        )
        if number == 2:
            says = gettext_noop(
                "If you have the choice, throw two dice while {more} or more is up, then one."
            )
        return gettext(says, more=fewer_up_to + 1)


def dice_choices(box: Box, solution: GraphSolution[Any, Any]) -> dict[int, int]:
    """Return the total of the tiles up, by node of the graph where a number of dice is chosen."""
    turns: Any = solution.turns  # the graph of a box
    free = {node for node in turns.graph.choice_nodes() if node not in turns.graph.labels}
    positions = turns.places.items() if free else ()
    return {node: box.rules.total(up) for (up, _), node in positions if node in free}


def fit_sheet(box: Box, solution: GraphSolution[Any, Any]) -> BoxSheet:
    """Search for a sheet that loses little against best play for the solution's aim; return it."""
    fit = _Fit(box, solution)
    best = min(map(fit.evaluate, fit.starts()), key=lambda evaluation: evaluation.loss)
    budget = MOST_EVALUATIONS
    for _ in range(ROUNDS):
        regrets = fit.regrets(best.often)
        search = _Search(best.sheet.points, fit.by_covers(regrets), budget)
        search.run()
        budget = search.budget
        other = fit.evaluate(BoxSheet(box, search.points, fit.fewer_up_to(regrets)))
        if other.loss >= best.loss:
            break
        best = other
    return best.sheet


def plain_sheet(box: Box) -> BoxSheet:
    """Return a sheet that needs no solution: cover the fewest tiles, throw the fewest dice."""
    level = (LEVEL,) * len(box.rules.tiles)
    return BoxSheet(box, level, box.rules.total(box.rules.start))


class _Evaluation(NamedTuple):
    """The result of playing by a sheet from the start: how often each node is reached, the loss."""

    sheet: BoxSheet
    often: list[int]  # how often each node is reached, out of the scale of the graph
    loss: Fraction  # against best play, in the unit of the aim


class _Fit:
    """The judge of sheets for a box: measures by its solution how much they lose, and where."""

    def __init__(self, box: Box, solution: GraphSolution[Any, Any]) -> None:
        self._box = box
        self._solution = solution
        self._graph = solution.graph
        root = solution.place(box.start())
        assert root is not None  # the graph begins there
        self._root = root
        self._dice = dice_choices(box, solution)
        self._total = box.rules.total(box.rules.start)

    def starts(self) -> tuple[BoxSheet, ...]:
        """Return two sheets to begin with: equal points for all tiles, and points by their numbers.

        Equal points cover the fewest tiles. Points in proportion to the numbers make all covers of
        a total equal, but for rounding.
        """
        numbers = [tile.number for tile in self._box.rules.tiles]
        level = (LEVEL,) * len(numbers)
        rising = tuple(MOST_POINTS * number // max(numbers) for number in numbers)
        always_few = self._total if self._dice else None
        return BoxSheet(self._box, level, always_few), BoxSheet(self._box, rising, always_few)

    def evaluate(self, sheet: BoxSheet) -> _Evaluation:
        """Return how often play by a sheet reaches each node, and its loss, computed exactly."""
        policy = self._graph.with_choices(sheet.child_indices(self._solution))
        often, payoffs = policy.scaled_chances(self._root), self._solution.payoffs
        ends = (payoffs[node] * often[node] for node in self._graph.ends if node <= self._root)
        value = sum(ends, start=Fraction(0)) / self._graph.scale
        return _Evaluation(sheet, often, abs(value - self._solution.value_at(self._root)))

    def regrets(self, often: list[int]) -> dict[int, Regrets]:
        """Return, by reached node with a choice, the regret of each child times REGRET_SCALE."""
        graph, values = self._graph, self._solution.values
        whole = graph.scale * self._solution.divisor
        return {
            node: [
                often[node] * abs(values[node] - values[child]) * REGRET_SCALE // whole
                for child in graph.children[node]
            ]
            for node in graph.choice_nodes()
            if node <= self._root and often[node]
        }

    def by_covers(self, regrets: dict[int, Regrets]) -> dict[tuple[int, ...], Regrets]:
        """Return regrets by the covers on offer, summed over all nodes that offer just these."""
        summed: dict[tuple[int, ...], Regrets] = {}
        for node, losses in regrets.items():
            if labels := self._graph.labels.get(node):
                so_far = summed.get(labels, [0] * len(losses))
                summed[labels] = [a + b for a, b in zip(so_far, losses, strict=True)]
        return summed

    def fewer_up_to(self, regrets: dict[int, Regrets]) -> int | None:
        """Return the `BoxSheet.fewer_up_to` with the least regret, from the regrets by node.

        None if the box has no choice of dice; NEVER also if play reaches no such choice.
        """
        if not self._dice:
            return None
        totals = {node: total for node, total in self._dice.items() if node in regrets}
        if not totals:
            return NEVER
        losses = {
            limit: sum(regrets[node][0 if total <= limit else -1] for node, total in totals.items())
            for limit in sorted({NEVER, *totals.values()})
        }
        best = min(losses, key=lambda limit: losses[limit])
        # At the largest total that play reaches, the sheet can say "whenever you may".
        return best if best < max(totals.values()) else self._total


class _Search:
    """A local search for `points` that lose little, by the regrets of the choices between covers.

    `budget` is the number of evaluations of such choices that are left.
    """

    def __init__(
        self, points: Points, regrets: dict[tuple[int, ...], Regrets], budget: int
    ) -> None:
        self.points = points
        self._choices = sorted(regrets.items(), key=lambda choice: -max(choice[1]))[:MOST_CHOICES]
        self._tiles = {label: places(label) for labels, _ in self._choices for label in labels}
        # If all covers of a choice have a tile, or none has, the tile's points do not matter.
        self._with = [
            {
                index
                for index, (labels, _) in enumerate(self._choices)
                if len({label >> place & 1 for label in labels}) == 2
            }
            for place in range(len(points))
        ]
        self._losses = self._losses_at(range(len(self._choices)), points)
        self.budget = budget - len(self._choices)

    def run(self) -> None:
        """Change one or two `points` at a time, while that lowers the loss and `budget` lasts."""
        moves = list(_moves(len(self.points)))
        failed = 0  # moves in a row
        for move in cycle(moves):
            failed = 0 if self._improve(move) else failed + 1
            if failed == len(moves) or self.budget <= 0:
                return

    def _improve(self, move: dict[int, int]) -> bool:
        """Change `points` by a move if that lowers the loss, and return whether it does."""
        points = tuple(p + move.get(place, 0) for place, p in enumerate(self.points))
        if min(points) < 0 or max(points) > MOST_POINTS:
            return False
        choices = sorted(set().union(*(self._with[place] for place in move)))
        losses = self._losses_at(choices, points)
        self.budget -= len(choices)
        if sum(losses.values()) >= sum(self._losses[index] for index in choices):
            return False
        self._losses |= losses
        self.points = points
        return True

    def _losses_at(self, choices: Sequence[int], points: Points) -> dict[int, int]:
        """Return what `points` lose at some choices, by index."""
        tiles = self._tiles.items()
        scores = {label: sum([points[place] for place in covered]) for label, covered in tiles}
        losses = {}
        for index in choices:
            labels, regrets = self._choices[index]
            offered = [scores[label] for label in labels]
            losses[index] = regrets[offered.index(min(offered))]
        return losses


def _moves(tiles: int) -> Iterator[dict[int, int]]:
    """Yield moves to try, what to add to points by place of the tile: of one tile, then of two."""
    for step, place in product((1, -1, 2, -2, 3, -3), range(tiles)):
        yield {place: step}
    for steps, pair in product(product((1, -1), repeat=2), combinations(range(tiles), 2)):
        yield dict(zip(pair, steps, strict=True))
