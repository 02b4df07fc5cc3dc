"""Records as JSON, for other programs; conversion in both directions loses nothing.

JSON has the events without numbers and codes, which can be regenerated. Incoming JSON is checked
key by key and becomes the bytes of a record. Reading those checks whether the game allows them.
"""

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from shutbox.english import listed, shown
from shutbox.errors import BadRecord
from shutbox.game import Game
from shutbox.messages import pgettext, pgettext_noop
from shutbox.play import Event, replayed
from shutbox.record.checked_lines import sealed
from shutbox.record.event_text import UNSEALED, VERBS, EventText, event_text_of
from shutbox.record.header import VERSION, Header, Source
from shutbox.sealed_dice import OpenEnvelope, read_seal
from shutbox.seats import Seat

LARGEST_JSON = 100_000_000
"""The most characters, or bytes, of a record in JSON."""

_KIND = "shutbox record"
_KEYS = (_KIND, "program", "begun", "game", "format", "players", "dice", "events")

T = TypeVar("T")

_TYPES = {
    dict: pgettext_noop("kind of value", "an object"),
    list: pgettext_noop("kind of value", "a list"),
    str: pgettext_noop("kind of value", "a text"),
    bool: pgettext_noop("kind of value", "true or false"),
    int: pgettext_noop("kind of value", "a number"),
    float: pgettext_noop("kind of value", "a number"),
    type(None): "null",
}


def to_json(
    header: Header,
    game: Game[Any, Any],
    events: Iterable[Event[Any]],
    opened: OpenEnvelope | None = None,
    sealed_to: int | None = None,
) -> dict[str, Any]:
    """Return the record as a value for `json.dumps`. Raises what the game raises for an event.

    `opened` and `sealed_to` are those of a `Reading`.
    """
    lines: list[dict[str, str]] = []
    for one in replayed(game, events, header.start(game)):
        text = event_text_of(game, one.event, one.before if header.dice.seal else None)
        lines.append({"player": header.players[one.seat].name, text.verb.key: text.what})
    dice = header.dice
    known = {"seed": dice.seed, "day": dice.day, "sealed": str(dice.seal)}
    return {
        _KIND: header.version,
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
    """Return the record in a JSON text, as bytes for `read`. Raises BadRecord."""
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
    """Return the record in a JSON value, as bytes for `read`. Raises BadRecord."""
    version = _object(value, pgettext("part of a record", "the record")).get(_KIND)
    if type(version) is not int or version < 1:
        facts = {"key": repr(_KIND), "version": VERSION}
        raise BadRecord("{key} is the version of the record, a number up to {version}", **facts)
    if version > VERSION:
        raise BadRecord(
            "the version is newer than this program reads; it reads {newest}", newest=VERSION
        )
    others = ("package", "position", *(("sealed_to", "opening") if version > 1 else ()))
    top = _fields(value, pgettext("part of a record", "the record"), _KEYS, others)
    texts = {key: _typed(str, top[key], key) for key in ("program", "begun", "game")}
    format = "" if top["format"] is None else _filled(top["format"], "format")
    texts |= {key: _filled(top[key], key) for key in ("package", "position") if key in top}
    seats = enumerate(_typed(list, top["players"], "players"))
    players = tuple(_seat(player, f"players[{place}]") for place, player in seats)
    dice = _source(top["dice"])
    header = Header(**texts, format=format, players=players, dice=dice)
    if header.version != version:
        raise BadRecord("version 2 is of sealed dice, and version 1 of all others")
    code, names = header.code, header.names
    lines = [bytes(header)]
    for place, event in enumerate(_typed(list, top["events"], "events")):
        lines.append(sealed(f"{place + 1} {_event(event, f'events[{place}]', names)}", code))
    if "sealed_to" in top:
        lines.insert(1 + _typed(int, top["sealed_to"], "sealed_to"), sealed(UNSEALED, code))
    if "opening" in top:
        lines.append(sealed(_filled(top["opening"], "opening"), code))
    return b"".join(lines)


def _event(value: object, where: str, names: tuple[str, ...]) -> str:
    """Return an event in JSON as its line says it, such as `Ann: throws 3+5`. Raises BadRecord."""
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


# Each returns its value if it has the expected shape, and raises BadRecord if not. `where` is the
# place of the value in the JSON, such as `events[3].player`.


def _fields(
    value: object, where: str, keys: tuple[str, ...], others: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a JSON object. Raises BadRecord unless it has all `keys`, and else only `others`."""
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
