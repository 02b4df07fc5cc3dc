"""The seeds of sealed dice; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create a new table only: an older server keeps running, and refuses tables with a seed."""
    schema.seeds.create(op.get_bind())
