"""Aims and values in words."""

from dataclasses import dataclass
from fractions import Fraction

from shutbox.english import figure, percent
from shutbox.game import RuleCard
from shutbox.messages import gettext, gettext_noop
from shutbox.solver.solution import Number


@dataclass(frozen=True, slots=True)
class Words:
    """How one aim is told: templates, with the facts `shuts`, `score` and `aim` among theirs."""

    played: str
    """What is played for, to follow "played"."""
    called: str
    """What a value is called."""
    worth: str
    """A value, with `{value}` for its number."""
    lost: str
    """A loss, with `{cost}` for its number."""
    chance: bool = True
    """Whether a value is a probability."""


_SHUT = (
    gettext_noop("chance that it {shuts}"),
    gettext_noop("{shuts} {value}"),
    gettext_noop("{cost} of the chance that it {shuts}"),
)
_WORDS = {
    "mean": Words(
        gettext_noop("for the best expected score"),
        gettext_noop("expected score"),
        gettext_noop("expected score {value}"),
        gettext_noop("{cost} in the expected score"),
        chance=False,
    ),
    "shut": Words(gettext_noop("so that it {shuts} as often as it can"), *_SHUT),
    "worst-shut": Words(gettext_noop("so that it {shuts} as seldom as it can"), *_SHUT),
    "beat": Words(
        gettext_noop("to beat {score}"),
        gettext_noop("chance to beat {score}"),
        gettext_noop("{value} to beat {score}"),
        gettext_noop("{cost} of the chance to beat {score}"),
    ),
    "win": Words(
        gettext_noop("to win"),
        gettext_noop("share of the win"),
        gettext_noop("wins {value}"),
        gettext_noop("{cost} of the win"),
    ),
    "chips": Words(
        gettext_noop("for chips"),
        gettext_noop("expected chips"),
        gettext_noop("expected chips {value}"),
        gettext_noop("{cost} in chips"),
        chance=False,
    ),
}
_OWN = Words(
    gettext_noop("for {aim}"),
    gettext_noop("{aim}"),
    gettext_noop("{aim} {value}"),
    gettext_noop("{cost} of {aim}"),
    chance=False,
)
"""An aim of somebody's own is called by its name, and may be worth anything."""


def _words_of(aim: str) -> Words:
    return _WORDS.get(aim.partition(":")[0], _OWN)


def _said(template: str, aim: str, card: RuleCard, **facts: str) -> str:
    score = aim.partition(":")[2]
    return gettext(template, shuts=card.shuts, score=score, aim=aim, **facts)


def aim_words(aim: str, card: RuleCard) -> str:
    """What is played for, to follow "played".

    >>> from shutbox.games.catalogue import find
    >>> aim_words("beat:8", find("classic").card())
    'to beat 8'
    """
    return _said(_words_of(aim).played, aim, card)


def value_words(aim: str, card: RuleCard) -> str:
    """What a value is called.

    >>> from shutbox.games.catalogue import find
    >>> value_words("shut", find("classic").card())
    'chance that it shuts the box'
    """
    return _said(_words_of(aim).called, aim, card)


def worth_words(aim: str, value: Number, card: RuleCard) -> str:
    """A value in words.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> [worth_words(aim, 0.25, card) for aim in ("mean", "shut", "beat:8", "win")]
    ['expected score 0.25', 'shuts the box 25 %', '25 % to beat 8', 'wins 25 %']
    """
    return _said(_words_of(aim).worth, aim, card, value=worth_only(aim, value, card))


def worth_only(aim: str, value: Number, card: RuleCard) -> str:
    """The number of a value alone."""
    return percent(value) if _words_of(aim).chance else figure(value)


def cost_only(aim: str, cost: Number, card: RuleCard) -> str:
    """A difference of two values; of two probabilities it is no share, but percentage points.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> cost_only("mean", 0.25, card), cost_only("win", 0.0025, card)
    ('0.25', '0.25 percentage points')
    """
    if not _words_of(aim).chance:
        return figure(cost)
    points = 100 * float(cost)
    if 99.95 <= points < 100:
        return gettext("more than 99.9 percentage points")
    if 0 < points < 1e-4:
        return gettext("less than 0.0001 percentage points")
    number = f"{points:.2g}" if 0 < points < 1 else f"{points:.1f}".removesuffix(".0")
    return gettext("{number} percentage points", number=number)


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
    return _said(_words_of(aim).lost, aim, card, cost=cost_only(aim, cost, card))


def precise(share: Fraction) -> str:
    """A share with two more digits: seats differ by little.

    >>> precise(Fraction(50281, 100000))
    '50.281 %'
    """
    return gettext("{number} %", number=f"{100 * float(share):.3f}")


def gained(chips: Fraction) -> str:
    """Chips won or lost.

    >>> gained(Fraction(1, 8)), gained(Fraction(-1, 8)), gained(Fraction(0))
    ('+0.1250', '-0.1250', '0')
    """
    return f"{float(chips):+.4f}" if chips else "0"
