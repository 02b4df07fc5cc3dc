"""Seals on all stored rows, and tables for records, bans, notices and running servers.

The new tables are created from `schema.py`. A later revision that changes one of them must first
copy its old definition here.
"""

from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

from shutbox.web.storage import schema
from shutbox.web.storage.schema import StoredEvent
from shutbox.web.storage.seals import seal, sealed

revision = "0002"
down_revision = "0001"

_SEALED = {
    "rooms": "of the last event",
    "entries": "of this and all before it",
    "passes": "of room, seat and device",
    "secrets": "of name and value",
}
_TOGETHER = 10_000  # rows fetched at a time


def upgrade() -> None:
    """Add and fill the seals, which takes a second for 50,000 events, and create the new tables."""
    for table, of_what in _SEALED.items():
        _add(table, "seal", sa.String(32), "", of_what)
    _add("rooms", "length", sa.Integer(), "0", "how many events there are")
    _add("rooms", "at", sa.Float(), "0", "when the last one happened")
    _seal_all(op.get_bind())
    if op.get_context().dialect.name == "postgresql":
        # Without a default, an older server still running cannot store unsealed rows.
        for table in _SEALED:
            op.alter_column(table, "seal", server_default=None)
    for new in (schema.records, schema.bans, schema.notices, schema.processes):
        new.create(op.get_bind())


def _add(table: str, name: str, kind: sa.types.TypeEngine[Any], old: str, comment: str) -> None:
    column = sa.Column(name, kind, nullable=False, server_default=old, comment=comment)
    op.add_column(table, column)


def _seal_all(connection: sa.Connection) -> None:
    columns = StoredEvent._fields[:-1]
    entries = sa.table("entries", *map(sa.column, (*columns, "seal")))
    rooms = sa.table("rooms", *map(sa.column, ("id", "length", "at", "seal")))
    in_order = sa.select(*(entries.c[name] for name in columns)).order_by("room", "number")
    set_event = (
        sa.update(entries)
        .where(entries.c.room == sa.bindparam("of"), entries.c.number == sa.bindparam("place"))
        .values(seal=sa.bindparam("sealed"))
    )
    set_room = (
        sa.update(rooms)
        .where(rooms.c.id == sa.bindparam("of"))
        .values(length=sa.bindparam("events"), at=sa.bindparam("last"), seal=sa.bindparam("sealed"))
    )
    found = (StoredEvent(*row) for row in connection.execute(in_order).yield_per(_TOGETHER))
    for room, log in groupby(found, attrgetter("room")):
        events = sealed("", tuple(log))
        last = events[-1]
        connection.execute(
            set_event, [{"of": room, "place": e.number, "sealed": e.seal} for e in events]
        )
        connection.execute(
            set_room, {"of": room, "events": last.number, "last": last.at, "sealed": last.seal}
        )
    for name, key, values in (
        ("passes", "id", ("room", "seat", "device")),
        ("secrets", "name", ("name", "value")),
    ):
        table = sa.table(name, *map(sa.column, {key, *values, "seal"}))
        rows = connection.execute(sa.select(table.c[key], *(table.c[v] for v in values))).all()
        if rows:
            of_row = sa.update(table).where(table.c[key] == sa.bindparam("of"))
            connection.execute(
                of_row.values(seal=sa.bindparam("sealed")),
                [{"of": row[0], "sealed": seal(*row[1:])} for row in rows],
            )
