"""The records that commands are about: which one is meant, and what is said of it as a whole."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shutbox.english import listed
from shutbox.errors import InUse, NotKept, ShutboxError, UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.record import Reading
from shutbox.store import Store, Which

AnyReading = Reading[Any, Any]


def find_record(text: str | None, store: Store, *, unfinished: bool = False) -> Which:
    """The number or the file that a text means; without one the newest record.

    `unfinished`: the newest that can be resumed. Raises UnknownRecord where there is none.
    """
    if text == "":
        raise UnknownRecord("an empty name is no record; give the number of a game, or a file")
    if text is not None:
        return int(text) if re.fullmatch("[0-9]{1,18}", text) else Path(text)
    if unfinished:
        if found := waiting(store):
            return found[0]
        raise UnknownRecord("no game is waiting; shutbox play starts one")
    if (newest := store.newest()) is None:
        raise UnknownRecord("no games yet; shutbox play starts one")
    return newest


def waiting(store: Store, most: int | None = None) -> tuple[int, AnyReading] | None:
    """The newest game that can be resumed, of the newest so many; None where none can.

    One that another program plays is passed over. Raises InUse or NotKept where none can because
    of that.
    """
    refused: ShutboxError | None = None
    for id in sorted(store.ids(), reverse=True)[:most]:
        try:
            reading, journal = store.resume(id, game_of)
        except (InUse, NotKept) as error:
            refused = refused or error
            continue
        except ShutboxError:
            continue
        journal.close()
        if reading.over is None:
            return id, reading
    if refused is not None:
        raise refused
    return None


def kept(store: Store) -> Iterator[tuple[int, AnyReading | None]]:
    """Each record with its number; None where it cannot be read."""
    for id in store.ids():
        try:
            yield id, store.read(id, game_of)
        except ShutboxError:
            yield id, None


def read_record(text: str | None) -> tuple[Which, AnyReading]:
    """The record that is meant, and what it holds. Raises UnknownRecord and BadRecord."""
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)


def record_value(which: Which) -> int | str:
    """What a value in JSON calls a record."""
    return which if isinstance(which, int) else str(which)


def reasons(error: ShutboxError) -> str:
    """Why a record was refused, in one line."""
    return "; ".join(str(error).splitlines())


def record_text(which: Which) -> str:
    """What a row calls a record; a file may have a name that is no text."""
    return str(which).encode(errors="backslashreplace").decode()


def state(reading: AnyReading) -> str:
    """How a game stands, in words that follow its name."""
    over, names = reading.over, reading.header.names
    if over is None:
        words = gettext("not over")
    elif len(names) > 1 and over.winners:
        won = listed(names[seat] for seat in over.winners)
        words = ngettext("won by {names}", "shared by {names}", len(over.winners), names=won)
    else:
        words = gettext("score {score}", score=listed(over.scores))
    return gettext("{state}, and damaged after that", state=words) if reading.fault else words


def head(which: Which, reading: AnyReading) -> dict[str, Any]:
    """What every answer in JSON begins with."""
    header, over = reading.header, reading.over
    return {
        "record": record_value(which),
        "begun": header.begun,
        "game": header.game,
        "format": header.format or None,
        "players": header.names,
        "events": reading.play.version,
        "over": over is not None,
        "scores": None if over is None else over.scores,
        "winners": None if over is None else [header.names[s] for s in over.winners],
        "fault": None if reading.fault is None else str(reading.fault),
        "torn": reading.torn,
    }
