"""A box in features: each tile up or down, the dice that were chosen, and the dice that lie."""

from functools import partial

from shutbox.games.box.position import BoxPosition, Choice, UseDice
from shutbox.games.box.rules import BoxRules
from shutbox.games.traits import Encoding, Feature


def encoding(rules: BoxRules) -> Encoding:
    """The encoding of a box: its tiles in place order, front row first, then its dice.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> [feature.name for feature in six.traits.encoding().position]
    ['1', '2', '3', '4', '5', '6', 'dice', 'die_1']
    >>> six.traits.encoding().of_position(six.position_at("1.2.6/3"))
    (1, 1, 0, 0, 0, 1, 0, 3)
    """
    variant, most = rules.variant, len(rules.variant.dice)
    names = *map(str, variant.tiles), *(f"b{number}" for number in variant.behind)
    tiles = tuple(Feature(name, 1) for name in names)
    number = Feature("dice", most)
    dice = (Feature(f"die_{n}", variant.dice.sides[0]) for n in range(1, most + 1))
    size = len(tiles)
    return Encoding(
        position=(*tiles, number, *dice),
        choice=(*tiles, number),
        of_position=partial(_of_position, size, most),
        of_choice=partial(_of_choice, size),
    )


def _bits(tiles: int, size: int) -> tuple[int, ...]:
    return tuple([tiles >> place & 1 for place in range(size)])


def _of_position(size: int, most: int, position: BoxPosition) -> tuple[int, ...]:
    pips = () if position.roll is None else position.roll.pips
    none = (0,) * (most - len(pips))
    return (*_bits(position.up, size), position.dice or 0, *pips, *none)


def _of_choice(size: int, choice: Choice) -> tuple[int, ...]:
    if isinstance(choice, UseDice):
        return (*(0,) * size, choice.number)
    return (*_bits(choice.tiles, size), 0)
