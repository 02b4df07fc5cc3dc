"""The lines of a record: their length, their characters, their check codes, and events in words.

A code is a CRC-32. The code of the header covers its bytes; the code of an event covers the
header's code and the text of its line. So a damaged line is detected, and so is a line of another
record. Yet no line depends on the line before it: two records differ only where the plays differ.
Codes guard against accidents, not against people, who can compute the code of any line.

An event in words is a verb and its object, such as `throws` and `3+5`, in text and in JSON. The
game defines the text of a choice; everything else is the same in every game.
"""

import re
from dataclasses import dataclass
from typing import Any, BinaryIO
from zlib import crc32

from shutbox.engine.dice import Roll
from shutbox.engine.english import Word, listed, shown
from shutbox.engine.errors import BadRecord
from shutbox.engine.game import C, Game, P, Throw
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.play import Chosen, Corrected, Event, Rolled, TookBack
from shutbox.engine.typed_text import check_type

LONGEST_LINE = 16_000  # the most bytes of a line, with its line feed

# Controls, surrogates, line breaks, direction marks, and the byte order mark. They are written
# out, so that a newer version of Unicode does not refuse a record that an older one accepted.
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)

_WITH_CODE = re.compile(r"(.*) #([0-9a-f]{8})")
_PIPS = re.compile(r"[1-9][0-9]{0,2}(\+[1-9][0-9]{0,2})*( of [0-9d+]{3,100})?")

BACK = "back"  # the word after `takes`
SYSTEM_DICE = "dice system"  # the line after which the dice of a sealed game are the system's


def code_of(data: bytes) -> str:
    """Return the check code of some bytes: their CRC-32 in eight lower-case hexadecimal digits.

    >>> code_of(b"123456789")
    'cbf43926'
    """
    return f"{crc32(data):08x}"


def one_line_text(what: str, text: str) -> str:
    """Return the text if a line of a record can hold it; `what` names it in the error.

    Raises BadRecord if it is empty, has a space at an end, or characters that break a line.
    """
    check_type(text, str)
    if not text:
        raise BadRecord("{what} is missing", what=what)
    if _UNFIT.search(text):
        facts = {"what": what, "text": shown(text)}
        raise BadRecord("{what} has a character that breaks or garbles a line: {text}", **facts)
    if text != text.strip(" "):
        raise BadRecord("{what} has a space at an end: {text}", what=what, text=shown(text))
    return text


def encode(text: str) -> bytes:
    """Return the bytes of a text and a line feed. Raises BadRecord if no line can hold them."""
    line = one_line_text(pgettext("part of a record", "the line"), text).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        facts = {"text": shown(text), "most": LONGEST_LINE}
        raise BadRecord("the line {text} is longer than {most} bytes", **facts)
    return line


def with_code(text: str, head: str) -> bytes:
    r"""Return a text as a line, with its check code; `head` is the header's. Raises as `encode`."""
    return encode(f"{text} #{code_of(f'{head} {text}'.encode())}")


def without_code(line: bytes, head: str) -> str:
    """Return the text of a line of `with_code`, without its code; the line feed can be missing.

    `head` is the header's code. Raises BadRecord for no code or a wrong one, and as `text_of` does.
    """
    whole = text_of(line)
    if (match := _WITH_CODE.fullmatch(whole)) is None:
        raise BadRecord(
            "{text} does not end with a check code such as #1c29f3aa", text=shown(whole)
        )
    text, code = match.groups()
    right = code_of(f"{head} {text}".encode())
    if code != right:
        raise BadRecord(
            "the line was changed, or is from another record: its check code is #{code}, and "
            "that of what it says here is #{right}",
            code=code,
            right=right,
        )
    return text


def text_of(line: bytes) -> str:
    """Return a line without its line feed. Raises BadRecord if too long or not clean UTF-8."""
    if len(line) > LONGEST_LINE:
        raise BadRecord("the line is longer than {most} bytes", most=LONGEST_LINE)
    if line.endswith(b"\r\n"):
        raise BadRecord(
            "the line ends with a carriage return and a line feed; the lines of a record end "
            "with a line feed alone"
        )
    try:
        text = line.removesuffix(b"\n").decode()
    except UnicodeDecodeError as error:
        raise BadRecord("byte {number} of the line is not UTF-8", number=error.start + 1) from None
    return one_line_text(pgettext("part of a record", "the line"), text)


class Lines:
    """A reader of the lines of a stream, which counts them; it holds no overlong line whole."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0  # the number of the last line that was read, from 1
        self.end = 0  # how many bytes were read

    def next(self) -> bytes:
        """Return the next line with its line feed, or empty bytes at the end of the stream.

        A line that is too long is cut to LONGEST_LINE + 1 bytes; its line feed, if any, is kept.
        """
        line = self._stream.readline(LONGEST_LINE + 1)
        self.number += bool(line)
        self.end += len(line)
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            more = self._stream.readline(LONGEST_LINE)
            self.end += len(more)
            if not more:
                break
            line = line[:LONGEST_LINE] + more[-1:]
        return line


class EventVerb(Word):
    """The verb of an event in a record, which says what kind of event it is."""

    THROWS = "throws"  # a roll of the program's dice: `throws 3+5`
    READS = "reads"  # a roll that a person threw and typed in: `reads 3+5`
    CHOOSES = "chooses"  # a choice, in the game's own text: `chooses 1 7`
    TAKES = "takes"  # the last choice is taken back: `takes back`
    CORRECTS = "corrects to"  # the right roll, after a wrong one was typed in: `corrects to 3+6`

    @property
    def key(self) -> str:
        """The verb in one word, which is its key in JSON."""
        return self.value.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in words, not checked by the rules. Raises BadRecord for words that no event has."""

    verb: EventVerb
    what: str  # the words after the verb

    def __post_init__(self) -> None:
        one_line_text(gettext("what is said after {verb}", verb=repr(self.verb.value)), self.what)
        if self.verb is EventVerb.TAKES:
            if self.what != BACK:
                what = shown(self.what)
                raise BadRecord("nobody takes {what}; takes {back}", what=what, back=repr(BACK))
        elif self.verb is not EventVerb.CHOOSES and not _PIPS.fullmatch(self.what):
            raise BadRecord("{text} is no roll; a record writes one as 3+5", text=shown(self.what))

    def __str__(self) -> str:
        return f"{self.verb.value} {self.what}"


def event_text_of(game: Game[Any, Any], event: Event[Any], before: Any = None) -> EventText:
    """Return an event of a game in words. Raises BadRecord if a line cannot hold them.

    `before` is the position before the event, for a record of sealed dice: there a throw says
    which dice fell unless all have six sides, so that it can be checked without the rules.
    """
    match event:
        case Rolled(roll=roll, typed=typed):
            of = "" if before is None else _dice_named(game.awaits(before))
            return EventText(EventVerb.READS if typed else EventVerb.THROWS, f"{roll}{of}")
        case Chosen(choice=choice):
            return EventText(EventVerb.CHOOSES, game.choice_text(choice))
        case TookBack():
            return EventText(EventVerb.TAKES, BACK)
        case Corrected(roll=roll):
            return EventText(EventVerb.CORRECTS, str(roll))


def _dice_named(awaited: object) -> str:
    """Return the dice awaited, such as ` of 2d8`; "" if none are, or all of them have six sides."""
    if isinstance(awaited, Throw) and {*awaited.dice.sides} != {6}:
        return f" of {awaited.dice}"
    return ""


def event_of(game: Game[P, C], position: P, text: str, *, sealed: bool = False) -> Event[C]:
    """Return the event that a text such as `throws 3+5` means, not checked against the rules.

    `sealed`: the record has sealed dice. Raises BadRecord for any other text, for a choice that is
    not written as the game writes it, for a roll that names the wrong dice, and for sealed dice
    that were typed in. Also raises what `parse_choice` raises.
    """
    verb = next((verb for verb in EventVerb if text.startswith(f"{verb.value} ")), None)
    if verb is None:
        verbs = (verb.value for verb in EventVerb)
        facts = {"text": shown(text), "verbs": listed(verbs, "or")}
        # Translators: a line of a record that describes no event.
        raise BadRecord("{text} says nothing that happens; {verbs} is wanted", **facts)
    what = EventText(verb, text[len(verb.value) + 1 :]).what
    match verb:
        case EventVerb.TAKES:
            return TookBack()
        case EventVerb.CHOOSES:
            choice = game.parse_choice(position, what)
            if (right := game.choice_text(choice)) != what:
                facts = {"choice": shown(what), "right": shown(right)}
                raise BadRecord("a record writes the choice {choice} as {right}", **facts)
            return Chosen(choice)
    pips, of, dice = what.partition(" of ")
    if of + dice != (_dice_named(game.awaits(position)) if sealed else ""):
        raise BadRecord("{text} does not name the dice that are due", text=shown(what))
    if sealed and verb is not EventVerb.THROWS:
        raise BadRecord("sealed dice are not typed in")
    roll = Roll(tuple(map(int, pips.split("+"))))
    if verb is EventVerb.CORRECTS:
        return Corrected(roll)
    return Rolled(roll, typed=verb is EventVerb.READS)
