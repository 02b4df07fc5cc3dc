"""A walk through a game by actions, with each position cached as a node.

Calling a game costs many times what a step of an environment should. So a position that has come up
is cached as a node with its arrays and its successors. The nodes of a large game do not all fit: at
the limit the walk drops them all, and nodes that are still in use keep working.
"""

from dataclasses import dataclass, field
from operator import index
from typing import Any

from shutbox.engine.dice import Cup, Dice, Roll
from shutbox.engine.english import coded
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.typed_text import check_is
from shutbox.rl.encoder import Encoder, Mask, Numbers

MOST_HELD = 1 << 18
"""The most nodes and choices together: about six times those of a box with nine tiles."""


WORDS = 512  # random numbers drawn at a time: one alone takes as long as twenty
BITS = 32  # of each


@dataclass(eq=False, slots=True)
class GeneratorCup:
    """The dice of an environment, from the `numpy.random.Generator` that its seed makes."""

    generator: Any
    _words: list[int] = field(default_factory=list, repr=False)  # the next one last

    def pips(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Return the pips of each die in order: what `generator.integers(1, sides + 1)` returns."""
        return tuple([self._number(most) if most > 1 else 1 for most in sides])

    def _number(self, most: int) -> int:
        # This is how NumPy makes numbers, from whole words; a word in the uneven rest is dropped.
        while True:
            if not self._words:
                drawn = self.generator.integers(0, 1 << BITS, WORDS, "uint32")
                self._words = drawn[::-1].tolist()
            part = self._words.pop() * most
            if part & (1 << BITS) - 1 >= (1 << BITS) % most:
                return 1 + (part >> BITS)

    def throw(self, dice: Dice) -> Roll:
        """Return the next roll."""
        return dice.read(self.pips(dice.sides))


def cup_of(options: dict[str, Any] | None, cup: Cup) -> Cup:
    """Return the cup in the `options` of a reset, or else the environment's own."""
    check_is(options or {}, dict)
    given: Cup | None = (options or {}).get("cup")
    return cup if given is None else given


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A position with its successors: `after` by choice and `falls` by roll, made when needed."""

    _walk: "Walk"
    position: Any
    seat: int = 0  # the seat that is due
    dice: Dice | None = None  # the dice to be thrown, if a throw is due
    over: Over | None = None  # the end, if the game is over
    choices: tuple[Any, ...] = ()  # empty unless a choice is due
    after: list["Node | None"] = field(default_factory=list)
    falls: dict[tuple[int, ...], "Node"] = field(default_factory=dict)  # by pips in any order
    _numbers: Numbers | None = None

    def __post_init__(self) -> None:
        match self._walk.game.awaits(self.position):
            case Throw(dice=dice, seat=seat):
                self.dice, self.seat = dice, seat
            case Choose(choices=choices, seat=seat):
                self.choices, self.seat = choices, seat
            case over:
                self.over = over
        self.after = [None] * len(self.choices)

    @property
    def numbers(self) -> Numbers:
        """int64[F]: the encoded position, see `Encoder`; cached, so copy it before a change."""
        if self._numbers is None:
            self._numbers = self._walk.encoder.position(self.position)
        return self._numbers

    @property
    def mask(self) -> Mask:
        """int8[most_choices]: 1 for each legal action; a new array each time."""
        return self._walk.encoder.mask_of(len(self.choices))

    def refusal(self, action: object) -> IllegalChoice | None:
        """Return the error for an illegal action, or None if the action is legal."""
        try:
            place = index(action)  # type: ignore[arg-type]
        except TypeError:
            place = -1
        if 0 <= place < len(self.choices):
            return None
        return IllegalChoice(
            "action {action} is not open; there are {number} choices, counted from 0",
            self.position,
            action=coded(action, str)[:40],
            number=len(self.choices),
        )


class Walk:
    """The nodes of a game, made one by one as steps reach their positions, and cached.

    At most `most` nodes and choices together are held; one more, and all others are dropped.

    >>> from shutbox import find
    >>> from shutbox.engine.cups import ScriptCup
    >>> walk = Walk(Encoder(find("six")))
    >>> node = walk.thrown(walk.start(), ScriptCup(["5"]))
    >>> walk.game.position_id(walk.chosen(node, 1).position)
    '2.3.5.6'
    """

    def __init__(self, encoder: Encoder, most: int = MOST_HELD) -> None:
        self.encoder = encoder
        self.held = 0  # nodes and their choices together, never more than `most`
        self._most = most
        self.game: Game[Any, Any] = encoder.game
        self._nodes: dict[Any, Node] = {}

    def start(self) -> Node:
        """Return the node of the start of the game."""
        return self.node(self.game.start())

    def node(self, position: Any) -> Node:
        """Return the node of a position, cached or made."""
        if (found := self._nodes.get(position)) is None:
            found = Node(self, position)
            size = 1 + len(found.choices)
            if self.held + size > self._most:
                self._nodes.clear()
                self.held = 0
            self._nodes[position] = found
            self.held += size
        return found

    def thrown(self, node: Node, cup: Cup) -> Node:
        """Throw until a choice is due or the game is over, and return the node there."""
        while node.dice is not None:
            node = self.fallen(node, cup)
        return node

    def fallen(self, node: Node, cup: Cup) -> Node:
        """Return the node after one throw of the dice that are due."""
        dice = node.dice
        assert dice is not None  # callers know that a throw is due
        own = cup if isinstance(cup, GeneratorCup) else None
        pips = own.pips(dice.sides) if own else cup.throw(dice).pips
        if (after := node.falls.get(pips)) is None:
            after = self.node(self.game.rolled(node.position, dice.read(pips)))
            node.falls[pips] = after
        return after

    def chosen(self, node: Node, action: int) -> Node:
        """Return the node after a legal action, before any dice are thrown."""
        after = node.after[action]
        if after is None:
            after = self.node(self.game.chosen(node.position, node.choices[action]))
            node.after[action] = after
        return after
