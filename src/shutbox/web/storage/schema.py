"""The tables of the database. The migrations create them; a test checks that both agree."""

from typing import NamedTuple

import sqlalchemy as sa

metadata = sa.MetaData()

rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("opened", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.Column("length", sa.Integer, nullable=False, comment="how many events there are"),
    sa.Column("at", sa.Float, nullable=False, comment="when the last one happened"),
    sa.Column("seal", sa.String(32), nullable=False, comment="of the last event"),
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
    sa.Column("seal", sa.String(32), nullable=False, comment="of this and all before it"),
    sa.UniqueConstraint("room", "action", name="one_entry_an_action"),
    sa.UniqueConstraint("room", "game", "version", name="one_event_a_version"),
)
"""The log of every room; its rows never change. It still has its original name, `entries`."""


class StoredEvent(NamedTuple):
    """A stored event: a row of the table."""

    room: str
    number: int
    game: int | None
    version: int | None
    at: float
    action: str | None
    by: str | None
    answer: str | None
    entry: str
    seal: str = ""
    """The hash of this event and all before it; set when the event is stored."""


grants = sa.Table(
    "passes",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), nullable=False),
    sa.Column("seat", sa.Integer, nullable=False, comment="-1: may watch; -2: opened the room"),
    sa.Column("device", sa.String(64), nullable=False, comment="hash of the cookie"),
    sa.Column("seal", sa.String(32), nullable=False, comment="of room, seat and device"),
    sa.UniqueConstraint("room", "seat", "device", name="one_pass_a_device"),
    sa.Index("passes_of_a_device", "device", "room"),
)
"""The seats granted to each device, so that a player who used a link can return without it."""


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
    sa.Column("seal", sa.String(32), nullable=False, comment="of name and value"),
)
"""The server's own secret, from which the keys of all links are made."""

records = sa.Table(
    "records",
    metadata,
    sa.Column("room", sa.String(16), primary_key=True),
    sa.Column("game", sa.Integer, primary_key=True, comment="its number in the room, from 1"),
    sa.Column("at", sa.Float, nullable=False, comment="when the room was last played in"),
    sa.Column("record", sa.Text, nullable=False),
)
"""The finished games of expired rooms."""

bans = sa.Table(
    "bans",
    metadata,
    sa.Column("network", sa.String(64), primary_key=True),
    sa.Column("until", sa.Float, comment="seconds since 1970; for ever without it"),
)
"""The networks banned by the host."""

notices = sa.Table(
    "notices",
    metadata,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("room", sa.String(16), nullable=False, comment="empty where it is about none"),
    sa.Column("at", sa.Float, nullable=False, comment="seconds since 1970"),
)
"""A queue of the host's changes, polled by the running servers."""

processes = sa.Table(
    "processes",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("version", sa.String(32), nullable=False),
    sa.Column("address", sa.String(64), nullable=False, comment="the host's name and the port"),
    sa.Column("pid", sa.Integer, nullable=False),
    sa.Column("started", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.Column("seen", sa.Float, nullable=False, comment="when it said so last"),
    sa.Column("rooms", sa.Integer, nullable=False, comment="in its memory"),
    sa.Column("listeners", sa.Integer, nullable=False),
    sa.Column("closing", sa.Boolean, nullable=False),
)
"""The servers that run on this database."""

days = sa.Table(
    "days",
    metadata,
    sa.Column("day", sa.String(10), primary_key=True, comment="in UTC, such as 2026-11-23"),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("seed", sa.String(160), nullable=False, comment="secret as long as the day is"),
)
"""Today's box of every day on which a player requested it."""

tries = sa.Table(
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
"""The one try of each device at a box of the day."""

handovers = sa.Table(
    "handovers",
    metadata,
    sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
    sa.Column("link", sa.String(64), nullable=False, comment="hash of its key"),
    sa.Column("until", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.UniqueConstraint("link", name="one_device_a_link"),
)
"""Links that add the games of one device to another; each works once and soon expires."""

recoveries = sa.Table(
    "recoveries",
    metadata,
    sa.Column("phrase", sa.String(64), primary_key=True, comment="slow hash of the words"),
    sa.Column("device", sa.String(64), nullable=False, index=True, comment="hash of the cookie"),
)
"""Recovery phrases, which add the games of a device to another, even if the first is lost."""

subscriptions = sa.Table(
    "subscriptions",
    metadata,
    sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
    sa.Column("endpoint", sa.String(1024), nullable=False, comment="of a push service"),
    sa.Column("key", sa.String(96), nullable=False, comment="the browser's public key, base64url"),
    sa.Column("auth", sa.String(32), nullable=False, comment="its shared secret, base64url"),
    sa.Column("at", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.UniqueConstraint("endpoint", name="one_device_an_endpoint"),
)
"""The devices that are told by Web Push when it is their player's turn."""

seeds = sa.Table(
    "seeds",
    metadata,
    sa.Column("gid", sa.String(32), primary_key=True, comment="the number of a game, random"),
    sa.Column("room", sa.String(16), nullable=False, index=True),
    sa.Column("seed", sa.String(64), nullable=False, comment="secret until the game is over"),
)
"""The seeds of sealed dice. Each is checked against its envelope in the log of the room."""
