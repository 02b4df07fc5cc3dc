"""A turn as a gymnasium environment: its checker, the same play as a table, exact rewards."""

import pickle
from fractions import Fraction
from typing import Any

import pytest

from shutbox import Table, find, solve
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Over, Throw

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

import numpy as np  # noqa: E402

from shutbox.rl import Encoder, TurnEnv  # noqa: E402
from shutbox.rl.walk import GeneratorCup, Walk  # noqa: E402


@pytest.mark.parametrize("sides", [(6, 6), (6, 20, 1, 3), (3_000_000_000,)])
def test_the_dice_are_the_numbers_of_the_generator(sides: tuple[int, ...]) -> None:
    cup, generator = GeneratorCup(np.random.default_rng(7)), np.random.default_rng(7)
    for _ in range(600):
        assert cup.pips(sides) == tuple(int(generator.integers(1, most + 1)) for most in sides)
    again = pickle.loads(pickle.dumps(cup))
    assert [again.pips(sides) for _ in range(600)] == [cup.pips(sides) for _ in range(600)]


def played(env: TurnEnv, seed: str, place: int) -> tuple[list[Any], float]:
    """The positions of an episode with the dice of a seed, and its return."""
    env.reset(options={"cup": SeededCup(seed)})
    seen, total, over = [env.position], 0.0, False
    while not over:
        number = int(env.action_masks().sum())
        _, reward, over, _, _ = env.step(place % max(1, number))
        seen.append(env.position)
        total += float(reward)
    return seen, total


@pytest.mark.parametrize("name", ["classic", "cargo", "classic(fewer=may-top)", "double-shutter"])
@pytest.mark.parametrize("place", [0, 1, 5])
def test_an_episode_is_that_of_the_table_with_the_same_dice(name: str, place: int) -> None:
    env = TurnEnv(name)
    for seed in map(str, range(20)):
        seen, total = played(env, seed, place)
        table: Any = Table(find(name), SeededCup(seed))
        for position in seen:
            while isinstance(table.awaits, Throw):
                table.throw()
            assert table.position == position
            if isinstance(table.awaits, Choose):
                choices = table.awaits.choices
                table.choose(table.game.choice_text(choices[place % len(choices)]))
        assert isinstance(table.awaits, Over)
        sign = -1 if table.game.scoring.low_is_good else 1
        assert total == sign * table.awaits.scores[0]


@pytest.mark.parametrize("aim", ["mean", "shut", "beat:8", "worst-shut"])
@pytest.mark.parametrize("name", ["six", "cargo"])
def test_shaped_rewards_sum_to_what_the_turn_changed(name: str, aim: str) -> None:
    plain, shaped = TurnEnv(name, aim=aim), TurnEnv(name, aim=aim, reward="shaped")
    solution = solve(name, aim)
    for seed in map(str, range(10)):
        seen, total = played(shaped, seed, 1)
        sign = 1 if solution.more else -1
        began = sign * float(solution.value(seen[0]))
        assert total == pytest.approx(played(plain, seed, 1)[1] - began, abs=1e-12)


def test_regret_is_what_the_choice_costs_and_luck_has_no_part_in_it() -> None:
    env = TurnEnv("six", reward="regret")
    solution = solve("six")
    for seed in range(30):
        env.reset(seed=seed)
        over = False
        while not over:
            here = env.position
            options = solution.options(here) if env.action_masks().any() else None
            place = seed % len(options.values) if options else 0
            _, reward, over, _, _ = env.step(place)
            cost = Fraction(options.costs[place]) if options else Fraction(0)
            assert reward == pytest.approx(-float(cost), abs=1e-12)


def test_a_walk_that_forgets_goes_on_as_before() -> None:
    game = find("six")
    short, long = Walk(Encoder(game), 20), Walk(Encoder(game))
    for seed in map(str, range(30)):
        first: list[Any] = []
        second: list[Any] = []
        for walk, seen in ((short, first), (long, second)):
            cup = SeededCup(seed)
            node = walk.throw_to_choice(walk.start(), cup)
            while node.over is None:
                node = walk.throw_to_choice(walk.chosen(node, len(node.choices) - 1), cup)
                seen.append((node.position, node.numbers.tolist()))
        assert first == second
        assert 0 < short.held <= 20
    assert long.held > 100
