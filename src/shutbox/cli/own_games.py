"""`shutbox games --mine` and `shutbox stats`: the games that the user has played."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from shutbox.cli.options import add_json, add_output, add_player
from shutbox.cli.output import answer, write
from shutbox.cli.parser import Parser
from shutbox.cli.records import kept, reasons, state
from shutbox.data_file import check_file
from shutbox.english import listed
from shutbox.errors import NotUnderstood, ShutboxError
from shutbox.lookup import game_of
from shutbox.messages import gettext
from shutbox.store import Store


def add_stats(parser: Parser) -> None:
    """Add the arguments of `shutbox stats`."""
    add_player(parser)
    add_output(parser)
    add_json(parser)
    parser.runs(stats, "stats", "stats --player Ann", "stats -o stats.csv")


def mine(arguments: argparse.Namespace) -> None:
    """The user's own games, the newest last."""
    store = Store()
    rows = [_row(store, id) for id in store.ids()]
    lines = map(_line, rows) if rows else [gettext("No game is kept yet; shutbox play starts one.")]
    answer(arguments, lines, lambda: rows)


def stats(arguments: argparse.Namespace) -> None:
    """Games, wins, scores, and whether the dice are fair; of one person, or of all."""
    from shutbox.stats import as_json, gather, sentences  # a list of games needs none of it
    from shutbox.stats.report import COLUMNS

    file: Path | None = arguments.output
    if file is not None:
        if arguments.json:
            raise NotUnderstood("--output writes into a file; leave out --json")
        check_file(file)
    found = gather(kept(Store()), arguments.player)
    if file is not None:
        write(file, COLUMNS, found.rows())
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
    facts = {**row, "players": listed(row["players"])}
    return gettext("{id}: begun {begun}, {title}, {players}, {state}.", **facts)
