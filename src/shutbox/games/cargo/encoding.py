"""Cargo in features: what was aboard, the rolls that are left, and the dice."""

from functools import partial

from shutbox.games.cargo.position import Accept, CargoPosition, Choice
from shutbox.games.cargo.rules import CREW, SIDES, CargoRules, Hold
from shutbox.games.traits import Encoding, Feature


def encoding(rules: CargoRules) -> Encoding:
    """The encoding of Cargo; the dice that lie there ascend, and so do those that are kept.

    A choice has a 1 in `accept`, or how many dice of each face are thrown again; no number at all
    where all are thrown together.

    >>> from shutbox.games.catalogue import find
    >>> cargo = find("cargo")
    >>> [feature.name for feature in cargo.traits.encoding().position]
    ['aboard', 'left', 'die_1', 'die_2', 'die_3', 'die_4', 'die_5', 'die_6']
    >>> cargo.traits.encoding().of_position(cargo.position_at("6/4/1+2+2+4+5"))
    (1, 4, 1, 2, 2, 4, 5, 0)
    """
    most = len(rules.dice)
    kept = rules.cargo if rules.hold is Hold.EACH else 0
    dice = (Feature(f"die_{n}", SIDES) for n in range(1, most + 1))
    stay = (Feature(f"kept_{n}", SIDES) for n in range(1, kept + 1))
    again = (Feature(f"throw_{face}", rules.cargo) for face in range(1, SIDES + 1))
    return Encoding(
        position=(Feature("aboard", len(CREW)), Feature("left", rules.rolls), *dice, *stay),
        choice=(Feature("accept", 1), *again),
        of_position=partial(_of_position, most, kept),
        of_choice=_of_choice,
    )


def _of_position(most: int, kept: int, position: CargoPosition) -> tuple[int, ...]:
    pips = () if position.roll is None else position.roll.pips
    dice = (*pips, *(0,) * (most - len(pips)))
    stay = (*position.kept, *(0,) * (kept - len(position.kept)))
    return (position.aboard, position.left, *dice, *stay)


def _of_choice(choice: Choice) -> tuple[int, ...]:
    if isinstance(choice, Accept):
        return (1, *(0,) * SIDES)
    return (0, *(choice.pips.count(face) for face in range(1, SIDES + 1)))
