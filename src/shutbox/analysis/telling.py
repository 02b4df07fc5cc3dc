"""Aims and values in words."""

from fractions import Fraction

from shutbox.game import RuleCard
from shutbox.solve.solution import Number
from shutbox.words import figure, percent


def aim_words(aim: str, card: RuleCard) -> str:
    """What is played for, to follow "played".

    >>> from shutbox.catalogue import find
    >>> aim_words("beat:8", find("classic").card())
    'to beat 8'
    """
    match aim.partition(":"):
        case ["mean", _, _]:
            return "for the best expected score"
        case ["worst-shut", _, _]:
            return f"so that it {card.shuts} as seldom as it can"
        case ["shut", _, _]:
            return f"so that it {card.shuts} as often as it can"
        case ["beat", _, target]:
            return f"to beat {target}"
        case ["chips", _, _]:
            return "for chips"
    return f"to {aim}"


def worth_words(aim: str, value: Number, card: RuleCard) -> str:
    """A value in words.

    >>> from shutbox.catalogue import find
    >>> card = find("classic").card()
    >>> [worth_words(aim, 0.25, card) for aim in ("mean", "shut", "beat:8", "win")]
    ['expected score 0.25', 'shuts the box 25 %', 'beats 8 25 %', 'wins 25 %']
    """
    number = worth_only(aim, value)
    match aim.partition(":"):
        case ["mean", _, _]:
            return f"expected score {number}"
        case ["beat", _, target]:
            return f"beats {target} {number}"
        case ["win", _, _]:
            return f"wins {number}"
        case ["chips", _, _]:
            return f"expected chips {number}"
    return f"{card.shuts} {number}"


def worth_name(aim: str, card: RuleCard) -> str:
    """What a value is called.

    >>> from shutbox.catalogue import find
    >>> worth_name("shut", find("classic").card())
    'chance that it shuts the box'
    """
    match aim.partition(":"):
        case ["mean", _, _]:
            return "expected score"
        case ["beat", _, target]:
            return f"chance to beat {target}"
    return f"chance that it {card.shuts}"


def worth_only(aim: str, value: Number) -> str:
    """The same without the words."""
    return figure(value) if aim in ("mean", "chips") else percent(value)


def cost_only(aim: str, cost: Number) -> str:
    """A difference of two values; of two probabilities it is no share, but percentage points.

    >>> cost_only("mean", 0.25), cost_only("win", 0.0025)
    ('0.25', '0.25 percentage points')
    """
    return worth_only(aim, cost).replace("%", "percentage points")


def cost_words(aim: str, cost: Number, card: RuleCard) -> str:
    """What a choice costs.

    >>> from shutbox.catalogue import find
    >>> card = find("classic").card()
    >>> for aim in ("mean", "shut", "win"):
    ...     print(cost_words(aim, 0.25, card))
    0.25 in the expected score
    25 percentage points of the chance that it shuts the box
    25 percentage points of the win
    """
    number = cost_only(aim, cost)
    match aim.partition(":"):
        case ["mean", _, _]:
            return f"{number} in the expected score"
        case ["chips", _, _]:
            return f"{number} in expected chips"
        case ["beat", _, target]:
            return f"{number} of the chance to beat {target}"
        case ["win", _, _]:
            return f"{number} of the win"
    return f"{number} of the chance that it {card.shuts}"


def precise(share: Fraction) -> str:
    """A share with two more digits: seats differ by little.

    >>> precise(Fraction(50281, 100000))
    '50.281 %'
    """
    return f"{100 * float(share):.3f} %"


def gained(chips: Fraction) -> str:
    """Chips won or lost.

    >>> gained(Fraction(1, 8)), gained(Fraction(-1, 8)), gained(Fraction(0))
    ('+0.1250', '-0.1250', '0')
    """
    return f"{float(chips):+.4f}" if chips else "0"
