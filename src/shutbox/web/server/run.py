"""Running the server until it is told to stop."""

import errno
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from math import inf
from time import monotonic
from types import FrameType

import uvicorn

from shutbox.errors import NotKept
from shutbox.web.compute.worker import read_all
from shutbox.web.limits import LARGEST_FRAME, UNREAD_BYTES
from shutbox.web.logs import log, set_up
from shutbox.web.server.app import app_of
from shutbox.web.server.protocols import BoundedHttp, BoundedWebSocket, ConnectionRate
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database

GRACE_SECONDS = 10
"""How long requests that are being answered may go on once the server is told to stop."""


class _Uvicorn(uvicorn.Server):
    """Goes on for the time of the drain, and then ends first what would go on for long."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._server = server
        self._closes_at = inf

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        drain = self._server.settings.drain
        # Who sits before the server and interrupts it wants it to stop now.
        if drain and sig == signal.SIGTERM and not self._server.draining:
            self._server.draining = True
            self._closes_at = monotonic() + drain
        else:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        if not self.should_exit and monotonic() >= self._closes_at:
            self.handle_exit(signal.SIGTERM, None)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._server.close_streams()
        self._server.pool.close()
        await super().shutdown(sockets)


def run(
    settings: Settings, *, log_as_json: bool = True, ready: Callable[[], None] = lambda: None
) -> None:
    """Serve; `ready` is called once the address is ours.

    Raises NotKept and InUse, where the database or the address cannot be had.
    """
    set_up(as_json=log_as_json)
    _allow_many_files()
    # What strangers send that is no request is no news.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    # Threads replay rooms and write. Who answers waits so long for each of them to make way.
    sys.setswitchinterval(0.0005)
    read_all()
    # First the database: whoever starts the same server again is to hear that it runs.
    with closing(Database(settings.database)) as database:
        listening = _listening(settings.host, settings.port)
        server = Server(settings, database)

        class Http(BoundedHttp):
            rate = ConnectionRate(
                settings.proxies, settings.unlimited, is_seated=server.queue.is_seated
            )

        config = uvicorn.Config(
            app_of(server),
            proxy_headers=True,
            forwarded_allow_ips=settings.proxies,
            access_log=False,
            log_config=None,
            server_header=False,
            http=Http,
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


def _listening(host: str, port: int) -> list[socket.socket]:
    """The sockets that listen there. Raises NotKept.

    Every address is two sockets. One for both would call 192.0.2.7 by its name in IPv6, by which no
    proxy is known, and of which the first half, for which rates are counted, is everybody's.
    """
    hosts = (host, "0.0.0.0") if host == "::" else (host,)
    return [_listening_at(one, port) for one in hosts]


def _listening_at(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # Each connection has it from here. Unless told, the system lets it grow to megabytes.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_BYTES)
        return listening
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise NotKept(
                "port {port} is taken; another one is named by --port", port=port
            ) from None
        why = error.strerror
        raise NotKept(
            "{host} port {port} cannot be listened on: {reason}", host=host, port=port, reason=why
        ) from None


def _allow_many_files() -> None:
    """Every stream is an open file: as many as this user may have at all."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
