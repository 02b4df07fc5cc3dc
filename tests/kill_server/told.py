"""The replies to clients, compared with the stored log.

The log is read as rows, without the server's code for reading it. An acknowledged action must be in
the log once, under the number in the reply. A refused action must not be in it. When the log is
replayed, it must show at every number the same view that clients got.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from shutbox.engine.errors import ShutboxError
from shutbox.web.rooms.events import decode_event
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.view import view


def picture_of(shown: Mapping[str, Any]) -> int:
    """Return a hash of a view, without the number of viewers."""
    return hash(json.dumps({**shown, "watching": 0}, sort_keys=True))


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An action that was acknowledged."""

    client: str
    room: str
    action: str
    number: int
    says: tuple[str, ...] | None
    shown: tuple[int, int]
    """The number of the view in the reply, and its hash."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message of a stream."""

    room: str
    number: int
    says: tuple[str, ...]
    shown: int


@dataclass(slots=True)
class Told:
    """All replies and messages to clients."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    """The room and the action of every final refusal."""
    heard: list[Heard] = field(default_factory=list)
    not_now: list[str] = field(default_factory=list)
    """The sentences of refusals that can be retried."""
    repeated: int = 0
    """The number of actions sent again."""


@dataclass(frozen=True, slots=True)
class Row:
    """A stored entry."""

    room: str
    number: int
    at: float
    action: str | None
    entry: str


def rows_of(path: Path) -> list[Row]:
    """Return the entries in a SQLite file, after checking its integrity."""
    query = "SELECT room, number, at, action, entry FROM events ORDER BY room, number"
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = [Row(*row) for row in connection.execute(query)]
    connection.close()
    return rows


def faults(rows: Sequence[Row], told: Told) -> list[str]:
    """Return the replies that contradict the log. Empty if there are none."""
    return [*_lost_or_doubled(rows, told), *_replayed(rows, told)]


def _lost_or_doubled(rows: Sequence[Row], told: Told) -> Iterator[str]:
    kept: dict[str, list[tuple[str, int]]] = {}
    for row in rows:
        if row.action is not None:
            kept.setdefault(row.action, []).append((row.room, row.number))
    for action, places in kept.items():
        if len(places) > 1:
            yield f"{action} was done {len(places)} times"
    for one in told.acknowledged:
        match kept.get(one.action, []):
            case []:
                yield f"{one.action} was acknowledged as {one.number} and is lost"
            case places if (one.room, one.number) not in places:
                yield f"{one.action} was acknowledged as {one.number} and is kept as {places}"
    for number, times in Counter((a.room, a.number) for a in told.acknowledged).items():
        if times > 1:
            yield f"{number} was acknowledged {times} times"
    for room, action in told.refused:
        if action in kept:
            yield f"{action} was refused in {room} and has been done"
    last: dict[tuple[str, str], int] = {}
    for one in told.acknowledged:
        if one.number <= last.get((one.client, one.room), 0):
            yield f"{one.client} was told of {one.number} in {one.room} out of order"
        last[one.client, one.room] = one.number


def _replayed(rows: Sequence[Row], told: Told) -> Iterator[str]:
    shown: dict[tuple[str, int], set[int]] = {}
    says: dict[tuple[str, int], set[tuple[str, ...]]] = {}
    for one in told.acknowledged:
        shown.setdefault((one.room, one.shown[0]), set()).add(one.shown[1])
        if one.says is not None:
            says.setdefault((one.room, one.number), set()).add(one.says)
    for message in told.heard:
        shown.setdefault((message.room, message.number), set()).add(message.shown)
        says.setdefault((message.room, message.number), set()).add(message.says)
    rooms: dict[str, Room] = {}
    for row in rows:
        room = rooms.setdefault(row.room, Room(row.room))
        here = row.room, row.number
        try:
            event = room.apply(row.number, row.at, decode_event(row.entry))
        except ShutboxError as error:
            yield f"{here} cannot be played again: {error}"
            return
        if says.pop(here, {event.says}) != {event.says}:
            yield f"of {here} something else was said than {event.says}"
        if here in shown:
            picture = picture_of(shown_by(room))
            if shown.pop(here) != {picture}:
                yield f"of {here} something else was shown"
    for here in {*says, *shown}:
        yield f"{here} was told of and is lost"


def shown_by(room: Room) -> dict[str, Any]:
    """Return the view of a room as sent to clients, without viewers."""
    shown: dict[str, Any] = msgspec.to_builtins(view(room, 0))
    return json.loads(json.dumps(shown)) if shown else shown


def replayed(rows: Iterable[Row]) -> dict[str, Room]:
    """Return the rooms that result from these rows."""
    rooms: dict[str, Room] = {}
    for row in rows:
        room = rooms.setdefault(row.room, Room(row.room))
        room.apply(row.number, row.at, decode_event(row.entry))
    return rooms
