"""Games, plays, aims and solutions as values.

They are equal if their texts are, hashable, and can be sent to another process. The conformance kit
checks the copies of positions and choices.
"""

import copy
import pickle
import random
from typing import Any

import pytest

import shutbox
from records import random_play
from shutbox import catalogue
from shutbox.games.box import Box, Variant
from shutbox.match import presets
from shutbox.solving import MEAN, SHUT, WIN, WORST_SHUT, beat
from shutbox.solving.solvers import solve
from shutbox.table.lookup import find_any
from variants import random_name

NAMES = [
    *(entry.name for entry in catalogue()),
    *presets(),
    *("cargo(hold=each)", "tray(dice=2d6+1d20)", "two-dice(shut_at=5,score=count)"),
    *(random_name(random.Random(seed)) for seed in range(5000, 5004)),
]


def copies(value: Any) -> list[Any]:
    return [copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


def same(value: Any, other: Any) -> None:
    assert other == value
    assert hash(other) == hash(value)
    assert repr(other) == repr(value)


def test_games_and_plays_are_values() -> None:
    for name in NAMES:
        game = find_any(name)
        for other in (find_any(name), *copies(game)):
            same(game, other)
            assert other.card() == game.card()
            assert other.start() == game.start()
        play = random_play(game, 3, 10)
        for other in copies(play):
            assert (other.game, other.position) == (game, play.position)
            assert list(other.log) == list(play.log)
        for step in play.steps:
            for value in (game.awaits(step.before), step.event):
                for other in copies(value):
                    same(value, other)


def test_games_of_other_rules_are_other_games() -> None:
    assert len({find_any(name) for name in NAMES}) == len(NAMES)
    assert Box("mine", "Mine", Variant()) != Box("mine", "Mine", Variant(tiles=(1, 2)))
    assert Box("mine", "Mine", Variant()) == Box("mine", "Another title", Variant())


def test_aims_are_values() -> None:
    scoring = shutbox.find("classic").scoring
    assert scoring is not None
    for aim in (MEAN, SHUT, WORST_SHUT, WIN, beat(8, scoring)):
        for other in copies(aim):
            assert other == aim
            assert hash(other) == hash(aim)
    assert beat(8, scoring) == beat(8, scoring) != beat(7, scoring)


@pytest.mark.parametrize("name", ["six", "ship-captain-crew", "win-at-three"])
def test_solutions_are_values(name: str) -> None:
    game = shutbox.find(name)
    solution = solve(game)
    for other in (solve(game), *copies(solution)):
        assert other == solution
        assert hash(other) == hash(solution)
        assert other.value(game.start()) == solution.value(game.start())
        assert other.turn_ends(game.start()) == solution.turn_ends(game.start())
    assert solve(game, aim=SHUT) != solution
