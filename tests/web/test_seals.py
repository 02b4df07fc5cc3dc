"""Seals of stored data: data that was changed is neither shown nor played on."""

import json
from typing import Any

import pytest
from sqlalchemy import update

from people import Person
from shutbox.web.errors import DAMAGED
from shutbox.web.rooms.events import checksum, json_text
from shutbox.web.server.services import Server
from shutbox.web.storage.log import events_of, is_whole, sealed
from shutbox.web.storage.schema import StoredEvent, events, rooms

PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


def event(number: int, **changed: Any) -> StoredEvent:
    made = StoredEvent("a", number, 0.5, f"id {number}", "by", None, f"{number}")
    return made._replace(**changed)


LOG = sealed("", [event(number) for number in range(1, 5)])
CHANGES: dict[str, Any] = {
    **dict.fromkeys(("room", "action", "by", "answer", "entry", "seal"), "changed"),
    **dict.fromkeys(("number",), 7),
    "at": 0.25,
}


@pytest.mark.parametrize("name", StoredEvent._fields)
def test_whatever_is_changed_of_an_event_breaks_the_chain(name: str) -> None:
    assert is_whole("", LOG)
    for place in range(len(LOG)):
        for value in (CHANGES[name], None, b"bytes"):
            if value != getattr(LOG[place], name):
                changed: list[Any] = [*LOG]
                changed[place] = StoredEvent(**{**LOG[place]._asdict(), name: value})
                assert not is_whole("", changed), (name, place, value)


def test_an_event_cannot_go_come_or_change_places() -> None:
    first, second, third, fourth = LOG
    for broken in (
        [second, third, fourth],
        [first, third, fourth],
        [first, third, second, fourth],
        [first, first, second],
        [*LOG, event(5)],
    ):
        assert not is_whole("", broken)
    assert is_whole(second.seal, [third, fourth])
    assert not is_whole(first.seal, [third, fourth])


def test_a_seal_is_for_ever() -> None:
    assert checksum("room", 1, None, 0.1, "\xe9", "\ud800") == "6430fb6bd66e895fcd8fe2e865c73c57"
    assert [e.seal[:8] for e in LOG] == ["f398dc62", "d94c3d3d", "c2307710", "14037d97"]


def played(ann: Person, games: int = 1) -> list[str]:
    """Rooms in which something has happened."""
    rooms = []
    for _ in range(games):
        opened = ann.open(game="pub", seats=PUB)["view"]
        table = opened["table"]
        for _ in range(6):
            table = ann.step(opened["room"], table)
        rooms.append(opened["room"])
    return rooms


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
        "UPDATE events SET entry = cast(x'ff00' AS text) WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET number = number + 100 WHERE room = '{room}' AND number = 8",
    ],
)
def test_a_damaged_room_says_so_and_others_go_on(
    damage: str, ann: Person, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    room, other = played(ann, 2)
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


FIRST = (
    {"leaver": "vote"},
    {"seats": [{"name": "Ann", "computer": "wizard", "by_link": False}] * 2},
    {"format": 7},
)
LAST = ({"deed": "juggles 3+5"}, {"seat": 7}, {"type": "vote"}, {"why": "a field"})


@pytest.mark.parametrize(
    ("place", "entry"), [*((0, entry) for entry in FIRST), *((-1, entry) for entry in LAST)]
)
def test_what_is_whole_and_not_understood_is_refused_as_damaged(
    place: int, entry: dict[str, Any], ann: Person, server: Server
) -> None:
    (room,) = played(ann)
    rows = [*events_of(server.database, room)]
    told = {**json.loads(rows[place].entry), **entry}
    rows[place] = rows[place]._replace(entry=json_text(told))
    last = rows[-1]
    kept = sealed("", rows)
    with server.database.writer.begin() as connection:
        for row in kept:
            where = (events.c.room == room) & (events.c.number == row.number)
            connection.execute(update(events).where(where).values(row._asdict()))
        ends = {"seal": kept[-1].seal, "length": last.number}
        connection.execute(update(rooms).where(rooms.c.id == room).values(ends))
    server.rooms._loaded.clear()
    answer = ann.get(f"/api/rooms/{room}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged"), answer.text
    assert server.rooms.cached_room(room) is None


# A file of which one page is damaged


def first(table: dict[str, Any]) -> str:
    return table["offers"][0]["text"] if table["offers"] else ""
