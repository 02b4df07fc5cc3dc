"""Games, positions, choices, plays and solutions as values.

They are equal if their texts are, hashable, and can be sent to another process.
"""

import copy
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest

import shutbox
from shutbox import Roll, catalogue
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NotUnderstood
from shutbox.engine.game import Choose, Throw
from shutbox.engine.play import Chosen, Play, Rolled
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
    game, cup, choose = find_any(name), SeededCup("values"), random.Random(3)
    play = Play(game)
    for _ in range(40):
        awaited = game.awaits(play.position)
        for value in (play.position, awaited):
            for other in copies(value):
                same(value, other)
        if isinstance(awaited, Throw):
            play.happen(Rolled(cup.throw(awaited.dice)))
        elif isinstance(awaited, Choose):
            play.happen(Chosen(choose.choice(awaited.choices)))
        else:
            break
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


def worth(solution: Any) -> tuple[Any, Any]:
    """What another process makes of a solution, and the game it was solved for."""
    return solution.value(solution.game.start()), solution.game


def test_values_go_to_another_process_and_back() -> None:
    games = [shutbox.find(name) for name in ("six", "cargo", "win-at-three")]
    with ProcessPoolExecutor(1) as pool:
        found = list(pool.map(solve, games))
        again = list(pool.map(worth, found))
    assert [solution.game for solution in found] == games
    assert again == [worth(solution) for solution in found]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_roll_and_no_choice_is_refused(name: str) -> None:
    game = find_any(name)
    position = game.start()
    wrong: Any
    for wrong in ((3, 5), "3+5", None, 8):
        with pytest.raises(IllegalRoll):
            game.rolled(position, wrong)
    cup = SeededCup("wrong")
    for _ in range(10):
        awaited = game.awaits(position)
        if isinstance(awaited, Choose):
            for wrong in ("1", None, 7, (1,), Roll((1,))):
                with pytest.raises(IllegalChoice):
                    game.chosen(position, wrong)
            position = game.chosen(position, awaited.choices[0])
        elif isinstance(awaited, Throw):
            position = game.rolled(position, cup.throw(awaited.dice))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_text_is_no_position(name: str) -> None:
    wrong: Any
    for wrong in (None, 5, (3, 5), [], b"1.2", object()):
        with pytest.raises(NotUnderstood):
            find_any(name).position_at(wrong)
