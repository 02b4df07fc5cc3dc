"""Today's box: the seed of each day, and the one try of each device; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """To this revision: new tables only, so that an older server plays on."""
    schema.days.create(op.get_bind())
    schema.tries.create(op.get_bind())
