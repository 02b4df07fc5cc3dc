"""Database connections, set up so that every commit is on disk before it returns.

SQLite is used by one process, which locks the file. It has one writer connection, the only one that
checkpoints, and read-only connections for readers. On PostgreSQL several servers run, each with a
name of its own, which it locks.
"""

import fcntl
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, Executable, event, text
from sqlalchemy.exc import ArgumentError, IntegrityError
from sqlalchemy.pool import QueuePool

from shutbox.engine.errors import InUse, NotKept, OutOfDate, needing
from shutbox.engine.messages import gettext_noop
from shutbox.web.errors import FASTER
from shutbox.web.storage.schema import SCHEMA, metadata, schema

_CREATE_LOCK = 0x5B_07_B0_7E  # the PostgreSQL advisory lock that lets one process create tables
_NAME_LOCKS = 0x5B_07  # the first key of the advisory locks on the names of servers
BUSY_SECONDS = 4  # then a wait for a locked or lost database is refused
_ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
"""TCP settings that detect a dead connection within half a minute, even an idle one."""
_POSTGRESQL: dict[str, Any] = {
    **_ALIVE,
    "connect_timeout": BUSY_SECONDS,
    # Detects a database that has vanished without closing the connection.
    "tcp_user_timeout": 1000 * BUSY_SECONDS,
    # Commits may be asynchronous by default.
    "options": f"-csynchronous_commit=on -clock_timeout={BUSY_SECONDS}s "
    f"-cstatement_timeout={BUSY_SECONDS}s",
}
# The pragmas of SQLite's connections: commits that are on disk, and no mapped memory, in which an
# error of the disk would kill the process. Only the server's writer checkpoints.
_WRITER = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "mmap_size = 0")
_ADMIN = ("synchronous = FULL", "foreign_keys = ON", "mmap_size = 0", "wal_autocheckpoint = 0")
_READER = ("wal_autocheckpoint = 0", "mmap_size = 0", "query_only = ON")
_ODD = gettext_noop("this address of a database is not understood; write {wanted}")
_WANTED = "sqlite:///FILE or postgresql://USER@HOST/NAME"
_BUGS = ("23502", "SQLITE_CONSTRAINT_NOTNULL")  # codes for a missing value, which is no conflict
Write = Executable | Callable[[Connection], object]
"""A statement, or a function that is called inside the transaction of a write."""


class Database:
    """A database by its URL: `sqlite:///shutbox.db` or `postgresql://user@host/name`.

    `writer` and `reader` are its engines. With `for_admin`, it belongs to a server that may be
    running: no file is created or locked, and checkpoints are left to the server. Raises NotKept
    for a URL or file that cannot be used, InUse if a server has this SQLite file, and NotInstalled
    if the PostgreSQL driver is missing.
    """

    def __init__(self, url: str, *, for_admin: bool = False) -> None:
        self.url = _read_url(url)
        self.is_shared = self.url.get_backend_name() == "postgresql"  # several servers may use it
        self._name_lock: Connection | None = None  # the connection that holds it
        self._file_lock: int | None = None  # the file descriptor that holds it
        if self.is_shared:
            self.writer, self.reader = _postgresql_engines(self.url)
        else:
            path = Path(self.url.database or "")
            if for_admin and not path.is_file():
                raise NotKept("there is no database {path}", path=path)
            self._file_lock = None if for_admin else _lock_file(path)
            self.writer = _sqlite_engine(self.url, 1, _ADMIN if for_admin else _WRITER)
            event.listen(self.writer, "begin", lambda it: it.exec_driver_sql("BEGIN IMMEDIATE"))
            self.reader = _sqlite_engine(self.url, 4, _READER)

    def rows(self, query: Executable) -> Sequence[Any]:
        """Return all rows of a query. Blocks. Raises SQLAlchemyError."""
        with self.reader.connect() as connection:
            return connection.execute(query).all()

    def write(self, *writes: Write) -> None:
        """Make all writes in one transaction, or none, blocking; on disk on return.

        Raises SQLAlchemyError, what the writes raise, and OutOfDate if another write came first.
        """
        try:
            with self.writer.begin() as connection:
                for write in writes:
                    if isinstance(write, Executable):
                        connection.execute(write)
                    else:
                        write(connection)
        except IntegrityError as error:
            if getattr(error.orig, "sqlstate" if self.is_shared else "sqlite_errorname") in _BUGS:
                raise
            raise OutOfDate(FASTER) from None

    def claim(self, name: str) -> bool:
        """Lock the name of this server in PostgreSQL, or lock it again; False if another has it.

        A lost connection loses the lock, so call this again and again. A SQLite file is locked
        already. Blocks. Raises SQLAlchemyError.
        """
        if not self.is_shared:
            return True
        held = False
        try:
            if self._name_lock is None:
                self._name_lock = self.reader.connect()
                for setting, seconds in _ALIVE.items():  # the database notices a lost machine, too
                    self._name_lock.execute(text(f"SET tcp_{setting} = {seconds}"))
            query = text("SELECT pg_try_advisory_lock(:lock, :name)")  # by two numbers
            held = bool(self._name_lock.scalar(query, {"lock": _NAME_LOCKS, "name": ord(name)}))
        finally:
            if not held:
                self._release_name()
        return held

    def _release_name(self) -> None:
        if self._name_lock is not None:
            self._name_lock.invalidate()  # a pooled connection would keep the lock
            self._name_lock.close()
            self._name_lock = None

    def close(self) -> None:
        """Close connections and locks; the writer's last, as the last connection checkpoints."""
        self._release_name()
        self.reader.dispose()
        self.writer.dispose()
        if self._file_lock is not None:
            os.close(self._file_lock)
            self._file_lock = None


def _read_url(text: str) -> sa.URL:
    """Return a database's address, understood whole. Raises NotKept, which repeats no secret."""
    try:
        url = sa.make_url(text.strip())
    except (ArgumentError, ValueError):  # such as a port that is no number
        raise NotKept(_ODD, wanted=_WANTED) from None
    if url.drivername not in ("sqlite", "postgresql"):
        kind = url.drivername
        raise NotKept(
            "{kind} databases are not supported; write {wanted}", kind=kind, wanted=_WANTED
        )
    if "@" in (url.host or ""):
        raise NotKept("an @ in the password of a database is written %40")
    if url.drivername == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    # Of any other address of a file, a part would be dropped, or name another file.
    if "?" in text or url.host is not None or url.database in (None, "", ":memory:"):
        raise NotKept(_ODD, wanted=_WANTED)
    return url


def _lock_file(path: Path) -> int:
    """Lock a SQLite file, with symbolic links resolved, and return the open file descriptor.

    The lock is on the file itself, as a hard link has another name, and a lock file can be deleted.
    Elsewhere than on Linux it would conflict with SQLite's own, so there it is on a file beside it.
    Raises InUse and NotKept.
    """
    path = path.resolve()
    locked = path if sys.platform == "linux" else path.with_name(f"{path.name}.lock")
    held: int | None = None
    end = monotonic() + 1
    try:
        # Private, since its secret opens every table; SQLite's other files copy this mode.
        held = os.open(locked, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        # A server that was killed just as it started a worker leaves it the lock for a moment.
        while monotonic() < end:
            with suppress(BlockingIOError):  # another process has locked it
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return held
            sleep(0.05)
    except OSError as error:
        if held is not None:
            os.close(held)
        why = error.strerror
        raise NotKept("{path} cannot be opened: {reason}", path=path, reason=why) from None
    os.close(held)
    raise InUse(
        "a server is already running on {path}. Stop it, or name another file "
        "with --database sqlite:///FILE. With PostgreSQL several can run",
        path=path,
    )


def _postgresql_engines(url: sa.URL) -> tuple[Engine, Engine]:
    settings: dict[str, Any] = {"pool_pre_ping": True, "connect_args": _POSTGRESQL}
    with needing("postgresql"):
        writer = sa.create_engine(url, pool_size=2, **settings)
    return writer, sa.create_engine(url, pool_size=5, isolation_level="AUTOCOMMIT", **settings)


def _sqlite_engine(url: sa.URL, connections: int, pragmas: Sequence[str]) -> Engine:
    engine = sa.create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )

    def prepare(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # no transaction by the driver: we BEGIN IMMEDIATE
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine


def create_tables(engine: Engine) -> None:
    """Create the tables in an empty database. Raises SQLAlchemyError, NotKept as `check_schema`."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _CREATE_LOCK})
        if not sa.inspect(connection).get_table_names():
            metadata.create_all(connection)
            connection.execute(sa.insert(schema), {"number": SCHEMA})
        check_schema(connection)


def check_schema(connection: Connection) -> None:
    """Raise NotKept unless a database has the tables of this shutbox, by its schema's number."""
    if not sa.inspect(connection).has_table(schema.name):
        raise NotKept("this is not a database of shutbox; name another one with --database")
    if connection.scalar(sa.select(schema.c.number)) != SCHEMA:
        raise NotKept(
            "another version of shutbox made this database; "
            "open it with that one, or name another database with --database"
        )
