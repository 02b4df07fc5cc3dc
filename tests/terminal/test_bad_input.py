"""Bad input: the answer is always a sentence, and the position does not change."""

import re

from listing import assert_none
from terminal.pipe import piped

# Seed "pub" throws 2 and 4, then 4 and 4: 1 and 5 go down first, then 8 or 2 and 6 are legal.
START = ("play", "classic", "--seed", "pub")
OPENING = "1 5"
BOARD = "All but 1 and 5 are up."
DICE = "The dice show 4 and 4, 8."
STRICT = {"PYTHONIOENCODING": "utf-8:strict"}
"""What most systems do with bytes that are no text; some, such as the C locale, let them pass."""

SENTENCE = re.compile(r"[A-Z0-9'\"].{5,250}\.\n")

TYPED = {
    "a number word that does not fit": "seven",
    "words of another language": "sieben",
    "more words": "no such thing at all",
    "a negative number": "-8",
    "zero": "0",
    "a huge number": "99999999999999999999",
    "5000 digits": "8" * 5000,
    "a fraction": "8.0",
    "a tile twice": "4 4",
    "one tile twice, run together": "44",
    "tiles that are down": "1 7",
    "a sum that does not fit": "2 3",
    "too much": "2 6 8",
    "a tile the box has not got": "12",
    "a tile of another box": "b8",
    "nothing": "",
    "blanks": "   ",
    "only separators": ", + ,",
    "only and": "and",
    "the number of dice": "two dice",
    "a command of another game": "accept",
    "a capital letter with an accent": "\u00c9",
    "a combining mark": "8\u0301",
    "marks alone": "\u0301\u0308",
    "full-width digits": "\uff15",
    "superscript digits": "\u2078",
    "Arabic digits": "\u0665",
    "a fraction sign": "\u00bd",
    "an emoji": "\U0001f3b2",
    "a letter from right to left": "\u202e5",
    "a zero-width space": "\u200b5",
    "a line separator": "2\u2028 3",
    "a word of the notation": "classic:8",
    "a format string": "{0} %s %n",
}
BYTES = {
    "NUL": b"\x00",
    "NUL in the middle": b"2\x006",
    "an escape": b"\x1b[2J8",
    "not UTF-8": b"\xff\xfe8",
    "half a letter": b"\xe2\x82",
    "a backspace": b"9\x088",
    "a bell": b"\x07",
    "100,000 characters": b"8" * 100_000,
    "100,000 tiles": b"8 " * 50_000,
    "one character less than the most": b"8" * 9_998,
    "the most characters and the end": b"8" * 9_999,
    "the most characters": b"8" * 10_000,
    "one character more than the most": b"8" * 10_001,
}


def test_a_bad_line_gets_a_sentence_and_changes_nothing() -> None:
    """Each is typed into a pipe, and the position is asked for after it."""
    bad = {name: line.encode() for name, line in TYPED.items()} | BYTES
    typed = b"%s\n%s" % (OPENING.encode(), b"".join(b"%s\nb\nd\n" % line for line in bad.values()))
    ended = piped(*START, typed=typed, changes=STRICT)
    assert (ended.code, ended.refusal) == (0, "")
    assert b"\x1b" not in ended.out
    question = r"^Which tiles\?(?: .*)?\n"
    _, _, *said, _ = re.split(question, ended.out.decode(), flags=re.MULTILINE)
    turns = [said[place : place + 3] for place in range(0, len(said), 3)]
    assert_none(
        (name, turn)
        for name, turn in zip(bad, turns, strict=True)
        if not SENTENCE.fullmatch(turn[0])
        or not turn[0].rstrip().isprintable()
        or turn[1:] != [f"{BOARD}\n", f"{DICE}\n"]
    )
