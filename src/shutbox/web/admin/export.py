"""The games of a table as files of records, wherever they are kept by now."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress

from sqlalchemy import select

from shutbox.web.actions.replays import records_of
from shutbox.web.admin.survey import log_of
from shutbox.web.errors import UnknownRoom
from shutbox.web.rooms.link_keys import is_room_id
from shutbox.web.rooms.shapes import json_text
from shutbox.web.storage.reader import Archive, numbered_events
from shutbox.web.storage.schema import records


def games(archive: Archive, room: str) -> Sequence[tuple[int, bytes]]:
    """The number and the record of every game of a table, of one that has expired, too.

    Raises UnknownRoom and DamagedStore.
    """
    with suppress(UnknownRoom):
        history = numbered_events(log_of(archive, room))
        return [(game, record) for game, record, _ in records_of(room, history)]
    query = select(records.c.game, records.c.record).where(records.c.room == room)
    with archive.database.reader.connect() as connection:
        kept = connection.execute(query.order_by(records.c.game)).all() if is_room_id(room) else ()
    if not kept:
        raise UnknownRoom("there is no table {room!r}", room=room)
    return [(game, record.encode()) for game, record in kept]


def log_lines(archive: Archive, room: str) -> Iterator[str]:
    """The log of a table, as it is kept: JSON for each event. Raises UnknownRoom, DamagedStore."""
    for row in log_of(archive, room):
        yield json_text({**row._asdict(), "entry": json.loads(row.entry)})
