"""`shutbox games --mine`: the games that the user has played."""

import argparse
from typing import Any

from shutbox.cli.output import print_json
from shutbox.cli.summary import state
from shutbox.english import listed
from shutbox.errors import ShutboxError
from shutbox.lookup import game_of
from shutbox.messages import gettext
from shutbox.store import Store


def mine(arguments: argparse.Namespace) -> None:
    """The user's own games, the newest last."""
    store = Store()
    rows = [_row(store, id) for id in store.ids()]
    if arguments.json:
        print_json(rows)
    elif not rows:
        print(gettext("No game is kept yet; shutbox play begins one."))
    for row in [] if arguments.json else rows:
        if "problem" in row:
            print(gettext("{id}: {problem}.", **row))
        else:
            facts = {**row, "players": listed(row["players"])}
            print(gettext("{id}: begun {begun}, {title}, {players}, {state}.", **facts))


def _row(store: Store, id: int) -> dict[str, Any]:
    try:
        reading = store.read(id, game_of)
    except ShutboxError as error:
        reasons = "; ".join(str(error).splitlines())
        return {"id": id, "problem": gettext("it cannot be read: {reasons}", reasons=reasons)}
    return {
        "id": id,
        "begun": reading.header.begun,
        "title": reading.game.card().title,
        "game": reading.game.name,
        "players": [seat.name for seat in reading.header.players],
        "over": reading.over is not None,
        "state": state(reading),
    }
