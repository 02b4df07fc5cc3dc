"""A front end in sixty lines: a match against the computer, with refusals and a saved record.

`python examples/front_end.py pub Ann,computer record.shutbox < answers`. Each input line is a
choice, in its notation or in the words of the offer. Dice are thrown automatically, and `u` takes
the last choice back. The output has the sentences of the terminal and the page. `shutbox replay`
reads the record.
"""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shutbox import Choose, Over, ShutboxError, __version__
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import Prepared
from shutbox.engine.seats import read_seats
from shutbox.record import Source, Writer
from shutbox.table.setup import Sitting, check_playable, game_of_seats


def play(name: str, who: str, record: Path, source: Source, read: Callable[[], str]) -> None:
    """Play one game to its end, or to the end of the input."""
    seats = read_seats(who)
    begun = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    program = f"shutbox {__version__}"
    game = check_playable(game_of_seats(name, seats), seats)
    sitting = Sitting.begin(game, seats, source, program=program, begun=begun)
    table, writer = sitting.table(), Writer(sitting.header)
    narrator = Narrator(table.game, [seat.name for seat in seats])
    print(*narrator.begin(), sep="\n")
    with record.open("wb") as file:
        file.write(bytes(sitting.header))
        while not isinstance(awaited := table.awaits, Over):
            prepared: Prepared[Any, Any]
            if table.bot_due:
                prepared = table.prepare_bot()
            elif not isinstance(awaited, Choose):
                prepared = table.prepare_throw(seat=awaited.seat)
            else:
                print(table.scene.ask)
                if not (line := read()):
                    return
                try:
                    if line.strip() == "u":
                        prepared = table.prepare_take_back(seat=table.taker_back or 0)
                    else:
                        prepared = table.prepare_choice(line, seat=awaited.seat)
                except ShutboxError as refusal:
                    print(refusal)
                    continue
            file.write(writer.line(prepared))
            file.flush()  # the event is on disk before it is applied
            print(*narrator.after(table.apply(prepared), table.scene), sep="\n")


if __name__ == "__main__":
    game, players, path = sys.argv[1:]
    play(game, players, Path(path), Source(), sys.stdin.readline)
