"""A turn as a gymnasium environment: its checker, the same play as a table, exact rewards."""

import pickle
from fractions import Fraction
from typing import Any

import pytest

from shutbox import Table, catalogue, find, solve
from shutbox.engine import errors
from shutbox.engine.cups import SeededCup
from shutbox.engine.game import Choose, Over, Throw

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

import numpy as np  # noqa: E402
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

import shutbox.rl  # noqa: E402
from shutbox.rl import Encoder, TurnBatch, TurnEnv, spec  # noqa: E402
from shutbox.rl.walk import GeneratorCup, Walk  # noqa: E402

NAMES = [e.name for e in catalogue() if find(e.name).longest is not None]


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_finds_nothing_to_say(name: str) -> None:
    env = gymnasium.make(f"shutbox/{name}-v0", render_mode="ansi")
    check_env(env.unwrapped)


def test_any_game_is_made_by_its_name() -> None:
    env = gymnasium.make("shutbox/turn-v0", game="classic(fewer=must-top)", aim="shut")
    env.reset(seed=3)
    assert env.unwrapped.game.name == "classic(fewer=must-top)"
    assert env.unwrapped.render().startswith("classic(fewer=must-top):1.2.3.4.5.6.7.8.9/")


def test_the_threshold_is_the_exact_optimum_of_what_is_made() -> None:
    for id, options, best in (
        ("classic", {}, -float(solve("classic").value())),
        ("classic", {"aim": "shut"}, float(solve("classic", "shut").value())),
        ("covered", {}, float(solve("covered").value())),
        ("turn", {"game": "six", "aim": "beat:8"}, float(solve("six", "beat:8").value())),
        ("six", {"reward": "regret"}, 0.0),
    ):
        assert gymnasium.make(f"shutbox/{id}-v0", **options).spec.reward_threshold == best
    many = gymnasium.make_vec("shutbox/six-v0", 2, aim="shut").spec
    assert many.reward_threshold == float(solve("six", "shut").value())
    assert TurnEnv("six").spec is None


def test_a_game_that_is_too_large_to_solve_has_no_threshold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def solve(*about: Any) -> None:
        raise errors.TooLarge("too large")

    monkeypatch.setattr(spec, "solve", solve)
    assert gymnasium.make("shutbox/covered-v0", aim="shut").spec.reward_threshold is None


def test_the_registry_knows_the_optimum_of_each_game_that_is_quick_to_solve() -> None:
    for id in ("classic", "six", "covered"):
        best = gymnasium.make(f"shutbox.rl:shutbox/{id}-v0").spec.reward_threshold
        assert gymnasium.spec(f"shutbox/{id}-v0").reward_threshold == best
    assert gymnasium.spec("shutbox/the-300-v0").reward_threshold is None


def test_an_environment_prints_as_what_makes_it() -> None:
    names = {"TurnEnv": TurnEnv, "TurnBatch": TurnBatch}
    for env in (
        TurnEnv("six", aim="beat:8", reward="regret"),
        TurnBatch("six", 3, observe="state"),
    ):
        again = eval(repr(env), names)
        assert repr(again) == repr(env)
        assert (again.reward, again.observation_space) == (env.reward, env.observation_space)
    assert str(TurnEnv("six")) == "TurnEnv('six', aim='mean', reward='end', illegal='ends')"


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


def test_an_action_that_is_not_open_ends_the_turn_at_its_worst_or_is_refused() -> None:
    env = TurnEnv("classic")
    env.reset(seed=1)
    _, reward, over, cut, info = env.step(env.encoder.most_choices - 1)
    assert (reward, over, cut, info["illegal"]) == (-45, True, False, True)
    assert not info["action_mask"].any()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    strict = TurnEnv("classic", illegal="refused")
    strict.reset(seed=1)
    before = strict.position
    with pytest.raises(errors.IllegalChoice, match="action 99 is not open; there are"):
        strict.step(99)
    assert strict.position == before


def test_a_step_after_the_end_or_before_the_beginning_is_refused() -> None:
    env = TurnEnv("classic(stop_on=2.3.4.5.6.7.8.9.10.11.12)")
    for _ in range(2):
        with pytest.raises(ResetNeeded, match="call reset"):
            env.step(0)
        _, info = env.reset(seed=1)
        assert not info["action_mask"].any()  # the throw has ended the turn
        assert env.step(0)[1:4] == (-45.0, True, False)
    six, over = TurnEnv("six"), False
    six.reset(seed=1)
    while not over:
        over = six.step(0)[2]
    with pytest.raises(ResetNeeded, match="call reset"):
        six.step(0)


def test_what_means_nothing_is_refused() -> None:
    for wrong in ({"reward": "money"}, {"illegal": "never"}, {"aim": "none"}):
        with pytest.raises(errors.NotUnderstood):
            TurnEnv("classic", **wrong)
    with pytest.raises(errors.NotUnderstood, match="this is about one turn"):
        TurnEnv("classic[seats=2]")
    assert sorted(shutbox.rl.__all__) == shutbox.rl.__all__


def test_a_walk_that_forgets_goes_on_as_before() -> None:
    game = find("six")
    short, long = Walk(Encoder(game), 20), Walk(Encoder(game))
    for seed in map(str, range(30)):
        first: list[Any] = []
        second: list[Any] = []
        for walk, seen in ((short, first), (long, second)):
            cup = SeededCup(seed)
            node = walk.thrown(walk.start(), cup)
            while node.over is None:
                node = walk.thrown(walk.chosen(node, len(node.choices) - 1), cup)
                seen.append((node.position, node.numbers.tolist()))
        assert first == second
        assert 0 < short.held <= 20
    assert long.held > 100
