"""What is said of a record as a whole, wherever it is named."""

from pathlib import Path
from typing import Any

from shutbox.english import listed
from shutbox.record import Reading

AnyReading = Reading[Any, Any]


def state(reading: AnyReading) -> str:
    """How a game stands, in words that follow its name."""
    over = reading.over
    damaged = ", and damaged after that" if reading.fault else ""
    if over is None:
        return f"not over{damaged}"
    names = [reading.header.players[seat].name for seat in over.winners]
    if len(reading.header.players) > 1 and names:
        return f"{'shared' if names[1:] else 'won'} by {listed(names)}{damaged}"
    return f"score {listed(over.scores)}{damaged}"


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
