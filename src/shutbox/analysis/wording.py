"""Aims and values in words."""

from dataclasses import dataclass
from fractions import Fraction

from shutbox.english import figure, percent
from shutbox.game import RuleCard
from shutbox.solver.solution import Number


@dataclass(frozen=True, slots=True)
class Words:
    """How one aim is told."""

    played: str
    """What is played for, to follow "played"."""
    called: str
    """What a value is called."""
    worth: str
    """A value, with `{}` for its number."""
    lost: str
    """What a loss is a part of, to follow its number."""
    chance: bool = True
    """Whether a value is a probability."""


def words_of(aim: str, card: RuleCard) -> Words:
    """The words for an aim by its name.

    >>> from shutbox.games.catalogue import find
    >>> words_of("beat:8", find("classic").card()).played
    'to beat 8'

    An aim of one's own is called by its name.
    """
    kind, _, target = aim.partition(":")
    shuts, chance = card.shuts, f"chance that it {card.shuts}"
    known = {
        "mean": Words(
            *("for the best expected score", "expected score", "expected score {}"),
            *("in the expected score", False),
        ),
        "shut": Words(
            f"so that it {shuts} as often as it can", chance, f"{shuts} {{}}", f"of the {chance}"
        ),
        "worst-shut": Words(
            f"so that it {shuts} as seldom as it can", chance, f"{shuts} {{}}", f"of the {chance}"
        ),
        "beat": Words(
            *(f"to beat {target}", f"chance to beat {target}", f"{{}} to beat {target}"),
            f"of the chance to beat {target}",
        ),
        "win": Words("to win", "share of the win", "wins {}", "of the win"),
        "chips": Words("for chips", "expected chips", "expected chips {}", "in chips", False),
    }
    # An aim of somebody's own may be worth anything.
    return known.get(kind) or Words(f"for {aim}", aim, f"{aim} {{}}", f"of {aim}", False)


def aim_words(aim: str, card: RuleCard) -> str:
    """What is played for, to follow "played"."""
    return words_of(aim, card).played


def worth_words(aim: str, value: Number, card: RuleCard) -> str:
    """A value in words.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> [worth_words(aim, 0.25, card) for aim in ("mean", "shut", "beat:8", "win")]
    ['expected score 0.25', 'shuts the box 25 %', '25 % to beat 8', 'wins 25 %']
    """
    return words_of(aim, card).worth.format(worth_only(aim, value, card))


def worth_only(aim: str, value: Number, card: RuleCard) -> str:
    """The number of a value alone."""
    return percent(value) if words_of(aim, card).chance else figure(value)


def cost_only(aim: str, cost: Number, card: RuleCard) -> str:
    """A difference of two values; of two probabilities it is no share, but percentage points.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> cost_only("mean", 0.25, card), cost_only("win", 0.0025, card)
    ('0.25', '0.25 percentage points')
    """
    return worth_only(aim, cost, card).replace("%", "percentage points")


def cost_words(aim: str, cost: Number, card: RuleCard) -> str:
    """What a choice costs.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> for aim in ("mean", "shut", "win"):
    ...     print(cost_words(aim, 0.25, card))
    0.25 in the expected score
    25 percentage points of the chance that it shuts the box
    25 percentage points of the win
    """
    return f"{cost_only(aim, cost, card)} {words_of(aim, card).lost}"


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
