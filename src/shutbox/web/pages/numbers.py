"""Numbers as the figures of a page show them: one decimal, a real minus, percent for chances."""

from shutbox.english import percent

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

    >>> worth("mean", 11.04), worth("shut", 0.048)
    ('11.0', '4.8 %')
    """
    return percent(max(0.0, value)) if is_chance(aim) else tenth(value)


def cost(aim: str, value: float) -> str:
    """What a choice costs, without a sign.

    >>> cost("mean", 1.3), cost("shut", 0.013)
    ('1.3', '1.3 %')
    """
    return percent(max(0.0, value)) if is_chance(aim) else tenth(value)
