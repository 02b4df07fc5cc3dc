"""The lines of a record: their length, their characters and their check codes.

A code is a CRC-32. The code of the header covers its bytes; the code of an event covers the
header's code and the text of its line. So a damaged line is detected, and so is a line of another
record. Yet no line depends on the line before it: two records differ only where the plays differ.
Codes guard against accidents, not against people, who can compute the code of any line.
"""

import re
from typing import BinaryIO
from zlib import crc32

from shutbox.english import shown
from shutbox.errors import BadRecord
from shutbox.messages import pgettext

LONGEST_LINE = 16_000  # the most bytes of a line, with its line feed

# Controls, surrogates, line breaks, direction marks, and the byte order mark. They are written
# out, so that a newer version of Unicode does not refuse a record that an older one accepted.
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)

_SEALED = re.compile(r"(.*) #([0-9a-f]{8})")


def code_of(data: bytes) -> str:
    """Return the check code of some bytes: their CRC-32 in eight lower-case hexadecimal digits.

    >>> code_of(b"123456789")
    'cbf43926'
    """
    return f"{crc32(data):08x}"


def checked(what: str, text: str) -> str:
    """Return the text if a line of a record can hold it; `what` names it in the error.

    Raises BadRecord if it is empty, has a space at an end, or characters that break a line.
    """
    if not text:
        raise BadRecord("{what} is missing", what=what)
    if _UNFIT.search(text):
        facts = {"what": what, "text": shown(text)}
        raise BadRecord("{what} has a character that breaks or garbles a line: {text}", **facts)
    if text != text.strip(" "):
        raise BadRecord("{what} has a space at an end: {text}", what=what, text=shown(text))
    return text


def ended(text: str) -> bytes:
    """Return a text as the bytes of a line. Raises BadRecord as `checked` does, or if too long."""
    line = checked(pgettext("part of a record", "the line"), text).encode() + b"\n"
    if len(line) > LONGEST_LINE:
        facts = {"text": shown(text), "most": LONGEST_LINE}
        raise BadRecord("the line {text} is longer than {most} bytes", **facts)
    return line


def sealed(text: str, head: str) -> bytes:
    r"""Return an event's line with its code; `head` is the header's. Raises what `ended` raises.

    >>> sealed("1 Ann: throws 3+5", "1c29f3aa")
    b'1 Ann: throws 3+5 #3bbbe995\n'
    """
    return ended(f"{text} #{code_of(f'{head} {text}'.encode())}")


def unsealed(line: bytes, head: str) -> str:
    """Return the text of an event's line, without its code; the line feed can be missing.

    `head` is the code of the header. Raises BadRecord for an unfit line or a wrong code.
    """
    whole = text_of(line)
    if (match := _SEALED.fullmatch(whole)) is None:
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
    """Return the text of a line without its line feed.

    Raises BadRecord for a line that is too long, not UTF-8 or refused by `checked`.
    """
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
    return checked(pgettext("part of a record", "the line"), text)


class Lines:
    """The lines of a stream, read one at a time; a line that is too long is not held whole."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.number = 0  # the number of the last line that was read, from 1
        self.end = 0  # how many bytes were read

    def next(self) -> bytes:
        """Return the next line with its line feed, or empty bytes at the end of the stream.

        A line that is too long is cut to a little more than LONGEST_LINE; a line feed is kept.
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
