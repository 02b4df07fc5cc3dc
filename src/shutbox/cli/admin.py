"""`shutbox admin`: tools for the host, which work while the server runs."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shutbox.cli.commands import Commands, Parser, add_shared
from shutbox.cli.output import answer, note, print_json
from shutbox.cli.serve import database_of, needing_server
from shutbox.engine.english import listed, shown, visible
from shutbox.engine.errors import NotKept, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext

if TYPE_CHECKING:
    from shutbox.web.admin import Ban, RoomRow, Survey
    from shutbox.web.storage.host import Process
    from shutbox.web.storage.log import Archive

Tool = Callable[..., int | None]


def admin_arguments(parser: Parser) -> None:
    """Add the commands of `shutbox admin`, with their arguments."""
    under = parser.add_subparsers(dest="tool", metavar="COMMAND", required=True)
    _add(under, status, gettext("show what runs, and how much is stored"), "")

    examples = "--sort size --limit 5", "--idle 30d"
    command = _add(under, rooms, gettext("list the tables"), *examples)
    about = gettext("the first ones are those of the last move, newest, or largest (default: last)")
    command.add_argument("--sort", choices=("last", "opened", "size"), default="last", help=about)
    about = gettext("at most this many (default: 20)")
    command.add_argument("--limit", type=int, default=20, metavar="N", help=about)
    about = gettext("only tables without a move for this long, such as 30d")
    command.add_argument("--idle", default="0m", metavar="TIME", help=about)

    about = gettext("write the games of a table into files, as records")
    command = _add(under, export, about, "abcdefgh --to games")
    add_shared(command, "room")
    about = gettext("the folder for the files (default: the current one)")
    command.add_argument("--to", metavar="FOLDER", help=about)

    about = gettext("check everything stored, and name the damaged tables")
    command = _add(under, verify, about, "")
    about = gettext("the id of a table; without one all are looked at")
    command.add_argument("room", nargs="*", metavar="ROOM", help=about)

    about = gettext("close a table: people still see it, but nobody can play there")
    add_shared(_add(under, close, about, "abcdefgh"), "room")

    about = gettext("delete tables and everything stored about them")
    command = _add(under, delete, about, "abcdefgh")
    add_shared(command, "room", nargs="+")
    add_shared(command, "--yes")

    about = gettext("revoke every link, and make new ones")
    add_shared(_add(under, rotate_secret, about, ""), "--yes")

    about = gettext("make a new link for the opener of a table, and print it")
    command = _add(under, rotate_host, about, "abcdefgh --url https://box.example")
    add_shared(command, "room")
    about = gettext("the address that people use, as for serve")
    command.add_argument("--url", default="", metavar="URL", help=about)

    command = _add(under, ban, gettext("ban an address"), "192.0.2.7 --for 7d")
    add_shared(command, "address")
    about = gettext("for this long, such as 7d (default: until unban)")
    command.add_argument("--for", dest="time", metavar="TIME", help=about)
    add_shared(command, "--yes")

    add_shared(_add(under, unban, gettext("lift a ban"), "192.0.2.7"), "address")
    _add(under, bans, gettext("list the banned addresses"), "--json")


def _add(under: Commands, tool: Tool, about: str, *examples: str) -> Parser:
    """Add the command named after `tool`, with the options of all admin commands, and return it."""
    command = under.add_parser(tool.__name__.replace("_", "-"), help=about)
    about = gettext(
        "sqlite:///FILE or postgresql://USER@HOST/NAME, as for serve (default: SHUTBOX_DATABASE, "
        "or else tables.db in your own folder of records)"
    )
    command.add_argument("--database", metavar="URL", help=about)
    add_shared(command, "--json", "--language")
    command.runs(_on_database(tool), *examples)
    return command


@cache  # so that a command has the same function in every parser
def _on_database(tool: Tool) -> Tool:
    """Return a function that opens the database and calls `tool(arguments, database, web.admin)`.

    It raises NotInstalled like `needing_server`, NotKept and DamagedStore for an unfit database.
    """

    def run(arguments: argparse.Namespace) -> int | None:
        with needing_server():
            from shutbox.web import admin
        with admin.admin_archive(database_of(arguments)) as archive:
            return tool(arguments, archive, admin)

    return run


# Commands that only read


def status(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Print which servers run, and how much is stored."""
    found = admin.status(archive)
    servers = [{**asdict(server), "silent": server.silent} for server in found.servers]
    answer(arguments, _status_lines(found), lambda: {**asdict(found), "servers": servers})


def _status_lines(found: "Survey") -> Iterator[str]:
    for server in found.servers:
        yield _server_line(server)
    if not found.servers:
        yield gettext("No server uses it.")
    yield gettext(
        "The database, {kind}, takes {size}.",
        kind={"sqlite": "SQLite", "postgresql": "PostgreSQL"}[found.database],
        size=_size(sum(found.bytes.values())),
    )
    facts = {"tables": found.rooms, "events": found.events}
    yield gettext("Tables: {tables:,}; their events: {events:,}.", **facts)
    if found.records:
        yield ngettext(
            "It keeps {number} game of tables that have expired.",
            "It keeps {number} games of tables that have expired.",
            found.records,
        )
    if found.bans:
        yield ngettext("{number} address is banned.", "{number} addresses are banned.", found.bans)
    if found.damaged:
        yield gettext("Damaged: {rooms}.", rooms=listed(found.damaged))


def _server_line(server: "Process") -> str:
    says = gettext_noop(
        "{address}, process {pid}, runs shutbox {version} since {since}. Tables: {rooms}; "
        "streams: {streams}."
    )
    if server.silent:
        says = gettext_noop("{address}, process {pid}, has not been heard of since {seen}.")
    elif server.closing:
        says = gettext_noop(
            "{address}, process {pid}, is closing; shutbox {version} since {since}. Tables: "
            "{rooms}; streams: {streams}."
        )
    times = {"since": _date(server.started), "seen": _date(server.seen)}
    return gettext(says, **{**asdict(server), **times, "streams": server.listeners})


def rooms(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Print the tables that the options pick, one a line, or as JSON. Refuse bad options."""
    if arguments.limit < 1:
        raise NotUnderstood("--limit must be at least 1, not {number}", number=arguments.limit)
    from shutbox.web.server.settings import seconds_of

    sort, limit, idle = arguments.sort, arguments.limit, seconds_of(arguments.idle)
    found = admin.listed_rooms(archive, sort=sort, limit=limit, idle=idle)
    if arguments.json:
        print_json([asdict(row) for row in found])
        return
    row = None
    for row in found:
        print(visible(_room_line(row)), flush=True)
    if row is None:
        if idle:
            print(gettext("No table has been idle for {time}.", time=arguments.idle))
        else:
            print(gettext("There are no tables."))


def _room_line(row: "RoomRow") -> str:
    state = {
        "waiting": gettext("waiting for players"),
        "playing": pgettext("state of a table", "playing"),
        "over": pgettext("state of a table", "over"),
        "ended": pgettext("state of a table", "ended"),
        "damaged": pgettext("state of a table", "damaged"),
        "unplayable": gettext("cannot be replayed; its game is missing or fails"),
    }[row.phase]
    says = gettext_noop(
        "{room}: {title}, {phase}, {seats}; events {events}, {size}, opened {opened}, last move "
        "{last}"
    )
    if not row.game:  # its log cannot be replayed
        says = gettext_noop(
            "{room}: {state}; events {events}, {size}, opened {opened}, last move {last}"
        )
    words = {"seats": listed(row.seats), "phase": state, "state": state, "size": _size(row.bytes)}
    times = {"opened": _date(row.opened), "last": _date(row.last)}
    return gettext(says, **{**asdict(row), **words, **times})


def export(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Write a table's games as new record files, or print its log with --json, one event a line."""
    if arguments.json and arguments.to is not None:
        raise NotUnderstood("--json prints the log, and writes no files for --to")
    if arguments.json:
        for line in admin.log_lines(archive, arguments.room):
            print(line)
        return
    found = admin.games(archive, arguments.room)
    folder = Path(arguments.to or ".")
    for game, record in found:
        path = folder / f"shutbox-{arguments.room}-{game}.shutbox"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(record)
        except OSError as error:
            raise NotKept(
                "{path} cannot be written: {reason}", path=path, reason=error.strerror
            ) from None
        print(visible(gettext("Game {game} is in {path}.", game=game, path=path)))
    if not found:
        print(gettext("No game has begun at this table."))


def verify(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> int:
    """Check the named tables, or everything stored, and print damage. Return 1 if any, else 0."""
    looked_at, faults = 0, []
    for room, fault in admin.verify(archive, arguments.room):
        looked_at += bool(room)
        if fault:
            faults.append({"room": room or None, "fault": fault})
            if not arguments.json:
                sentence = gettext("{room} is damaged: {fault}", room=room, fault=fault)
                print(visible(sentence if room else fault), flush=True)
    if arguments.json:
        print_json({"tables": looked_at, "faults": faults})
    elif faults:
        number = ngettext("{number} table checked.", "{number} tables checked.", looked_at)
        restore = gettext(
            "Tables that are damaged are not shown, and the others go on. To have them back, stop "
            "every server, and keep a copy of the database as it is. Restore the newest backup in "
            "which shutbox admin verify finds nothing, and start again."
        )
        where = gettext("The commands are in docs/hosting.md under Backup and restore.")
        print(number, restore, where, sep="\n")
    else:
        sentence = ngettext(
            "{number} table checked; all is as it was stored.",
            "{number} tables checked; all is as it was stored.",
            looked_at,
        )
        print(sentence)
    return int(bool(faults))


# Commands that change the database


def close(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Close a table: players still see it, but cannot play. Raises as `web.admin.close`."""
    admin.close(archive, arguments.room)
    sentence = gettext("Table {room} is closed.", room=arguments.room)
    answer(arguments, [sentence], lambda: {"closed": arguments.room})


def delete(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Delete tables for good, after asking. If one is missing, raise UnknownRoom, delete none."""
    wanted = [*dict.fromkeys(arguments.room)]
    for room in wanted:
        admin.check_exists(archive, room)
    question = ngettext(
        "Delete {rooms}? Only a backup can bring it back.",
        "Delete {rooms}? Only a backup can bring them back.",
        len(wanted),
        rooms=listed(map(shown, wanted)),
    )
    _confirm(arguments, question)
    for room in wanted:
        admin.delete(archive, room)
        if not arguments.json:
            print(gettext("Table {room} is deleted.", room=room), flush=True)
    if arguments.json:
        print_json({"deleted": wanted})


def rotate_secret(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Replace the keys of all links, after asking as `_confirm`; this revokes every link in use."""
    _confirm(
        arguments,
        gettext("Revoke every link? Players who came by one stay in; others need a new one."),
    )
    admin.rotate_secret(archive)
    sentence = gettext("The old links no longer work; pages show the new ones.")
    answer(arguments, [sentence], lambda: {"rotated": True})


def rotate_host(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Revoke the link of a table's opener, and print a new one. Raises as `web.admin.close`."""
    from shutbox.web.server.settings import Settings

    Settings(url=arguments.url)  # refuses a bad URL before the old link is revoked
    link = arguments.url.rstrip("/") + admin.rotate_host(archive, arguments.room)
    lines = [link]
    if not arguments.url:
        lines.append(gettext("Put the address of your server in front, or give it with --url."))
    answer(arguments, lines, lambda: {"link": link})


def ban(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Ban an address for the time of `--for`, or until unbanned; a private one needs `--yes`."""
    from shutbox.web.server.settings import seconds_of

    seconds = None if arguments.time is None else seconds_of(arguments.time)
    if seconds == 0:
        raise NotUnderstood("--for: a ban of no time has no effect")
    found = admin.ban(archive, arguments.address, seconds, anyway=arguments.yes)
    answer(arguments, [_ban_line(found)], lambda: asdict(found))


def unban(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Lift the ban on an address. Raises BadRequest, and OutOfDate if it is not banned."""
    address = admin.unban(archive, arguments.address)
    sentence = gettext("The ban on {address} is lifted.", address=address)
    answer(arguments, [sentence], lambda: {"unbanned": address})


def bans(arguments: argparse.Namespace, archive: "Archive", admin: Any) -> None:
    """Print the banned addresses."""
    found = admin.bans_of(archive)
    lines = map(_ban_line, found) if found else [gettext("Nobody is banned.")]
    answer(arguments, lines, lambda: [asdict(ban) for ban in found])


def _ban_line(ban: "Ban") -> str:
    if ban.until is None:
        return gettext("{network} is banned.", network=ban.network)
    until = _date(ban.until)
    return gettext("{network} is banned until {until}.", network=ban.network, until=until)


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
    raise NotUnderstood("this needs an answer, and nobody can give one here; --yes does it")


# Wording


def _date(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at))


def _size(bytes: int) -> str:
    if bytes < 10_000:
        return ngettext("{number} byte", "{number} bytes", bytes)
    if bytes < 10_000_000:
        return gettext("{number:,} kB", number=bytes // 1000)
    return gettext("{number:,} MB", number=bytes // 1_000_000)
