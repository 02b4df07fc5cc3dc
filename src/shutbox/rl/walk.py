"""A walk through a game by actions, with each position cached as a node.

Calling a game costs many times what a step of an environment should. So a position that has come up
is cached as a node with its arrays and its successors. The nodes of a large game do not all fit: at
the limit the walk drops them all, and nodes that are still in use keep working.
"""

from dataclasses import dataclass, field
from operator import index
from typing import Any

from shutbox.engine.dice import Cup, Dice, Roll
from shutbox.engine.english import safe_text
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.typed_text import check_type
from shutbox.rl.encoder import Encoder, Mask, Numbers

MOST_HELD = 1 << 18
"""The most nodes and choices together: about six times those of a box with nine tiles."""


WORDS = 512  # random numbers drawn at a time: one alone takes as long as twenty
SPAN = 1 << 32  # of each


@dataclass(eq=False, slots=True)
class GeneratorCup:
    """The dice of an environment, from the `numpy.random.Generator` that its seed makes."""

    generator: Any
    _words: list[int] = field(default_factory=list, repr=False)  # the next one last

    def pips(self, sides: tuple[int, ...]) -> tuple[int, ...]:
        """Return the pips of each die in order: what `generator.integers(1, sides + 1)` returns."""
        # This is how NumPy makes numbers, from whole words; a word in the uneven rest is dropped.
        words, pips = self._words, []
        for most in sides:
            number = 0 if most > 1 else 1
            while not number:
                if not words:
                    words += self.generator.integers(0, SPAN, WORDS, "uint32")[::-1].tolist()
                part = words.pop() * most
                if part % SPAN >= SPAN % most:
                    number = 1 + part // SPAN
            pips.append(number)
        return tuple(pips)

    def throw(self, dice: Dice) -> Roll:
        """Return the next roll."""
        return dice.read(self.pips(dice.sides))


def cup_from_options(options: dict[str, Any] | None, cup: Cup) -> Cup:
    """Return the cup in the `options` of a reset, or else the environment's own."""
    check_type(options or {}, dict)
    given: Cup | None = (options or {}).get("cup")
    return cup if given is None else given


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A position with its successors, made when needed."""

    _walk: "Walk"
    position: Any
    seat: int = 0  # the seat that is due
    dice: Dice | None = None  # the dice to be thrown, if a throw is due
    over: Over | None = None  # the end, if the game is over
    choices: tuple[Any, ...] = ()  # empty unless a choice is due
    by_choice: list["Node | None"] = field(default_factory=list)  # None: not made yet
    by_pips: dict[tuple[int, ...], "Node"] = field(default_factory=dict)  # as they were thrown
    _numbers: Numbers | None = None

    def __post_init__(self) -> None:
        match self._walk.game.awaits(self.position):
            case Throw(dice=dice, seat=seat):
                self.dice, self.seat = dice, seat
            case Choose(choices=choices, seat=seat):
                self.choices, self.seat = choices, seat
            case over:
                self.over = over
        self.by_choice = [None] * len(self.choices)

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
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            number = -1
        if 0 <= number < len(self.choices):
            return None
        return IllegalChoice(
            "action {action} is not open; there are {number} choices, counted from 0",
            self.position,
            action=safe_text(action, str)[:40],
            number=len(self.choices),
        )


class Walk:
    """The nodes of a game, made one by one as steps reach their positions, and cached.

    At most `most` nodes and choices together are held; one more, and all others are dropped.

    >>> from shutbox import find
    >>> from shutbox.engine.cups import ScriptCup
    >>> walk = Walk(Encoder(find("six")))
    >>> node = walk.throw_to_choice(walk.start(), ScriptCup(["5"]))
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
        if (node := self._nodes.get(position)) is None:
            node = Node(self, position)
            size = 1 + len(node.choices)
            if self.held + size > self._most:
                self._nodes.clear()
                self.held = 0
            self._nodes[position] = node
            self.held += size
        return node

    def throw_to_choice(self, node: Node, cup: Cup) -> Node:
        """Throw until a choice is due or the game is over, and return the node there."""
        while (dice := node.dice) is not None:
            node = self.throw(node, dice, cup)
        return node

    def throw(self, node: Node, dice: Dice, cup: Cup) -> Node:
        """Throw once the `dice` that are due at a node, and return the node after that."""
        # With the environment's own dice, a roll is made only for a new node.
        pips = cup.pips(dice.sides) if isinstance(cup, GeneratorCup) else cup.throw(dice).pips
        if (after := node.by_pips.get(pips)) is None:
            after = self.node(self.game.rolled(node.position, dice.read(pips)))
            node.by_pips[pips] = after
        return after

    def chosen(self, node: Node, action: int) -> Node:
        """Return the node after a legal action, before any dice are thrown."""
        after = node.by_choice[action]
        if after is None:
            after = self.node(self.game.chosen(node.position, node.choices[action]))
            node.by_choice[action] = after
        return after
