"""Stored events of rooms: their text never changes, and invalid ones are refused.

The shapes of the API do not affect them.
"""

import json
import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

import pytest

from shutbox.engine.errors import BadRecord
from shutbox.web.live.live_room import EventMessage, WatchingMessage
from shutbox.web.rooms import events, shapes
from shutbox.web.rooms.events import RoomEvent, decode_event, encode_event
from shutbox.web.rooms.requests import Enter, NewRoom, NewSeat
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.view import view

KEPT: dict[str, RoomEvent] = {
    '{"type":"open","game":"classic","format":null,"seats":[{"name":"Zoë","computer":"",'
    '"by_link":false},{"name":"R","computer":"computer:fixed:7","by_link":true}],'
    '"dice":"hand","hints":"off","coach":false,"leaver":"any","stand_in":"careful","position":"",'
    '"challenge":"","day":""}': events.Opened(
        "classic",
        None,
        (events.Planned("Zoë"), events.Planned("R", "computer:fixed:7", by_link=True)),
        "hand",
        "off",
        coach=False,
        leaver="any",
        stand_in="careful",
    ),
    '{"type":"open","game":"classic","format":null,"seats":[],"dice":"system","hints":"off",'
    '"coach":false,"leaver":"any","stand_in":"fewest","position":"1.5",'
    '"challenge":"","day":""}': events.Opened(
        *("classic", None, (), "system", "off"),
        coach=False,
        leaver="any",
        stand_in="fewest",
        position="1.5",
    ),
    '{"type":"enter","seat":1,"name":"\\"Bob\\" \\\\ \u2028 \U0001f3b2 \\u0001"}': events.Entered(
        1, '"Bob" \\ \u2028 \U0001f3b2 \x01'
    ),
    '{"type":"name","seat":0,"name":"Zoë"}': events.Named(0, "Zoë"),
    '{"type":"say","seat":0,"phrase":"bravo"}': events.Said(0, "bravo"),
    '{"type":"answer","seat":1,"again":false}': events.RematchAnswer(1, again=False),
    '{"type":"begin","header":"shutbox record 1\\n"}': events.Begun("shutbox record 1\n"),
    '{"type":"happen","seat":0,"deed":"throws 3+5"}': events.Played(0, "throws 3+5"),
    '{"type":"leave","seat":0}': events.Left(0),
    '{"type":"come-back","seat":0}': events.CameBack(0),
    '{"type":"stand-in","seat":2,"computer":"fewest"}': events.StoodIn(2, "fewest"),
    '{"type":"end"}': events.GivenUp(),
    '{"type":"renew","seat":-1}': events.Renewed(-1),
    '{"type":"close"}': events.Closed(),
    '{"type":"dice","step":"word","text":"pub","seat":1}': events.Diced("word", "pub", 1),
}


def test_every_event_is_stored_as_documented() -> None:
    for text, event in KEPT.items():
        assert encode_event(event) == text
        assert decode_event(text) == event
    assert {type(event) for event in KEPT.values()} == set(events._TYPES.values())
    assert {json.loads(text)["type"] for text in KEPT} == set(events._TYPES)


OPENED = json.loads(next(iter(KEPT)))
WRONG: tuple[dict[str, Any], ...] = (
    *({"format": 3}, {"dice": "feet"}, {"hints": ["off"]}, {"leaver": None}, {"coach": 1}),
    *({"seats": {}}, {"seats": [1]}, {"seats": [{}]}),
    {"seats": [{"name": "Ann", "by_link": "no"}]},
)
NO_EVENTS = (
    *("", "1", "[]", "{}", '{"seat":1}', '{"type":"sing"}', "[" * 100_000),
    *('{"type":"leave"}', '{"type":["leave"],"seat":1}', '{"type":"leave","seat":1,"why":"tea"}'),
    *(f'{{"type":"leave","seat":{seat}}}' for seat in ('"1"', "true", "1.0", "null")),
    '{"type":"say","seat":0,"phrase":"boo"}',
    *(json.dumps({**OPENED, **wrong}) for wrong in WRONG),
)


def test_what_is_no_event_is_refused() -> None:
    for text in NO_EVENTS:
        with pytest.raises(BadRecord, match="event of a room cannot be read"):
            decode_event(text)


def test_a_browser_without_msgspec_reads_and_writes_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spec = find_spec(shapes.__name__)
    assert spec is not None
    assert spec.loader is not None
    plain = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "msgspec", None)
    spec.loader.exec_module(plain)
    monkeypatch.setattr(events, "convert", plain.convert)
    for text in KEPT:
        assert encode_event(decode_event(text)) == text
        assert json.loads(plain.encode(json.loads(text))) == json.loads(text)
    room = Room("x")
    room.apply(1, 0.0, decode_event(next(iter(KEPT))))
    event = EventMessage(1, room.log.lines[0], view(room, 2), you_changed=True)
    new = NewRoom("12345678", seats=(NewSeat("me", "Zoë"), NewSeat("link")), coach=True)
    for value in (event, WatchingMessage(2), new):
        assert plain.encode(value) == shapes.encode(value)
    for request in (new, Enter("12345678", "abc", None)):
        assert plain.shaped(json.loads(shapes.encode(request)), type(request)) == request


def test_only_an_event_about_a_missing_seat_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room("x")
    room.apply(1, 0.0, decode_event(json.dumps(OPENED)))
    for seat in (len(OPENED["seats"]), -4):
        with pytest.raises(BadRecord, match="a seat that does not exist"):
            room.apply(2, 0.0, events.Left(seat))
    monkeypatch.setattr(events, "phrase_words", {}.__getitem__)  # a bug
    with pytest.raises(KeyError):
        room.apply(2, 0.0, events.Said(0, "bravo"))
