"""Rooms, their logs, the grants of devices, and the secret."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("opened", sa.Float, nullable=False, comment="seconds since 1970"),
    )
    op.create_table(
        "entries",
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
    op.create_table(
        "passes",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("room", sa.String(16), sa.ForeignKey("rooms.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, comment="-1: may watch; -2: opened the room"),
        sa.Column("device", sa.String(64), nullable=False, comment="hash of the cookie"),
        sa.UniqueConstraint("room", "seat", "device", name="one_pass_a_device"),
    )
    op.create_index("passes_of_a_device", "passes", ["device", "room"])
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
