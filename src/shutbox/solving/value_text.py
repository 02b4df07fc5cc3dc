"""Aims and values in words. An aim is given by its name, such as "mean", "beat:8" or "win"."""

from collections.abc import Callable
from fractions import Fraction

from shutbox.engine.english import decimal_or_whole, figure, localized, percent
from shutbox.engine.game import RuleCard
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.solving.options import Number

# Templates by the kind of aim; "" is a custom aim of a caller, with values of any meaning. All can
# use `shuts`, the `score` to beat, and the name of the `aim`. With one throw each, "row" is the
# mean of one row alone.

_PLAYED = {
    # Translators: these follow "played", or begin a line such as "{aim}, the best choice first."
    "mean": gettext_noop("for the best expected score"),
    "row": gettext_noop("for the best expected score in this row alone"),
    "shut": gettext_noop("so that it {shuts} as often as it can"),
    # Translators: follows "played"; {shuts} is "shuts the box".
    "worst-shut": gettext_noop("so that it {shuts} as seldom as it can"),
    "beat": gettext_noop("to beat {score}"),
    "win": gettext_noop("for the best chance to win"),
    "chips": gettext_noop("for the most chips"),
    "": gettext_noop("for {aim}"),
}
_VALUES = {
    "mean": gettext_noop("expected score {value}"),
    "shut": gettext_noop("{shuts} {value}"),
    "beat": gettext_noop("{value} to beat {score}"),
    "win": gettext_noop("wins {value}"),
    "chips": gettext_noop("expected chips {value}"),
    "": gettext_noop("{aim} {value}"),
}
_LOST = {
    "mean": gettext_noop("{cost} in the expected score"),
    "shut": gettext_noop("{cost} of the chance that it {shuts}"),
    "beat": gettext_noop("{cost} of the chance to beat {score}"),
    "win": gettext_noop("{cost} of the win"),
    "chips": gettext_noop("{cost} in chips"),
    "": gettext_noop("{cost} of {aim}"),
}
_ALIKE = {"row": "mean", "worst-shut": "shut"}  # aims whose values are said in the same words
_CHANCES = {"shut", "worst-shut", "beat", "win"}  # the aims whose values are probabilities


def _filled(templates: dict[str, str], aim: str, card: RuleCard, **facts: str) -> str:
    kind, _, score = aim.partition(":")
    template = templates.get(kind) or templates.get(_ALIKE.get(kind, ""), templates[""])
    return gettext(template, shuts=card.shuts, score=score, aim=aim, **facts)


def is_chance(aim: str) -> bool:
    """Whether the values of an aim are probabilities. False for points, chips and unknown aims."""
    return aim.partition(":")[0] in _CHANCES


def aim_words(aim: str, card: RuleCard) -> str:
    """Return the aim in words, to follow "played"; `card` tells how the game says "shut".

    >>> from shutbox.games.catalogue import find
    >>> aim_words("beat:8", find("classic").card())
    'to beat 8'
    """
    return _filled(_PLAYED, aim, card)


def value_phrase(
    aim: str, value: Number, card: RuleCard, written: Callable[[Number], str] = figure
) -> str:
    """Return a value in words; `written` formats values that are not probabilities.

    >>> from shutbox.games.catalogue import find
    >>> card = find("classic").card()
    >>> [value_phrase(aim, 0.25, card) for aim in ("mean", "shut", "beat:8", "win")]
    ['expected score 0.25', 'shuts the box 25 %', '25 % to beat 8', 'wins 25 %']
    """
    return _filled(_VALUES, aim, card, value=value_only(aim, value, written))


def value_only(aim: str, value: Number, written: Callable[[Number], str] = figure) -> str:
    """Return a value without words: a percentage if it is a probability, otherwise `written`."""
    return percent(value) if is_chance(aim) else localized(written(value))


def at_table(points: Number) -> str:
    """Return points to a tenth, as players say them; tiny amounts are "less than 0.1".

    >>> at_table(9.9403), at_table(7), at_table(0.0625), at_table(0.04)
    ('9.9', '7', '0.1', 'less than 0.1')
    """
    if 0 < points < 0.05:
        return gettext("less than 0.1")
    return decimal_or_whole(points)


def cost_only(aim: str, cost: Number, written: Callable[[Number], str] = figure) -> str:
    """Return a cost as text that does not name the aim.

    Points and chips are a bare number, formatted by `written`. Costs of chances are in percentage
    points, and for the aim "win" a percentage of the win.

    >>> cost_only("mean", 0.25), cost_only("shut", 0.0025), cost_only("win", 0.0125)
    ('0.25', '0.25 percentage points', '1.2 %')
    >>> cost_only("shut", 0.01), cost_only("shut", 0.015)
    ('1 percentage point', '1.5 percentage points')
    """
    if not is_chance(aim):
        return localized(written(cost))
    points = 100 * float(cost)
    if aim == "win":  # nobody notices a smaller loss
        if 0 < points < 0.05:
            return gettext("less than 0.1 %")
        return gettext("{number} %", number=localized(f"{points:.1f}".removesuffix(".0")))
    if 99.95 <= points < 100:
        return gettext("more than 99.9 percentage points")
    if 0 < points < 1e-4:
        return gettext("less than 0.0001 percentage points")
    number = f"{points:.2g}" if 0 < points < 1 else f"{points:.1f}".removesuffix(".0")
    if number == "1":
        return gettext("1 percentage point")
    facts = {"number": localized(number)}
    return ngettext(
        "{number} percentage points", "{number} percentage points", int(float(number)), **facts
    )


def cost_words(
    aim: str, cost: Number, card: RuleCard, written: Callable[[Number], str] = figure
) -> str:
    """Return the cost of a choice in words; `written` formats costs that are not probabilities."""
    return _filled(_LOST, aim, card, cost=cost_only(aim, cost, written))


def precise_percent(share: Fraction) -> str:
    """Return a share in percent with three decimals, since seats differ by little.

    >>> precise_percent(Fraction(50281, 100000))
    '50.281 %'
    """
    return gettext("{number} %", number=localized(f"{100 * float(share):.3f}"))


def signed_chips(chips: Fraction) -> str:
    """Return chips won or lost, with a sign.

    >>> signed_chips(Fraction(1, 8)), signed_chips(Fraction(-1, 8)), signed_chips(Fraction(0))
    ('+0.1250', '-0.1250', '0')
    """
    return localized(f"{float(chips):+.4f}") if chips else "0"
