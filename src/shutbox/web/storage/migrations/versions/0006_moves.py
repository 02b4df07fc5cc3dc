"""The moves of tries at the box of a day, and an index for the streaks of devices."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add a nullable column and an index, so that an older server can keep running."""
    comment = "as JSON, what was done with each throw"
    op.add_column("tries", sa.Column("moves", sa.Text, comment=comment))
    op.create_index("tries_of_a_device", "tries", ["device", "day"])
