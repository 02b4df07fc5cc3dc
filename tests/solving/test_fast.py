"""Large boxes in floats: the compiled kernel compared with fractions, and its cache.

The kernel needs the extra `fast`. Tests that need it are skipped without it.
"""

import os
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import shutbox
from nightly import one_in
from shutbox.engine.errors import TooLarge
from shutbox.games.box import Box
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, GraphSolution, beat, compiled, solvers
from shutbox.solving.box.fast import PER_BYTE, FastSolution, Layout, cost_in_floats
from shutbox.solving.cache import VARIABLE
from shutbox.solving.solvers import cost_of, graph_of_turn, solve
from variants import random_variant

needs_numba = pytest.mark.skipif(
    not compiled.installed(), reason="numba is not installed: make tools"
)
ROOT = Path(__file__).parents[2]
VARIANTS = 300
MOST_TILES = 12
MOST_SECONDS = 0.06
"""Estimated, for exact fractions: what is larger is drawn again."""
NEAR = 1e-9


def box(seed: int) -> Box:
    """A random box that the kernel can solve, and exact fractions can follow."""
    chance = random.Random(f"fast {seed}")
    while True:
        variant = random_variant(chance)
        if len(variant.tiles + variant.behind) > MOST_TILES or len(variant.dice) > 4:
            continue
        found = Box("random", "Random", variant)
        if cost_of(found, found.start()).seconds > MOST_SECONDS:
            continue
        if cost_in_floats(found.packed(found.start())) is not None:
            return found


def named(name: str) -> Box:
    found = shutbox.find(name)
    assert isinstance(found, Box)
    return found


def aims(game: Box) -> list[Aim]:
    middle = (game.scoring.best + game.scoring.worst) // 2
    return [MEAN, SHUT, WORST_SHUT, beat(middle, game.scoring)]


def near(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR * max(1.0, abs(other))


@needs_numba
@pytest.mark.parametrize("first", one_in(10, range(0, VARIANTS, 10)))
def test_the_kernel_agrees_with_whole_fractions(first: int) -> None:
    chance = random.Random(first)
    for game in map(box, range(first, first + 10)):
        start = game.start()
        turns = graph_of_turn(game, start)
        up = start.up
        while up.bit_count() > 1 + start.up.bit_count() // 2:
            up &= up - 1
        later = game.position_at(game.position_id(type(start)(up)))
        for aim in aims(game):
            exact = GraphSolution(game, aim, turns)
            floats = FastSolution(game, game.packed(start), aim)
            for here in filter(turns.holds, (start, later)):
                for fact in ("value", "shut", "ends"):
                    wanted = float(getattr(exact, fact)(here))
                    assert near(float(getattr(floats, fact)(here)), wanted), (game, fact)
                ends, throws = exact.turn_ends(here)
                found, many = floats.turn_ends(here)
                assert near(float(many), float(throws)), game
                for ending in ends | found:
                    assert near(float(found.get(ending, 0)), float(ends.get(ending, 0))), game
            position: Any = start
            while not isinstance(awaited := game.awaits(position), shutbox.Over):
                if isinstance(awaited, shutbox.Throw):
                    roll, _ = chance.choice(awaited.dice.outcomes())
                    position = game.rolled(position, roll)
                    continue
                best = exact.best(position).choice
                # Ties of floats are ties within their slack; no closer values came up here.
                assert floats.best(position).choice == best
                position = game.chosen(position, best)


@needs_numba
def test_the_300_is_the_published_value() -> None:
    # Published: 142.647, computed twice, independently.
    game = shutbox.find("the-300")
    solution = solve(game, game.start(), MEAN)
    assert isinstance(solution, FastSolution)
    assert round(float(solution.value(game.start())), 3) == 142.647
    chances, throws = solution.turn_ends(game.start())
    assert near(sum(float(p) for p in chances.values()), 1.0)
    mean = sum(score * float(p) for (score, _), p in chances.items())
    assert near(mean, float(solution.value(game.start())))
    assert 12 < float(throws) < 12.5
    # By the policy alone, followed on from every position, the box is shut as often.
    shut = sum(float(p) for (_, is_shut), p in chances.items() if is_shut)
    assert near(float(solution.shut(game.start())), shut)


@needs_numba
def test_a_position_that_cannot_come_up_is_not_known() -> None:
    game = named("the-300(tiles=1-9,behind=1-9)")
    solution = FastSolution(game, game.packed(game.start()), MEAN)
    shown = game.position_at("9.b9")
    hidden = type(shown)(shown.up & game.rules.front_row)
    assert solution.value(shown) > 0
    assert not solution.holds(hidden)
    with pytest.raises(ValueError, match="cannot come up"):
        solution.value(hidden)


MEASURED = {
    "the-300(tiles=1-22)": 0.4,
    "the-300": 1.6,
    "the-300(tiles=1-12,behind=12-1)": 0.66,
    "the-300(tiles=1-13,behind=13-1)": 6.7,
}
"""Seconds of processor time for the values alone, in November 2026, after what is compiled."""


@pytest.mark.parametrize("name", MEASURED)
def test_estimates_are_right_to_a_factor_of_two(name: str) -> None:
    game = named(name)
    cost = cost_in_floats(game.packed(game.start()))
    assert cost is not None
    written = cost.positions * 8 * PER_BYTE
    assert 0.5 < (cost.seconds - 0.5 - written) / MEASURED[name] < 2


LARGE = "two-dice(tiles=1-18,dice=3d6,fewer=must-top)"
"""Large enough for the kernel, and quick."""


@needs_numba
def test_progress_is_told_up_to_the_end_and_whoever_interrupts_is_heard_at_once() -> None:
    game = named(LARGE)
    told: list[tuple[int, int]] = []
    size, interrupted_at = 1 << 18, 0

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == interrupted_at:
            raise KeyboardInterrupt

    solution = FastSolution(game, game.packed(game.start()), MEAN, progress)
    for ask in (solution.value, solution.shut, solution.chances):
        ask(game.start())
        assert told == [(size // 8 * step, size) for step in range(1, 9)]
        told.clear()
    again = pickle.loads(pickle.dumps(solution))
    assert (again, again.value(game.start())) == (solution, solution.value(game.start()))
    assert told == []
    interrupted_at = 3
    with pytest.raises(KeyboardInterrupt):
        FastSolution(game, game.packed(game.start()), SHUT, progress).value(game.start())
    assert len(told) == 3


@needs_numba
def test_the_second_time_the_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shutbox.find(LARGE)
    value = solve(game, game.start(), MEAN).value(game.start())

    def refused(self: FastSolution, what: str) -> None:
        raise AssertionError("solved once more")

    monkeypatch.setattr(FastSolution, "_solve", refused)
    assert solve(game, game.start(), MEAN).value(game.start()) == value
    other = shutbox.find(LARGE.replace("must-top", "never"))  # another rule is another file
    for asked, aim in ((game, SHUT), (other, MEAN)):
        with pytest.raises(AssertionError, match="once more"):
            solve(asked, asked.start(), aim)


def test_what_is_compiled_is_kept_in_a_folder_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    folder = tmp_path / "compiled"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    assert compiled._room_for_compiled() == str(folder)
    assert folder.stat().st_mode & 0o777 == 0o700

    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert compiled._room_for_compiled() is None


# What is too large


def test_without_the_kernel_a_large_box_is_refused_with_estimates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    game = shutbox.find("the-300")
    with pytest.raises(TooLarge, match=r"16,777,216 positions take about .* GB") as found:
        solve(game, game.start(), MEAN)
    assert found.value.costly
    assert "pip install '.[fast]'" in str(found.value)


def test_anyway_goes_beyond_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solvers, "MOST_SECONDS", 0)
    game = shutbox.find("six")
    with pytest.raises(TooLarge):
        solve(game, game.start(), MEAN)
    assert solve(game, game.start(), SHUT, anyway=True).value(game.start()) > 0


@needs_numba
def test_a_large_box_whose_scores_add_up_goes_to_the_kernel() -> None:
    for name, can in (
        ("digital", False),
        ("classic", True),
        ("covered", True),
        ("missionary", True),
        ("double-shutter", True),
        ("win-at-three", False),
        ("two-dice(tiles=1-3,shut_at=5)", False),
    ):
        game = named(name)
        assert (cost_in_floats(game.packed(game.start())) is not None) is can
    for name, is_large in ((LARGE, True), ("classic", False), ("full-house", False)):
        assert isinstance(solve(named(name)), FastSolution) is is_large


def test_what_values_depend_on_is_in_their_identity() -> None:
    plain, *others = (
        *("tiles=1-5", "tiles=1-6", "tiles=1-4.6", "tiles=5-1", "tiles=1-5.40"),
        *("dice=1d12", "dice=3d6", "fewer=may-top", "fewer=must-top", "fewer=may-sum"),
        *("fewer=must-last", "cover=sum2", "cover=one", "score=count", "score=covered"),
        *("first=2", "first=3", "stop_first=4", "stop_on=4", "down=5", "behind=5-1"),
        "weights=2x5",
    )
    names = [f"two-dice({plain})"]
    for rule in others:
        names.append(f"two-dice({rule if 'tiles' in rule else f'{plain},{rule}'})")
    found = set()
    for name in names:
        game = named(name)
        laid = Layout(game.packed(game.start()))
        own = Aim("mean", lambda over: int(over.scores[0] <= 3), lambda scoring, seat: True)
        for aim, sign in ((MEAN, 1), (MEAN, -1), (SHUT, 1), (beat(3, game.scoring), 1), (own, 1)):
            found.add(laid.identity(aim, sign, laid.payoffs(aim, sign)))
    assert len(found) == 5 * len(names)


@needs_numba
def test_what_is_compiled_is_kept_where_it_can_be_and_never_trusted(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    code = (
        "import shutbox\n"
        "from shutbox.solving.solvers import solve\n"
        "from shutbox.solving import MEAN\n"
        f"game = shutbox.find({LARGE!r})\n"
        "print(float(solve(game, game.start(), MEAN).value(game.start())))\n"
    )
    said = []
    for folder in (tmp_path / "cache", in_the_way):
        for old in folder.glob("*.cache"):
            old.unlink()
        settings = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
        settings |= {VARIABLE: str(folder), "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
    assert list((tmp_path / "cache" / "compiled").iterdir())
    assert in_the_way.read_text() == "no folder"
