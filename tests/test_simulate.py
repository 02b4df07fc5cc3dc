"""Simulated turns, compared with exact chances, with one another, and with plain throws."""

import multiprocessing
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from math import inf, sqrt
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin
from shutbox import Game
from shutbox.analysis.simulation import simulate as module
from shutbox.analysis.simulation.simulate import (
    GOLDEN,
    WORD,
    Simulation,
    TurnTable,
    outcome,
    simulate,
    spread,
)
from shutbox.analysis.solvers.select import turns_of
from shutbox.analysis.strategy.following import name_of, policy_graph_of
from shutbox.bots import bot
from shutbox.errors import IllegalChoice, ImpossiblePosition, NotUnderstood, TooLarge
from shutbox.game import Scoring
from shutbox.solver import MEAN, SHUT, GraphSolution, beat, compiled
from slow import one_in

SMALL = (
    "six",
    "classic",
    "unlucky-seven(tiles=1-6)",
    "covered(tiles=1-6)",
    "lucky-seven",
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
    "cargo(dice=4d6,rolls=3)",
)


def table_of(game: Game[Any, Any], player: Any) -> TurnTable:
    solution = GraphSolution(game, MEAN, turns_of(game, game.start()))
    return TurnTable.of(policy_graph_of(player, solution))


def last(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
    """Take the last choice that is listed."""
    return choices[-1]


class Moody:
    """Not deterministic, and it says so; but what it does is known."""

    deterministic = False

    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return choices[-1]


class Cheat(Moody):
    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return 5


class Unspeakable(Exception):
    """An error that cannot be made again from its pickle."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__("unspeakable")


class Breaks(Moody):
    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        raise Unspeakable(1, 2)


class Dies(Moody):
    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        os._exit(7)


class Sleeps(Moody):
    def pick(self, game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        time.sleep(600)


# Against what is exact


@pytest.mark.parametrize("player", ["perfect", "random", last], ids=name_of)
@pytest.mark.parametrize("name", one_in(2, SMALL))
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


def test_every_end_comes_up_as_often_as_it_should() -> None:
    """Chi-squared over all ends: of k degrees of freedom the mean is k, the deviation sqrt(2k)."""
    found = simulate("lucky-seven", "first", 36_000, seed="even")
    exact = shutbox.evaluate("lucky-seven", "first").chances
    off = sum(
        (found.ends[end] - 36_000 * float(chance)) ** 2 / (36_000 * float(chance))
        for end, chance in exact.items()
    )
    assert off < len(exact) + 6 * sqrt(2 * len(exact))


def test_players_who_are_asked_in_each_turn_play_the_same_game() -> None:
    exact = shutbox.evaluate("six", last)
    found = simulate("six", Moody(), 4_000, seed="pub")
    assert abs(found.mean - float(exact.value)) <= 4 * found.standard_error
    assert found.player == "Moody"
    coin = simulate(Coin(), "random", 4_000, seed="pub")
    assert abs(coin.mean - 1.5) <= 4 * coin.standard_error


@pytest.mark.parametrize("player", ["perfect", "random", last, Moody()], ids=name_of)
@pytest.mark.parametrize("position", ["2.4.5.9/4+5", "2.4.5.9", "1/2+2"])
def test_turns_begin_where_they_are_told_to(position: str, player: Any) -> None:
    game = shutbox.find("classic")
    here = game.position_at(position)
    found = simulate(game, player, 3_000, position=position, seed="there")
    assert found == simulate(game, player, 3_000, position=here, seed="there")
    assert found.position == position
    if player == "perfect":
        solution = shutbox.solve(game, here)
        assert abs(found.mean - float(solution.value())) <= 4 * found.standard_error
        assert set(found.counts) <= set(solution.distribution())
    if position == "1/2+2":
        assert found.ends == {(1, False): 3_000}


def test_where_a_roll_lies_every_choice_of_a_turn_is_open() -> None:
    solved = shutbox.solve("classic", "2.4.5.9/4+5")
    game, here = solved.game, solved.start
    fewest = simulate(game, "fewest", 3_000, position=here, seed="there")
    assert fewest.ends == simulate(game, bot("fewest"), 3_000, position=here, seed="there").ends
    last_of_all = simulate(game, last, 3_000, position=here, seed="there")
    assert last_of_all.mean > simulate(game, "random", 3_000, position=here, seed="there").mean
    assert fewest.mean < last_of_all.mean


def test_the_start_is_no_other_position() -> None:
    start = shutbox.find("six").start()
    assert simulate("six", turns=500, position=start, seed=7) == simulate("six", turns=500, seed=7)
    assert simulate("six", turns=500, seed=7).position == ""


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


def test_more_turns_of_a_seed_begin_with_the_same() -> None:
    table = table_of(shutbox.find("six"), "perfect")
    whole = Counter[int]()
    for share in ((0, 100), (100, 1), (101, 399)):
        whole.update(dict(enumerate(table.counts(7, *share))))
    assert [whole[end] for end in range(len(table.ends))] == table.counts(7, 0, 500)


@pytest.mark.parametrize("player", ["perfect", Moody()], ids=["table", "asked"])
def test_the_workers_make_no_difference(player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHARE", 700)
    alone = simulate("six", player, 2_000, seed="pub")
    told: list[tuple[int, int]] = []
    two = simulate("six", player, 2_000, seed="pub", workers=2, progress=lambda *n: told.append(n))
    assert two == alone
    assert told[-1] == (2_000, 2_000)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert multiprocessing.active_children() == []


# The two ways to play a table


@pytest.mark.parametrize("name", one_in(3, SMALL))
@pytest.mark.parametrize("player", ["perfect", "random"])
def test_what_is_compiled_plays_the_same_turns(name: str, player: str) -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: make extras")
    from shutbox.solver import simulation

    table = table_of(shutbox.find(name), player)
    entries = np.frombuffer(table.entries, np.int32)
    plainly = table._plainly(WORD - 5, 1000, 2_000)
    assert sum(plainly) == 2_000
    given = (entries, table.root, len(table.ends), table.most, WORD - 5, 1000, 2_000)
    assert simulation.counts(*given).tolist() == plainly


def test_many_turns_are_played_by_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba is not installed: make extras")
    table = table_of(shutbox.find("six"), "perfect")
    monkeypatch.setattr(module, "FEW", 1_000)
    wanted = table._plainly(7, 0, 1_001)
    monkeypatch.setattr(TurnTable, "_plainly", lambda *asked: pytest.fail("one by one"))
    assert table.counts(7, 0, 1_001) == wanted


def test_without_numba_turns_are_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEW", 10)
    monkeypatch.setattr(compiled, "simulation", lambda: None)
    assert sum(table_of(shutbox.find("six"), "perfect").counts(7, 0, 11)) == 11


def test_numpy_alone_does_not_play_them(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="NumPy is not installed: make extras")
    from shutbox.solver import jit

    monkeypatch.setattr(jit, "COMPILED", False)
    assert compiled.simulation.__wrapped__() is None


# Draws


def test_what_would_be_likelier_is_drawn_again() -> None:
    ways = 3 << 30  # of 2**32 words, a quarter must be drawn again
    drawn = [outcome(number * GOLDEN & WORD, ways) for number in range(30_000)]
    assert all(0 <= value < ways for value in drawn)
    thirds = Counter(value * 3 // ways for value in drawn)
    assert all(abs(count - 10_000) < 500 for count in thirds.values())
    # By the upper half of a word alone every third outcome would be twice as likely.
    assert abs(Counter(value % 3 for value in drawn)[0] - 10_000) < 500


def test_what_is_compiled_draws_again_as_python_does() -> None:
    np = pytest.importorskip("numpy", reason="NumPy is not installed: make extras")
    from shutbox.solver import simulation

    for number in range(1, 2001):
        ways = (3 << 30, 6, 5 << 29, 1)[number % 4]
        counter = number * GOLDEN & WORD
        share = int(simulation.share_of(np.uint64(counter), np.uint64(ways)))
        assert share >> 32 == outcome(counter, ways)


# What is refused


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("six", "clever"), NotUnderstood, "'clever' is not a way to play"),
        (("six", "perfect", 0), NotUnderstood, "turns: 0 is not a number of turns"),
        (("six", "perfect", 2.5), NotUnderstood, r"turns: 2\.5 is not"),
        (
            ("six", "perfect", 10**12),
            TooLarge,
            "1,000,000,000,000 turns are too many; at most 100,",
        ),
        (
            ("six", Moody(), 10**9),
            TooLarge,
            "1,000,000,000 turns are too many; at most 100,000,000",
        ),
        (("pub",), NotUnderstood, "is a match"),
        (("the-300", "random"), TooLarge, "the-300: 16,777,216 positions"),
        (("tray",), TooLarge, "tray can go on forever"),
    ],
)
def test_what_cannot_be_simulated_is_said(
    arguments: tuple[Any, ...], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        simulate(*arguments)


@pytest.mark.parametrize("position", ["six:1.2", "1.10"])
def test_turns_begin_at_no_position_of_another_game(position: str) -> None:
    with pytest.raises((NotUnderstood, ImpossiblePosition)):
        simulate("classic", turns=10, position=position)


@pytest.mark.parametrize("number", [0, 65, 1.5, "2"])
def test_what_is_no_number_of_workers_is_said(number: Any) -> None:
    with pytest.raises(NotUnderstood, match=f"workers: {number} is not a number of processes"):
        simulate("six", workers=number)


def test_a_table_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 100)
    with pytest.raises(TooLarge, match="outcomes is too large; 100 are held"):
        simulate("six", "perfect", 10)


def test_a_player_of_a_game_that_cannot_be_solved_is_asked_in_each_turn() -> None:
    found = simulate("the-300", bot("first"), 3, seed="pub")
    assert found == simulate("the-300", bot("first"), 3, seed="pub")
    assert found.turns == sum(found.counts.values()) == 3


# Processes


@pytest.mark.parametrize(
    ("player", "error", "says"),
    [
        (Cheat(), IllegalChoice, "^Cheat took '5' at six:"),
        (Breaks(), RuntimeError, "^Unspeakable: unspeakable$"),
        (Dies(), ChildProcessError, "ended before its work was done"),
    ],
)
def test_processes_are_ended_when_one_of_them_breaks(
    player: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        simulate("six", player, 2_000, workers=2)
    assert multiprocessing.active_children() == []


def test_work_that_cannot_be_sent_is_refused() -> None:
    class Local(Moody):
        pass

    with pytest.raises(NotUnderstood, match=r"cannot be sent to other processes: .*Local"):
        simulate("six", Local(), 2_000, workers=2)
    assert simulate("six", lambda *asked: asked[2][0], 500, workers=2).turns == 500


def test_who_gives_up_in_the_middle_leaves_no_process() -> None:
    work = spread(partial(pow, 2), range(5_000), 2)  # more than a pipe holds
    assert next(work) in {1, 2}
    assert len(multiprocessing.active_children()) == 2
    work.close()
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_an_interrupt_ends_the_processes(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import multiprocessing, os, signal, sys, threading, time\n"
        "import shutbox\n"
        "from test_simulate import Sleeps\n"
        "def interrupt():\n"
        "    while len(multiprocessing.active_children()) < 2: time.sleep(0.05)\n"
        "    time.sleep(0.5)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "if __name__ == '__main__':\n"
        "    threading.Thread(target=interrupt, daemon=True).start()\n"
        "    try:\n"
        "        shutbox.simulate('six', Sleeps(), 2000, workers=2)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', multiprocessing.active_children())\n"
    )
    here = Path(__file__).parent
    path = os.pathsep.join([str(here.parent / "src"), str(here)])
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "interrupted []\n", done.stderr
    assert done.stderr == ""
