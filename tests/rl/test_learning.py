"""The learners of examples/learning: they learn, and the table of their runs resumes."""

from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

from learning import dqn, ppo, table

from shutbox.rl import TurnArrays

ROOT = Path(__file__).parents[2]
SIX = TurnArrays.of("six")


@pytest.mark.parametrize("learner", [dqn, ppo])
def test_a_learner_comes_close_to_perfect_play(learner: object) -> None:
    policy = learner.learn(SIX, 12_288, 1)  # type: ignore[attr-defined]
    assert SIX.regret(policy).total < SIX.regret(SIX.uniform).total / 20


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


def test_the_table_of_the_docs_is_that_of_the_stored_runs() -> None:
    runs = ROOT / "examples" / "learning" / "runs.jsonl"
    assert list(table.missing(runs, table.STEPS)) == []
    page = (ROOT / "docs" / "rl.md").read_text(encoding="utf-8")
    assert "\n".join(table.table(runs, table.STEPS)) in page
