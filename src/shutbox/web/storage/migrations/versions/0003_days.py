"""Today's box: the seed of each day and each device's one try; see 0002 about new tables."""

import sqlalchemy as sa
from alembic import op

from shutbox.web.storage import schema

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create new tables only, so that an older server can keep running."""
    schema.days.create(op.get_bind())
    op.create_table(  # before 0006 changed it
        "tries",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
        sa.Column("room", sa.String(16), comment="none once the room is deleted"),
        sa.Column("score", sa.Integer, comment="none before the end, as the two that follow"),
        sa.Column("shut", sa.Boolean),
        sa.Column("loss", sa.Float, comment="against exact play, in points"),
        sa.Index("tries_in_a_room", "room"),
        sa.Index("tries_by_loss", "day", "loss"),
    )
