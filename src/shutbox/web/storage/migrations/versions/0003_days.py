"""Today's box: the seed of each day and each device's one try; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create new tables only, so that an older server can keep running."""
    schema.days.create(op.get_bind())
    schema.tries.create(op.get_bind())
