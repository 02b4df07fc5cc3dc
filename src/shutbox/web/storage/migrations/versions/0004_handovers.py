"""Links by which the games of a device come to another one."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """To this revision: a new table only, so that an older server plays on."""
    op.create_table(
        "handovers",
        sa.Column("device", sa.String(64), primary_key=True, comment="hash of the cookie"),
        sa.Column("link", sa.String(64), nullable=False, comment="hash of its key"),
        sa.Column("until", sa.Float, nullable=False, comment="seconds since 1970"),
        sa.UniqueConstraint("link", name="one_device_a_link"),
    )


def downgrade() -> None:
    """Back to what had no such links."""
    op.drop_table("handovers")
