"""`shutbox serve`."""

import argparse
import os
import socket
import sys
from contextlib import suppress

from shutbox.errors import NotInstalled, NotKept
from shutbox.messages import gettext
from shutbox.store import data_folder

TOKEN = "SHUTBOX_METRICS_TOKEN"  # the environment variable that opens /metrics
DATABASE = "SHUTBOX_DATABASE"  # the variable with the database; its URL may hold a password


def serve(arguments: argparse.Namespace) -> None:
    """Serve the browser table until it is told to stop.

    Raises NotInstalled, NotKept and InUse, and BadRequest for settings that cannot be.
    """
    try:
        from shutbox.web.server.run import run
        from shutbox.web.server.settings import Settings
    except ModuleNotFoundError as error:
        raise NotInstalled(
            "the server needs {module}: pip install 'shutbox[web]', or make serve",
            module=error.name,
        ) from None
    settings = Settings(
        database=arguments.database or os.environ.get(DATABASE, "") or _own_database(),
        unlimited=frozenset(arguments.unlimited),
        metrics_token=os.environ.get(TOKEN, ""),
        **{name: getattr(arguments, name) for name in ("host", "port", "url", "proxies", "rates")},
    )

    def tell() -> None:
        """Say it to a person, and to nobody else: the log is for programs."""
        if sys.stderr.isatty():
            address = arguments.url or f"http://{_named(arguments.host)}:{arguments.port}"
            says = gettext("The table is at {address}. Ctrl-C stops the server.", address=address)
            print(says, file=sys.stderr)

    run(settings, log_as_json=not sys.stdout.isatty(), ready=tell)


def _own_database() -> str:
    """The database of a user who names none."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NotKept(
            "{folder} cannot be made: {reason}", folder=folder, reason=error.strerror
        ) from None
    return f"sqlite:///{folder / 'tables.db'}"


def _named(host: str) -> str:
    """How others call this machine, where it listens on every address it has."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    probes = [(socket.AF_INET, "192.0.2.1", "{}"), (socket.AF_INET6, "2001:db8::1", "[{}]")]
    for family, nobody, written in probes[: 1 if host == "0.0.0.0" else 2]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((nobody, 9))  # an address of no machine: nothing is sent
            return written.format(probe.getsockname()[0])
    return "127.0.0.1"
