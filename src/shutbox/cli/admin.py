"""`shutbox admin`: tools for the host, which work while the server runs."""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shutbox.cli.commands import Commands, Parser, add_shared
from shutbox.cli.output import note, print_answer, print_json
from shutbox.cli.serve import database_of, needing_server
from shutbox.engine.english import listed, shown
from shutbox.engine.errors import NotKept, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext

if TYPE_CHECKING:
    from shutbox.web.admin import RoomRow
    from shutbox.web.storage.database import Database

Tool = Callable[..., int | None]


def admin_arguments(parser: Parser) -> None:
    """Add the commands of `shutbox admin`, with their arguments."""
    under = parser.add_subparsers(dest="tool", metavar="COMMAND", required=True)
    command = _add_tool(under, list_rooms, gettext("list the tables"), "--limit 5")
    text = gettext("at most this many, those of the last move first (default: 20)")
    command.add_argument("--limit", type=int, default=20, metavar="N", help=text)

    text = gettext("write the games of a table into files, as records")
    command = _add_tool(under, export, text, "abcdefgh --to games")
    add_shared(command, "room")
    text = gettext("the folder for the files (default: the current one)")
    command.add_argument("--to", metavar="FOLDER", help=text)

    text = gettext("close a table: people still see it, but nobody can play there")
    add_shared(_add_tool(under, close, text, "abcdefgh"), "room")

    text = gettext("delete tables and everything stored about them")
    command = _add_tool(under, delete, text, "abcdefgh")
    add_shared(command, "room", nargs="+")
    add_shared(command, "--yes")

    text = gettext("make a new link for the opener of a table, and print it")
    command = _add_tool(under, link, text, "abcdefgh --url https://box.example")
    add_shared(command, "room", "--url")


def _add_tool(under: Commands, tool: Tool, text: str, *examples: str) -> Parser:
    """Add the command named after `tool`, with the options of all admin commands, and return it."""
    command = under.add_parser(tool.__name__.partition("_")[0], help=text)
    add_shared(command, "--database", "--json", "--language")
    command.set_run(_on_database(tool), *examples)
    return command


@cache  # so that a command has the same function in every parser
def _on_database(tool: Tool) -> Tool:
    """Return a function that opens the database and calls `tool(arguments, database, web.admin)`.

    It raises NotInstalled like `needing_server`, NotKept for an unfit database.
    """

    def run(arguments: argparse.Namespace) -> int | None:
        with needing_server():
            from shutbox.web import admin
        with admin.admin_database(database_of(arguments)) as database:
            return tool(arguments, database, admin)

    return run


def list_rooms(arguments: argparse.Namespace, database: "Database", admin: Any) -> None:
    """Print the tables, one a line, or as JSON. Raises NotUnderstood for a limit below 1."""
    if arguments.limit < 1:
        raise NotUnderstood("--limit must be at least 1, not {number}", number=arguments.limit)
    rooms = list(admin.listed_rooms(database, arguments.limit))
    lines = map(_room_line, rooms) if rooms else [gettext("There are no tables.")]
    print_answer(arguments, lines, lambda: [asdict(row) for row in rooms])


def _room_line(row: "RoomRow") -> str:
    """Return the line of a table in the list."""
    state = {
        "waiting": gettext("waiting for players"),
        "playing": pgettext("state of a table", "playing"),
        "over": pgettext("state of a table", "over"),
        "ended": pgettext("state of a table", "ended"),
        "damaged": pgettext("state of a table", "damaged"),
        "unplayable": gettext("cannot be replayed; its game is missing or fails"),
    }[row.phase]
    says = gettext_noop(
        "{room}: {title}, {phase}, {seats}; events {events}, opened {opened}, last move {last}"
    )
    if not row.game:  # its log cannot be replayed
        says = gettext_noop("{room}: {phase}; events {events}, opened {opened}, last move {last}")
    words = {"seats": listed(row.seats), "phase": state}
    times = {key: time.gmtime(at) for key, at in (("opened", row.opened), ("last", row.last))}
    dates = {key: time.strftime("%Y-%m-%d %H:%M UTC", at) for key, at in times.items()}
    return gettext(says, **{**asdict(row), **words, **dates})


def export(arguments: argparse.Namespace, database: "Database", admin: Any) -> None:
    """Write a table's games as new record files; with --json, print the list of these files."""
    folder = Path(arguments.to or ".")
    written: dict[int, str] = {}  # the paths of the files, by the number of the game
    for game, record in admin.games(database, arguments.room):
        path = folder / f"shutbox-{arguments.room}-{game}.shutbox"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(record)
        except OSError as error:
            raise NotKept(
                "{path} cannot be written: {reason}", path=path, reason=error.strerror
            ) from None
        written[game] = str(path)
    lines = [gettext("Game {game} is in {path}.", game=game, path=p) for game, p in written.items()]
    lines = lines or [gettext("No game has begun at this table.")]
    print_answer(arguments, lines, lambda: list(written.values()))


def close(arguments: argparse.Namespace, database: "Database", admin: Any) -> None:
    """Close a table: players still see it, but cannot play. Raises as `web.admin.carry_out`."""
    admin.carry_out(database, "close", arguments.room)
    sentence = gettext("Table {room} is closed.", room=arguments.room)
    print_answer(arguments, [sentence], lambda: {"closed": arguments.room})


def delete(arguments: argparse.Namespace, database: "Database", admin: Any) -> None:
    """Delete tables for good, after asking. Raises UnknownRoom if one is missing, and keeps all."""
    wanted = [*dict.fromkeys(arguments.room)]
    for room in wanted:
        admin.check_exists(database, room)
    question = ngettext(
        "Delete {rooms}? Only a backup can bring it back.",
        "Delete {rooms}? Only a backup can bring them back.",
        len(wanted),
        rooms=listed(map(shown, wanted)),
    )
    _confirm(arguments, question)
    for room in wanted:
        admin.carry_out(database, "delete", room)
        if not arguments.json:
            print(gettext("Table {room} is deleted.", room=room), flush=True)
    if arguments.json:
        print_json({"deleted": wanted})


def link(arguments: argparse.Namespace, database: "Database", admin: Any) -> None:
    """Revoke the link of a table's opener, and print a new one. Raises as `web.admin.carry_out`."""
    from shutbox.web.server.settings import Settings

    Settings(url=arguments.url)  # refuses a bad URL before the old link is revoked
    admin.carry_out(database, "link", arguments.room)
    address = arguments.url.rstrip("/") + admin.opener_link(database, arguments.room)
    lines = [address]
    if not arguments.url:
        lines.append(gettext("Put the address of your server in front, or give it with --url."))
    print_answer(arguments, lines, lambda: {"link": address})


def _confirm(arguments: argparse.Namespace, question: str) -> None:
    """Ask for a yes, unless --yes is given. Raises NotUnderstood for another answer or none."""
    if arguments.yes:
        return
    word = pgettext("what to type", "yes")
    if sys.stdin is not None and sys.stdin.isatty():
        note(question)
        note(gettext("Type {word} to go on.", word=word))
        if sys.stdin.readline().strip().lower() == word:
            return
        raise NotUnderstood("nothing has changed")
    # Translators: yes or no is asked, but nobody can type it; the option --yes says yes.
    raise NotUnderstood("this needs an answer, and nobody can give one here; --yes does it")
