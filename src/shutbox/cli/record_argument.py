"""Which record is meant: a number, a file, or the newest."""

import re
from pathlib import Path
from typing import Any

from shutbox.errors import ShutboxError, UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext
from shutbox.record import Reading
from shutbox.store import Store


def find_record(text: str | None, store: Store, *, unfinished: bool = False) -> int | Path:
    """The number or the file that a text means; without one the newest record.

    `unfinished`: the newest that can be resumed. Raises UnknownRecord where there is none.
    """
    if text == "":
        raise UnknownRecord("an empty name is no record; give the number of a game, or a file")
    if text is not None:
        return int(text) if re.fullmatch("[0-9]{1,18}", text) else Path(text)
    if not unfinished:
        found = store.newest()
        if found is None:
            raise UnknownRecord("no game is kept yet; shutbox play begins one")
        return found
    for id in reversed(store.ids()):
        if _can_go_on(store, id):
            return id
    raise UnknownRecord("no game waits to be gone on with; shutbox play begins one")


def _can_go_on(store: Store, id: int) -> bool:
    try:
        return store.read(id, game_of).over is None
    except ShutboxError:
        return False


def named(which: int | Path) -> str:
    """A record as it is called in a sentence."""
    return gettext("game {number}", number=which) if isinstance(which, int) else str(which)


def read_record(text: str | None) -> tuple[int | Path, Reading[Any, Any]]:
    """The record that is meant, and what it holds. Raises UnknownRecord and BadRecord."""
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)
