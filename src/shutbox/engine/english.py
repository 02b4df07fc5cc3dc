"""Parts of sentences that a screen reader reads well, and untrusted text made safe to show.

Nothing here depends on a game. Lists have commas and one "and", as in speech, because a screen
reader runs bare numbers together ("1 2 3" becomes one hundred and twenty-three).
"""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum
from fractions import Fraction
from itertools import accumulate, groupby
from math import floor
from typing import Literal

from shutbox.engine.messages import gettext, language, marks, ngettext, pgettext

BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
"""Blank characters that Unicode classes as letters, marks or symbols."""
EMOJI = "[\u2194\u2195\u2600-\u27bf\u2b1b\U0001f1e6-\U0001faff]"
"""A pattern of most emoji, beside other symbols."""
_JOINED_LETTER = "[\u0620-\u109f\u1780-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc]"
# Joiners between letters from Arabic to Mongolian, after a Malayalam virama, and between emoji; and
# the tags that make a black flag that of England, Scotland or Wales.
_SPACE = "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"  # the spaces of all scripts
_SIGN = re.compile(
    f"((?<={_JOINED_LETTER})[\u200c\u200d](?={_JOINED_LETTER})|(?<=\u0d4d)\u200d"
    f"|(?<={EMOJI})\u200d(?={EMOJI})|\U0001f3f4[\U000e0030-\U000e007a]{{2,6}}\U000e007f)|[^!-~]"
)

NUMBERS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
"""The English words for 1 to 20, which can be typed in every language."""


class Word(Enum):
    """The base of enumerations: the `repr` of a member is code that rebuilds it.

    >>> class Way(Word):
    ...     MAY = "may"
    >>> Way.MAY
    Way.MAY
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def listed(items: Iterable[object], last: Literal["and", "or"] = "and") -> str:
    """Return items as a list within a sentence; "" if there are none.

    >>> listed([1, 5, 9])
    '1, 5 and 9'
    >>> listed(["never", "may-top"], last="or")
    'never or may-top'
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return "".join(words)
    first = pgettext("list separator", ", ").join(words[:-1])
    if last == "or":
        return gettext("{first} or {last}", first=first, last=words[-1])
    return gettext("{first} and {last}", first=first, last=words[-1])


typed_as: dict[str, str] = {}  # how a front end was started: `shutbox`, and commands, as typed


def command(words: str) -> str:
    """Return the line that runs a command here: `shutbox resume 7`, or `make resume GAME=7`."""
    verb, _, game = words.partition(" ")
    if (own := typed_as.get(verb)) and (game.isdigit() or not game):
        return f"{own} GAME={game}" if game else own
    return f"{typed_as.get('shutbox', 'shutbox')} {words}"


MOST_WORDS = 25  # in a sentence: a longer one is hard to follow, above all by ear


def how_many_fit(names: Sequence[str], words: int) -> int:
    """Return how many of the first names make up at most `words` words, but at least 1."""
    totals = accumulate(len(name.split()) for name in names)
    return max(1, sum(total <= words for total in totals))


def runs(numbers: Iterable[int]) -> str:
    """Return numbers in ascending order, with runs of three or more joined by "to".

    >>> runs([1, 2, 3, 4, 6, 8, 9])
    '1 to 4, 6, 8 and 9'
    """
    parts: list[object] = []
    for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        group = [number for _, number in run]
        ends = {"first": group[0], "last": group[-1]}
        # Translators: both ends are included; what people type for "to" is a template of its own.
        parts += [gettext("{first} to {last}", **ends)] if len(group) > 2 else group
    return listed(parts)


def number_word(number: int) -> str:
    """Return a number to fill a placeholder: in English 1 to 20 as a word, otherwise in digits.

    Other languages get digits, because they inflect such words. For example `two`, but `24`.
    """
    in_words = language() == "en" and 0 < number <= len(NUMBERS)
    return NUMBERS[number - 1] if in_words else str(number)


def counted(singular: str, plural: str, number: int, /, **facts: object) -> str:
    """Return the singular or plural sentence; `{number}` is filled in as `number_word` says it."""
    return ngettext(singular, plural, number, number=number_word(number), **facts)


def percent(share: float | Fraction) -> str:
    """Return a probability in percent: to one decimal, or below 1 % to two significant digits.

    >>> percent(0.0714316), percent(0.5), percent(Fraction(1, 3)), percent(0.00012), percent(0)
    ('7.1 %', '50 %', '33.3 %', '0.012 %', '0 %')
    >>> percent(0.99999), percent(1), percent(1e-9)
    ('more than 99.9 %', '100 %', 'less than 0.0001 %')
    >>> percent(0.0625), percent(0.00125)  # a half is rounded away from 0
    ('6.3 %', '0.13 %')
    """
    value = 100 * float(share)
    if 99.95 <= value < 100:
        return gettext("more than 99.9 %")
    if 0 < value < 1e-4:
        return gettext("less than 0.0001 %")
    if 0 < value < 1:
        exact = Decimal(value)
        two = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 1), ROUND_HALF_UP)
        return gettext("{number} %", number=localized(f"{two.normalize():f}"))
    return gettext("{number} %", number=decimal_or_whole(value))


def figure(value: float | Fraction) -> str:
    """Return a number with four decimals, fewer if they are exact; none if whole or from 10**12 on.

    >>> figure(11.0092085), figure(Fraction(3, 2)), figure(7), figure(14761332.236)
    ('11.0092', '1.5', '7', '14761332.2360')
    >>> figure(Fraction(10**21 + 1, 2)), figure(-0.00001)
    ('500000000000000000000', '0.0000')
    """
    if value == int(value) or not -(10**12) < value < 10**12:
        return str(round(value))
    text = f"{float(value):z.4f}"
    return text.rstrip("0").rstrip(".") if Fraction(text) == value else text


def tenths(value: float | Fraction) -> int:
    """Return ten times a number, rounded to a whole number; a half is rounded away from 0."""
    size = floor(10 * Fraction(abs(float(value))) + Fraction(1, 2))
    return size if value > 0 else -size


def decimal(value: float | Fraction) -> str:
    """Return a number with one decimal, rounded as `tenths` does.

    >>> decimal(11.25), decimal(-0.25), decimal(-0.04)
    ('11.3', '-0.3', '0.0')
    """
    number = tenths(value)
    return localized(f"{'-' if number < 0 else ''}{abs(number) // 10}.{abs(number) % 10}")


def decimal_or_whole(value: float | Fraction) -> str:
    """Return a number with one decimal, or as a whole number if that is 0.

    >>> decimal_or_whole(14.0), decimal_or_whole(33.3)
    ('14', '33.3')
    """
    return decimal(value) if tenths(value) % 10 else str(tenths(value) // 10)


def localized(number: str) -> str:
    """Return a number in a sentence with the decimal sign of the language in use."""
    return number.replace(".", pgettext("decimal sign", "."))


def joined_clauses(clauses: Iterable[str]) -> str:
    """Return clauses of a sentence with semicolons between them: `Ann has 12; Bob has 20`."""
    return pgettext("list separator", "; ").join(clauses)


def dice_words(number: int) -> str:
    """Return the label of a choice between numbers of dice, such as `two dice`.

    It stands alone or in a list. Sentences about dice have a form for each number instead.
    """
    # Translators: a choice: how many dice to throw.
    return counted("one die", "{number} dice", number)


def capital(sentence: str) -> str:
    """Return the sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]


class TypedWord(str):
    """A word in notation, which `shown` quotes as it was `typed`."""

    typed: str


def shortened(text: object, limit: int = 40) -> str:
    """Return `limit` characters of untrusted text, and dots for more; hidden signs are escaped."""
    text = text.typed if isinstance(text, TypedWord) else text
    text = re.sub(_SPACE, " ", safe_text(text, str))
    dots = "..." if len(text) > limit else ""
    kept = text[:limit].rstrip("\u200c\u200d") if dots else text  # a joiner alone would be escaped
    return replace_hidden(kept, lambda sign: repr(sign)[1:-1]) + dots


def shown(text: object, limit: int = 40) -> str:
    """Quote untrusted text for a message, `shortened` to `limit` characters.

    A word of `typed_words` is quoted as it was typed.

    >>> print(shown("4\u30004"), shown("xyz" * 20, 5))
    '4 4' 'xyzxy...'
    """
    text = shortened(text, limit)
    quote = '"' if "'" in text and '"' not in text else "'"
    return f"{quote}{text}{quote}"


def in_html(title: str, lines: Iterable[str]) -> str:
    """Return a heading and a list of lines as HTML, for notebooks."""
    from html import escape  # only notebooks need it

    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<b>{escape(title)}</b><ul>{items}</ul>"


def safe_text(value: object, form: Callable[[object], str] = repr) -> str:
    """Return `form(value)`, or a phrase for a value too long, or nested too deeply, to write.

    >>> safe_text("six"), safe_text(10**5000)
    ("'six'", 'a value too long to show')
    """
    try:
        return form(value)
    except (ValueError, RecursionError):
        return gettext("a value too long to show")


def replace_hidden(text: str, by: Callable[[str], str]) -> str:
    r"""Replace each control or invisible character by what `by` returns for it.

    The joiners that a script or emoji needs are left as they are.

    >>> replace_hidden("Ann\u200b \u06cc\u200c\u0631", lambda sign: "?")
    'Ann? \u06cc\u200c\u0631'
    """
    if text.isprintable() and not any(blank in text for blank in BLANKS):
        return text

    def kept(match: re.Match[str]) -> str:
        sign = match[0]
        return sign if match[1] or (sign.isprintable() and sign not in BLANKS) else by(sign)

    return _SIGN.sub(kept, text)


def visible_path(path: object) -> str:
    """Return the name of a file for a sentence: `visible`, and on one line."""
    return visible(str(path)).replace("\n", "\\n")


def visible(text: str) -> str:
    r"""Escape control and invisible characters in text for a terminal.

    Line feeds, and the invisible characters of translations (see `marks`), are left as they are.

    >>> print(visible("Ann\u200b\x1b[2J has\nwon"))
    Ann\u200b\x1b[2J has
    won
    """
    fine = marks() | {"\n"}

    def escaped(sign: str) -> str:
        return sign if sign in fine else sign.encode("unicode_escape", "surrogatepass").decode()

    return replace_hidden(text, escaped)
