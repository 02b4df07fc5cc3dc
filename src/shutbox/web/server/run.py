"""The main loop: opens database and sockets, and serves until a signal."""

import errno
import gc
import logging
import os
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from time import sleep

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from shutbox.engine.english import shown
from shutbox.engine.errors import InUse, NotKept
from shutbox.engine.messages import gettext_noop
from shutbox.engine.plugins import SETTING
from shutbox.games.catalogue import catalogue
from shutbox.table.bots import kinds
from shutbox.web.errors import BadRequest
from shutbox.web.limits import LARGEST_FRAME, UNREAD_BYTES
from shutbox.web.logs import log, set_up
from shutbox.web.server.app import app_of
from shutbox.web.server.connections import BoundedHttp, BoundedWebSocket
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database
from shutbox.web.storage.log import database_unusable

_SPARE_SECONDS = 0.5  # between two tries of a spare server
GRACE_SECONDS = 10  # the time given to open requests when the server shuts down


class _Uvicorn(uvicorn.Server):
    """A uvicorn server that ends streams and workers first when it shuts down."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._server = server

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._server.close_streams()
        self._server.pool.close()
        await super().shutdown(sockets)


def _allow_plugins(names: str) -> None:
    """Allow only these plugins, comma-separated, also in workers. Raises BadRequest if unknown."""
    os.environ[SETTING] = names or "0"
    known = {entry.name for entry in catalogue()} | kinds().keys()
    for name in filter(None, names.split(",")):
        if "." not in name or name not in known:
            raise BadRequest("--plugins: no package that works here has {text}", text=shown(name))


def run(
    settings: Settings, *, log_as_json: bool = True, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve until a signal, and call `ready` once the address is bound.

    The log is JSON or, for a terminal, warnings as plain text. Raises NotKept, InUse, BadRequest
    and NotInstalled if the server cannot start.
    """
    set_up(as_json=log_as_json)
    _allow_plugins(settings.plugins)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):  # every stream is an open file
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    # Warnings about malformed requests from strangers are noise.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    # Other threads replay rooms and write; the event loop waits this long for them to yield.
    sys.setswitchinterval(0.0005)
    # A collection of all objects would block all requests; see `_collect_young`.
    gc.set_threshold(50_000, 20, 1_000_000_000)
    # Database before address: starting the same server twice must report that it already runs.
    with closing(Database(settings.database)) as database:
        _claim(database, settings)
        listening = _listening(settings.host, settings.port)
        server = Server(settings, database)
        config = uvicorn.Config(
            app_of(server),
            forwarded_allow_ips=settings.proxies,
            access_log=False,
            log_config=None,
            server_header=False,
            http=BoundedHttp,
            ws=BoundedWebSocket,
            ws_max_size=LARGEST_FRAME,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        log.info("serving", origin=settings.origin, database=database.url.get_backend_name())
        ready()
        try:
            _Uvicorn(config, server).run(sockets=listening)
        finally:
            server.release()


def _claim(database: Database, settings: Settings) -> None:
    """Take the name of the server, or for a spare one wait for it. Raises InUse and NotKept."""
    try:
        while not database.claim(settings.name):
            if not settings.spare:
                raise InUse(
                    "another server {letter} is already running on this database. Choose another "
                    "letter with --name, or wait for that server with --spare",
                    letter=settings.name,
                )
            sleep(_SPARE_SECONDS)
    except SQLAlchemyError as error:
        raise database_unusable(error) from None


def _listening(host: str, port: int) -> list[socket.socket]:
    """Return the listening sockets for a host. Raises NotKept if it cannot listen there.

    `::` gets two sockets. A single dual-stack socket would report 192.0.2.7 as ::ffff:192.0.2.7,
    which matches no proxy, and whose first 64 bits, by which rates are counted, all clients share.
    """
    sockets = []
    for address in (host, "0.0.0.0") if host == "::" else (host,):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        try:
            sockets.append(socket.create_server((address, port), family=family, backlog=2048))
            # Connections inherit this; by default the system lets the buffer grow to megabytes.
            sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
        except OSError as error:
            facts = {"host": address, "port": port, "reason": error.strerror}
            if error.errno == errno.EADDRINUSE:
                text = gettext_noop("port {port} is in use; choose another one with --port")
            else:
                text = gettext_noop("the server cannot listen on {host} port {port}: {reason}")
            raise NotKept(text, **facts) from None
    return sockets
