"""A whole turn as arrays, many turns in parallel, and the loss of choices in a match.

Values and regret are exact, and learners converge to them; compiled and plain agree.
"""

import pickle
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from nightly import one_in
from records import header, random_play
from shutbox import Choose, bot, equity, evaluate, find, solve
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.play import Chosen, Play, TookBack
from shutbox.engine.seats import Seat
from shutbox.record import to_bytes
from shutbox.table.lookup import match_of
from truth import Everybody

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

from learn_turn import learn  # noqa: E402
from learning import dqn, ppo, table  # noqa: E402

from shutbox.rl import TurnArrays, TurnBatch, baselines, match_regret  # noqa: E402
from shutbox.solving import turn_kernel  # noqa: E402
from shutbox.solving.jit import COMPILED  # noqa: E402

ROOT = Path(__file__).parents[2]
SIX = TurnArrays.of("six")
GAMES = ["six", "six(fewer=may-top)", "cargo", "six(stop_on=5)", "classic(tiles=1-7,score=count)"]
AIMS = ["mean", "shut", "beat:5", "worst-shut"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("aim", one_in(2, AIMS))
def test_every_value_is_the_exact_one(name: str, aim: str) -> None:
    turns, exact = TurnArrays.of(name, aim), solve(name, aim, exact=True)
    sign = 1 if exact.more else -1
    assert turns.value == pytest.approx(sign * float(exact.value()), abs=1e-12)
    for state, position in enumerate(turns.positions):
        assert turns.values[state] == pytest.approx(sign * float(exact.value(position)), abs=1e-12)
        awaited: Any = turns.game.awaits(position)
        assert turns.counts[state] == (len(awaited.choices) if isinstance(awaited, Choose) else 0)
        if turns.counts[state]:
            options = exact.options(position)
            values, best = options.values, options.best
            found = sign * turns.action_values[state]
            assert found[: len(values)] == pytest.approx(np.array(values, float), abs=1e-12)
            assert turns.best[state] == best
            assert np.isinf(found[len(values) :]).all()


@pytest.mark.parametrize("name", ["six", "cargo"])
@pytest.mark.parametrize("kind", ["random", "fewest", "perfect"])
def test_regret_is_what_evaluate_says(name: str, kind: str) -> None:
    turns = TurnArrays.of(name)
    policy = turns.uniform if kind == "random" else turns.policy(bot(kind))
    found = turns.regret(policy)
    strength = evaluate(name, kind)
    lost = abs(Fraction(strength.value) - Fraction(solve(name, exact=True).value()))
    assert found.total == pytest.approx(float(lost), abs=1e-10)
    assert (found.visits * found.costs).sum() == pytest.approx(found.total, abs=1e-10)
    assert found.per_step == pytest.approx(found.total / found.visits.sum())
    assert (found.costs >= 0).all()


def test_the_tables_of_the_page_are_what_comes_out() -> None:
    page = (ROOT / "docs" / "rl.md").read_text(encoding="utf-8")
    turns = TurnArrays.of("classic")
    for name, regret in baselines(turns).items():
        assert f"| {name} | {abs(regret.total):.4f} | {abs(regret.per_step):.4f} |" in page
    for steps, known in islice(learn(turns, 4_000_000, seed=1), 2):
        assert f"| {steps:,} | {turns.regret(known.argmax(axis=1)).total:.4f} |" in page


def test_a_policy_that_is_none_is_refused() -> None:
    turns = TurnArrays.of("six")
    for says, policies in {
        "not open": [turns.counts],
        r"int\[237\] or float\[237, 4\]": [np.zeros(3), np.zeros(237)],
        "sum of 1": [turns.uniform / 2, np.full(turns.leads.shape, 0.25)],
    }.items():
        for policy in policies:
            with pytest.raises(ValueError, match=says):
                turns.regret(policy)


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("the-300", TooLarge, "too many to hold all of a turn as arrays"),
        ("cargo(hold=each,dice=10d6)", TooLarge, "too many to hold all of a turn as arrays"),
        ("six[seats=2]", NotUnderstood, "this is about one turn"),
    ],
)
def test_what_is_too_large_or_no_turn_is_refused(
    name: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        TurnArrays.of(name)


def test_arrays_can_be_kept_by_pickle() -> None:
    for name, aim in (("six", "mean"), ("cargo", "shut"), ("six", "beat:8")):
        turns = TurnArrays.of(name, aim)
        read = pickle.loads(pickle.dumps(turns))
        assert repr(read) == repr(turns)
        assert read.regret(read.best).total == turns.regret(turns.best).total


def test_a_notebook_shows_the_arrays_in_one_line() -> None:
    html = getattr(TurnArrays.of("six"), "_repr_html_", str)
    assert "<tr>" not in html()


# Many turns in parallel


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
@pytest.mark.parametrize(
    ("name", "reward"),
    [
        ("six", "end"),
        ("cargo", "shaped"),
        ("six(fewer=may-top)", "regret"),
        ("six(stop_on=5)", "end"),
    ],
)
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
        here, rewards, over, _, infos = batch.step(taken)
        total += rewards
        ended += int(over.sum())
        lengths.update(over.tolist())
    mean = total.sum() / ended
    lost = turns.regret(turns.uniform)
    wanted = {"end": turns.value - lost.total, "shaped": -lost.total, "regret": -lost.total}
    assert mean == pytest.approx(wanted[reward], abs=0.06)
    assert begun == pytest.approx(turns.value, abs=0.2)
    assert here.tolist() == turns.numbers[batch.states].tolist()
    assert infos["action_mask"].sum(axis=1).tolist() == infos["counts"].tolist()
    # A turn has as many steps as it visits states.
    assert sum(lengths.values()) / ended == pytest.approx(lost.visits.sum(), rel=0.02)


def test_a_seed_gives_the_same_turns_and_states_are_numbers() -> None:
    same = [ways(TurnBatch("six", 50, observe="state"), 5, seed) for seed in (1, 1, 2)]
    first = [[step[2].tolist() for step in way] for way in same]
    assert first[0] == first[1] != first[2]
    for (_, _, here, *_), (before, *_) in pairwise(same[0]):
        assert here.tolist() == before.tolist()


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
    python = [sys.executable, "-W", "error", "-c", program]
    told = [
        subprocess.run([*python, *words], capture_output=True, check=True).stdout
        for words in ([], ["plain"])
    ]
    assert told[0] == told[1] != b""


# The loss of choices in a match, compared with the match itself played out in every way

NEAR = 1e-9
MATCHES = (
    ("classic(tiles=1-3,dice=2d2)", "rounds=2,shut=wins"),
    ("classic(tiles=1-3,dice=2d2)", "rounds=2,begins=high-roll"),
    ("covered(tiles=1-3,dice=1d4,fewer=never)", "target=7,end=stop"),
)


def lost(truth: Everybody, play: Play[Any, Any], seat: int) -> list[float]:
    """What the choices of a seat lost, by playing on from each of them every way."""
    found = []
    for step in play.steps:
        awaited = truth.match.awaits(step.before)
        if not isinstance(awaited, Choose) or awaited.seat != seat:
            continue
        hopes = [
            truth.hopes(truth.match.chosen(step.before, choice))[0][seat]
            for choice in awaited.choices
        ]
        found.append(float(max(hopes) - truth.hopes(step.after)[0][seat]))
    return found


@pytest.mark.parametrize(("game", "format"), MATCHES)
def test_every_choice_lost_what_playing_it_out_says(game: str, format: str) -> None:
    match = match_of(game, ["Ann", "Bob"], format)
    solved, truth = equity(match_of(game, ["Cy", "Dora"], format)), Everybody(match)
    sums = np.zeros(2)
    for seed in range(4):
        play = random_play(match, seed, 2000)
        found = match_regret(solved, play)
        for seat, regret in enumerate(found):
            wanted = lost(truth, play, seat)
            assert regret.costs.dtype == regret.visits.dtype == np.float64
            assert regret.costs.tolist() == pytest.approx(wanted, abs=NEAR)
            assert regret.visits.tolist() == [1.0] * len(wanted)
            assert regret.total == pytest.approx(sum(wanted), abs=NEAR)
            assert regret.per_step == pytest.approx(sum(wanted) / max(1, len(wanted)), abs=NEAR)
            sums[seat] += regret.total
    assert sums.sum() > 0.1


def test_a_record_loses_what_its_play_does_as_far_as_it_goes() -> None:
    match = match_of("six", ["Ann", "Bob"], "rounds=2")
    solved, whole = equity(match), random_play(match, 3, 2000)
    play = Play(match, whole.log[:4])
    while not isinstance(awaited := play.awaits, Choose):
        play.happen(whole.log[play.version])
    before = match_regret(solved, play)
    play.happen(Chosen(awaited.choices[-1]))
    play.happen(TookBack())
    about = header(match.game.name, Seat("Ann"), Seat("Bob"), format=str(match.format))
    after = match_regret(solved, to_bytes(about, match, play.log))
    assert [one.costs.tolist() for one in after] == [one.costs.tolist() for one in before]


def test_nobody_has_lost_before_a_choice_and_another_game_is_refused() -> None:
    solved = equity("six[seats=2,rounds=2]")
    for regret in match_regret(solved, Play(solved.match)):
        assert (regret.total, regret.per_step, len(regret.costs)) == (0, 0, 0)
    for other in (find("six"), match_of("six", ["Ann", "Bob"], "rounds=3")):
        with pytest.raises(NotUnderstood, match=r"was played, and six\[.*rounds=2\] was solved"):
            match_regret(solved, Play(other))


# The learners of examples/learning


@pytest.mark.parametrize("learner", [dqn, ppo])
def test_a_learner_comes_close_to_perfect_play(learner: object) -> None:
    policy = learner.learn(SIX, 12_288, 1)  # type: ignore[attr-defined]
    assert SIX.regret(policy).total < SIX.regret(SIX.uniform).total / 20


def test_the_table_of_the_docs_is_that_of_the_stored_runs() -> None:
    runs = ROOT / "examples" / "learning" / "runs.jsonl"
    assert list(table.missing(runs, table.STEPS)) == []
    page = (ROOT / "docs" / "rl.md").read_text(encoding="utf-8")
    assert "\n".join(table.table(runs, table.STEPS)) in page
