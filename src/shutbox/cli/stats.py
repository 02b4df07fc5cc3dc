"""`shutbox stats`: what the records of the user say together."""

import argparse
from collections.abc import Iterator
from typing import Any

from shutbox.cli.output import print_json
from shutbox.errors import ShutboxError
from shutbox.lookup import game_of
from shutbox.record import Reading
from shutbox.stats import as_json, gather, sentences
from shutbox.store import Store


def stats(arguments: argparse.Namespace) -> None:
    """Games, wins, scores, and whether the dice are fair; of one person, or of all."""
    found = gather(kept(Store()), arguments.player)
    if arguments.json:
        print_json(as_json(found))
    else:
        print(*sentences(found), sep="\n")


def kept(store: Store) -> Iterator[tuple[int, Reading[Any, Any] | None]]:
    """Each record with its number; None where it cannot be read."""
    for id in store.ids():
        try:
            yield id, store.read(id, game_of)
        except ShutboxError:
            yield id, None
