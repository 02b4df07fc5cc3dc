"""Recovery phrases of devices; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create a new table only, so that an older server can keep running."""
    schema.recoveries.create(op.get_bind())
