"""`shutbox games --mine`, `stats`, `export` and `import`: the user's records as a whole."""

import argparse
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.cli.output import ProgressLine, answer, note, print_json, write
from shutbox.cli.parser import Parser, add_shared, add_switch
from shutbox.cli.records import (
    AnyReading,
    find_record,
    local_time,
    read_record,
    reasons,
    record_text,
    state,
)
from shutbox.data_file import JSON_LINES, check_file, json_line, replacing
from shutbox.english import capital, listed, number_word, visible
from shutbox.errors import NotKept, NotUnderstood, ShutboxError, UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.record import LARGEST_JSON, read_json, to_json
from shutbox.store import Store, Which, named, read_file, read_lines
from shutbox.term import Console, GoesBack
from shutbox.term.review import say_review

NEWEST = 20  # games that the first screen lists


def add_stats(parser: Parser) -> None:
    """Add the arguments of `shutbox stats`."""
    add_shared(parser, "--player", "-o --output", "--json")
    parser.runs(stats, "stats", "stats --player Ann", "stats -o stats.csv")


def mine(arguments: argparse.Namespace) -> None:
    """List the user's own games, the newest last."""
    store = Store()
    rows = [_row(store, id) for id in store.ids()]
    lines = map(_line, rows) if rows else [gettext("No games yet; shutbox play starts one.")]
    answer(arguments, lines, lambda: rows)


def pick_own(console: Console) -> Which:
    """List the newest games, review those that are picked, and return one to continue.

    Raises GoesBack and Stopped, and NotKept.
    """
    store = Store()
    ids = list(store.ids())[-NEWEST:]
    console.say(*(_line(_row(store, id)) for id in ids))
    ask = gettext("Which game? Its number reviews it, or continues it; Enter goes back:")
    while answer := console.answer(ask, back=True) if ids else "":
        try:
            which = find_record(answer, store)
            reading = store.read(which, game_of)
        except ShutboxError as error:
            console.refuse(error)
            continue
        if reading.over is None and reading.opened is None:
            return which
        progress = ProgressLine(gettext("Solving what was played"))
        say_review(reading.play, reading.header.names, console, progress)
    if not ids:
        console.say(gettext("No games yet."))
    raise GoesBack


def stats(arguments: argparse.Namespace) -> None:
    """Print or write games, wins, scores and the fairness of the dice, of one player or of all."""
    from shutbox.stats import as_json, sentences, stats_of  # `mine` starts faster without it

    file: Path | None = arguments.output
    if file is not None:
        if arguments.json:
            raise NotUnderstood("--output writes into a file; leave out --json")
        check_file(file)
    found = stats_of(arguments.player)
    if file is not None:
        write(file, found.COLUMNS, found.rows())
        return
    answer(arguments, sentences(found), partial(as_json, found))


def _row(store: Store, id: int) -> dict[str, Any]:
    try:
        reading = store.read(id, game_of)
    except ShutboxError as error:
        problem = gettext("it cannot be read: {reasons}", reasons=reasons(error))
        return {"id": id, "problem": problem}
    return {
        "id": id,
        "begun": reading.header.begun,
        "title": reading.game.card().title,
        "game": reading.game.name,
        "players": reading.header.names,
        "over": reading.over is not None,
        "state": state(reading),
    }


def _line(row: dict[str, Any]) -> str:
    if "problem" in row:
        return gettext("{id}: {problem}.", **row)
    facts = {**row, "begun": local_time(row["begun"]), "players": listed(row["players"])}
    return gettext("{id}: begun {begun}, {title}, {players}, {state}.", **facts)


def add_export(parser: Parser) -> None:
    """Add the arguments of `shutbox export`."""
    add_shared(parser, "record")
    add_switch(parser, "--all", gettext("every game of your own, a line of JSON for each"))
    add_shared(parser, "-o --output")
    parser.runs(
        export, "export 7 > game.json", "export --all -o games.jsonl", "export --all -o events.csv"
    )


def add_import(parser: Parser) -> None:
    """Add the arguments of `shutbox import`."""
    about = gettext("what export printed, or wrote into a .jsonl")
    parser.add_argument("file", metavar="FILE", help=about)
    parser.runs(import_, "import game.json", "import games.jsonl")


def export(arguments: argparse.Namespace) -> None:
    """Print one record or all as JSON, or write them to a file, as records or rows of events."""
    if arguments.all and arguments.record is not None:
        raise NotUnderstood("--all exports every game; leave out {record}", record=arguments.record)
    file: Path | None = arguments.output
    if file is not None:
        check_file(file)
    readings = _with_fault(_readings() if arguments.all else [read_record(arguments.record)])
    if file is not None:
        _write(file, readings)
    elif arguments.all:
        for _, reading in readings:
            print(json_line(_record_as_json(reading)).decode(), end="")
    else:
        for _, reading in readings:
            print_json(_record_as_json(reading))


def _readings() -> Iterator[tuple[Which, AnyReading]]:
    """Yield the user's records; those that cannot be read are reported and skipped."""
    store = Store()
    for which in store.ids():
        try:
            yield which, store.read(which, game_of)
        except ShutboxError as error:
            facts = {"record": capital(named(which)), "reason": reasons(error)}
            note(gettext("{record} is left out: {reason}.", **facts))


def _with_fault(readings: Iterable[tuple[Which, AnyReading]]) -> Iterator[tuple[Which, AnyReading]]:
    """Yield the readings unchanged, and report those that are damaged."""
    for which, reading in readings:
        if reading.fault is not None:
            note(f"shutbox: {named(which)}: {reading.fault}")
            note(f"shutbox: {gettext('what is before that is exported')}")
        yield which, reading


def _record_as_json(reading: AnyReading) -> object:
    play = reading.play
    return to_json(reading.header, reading.game, play.log, reading.opened, reading.sealed_to)


def _write(file: Path, readings: Iterable[tuple[Which, AnyReading]]) -> None:
    """Write one line per record into a JSON lines file, or one row per event into others."""
    if file.suffix.lower() != JSON_LINES:
        from shutbox.stats.collect import COLUMNS, event_rows

        rows = (event_rows(reading, record=record_text(which)) for which, reading in readings)
        write(file, COLUMNS, chain.from_iterable(rows))
        return
    with replacing(file) as stream:
        stream.writelines(json_line(_record_as_json(reading)) for _, reading in readings)
    print(visible(gettext("The data is in {file}.", file=file)))


def import_(arguments: argparse.Namespace) -> int:
    """Store the records of a JSON file as new games of the user. Return the exit code."""
    if not arguments.file:
        raise UnknownRecord("an empty name is no file; give what export printed, in a file")
    file = Path(arguments.file)
    if file.suffix.lower() == JSON_LINES:
        return _import_lines(file)
    id, reading = Store().take_in(read_json(read_file(file, LARGEST_JSON + 1)), game_of)
    number = reading.play.version
    sentence = ngettext(
        "Saved as game {id}: {word} event.",
        "Saved as game {id}: {word} events.",
        number,
        id=id,
        word=number_word(number),
    )
    print(sentence)
    return 0


def _import_lines(file: Path) -> int:
    """Store the record in each line, and report other lines. Return 1 if there are any, else 0."""
    store, saved, left_out = Store(), list[int](), False
    for number, line in enumerate(read_lines(file, LARGEST_JSON + 1), start=1):
        if not line.strip():
            continue
        try:
            id, _ = store.take_in(read_json(line), game_of)
        except NotKept:
            raise
        except ShutboxError as error:
            facts = {"number": number, "reason": reasons(error)}
            note(gettext("Line {number} is left out: {reason}.", **facts))
            left_out = True
            continue
        saved.append(id)
    sentence = ngettext(
        "{word} game is kept.", "{word} games are kept.", len(saved), word=number_word(len(saved))
    )
    print(capital(sentence))
    return int(left_out)
