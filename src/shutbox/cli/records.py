"""The user's records: functions to find, read and describe one, and commands about all of them.

The commands are `shutbox stats` and `export`.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import note, print_answer, print_json
from shutbox.engine.english import command, listed
from shutbox.engine.errors import NotUnderstood, ShutboxError, UnknownRecord
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.typed_text import in_ascii
from shutbox.record import Reading, to_json
from shutbox.record.folder import Store, Which, record_words_first
from shutbox.table.lookup import game_of

AnyReading = Reading[Any, Any]
LONGEST = 20  # digits of a number that are read; no record has so many
COMPARED = 100  # newest games to compare a score with; each takes a moment
_TIME = "%Y-%m-%d %H:%M:%S %Z %z"


def find_record(text: str | None, store: Store, *, unfinished: bool = False) -> Which:
    """Return the number or the path in a text; for None, the number of the newest record.

    A record that the text names need not exist. With `unfinished`, the newest is that of
    `Store.waiting`, which can raise InUse and NotKept. Raises UnknownRecord for an empty text, and
    for None if there is no such record.
    """
    if text == "":
        raise UnknownRecord("an empty name is no record; give the number of a game, or a file")
    if text is not None:
        number = in_ascii(text).strip()
        return int(number[:LONGEST]) if re.fullmatch("[0-9]+", number) else Path(text)
    if unfinished:
        if waiting := store.waiting(game_of, on_skip=lambda error: note(f"shutbox: {error}")):
            which, _ = waiting
            return which
        raise UnknownRecord("no game is waiting; {command} starts one", command=command("play"))
    if (newest := store.newest()) is None:
        raise UnknownRecord("no games yet; {command} starts one", command=command("play"))
    return newest


def read_earlier(own_id: int | None) -> Iterator[AnyReading]:
    """Yield up to COMPARED newest records, oldest first, except `own_id` and unreadable ones."""
    with suppress(ShutboxError):
        store = Store()
        ids = [id for id in store.ids() if id != own_id][-COMPARED:]
        yield from (each for _, each in store.each(ids, game_of) if isinstance(each, Reading))


def read_record(text: str | None) -> tuple[Which, AnyReading]:
    """Read the record that `find_record` finds. Raises UnknownRecord, BadRecord and NotKept."""
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)


def record_value(which: Which) -> int | str:
    """Return a record's number, or its path as text that JSON can hold: other bytes are escaped."""
    if isinstance(which, int):
        return which
    return str(which).encode(errors="backslashreplace").decode()


def in_one_line(error: ShutboxError) -> str:
    """Return a refusal, which can have several reasons, in one line."""
    return "; ".join(str(error).splitlines())


def damage_lines(which: Which, reading: AnyReading) -> list[str]:
    """Return a sentence on where a record is damaged, in a list that is empty if it is not."""
    if reading.fault is None:
        return []
    facts = {"record": record_words_first(which), "place": reading.fault}
    return [gettext("{record} is damaged at {place}. What is before that counts.", **facts)]


def left_out_sentence(reason: str) -> str:
    """Return a sentence on why a record is left out; `reason` names the record."""
    return gettext("Left out: {reason}.", reason=reason)


def local_time(begun: str) -> str:
    """Return the time in a record's header in the user's time zone and its name; other text as is.

    >>> local_time("long ago")
    'long ago'
    """
    try:
        return datetime.strptime(f"{begun} +0000", _TIME).astimezone().strftime(_TIME[:-3])
    except (ValueError, OverflowError):  # records from elsewhere can say anything
        return begun


def state_words(reading: AnyReading) -> str:
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
    parser.set_run(print_stats, "")


def print_stats(arguments: argparse.Namespace) -> None:
    """Print games, wins and mean scores, and whether the dice are fair."""
    from shutbox.output.stats import (
        stats,
        stats_sentences,
    )  # other commands start faster without it

    figures = stats()
    print_answer(arguments, stats_sentences(figures), partial(asdict, figures))


def export_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox export`."""
    add_shared(parser, "record")
    add_switch(parser, "--all", gettext("every game of your own"))
    parser.set_run(export, "7 > game.json", "--all > games.json")


def export(arguments: argparse.Namespace) -> None:
    """Print a record as JSON, or with `--all` a list. Raises as `find_record` and `Store.read`."""
    if arguments.all and arguments.record is not None:
        raise NotUnderstood("--all exports every game; leave out {record}", record=arguments.record)
    store = Store()
    wanted = store.ids() if arguments.all else [find_record(arguments.record, store)]
    values = [to_json(each) for each in _readings(store, wanted, skips=arguments.all)]
    print_json(values if arguments.all else values[0])


def _readings(store: Store, wanted: Iterable[Which], *, skips: bool) -> Iterator[AnyReading]:
    """Yield records, and report damage. Raise for an unreadable one, or with `skips` report it."""
    for which, result in store.each(wanted, game_of):
        if isinstance(result, Reading):
            for line in damage_lines(which, result):
                note(line)
            yield result
        elif skips:
            note(left_out_sentence(in_one_line(result)))
        else:
            raise result
