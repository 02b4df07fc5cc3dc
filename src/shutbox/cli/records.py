"""Records on the command line: finding the one that is meant, and describing it as a whole."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from shutbox.english import listed
from shutbox.errors import ShutboxError, UnknownRecord
from shutbox.lookup import game_of
from shutbox.messages import gettext, ngettext
from shutbox.record import Reading
from shutbox.store import Store, Which

AnyReading = Reading[Any, Any]
COMPARED = 100  # newest games to compare a score with; each takes a moment
_TIME = "%Y-%m-%d %H:%M:%S %Z %z"


def find_record(text: str | None, store: Store, *, unfinished: bool = False) -> Which:
    """Return the number or the path in a text; without a text, the number of the newest record.

    Whether the record exists is not checked. With `unfinished` it is that of `Store.waiting`,
    which can raise InUse and NotKept. Raises UnknownRecord for an empty text, and without records.
    """
    if text == "":
        raise UnknownRecord("an empty name is no record; give the number of a game, or a file")
    if text is not None:
        return int(text) if re.fullmatch("[0-9]{1,18}", text) else Path(text)
    if unfinished:
        if found := store.waiting(game_of):
            return found[0]
        raise UnknownRecord("no game is waiting; shutbox play starts one")
    if (newest := store.newest()) is None:
        raise UnknownRecord("no games yet; shutbox play starts one")
    return newest


def earlier(own_id: int | None) -> Iterator[AnyReading]:
    """Yield the newest records except number `own_id`; unreadable ones are silently skipped."""
    with suppress(ShutboxError):
        store = Store()
        for id in [id for id in store.ids() if id != own_id][-COMPARED:]:
            with suppress(ShutboxError):
                yield store.read(id, game_of)


def read_record(text: str | None) -> tuple[Which, AnyReading]:
    """Read the record of a number or a path, or the newest. Raises UnknownRecord and BadRecord."""
    store = Store()
    which = find_record(text, store)
    return which, store.read(which, game_of)


def record_value(which: Which) -> int | str:
    """Return the name of a record in JSON: its number, or its path as text."""
    return which if isinstance(which, int) else str(which)


def reasons(error: ShutboxError) -> str:
    """Return the message of a refusal in one line, with semicolons between its reasons."""
    return "; ".join(str(error).splitlines())


def record_text(which: Which) -> str:
    """Return a record's number or path as text; bytes of a path that are not text are escaped."""
    return str(which).encode(errors="backslashreplace").decode()


def local_time(begun: str) -> str:
    """Return the time in the header of a record in the user's time zone.

    >>> local_time("long ago")
    'long ago'
    """
    try:
        return datetime.strptime(f"{begun} +0000", _TIME).astimezone().strftime(_TIME[:-3])
    except (ValueError, OverflowError):  # records from elsewhere can say anything
        return begun


def state(reading: AnyReading) -> str:
    """Return the state of a game as words that follow its name."""
    over, names = reading.over, reading.header.names
    if over is None:
        words = gettext("not over yet")
    elif len(names) > 1 and over.winners:
        won = listed(names[seat] for seat in over.winners)
        words = ngettext("{names} won", "{names} shared the win", len(over.winners), names=won)
    else:
        words = gettext("score {score}", score=listed(over.scores))
    return f"{words}; {gettext('damaged after that')}" if reading.fault else words


def head(which: Which, reading: AnyReading) -> dict[str, Any]:
    """Return the fields with which every JSON answer about a record begins."""
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
