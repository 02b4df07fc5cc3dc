"""The tables of the database. The migrations make them, and a test holds the two together."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("opened", Float, nullable=False, comment="seconds since 1970"),
)

events = Table(
    "entries",
    metadata,
    Column("room", String(16), ForeignKey("rooms.id"), primary_key=True),
    Column("number", Integer, primary_key=True, comment="from 1, without a gap"),
    Column("game", Integer, nullable=True, comment="of an event: the game of the room"),
    Column("version", Integer, nullable=True, comment="of an event: its number in the game"),
    Column("at", Float, nullable=False, comment="seconds since 1970, by the server"),
    Column("action", String(64), nullable=True, comment="the client's id of what it asked for"),
    Column("by", String(64), nullable=True, comment="who asked, hashed"),
    Column("answer", Text, nullable=True, comment="what the action was answered, JSON"),
    Column("entry", Text, nullable=False, comment="what happened, JSON"),
    UniqueConstraint("room", "action", name="one_entry_an_action"),
    UniqueConstraint("room", "game", "version", name="one_event_a_version"),
)
"""The log of every room; nothing in it is ever changed. Tables keep their first names."""

grants = Table(
    "passes",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("room", String(16), ForeignKey("rooms.id"), nullable=False),
    Column("seat", Integer, nullable=False, comment="-1: may watch; -2: opened the room"),
    Column("device", String(64), nullable=False, comment="hash of the cookie"),
    UniqueConstraint("room", "seat", "device", name="one_pass_a_device"),
    Index("passes_of_a_device", "device", "room"),
)
"""Which device may sit where, so that who came by a link once comes back without it."""

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", String(64), nullable=False),
)
"""The server's own secret, from which the keys of all links are made."""
