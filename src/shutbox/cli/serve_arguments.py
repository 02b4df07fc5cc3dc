"""The arguments of `shutbox serve`."""

import argparse
from collections.abc import Callable
from textwrap import fill

from shutbox.messages import gettext


def add_serve(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command."""
    serve = add(gettext("serve the game to browsers"), run=("serve", "serve"))
    about = gettext("the address to listen on (default: 127.0.0.1, this machine alone)")
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=about)
    about = gettext("the port to listen on (default: 8000)")
    serve.add_argument("--port", type=int, default=8000, metavar="N", help=about)
    about = gettext(
        "sqlite:///FILE or postgresql://USER@HOST/NAME (default: SHUTBOX_DATABASE, or else "
        "tables.db in your own folder of records)"
    )
    serve.add_argument("--database", metavar="URL", help=about)
    about = gettext("the address that people use, where a proxy stands before it")
    serve.add_argument("--url", default="", metavar="URL", help=about)
    about = gettext(
        "the proxies to trust: addresses and networks, with commas between them "
        "(default: 127.0.0.1)"
    )
    serve.add_argument("--proxies", default="127.0.0.1", metavar="ADDRESSES", help=about)
    about = gettext("where rates are counted: redis://HOST for several processes")
    serve.add_argument("--rates", default="memory://", metavar="URL", help=about)
    about = gettext(
        "how long it goes on serving once told to stop; /ready says that it is closing (default: 0)"
    )
    serve.add_argument("--drain", type=float, default=0.0, metavar="SECONDS", help=about)
    about = gettext(
        "a table where nothing happens expires after this time, such as 400d; the records of its "
        "games are kept (default: never)"
    )
    serve.add_argument("--expire", metavar="TIME", help=about)
    about = gettext("the records of the games expire with the tables")
    serve.add_argument("--expire-records", action="store_true", help=about)
    about = gettext("an address without limits on rates; may be given several times")
    serve.add_argument("--unlimited", action="append", default=[], metavar="ADDRESS", help=about)
    environment = gettext(
        "In the environment SHUTBOX_DATABASE keeps the URL of the database out of the list of "
        "processes. SHUTBOX_METRICS_TOKEN is the token that opens /metrics, SHUTBOX_DATA your own "
        "folder of records, and SHUTBOX_CACHE the folder of what was worked out."
    )
    serve.epilog = f"{fill(environment)}\n\n{serve.epilog}"
