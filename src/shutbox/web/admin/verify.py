"""Looking at everything that is kept, and naming what is not as it was stored."""

from collections.abc import Iterator, Sequence
from itertools import chain

from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError

from shutbox.errors import ShutboxError
from shutbox.messages import gettext
from shutbox.web.admin.survey import room_at
from shutbox.web.errors import DamagedStore, UnknownRoom, one_line
from shutbox.web.storage.engine import Database
from shutbox.web.storage.reader import Archive, is_damage
from shutbox.web.storage.schema import events, grants, rooms
from shutbox.web.storage.seals import seal

_TOGETHER = 500  # rooms that are listed at once
_MOST_FAULTS = 10  # faults of the file that are named

Finding = tuple[str, str]
"""A table, and what is wrong with it; empty where nothing is. Of no table: something else."""


def verify(archive: Archive, only: Sequence[str] = ()) -> Iterator[Finding]:
    """Every table with what is wrong with it, or `only` these; first what is wrong besides.

    Holds one table in memory at a time. Raises UnknownRoom for one of `only` that there is not.
    """
    for id in only:
        yield id, _fault(archive, id)
    if only:
        return
    for fault in _file_faults(archive.database):
        yield "", fault
    try:
        archive.kept_secret()
    except (DamagedStore, SQLAlchemyError) as error:
        yield "", gettext("{reason}", reason=one_line(error.__cause__ or error))
    try:
        for id in _ids(archive.database):
            try:
                yield id, _fault(archive, id)
            except UnknownRoom:  # it was deleted meanwhile
                continue
        for id in _lost(archive.database):
            yield id, gettext("its events are there, and nothing else")
    except SQLAlchemyError as error:
        if not is_damage(error):
            raise
        yield "", gettext("the list of tables: {reason}", reason=one_line(error))


def _fault(archive: Archive, id: str) -> str:
    try:
        room_at(archive, id)
        return _grant_fault(archive.database, id)
    except UnknownRoom:
        raise
    except DamagedStore as error:
        return one_line(error.__cause__ or error)
    except ShutboxError as error:
        return gettext("it cannot be played again: {reason}", reason=one_line(error))


def _grant_fault(database: Database, id: str) -> str:
    query = select(grants.c.room, grants.c.seat, grants.c.device, grants.c.seal)
    found = database.rows(query.where(grants.c.room == id))
    if all(said == seal(*of) for *of, said in found):
        return ""
    return gettext("who may sit where is not what was stored")


def _ids(database: Database) -> Iterator[str]:
    """Every table there is."""
    query, last = select(rooms.c.id).order_by(rooms.c.id).limit(_TOGETHER), ""
    while found := [row.id for row in database.rows(query.where(rooms.c.id > last))]:
        yield from found
        last = found[-1]


def _lost(database: Database) -> Sequence[str]:
    """The tables of which only the events are left."""
    here = select(rooms.c.id).where(rooms.c.id == events.c.room).exists()
    lost = select(events.c.room).where(~here).distinct()
    return [row.room for row in database.rows(lost)]


def _file_faults(database: Database) -> Iterator[str]:
    """What SQLite says is wrong with its file."""
    if database.is_shared:
        return
    try:
        checked = database.rows(text(f"PRAGMA quick_check({_MOST_FAULTS})"))
        says = [says for (says,) in checked]
    except SQLAlchemyError as error:
        if not is_damage(error):
            raise
        says = [one_line(error)]
    for line in chain.from_iterable(map(str.splitlines, says)):
        if line != "ok" and not line.startswith("***"):
            yield gettext("the file: {reason}", reason=line)
