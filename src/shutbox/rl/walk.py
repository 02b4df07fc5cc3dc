"""A game walked along by actions: what each position waits for and looks like, asked once.

To ask a game costs many times what a step of an environment may. So a position that has come up is
a node, which knows its arrays and where it leads. The nodes of a large game do not all fit: once
there are as many as it may have the walk forgets them, and what is still held goes on as it was.
"""

from dataclasses import dataclass
from typing import Any

from shutbox.dice import Cup, Dice, Roll
from shutbox.english import Word
from shutbox.errors import IllegalChoice
from shutbox.game import Choose, Game, Over, Throw
from shutbox.rl.encoder import Encoder, Mask, Numbers

MOST_HELD = 1 << 18
"""The most nodes and choices of theirs together: those of a box with nine tiles fit six times."""


class Node:
    """A position, and where it leads."""

    __slots__ = (
        "_numbers",
        "_walk",
        "after",
        "choices",
        "dice",
        "falls",
        "over",
        "position",
        "seat",
    )

    def __init__(self, walk: "Walk", position: Any) -> None:
        self._walk = walk
        self._numbers: Numbers | None = None
        self.position = position
        self.seat = 0
        self.dice: Dice | None = None
        self.over: Over | None = None
        self.choices: tuple[Any, ...] = ()
        match walk.game.awaits(position):
            case Throw(dice=dice, seat=seat):
                self.dice, self.seat = dice, seat
            case Choose(choices=choices, seat=seat):
                self.choices, self.seat = choices, seat
            case over:
                self.over = over
        self.after: list[Node | None] = [None] * len(self.choices)
        self.falls: dict[tuple[int, ...], Node] = {}

    def __deepcopy__(self, memo: object) -> "Node":
        """Itself: what is copied, such as a state of open_spiel, stands at the same node."""
        return self

    @property
    def numbers(self) -> Numbers:
        """int64[F]: the position, see `Encoder`; each time an array of its own."""
        if self._numbers is None:
            self._numbers = self._walk.encoder.position(self.position)
        return self._numbers.copy()

    @property
    def mask(self) -> Mask:
        """int8[most_choices]: 1 for each action that is open; each time an array of its own."""
        return self._walk.encoder.mask_of(len(self.choices))

    def refusal(self, action: int) -> IllegalChoice | None:
        """Why an action is refused; None where it is open."""
        if 0 <= action < len(self.choices):
            return None
        return IllegalChoice(
            "action {action} is not open; there are {number} choices, counted from 0",
            self.position,
            action=action,
            number=len(self.choices),
        )


class Walk:
    """The nodes of a game.

    >>> from shutbox import ScriptCup, find
    >>> walk = Walk(Encoder(find("six")))
    >>> node = walk.thrown(walk.start(), ScriptCup(["5"]))
    >>> walk.game.position_id(walk.chosen(node, 1).position)
    '2.3.5.6'
    """

    def __init__(self, encoder: Encoder, most: int = MOST_HELD) -> None:
        self.encoder = encoder
        self.held = 0  # nodes and choices of theirs together, never more than `most`
        self._most = most
        self.game: Game[Any, Any] = encoder.game
        self._nodes: dict[Any, Node] = {}

    def __deepcopy__(self, memo: object) -> "Walk":
        """Itself, as a node."""
        return self

    def start(self) -> Node:
        """Where the game begins."""
        return self.node(self.game.start())

    def node(self, position: Any) -> Node:
        """The node of a position."""
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
        """Where the dice lead, until a choice is due or the game is over."""
        while node.dice is not None:
            node = self.fallen(node, cup.throw(node.dice))
        return node

    def fallen(self, node: Node, roll: Roll) -> Node:
        """Where a roll leads."""
        there = node.falls.get(roll.pips)
        if there is None:
            there = node.falls[roll.pips] = self.node(self.game.rolled(node.position, roll))
        return there

    def chosen(self, node: Node, action: int) -> Node:
        """Where an action that is open leads, before any dice are thrown."""
        there = node.after[action]
        if there is None:
            there = self.node(self.game.chosen(node.position, node.choices[action]))
            node.after[action] = there
        return there


class Pays(Word):
    """What the end of a match is worth to a seat."""

    SHARE = "share"
    """Its share of the win: 1, a half where two share it, 0 for who has lost."""
    SCORE = "score"
    """Its total, counted below 0 where low is good."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """What ends pay.

    >>> Payoff(Pays.SHARE, low_is_good=True).of(Over((7, 3), winners=(1,)))
    [0.0, 1.0]
    >>> Payoff(Pays.SCORE, low_is_good=True).of(Over((7, 3), winners=(1,)))
    [-7.0, -3.0]
    """

    pays: Pays
    low_is_good: bool

    @property
    def sign(self) -> int:
        """What a score counts times."""
        return -1 if self.low_is_good else 1

    def of(self, over: Over) -> list[float]:
        """A number for each seat."""
        if self.pays is Pays.SHARE:
            seats = range(len(over.scores))
            return [(seat in over.winners) / len(over.winners) for seat in seats]
        return [float(self.sign * score) for score in over.scores]
