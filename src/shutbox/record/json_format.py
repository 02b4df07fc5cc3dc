"""A record as JSON, for other programs; nothing is lost on the way there and back.

JSON has the events without numbers and codes, which can be made again. What comes in is checked as
text, key by key, and becomes the bytes of a record; whether the game allows it is found out by
reading that.
"""

from collections.abc import Iterable
from typing import Any, NoReturn

from shutbox.english import listed, shown
from shutbox.errors import BadRecord
from shutbox.game import Game
from shutbox.messages import gettext
from shutbox.play import Event, actors
from shutbox.record.checked_lines import sealed
from shutbox.record.dice_source import Source
from shutbox.record.event_text import VERBS, EventText, event_text_of
from shutbox.record.header import VERSION, Header
from shutbox.record.json_checks import a_filled_text, a_list, a_text, an_object, has
from shutbox.seats import Seat

LARGEST_JSON = 100_000_000
"""The most characters, or bytes, of a record in JSON."""

_KIND = "shutbox record"
_KEYS = (_KIND, "program", "begun", "game", "format", "players", "dice", "events")


def to_json(header: Header, game: Game[Any, Any], events: Iterable[Event[Any]]) -> dict[str, Any]:
    """The record as a value for `json.dumps`. Raises what the game says to a wrong event."""
    kept: list[dict[str, str]] = []
    for seat, event in actors(game, events):
        said = event_text_of(game, event)
        kept.append({"player": header.players[seat].name, said.verb.key: said.what})
    dice = {"from": header.dice.kind}
    return {
        _KIND: VERSION,
        "program": header.program,
        "begun": header.begun,
        "game": header.game,
        "format": header.format or None,
        "players": [
            {"name": seat.name} | ({"computer": seat.computer} if seat.computer else {})
            for seat in header.players
        ],
        "dice": dice | ({"seed": header.dice.seed} if header.dice.kind == "seed" else {}),
        "events": kept,
    }


def read_json(text: str | bytes) -> bytes:
    """The record that a JSON text holds, as bytes to be read by `read`. Raises BadRecord."""
    import json  # not needed to play

    if len(text) > LARGEST_JSON:
        raise BadRecord(
            "the JSON has {number:,} characters; at most {most:,} are read",
            number=len(text),
            most=LARGEST_JSON,
        )
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except RecursionError:
        raise BadRecord("the JSON is nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise BadRecord("the JSON cannot be read: {problem}", problem=error) from None
    except ValueError:
        raise BadRecord("the JSON cannot be read: a number has thousands of digits") from None
    return from_json(value)


def from_json(value: object) -> bytes:
    """The record that a JSON value holds, as bytes to be read by `read`. Raises BadRecord."""
    version = an_object(value, gettext("the record")).get(_KIND)
    if type(version) is not int or version < 1:
        raise BadRecord(
            "{key} is the version of the record, a number, here {version}",
            key=repr(_KIND),
            version=VERSION,
        )
    if version > VERSION:
        raise BadRecord(
            "the version is newer than this program reads; it reads {newest}", newest=VERSION
        )
    top = has(value, gettext("the record"), _KEYS)
    header = Header(
        program=a_text(top["program"], "program"),
        begun=a_text(top["begun"], "begun"),
        game=a_text(top["game"], "game"),
        format="" if top["format"] is None else a_filled_text(top["format"], "format"),
        players=tuple(
            _seat(player, f"players[{place}]")
            for place, player in enumerate(a_list(top["players"], "players"))
        ),
        dice=_source(top["dice"]),
    )
    code = header.code
    names = {seat.name for seat in header.players}
    lines = [bytes(header)]
    for number, event in enumerate(a_list(top["events"], "events"), start=1):
        lines.append(sealed(f"{number} {_event(event, f'events[{number - 1}]', names)}", code))
    return b"".join(lines)


def _event(value: object, where: str, names: set[str]) -> str:
    """What the line of the event says after its number."""
    event = an_object(value, where)
    verbs = [key for key in event if key != "player"]
    if "player" not in event or len(verbs) != 1 or verbs[0] not in VERBS:
        raise BadRecord(
            "{where} has the key player and one of {verbs}", where=where, verbs=listed(VERBS, "or")
        )
    name = a_text(event["player"], f"{where}.player")
    if name not in names:
        raise BadRecord(
            "{where}.player: {name} is none of the players", where=where, name=shown(name)
        )
    [verb] = verbs
    what = a_text(event[verb], f"{where}.{verb}")
    try:
        return f"{name}: {EventText(VERBS[verb], what)}"
    except BadRecord as error:
        raise BadRecord("{where}: {error}", where=where, error=error) from None


def _seat(value: object, where: str) -> Seat:
    player = has(value, where, ("name",), ("computer",))
    kind = a_filled_text(player["computer"], f"{where}.computer") if "computer" in player else ""
    return Seat(a_text(player["name"], f"{where}.name"), kind)


def _source(value: object) -> Source:
    dice = has(value, "dice", ("from",), ("seed",))
    kind = a_text(dice["from"], "dice.from")
    if (kind == "seed") != ("seed" in dice):
        raise BadRecord("dice has the key seed where they are from a seed, and only there")
    return Source(kind, a_text(dice.get("seed", ""), "dice.seed"))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, held in pairs:
        if key in value:
            raise BadRecord("the key {key} stands twice in one object", key=shown(key))
        value[key] = held
    return value


def _no_number(name: str) -> NoReturn:
    raise BadRecord("{name} is no number of JSON", name=name)
