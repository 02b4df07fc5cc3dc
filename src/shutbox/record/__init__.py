"""Records as text and as JSON: each event is a line, and the lines can be replayed as a game.

A line is sound if its code is right, its number is the next, its name is the acting player's, and
the game allows its event. Reading stops at the first line that is not sound: the fault. Lines are
read one at a time, so a record can be long, and a line that is too long is never held whole.

JSON is for other programs; conversion in both directions loses nothing. It has the events without
numbers and codes, which can be regenerated. Incoming JSON is checked key by key and becomes the
bytes of a record. Reading those checks whether the game allows them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from shutbox.english import listed, shown
from shutbox.errors import BadFormat, BadRecord, ShutboxError
from shutbox.game import C, Game, Over, P
from shutbox.messages import gettext, pgettext, pgettext_noop
from shutbox.play import Event, Play, replayed
from shutbox.record.header import VERSION, Header, Source, other_version, read_header
from shutbox.record.lines import (
    UNSEALED,
    VERBS,
    EventText,
    Lines,
    event_of,
    event_text_of,
    sealed,
    unsealed,
)
from shutbox.sealed_dice import OpenEnvelope, read_opening, read_seal
from shutbox.seats import Seat

__all__ = [
    "LARGEST_JSON", "Fault", "Find", "Header", "Reading", "Source", "Writer", "from_json", "read",
    "read_json", "to_json", "written",
]  # fmt: skip

LARGEST_JSON = 100_000_000  # the most characters, or bytes, of a record in JSON

_KIND = "shutbox record"
_KEYS = (_KIND, "program", "begun", "game", "format", "players", "dice", "events")

T = TypeVar("T")
Find = Callable[[Header], Game[P, C]]  # returns the game that a header names

_TYPES = {
    dict: pgettext_noop("kind of value", "an object"),
    list: pgettext_noop("kind of value", "a list"),
    str: pgettext_noop("kind of value", "a text"),
    bool: pgettext_noop("kind of value", "true or false"),
    int: pgettext_noop("kind of value", "a number"),
    float: pgettext_noop("kind of value", "a number"),
    type(None): "null",
}


class Writer:
    r"""The writer of one record's lines. It returns each line, and the caller stores it.

    >>> from shutbox import Roll, Rolled, find
    >>> from shutbox.seats import Seat
    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
    ...     players=(Seat("Ann"),),
    ... )
    >>> Writer(header, find("classic")).line(1, 0, Rolled(Roll((3, 5))))
    b'1 Ann: throws 3+5 #528b22ae\n'
    """

    def __init__(self, header: Header, game: Game[Any, Any]) -> None:
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
    """Return the record as a value for `json.dumps`, with `opened` and `sealed_to` of a `Reading`.

    Raises BadRecord, and what `Header.start` and `Play.prepare` raise.
    """
    lines: list[dict[str, str]] = []
    for one in replayed(game, events, header.start(game)):
        text = event_text_of(game, one.event, one.before if header.dice.seal else None)
        lines.append({"player": header.name_of(one.seat), text.verb.key: text.what})
    dice = header.dice
    known = {"seed": dice.seed, "day": dice.day, "sealed": str(dice.seal)}
    return {
        _KIND: VERSION,
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


def read_json(text: str | bytes) -> bytes:
    """Return the record in a JSON text as bytes for `read`. Raises BadRecord for any other text."""
    import json  # not needed to play

    if len(text) > LARGEST_JSON:
        facts = {"number": len(text), "most": LARGEST_JSON}
        raise BadRecord("the JSON has {number:,} characters; at most {most:,} are read", **facts)
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except RecursionError:
        raise BadRecord("the JSON is nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadRecord("the JSON cannot be read: {problem}", problem=error) from None
    except ValueError:
        raise BadRecord("the JSON cannot be read: a number has thousands of digits") from None
    return from_json(value)


def from_json(value: object) -> bytes:
    """Return the record in a JSON value as bytes for `read`; only `read` checks its events.

    Raises BadRecord for any other value; most errors name the place, such as `events[3].player`.
    """
    version = _object(value, pgettext("part of a record", "the record")).get(_KIND)
    if type(version) is not int:
        facts = {"key": repr(_KIND), "version": VERSION}
        raise BadRecord("{key} is the version of the record, the number {version}", **facts)
    if version != VERSION:
        raise other_version()
    others = ("package", "position", "sealed_to", "opening")
    top = _fields(value, pgettext("part of a record", "the record"), _KEYS, others)
    texts = {key: _typed(str, top[key], key) for key in ("program", "begun", "game")}
    format = "" if top["format"] is None else _filled(top["format"], "format")
    texts |= {key: _filled(top[key], key) for key in ("package", "position") if key in top}
    seats = enumerate(_typed(list, top["players"], "players"))
    players = tuple(_seat(player, f"players[{place}]") for place, player in seats)
    dice = _source(top["dice"])
    header = Header(**texts, format=format, players=players, dice=dice)
    code, names = header.code, header.names
    lines = [bytes(header)]
    for place, event in enumerate(_typed(list, top["events"], "events")):
        lines.append(sealed(f"{place + 1} {_event(event, f'events[{place}]', names)}", code))
    if "sealed_to" in top:
        sealed_to = _typed(int, top["sealed_to"], "sealed_to")
        if sealed_to is True or sealed_to not in range(len(lines)):
            raise BadRecord("sealed_to is the number of an event of the record, or 0")
        lines.insert(1 + sealed_to, sealed(UNSEALED, code))
    if "opening" in top:
        lines.append(sealed(_filled(top["opening"], "opening"), code))
    return b"".join(lines)


def _event(value: object, where: str, names: tuple[str, ...]) -> str:
    """Return an event in JSON as a line says it, such as `Ann: throws 3+5`. Raises BadRecord."""
    event = _object(value, where)
    verbs = [key for key in event if key != "player"]
    if "player" not in event or len(verbs) != 1 or verbs[0] not in VERBS:
        facts = {"where": where, "verbs": listed(VERBS, "or")}
        raise BadRecord("{where} has the key player and one of {verbs}", **facts)
    name = _typed(str, event["player"], f"{where}.player")
    if name not in names:
        facts = {"where": where, "name": shown(name)}
        raise BadRecord("{where}.player: {name} is none of the players", **facts)
    [verb] = verbs
    what = _typed(str, event[verb], f"{where}.{verb}")
    try:
        return f"{name}: {EventText(VERBS[verb], what)}"
    except BadRecord as error:
        raise BadRecord("{where}: {error}", where=where, error=error) from None


def _seat(value: object, where: str) -> Seat:
    player = _fields(value, where, ("name",), ("computer",))
    kind = _filled(player["computer"], f"{where}.computer") if "computer" in player else ""
    return Seat(_typed(str, player["name"], f"{where}.name"), kind)


def _source(value: object) -> Source:
    dice = _fields(value, "dice", ("from",), ("seed", "day", "sealed"))
    kind = _typed(str, dice["from"], "dice.from")
    if kind == "sealed" and len(dice) == 2:
        return Source(kind, seal=read_seal(_typed(str, dice.get(kind), "dice.sealed")))
    if (kind == "seed") != ("seed" in dice):
        raise BadRecord("dice has the key seed where they are from a seed, and only there")
    if (kind == "day") != ("day" in dice):
        raise BadRecord("dice has the key day where they are of a day, and only there")
    seed, day = (_typed(str, dice.get(key, ""), f"dice.{key}") for key in ("seed", "day"))
    return Source(kind, seed, day)


# The next four functions return `value` if it has the expected shape, and raise BadRecord if not.
# `where` is the place of the value in the JSON, such as `events[3].player`.


def _fields(
    value: object, where: str, keys: tuple[str, ...], others: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return `value`, an object with all `keys` and else only `others`. Raises BadRecord."""
    found = _object(value, where)
    allowed = (*keys, *others)
    for key in keys:
        if key not in found:
            raise BadRecord("{where} lacks the key {key}", where=where, key=repr(key))
    for key in found:
        if key not in allowed:
            facts = {"where": where, "key": shown(key), "keys": listed(allowed)}
            raise BadRecord("{where} has the key {key}; known are {keys}", **facts)
    return found


def _object(value: object, where: str) -> dict[str, Any]:
    found = _typed(dict, value, where)
    if not all(isinstance(key, str) for key in found):
        raise BadRecord("{where} has a key that is no text", where=where)
    return found


def _filled(value: object, where: str) -> str:
    if not (text := _typed(str, value, where)):
        raise BadRecord("{where} is empty", where=where)
    return text


def _typed(kind: type[T], value: object, where: str) -> T:
    if isinstance(value, kind):
        return value
    found = _TYPES.get(type(value), pgettext_noop("kind of value", "something else"))
    kinds = [pgettext("kind of value", one) for one in (found, _TYPES[kind])]
    facts = dict(zip(("found", "wanted"), kinds, strict=True))
    raise BadRecord("{where} is {found}; {wanted} is wanted", where=where, **facts)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, held in pairs:
        if key in value:
            raise BadRecord("the key {key} stands twice in one object", key=shown(key))
        value[key] = held
    return value


def _no_number(name: str) -> NoReturn:
    raise BadRecord("{name} is no number of JSON", name=name)
