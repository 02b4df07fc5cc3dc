"""Reading the lines before the first event: one after the other, in the one order there is.

A header has one way to be written, so that reading and writing it changes no byte.
"""

import re

from shutbox.english import listed, shown
from shutbox.errors import BadRecord
from shutbox.messages import gettext
from shutbox.record.checked_lines import Lines, checked, code_of, text_of
from shutbox.record.dice_source import Source, read_source
from shutbox.record.header import VERSION, Header, check_begun, check_players
from shutbox.seats import COMPUTER, Seat

_FIRST = re.compile(rb"shutbox record ([1-9][0-9]{0,8})\n")

_AFTER: dict[str, tuple[str, ...]] = {
    "shutbox": ("program",),
    "program": ("begun",),
    "begun": ("game",),
    "game": ("format", "player"),
    "format": ("player",),
    "player": ("player", "dice"),
    "dice": ("begin",),
}
"""The words that a line of the header may begin with, by the word of the line before it."""


def read_header(lines: Lines) -> Header:
    """The header at the start of these lines, read up to the end of the line `begin`.

    Raises BadRecord, which says the line.
    """
    try:
        return _read(lines)
    except BadRecord as error:
        raise BadRecord(
            "line {line}: {problem}", line=max(lines.number, 1), problem=error
        ) from None


def _read(lines: Lines) -> Header:
    data = lines.next()
    _check_first(data)
    said = {"format": ""}
    players: list[Seat] = []
    dice = Source()
    last = "shutbox"
    while True:
        line = lines.next()
        wanted = _AFTER[last]
        if not line:
            raise BadRecord("the record ends before the line {words}", words=listed(wanted, "or"))
        if not line.endswith(b"\n") and line != f"begin #{code_of(data)}".encode():
            raise BadRecord("the record is cut off in this line")
        last, _, text = text_of(line).partition(" ")
        if last not in wanted:
            raise BadRecord(
                "{word} stands where {words} is wanted",
                word=shown(last),
                words=listed(wanted, "or"),
            )
        if last == "begin":
            break
        match last:
            case "player":
                players.append(_read_seat(text))
                check_players(players)
            case "dice":
                dice = read_source(text)
            case "begun":
                check_begun(text)
        if last not in ("player", "dice"):
            said[last] = checked(gettext("what follows {word}", word=last), text)
        data += line
    if text != f"#{code_of(data)}":
        raise BadRecord(
            "a line of the header was changed: its check code is {code}, and that of the "
            "lines above is #{right}",
            code=shown(text),
            right=code_of(data),
        )
    return Header(**said, players=tuple(players), dice=dice)


def _check_first(line: bytes) -> None:
    if match := _FIRST.fullmatch(line):
        if (version := int(match[1])) == VERSION:
            return
        raise BadRecord(
            "version {version} is newer than this program reads; it reads {newest}",
            version=version,
            newest=VERSION,
        )
    if not line:
        raise BadRecord("the file is empty")
    if (b"shutbox record %d" % VERSION).startswith(line):
        raise BadRecord("the record is cut off in this line")
    if line.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BadRecord("the file begins with a byte order mark; a record has none")
    if line.startswith(b"shutbox record"):
        text_of(line)
    said = shown(line[:100].decode(errors="replace").rstrip("\n"))
    raise BadRecord(
        "{text} does not begin a record; 'shutbox record {version}' does",
        text=said,
        version=VERSION,
    )


def _read_seat(text: str) -> Seat:
    name, sign, player = text.partition("=")
    kind = player.removeprefix(f"{COMPUTER}:")
    if sign and (kind == player or not kind):
        raise BadRecord(
            "after {name}= comes {computer}:KIND, not {player}",
            name=name,
            computer=COMPUTER,
            player=shown(player),
        )
    return Seat(name, kind)
