"""Environments: what all of them promise, and that they play as a table does with the same dice."""

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from nightly import one_in
from shutbox import Table, catalogue, find, solve
from shutbox.engine import errors
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Choose, Over, Throw
from shutbox.table.lookup import find_any

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: make tools")

import numpy as np  # noqa: E402
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402
from pettingzoo.utils.wrappers import TerminateIllegalWrapper  # noqa: E402

import shutbox.rl  # noqa: E402
from shutbox.rl import Encoder, MatchEnv, TurnBatch, TurnEnv  # noqa: E402
from shutbox.rl.walk import GeneratorCup, Walk  # noqa: E402

NAMES = [e.name for e in catalogue() if find(e.name).longest is not None]
ENDED_BY_A_THROW = "classic(stop_on=2.3.4.5.6.7.8.9.10.11.12)"


@pytest.mark.parametrize("name", one_in(4, NAMES))
def test_gymnasium_finds_nothing_to_say(name: str) -> None:
    env = gymnasium.make(f"shutbox/{name}-v0", render_mode="ansi")
    check_env(env.unwrapped)


@pytest.mark.parametrize(
    ("id", "options", "name", "aim"),
    [
        ("classic", {}, "classic", "mean"),
        ("classic", {"aim": "shut"}, "classic", "shut"),
        ("turn", {"game": "six", "aim": "beat:8"}, "six", "beat:8"),
        ("turn", {"game": "classic(fewer=must-top)"}, "classic(fewer=must-top)", "mean"),
    ],
)
def test_an_id_makes_the_environment_of_its_game(
    id: str, options: dict[str, Any], name: str, aim: str
) -> None:
    env = gymnasium.make(f"shutbox.rl:shutbox/{id}-v0", **options)
    assert (env.unwrapped.game.name, env.unwrapped.aim.name) == (name, aim)
    env.reset(seed=3)
    assert env.unwrapped.render().startswith(f"{name}:1.2.3.4.5.6.7.8.9/"[: len(name) + 1])


def test_gymnasium_makes_a_batch() -> None:
    mode = "vector_entry_point"
    batch = gymnasium.make_vec("shutbox/six-v0", num_envs=4, vectorization_mode=mode, aim="shut")
    assert batch.reset(seed=1)[0] in batch.observation_space
    assert batch.step(np.zeros(4, np.int64))[0] in batch.observation_space


def test_an_environment_prints_as_what_makes_it() -> None:
    names = {name: getattr(shutbox.rl, name) for name in shutbox.rl.__all__}
    for text in (
        "TurnEnv('six', aim='beat:8', reward='regret')",
        "TurnBatch('six', 3, aim='mean', reward='end', observe='state')",
        "MatchEnv('six[seats=3,rounds=1]', pays='score')",
    ):
        assert repr(eval(text, names)) == text


def test_what_means_nothing_is_refused() -> None:
    for make, says in (
        (lambda: TurnEnv(reward="money"), "'money' is not known; write end, shaped or regret"),
        (lambda: TurnEnv(aim="none"), "'none' is not an aim"),
        (lambda: TurnEnv("classic[seats=2]"), "this is about one turn"),
        (lambda: TurnBatch("six", observe="all"), "'all' is not known; write numbers or state"),
        (lambda: MatchEnv("six"), "is one turn, and this is about a match"),
        (lambda: MatchEnv(pays="money"), "'money' is not known; write share or score"),
    ):
        with pytest.raises(NotUnderstood, match=says):
            make()


def test_a_step_before_the_beginning_or_after_the_end_is_refused() -> None:
    turn, batch, match = TurnEnv("six"), TurnBatch("six", 2), MatchEnv("six[seats=2]")
    before: list[Callable[[], Any]] = [lambda: turn.step(0), lambda: match.step(0)]
    before += [lambda: match.step(None), lambda: batch.step(np.zeros(2))]
    for step in before:
        with pytest.raises(ResetNeeded, match="call reset"):
            step()
    for env in (turn, match):
        env.reset(seed=1)
    while not turn.step(0)[2]:
        pass
    while match.agents:
        match.step(None if match.terminations[match.agent_selection] else 0)
    for step in before[:2]:
        with pytest.raises(ResetNeeded, match="call reset"):
            step()


def test_a_first_throw_that_ends_the_turn_is_a_step() -> None:
    env, batch = TurnEnv(ENDED_BY_A_THROW), TurnBatch(ENDED_BY_A_THROW, 3)
    assert not env.reset(seed=1)[1]["action_mask"].any()
    assert env.step(0)[1:4] == (-45.0, True, False)
    assert not batch.reset(seed=1)[1]["action_mask"].any()
    assert batch.step(np.array([0, 1, 2]))[1].tolist() == [-45] * 3


def test_an_action_that_is_not_open_is_refused_and_nothing_changes() -> None:
    match = MatchEnv("six[seats=2]")
    match.reset(seed=1)
    before = match.position
    with pytest.raises(errors.IllegalChoice, match="action 3 is not open; there are 2 choices"):
        match.step(3)
    assert match.position == before
    assert match.render() == f"six[seats=2,rounds=1]:{match.match.position_id(match.position)}"
    batch = TurnBatch("six", 3)
    batch.reset(seed=1)
    states = batch.states
    with pytest.raises(errors.IllegalChoice, match="action 9 of turn 1 is not open"):
        batch.step(np.array([0, 9, 0]))
    assert batch.states.tolist() == states.tolist()


def test_an_action_that_is_not_open_ends_a_turn_at_its_worst() -> None:
    turn = TurnEnv("classic")
    turn.reset(seed=1)
    _, reward, over, cut, info = turn.step(turn.encoder.most_choices - 1)
    assert (reward, over, cut, info["illegal"]) == (-45, True, False, True)
    assert not info["action_mask"].any()


def test_a_wrapper_of_pettingzoo_ends_a_match_at_an_action_that_is_not_open() -> None:
    match = TerminateIllegalWrapper(MatchEnv("six[seats=3]"), illegal_reward=-1)
    match.reset(seed=1)
    wrong = match.agent_selection
    match.step(3)
    assert all(match.terminations.values())
    assert match.rewards == {agent: -float(agent == wrong) for agent in match.agents}


# A turn for gymnasium: the same play as a table, exact rewards


@pytest.mark.parametrize("sides", [(6, 6), (6, 20, 1, 3), (3_000_000_000,)])
def test_the_dice_are_the_numbers_of_the_generator(sides: tuple[int, ...]) -> None:
    cup, generator = GeneratorCup(np.random.default_rng(7)), np.random.default_rng(7)
    for _ in range(600):
        assert cup.pips(sides) == tuple(int(generator.integers(1, most + 1)) for most in sides)
    again = pickle.loads(pickle.dumps(cup))
    assert again.pips(sides) == cup.pips(sides)


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
    for seed in map(str, range(8)):
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


@pytest.mark.parametrize("aim", ["mean", "shut", "beat:8"])
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


# A match for pettingzoo: its own tests, and the same play as a table

MATCHES = [
    *(f"six[seats={seats}]" for seats in (1, 2, 12)),
    "cargo[seats=2,target=20]",
    "two-dice(tiles=1-6)[seats=3,turns=common,rounds=2]",
    "first-to-shut[seats=2]",
    "six[seats=3,rounds=3,stake=1,purse=2,ties=throw-off,begins=high-roll]",
]


@pytest.mark.parametrize("name", MATCHES)
def test_pettingzoo_finds_nothing_to_say(name: str) -> None:
    api_test(MatchEnv(name), num_cycles=60)
    seed_test(lambda: MatchEnv(name), num_cycles=30)


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_that_of_the_table_with_the_same_dice(name: str) -> None:
    for seed, pays in (("0", "share"), ("1", "score"), ("2", "share")):
        env = MatchEnv(name, pays=pays)
        env.reset(options={"cup": SeededCup(seed)})
        table: Any = Table(find_any(name), SeededCup(seed))
        while True:
            while isinstance(table.awaits, Throw):
                table.throw(seat=table.awaits.seat)
            assert table.position == env.position
            if isinstance(table.awaits, Over):
                break
            assert isinstance(table.awaits, Choose)
            seat, choices = table.awaits.seat, table.awaits.choices
            assert env.agent_selection == f"seat_{seat}"
            assert env.match.position_at(env.match.position_id(env.position)) == env.position
            numbers = env.encoder.position(env.position).tolist()
            for agent in env.agents:
                assert env.observe(agent).tolist() == numbers
                open_ = env.infos[agent]["action_mask"].tolist()
                number = len(choices) if agent == env.agent_selection else 0
                assert open_ == env.encoder.mask_of(number).tolist()
            place = (seat + 1) % len(choices)
            env.step(place)
            table.choose(table.game.choice_text(choices[place]), seat=seat)
        over = table.awaits
        sign = -1 if table.game.scoring.low_is_good else 1
        for seat, score in enumerate(over.scores):
            share = (seat in over.winners) / len(over.winners)
            assert env.rewards[f"seat_{seat}"] == (share if pays == "share" else sign * score)
        assert all(env.terminations.values())
