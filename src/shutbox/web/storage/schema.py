"""The tables of the database, and the number of this schema, which the database stores.

The seal of an event is a checksum of it and of the seal before it, which reveals, on reading, what
has changed since it was stored. Seals do not protect against attackers: anyone who can write to the
database can compute them.
"""

from typing import NamedTuple

import sqlalchemy as sa

SCHEMA = 5  # raised with each change of the tables; a database with another number is refused

metadata = sa.MetaData()

schema = sa.Table(  # one row
    "schema", metadata, sa.Column("number", sa.Integer, primary_key=True, autoincrement=False)
)

rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.Column("length", sa.Integer, nullable=False, comment="how many events there are"),
    sa.Column("at", sa.Float, nullable=False, comment="when the last one happened"),
    sa.Column("seal", sa.String(32), nullable=False, comment="of the last event"),
)

events = sa.Table(  # the log of every room; its rows never change
    "events",
    metadata,
    sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, comment="from 1, without a gap"),
    sa.Column("at", sa.Float, nullable=False, comment="seconds since 1970, by the server"),
    sa.Column("action", sa.String(64), comment="the client's id of what it asked for"),
    sa.Column("by", sa.String(64), comment="who asked, hashed"),
    sa.Column("answer", sa.Text, comment="what the action was answered, JSON"),
    sa.Column("entry", sa.Text, nullable=False, comment="what happened, JSON"),
    sa.Column("seal", sa.String(32), nullable=False, comment="of this and all before it"),
    sa.UniqueConstraint("room", "action", name="one_event_an_action"),
)


class StoredEvent(NamedTuple):
    """A stored event: a row of the table `events`, which explains the columns."""

    room: str
    number: int
    at: float
    action: str | None
    by: str | None
    answer: str | None
    entry: str
    seal: str = ""  # the hash of this event and all before it; set when the event is stored


grants = sa.Table(  # seats of devices, so that a player who used a link can return without it
    "grants",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False, comment="-1: may watch; -2: opened the room"),
    sa.Column("device", sa.String(64), nullable=False, comment="hash of the cookie"),
    sa.UniqueConstraint("room", "seat", "device", name="one_grant_a_device"),
    sa.Index("grants_of_a_device", "device", "room"),
)


secrets = sa.Table(
    "secrets",
    metadata,
    sa.Column("name", sa.String(16), primary_key=True, comment="LINKS or PUSH"),
    sa.Column("value", sa.String(64), nullable=False),
)

LINKS = "links"  # the name of the secret from which the keys of links are made
PUSH = "push"  # the name of the servers' private key for Web Push

orders = sa.Table(  # what the host or another server wants done to a room by the server it is at
    "orders",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("server", sa.String(1), nullable=False, index=True, comment="the name of the server"),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("room", sa.String(16), nullable=False),
    sa.Column("device", sa.String(64), nullable=False, comment="hash of the cookie; can be empty"),
)

days = sa.Table(  # the box of each day, stored when it or the day before is first requested
    "days",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True, comment="in UTC, such as 2026-11-23"),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("seed", sa.String(160), nullable=False, comment="secret as long as the day is"),
)

tries = sa.Table(  # the one try of each device at a box of the day
    "tries",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
    sa.Column("room", sa.String(16), comment="none once the room is deleted"),
    sa.Column("score", sa.Integer, comment="none before the end, as the two that follow"),
    sa.Column("shut", sa.Boolean),
    sa.Column("loss", sa.Float, comment="against exact play, in points"),
    sa.Column("moves", sa.Text, comment="as JSON, what was done with each throw"),
    sa.Index("tries_in_a_room", "room"),
    sa.Index("tries_of_a_device", "device", "day"),
    sa.Index("tries_by_loss", "day", "loss"),
)

handovers = sa.Table(  # links that add the games of one device to another, once, and soon expire
    "handovers",
    metadata,
    sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
    sa.Column("link", sa.String(64), nullable=False, comment="hash of its key"),
    sa.Column("until", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.UniqueConstraint("link", name="one_device_a_link"),
)

subscriptions = sa.Table(  # the devices that are told by Web Push when it is their player's turn
    "subscriptions",
    metadata,
    sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
    sa.Column("endpoint", sa.String(1024), nullable=False, comment="of a push service"),
    sa.Column("key", sa.String(96), nullable=False, comment="the browser's public key, base64url"),
    sa.Column("auth", sa.String(32), nullable=False, comment="its shared secret, base64url"),
    sa.Column("at", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.UniqueConstraint("endpoint", name="one_device_an_endpoint"),
)

seeds = sa.Table(  # the seeds of sealed dice; each is checked against its envelope in the log
    "seeds",
    metadata,
    sa.Column("gid", sa.String(32), primary_key=True, comment="the number of a game, random"),
    sa.Column("room", sa.String(16), nullable=False, index=True),
    sa.Column("seed", sa.String(64), nullable=False, comment="secret until the game is over"),
)
