"""Many turns in parallel: compiled and plain agree, with the right probabilities."""

import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from shutbox.engine.game import Choose, Over, Throw

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

from shutbox.rl import TurnArrays, TurnBatch  # noqa: E402
from shutbox.solving import turn_kernel  # noqa: E402
from shutbox.solving.jit import COMPILED  # noqa: E402

GAMES = ["six", "cargo", "six(fewer=may-top)", "six(stop_on=5)"]


def ways(batch: TurnBatch, steps: int, seed: int = 1) -> list[Any]:
    """What is seen in so many steps of actions that the seed draws."""
    chance, found = np.random.default_rng(seed), []
    _, infos = batch.reset(seed=seed)
    for _ in range(steps):
        taken = (chance.random(batch.num_envs) * np.maximum(infos["counts"], 1)).astype(int)
        before = batch.states
        here, rewards, over, _, infos = batch.step(taken)
        found.append((before, taken, here, rewards, over, infos))
    return found


@pytest.mark.skipif(not COMPILED, reason="numba is not installed: make tools")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("reward", ["end", "shaped", "regret"])
def test_compiled_and_in_plain_python_it_is_the_same(
    name: str, reward: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = TurnArrays.of(name)
    compiled = ways(TurnBatch(turns, 97, reward=reward), 40)
    for name in ("begin", "steps", "throw_to_state"):
        plainly = np.errstate(over="ignore")(getattr(turn_kernel, name).py_func)
        monkeypatch.setattr(turn_kernel, name, plainly)
    plain = ways(TurnBatch(turns, 97, reward=reward), 40)
    for one, other in zip(compiled, plain, strict=True):
        for left, right in zip(one[:-1], other[:-1], strict=True):
            assert np.array_equal(left, right)
        assert all(np.array_equal(one[-1][key], other[-1][key]) for key in one[-1])


@pytest.mark.parametrize("name", GAMES)
def test_a_lane_is_a_turn_by_the_rules(name: str) -> None:
    turns = TurnArrays.of(name)
    game: Any = turns.game

    def after(position: Any) -> set[Any]:
        """The positions where the dice can lead, or scores."""
        match game.awaits(position):
            case Throw(dice=dice):
                rolls = (game.rolled(position, roll) for roll, _ in dice.outcomes())
                return set().union(*map(after, rolls))
            case Over(scores=scores):
                return {scores[0]}
            case _:
                return {position}

    sign = -1 if game.scoring.low_is_good else 1
    for before, taken, here, rewards, over, infos in ways(TurnBatch(turns, 20), 15):
        for lane, state in enumerate(before):
            position = turns.positions[state]
            awaited = game.awaits(position)
            if not isinstance(awaited, Choose):
                assert over[lane]
                assert rewards[lane] == sign * awaited.scores[0]
                continue
            there = after(game.chosen(position, awaited.choices[taken[lane]]))
            if over[lane]:
                assert sign * rewards[lane] in there
            else:
                assert rewards[lane] == 0
                assert any(
                    isinstance(to, type(position))
                    and turns.encoder.position(to).tolist() == here[lane].tolist()
                    for to in there
                )
            assert infos["action_mask"][lane].sum() == infos["counts"][lane]


@pytest.mark.parametrize("reward", ["end", "shaped", "regret"])
def test_the_mean_of_many_turns_is_the_exact_one(reward: str) -> None:
    turns = TurnArrays.of("six")
    batch = TurnBatch(turns, 2000, reward=reward)
    chance = np.random.default_rng(4)
    _, infos = batch.reset(seed=4)
    begun = turns.values[batch.states].mean()
    total, ended, lengths = np.zeros(2000), 0, Counter[bool]()
    for _ in range(200):
        taken = (chance.random(2000) * np.maximum(infos["counts"], 1)).astype(int)
        _, rewards, over, _, infos = batch.step(taken)
        total += rewards
        ended += int(over.sum())
        lengths.update(over.tolist())
    mean = total.sum() / ended
    lost = turns.regret(turns.uniform)
    wanted = {"end": turns.value - lost.total, "shaped": -lost.total, "regret": -lost.total}
    assert mean == pytest.approx(wanted[reward], abs=0.06)
    assert begun == pytest.approx(turns.value, abs=0.2)
    # A turn has as many steps as it visits states.
    assert sum(lengths.values()) / ended == pytest.approx(lost.visits.sum(), rel=0.02)


def test_a_seed_gives_the_same_turns_and_another_others() -> None:
    turns = TurnArrays.of("six")
    same = [ways(TurnBatch(turns, 50), 5, seed) for seed in (1, 1, 2)]
    first = [[step[2].tolist() for step in way] for way in same]
    assert first[0] == first[1] != first[2]


def test_states_are_numbers_for_tables() -> None:
    batch = TurnBatch("six", 5, observe="state")
    here, _ = batch.reset(seed=1)
    assert here.tolist() == batch.states.tolist()
    assert here in batch.observation_space


def test_a_batch_plays_the_same_without_numba_and_without_a_warning() -> None:
    program = """
import sys
if "plain" in sys.argv: sys.modules["numba"] = None
import numpy as np
from shutbox.rl import TurnBatch
batch = TurnBatch("six", 50)
batch.reset(seed=7)
print([batch.step(np.zeros(50, np.int64))[0].tolist() for _ in range(5)])
"""
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program, *words],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for words in ([], ["plain"])
    ]
    assert told[0] == told[1] != ""
