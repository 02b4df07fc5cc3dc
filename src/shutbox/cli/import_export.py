"""`shutbox export` and `shutbox import`: records as JSON, there and back."""

import argparse
from pathlib import Path

from shutbox.cli.output import print_json, tell
from shutbox.cli.records import read_record
from shutbox.english import number_word
from shutbox.errors import UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.record import LARGEST_JSON, read_json, to_json
from shutbox.store import Store, named, read_file


def export(arguments: argparse.Namespace) -> None:
    """A record as JSON."""
    which, reading = read_record(arguments.record)
    if reading.fault is not None:
        tell(f"shutbox: {named(which)}: {reading.fault}")
        tell(f"shutbox: {gettext('what is before that is exported')}")
    print_json(to_json(reading.header, reading.game, reading.play.log))


def import_(arguments: argparse.Namespace) -> None:
    """A record from JSON becomes one of the user's own."""
    if not arguments.file:
        raise UnknownRecord("an empty name is no file; give what export printed, in a file")
    text = read_file(Path(arguments.file), LARGEST_JSON + 1)
    id, reading = Store().take_in(read_json(text), game_of)
    number = reading.play.version
    says = ngettext(
        "It is kept as game {id}: {word} event.",
        "It is kept as game {id}: {word} events.",
        number,
        id=id,
        word=number_word(number),
    )
    print(says)
