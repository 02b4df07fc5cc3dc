"""Benchmarks of microseconds, with pytest-benchmark: each group is a table with ratios to its
fastest.

Legal covers are compared with the first method that comes to mind: test every set of the tiles that
are up, and keep those that add up to the throw. Both answer the same seeded questions, and their
answers are compared before anything is timed. The other benchmarks cover the work of a table at
every event.
"""

import random
import time
from collections.abc import Callable
from io import BytesIO
from itertools import combinations
from typing import Any

import pytest

import shutbox
from shutbox import Over, Roll, Throw, find, play_out
from shutbox.engine.cups import SealedCup, SecretCup, SeededCup
from shutbox.engine.dice import Cup, Dice
from shutbox.engine.narrator import narrate
from shutbox.engine.play import Chosen, FirstChoice, Play, Rolled
from shutbox.engine.seats import Seat
from shutbox.games.box import Box
from shutbox.games.box.tile_sets import places
from shutbox.output.picture import svg
from shutbox.record import Header, Source, read, to_bytes
from shutbox.table.lookup import game_of, match_of

Question = tuple[int, Roll]

BOXES = {"1-9": "classic", "1-12": "full-house", "1-24": "the-300"}
QUESTIONS = 200
BASELINE_SECONDS = 0.6
"""The time limit in seconds for the baseline, which sets the number of questions (at least one)."""
NAMES = ("Ann", "Bob")


# Legal covers


def filtered(numbers: list[int], total: int) -> list[tuple[int, ...]]:
    """Return the covers found by testing every set (the baseline)."""
    return [
        tiles
        for size in range(1, len(numbers) + 1)
        for tiles in combinations(numbers, size)
        if sum(tiles) == total
    ]


def questions(box: Box, chance: random.Random) -> list[Question]:
    """Return positions and rolls. In a third of them all tiles are up, and in the others half of
    them on average.
    """
    start = box.rules.start
    found = []
    for _ in range(QUESTIONS):
        up = start if chance.random() < 1 / 3 else start & chance.getrandbits(len(box.rules.tiles))
        number = chance.choice(box.rules.dice_open(up)) if up else 1
        found.append((up, Roll(tuple(sorted(chance.randint(1, 6) for _ in range(number))))))
    return found


def numbers_up(box: Box, up: int) -> list[int]:
    return [box.rules.tiles[place].number for place in places(up)]


def by_shutbox(box: Box, asked: list[Question]) -> None:
    """Answer the questions with the engine."""
    for up, roll in asked:
        box.rules.legal_covers(up, roll)


def by_filter(box: Box, asked: list[Question]) -> None:
    """Answer the questions with the baseline."""
    for up, roll in asked:
        filtered(numbers_up(box, up), roll.total)


def compare(box: Box, up: int, roll: Roll) -> None:
    """Check that both sides find the same covers."""
    ours = {tuple(numbers_up(box, cover.tiles)) for cover in box.rules.legal_covers(up, roll)}
    assert ours == set(filtered(numbers_up(box, up), roll.total)), (up, roll)


@pytest.fixture(scope="module", params=BOXES)
def asked(request: pytest.FixtureRequest) -> tuple[str, Box, list[Question]]:
    """Return the name of a box, the box, and the questions about it."""
    box = find(BOXES[request.param])
    assert isinstance(box, Box)
    few: list[Question] = []
    start = time.perf_counter()
    for question in questions(box, random.Random(request.param)):
        few.append(question)
        compare(box, *question)
        if time.perf_counter() - start > BASELINE_SECONDS:
            break
    return request.param, box, few


@pytest.mark.parametrize("side", [by_shutbox, by_filter])
def test_legal_covers(
    benchmark: Any,
    asked: tuple[str, Box, list[Question]],
    side: Callable[..., object],
    pytestconfig: pytest.Config,
) -> None:
    label, box, few = asked
    benchmark.group = f"legal covers of {label}, {len(few)} questions"
    benchmark.pedantic(side, (box, few), rounds=pytestconfig.getoption("benchmark_min_rounds"))


# The work of a table at every event


@pytest.fixture(scope="module")
def play() -> Play[Any, Any]:
    """Return a two-player match, played to its end."""
    match = match_of("classic", NAMES, "rounds=5,stake=1")
    played, cup = Play(match), SeededCup("bench")
    while not isinstance(awaited := match.awaits(played.position), Over):
        if isinstance(awaited, Throw):
            played.happen(Rolled(cup.throw(awaited.dice)))
        else:
            played.happen(Chosen(awaited.choices[0]))
    return played


@pytest.fixture(scope="module")
def record(play: Play[Any, Any]) -> bytes:
    header = Header(
        program="shutbox bench",
        begun="2026-11-21 12:00:00 UTC",
        game="classic",
        format="rounds=5,stake=1",
        players=tuple(map(Seat, NAMES)),
        dice=Source(),
    )
    return to_bytes(header, game_of(header), play.log)


def test_events(benchmark: Any, play: Play[Any, Any]) -> None:
    """Time preparing and applying every event of the match."""
    benchmark.group = f"a match of {play.version} events"
    assert benchmark(Play, play.game, play.log).version == play.version


def test_sentences(benchmark: Any, play: Play[Any, Any]) -> None:
    """Time describing every event of the match."""
    benchmark.group = f"a match of {play.version} events"
    assert len(benchmark(lambda: list(narrate(play.game, play.log, NAMES)))) == play.version + 1


def test_record(benchmark: Any, play: Play[Any, Any], record: bytes) -> None:
    """Time reading the match from its record."""
    benchmark.group = f"a match of {play.version} events"
    assert benchmark(lambda: read(BytesIO(record), game_of)).play.log == play.log


def test_text(benchmark: Any) -> None:
    """Time converting a position to text and back."""
    classic = find("classic")
    position = classic.position_at("1.2.5.7.9/3+5")
    benchmark.group = "a position"
    assert benchmark(lambda: classic.position_at(classic.position_id(position))) == position


def test_scene(benchmark: Any) -> None:
    """Time making the scene of a position."""
    classic = find("classic")
    position = classic.position_at("1.2.5.7.9/3+5")
    benchmark.group = "a position"
    assert benchmark(classic.scene, position).pieces


def test_picture(benchmark: Any) -> None:
    """Time drawing the scene of a position."""
    classic = find("classic")
    position = classic.position_at("1.2.5.7.9/3+5")
    benchmark.group = "a position"
    assert benchmark(lambda: svg(classic.scene(position))).startswith("<svg")


def test_best(benchmark: Any) -> None:
    """Time finding the best choice in a solved game."""
    solution = shutbox.solve("classic")
    position = solution.game.position_at("1.2.5.7.9/3+5")
    benchmark.group = "a position"
    assert benchmark(solution.best, position) is not None


def test_turn(benchmark: Any) -> None:
    """Time a whole turn that always takes the first choice."""
    classic = find("classic")
    benchmark.group = "a turn"
    benchmark(lambda: play_out(classic, FirstChoice(), SeededCup("bench")))


@pytest.mark.parametrize("kind", ["system", "seeded", "sealed"])
def test_throw(benchmark: Any, kind: str) -> None:
    """Time one throw of two dice from each kind of cup."""
    seed, dice = bytes(range(32)), Dice.parse("2d6")
    cups: dict[str, Cup] = {"system": SecretCup(), "seeded": SeededCup("bench")}
    cup = cups.get(kind) or SealedCup(seed[:16], seed, seed)
    benchmark.group = "a throw"
    assert benchmark(cup.throw, dice).total > 1
