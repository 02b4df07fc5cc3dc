"""What people type, taken apart. Typed words are notation: English ones, in every language."""

import re

from shutbox.english import NUMBERS

NUMBER_WORDS = {word: number for number, word in enumerate(NUMBERS, 1)}
ENDING_WORDS = ("end", "quit", "exit", "q")  # of a game, a replay, a question; help names the first


def typed_words(text: str) -> list[str]:
    """What a person typed or said, in words; numbers in words become digits.

    Spaces, commas, plus signs and "and" stand between words.

    >>> typed_words("One and seven"), typed_words("1,7"), typed_words(" 1 + 7 ")
    (['1', '7'], ['1', '7'], ['1', '7'])
    """
    words = re.split(r"[\s,+]+|\band\b", text.lower())
    return [str(NUMBER_WORDS.get(word, word)) for word in words if word]


def was_typed(number: str, text: str) -> bool:
    """Whether digits may be told apart: `17` may be 1 and 7, but not if it was "seventeen".

    >>> was_typed("17", "17"), was_typed("17", "seventeen"), was_typed("7", "seven")
    (True, False, True)
    """
    return len(number) == 1 or number in text


def notation(text: object, longest: int) -> str:
    """Notation in lower case, without spaces at its signs; a space between two numbers stays.

    >>> notation(" 1 . 5 / 2+2 ", 20), notation("1 2", 20), notation("1.2.3", 4)
    ('1.5/2+2', '1 2', '')

    Nothing where it is longer than that, or no text at all.
    """
    if not isinstance(text, str) or len(text) > longest:
        return ""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", text.strip().lower())


def dice_text(number: int) -> str:
    """A number of dice: the text of a choice of dice, such as `two dice`."""
    word = NUMBERS[number - 1] if number <= len(NUMBERS) else number
    return f"{word} die" if number == 1 else f"{word} dice"
