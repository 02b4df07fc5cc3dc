"""`shutbox serve`."""

import argparse
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec

from shutbox.cli.output import tell
from shutbox.errors import NotInstalled, NotKept, needing
from shutbox.messages import gettext
from shutbox.store import data_folder

TOKEN = "SHUTBOX_METRICS_TOKEN"  # the environment variable that opens /metrics
_OPTIONS = ("host", "port", "url", "proxies", "rates", "drain")
DATABASE = "SHUTBOX_DATABASE"  # the variable with the database; its URL may hold a password


def serve(arguments: argparse.Namespace) -> None:
    """Serve the browser table until it is told to stop.

    Raises NotInstalled, NotKept and InUse, and BadRequest for settings that cannot be.
    """
    with needing_server():
        from shutbox.web.clock import seconds_of
        from shutbox.web.server.run import run
        from shutbox.web.server.settings import Settings
    settings = Settings(
        database=database_of(arguments) or _own_database(),
        unlimited=frozenset(arguments.unlimited),
        expire=0.0 if arguments.expire is None else seconds_of(arguments.expire) or 1.0,
        expire_records=arguments.expire_records,
        metrics_token=os.environ.get(TOKEN, ""),
        **{name: getattr(arguments, name) for name in _OPTIONS},
    )

    def told() -> None:
        """Say it to a person, and to nobody else: the log is for programs."""
        if sys.stderr.isatty():
            address = arguments.url or f"http://{_named(arguments.host)}:{arguments.port}"
            says = gettext("The table is at {address}. Ctrl-C stops the server.", address=address)
            tell(says)

    run(settings, log_as_json=not sys.stdout.isatty(), ready=told)


@contextmanager
def needing_server() -> Iterator[None]:
    """Import here what the server is made of. Raises NotInstalled; on Windows, always."""
    if find_spec("fcntl") is None:
        raise NotInstalled(
            "the server needs Unix, such as Linux, macOS or the Linux inside Windows; "
            "every other command runs here"
        )
    with needing("web"):
        yield


def database_of(arguments: argparse.Namespace) -> str:
    """The database that is named; empty where it is one's own."""
    return arguments.database or os.environ.get(DATABASE, "")


def _own_database() -> str:
    """The database of a user who names none; its folder is made."""
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise NotKept(
            "{folder} cannot be made: {reason}", folder=folder, reason=error.strerror
        ) from None
    return own_database()


def own_database() -> str:
    """The URL of the database of a user who names none."""
    return f"sqlite:///{data_folder() / 'tables.db'}"


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
