"""Links that add the games of one device to another; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create a new table only, so that an older server can keep running."""
    schema.handovers.create(op.get_bind())
