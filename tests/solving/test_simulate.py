"""Simulated turns, compared with exact chances, with one another, and with plain throws."""

from collections import Counter
from dataclasses import replace
from math import inf, sqrt
from typing import Any

import pytest

import shutbox
from coin import Coin
from nightly import one_in
from shutbox import Game
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Scoring
from shutbox.solving import MEAN, SHUT, GraphSolution, beat
from shutbox.solving import simulation as module
from shutbox.solving.simulation import (
    GOLDEN,
    WORD,
    Simulation,
    TurnTable,
    outcome,
    simulate,
)
from shutbox.solving.solvers import graph_of_turn
from shutbox.solving.strategy.following import name_of, policy_graph_of
from variants import SMALL


def table_of(game: Game[Any, Any], player: Any) -> TurnTable:
    solution = GraphSolution(game, MEAN, graph_of_turn(game, game.start()))
    return TurnTable.of(policy_graph_of(player, solution))


def last(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
    """Take the last choice that is listed."""
    return choices[-1]


class Moody:
    """Not deterministic, and it says so; but what it does is known."""

    deterministic = False

    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return choices[-1]


# Against what is exact


@pytest.mark.parametrize("player", ["perfect", "random", last], ids=name_of)
@pytest.mark.parametrize("name", one_in(4, SMALL))
def test_what_is_simulated_is_near_what_is_exact(name: str, player: Any) -> None:
    exact = shutbox.evaluate(name, player)
    found = shutbox.simulate(name, player, 20_000, seed=f"near {name}")
    assert sum(found.counts.values()) == found.turns == 20_000
    # Four standard errors: passed once in 16,000 seeds.
    assert abs(found.mean - float(exact.value)) <= 4 * found.standard_error
    error = sqrt(float(exact.shut * (1 - exact.shut)) / found.turns)
    assert abs(found.shut - float(exact.shut)) <= 4 * error
    assert set(found.counts) <= set(exact.distribution)
    for score, chance in exact.distribution.items():
        error = sqrt(float(chance * (1 - chance)) / found.turns)
        assert abs(found.counts.get(score, 0) / found.turns - float(chance)) <= 5 * error


def test_players_who_are_asked_in_each_turn_play_the_same_game() -> None:
    exact = shutbox.evaluate("six", last)
    found = simulate("six", Moody(), 4_000, seed="pub")
    assert abs(found.mean - float(exact.value)) <= 4 * found.standard_error
    assert found.player == "Moody"
    coin = simulate(Coin(), "random", 4_000, seed="pub")
    assert abs(coin.mean - 1.5) <= 4 * coin.standard_error


# The result


def test_the_result_is_counted() -> None:
    found = Simulation("six", "first", 4, "pub", {(0, True): 1, (0, False): 1, (3, False): 2})
    assert found.counts == {0: 2, 3: 2}
    assert (found.mean, found.shut) == (1.5, 0.25)
    assert found.standard_error == pytest.approx(sqrt(4 * 1.5**2 / 3 / 4))
    assert replace(found, turns=1, ends={(3, False): 1}).standard_error == inf
    assert found.estimate(SHUT) == (0.25, sqrt((0.75**2 + 3 * 0.25**2) / 3 / 4))
    assert found.estimate(beat(3, Scoring(best=0, worst=21)))[0] == 0.75  # a tie counts half


def test_a_seed_plays_the_same_turns_and_no_seed_others() -> None:
    first = simulate("six", "perfect", 500, seed="pub")
    assert first == simulate("six", "perfect", 500, seed="pub")
    assert first != replace(simulate("six", "perfect", 500, seed="inn"), seed="pub")
    assert simulate("six", turns=500, seed=7) == simulate("six", turns=500, seed="7")
    secret = simulate("six", "perfect", 500)
    assert secret.seed != simulate("six", "perfect", 500).seed
    assert secret == simulate("six", "perfect", 500, seed=secret.seed)
    assert first.counts == {score: first.counts[score] for score in sorted(first.counts)}


@pytest.mark.parametrize("player", ["perfect", Moody()], ids=["table", "asked"])
def test_progress_is_told_and_makes_no_difference(
    player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = simulate("six", player, 2_000, seed="pub")
    monkeypatch.setattr(module, "SHARE", 700)
    monkeypatch.setattr(module, "ASKED_SHARE", 700)
    told: list[tuple[int, int]] = []
    assert whole == simulate("six", player, 2_000, seed="pub", progress=lambda *n: told.append(n))
    assert told == [(done, 2_000) for done in (700, 1_400, 2_000)]


# The two ways to play a table


@pytest.mark.parametrize("name", one_in(5, SMALL))
@pytest.mark.parametrize("player", ["perfect", "random"])
def test_what_is_compiled_plays_the_same_turns(name: str, player: str) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")
    from shutbox.solving import turn_kernel

    table = table_of(shutbox.find(name), player)
    entries = np.frombuffer(table.entries, np.int32)
    plainly = table._count_in_python(WORD - 5, 1000, 2_000)
    assert sum(plainly) == 2_000
    given = (entries, table.root, len(table.ends), table.most, WORD - 5, 1000, 2_000)
    assert turn_kernel.count_ends(*given).tolist() == plainly
    ways = 3 << 30  # so many outcomes that a quarter of the draws must be drawn again
    for counter in (number * GOLDEN & WORD for number in range(200)):
        share = int(turn_kernel.draw_product(np.uint64(counter), np.uint64(ways)))
        assert share >> 32 == outcome(counter, ways)


def test_what_would_be_likelier_is_drawn_again() -> None:
    ways = 3 << 30  # by the upper half of a word alone every third would be twice as likely
    drawn = [outcome(number * GOLDEN & WORD, ways) for number in range(10_000)]
    assert all(0 <= value < ways for value in drawn)
    assert abs(Counter(value % 3 for value in drawn)[0] - 3_333) < 250


# What is refused


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("six", "perfect", 0), NotUnderstood, "turns: 0 is not a number of turns"),
        (("six", "perfect", 2.5), NotUnderstood, r"turns: 2\.5 is not"),
        (("six", "perfect", 10**12), TooLarge, "turns are too many; at most 100,000,000,000 are"),
        (("six", Moody(), 10**9), TooLarge, "turns are too many; at most 100,000,000 are"),
        (("the-300", "random"), TooLarge, "the-300: 16,777,216 positions"),
    ],
)
def test_what_cannot_be_simulated_is_said(
    arguments: tuple[Any, ...], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        simulate(*arguments)


def test_a_table_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 100)
    with pytest.raises(TooLarge, match="outcomes is too large; 100 are held"):
        simulate("six", "perfect", 10)
