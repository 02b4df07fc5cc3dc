"""The user's records: functions to find, read and describe one, and commands about all of them.

The commands are `shutbox games --mine`, `stats` and `export`.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer, note, print_json, write
from shutbox.engine.english import capital, command, listed, shown
from shutbox.engine.errors import NotUnderstood, ShutboxError, UnknownRecord
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.typed_text import in_ascii
from shutbox.output.results import check_file
from shutbox.record import Reading, to_json
from shutbox.record.folder import Store, Which, named_first
from shutbox.table.lookup import game_of
from shutbox.term import Console, GoesBack

AnyReading = Reading[Any, Any]
LONGEST = 20  # digits of a number that are read; no record has so many
COMPARED = 100  # newest games to compare a score with; each takes a moment
NEWEST = 20  # games that the first screen lists
_TIME = "%Y-%m-%d %H:%M:%S %Z %z"


def find_record(text: str | None, store: Store, *, unfinished: bool = False) -> Which:
    """Return the number or the path in a text; without a text, the number of the newest record.

    A record named there need not exist. With `unfinished`, the newest is that of `Store.waiting`,
    which can raise InUse and NotKept. Raises UnknownRecord for an empty text, or without a record.
    """
    if text == "":
        raise UnknownRecord("an empty name is no record; give the number of a game, or a file")
    if text is not None:
        number = in_ascii(text).strip()
        return int(number[:LONGEST]) if re.fullmatch("[0-9]+", number) else Path(text)
    if unfinished:
        if found := store.waiting(game_of, on_skip=lambda error: note(f"shutbox: {error}")):
            return found[0]
        raise UnknownRecord("no game is waiting; {command} starts one", command=command("play"))
    if (newest := store.newest()) is None:
        raise UnknownRecord("no games yet; {command} starts one", command=command("play"))
    return newest


def earlier(own_id: int | None) -> Iterator[AnyReading]:
    """Yield up to COMPARED newest records, oldest first, except `own_id` and unreadable ones."""
    with suppress(ShutboxError):
        store = Store()
        ids = [id for id in store.ids() if id != own_id][-COMPARED:]
        yield from (one for _, one in store.each(ids, game_of) if isinstance(one, Reading))


def read_record(text: str | None) -> tuple[Which, AnyReading]:
    """Read a record by number or path, or the newest. Raises UnknownRecord, BadRecord, NotKept."""
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)


def record_value(which: Which) -> int | str:
    """Return a record's number, or its path as text, whose bytes that are no text are escaped."""
    if isinstance(which, int):
        return which
    return str(which).encode(errors="backslashreplace").decode()


def one_line(error: ShutboxError) -> str:
    """Return a refusal, which can have several reasons, in one line."""
    return "; ".join(str(error).splitlines())


def damage(which: Which, reading: AnyReading) -> list[str]:
    """Return a sentence on where a record is damaged, in a list that is empty if it is not."""
    if reading.fault is None:
        return []
    facts = {"record": named_first(which), "place": reading.fault}
    return [gettext("{record} is damaged at {place}. What is before that counts.", **facts)]


def left_out(reason: str) -> str:
    """Return a sentence on why a record is left out; the reason names it."""
    return gettext("Left out: {reason}.", reason=reason)


def local_time(begun: str) -> str:
    """Return the time in a record's header in the user's time zone; other text as it is.

    >>> local_time("long ago")
    'long ago'
    """
    try:
        return datetime.strptime(f"{begun} +0000", _TIME).astimezone().strftime(_TIME[:-3])
    except (ValueError, OverflowError):  # records from elsewhere can say anything
        return begun


def state(reading: AnyReading) -> str:
    """Return the state of a game as words that follow its name, such as `Ann won`, `score 7`."""
    over, names = reading.over, reading.header.names
    if over is None:
        words = gettext("not over yet")
    elif len(names) > 1 and over.winners:
        won = listed(names[seat] for seat in over.winners)
        words = ngettext("{names} won", "{names} shared the win", len(over.winners), names=won)
    else:
        words = gettext("score {score}", score=listed(over.scores))
    return f"{words}; {gettext('damaged after that')}" if reading.fault else words


# The records as a whole


def stats_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox stats`."""
    add_shared(parser, "--json")
    parser.runs(stats, "")


def mine(arguments: argparse.Namespace) -> None:
    """Print the user's own games, the newest last, each on a line or in JSON."""
    store = Store()
    rows = list(_rows(store, store.ids()))
    answer(arguments, map(_line, rows) if rows else [no_games()], lambda: rows)


def no_games() -> str:
    """Return the sentence for a user without any game."""
    return gettext("No games yet; {command} starts one.", command=command("play"))


def pick_own(console: Console) -> Which:
    """Review finished games that the player picks, until one to continue is picked; return it.

    Raises GoesBack after Enter or without games, Stopped, and UnknownRecord or NotKept for a folder
    of records that cannot be read.
    """
    from shutbox.solving.review.sums import people
    from shutbox.term.coach import say_review

    store = Store()
    ids = list(store.ids())[-NEWEST:]
    console.say(*map(_line, _rows(store, ids)))
    ask = gettext("Which game? Its number reviews it, or continues it; Enter goes back:")
    helps = gettext("Type the number of a game of the list, or press Enter.")
    while answer := console.answer(ask, back=True, helps=[helps]) if ids else "":
        if (typed := in_ascii(answer)) not in map(str, ids):
            console.say(
                gettext("{text} is not on the list. {helps}", text=shown(answer), helps=helps)
            )
            continue
        try:
            which = int(typed)
            reading = store.read(which, game_of)
        except ShutboxError as error:
            console.refuse(error)
            continue
        if reading.over is None and reading.opened is None:
            return which
        progress = ProgressLine(gettext("Solving what was played"))
        mine = people(reading.header)
        say_review(reading.play, reading.header.names, console, progress, mine)
    if not ids:
        console.say(gettext("No games yet."))
    raise GoesBack


def stats(arguments: argparse.Namespace) -> None:
    """Print games, wins and mean scores, and whether the dice are fair."""
    from shutbox.output import stats as statistics  # `mine` starts faster without it

    found = statistics.stats()
    answer(arguments, statistics.sentences(found), partial(asdict, found))


def _rows(store: Store, ids: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the facts of each record for `games --mine --json`, or the `problem` with it."""
    for id, found in store.each(ids, game_of):
        if isinstance(found, Reading):
            yield {
                "id": id,
                "begun": found.header.begun,
                "title": found.game.card().title,
                "game": found.game.name,
                "players": found.header.names,
                "over": found.over is not None,
                "state": state(found),
            }
        else:
            yield {"id": id, "problem": one_line(found)}


def _line(row: dict[str, Any]) -> str:
    if "problem" in row:
        return gettext("{problem}.", problem=capital(row["problem"]))
    facts = {**row, "begun": local_time(row["begun"]), "players": listed(row["players"])}
    return gettext("{id}: begun {begun}, {title}, {players}, {state}.", **facts)


def export_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox export`."""
    add_shared(parser, "record")
    add_switch(parser, "--all", gettext("every game of your own"))
    add_shared(parser, "-o --output")
    parser.runs(export, "7 > game.json", "--all -o events.csv")


def export(arguments: argparse.Namespace) -> None:
    """Print a record as JSON, or with `--all` a list of them; or write their events as CSV."""
    if arguments.all and arguments.record is not None:
        raise NotUnderstood("--all exports every game; leave out {record}", record=arguments.record)
    file: Path | None = arguments.output
    if file is not None:
        check_file(file)
    store = Store()
    wanted = store.ids() if arguments.all else [find_record(arguments.record, store)]
    readings = _readings(store, wanted, skips=arguments.all)
    if file is not None:
        from shutbox.cli.events import COLUMNS, event_rows

        rows = (event_rows(reading, record=str(record_value(which))) for which, reading in readings)
        write(file, COLUMNS, chain.from_iterable(rows))
        return
    values = [
        to_json(one.header, one.game, one.play.log, one.opened, one.sealed_to)
        for _, one in readings
    ]
    print_json(values if arguments.all else values[0])


def _readings(
    store: Store, wanted: Iterable[Which], *, skips: bool
) -> Iterator[tuple[Which, AnyReading]]:
    """Yield records, and report damage. Raise for an unreadable one, or with `skips` report it."""
    for which, found in store.each(wanted, game_of):
        if isinstance(found, Reading):
            for line in damage(which, found):
                note(line)
            yield which, found
        elif skips:
            note(left_out(one_line(found)))
        else:
            raise found
