"""Games, positions, choices, plays and solutions as values.

They are equal if their texts are, hashable, and can be sent to another process.
"""

import copy
import pickle
import random
from typing import Any

import pytest

import shutbox
from records import positions, random_play
from shutbox import Roll, catalogue
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NotUnderstood
from shutbox.engine.game import Choose
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


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_a_value(name: str) -> None:
    game = find_any(name)
    for other in (find_any(name), *copies(game)):
        same(game, other)
        assert other.card() == game.card()
        assert other.start() == game.start()
        assert len({game, other}) == 1
    assert game != find_any("classic(tiles=1-5)")
    text: object = name
    assert game != text


@pytest.mark.parametrize("name", NAMES)
def test_positions_choices_and_plays_are_values(name: str) -> None:
    game = find_any(name)
    play = random_play(game, 3, 40)
    for step in play.steps:
        for value in (step.before, game.awaits(step.before), step.event):
            for other in copies(value):
                same(value, other)
    for other in copies(play):
        assert other.position == play.position
        assert list(other.log) == list(play.log)
        assert other.game == game


def test_games_of_other_rules_are_other_games() -> None:
    assert len({shutbox.find(entry.name) for entry in catalogue()}) == len(catalogue())
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


@pytest.mark.parametrize("name", ["six", "markers", "ship-captain-crew", "win-at-three"])
def test_solutions_are_values(name: str) -> None:
    game = shutbox.find(name)
    solution = solve(game)
    for other in (solve(game), *copies(solution)):
        assert other == solution
        assert hash(other) == hash(solution)
        assert other.value(game.start()) == solution.value(game.start())
        assert other.chances(game.start()) == solution.chances(game.start())
    assert solve(game, aim=SHUT) != solution


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_roll_and_no_choice_is_refused(name: str) -> None:
    game = find_any(name)
    position = game.start()
    wrong: Any
    for wrong in ((3, 5), "3+5", None, 8):
        with pytest.raises(IllegalRoll):
            game.rolled(position, wrong)
    for position in positions(game, plays=1, most_events=10):
        if isinstance(game.awaits(position), Choose):
            for wrong in ("1", None, 7, (1,), Roll((1,))):
                with pytest.raises(IllegalChoice):
                    game.chosen(position, wrong)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_text_is_no_position(name: str) -> None:
    wrong: Any
    for wrong in (None, 5, (3, 5), [], b"1.2", object()):
        with pytest.raises(NotUnderstood):
            find_any(name).position_at(wrong)
