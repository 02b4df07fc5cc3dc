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
from shutbox.engine.play import Event, Play, Prepared, replay_log
from shutbox.engine.sealed_dice import OpenEnvelope, read_opening
from shutbox.engine.typed_text import check_type
from shutbox.record.header import VERSION, Header, read_header
from shutbox.record.lines import (
    SYSTEM_DICE,
    Lines,
    event_of,
    event_text_of,
    with_code,
    without_code,
)

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
    >>> Writer(header).line(Play(find("classic")).prepare(Rolled(Roll((3, 5)))))
    b'1 Ann: throws 3+5 #528b22ae\n'
    """

    def __init__(self, header: Header) -> None:
        check_type(header, Header)
        self.header = header
        self._code = header.code

    def line(self, act: Prepared[Any, Any]) -> bytes:
        """Return the line of an event that is prepared or applied.

        Raises BadRecord for a seat without a name, and for an event that no line can hold.
        """
        text = event_text_of(act.game, act.event, act.before if self.header.dice.seal else None)
        return self.plain_line(f"{act.number} {self.header.name_of(act.seat)}: {text}")

    def plain_line(self, text: str) -> bytes:
        """Return a line that is no event: `OpenEnvelope.text`, or SYSTEM_DICE. Raises BadRecord."""
        return with_code(text, self._code)


def to_bytes(
    header: Header,
    game: Game[Any, Any],
    events: Iterable[Event[Any]] = (),
    opening: OpenEnvelope | None = None,
    last_sealed: int | None = None,
) -> bytes:
    """Return a whole record; `opening` and `last_sealed` are those of a `Reading`.

    Raises BadRecord, and what `Header.start` and `Play.prepare` raise.
    """
    writer = Writer(header)
    lines = [writer.line(act) for act in replay_log(game, events, header.start(game))]
    if last_sealed is not None:
        lines.insert(last_sealed, writer.plain_line(SYSTEM_DICE))
    if opening is not None:
        lines.append(writer.plain_line(opening.text))
    return b"".join([bytes(header), *lines])


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
    """The content of a record up to its first fault, or to its unfinished last line."""

    header: Header
    game: Game[P, C]
    play: Play[P, C]  # every event before the fault
    fault: Fault | None  # None: every line is sound
    torn: bool  # whether the record ends in an unfinished line, which is left out
    sound_bytes: int  # the number of bytes before the fault or the unfinished line, or of all
    opening: OpenEnvelope | None = None  # the envelope of sealed dice, once it is open
    last_sealed: int | None = None  # the number of the last event with sealed dice; None: all

    @property
    def over(self) -> Over | None:
        """The end of the game; None if the game is not over where the reading stopped."""
        awaited = self.game.awaits(self.play.position)
        return awaited if isinstance(awaited, Over) else None

    @property
    def can_go_on(self) -> bool:
        """Whether the game can be continued: it is not over, and no envelope has been opened.

        An open envelope tells every roll that sealed dice would still show.
        """
        return self.over is None and self.opening is None


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
    play = _begin(header, find)
    code = header.code
    sound_bytes = lines.end
    torn = False
    fault, opening, last_sealed = None, None, None
    while line := lines.next():
        try:
            text = without_code(line, code)
        except BadRecord as error:
            torn = not line.endswith(b"\n")
            fault = None if torn else Fault(lines.number, str(error))
            break
        try:
            if opening is not None:
                raise BadRecord("the envelope is open; nothing follows in the record")
            if header.dice.seal and text.startswith("opening "):
                opening = read_opening(text, len(header.players))
            elif header.dice.seal and text == SYSTEM_DICE and last_sealed is None:
                last_sealed = play.version
            else:
                _happen(play, header, text)
        except ShutboxError as error:
            fault = Fault(lines.number, str(error))
            break
        sound_bytes = lines.end
    return Reading(header, play.game, play, fault, torn, sound_bytes, opening, last_sealed)


def _begin(header: Header, find: Find[P, C]) -> Play[P, C]:
    """Return the play that a header begins. Raises BadRecord, which names the line refused."""
    word = "game"
    try:
        game = find(header)
        word = "position"
        return Play(game, start=header.start(game))
    except ShutboxError as error:
        line = header.line_of("format" if isinstance(error, BadFormat) else word)
        raise BadRecord("line {line}: {problem}", line=line, problem=error) from None


def _happen(play: Play[P, C], header: Header, text: str) -> None:
    """Apply a line's event to `play`. Raises BadRecord, and as `event_of` and `Play.happen` do."""
    number, _, rest = text.partition(" ")
    name, colon, event_text = rest.partition(": ")
    if not colon or number != str(play.version + 1):
        facts = {"text": shown(text), "number": play.version + 1, "name": header.players[0].name}
        raise BadRecord("{text} is not {number} {name}: throws 3+5 or the like", **facts)
    sealed = header.dice.seal is not None
    event = event_of(play.game, play.position, event_text, sealed=sealed)
    seat = play.actor(event)
    due = None if seat is None else header.name_of(seat)
    if due is not None and name != due:
        raise BadRecord("{name} cannot do that; it is the turn of {due}", name=shown(name), due=due)
    play.happen(event)  # which refuses an event for which nobody is due


def to_json(reading: Reading[Any, Any]) -> dict[str, Any]:
    """Return a record up to its fault as a dict for `json.dumps`.

    `events` has a dict for each: its `player`, and its verb as a key with the words after it. What
    is empty is left out, except `format`, which is None for a single turn.
    """
    header, game, play = reading.header, reading.game, reading.play
    said = list[dict[str, str]]()
    for act in replay_log(game, play.log, play.start):
        text = event_text_of(game, act.event, act.before if header.dice.seal else None)
        said.append({"player": header.name_of(act.seat), text.verb.key: text.what})
    fields = ("program", "begun", "game", "package", "format", "position")
    whole = {
        "shutbox record": VERSION,
        **{field: getattr(header, field) or None for field in fields},
        "players": [
            {"name": seat.name} | ({"computer": seat.computer} if seat.computer else {})
            for seat in header.players
        ],
        "dice": str(header.dice),
        "events": said,
        "sealed_to": reading.last_sealed,
        "opening": reading.opening and reading.opening.text,
    }
    return {key: value for key, value in whole.items() if value is not None or key == "format"}
