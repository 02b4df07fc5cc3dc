"""Numbers as pages show them: one decimal, a real minus sign, and percent for chances."""

from shutbox.engine import english
from shutbox.engine.english import decimal, tenths
from shutbox.engine.messages import gettext
from shutbox.solving.options import Number
from shutbox.solving.value_text import is_chance

MINUS = "\N{MINUS SIGN}"


def unbroken(text: str) -> str:
    """Return a text like "26 %" with a space that never breaks before the percent sign.

    >>> unbroken("26 %") == "26\N{NO-BREAK SPACE}%"
    True
    """
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def percent(share: Number) -> str:
    """Return a probability as a percentage that stays on one line.

    >>> percent(0.5) == unbroken("50 %")
    True
    """
    return unbroken(english.percent(share))


def tenth(value: Number) -> str:
    """Return a number with one decimal and a real minus sign.

    >>> tenth(11.04), tenth(-2.04) == f"{MINUS}2.0", tenth(-0.01)
    ('11.0', True, '0.0')
    """
    return decimal(value).replace("-", MINUS)


def signed(value: Number) -> str:
    """Return a difference with one decimal and its sign.

    >>> signed(1.25), signed(-0.4) == f"{MINUS}0.4", signed(0.0)
    ('+1.3', True, '0.0')
    """
    text = tenth(value)
    return f"+{text}" if tenths(value) > 0 else text


def with_unit(number: str, *, chance: bool) -> str:
    """Return a number; if it is a chance, with a percent sign that stays on its line."""
    return unbroken(gettext("{number} %", number=number)) if chance else number


def value_text(aim: str, value: Number) -> str:
    """Return a value as text: in percent if the `aim` is a chance, else with one decimal.

    >>> value_text("mean", 11.04), value_text("shut", 0.048).split()
    ('11.0', ['4.8', '%'])
    """
    if not is_chance(aim):
        return tenth(value)
    if 0.01 <= value < 0.9995:
        return with_unit(tenth(100 * value), chance=True)
    return percent(max(0.0, value))


def cost(aim: str, value: Number) -> str:
    """Return the cost of a choice, in the unit of the aim and without a plus sign.

    >>> cost("mean", 1.3), cost("shut", 0.013).split()
    ('1.3', ['1.3', '%'])
    """
    return percent(max(0.0, value)) if is_chance(aim) else tenth(value)
