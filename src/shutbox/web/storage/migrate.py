"""Migration of a database to the newest revision of its tables, safe with several processes."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, inspect, text

from shutbox.errors import NotKept
from shutbox.messages import gettext_noop

_LOCK = 0x5B_07_B0_7E  # the PostgreSQL advisory lock that lets one process migrate at a time

_NEWER = gettext_noop("the database belongs to a newer shutbox than this one")


def migrate(engine: Engine, revision: str = "head") -> None:
    """Upgrade the database to a revision, one process at a time.

    Raises NotKept if it belongs to a newer shutbox, or is neither empty nor of shutbox.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        tables = inspect(connection).get_table_names()
        if tables and "alembic_version" not in tables:
            raise NotKept("this database is not of shutbox, and it is not empty")
        try:
            command.upgrade(config(connection), revision)
        except CommandError:
            raise NotKept(_NEWER) from None


def check_revision(engine: Engine) -> str:
    """Return the database's revision without upgrading it. Raises NotKept for any but the newest.

    >>> from sqlalchemy import create_engine
    >>> engine = create_engine("sqlite://")
    >>> check_revision(engine)
    Traceback (most recent call last):
    shutbox.errors.NotKept: this is not a database of shutbox
    >>> engine.dispose()
    """
    with engine.connect() as connection:
        scripts = ScriptDirectory.from_config(config(connection))
        found = None
        if inspect(connection).has_table("alembic_version"):
            found = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if found is None:
        raise NotKept("this is not a database of shutbox")
    if found == scripts.get_current_head():
        return str(found)
    if found in {script.revision for script in scripts.walk_revisions()}:
        raise NotKept(
            "the database belongs to an older shutbox; "
            "a server of this version upgrades it when it starts"
        )
    raise NotKept(_NEWER)


def config(connection: Connection) -> Config:
    """Return the alembic configuration of our migrations on a connection."""
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["connection"] = connection
    return found
