"""The learners of examples/learning: they learn, and the table of their runs resumes."""

import json
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

import numpy as np
from learning import dqn, networks, ppo, table

from shutbox.rl import TurnArrays

ROOT = Path(__file__).parents[2]
SIX = TurnArrays.of("six")


@pytest.mark.parametrize("learner", [dqn, ppo])
def test_a_learner_comes_close_to_perfect_play(learner: object) -> None:
    policy = learner.learn(SIX, 12_288, 1)  # type: ignore[attr-defined]
    assert SIX.regret(policy).total < SIX.regret(SIX.uniform).total / 20


def test_a_network_learns_a_function() -> None:
    chance = np.random.default_rng(1)
    network = networks.Network([3, 5, 4, 2], chance, rate=0.01)
    inputs = chance.standard_normal((8, 3), np.float32)
    wanted = inputs[:, :2] ** 2

    def loss() -> float:
        return float(((network(inputs) - wanted) ** 2).sum())

    before = loss()
    for _ in range(500):
        network.learn(network(inputs) - wanted)
    assert loss() < before / 1000


def test_features_tell_every_state_apart() -> None:
    found = networks.features(SIX)
    assert len(np.unique(found, axis=0)) == len(SIX.positions)
    assert set(np.unique(found)) == {0, 1}


def test_illegal_actions_are_never_the_best() -> None:
    values = networks.masked(np.ones(SIX.leads.shape), SIX.masks)
    assert (np.isfinite(values) == (SIX.masks == 1))[SIX.counts > 0].all()


def test_the_table_resumes_and_leaves_out_a_line_that_is_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    jobs = list(table.missing(file, 1024))
    assert len(jobs) == len(set(jobs)) == 18
    table.store(file, table.run(*jobs[0], 1024))
    file.write_text(file.read_text() + '{"ga')
    assert list(table.missing(file, 1024)) == jobs[1:]
    table.store(file, table.run(*jobs[1], 1024))
    assert list(table.missing(file, 1024)) == jobs[2:]
    assert list(table.missing(file, 2048)) == jobs  # runs of another length do not count


def test_the_table_has_means_and_spreads(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    with file.open("w") as out:
        for game, learner, seed in table.missing(file, 5):
            about = {"game": game, "learner": learner, "seed": seed, "steps": 5}
            out.write(f"{json.dumps({**about, 'regret': seed / 10, 'seconds': 10 * seed})}\n")
    rows = list(table.table(file, 5))
    assert rows[3] == "| fewest | 0.0000 | | 1.2078 | |"
    assert rows[-1] == "| PPO | 0.2000 ± 0.1000 | 20.0 | 0.2000 ± 0.1000 | 20.0 |"


def test_the_table_of_the_docs_is_that_of_the_stored_runs() -> None:
    runs = ROOT / "examples" / "learning" / "runs.jsonl"
    assert list(table.missing(runs, table.STEPS)) == []
    page = (ROOT / "docs" / "rl.md").read_text(encoding="utf-8")
    assert "\n".join(table.table(runs, table.STEPS)) in page
