"""Records as text: each event is a line, and the lines can be replayed as a game.

A line is sound if its code is right, its number is the next, its name is the acting player's, and
the game allows its event. Reading stops at the first line that is not sound: the fault. Lines are
read one at a time, so a record can be long, and a line that is too long is never held whole.

`to_json` is for other programs. It has the events without numbers and codes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic

from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, BadRecord, ShutboxError
from shutbox.engine.game import C, Game, Over, P
from shutbox.engine.messages import gettext
from shutbox.engine.play import Event, Play, replayed
from shutbox.engine.sealed_dice import OpenEnvelope, read_opening
from shutbox.engine.typed_text import check_is
from shutbox.record.header import VERSION, Header, read_header
from shutbox.record.lines import UNSEALED, Lines, event_of, event_text_of, sealed, unsealed

Find = Callable[[Header], Game[P, C]]  # returns the game that a header names


class Writer:
    r"""The writer of one record's lines. It returns each line, and the caller stores it.

    >>> from shutbox import Roll, find
    >>> from shutbox.engine.play import Rolled
    >>> from shutbox.engine.seats import Seat
    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
    ...     players=(Seat("Ann"),),
    ... )
    >>> Writer(header, find("classic")).line(1, 0, Rolled(Roll((3, 5))))
    b'1 Ann: throws 3+5 #528b22ae\n'
    """

    def __init__(self, header: Header, game: Game[Any, Any]) -> None:
        check_is(header, Header)
        self.header = header
        self.game = game
        self._code = header.code

    def line(self, number: int, seat: int, event: Event[Any], before: Any = None) -> bytes:
        """Return the line of event `number` in the log, from 1, in which `seat`, from 0, acts.

        `before` is the position before it, which a record of sealed dice needs. Raises BadRecord
        for a seat without a name, and for an event that no line can hold.
        """
        text = event_text_of(self.game, event, before if self.header.dice.seal else None)
        return sealed(f"{number} {self.header.name_of(seat)}: {text}", self._code)

    def other(self, text: str) -> bytes:
        """Return `text`, which is no event, as a line: `OpenEnvelope.text`, or UNSEALED."""
        return sealed(text, self._code)


def written(
    header: Header,
    game: Game[Any, Any],
    events: Iterable[Event[Any]] = (),
    opened: OpenEnvelope | None = None,
    sealed_to: int | None = None,
) -> bytes:
    """Return a whole record; `opened` and `sealed_to` are those of a `Reading`.

    Raises BadRecord, and what `Header.start` and `Play.prepare` raise.
    """
    writer, acts = Writer(header, game), replayed(game, events, header.start(game))
    lines = [writer.line(one.number, one.seat, one.event, one.before) for one in acts]
    if sealed_to is not None:
        lines.insert(sealed_to, writer.other(UNSEALED))
    return b"".join([bytes(header), *lines, *([writer.other(opened.text)] if opened else [])])


@dataclass(frozen=True, slots=True)
class Fault:
    """The place where reading a record stopped: its first line that is not sound, and why.

    >>> print(Fault(9, "the line is too long"))
    line 9: the line is too long
    """

    line: int  # its number in the file, from 1
    reason: str  # what was found, and what was expected

    def __str__(self) -> str:
        return gettext("line {line}: {problem}", line=self.line, problem=self.reason)


@dataclass(frozen=True, slots=True)
class Reading(Generic[P, C]):
    """The content of a record up to its first fault."""

    header: Header
    game: Game[P, C]
    play: Play[P, C]  # every event before the fault
    fault: Fault | None  # None: every line is sound
    torn: bool  # whether the record ends in an unfinished line, which is left out
    sound: int  # the number of sound bytes: all, unless there is a fault or the record is torn
    opened: OpenEnvelope | None = None  # the envelope of sealed dice, once it is open
    sealed_to: int | None = None  # the number of the last event with sealed dice; None: all

    def _repr_svg_(self) -> str:
        """Return the last position as a picture, in SVG text, which a notebook shows."""
        return self.play._repr_svg_()

    @property
    def over(self) -> Over | None:
        """The end of the game; None if the game is not over where the reading stopped."""
        awaited = self.game.awaits(self.play.position)
        return awaited if isinstance(awaited, Over) else None


def read(stream: BinaryIO, find: Find[P, C]) -> Reading[P, C]:
    r"""Read a record up to its first fault; `find` returns the game that its header names.

    >>> from io import BytesIO
    >>> from shutbox import find
    >>> record = (
    ...     b"shutbox record 1\nprogram shutbox 0.1.0\nbegun 2026-11-21 12:00:05 UTC\n"
    ...     b"game classic\nplayer Ann\ndice system\nbegin #0302b5f0\n"
    ...     b"1 Ann: throws 3+5 #528b22ae\n2 Ann: choo"
    ... )
    >>> reading = read(BytesIO(record), lambda header: find(header.game))
    >>> reading.play.log, reading.torn
    ((Rolled(roll=Roll((3, 5)), typed=False),), True)

    Raises BadRecord, and no other ShutboxError, if the header cannot be read, or its game or
    position is refused.
    """
    lines = Lines(stream)
    header = read_header(lines)
    where = 4
    try:
        game = find(header)
        where = 5 + bool(header.package) + bool(header.format)
        play = Play(game, start=header.start(game))
    except ShutboxError as error:
        where = 5 if isinstance(error, BadFormat) else where
        raise BadRecord("line {line}: {problem}", line=where, problem=error) from None
    code, sound, torn = header.code, lines.end, False
    fault, opened, sealed_to = None, None, None
    while line := lines.next():
        try:
            text = unsealed(line, code)
        except BadRecord as error:
            torn = not line.endswith(b"\n")
            fault = None if torn else Fault(lines.number, str(error))
            break
        try:
            if opened is not None:
                raise BadRecord("the envelope is open; nothing follows in the record")
            if header.dice.seal and text.startswith("opening "):
                opened = read_opening(text, len(header.players))
            elif header.dice.seal and text == UNSEALED and sealed_to is None:
                sealed_to = play.version
            else:
                _happen(play, header, text)
        except ShutboxError as error:
            fault = Fault(lines.number, str(error))
            break
        sound = lines.end
    return Reading(header, game, play, fault, torn, sound, opened, sealed_to)


def _happen(play: Play[P, C], header: Header, text: str) -> None:
    """Apply a line's event to `play`. Raises BadRecord, and as `event_of` and `Play.happen` do."""
    number, space, rest = text.partition(" ")
    if not space or number != str(play.version + 1):
        facts = {"number": play.version + 1, "found": shown(number)}
        raise BadRecord("event {number} is due; the line begins with {found}", **facts)
    name, colon, event_text = rest.partition(": ")
    if not colon:
        facts = {"text": shown(rest), "example": f"{header.players[0].name}: throws 3+5"}
        raise BadRecord("{text} does not say who does what, such as {example}", **facts)
    sealed = header.dice.seal is not None
    event = event_of(play.game, play.position, event_text, sealed=sealed)
    seat = play.actor(event)
    due = None if seat is None else header.name_of(seat)
    if name != due and name not in header.names:
        raise BadRecord("{name} is none of the players", name=shown(name))
    if due not in (None, name):
        raise BadRecord("{name} cannot do that; it is the turn of {due}", name=name, due=due)
    play.happen(event)


def to_json(
    header: Header,
    game: Game[Any, Any],
    events: Iterable[Event[Any]],
    opened: OpenEnvelope | None = None,
    sealed_to: int | None = None,
) -> dict[str, Any]:
    """Return a record as a value for `json.dumps`; `opened` and `sealed_to` are of a `Reading`.

    An event has its player, and its verb with the words after it. Raises BadRecord, and what
    `Header.start` and `Play.prepare` raise.
    """
    dice, lines = header.dice, list[dict[str, str]]()
    for one in replayed(game, events, header.start(game)):
        text = event_text_of(game, one.event, one.before if dice.seal else None)
        lines.append({"player": header.name_of(one.seat), text.verb.key: text.what})
    known = {"seed": dice.seed, "day": dice.day, "date": dice.day, "sealed": str(dice.seal)}
    return {
        "shutbox record": VERSION,
        "program": header.program,
        "begun": header.begun,
        "game": header.game,
        **({"package": header.package} if header.package else {}),
        "format": header.format or None,
        **({"position": header.position} if header.position else {}),
        "players": [
            {"name": seat.name} | ({"computer": seat.computer} if seat.computer else {})
            for seat in header.players
        ],
        "dice": {"from": dice.kind, **{kind: known[kind] for kind in known if kind == dice.kind}},
        "events": lines,
        **({} if sealed_to is None else {"sealed_to": sealed_to}),
        **({} if opened is None else {"opening": opened.text}),
    }
