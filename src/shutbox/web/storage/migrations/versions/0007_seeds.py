"""The seeds of sealed dice; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add a database table; older servers keep running, but refuse games with a stored seed."""
    schema.seeds.create(op.get_bind())
