"""The commands of `shutbox admin` and their arguments."""

import argparse

from shutbox.cli.parser import Commands, examples_of
from shutbox.messages import gettext


def add_admin(commands: Commands) -> tuple[str, str]:
    """Add them; the name that they all begin with, and what it is for."""
    listed = "admin", gettext("look after a server: its tables, links and visitors")
    admin = commands.add_parser(listed[0], help=listed[1])
    under = admin.add_subparsers(dest="tool", metavar="COMMAND", required=True)
    _add(under, "status", gettext("say what runs, and how much is kept"))

    rooms = _add(under, "rooms", gettext("list the tables"))
    about = gettext("the first ones are those of the last move, newest, or largest (default: last)")
    rooms.add_argument("--sort", choices=("last", "opened", "size"), default="last", help=about)
    about = gettext("at most this many (default: 20)")
    rooms.add_argument("--limit", type=int, default=20, metavar="N", help=about)
    about = gettext("only those at which nothing has happened for so long, such as 30d")
    rooms.add_argument("--idle", default="0m", metavar="TIME", help=about)

    export = _add(under, "export", gettext("write the games of a table into files, as records"))
    _room(export)
    about = gettext("the folder for the files (default: the current one)")
    export.add_argument("--to", metavar="FOLDER", help=about)

    about = gettext("look at all that is kept, and name the tables that are damaged")
    verify = _add(under, "verify", about)
    about = gettext("the id of a table; without one all are looked at")
    verify.add_argument("room", nargs="*", metavar="ROOM", help=about)

    about = gettext("close a table: people still see it, and nobody plays there again")
    _room(_add(under, "close", about))

    delete = _add(under, "delete", gettext("delete tables, and all that is kept of them"))
    _room(delete, several=True)
    _yes(delete)

    _yes(_add(under, "rotate-secret", gettext("make every link void, and new ones in its place")))

    about = gettext("make the opener's link of a table anew, and print it")
    host = _add(under, "rotate-host", about)
    _room(host)
    about = gettext("the address that people use, as for serve")
    host.add_argument("--url", default="", metavar="URL", help=about)

    ban = _add(under, "ban", gettext("shut an address out"))
    _address(ban)
    about = gettext("for so long, such as 7d (default: until unban)")
    ban.add_argument("--for", dest="time", metavar="TIME", help=about)
    _yes(ban)
    _address(_add(under, "unban", gettext("let an address in again")))
    _add(under, "bans", gettext("list the addresses that are shut out"))
    return listed


def _yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", action="store_true", help=gettext("do it without a question"))


def _address(command: argparse.ArgumentParser) -> None:
    about = gettext("such as 192.0.2.7; of IPv6 the whole network of its first 64 bits is meant")
    command.add_argument("address", metavar="ADDRESS", help=about)


def _add(commands: Commands, name: str, about: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=about, epilog=examples_of(f"admin {name}"))
    about = gettext(
        "sqlite:///FILE or postgresql://USER@HOST/NAME, as for serve (default: SHUTBOX_DATABASE, "
        "or else tables.db in your own folder of records)"
    )
    command.add_argument("--database", metavar="URL", help=about)
    about = gettext("print JSON for programs")
    command.add_argument("--json", action="store_true", help=about)
    command.set_defaults(run=("admin", name.replace("-", "_")))
    return command


def _room(command: argparse.ArgumentParser, several: bool = False) -> None:
    about = gettext("the id of a table, from its address /r/ROOM")
    command.add_argument("room", nargs="+" if several else None, metavar="ROOM", help=about)
