"""Links by which the games of a device come to another one; see 0002 about new tables."""

from alembic import op

from shutbox.web.storage import schema

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """To this revision: a new table only, so that an older server plays on."""
    schema.handovers.create(op.get_bind())
