"""Separate databases on a local PostgreSQL server, if there is one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import psycopg
import pytest

from kill_server.told import Row

HOST = os.environ.get("PGHOST", "127.0.0.1")
PORT = os.environ.get("PGPORT", "5432")
_numbers = count(1)


def administrator() -> psycopg.Connection:
    """Return a connection that can create databases. Skip the test if there is none."""
    try:
        return psycopg.connect(host=HOST, port=PORT, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError as error:
        reason = str(error).partition("\n")[0]
        pytest.skip(f"no PostgreSQL at {HOST}, port {PORT}: {reason}")


@contextmanager
def fresh_database() -> Iterator[str]:
    """Yield the URL of an empty database, which is dropped at the end."""
    name = f"shutbox_test_{os.getpid()}_{next(_numbers)}"
    with administrator() as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"postgresql://{HOST}:{PORT}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def rows_of(database: str) -> list[Row]:
    """Return the entries in a database."""
    query = "SELECT room, number, at, action, entry FROM events ORDER BY room, number"
    with psycopg.connect(database) as connection:
        return [Row(*row) for row in connection.execute(query)]
