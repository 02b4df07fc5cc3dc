"""`shutbox export` and `shutbox import`: records as JSON, there and back, and as rows."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from shutbox.cli.options import add_output, add_record, add_switch
from shutbox.cli.output import print_json, tell, write
from shutbox.cli.parser import Parser
from shutbox.cli.records import AnyReading, read_record, reasons, record_text
from shutbox.data_file import JSON_LINES, check_file, json_line, replacing
from shutbox.english import capital, number_word, visible
from shutbox.errors import NotKept, NotUnderstood, ShutboxError, UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.record import LARGEST_JSON, read_json, to_json
from shutbox.store import Store, Which, named, read_file, read_lines


def add_export(parser: Parser) -> None:
    """Add the arguments of `shutbox export`."""
    add_record(parser)
    add_switch(parser, "--all", gettext("every game of your own, a line of JSON for each"))
    add_output(parser)
    parser.runs(
        export, "export 7 > game.json", "export --all -o games.jsonl", "export --all -o events.csv"
    )


def add_import(parser: Parser) -> None:
    """Add the arguments of `shutbox import`."""
    about = gettext("what export printed, or wrote into a .jsonl")
    parser.add_argument("file", metavar="FILE", help=about)
    parser.runs(import_, "import game.json", "import games.jsonl")


def export(arguments: argparse.Namespace) -> None:
    """A record as JSON, or all of them; or what happened in them as rows of a file."""
    if arguments.all and arguments.record is not None:
        raise NotUnderstood("--all exports every game; leave out {record}", record=arguments.record)
    file: Path | None = arguments.output
    if file is not None:
        check_file(file)
    if not arguments.all:
        which, reading = read_record(arguments.record)
        _tell_damage(which, reading)
        if file is None:
            print_json(_as_json(reading))
        else:
            _write(file, [(which, reading)])
        return
    store = Store()
    readings = _readings(store, store.ids())
    if file is not None:
        _write(file, readings)
        return
    for _, reading in readings:
        print(json_line(_as_json(reading)).decode(), end="")


def _readings(store: Store, given: Sequence[Which]) -> Iterator[tuple[Which, AnyReading]]:
    """The records one after the other; one that cannot be read is named, and left out."""
    for which in given:
        try:
            reading = store.read(which, game_of)
        except ShutboxError as error:
            facts = {"record": capital(named(which)), "reason": reasons(error)}
            tell(gettext("{record} is left out: {reason}.", **facts))
            continue
        _tell_damage(which, reading)
        yield which, reading


def _tell_damage(which: Which, reading: AnyReading) -> None:
    if reading.fault is not None:
        tell(f"shutbox: {named(which)}: {reading.fault}")
        tell(f"shutbox: {gettext('what is before that is exported')}")


def _as_json(reading: AnyReading) -> object:
    return to_json(reading.header, reading.game, reading.play.log)


def _write(file: Path, readings: Iterable[tuple[Which, AnyReading]]) -> None:
    """A line for each record as JSON lines, and otherwise a row for each event."""
    if file.suffix.lower() != JSON_LINES:
        from shutbox.stats.event_rows import COLUMNS, event_rows

        rows = (event_rows(reading, record=record_text(which)) for which, reading in readings)
        write(file, COLUMNS, chain.from_iterable(rows))
        return
    with replacing(file) as stream:
        stream.writelines(json_line(_as_json(reading)) for _, reading in readings)
    print(visible(gettext("The data is in {file}.", file=file)))


def import_(arguments: argparse.Namespace) -> int:
    """Records from JSON become some of the user's own; the exit code."""
    if not arguments.file:
        raise UnknownRecord("an empty name is no file; give what export printed, in a file")
    file = Path(arguments.file)
    if file.suffix.lower() == JSON_LINES:
        return _import_lines(file)
    id, reading = Store().take_in(read_json(read_file(file, LARGEST_JSON + 1)), game_of)
    number = reading.play.version
    says = ngettext(
        "It is kept as game {id}: {word} event.",
        "It is kept as game {id}: {word} events.",
        number,
        id=id,
        word=number_word(number),
    )
    print(says)
    return 0


def _import_lines(file: Path) -> int:
    """Keep the record of each line; a line that holds none is named, and the exit code is 1."""
    store, kept, left_out = Store(), list[int](), False
    for number, line in enumerate(read_lines(file, LARGEST_JSON + 1), start=1):
        if not line.strip():
            continue
        try:
            id, _ = store.take_in(read_json(line), game_of)
        except NotKept:
            raise
        except ShutboxError as error:
            facts = {"number": number, "reason": reasons(error)}
            tell(gettext("Line {number} is left out: {reason}.", **facts))
            left_out = True
            continue
        kept.append(id)
    says = ngettext(
        "{word} game is kept.", "{word} games are kept.", len(kept), word=number_word(len(kept))
    )
    print(capital(says))
    return int(left_out)
