"""Bad input: the answer is always a sentence, and the position does not change."""

import re
import tomllib
from pathlib import Path

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

TYPED: list[str] = [
    *tomllib.loads((Path(__file__).parents[1] / "data" / "fuzz.toml").read_text(encoding="utf-8"))[
        "classic"
    ]["typed"],
    "8" * 5000,
]
BYTES = (
    # no text: controls, and letters that are no UTF-8 or only half of one
    *(b"\x00", b"2\x006", b"\x1b[2J8", b"\xff\xfe8", b"\xe2\x82", b"9\x088", b"\x07"),
    # as many characters as are read of a line, one less and more, and far more
    *(b"8" * number for number in (9_998, 9_999, 10_000, 10_001, 100_000)),
    b"8 " * 50_000,
)


def test_a_bad_line_gets_a_sentence_and_changes_nothing() -> None:
    """Each is typed into a pipe, and the position is asked for after it."""
    bad = [*(line.encode() for line in TYPED), *BYTES]
    typed = b"%s\n%s" % (OPENING.encode(), b"".join(b"%s\nb\nd\n" % line for line in bad))
    ended = piped(*START, typed=typed, changes=STRICT)
    assert (ended.code, ended.refusal) == (0, "")
    assert b"\x1b" not in ended.out
    question = r"^Which tiles\?(?: .*)?\n"
    _, _, *said, _ = re.split(question, ended.out.decode(), flags=re.MULTILINE)
    turns = [said[place : place + 3] for place in range(0, len(said), 3)]
    assert_none(
        (line[:40], turn)
        for line, turn in zip(bad, turns, strict=True)
        if not SENTENCE.fullmatch(turn[0])
        or not turn[0].rstrip().isprintable()
        or turn[1:] != [f"{BOARD}\n", f"{DICE}\n"]
    )
