"""`shutbox check`: whether a record is sound."""

import argparse

from shutbox.cli.output import print_json
from shutbox.cli.record_argument import named, read_record
from shutbox.cli.summary import AnyReading, head
from shutbox.english import capital, number_word
from shutbox.lookup import wrong_dice
from shutbox.messages import gettext, ngettext

FAULTY = 1
"""The exit code for a record that is not sound."""


def check(arguments: argparse.Namespace) -> int:
    """Whether a record is sound; the exit code."""
    which, reading = read_record(arguments.record)
    problem = problem_of(reading)
    if arguments.json:
        print_json({**head(which, reading), "sound": problem is None, "problem": problem})
        return 0 if problem is None else FAULTY
    print(
        ngettext(
            "{record}: {number} event in order.",
            "{record}: {number} events in order.",
            reading.play.version,
            record=capital(named(which)),
            number=number_word(reading.play.version),
        )
    )
    if reading.torn:
        print(gettext("The last line was never finished, and is left out."))
    if problem is None:
        print(gettext("Nothing is wrong."))
    else:
        print(gettext("{problem}.", problem=capital(problem)))
    return 0 if problem is None else FAULTY


def problem_of(reading: AnyReading) -> str | None:
    """What is wrong with a record: the first line that is not sound, or dice not of its seed."""
    if reading.fault is not None:
        return str(reading.fault)
    number = wrong_dice(reading)
    if number is None:
        return None
    return gettext("the dice of event {number} are not those of the seed", number=number)
