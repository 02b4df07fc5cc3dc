"""Seals of stored data: data that was changed is neither shown nor played on."""

import json
from typing import Any

import pytest
from sqlalchemy import update

from people import Person
from shutbox.web.errors import DAMAGED
from shutbox.web.rooms.shapes import json_text
from shutbox.web.server.services import Server
from shutbox.web.storage.log import are_seals_right, events_of, seal_events
from shutbox.web.storage.schema import StoredEvent, events, rooms

PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


def event(number: int, **changed: Any) -> StoredEvent:
    made = StoredEvent("a", number, 0.5, f"id {number}", "by", None, f"{number}")
    return made._replace(**changed)


LOG = seal_events("", [event(number) for number in range(1, 5)])
CHANGES: dict[str, Any] = {
    **dict.fromkeys(("room", "action", "by", "answer", "entry", "seal"), "changed"),
    **dict.fromkeys(("number",), 7),
    "at": 0.25,
}


@pytest.mark.parametrize("name", StoredEvent._fields)
def test_whatever_is_changed_of_an_event_breaks_the_chain(name: str) -> None:
    assert are_seals_right("", LOG)
    for place in range(len(LOG)):
        for value in (CHANGES[name], None, b"bytes"):
            if value != getattr(LOG[place], name):
                changed: list[Any] = [*LOG]
                changed[place] = StoredEvent(**{**LOG[place]._asdict(), name: value})
                assert not are_seals_right("", changed), (name, place, value)


def test_an_event_cannot_go_come_or_change_places() -> None:
    first, second, third, fourth = LOG
    for broken in (
        [second, third, fourth],
        [first, third, fourth],
        [first, third, second, fourth],
        [first, first, second],
        [*LOG, event(5)],
    ):
        assert not are_seals_right("", broken)
    assert are_seals_right(second.seal, [third, fourth])
    assert not are_seals_right(first.seal, [third, fourth])


def change(server: Server, says: str) -> None:
    with server.database.writer.begin() as connection:
        assert connection.exec_driver_sql(says).rowcount > 0


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM events WHERE number = (SELECT max(number) FROM events) AND room = '{room}'",
        "DELETE FROM events WHERE room = '{room}'",
        "UPDATE rooms SET seal = 'no' WHERE id = '{room}'",
        "UPDATE rooms SET length = length - 1 WHERE id = '{room}'",
        "UPDATE rooms SET length = 0 WHERE id = '{room}'",
        "UPDATE events SET at = at + 1 WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET entry = x'ff00' WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET number = number + 100 WHERE room = '{room}' AND number = 8",
    ],
)
def test_a_damaged_room_says_so_and_others_go_on(
    damage: str, ann: Person, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    room, other = (ann.played(6, game="pub", seats=PUB) for _ in range(2))
    change(server, damage.format(room=room))
    server.rooms._loaded.clear()
    for path in ("", "/events", "/record"):
        answer = ann.get(f"/api/rooms/{room}{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged")
    page = ann.get(f"/r/{room}")
    assert page.status_code == 500
    assert DAMAGED[1:] in page.text
    assert ann.post(f"/api/rooms/{room}/leave", seat=0).status_code == 500
    assert "damaged room" in caplog.text
    ann.step(other, ann.table(other))


@pytest.mark.parametrize(
    ("place", "entry"),
    [
        (0, {"leaver": "vote"}),
        (0, {"seats": [{"name": "Ann", "computer": "wizard", "by_link": False}] * 2}),
        (-1, {"deed": "juggles 3+5"}),
    ],
)
def test_what_is_whole_and_not_understood_is_refused_as_damaged(
    place: int, entry: dict[str, Any], ann: Person, server: Server
) -> None:
    room = ann.played(6, game="pub", seats=PUB)
    rewrite(server, room, place, entry)
    server.rooms._loaded.clear()
    answer = ann.get(f"/api/rooms/{room}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged"), answer.text
    assert server.rooms.loaded_room(room) is None


def test_a_room_in_memory_whose_log_cannot_be_read_any_more_is_dropped(
    ann: Person, server: Server
) -> None:
    room = ann.played(6, game="pub", seats=PUB)
    rewrite(server, room, 0, {"leaver": "vote"})
    answer = ann.get(f"/api/rooms/{room}/record")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged"), answer.text
    assert server.rooms.loaded_room(room) is None


def rewrite(server: Server, room: str, place: int, entry: dict[str, Any]) -> None:
    """Change fields of a stored event, and make all seals of its room right again."""
    rows = [*events_of(server.database, room)]
    told = {**json.loads(rows[place].entry), **entry}
    rows[place] = rows[place]._replace(entry=json_text(told))
    last = rows[-1]
    kept = seal_events("", rows)
    with server.database.writer.begin() as connection:
        for row in kept:
            where = (events.c.room == room) & (events.c.number == row.number)
            connection.execute(update(events).where(where).values(row._asdict()))
        ends = {"seal": kept[-1].seal, "length": last.number}
        connection.execute(update(rooms).where(rooms.c.id == room).values(ends))
