"""The stored data of devices: links between them, tries at boxes of the day.

A link adds the games of one device to another. Only its hash is stored. Its grants and its deletion
are one write, so of two devices that use it at once, even at different servers, the second is
refused.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, astuple
from functools import partial
from itertools import pairwise

from sqlalchemy import Connection, delete, func, insert, select, text, update

from shutbox.engine.errors import OutOfDate
from shutbox.web.limits import HANDOVER_SECONDS, MOST_LISTED_TABLES
from shutbox.web.rooms.days import (
    MOST_BARS,
    Day,
    DayMove,
    DayResult,
    Finish,
    Losses,
    Moves,
    PastDay,
    Try,
)
from shutbox.web.rooms.room import WATCHERS
from shutbox.web.storage.group_commit import give
from shutbox.web.storage.log import StoredLog, newest_rooms
from shutbox.web.storage.orders import deleted, give_order
from shutbox.web.storage.schema import (
    Grant,
    days,
    grants,
    handovers,
    record_owners,
    records,
    rooms,
    subscriptions,
    tries,
)

_MADE = (
    "INSERT INTO handovers (device, link, until) VALUES (:device, :link, :until) "
    "ON CONFLICT (device) DO UPDATE SET link = excluded.link, until = excluded.until"
)


class DeviceLinks:
    """The stored links that share rooms between devices, and the deletion of a device's data."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def offer(self, device: str, link: str, now: float) -> None:
        """Store a device's new, only link, both by hashes, for HANDOVER_SECONDS. Raises NotKept."""
        expired = delete(handovers).where(handovers.c.until < now)
        until = now + HANDOVER_SECONDS
        made = text(_MADE).bindparams(device=device, link=link, until=until)
        await self._log.write(expired, made)

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Use up a link, share its maker's rooms with `device`, both by hashes; return the rooms.

        Raises NotKept, NoAnswer, DamagedStore; OutOfDate if unknown, used, expired or of `device`.
        """
        is_it = handovers.c.link == link
        query = select(handovers.c.device).where(is_it, handovers.c.until >= now)

        def check(maker: str | None) -> str:
            if maker is None:
                raise OutOfDate(
                    "this link was used, or is older than {minutes} minutes; make another on the "
                    "other device",
                    minutes=round(HANDOVER_SECONDS / 60),
                )
            if maker == device:
                raise OutOfDate("this is the device that made the link; open it on the other one")
            return maker

        # Check before writing: a refused write delays the other batches of its commit.
        check(next((str(row.device) for row in await self._log.rows(query)), None))
        found: Sequence[str] = ()

        def taken(connection: Connection) -> None:
            nonlocal found
            maker = check(connection.scalar(query.with_for_update()))
            connection.execute(delete(handovers).where(is_it))
            found = [*connection.scalars(newest_rooms(maker, MOST_LISTED_TABLES))]
            # Lock the rooms: a seat renewed at the same time is revoked here too, or not granted.
            here = select(rooms.c.id).where(rooms.c.id.in_(found)).order_by(rooms.c.id)
            connection.execute(here.with_for_update())
            mine = (grants.c.device == maker) & grants.c.room.in_(found)
            seats = select(grants.c.room, grants.c.seat).where(mine).order_by(grants.c.id)
            for room, seat in connection.execute(seats).all():
                give(connection, Grant(room, seat, device))
            for room in found:
                give_order(connection, "seats", room)

        await self._log.write(taken)
        return found

    async def forget_at(self, room: str, device: str, *, delete_room: bool) -> None:
        """Delete a device's seats in a room, and the room unless another device has a seat there.

        The device is given by its hash. Without `delete_room`, the room stays in any case. Raises
        NotKept, and OutOfDate if the room is gone already.
        """

        def gone(connection: Connection) -> None:
            here = (grants.c.room == room) & (grants.c.seat != WATCHERS)
            others = select(grants.c.id).where(here & (grants.c.device != device)).limit(1)
            if delete_room and connection.scalar(others) is None:
                deleted(connection, room)
            mine = (grants.c.device == device) & (grants.c.room == room)
            connection.execute(delete(grants).where(mine))

        await self._log.write(gone)

    async def forget(self, device: str, elsewhere: Sequence[str]) -> None:
        """Delete all other data of a device, by its hash, and the records of its expired rooms.

        The servers of the rooms `elsewhere` are ordered to do as `forget_at`. Raises NotKept.
        """

        def gone(connection: Connection) -> None:
            for room in elsewhere:
                give_order(connection, "forget", room, device)
            expired = select(record_owners.c.room).where(record_owners.c.device == device)
            connection.execute(delete(records).where(records.c.room.in_(expired)))
            for table in (record_owners, tries, handovers, subscriptions):
                connection.execute(delete(table).where(table.c.device == device))

        await self._log.write(gone)


MOST_LISTED = 100  # rows of a ranking, or rooms still to be judged
MOST_DAYS = 4000  # of a streak
MOST_COMPARED = 1000  # tries whose throws are compared
_FINISH = (tries.c.score, tries.c.shut, tries.c.loss)


def made(connection: Connection, day: Day) -> None:
    """Store a day with its game and seed, unless it is already stored."""
    add = "INSERT INTO days (day, game, seed) VALUES (:day, :game, :seed)"
    connection.execute(text(f"{add} ON CONFLICT (day) DO NOTHING"), asdict(day))


class StoredDays:
    """The stored boxes of the day, and the tries at them. Reads raise NoAnswer, DamagedStore."""

    def __init__(self, log: StoredLog) -> None:
        self._log = log

    async def make(self, day: Day) -> None:
        """Store a day with its game and seed, unless it is already stored. Raises NotKept."""
        await self._log.write(partial(made, day=day))

    async def find(self, day: str) -> Day | None:
        """Return a stored day, or None."""
        rows = await self._log.rows(select(days).where(days.c.day == day))
        return Day(*rows[0]) if rows else None

    async def before(self, day: str, most: int) -> Sequence[PastDay]:
        """Return up to `most` stored days before that one, newest first."""
        query = select(days.c.day, days.c.game).where(days.c.day < day)
        newest = query.order_by(days.c.day.desc()).limit(most)
        return [PastDay(*row) for row in await self._log.rows(newest)]

    def begun(self, day: Day, device: str, room: str) -> Callable[[Connection], object]:
        """Return a write that stores a new try and its day; a second try raises IntegrityError."""

        def write(connection: Connection) -> None:
            made(connection, day)
            connection.execute(insert(tries), {"day": day.day, "device": device, "room": room})

        return write

    async def finish(self, room: str, finish: Finish, moves: Moves) -> None:
        """Store the result of the try in a room, unless it already has one. Raises NotKept."""
        here = (tries.c.room == room) & tries.c.loss.is_(None)
        played = json.dumps([astuple(move) for move in moves], separators=(",", ":"))
        await self._log.write(update(tries).where(here).values(**asdict(finish), moves=played))

    async def try_of(self, day: str, device: str) -> Try | None:
        """Return the try of a device, given by its hash, at the box of a day; None without one."""
        other = tries.alias()
        better = (other.c.day == tries.c.day) & (other.c.loss < tries.c.loss)
        place = 1 + select(func.count()).where(better).scalar_subquery()  # ties share a place
        query = select(tries.c.room, tries.c.moves, *_FINISH, place)
        mine = query.where(tries.c.day == day, tries.c.device == device)
        for room, moves, *end in await self._log.rows(mine):
            return Try(room, None if None in end else DayResult(*end), _moves(moves))
        return None

    async def results_of(self, device: str) -> Mapping[str, Finish]:
        """Return a device's results by day, of its last `MOST_DAYS` finished tries."""
        query = select(tries.c.day, *_FINISH).where(tries.c.device == device)
        query = query.where(tries.c.loss.is_not(None)).order_by(tries.c.day.desc())
        return {day: Finish(*end) for day, *end in await self._log.rows(query.limit(MOST_DAYS))}

    async def losses(self, day: str, mine: Finish | None) -> Losses | None:
        """Return a day's losses by mistakes, with the caller's `mine`; None if no try is over."""
        lost, loss = tries.c.loss, mine.loss if mine else None
        less = (func.count().filter(lost < bar + 0.5) for bar in range(MOST_BARS - 1))
        query = select(*less, func.count(), func.count().filter(lost > (loss or 0.0)))
        [row] = await self._log.rows(query.where(tries.c.day == day, lost.is_not(None)))
        *up_to, worse = row
        bars = tuple(more - fewer for fewer, more in pairwise([0, *up_to]))
        others = sum(bars) - 1 if mine else 0
        percent = 100 * worse // others if others else None
        return Losses(day, bars, loss, percent) if sum(bars) else None

    async def moves_of(self, day: str) -> Sequence[Moves]:
        """Return the moves of up to `MOST_COMPARED` finished tries of a day."""
        query = select(tries.c.moves).where(tries.c.day == day, tries.c.moves.is_not(None))
        rows = await self._log.rows(query.order_by(tries.c.device).limit(MOST_COMPARED))
        return [_moves(row.moves) for row in rows]

    async def not_judged(self, day: str, after: str) -> Sequence[str]:
        """Return up to MOST_LISTED sorted ids, above `after`, of a day's rooms without a result."""
        query = select(tries.c.room).where(tries.c.day == day, tries.c.loss.is_(None))
        query = query.where(tries.c.room > after).order_by(tries.c.room)
        return [row.room for row in await self._log.rows(query.limit(MOST_LISTED))]

    async def numbers(self, day: str) -> tuple[int, int]:
        """Return the numbers of tries begun and finished at the box of a day."""
        query = select(func.count(), func.count(tries.c.loss)).where(tries.c.day == day)
        [(begun, finished)] = await self._log.rows(query)
        return begun, finished

    async def ranking(self, day: str) -> Sequence[DayResult]:
        """Return a day's MOST_LISTED best finished tries, lowest loss first, then lowest score."""
        place = func.rank().over(order_by=tries.c.loss)
        query = select(*_FINISH, place).where(tries.c.day == day, tries.c.loss.is_not(None))
        query = query.order_by(tries.c.loss, tries.c.score).limit(MOST_LISTED)
        return [DayResult(*row) for row in await self._log.rows(query)]


def _moves(stored: str | None) -> Moves:
    return tuple(DayMove(*move) for move in json.loads(stored or "[]"))
