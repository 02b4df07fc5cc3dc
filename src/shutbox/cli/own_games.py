"""The list of the user's own games: `shutbox games --mine`, and the first screen's `My games`."""

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from shutbox.cli.output import ProgressLine, print_answer
from shutbox.cli.records import in_one_line, local_time, state_words
from shutbox.engine.english import capital, listed, shown
from shutbox.engine.errors import ShutboxError
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import in_ascii
from shutbox.record import Reading
from shutbox.record.folder import Store, Which, no_games
from shutbox.table.lookup import game_of
from shutbox.term import Console, GoesBack

NEWEST = 20  # games that the first screen lists


def list_own(arguments: argparse.Namespace) -> None:
    """Print the user's own games, the newest last, each on a line or in JSON."""
    store = Store()
    rows = list(_rows(store, store.ids()))
    print_answer(arguments, map(_line, rows) if rows else [no_games()], lambda: rows)


def pick_own(console: Console) -> Which:
    """Review finished games that the player picks, until one to continue is picked; return it.

    Raises GoesBack after Enter or without games, Stopped, and UnknownRecord or NotKept for a folder
    of records that cannot be read.
    """
    from shutbox.solving.review.sums import names_by_seat
    from shutbox.term.coach import say_review

    store = Store()
    ids = list(store.ids())[-NEWEST:]
    if not ids:
        console.say(gettext("No games yet."))
        raise GoesBack
    console.say(*map(_line, _rows(store, ids)))
    # Translators: typing its number shows its review, or goes on with it.
    ask = gettext("Which game? Its number reviews it, or continues it; Enter goes back:")
    helps = gettext("Type the number of a game of the list, or press Enter.")
    while typed := console.answer(ask, back=True, helps=[helps]):
        number = in_ascii(typed)
        if number not in map(str, ids):
            console.say(
                gettext("{text} is not on the list. {helps}", text=shown(typed), helps=helps)
            )
            continue
        id = int(number)
        try:
            reading = store.read(id, game_of)
        except ShutboxError as error:
            console.refuse(error)
            continue
        if reading.can_go_on:
            return id
        # Translators: the computer works out best play for the moves of a finished game.
        progress = ProgressLine(gettext("Solving what was played"))
        header = reading.header
        say_review(reading.play, header.names, console, progress, names_by_seat(header))
    raise GoesBack


def _rows(store: Store, ids: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Yield the facts of each record for `games --mine --json`, or the `problem` with it."""
    for id, result in store.each(ids, game_of):
        if isinstance(result, Reading):
            yield {
                "id": id,
                "begun": result.header.begun,
                "title": result.game.card().title,
                "game": result.game.name,
                "players": result.header.names,
                "over": result.over is not None,
                "state": state_words(result),
            }
        else:
            yield {"id": id, "problem": in_one_line(result)}


def _line(row: dict[str, Any]) -> str:
    """Return the sentence about a record, from its row of `_rows`."""
    if "problem" in row:
        return gettext("{problem}.", problem=capital(row["problem"]))
    facts = {**row, "begun": local_time(row["begun"]), "players": listed(row["players"])}
    return gettext("{id}: begun {begun}, {title}, {players}, {state}.", **facts)
