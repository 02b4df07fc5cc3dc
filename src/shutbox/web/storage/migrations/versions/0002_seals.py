"""Seals on all stored rows, and tables for records, bans, notices and running servers.

The new tables are created from `schema.py`. A later revision that changes one of them must first
copy its old definition here.
"""

from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

from shutbox.web.rooms.events import checksum
from shutbox.web.storage import schema
from shutbox.web.storage.log import sealed
from shutbox.web.storage.schema import StoredEvent

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
    *columns, _ = (f'"{name}"' for name in StoredEvent._fields)
    in_order = f"SELECT {', '.join(columns)} FROM entries ORDER BY room, number"
    set_event = sa.text("UPDATE entries SET seal = :seal WHERE room = :room AND number = :number")
    set_room = sa.text("UPDATE rooms SET length = :number, at = :at, seal = :seal WHERE id = :room")
    rows = connection.execute(sa.text(in_order)).yield_per(_TOGETHER)
    for _, log in groupby((StoredEvent(*row) for row in rows), attrgetter("room")):
        events = [event._asdict() for event in sealed("", tuple(log))]
        connection.execute(set_event, events)
        connection.execute(set_room, events[-1])
    for table, key, values in (
        ("passes", "id", ("room", "seat", "device")),
        ("secrets", "name", ("name", "value")),
    ):
        found = connection.execute(sa.text(f"SELECT {key}, {', '.join(values)} FROM {table}")).all()
        if seals := [{"of": row[0], "seal": checksum(*row[1:])} for row in found]:
            set_seal = sa.text(f"UPDATE {table} SET seal = :seal WHERE {key} = :of")
            connection.execute(set_seal, seals)
