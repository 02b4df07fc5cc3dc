"""The tables of the database. The migrations make them, and a test holds the two together."""

from typing import NamedTuple

import sqlalchemy as sa

metadata = sa.MetaData()

rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False, comment="seconds since 1970"),
)

events = sa.Table(
    "entries",
    metadata,
    sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, comment="from 1, without a gap"),
    sa.Column("game", sa.Integer, comment="of an event: the game of the room"),
    sa.Column("version", sa.Integer, comment="of an event: its number in the game"),
    sa.Column("at", sa.Float, nullable=False, comment="seconds since 1970, by the server"),
    sa.Column("action", sa.String(64), comment="the client's id of what it asked for"),
    sa.Column("by", sa.String(64), comment="who asked, hashed"),
    sa.Column("answer", sa.Text, comment="what the action was answered, JSON"),
    sa.Column("entry", sa.Text, nullable=False, comment="what happened, JSON"),
    sa.UniqueConstraint("room", "action", name="one_entry_an_action"),
    sa.UniqueConstraint("room", "game", "version", name="one_event_a_version"),
)
"""The log of every room; nothing in it is ever changed. Tables keep their first names."""


class StoredEvent(NamedTuple):
    """An event as it is stored: a row of the table."""

    room: str
    number: int
    game: int | None
    version: int | None
    at: float
    action: str | None
    by: str | None
    answer: str | None
    entry: str


grants = sa.Table(
    "passes",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False, comment="-1: may watch; -2: opened the room"),
    sa.Column("device", sa.String(64), nullable=False, comment="hash of the cookie"),
    sa.UniqueConstraint("room", "seat", "device", name="one_pass_a_device"),
    sa.Index("passes_of_a_device", "device", "room"),
)
"""Which device may sit where, so that who came by a link once comes back without it."""


class Grant(NamedTuple):
    """A device that may sit at a seat, watch (-1), or opened the room (-2)."""

    room: str
    seat: int
    device: str


secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(16), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)
"""The server's own secret, from which the keys of all links are made."""
