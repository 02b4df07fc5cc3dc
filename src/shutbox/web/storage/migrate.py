"""Bringing a database to the newest revision of its tables, whoever comes first."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from shutbox.errors import NotKept

_LOCK = 0x5B_07_B0_7E  # the number under which PostgreSQL lets one process migrate at a time


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring the database to a revision, whoever comes first. Raises NotKept if it is newer."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        try:
            command.upgrade(config(connection), revision)
        except CommandError:
            raise NotKept("the database belongs to a newer shutbox than this one") from None


def config(connection: Connection) -> Config:
    """What alembic needs to know of our migrations."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["connection"] = connection
    return found
