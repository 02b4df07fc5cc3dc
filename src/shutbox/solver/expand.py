"""The positions and the graph of any game of the protocol, found by playing every way it can go."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic

from shutbox.errors import TooLarge
from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.solver.graph import Builder, Progress, Taken, unheard


def as_it_is(position: P) -> P:
    """The position itself: no two positions of this game are alike."""
    return position


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

    Raises TooLarge for a game that need never end, and where a play takes more events than Python
    goes deep, some thousand.
    """

    def __init__(
        self,
        game: Game[P, C],
        position: P,
        alike: Callable[[P], P] = as_it_is,
        progress: Progress = unheard,
    ) -> None:
        if game.longest is None:
            raise TooLarge("{name} need never end, so its positions have no value", name=game.name)
        self.game = game
        self.root = alike(position)  # the position that the graph begins with
        self._alike = alike
        self._progress = progress
        self._builder = Builder()
        self._nodes: dict[P, int] = {}
        self._label_of: dict[Taken, int] = {}
        try:
            self._node(position)
        except RecursionError:
            raise TooLarge(
                "{name} can take {longest:,} events; plays of so many are not solved",
                name=game.name,
                longest=game.longest,
            ) from None
        self.graph = self._builder.graph()
        self._progress = unheard

    def find(self, position: P) -> int | None:
        """The node of a position; None for one that cannot come up from where this began."""
        return self._nodes.get(self._alike(position))

    def holds(self, position: P) -> bool:
        """Whether the position can come up from where the graph begins."""
        return self.find(position) is not None

    def _node(self, position: P) -> int:
        here = self._alike(position)
        if (node := self._nodes.get(here)) is None:
            node = self._nodes[here] = self._unfold(here)
            if len(self._nodes) % 1024 == 0:
                self._progress(len(self._nodes), 0)
        return node

    def _unfold(self, position: P) -> int:
        match self.game.awaits(position):
            case Over(scores=scores, shut=shut):
                return self._builder.end(scores[0], shut)
            case Choose(choices=choices):
                children = tuple(self._node(self.game.chosen(position, c)) for c in choices)
                taken = self.game.scene(position).numbers_taken()
                return self._builder.choice(children, tuple(map(self._label, taken)))
            case Throw(dice=dice):
                return self._builder.throw(
                    (self._node(self.game.rolled(position, roll)), weight)
                    for roll, weight in dice.outcomes()
                )

    def _label(self, taken: Taken) -> int:
        label = self._label_of.setdefault(taken, len(self._label_of))
        self._builder.taken[label] = taken
        return label


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
