"""The cost of sealed dice, beside dice of the operating system in the same run."""

import asyncio
import statistics
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import process_time

from bench import note, seconds, times
from shutbox.engine.cups import SealedCup, SecretCup
from shutbox.engine.dice import Cup, Dice
from shutbox.web.rooms.access import new_action
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.events import Opened, Planned
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database

THROWS = 2_000
TABLES = 50
ROUNDS = 7
MOST_THROW = 0.1
"""The most milliseconds that a sealed throw of two dice may take longer."""
MOST_OPENING = 1.0
"""The most milliseconds that opening a sealed table may take longer, with its seed on disk."""
PLAN = Opened("classic", None, (Planned("Player"),), "system", "off", False, "wait")


def main() -> None:
    """Print the times of a throw and of an opening, each sealed and not."""
    print("sealed dice, milliseconds; baseline: dice of the operating system")
    print(
        f"{'':<20} {'sealed':>9} {'baseline':>9} {'more':>7} {'at most':>8} {'times as long':>14}"
    )
    dice, seed = Dice.parse("2d6"), bytes(range(32))

    def thrown(cup: Cup) -> float:
        return seconds(lambda: [cup.throw(dice) for _ in range(THROWS)]) / THROWS

    sealed = SealedCup(seed[:16], seed, seed)
    pairs = [(thrown(sealed), thrown(SecretCup())) for _ in range(times(ROUNDS))]
    told("a sealed throw", pairs, MOST_THROW)
    told("a sealed table", asyncio.run(openings()), MOST_OPENING)


async def openings() -> list[tuple[float, float]]:
    """Return pairs of processor seconds for opening a table, sealed and not, with files on disk.

    Elapsed time would depend on what else uses the disk.
    """
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'tables.db'}"
        with closing(Database(url)) as database:
            server = Server(Settings(database=url), database)
            opened = server.rooms
            pairs = list[tuple[float, float]]()
            for _ in range(times(ROUNDS)):
                found = []
                for plan in (PLAN, replace(PLAN, dice="hand")):
                    begun = process_time()
                    for _ in range(TABLES):
                        await opened.open(IdempotencyKey(new_action(), "bench"), plan, None)
                    found.append((process_time() - begun) / TABLES)
                pairs.append((found[0], found[1]))
            await server.close()
            server.release()
            return pairs


def told(name: str, pairs: list[tuple[float, float]], most: float) -> None:
    """Print a row, and record its figures."""
    sealed, other = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    more = sealed - other
    print(f"{name:<20} {sealed:>9.4f} {other:>9.4f} {more:>7.4f} {most:>5} {ratio:>14.2f}")
    note(name, sealed, "ms", other, ratio)
