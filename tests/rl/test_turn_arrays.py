"""A whole turn as arrays: exact values, exact regret, and a learner that converges to them."""

import random
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from shutbox import bot, evaluate, find, solve
from shutbox.engine.errors import NotKept, NotUnderstood, TooLarge
from shutbox.engine.game import Choose
from shutbox.solving.objectives import find_aim

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
pytest.importorskip("gymnasium", reason="gymnasium is not installed: make tools")

from learn_turn import learn  # noqa: E402

from shutbox.rl import TurnArrays, baselines  # noqa: E402

GAMES = ["six", "six(fewer=may-top)", "cargo", "six(stop_on=5)", "classic(tiles=1-7,score=count)"]
AIMS = ["mean", "shut", "beat:5", "worst-shut"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("aim", AIMS)
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


@pytest.mark.parametrize("name", ["six", "cargo", "classic"])
@pytest.mark.parametrize("kind", ["random", "fewest", "first", "perfect"])
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
    page = (Path(__file__).parents[2] / "docs" / "rl.md").read_text(encoding="utf-8")
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


@pytest.mark.parametrize("name", ["the-300", "double-shutter", "cargo(hold=each,dice=10d6)"])
def test_what_is_too_large_is_refused_before_it_begins(name: str) -> None:
    with pytest.raises(TooLarge, match="too many to hold all of a turn as arrays"):
        TurnArrays.of(name)


def test_what_has_no_turn_is_refused() -> None:
    with pytest.raises(NotUnderstood, match="this is about one turn"):
        TurnArrays.of("six[seats=2]")
    scoring = find("six").scoring
    assert scoring is not None
    assert find_aim("beat:5", scoring).name == TurnArrays.of("six", "beat:5").aim.name


def test_arrays_are_saved_and_loaded(tmp_path: Path) -> None:
    for name, aim in (("six", "mean"), ("cargo", "shut"), ("six", "beat:8")):
        turns, file = TurnArrays.of(name, aim), tmp_path / "turn.npz"
        turns.save(file)
        loaded = TurnArrays.load(file)
        assert repr(loaded) == repr(turns)
        for name in ("positions", "order", "start"):
            assert getattr(loaded, name) == getattr(turns, name)
        for name in ("numbers", "counts", "leads", "outcomes", "payoffs", "place_values"):
            stored, read = getattr(turns, name), getattr(loaded, name)
            assert (stored.dtype, stored.tolist()) == (read.dtype, read.tolist())


def test_a_file_of_other_arrays_is_refused(tmp_path: Path) -> None:
    file, other = tmp_path / "turn.npz", tmp_path / "other.npz"
    np.savez(other, other=1)
    for content in (None, b"nothing like it", b"", other.read_bytes()):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(NotUnderstood, match="cannot be read"):
            TurnArrays.load(file)
    TurnArrays.of("six").save(file)
    sound, rng = file.read_bytes(), random.Random(1)
    for _ in range(40):
        damaged = bytearray(sound)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        with pytest.raises(NotUnderstood):
            TurnArrays.load(file)
    file.write_bytes(sound)
    with pytest.raises(NotUnderstood, match="has no arrays of classic"):
        TurnArrays.load(file, find("classic"))
    with pytest.raises(NotKept, match="cannot be written"):
        TurnArrays.of("six").save(tmp_path / "nowhere" / "turn.npz")
