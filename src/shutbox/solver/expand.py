"""The positions and the graph of any game of the protocol, found by playing every way it can go."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic

from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.solver.fold import After, Fold, as_it_is
from shutbox.solver.graph import Builder, Progress, Taken, unheard


def nodes(
    game: Game[P, C],
    builder: Builder,
    choose: Callable[[P, Choose[C], After[int]], int],
    over: Callable[[P, Over], int] | None = None,
    alike: Callable[[P], P] = as_it_is,
    progress: Progress = unheard,
) -> Fold[P, C, int]:
    """The node of every position of a game; `choose` makes those of choices, `over` of ends.

    Without `over` equal ends have one node.
    """

    def end(position: P, over: Over) -> int:
        return builder.end(over.scores[0], over.shut)

    def throw(position: P, throw: Throw, after: After[int]) -> int:
        return builder.throw((after(roll), weight) for roll, weight in throw.dice.outcomes())

    return Fold(game, over=over or end, choose=choose, throw=throw, alike=alike, progress=progress)


class Unfolded(Generic[P, C]):
    """The graph of a game from a position on.

    `alike` leads positions that go on in the same way to one of them; without it each position is
    a node of its own.

    >>> from fractions import Fraction
    >>> from shutbox.games.catalogue import find
    >>> game = find("six")
    >>> six = Unfolded(game, game.start())
    >>> worths = {node: int(shut) for node, (score, shut) in six.graph.ends.items()}
    >>> values = six.graph.solved(worths, more=True)
    >>> Fraction(values[six.find(game.start())], six.graph.scale)
    Fraction(145, 1944)

    Raises TooLarge as `Fold` does.
    """

    def __init__(
        self,
        game: Game[P, C],
        position: P,
        alike: Callable[[P], P] = as_it_is,
        progress: Progress = unheard,
    ) -> None:
        self.game = game
        self.root = alike(position)  # the position that the graph begins with
        self._alike = alike
        builder = Builder()
        label_of: dict[Taken, int] = {}

        def label(taken: Taken) -> int:
            builder.taken[found := label_of.setdefault(taken, len(label_of))] = taken
            return found

        def choose(here: P, choose: Choose[C], after: After[int]) -> int:
            children = tuple(map(after, choose.choices))
            return builder.choice(children, tuple(map(label, game.scene(here).numbers_taken())))

        unfold = nodes(game, builder, choose, alike=alike, progress=progress)
        unfold(position)
        self._nodes = unfold.made
        self.graph = builder.graph()

    def find(self, position: P) -> int | None:
        """The node of a position; None for one that cannot come up from where this began."""
        return self._nodes.get(self._alike(position))

    def holds(self, position: P) -> bool:
        """Whether the position can come up from where the graph begins."""
        return self.find(position) is not None


def positions_from(game: Game[P, C], position: P) -> Iterator[P]:
    """Every position from one on at which a throw or a choice is due, each once.

    Those fewer events away come first; of these, those of the lower roll, or of the choice that
    stands first in canonical order.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> [six.position_id(here) for here in positions_from(six, six.position_at("1.2"))]
    ['1.2', '1.2/1', '1.2/2', '1.2/3', '2', '1', '2/2', '1/1']
    """
    seen, waiting = {position}, deque([position])
    while waiting:
        here = waiting.popleft()
        after = _after(game, here)
        if after is None:
            continue
        yield here
        for there in after:
            if there not in seen:
                seen.add(there)
                waiting.append(there)


def _after(game: Game[P, C], position: P) -> Iterable[P] | None:
    """Where each roll or choice leads; None where the game is over."""
    match game.awaits(position):
        case Throw(dice=dice):
            return [game.rolled(position, roll) for roll, _ in dice.outcomes()]
        case Choose(choices=choices):
            return [game.chosen(position, choice) for choice in choices]
        case Over():
            return None
