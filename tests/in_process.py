"""Servers in this process, and clients of them."""

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

HERE = "127.0.0.1"


def settings_in(folder: Path, **more: Any) -> Settings:
    """Return settings with a database in a folder, and without limits on rates for this machine."""
    database = f"sqlite:///{folder / 'tables.db'}"
    return Settings(**{"database": database, "unlimited": frozenset({HERE}), **more})


def server_of(settings: Settings) -> Server:
    """Return a server with its database."""
    return Server(settings, Database(settings.database))


def client_of(server: Server, **options: Any) -> TestClient:
    """Return a client on this machine; the server runs in its `with` block."""
    return TestClient(app_of(server), client=(HERE, 50000), **options)


def beside(first: TestClient, address: str = HERE, **options: Any) -> TestClient:
    """Return another client of a server, in the event loop of its first one."""
    client = TestClient(first.app, client=(address, 50000), **options)
    client.portal = first.portal
    return client
