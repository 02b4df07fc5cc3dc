"""Ways to play large boxes, in floats: against the same ways in whole fractions on small boxes."""

from typing import Any

import pytest

import shutbox
from shutbox.analysis.solvers import select
from shutbox.analysis.strategy.compare import compare
from shutbox.analysis.strategy.following import NAMES
from shutbox.boxes import ways
from shutbox.boxes.fast import FastSolution
from shutbox.errors import TooLarge
from shutbox.games.traits import Cost, traits_of
from shutbox.solver import compiled
from slow import one_in

pytest.importorskip("numba", reason="numba is not installed: make extras")

BOXES = (
    "classic(tiles=1-7)",  # dice are chosen
    "two-dice(tiles=1-6,dice=3d3,fewer=may-any)",  # up to three numbers of dice
    "two-dice(tiles=1-5.500,fewer=may-any)",  # a tile never goes down
    "markers(tiles=1-6)",
    "covered(tiles=1-6)",  # high is good
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",  # a tile behind waits
    "unlucky-seven(tiles=1-6)",  # a throw that ends the turn
    "classic",
)


def solved(name: str, aim: str) -> FastSolution:
    game = shutbox.find(name)
    packed = traits_of(game).packed
    assert packed is not None
    return FastSolution(game, packed(game.start()), shutbox.solve(game, aim).aim)


@pytest.mark.parametrize("aim", ["mean", "shut"])
@pytest.mark.parametrize("name", one_in(3, BOXES))
def test_a_way_in_floats_is_the_way_in_fractions(name: str, aim: str) -> None:
    solution = solved(name, aim)
    for way in NAMES:
        if way == "sheet":
            continue
        found = ways.strength_in_floats(way, way, solution)
        exact = shutbox.evaluate(name, way, aim)
        for what in ("value", "loss", "shut", "throws", "decisions", "per_decision"):
            near = pytest.approx(float(getattr(exact, what)), abs=1e-10)
            assert float(getattr(found, what)) == near, (way, what)
        assert found.distribution.keys() == exact.distribution.keys()


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits beyond which whole fractions of the box of 1 to 9 are, and floats are not."""
    game = shutbox.find("classic")
    monkeypatch.setattr(select, "MOST_SECONDS", 2 * ways.cost_of_ways(game, 8).seconds)
    dear = Cost(512, 1e9, 1)
    monkeypatch.setattr(select, "cost_of", lambda *asked: dear)
    monkeypatch.setattr(ways, "cost_of", lambda *asked: dear)


@pytest.mark.slow
@pytest.mark.usefixtures("small_limit")
def test_what_fractions_would_take_too_long_for_is_compared_in_floats() -> None:
    found = compare("classic", sheet=True)
    assert [way.way for way in found.ways][:3] == ["careful", "fewest", "first"]
    assert round(float(found.way("random").value), 4) == 20.4304
    assert found.best.loss == 0
    assert round(float(found.best.decisions), 2) == 4.32
    assert found.sheet is not None
    assert found.way("sheet").value == pytest.approx(found.way("fewest").value)
    assert found.best.report()["exact"] is None
    evaluated = shutbox.evaluate("classic", "careful")
    assert (evaluated.way, round(float(evaluated.value), 4)) == ("careful", 11.3968)


@pytest.mark.usefixtures("small_limit")
def test_a_player_who_must_be_asked_is_refused_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="classic: 512 positions"):
        shutbox.evaluate("classic", lambda *asked: pytest.fail("it was asked"))
    monkeypatch.setattr(compiled, "installed", lambda: False)
    with pytest.raises(TooLarge, match="classic: 512 positions"):
        compare("classic")


def test_a_first_throw_with_rules_of_its_own_is_not_followed_in_floats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ways, "cost_of", lambda *asked: Cost(1, 1e9, 1))
    names: list[Any] = ["first"]
    assert ways.in_floats(shutbox.find("classic"), names, times=2)
    assert not ways.in_floats(shutbox.find("two-to-go-pub"), names, times=2)
    assert not ways.in_floats(shutbox.find("cargo"), names, times=2)
    assert not ways.in_floats(shutbox.find("classic"), [max], times=2)


@pytest.mark.slow
def test_the_300_is_evaluated() -> None:
    found = shutbox.evaluate("the-300", "fewest")
    assert round(float(found.value), 4) == 145.8896
    assert sum(found.distribution.values()) == pytest.approx(1)
