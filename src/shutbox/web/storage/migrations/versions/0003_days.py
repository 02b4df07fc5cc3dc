"""Today's box: the seed of each day, and the one try of each device."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """To this revision: new tables only, so that an older server plays on."""
    op.create_table(
        "days",
        sa.Column("day", sa.String(10), primary_key=True, comment="in UTC, such as 2026-11-23"),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seed", sa.String(160), nullable=False, comment="secret as long as the day is"),
    )
    op.create_table(
        "tries",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
        sa.Column("room", sa.String(16), comment="none once the room is deleted"),
        sa.Column("score", sa.Integer, comment="none before the end, as the two that follow"),
        sa.Column("shut", sa.Boolean),
        sa.Column("loss", sa.Float, comment="against exact play, in points"),
    )
    op.create_index("tries_in_a_room", "tries", ["room"])
    op.create_index("tries_by_loss", "tries", ["day", "loss"])


def downgrade() -> None:
    """Back to what had no days."""
    op.drop_table("tries")
    op.drop_table("days")
