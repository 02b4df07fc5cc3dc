"""What is kept of the boxes of days, and of the tries of devices at them."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, func, insert, select, text, update

from shutbox.web.rooms.days import Day, Finish, RankedTry, Try
from shutbox.web.storage.engine import Database
from shutbox.web.storage.host import Write
from shutbox.web.storage.schema import days, tries

MOST_LISTED = 100  # of a ranking, and of days


def made(day: Day) -> Write:
    """Keep the seed of a day, unless there is one already."""

    def write(connection: Connection) -> None:
        row = {"day": day.day, "game": day.game, "seed": day.seed}
        add = "INSERT INTO days (day, game, seed) VALUES (:day, :game, :seed)"
        connection.execute(text(f"{add} ON CONFLICT (day) DO NOTHING"), row)

    return write


def begun(day: Day, device: str, room: str) -> Write:
    """A device tries the box of a day, which is made if need be.

    It raises IntegrityError where the device has tried it already.
    """

    def write(connection: Connection) -> None:
        made(day)(connection)
        connection.execute(insert(tries), {"day": day.day, "device": device, "room": room})

    return write


def finished(room: str, finish: Finish) -> Write:
    """The try that is played in a room is over; what is said of it first is kept."""

    def write(connection: Connection) -> None:
        here = (tries.c.room == room) & tries.c.loss.is_(None)
        connection.execute(update(tries).where(here).values(**asdict(finish)))

    return write


def day_at(database: Database, day: str) -> Day | None:
    """A day, if anybody asked for its box."""
    with database.reader.connect() as connection:
        row = connection.execute(select(days).where(days.c.day == day)).one_or_none()
    return None if row is None else Day(*row)


def days_before(database: Database, day: str, most: int) -> Sequence[tuple[str, str]]:
    """The newest days before that one, each with its game."""
    query = select(days.c.day, days.c.game).where(days.c.day < day)
    with database.reader.connect() as connection:
        newest = query.order_by(days.c.day.desc()).limit(most)
        return [(row.day, row.game) for row in connection.execute(newest)]


def try_of(database: Database, day: str, device: str) -> Try | None:
    """The try of a device, if there is one."""
    query = select(tries.c.room, *_FINISH).where(tries.c.day == day, tries.c.device == device)
    with database.reader.connect() as connection:
        row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Try(row.room, None if row.loss is None else Finish(row.score, row.shut, row.loss))


def not_judged(database: Database, day: str, after: str) -> Sequence[str]:
    """Rooms of tries at the box of a day that are not over, or that nobody has judged yet.

    By their ids, the first of those after that one.
    """
    query = select(tries.c.room).where(tries.c.day == day, tries.c.loss.is_(None))
    query = query.where(tries.c.room > after).order_by(tries.c.room)
    with database.reader.connect() as connection:
        return list(connection.scalars(query.limit(MOST_LISTED)))


def numbers(database: Database, day: str) -> tuple[int, int]:
    """How many have begun a try at the box of a day, and how many have finished it."""
    query = select(func.count(), func.count(tries.c.loss)).where(tries.c.day == day)
    with database.reader.connect() as connection:
        begun, finished = connection.execute(query).one()
    return begun, finished


def place_of(database: Database, day: str, loss: float) -> int:
    """The place of a try that lost so much."""
    better = select(func.count()).where(tries.c.day == day, tries.c.loss < loss)
    with database.reader.connect() as connection:
        return 1 + (connection.scalar(better) or 0)


def ranking(database: Database, day: str) -> Sequence[RankedTry]:
    """The tries that are over, those that lost least in front; the first of them."""
    place = func.rank().over(order_by=tries.c.loss)
    query = select(place, *_FINISH).where(tries.c.day == day, tries.c.loss.is_not(None))
    with database.reader.connect() as connection:
        found = connection.execute(query.order_by(tries.c.loss, tries.c.score).limit(MOST_LISTED))
        return [RankedTry(row[0], Finish(*row[1:])) for row in found]


_FINISH = (tries.c.score, tries.c.shut, tries.c.loss)
