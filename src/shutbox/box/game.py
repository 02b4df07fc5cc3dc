"""A box as a game: tiles up, dice thrown, a cover for each roll until shut or stuck.

The rules themselves are tables in `atoms`; this file only says in which order they are asked.
Whether a throw is the first of the turn needs no memory: every roll that does not end the turn
covers a tile, so it is the first exactly while all the tiles of the start are up.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache, partial

from shutbox.box import card, notation, scene
from shutbox.box.atoms import COVERS, FEWER, SCORES, Tile
from shutbox.box.position import Choice, Position, UseDice
from shutbox.box.reader import differences, options, overridden
from shutbox.box.sets import Cover, TileSets, places
from shutbox.box.variant import Variant
from shutbox.dice import Dice, Roll
from shutbox.errors import IllegalChoice, IllegalRoll
from shutbox.game import Choose, Over, RuleCard, Scoring, Throw
from shutbox.names import title_with, write_name
from shutbox.scene import Scene
from shutbox.words import dice_words


class Box:
    """The game of one variant.

    >>> box = Box("two-dice", "Two Dice", Variant())
    >>> position = box.rolled(box.start(), Roll((3, 5)))
    >>> [box.choice_text(choice) for choice in box.awaits(position).choices]
    ['8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4']

    Choices stand in canonical order: fewest dice first; fewest tiles first, and of these the
    cover with the highest tile.
    """

    def __init__(self, name: str, title: str, variant: Variant) -> None:
        self.name = name
        self.title = title
        self.variant = variant
        numbers = variant.tiles + variant.behind
        self.sets = TileSets(numbers)
        weights = variant.weights or (1,) * len(numbers)
        self.tiles = tuple(map(Tile, numbers, weights))
        """The tiles by place: the front row, then those behind it in the same order."""
        self.front = len(variant.tiles)
        """The number of tiles in the front row."""
        self._all_up = (1 << len(numbers)) - 1
        down = sum(1 << variant.tiles.index(number) for number in variant.down)
        self._start = self._all_up & ~down
        self._first = sum(1 << variant.tiles.index(number) for number in variant.first)
        self._all_dice = len(variant.dice)
        self._dice = {n: Dice(variant.dice.sides[:n]) for n in range(1, self._all_dice + 1)}
        self._fewer = FEWER[variant.fewer]
        self._covers = lru_cache(maxsize=4096)(partial(COVERS[variant.cover].covers, self.sets))
        self._score = SCORES[variant.score]

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    @cached_property
    def longest(self) -> int:
        """Each throw but the last covers a tile, and may take a choice of dice and of a cover."""
        return self._start.bit_count() * (3 if self._fewer.may else 2)

    @cached_property
    def scoring(self) -> Scoring:
        """From a shut box to nothing covered, over every position one may ask about."""
        if self._score.low_is_good:
            return Scoring(best=0, worst=self._score.score(self.tiles, ()))
        return Scoring(best=self.score(0), worst=0)

    def start(self) -> Position:
        """All tiles up but those that are down from the start."""
        return Position(self._start)

    def awaits(self, position: Position) -> Throw | Choose[Choice] | Over:
        """A throw or the choice of dice, then a cover, until the box is shut or no cover is left.

        >>> box = Box("two-dice", "Two Dice", Variant())
        >>> box.awaits(box.position_at("1.5.9/1+3"))
        Over(scores=(15,), shut=False)
        """
        up = position.up
        if not up:
            return Over((self.score(up),), shut=True)
        if position.roll is not None:
            covers = () if self.stops(position) else self.legal_covers(up, position.roll)
            return Choose(covers) if covers else Over((self.score(up),))
        if position.dice is not None:
            return Throw(self._dice[position.dice])
        numbers = self.dice_open(up)
        return (
            Throw(self._dice[numbers[0]])
            if len(numbers) == 1
            else Choose(tuple(map(UseDice, numbers)))
        )

    def rolled(self, position: Position, roll: Roll) -> Position:
        """The roll lies there; with it the turn may be over."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Throw):
            raise IllegalRoll(f"the roll {roll} comes when no throw is due", position)
        try:
            awaited.dice.check(roll)
        except IllegalRoll as error:
            raise IllegalRoll(str(error), position) from None
        return Position(position.up, None, roll)

    def chosen(self, position: Position, choice: Choice) -> Position:
        """Tiles go down, or dice are taken up."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Choose) or choice not in awaited.choices:
            raise IllegalChoice(notation.refusal(self, position, choice), position)
        if isinstance(choice, Cover):
            return Position(position.up & ~choice.tiles)
        return Position(position.up, choice.number)

    def legal_covers(self, up: int, roll: Roll) -> tuple[Cover, ...]:
        """The covers of a roll with these tiles up, in canonical order; none: stuck."""
        down = ~up
        covers = [cover for cover in self._covers(roll) if not cover.tiles & down]
        if self.variant.behind:
            covers = [cover for cover in covers if not self.blockers(cover) & up]
        if self._first and up == self._start:
            covers = [cover for cover in covers if self._first & ~cover.tiles == 0]
        return tuple(covers)

    def blockers(self, cover: Cover) -> int:
        """The front tiles that must be down before this cover, those in the cover left out."""
        return cover.tiles >> self.front & ~cover.tiles if self.variant.behind else 0

    def hidden(self, up: int) -> int:
        """The tiles behind that cannot be seen, since the tile in front of them is up."""
        return (up & (1 << self.front) - 1) << self.front if self.variant.behind else 0

    def dice_open(self, up: int) -> range:
        """The numbers of dice that may be thrown with these tiles up (at least one is)."""
        seen = [self.tiles[place].number for place in places(up & ~self.hidden(up))]
        needed = self._fewer.needed(seen, self.variant.dice)
        return range(needed, (self._all_dice if self._fewer.may else needed) + 1)

    def is_first(self, up: int) -> bool:
        """Whether the throw with these tiles up is the first of the turn."""
        return up == self._start

    def stops(self, position: Position) -> bool:
        """Whether the roll that lies there ends the turn by its total alone."""
        if position.roll is None:
            return False
        total = position.roll.total
        return total in self.variant.stop_on or (
            total in self.variant.stop_first and self.is_first(position.up)
        )

    def score(self, up: int) -> int:
        """What the turn is worth if it ends with these tiles up."""
        covered = self._start & ~up
        return self._score.score(self._tiles_at(up), self._tiles_at(covered))

    def _tiles_at(self, tiles: int) -> list[Tile]:
        return [self.tiles[place] for place in places(tiles)]

    def position_id(self, position: Position) -> str:
        """Such as `1.5.9`, `1.5.9/2d`, `1.5.9/2+2`; tiles behind as `b3`."""
        return notation.write_position(self, position)

    def position_at(self, id: str) -> Position:
        """Tiles may also be given as ranges: `1-9/3+5`."""
        return notation.read_position(self, id)

    def choice_text(self, choice: Choice) -> str:
        """Such as `1 7`, `3 b5`, `one die`."""
        if isinstance(choice, UseDice):
            return dice_words(choice.number)
        return " ".join(notation.tile_names(self, choice.tiles))

    def parse_choice(self, position: Position, text: str) -> Choice:
        """Tiles in any order with spaces, commas or plus signs; `17` where no tile is called 17."""
        return notation.parse_choice(self, position, text)

    def scene(self, position: Position) -> Scene:
        """The tiles in their places, the dice, and the covers that are open."""
        return scene.scene(self, position)

    def card(self) -> RuleCard:
        """The rules in sentences."""
        return RuleCard(self.title, card.lines(self), options(self.variant))


def override(base: Box, changes: Mapping[str, str]) -> Box:
    """The same box with some rules replaced, named by what really differs.

    >>> override(Box("two-dice", "Two Dice", Variant()), {"fewer": "must-top", "cover": "sum"})
    find('two-dice(fewer=must-top)')

    Raises BadVariant with every mistake at once.
    """
    where = write_name(base.name, changes)
    variant = overridden(base.variant, changes, where)
    differing = differences(variant, base.variant)
    if not differing:
        return base
    return Box(write_name(base.name, differing), title_with(base.title, differing), variant)
