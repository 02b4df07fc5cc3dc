"""What is said of a record as a whole, wherever it is named."""

from pathlib import Path
from typing import Any

from shutbox.english import listed
from shutbox.messages import gettext, ngettext
from shutbox.record import Reading

AnyReading = Reading[Any, Any]


def state(reading: AnyReading) -> str:
    """How a game stands, in words that follow its name."""
    over = reading.over
    if over is None:
        words = gettext("not over")
    elif len(reading.header.players) > 1 and over.winners:
        names = listed(reading.header.players[seat].name for seat in over.winners)
        words = ngettext("won by {names}", "shared by {names}", len(over.winners), names=names)
    else:
        words = gettext("score {score}", score=listed(over.scores))
    if reading.fault:
        return gettext("{state}, and damaged after that", state=words)
    return words


def head(which: int | Path, reading: AnyReading) -> dict[str, Any]:
    """What every answer in JSON begins with."""
    header = reading.header
    over = reading.over
    return {
        "record": which if isinstance(which, int) else str(which),
        "begun": header.begun,
        "game": header.game,
        "format": header.format or None,
        "players": [seat.name for seat in header.players],
        "events": reading.play.version,
        "over": over is not None,
        "scores": None if over is None else list(over.scores),
        "winners": None if over is None else [header.players[s].name for s in over.winners],
        "fault": None if reading.fault is None else str(reading.fault),
        "torn": reading.torn,
    }
