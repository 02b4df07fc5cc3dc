"""`shutbox check`: whether a record is sound."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from shutbox.cli.options import add_json, add_record
from shutbox.cli.output import answer
from shutbox.cli.parser import Parser
from shutbox.cli.records import AnyReading, head, read_record
from shutbox.english import capital, number_word
from shutbox.lookup import wrong_dice
from shutbox.messages import gettext, ngettext
from shutbox.store import Which, named

FAULTY = 1  # the exit code for a record that is not sound


def add_check(parser: Parser) -> None:
    """Add the arguments of `shutbox check`."""
    add_record(parser)
    add_json(parser)
    parser.runs(check, "check", "check game.shutbox --json")


def check(arguments: argparse.Namespace) -> int:
    """Whether a record is sound; the exit code."""
    which, reading = read_record(arguments.record)
    problem = _problem(reading)
    verdict = {"sound": problem is None, "problem": problem}
    answer(arguments, _lines(which, reading, problem), lambda: {**head(which, reading), **verdict})
    return 0 if problem is None else FAULTY


def _lines(which: Which, reading: AnyReading, problem: str | None) -> Iterator[str]:
    yield ngettext(
        "{record}: {number} event in order.",
        "{record}: {number} events in order.",
        reading.play.version,
        record=named(which) if isinstance(which, Path) else capital(named(which)),
        number=number_word(reading.play.version),
    )
    if reading.torn:
        yield gettext("The last line was never finished, and is left out.")
    if problem is None:
        yield gettext("Nothing is wrong.")
    else:
        yield gettext("{problem}.", problem=capital(problem))


def _problem(reading: AnyReading) -> str | None:
    """What is wrong with a record: the first line that is not sound, or dice not of its seed."""
    if reading.fault is not None:
        return str(reading.fault)
    if (number := wrong_dice(reading)) is None:
        return None
    return gettext("the dice of event {number} are not those of the seed", number=number)
