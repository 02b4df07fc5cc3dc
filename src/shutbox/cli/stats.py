"""`shutbox stats`: what the records of the user say together."""

import argparse
from functools import partial

from shutbox.cli.output import answer
from shutbox.cli.records import kept
from shutbox.stats import as_json, gather, sentences
from shutbox.store import Store


def stats(arguments: argparse.Namespace) -> None:
    """Games, wins, scores, and whether the dice are fair; of one person, or of all."""
    found = gather(kept(Store()), arguments.player)
    answer(arguments, sentences(found), partial(as_json, found))
