"""Whole matches of bots compared with their turns alone, and records compared with their bare log.

A match has four players, five rounds, chips and a high roll. Its baseline is the same number of
turns of the same game by the same bot: the difference is the cost of the match. The baseline of a
record of 100,000 events is to replay its log without reading any text: the difference is the cost
of text, codes and checks.
"""

import random
import statistics
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from bench import note, seconds, times
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Over, Throw
from shutbox.engine.play import Chosen, Event, Play, Rolled, play_out
from shutbox.engine.seats import Seat
from shutbox.games.catalogue import find
from shutbox.match import Format, Match
from shutbox.record import Header, Source, read, written
from shutbox.table.bots import bot
from shutbox.table.lookup import game_of

SEATS = ("Ann", "Bob", "Cid", "Dora")
FORMAT = "rounds=5,shut=scores,begins=high-roll,stake=1"
MATCHES = 20
ROUNDS = 5
"""Both sides are timed in turn this many times, and the medians are compared."""
EVENTS = 100_000


def main() -> None:
    """Print the times of matches and of records."""
    classic, fewest = find("classic"), bot("fewest")
    match = Match(classic, Format.parse(FORMAT), SEATS)
    turns = len(SEATS) * (match.format.rounds or 1)

    def matches() -> None:
        for seed in range(MATCHES):
            play_out(match, fewest, SeededCup(str(seed)))

    def bare_turns() -> None:
        for seed in range(MATCHES):
            cup = SeededCup(str(seed))
            for _ in range(turns):
                play_out(classic, fewest, cup)

    pairs = [(seconds(matches), seconds(bare_turns)) for _ in range(times(ROUNDS))]
    ours, bare = (MATCHES / statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print("matches of four bots, five rounds of classic, per second; baseline: the turns alone")
    print(f"{'shutbox':>12} {'baseline':>12} {'times as long':>14}")
    print(f"{ours:>12,.1f} {bare:>12,.1f} {ratio:>14.2f}")
    note("matches of four bots", ours, "a second", bare, ratio)
    records()


def records() -> None:
    """Print how long it takes to open and replay a long record."""
    names = [f"P{seat}" for seat in range(12)]
    match = Match(find("full-house"), Format.parse("rounds=1000"), names)
    header = Header(
        program="shutbox bench",
        begun="2026-11-21 12:00:00 UTC",
        game=match.game.name,
        format=str(match.format),
        players=tuple(map(Seat, names)),
        dice=Source(),
    )
    log = list(random_log(match, random.Random("bench")))
    record = written(header, match, log)

    def opened() -> None:
        reading = read(BytesIO(record), game_of)
        assert (reading.fault, reading.play.version) == (None, EVENTS)

    def replayed() -> None:
        assert Play(match, log).version == EVENTS

    pairs = [(seconds(opened), seconds(replayed)) for _ in range(times(ROUNDS))]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    size = len(record) / 1e6
    print(f"a record of {EVENTS:,} events ({size:.1f} MB), seconds; baseline: replay of its log")
    print(f"{'shutbox':>12} {'baseline':>12} {'times as long':>14}")
    print(f"{ours:>12.2f} {bare:>12.2f} {ratio:>14.2f}")
    note("a record opened", ours, "s", bare, ratio)


def random_log(match: Match[Any, Any], chance: random.Random) -> Iterator[Event[Any]]:
    """Yield the first events of a random game."""
    position = match.start()
    for _ in range(EVENTS):
        match match.awaits(position):
            case Throw(dice=dice):
                roll = dice.read([chance.randint(1, sides) for sides in dice.sides])
                position = match.rolled(position, roll)
                yield Rolled(roll)
            case Choose(choices=choices):
                choice = chance.choice(choices)
                position = match.chosen(position, choice)
                yield Chosen(choice)
            case Over():
                raise AssertionError("the match is too short for the benchmark")
