"""`shutbox serve`: the game for browsers, and the options of its server."""

import argparse
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from textwrap import fill

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import note
from shutbox.engine.errors import NotInstalled, NotKept, needing
from shutbox.engine.messages import gettext
from shutbox.record.folder import data_folder

_OPTIONS = ("host", "port", "url", "proxies", "name", "spare", "expire", "offline", "plugins")
DATABASE = "SHUTBOX_DATABASE"  # the variable with the database; its URL can contain a password


def serve_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox serve`."""
    text = gettext("the address to listen on (default: 127.0.0.1, this machine alone)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=text)
    text = gettext("the port to listen on (default: 8000)")
    parser.add_argument("--port", type=int, default=8000, metavar="N", help=text)
    add_shared(parser, "--database", "--url")
    text = gettext(
        "the proxies to trust: addresses and networks, with commas between them "
        "(default: 127.0.0.1)"
    )
    parser.add_argument("--proxies", default="127.0.0.1", metavar="ADDRESSES", help=text)
    text = gettext("a letter of its own for each server on one PostgreSQL (default: a)")
    parser.add_argument("--name", default="a", metavar="LETTER", help=text)
    text = gettext("wait until the server with this name stops, and then take over its tables")
    add_switch(parser, "--spare", text)
    text = gettext(
        "a table where nothing happens expires after so many days, with its games (default: never)"
    )
    parser.add_argument("--expire", type=int, default=0, metavar="DAYS", help=text)
    text = gettext(
        "a further push service that may tell players of their turn, as HOST or HOST:PORT; can be "
        "given several times; off tells nobody"
    )
    parser.add_argument("--push", action="append", default=[], metavar="HOST", help=text)
    text = gettext(
        "the folder that make site has written; visitors can keep this game on their device, and "
        "play it without a network"
    )
    parser.add_argument("--offline", default="", metavar="FOLDER", help=text)
    add_switch(parser, "--no-phrases", gettext("players cannot say stock phrases at a table"))
    text = gettext(
        "the games and computer players of plugins that people can use here, with commas between "
        "them, such as acme.pig,acme.hold (default: none)"
    )
    parser.add_argument("--plugins", default="", metavar="NAMES", help=text)
    text = gettext("an address without limits on rates; can be given several times")
    parser.add_argument("--unlimited", action="append", default=[], metavar="ADDRESS", help=text)
    environment = gettext(
        "In the environment SHUTBOX_DATABASE keeps the URL of the database out of the list of "
        "processes. SHUTBOX_DATA is your own folder of records, and SHUTBOX_CACHE the folder of "
        "what was worked out."
    )
    parser.set_run(serve, "", "--host 0.0.0.0 --port 9000", "--url https://box.example")
    parser.epilog = f"{fill(environment)}\n\n{parser.epilog}"


def serve(arguments: argparse.Namespace) -> None:
    """Serve the game to browsers until the server is stopped.

    Raises NotInstalled, NotKept and InUse, and BadRequest for invalid settings.
    """
    with needing_server():
        from shutbox.web.server.run import run
        from shutbox.web.server.settings import Settings
    settings = Settings(
        database=database_of(arguments, create_folder=True),
        unlimited=frozenset(arguments.unlimited),
        push=tuple(arguments.push),
        phrases=not arguments.no_phrases,
        **{name: getattr(arguments, name) for name in _OPTIONS},
    )

    def announce() -> None:
        """Print the address at a terminal only: the log is for programs."""
        if sys.stderr.isatty():
            address = arguments.url or f"http://{_host_in_url(arguments.host)}:{arguments.port}"
            note(gettext("The table is at {address}. Ctrl-C stops the server.", address=address))

    run(settings, log_as_json=not sys.stdout.isatty(), ready=announce)


@contextmanager
def needing_server() -> Iterator[None]:
    """Turn failed imports inside the context into NotInstalled; on Windows, always raise it."""
    if find_spec("fcntl") is None:
        raise NotInstalled(
            "the server needs Unix, such as Linux, macOS or the Linux inside Windows; "
            "every other command runs here"
        )
    with needing("web"):
        yield


def database_of(arguments: argparse.Namespace, *, create_folder: bool = False) -> str:
    """Return the URL of the database: in the options, the environment, or the user's folder.

    `create_folder` creates that folder. Raises NotKept if that fails, or for a user without a home.
    """
    if named := arguments.database or os.environ.get(DATABASE, ""):
        return str(named)
    folder = data_folder()
    try:
        if create_folder:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        facts = {"folder": folder, "reason": error.strerror}
        raise NotKept("{folder} cannot be made: {reason}", **facts) from None
    path = str(folder / "tables.db").replace("%", "%25").replace("?", "%3F")
    return f"sqlite:///{path}"


def _host_in_url(host: str) -> str:
    """Return a host as a URL has it; for 0.0.0.0 or ::, an address of this machine instead."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    probes = [(socket.AF_INET, "192.0.2.1", "{}"), (socket.AF_INET6, "2001:db8::1", "[{}]")]
    for family, target, written in probes[: 1 if host == "0.0.0.0" else 2]:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))  # UDP sends nothing to connect
            return written.format(probe.getsockname()[0])
    return "127.0.0.1"
