"""Numbers as the figures of a page show them: one decimal, a real minus, percent for chances."""

from shutbox.english import percent
from shutbox.messages import gettext

MINUS = "\N{MINUS SIGN}"
CHANCES = ("shut", "worst-shut", "beat", "win", "share")
"""The aims whose values are probabilities."""


def tenth(value: float) -> str:
    """A number with one decimal.

    >>> tenth(11.04), tenth(-2.04) == f"{MINUS}2.0", tenth(-0.01)
    ('11.0', True, '0.0')
    """
    text = f"{abs(value):.1f}"
    return f"{MINUS}{text}" if value < 0 and float(text) else text


def signed(value: float) -> str:
    """What something adds, with its sign.

    >>> signed(1.25), signed(-0.4) == f"{MINUS}0.4", signed(0.0)
    ('+1.2', True, '0.0')
    """
    text = tenth(value)
    return f"+{text}" if value > 0 and float(text) else text


def is_chance(aim: str) -> bool:
    """Whether the values of an aim are probabilities.

    >>> is_chance("mean"), is_chance("beat:13")
    (False, True)
    """
    return aim.partition(":")[0] in CHANCES


def worth(aim: str, value: float) -> str:
    """A value of an aim.

    >>> worth("mean", 11.04), worth("shut", 0.048), worth("win", 0.26)
    ('11.0', '4.8 %', '26.0 %')
    """
    if not is_chance(aim):
        return tenth(value)
    if 0.01 <= value < 0.9995:
        return gettext("{number} %", number=tenth(100 * value))
    return percent(max(0.0, value))


def cost(aim: str, value: float) -> str:
    """What a choice costs, without a sign.

    >>> cost("mean", 1.3), cost("shut", 0.013)
    ('1.3', '1.3 %')
    """
    return percent(max(0.0, value)) if is_chance(aim) else tenth(value)


def signed_worth(aim: str, value: float) -> str:
    """What something adds to a value of an aim, with its sign.

    >>> signed_worth("mean", 1.25), signed_worth("win", 0.042)
    ('+1.2', '+4.2 %')
    """
    if not is_chance(aim):
        return signed(value)
    return gettext("{number} %", number=signed(100 * value))


def adding_up(start: float, result: float, *parts: float) -> tuple[float, ...]:
    """The parts in tenths, so that what is printed adds up to what is printed.

    The first part takes what rounding leaves.

    >>> [round(part, 1) for part in adding_up(11.01, 8.0, -6.04, 3.04)]
    [-6.0, 3.0]
    >>> [round(part, 1) for part in adding_up(10.04, 8.04, -3.06, 1.06)]
    [-3.1, 1.1]
    """
    whole = [round(10 * part) for part in parts]
    whole[0] = round(10 * result) - round(10 * start) - sum(whole[1:])
    return tuple(part / 10 for part in whole)
