"""Lists of numbers as the notation writes them: `1-9`, `1.3.5`, `9-1`, `2x9.1x9`, `-` for none.

Order is kept, since tiles are listed in their place order. Every list is bounded while it is
read, so a huge range costs nothing.
"""

import re
from collections.abc import Sequence

from shutbox.english import shown
from shutbox.errors import NotUnderstood

MOST_NUMBERS = 60
LONGEST_TEXT = 400

_RANGE = re.compile(r"([0-9]{1,4})-([0-9]{1,4})")
_TIMES = re.compile(r"([0-9]{1,4})x([0-9]{1,2})")
_NUMBER = re.compile(r"[0-9]{1,4}")


def read_numbers(text: str) -> tuple[int, ...]:
    """The numbers of a list, in its order.

    >>> read_numbers("1-4.7"), read_numbers("9-7"), read_numbers("2x3.1"), read_numbers("-")
    ((1, 2, 3, 4, 7), (9, 8, 7), (2, 2, 2, 1), ())

    Raises NotUnderstood.
    """
    if len(text) > LONGEST_TEXT:
        raise NotUnderstood(
            "{text} is longer than {most} characters", text=shown(text), most=LONGEST_TEXT
        )
    numbers: list[int] = []
    for part in [] if text.strip() == "-" else text.split("."):
        word = part.strip()
        if match := _RANGE.fullmatch(word):
            first, last = int(match[1]), int(match[2])
            step = 1 if first <= last else -1
            numbers += range(first, last + step, step)[: MOST_NUMBERS + 1]
        elif match := _TIMES.fullmatch(word):
            numbers += [int(match[1])] * int(match[2])
        elif _NUMBER.fullmatch(word):
            numbers.append(int(word))
        else:
            raise NotUnderstood(
                "{word} is not a number; write a list such as 1-9 or 1.3.5", word=shown(word)
            )
        if len(numbers) > MOST_NUMBERS:
            raise NotUnderstood(
                "{text} lists more than {most} numbers", text=shown(text), most=MOST_NUMBERS
            )
    return tuple(numbers)


def write_numbers(numbers: Sequence[int]) -> str:
    """The list that `read_numbers` reads back, runs and repeats of three or more shortened.

    >>> write_numbers((1, 2, 3, 4, 7)), write_numbers((9, 8, 7)), write_numbers((2, 2, 2, 1))
    ('1-4.7', '9-7', '2x3.1')
    """
    parts: list[str] = []
    rest = list(numbers)
    while rest:
        step = rest[1] - rest[0] if len(rest) > 1 else 0
        length = 1
        while abs(step) < 2 and length < len(rest) and rest[length] == rest[0] + length * step:
            length += 1
        if length < 3:
            length = 1
            parts.append(str(rest[0]))
        elif step:
            parts.append(f"{rest[0]}-{rest[length - 1]}")
        else:
            parts.append(f"{rest[0]}x{length}")
        del rest[:length]
    return ".".join(parts) or "-"
