"""Plays, records and turns in Python, each compared with what it consists of.

- A match of bots has four players, five rounds, chips and a high roll. Its baseline is the same
  number of turns of the same game by the same bot.
- A record of 100,000 events is read. Its baseline is to replay its log without reading any text.
- Records are reviewed. Their baseline is to replay them. The games are solved before timing.
- Turns of `classic` with the optimal policy are simulated, compiled and in plain Python. Both play
  exactly the same turns, and agree with the exact mean to within four standard errors. Their
  baseline asks the solution for each choice. Compiling and solving are not timed.
"""

import random
import statistics
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import Any

import shutbox
from bench import note, seconds, times
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.play import Chosen, Event, Play, Rolled, play_out
from shutbox.engine.seats import Seat
from shutbox.games.catalogue import find
from shutbox.match import Format, Match
from shutbox.record import Header, Source, read, to_bytes
from shutbox.solving import GraphSolution, Solution, jit
from shutbox.solving.review.review import Reviewer
from shutbox.solving.simulation import FEW, TurnTable
from shutbox.solving.strategy.following import policy_graph_of
from shutbox.table.bots import bot
from shutbox.table.lookup import find_any, game_of

ROUNDS = 5
"""Both sides are timed in turn this many times, and the medians are compared."""
SEATS = ("Ann", "Bob", "Cid", "Dora")
FORMAT = "rounds=5,shut=scores,begins=high-roll,stake=1"
MATCHES = 20
EVENTS = 100_000
REVIEWED = [
    ("classic", 1000),
    ("markers[seats=4,rounds=5]", 1),
    ("classic[seats=2,shut=wins]", 20),
]
"""Each game or match, and the number of its records."""
ASKED = 300
PLAIN = 20_000
TURNS = 2_000_000


def matches() -> None:
    """Print the times of matches."""
    classic, fewest = find("classic"), bot("fewest")
    match = Match(classic, Format.parse(FORMAT), SEATS)
    turns = len(SEATS) * (match.format.rounds or 1)

    def whole_matches() -> None:
        for seed in range(MATCHES):
            play_out(match, fewest, SeededCup(str(seed)))

    def bare_turns() -> None:
        for seed in range(MATCHES):
            cup = SeededCup(str(seed))
            for _ in range(turns):
                play_out(classic, fewest, cup)

    pairs = [(seconds(whole_matches), seconds(bare_turns)) for _ in range(times(ROUNDS))]
    ours, bare = (MATCHES / statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print("matches of four bots, five rounds of classic, per second; baseline: the turns alone")
    print(f"{'shutbox':>12} {'baseline':>12} {'times as long':>14}")
    print(f"{ours:>12,.1f} {bare:>12,.1f} {ratio:>14.2f}")
    note("matches of four bots", ours, "a second", bare, ratio)


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
    record = to_bytes(header, match, log)

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


def log_of(game: Game[Any, Any], seed: int) -> Iterator[Event[Any]]:
    """Yield the events of a game between bots that cover the fewest tiles."""
    cup, fewest, position = SeededCup(str(seed)), bot("fewest"), game.start()
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                roll = cup.throw(dice)
                position = game.rolled(position, roll)
                yield Rolled(roll)
            case Choose(choices=choices):
                choice = fewest.pick(game, position, choices)
                position = game.chosen(position, choice)
                yield Chosen(choice)
            case _:
                return


def reviews() -> None:
    """Print times and ratios."""
    print("records reviewed, seconds; baseline: their logs replayed")
    print(f"{'':>27} {'records':>8} {'shutbox':>9} {'baseline':>9} {'times as long':>14}")
    for name, number in REVIEWED:
        game, reviewer = find_any(name), Reviewer()
        logs = [list(log_of(game, seed)) for seed in range(number)]
        reviewer.review(Play(game))  # solves the game

        def replayed(game: Any = game, logs: Any = logs) -> list[Play[Any, Any]]:
            return [Play(game, log) for log in logs]

        def reviewed(reviewer: Reviewer = reviewer, replayed: Any = replayed) -> None:
            for play in replayed():
                reviewer.review(play)

        pairs = [(seconds(reviewed), seconds(replayed)) for _ in range(times(ROUNDS))]
        ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        print(f"{name:>27} {number:>8,} {ours:>9.3f} {bare:>9.3f} {ratio:>14.1f}")
        note(f"{number:,} of {name} reviewed", ours, "s", bare, ratio)


class Best:
    """A player that asks the solution for every choice."""

    deterministic = False

    def __init__(self, solution: Solution[object, object]) -> None:
        self.solution = solution

    def pick(self, game: object, position: object, choices: tuple[object, ...]) -> object:
        return self.solution.best(position).choice


def turns() -> None:
    """Print turns a second and their ratios."""
    solution = shutbox.solve("classic")
    assert isinstance(solution, GraphSolution)
    table = TurnTable.of(policy_graph_of("perfect", solution))
    player, cup = Best(solution), SeededCup("bench")
    ways: list[tuple[str, int, Callable[[], object]]] = [
        ("plain Python", PLAIN, partial(table._count_in_python, 7, 0, PLAIN)),
        ("asked", ASKED, partial(shutbox.simulate, "classic", player, ASKED, seed="bench")),
    ]
    if jit.COMPILED:
        ways.append(("compiled", TURNS, partial(table.count_ends, 7, 0, TURNS)))
    agree(table)
    print("turns of classic, the optimal policy, per second on one core; baseline: play_out")
    baseline = ASKED / timed(partial(played_out, player, cup))
    print(f"{'play_out':>14} {baseline:>12,.0f}")
    for name, number, play in ways:
        rate = number / timed(play)
        print(f"{name:>14} {rate:>12,.0f} {rate / baseline:>9,.0f} times")
        note(f"turns simulated, {name}", rate, "a second", baseline)


def timed(play: Callable[[], object]) -> float:
    return statistics.median(seconds(play) for _ in range(times(ROUNDS)))


def played_out(player: Best, cup: SeededCup) -> None:
    for _ in range(ASKED):
        shutbox.play_out(player.solution.game, player, cup)


def agree(table: TurnTable) -> None:
    """Check that the methods agree with each other, and with the exact mean."""
    assert table.count_ends(7, 0, FEW + 1) == table._count_in_python(7, 0, FEW + 1)
    found = shutbox.simulate("classic", "perfect", TURNS, seed="bench")
    exact = float(shutbox.evaluate("classic", "perfect").value)
    assert abs(found.mean - exact) < 4 * found.standard_error
