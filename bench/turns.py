"""Simulated turns of `classic` with the optimal policy, a second and core, compared with
`play_out`.

The baseline asks the solution for each choice, and throws the dice of a seed. Two methods play
exactly the same turns: compiled, and in plain Python. Before timing, they must agree with each
other, and with the exact mean to within four standard errors. The third method asks for each choice
as the baseline does. Compiling and solving before the first turn are not timed.
"""

import statistics
from collections.abc import Callable
from functools import partial

import shutbox
from bench import note, seconds, times
from shutbox.engine.cups import SeededCup
from shutbox.solving import GraphSolution, Solution, jit
from shutbox.solving.simulation import FEW, TurnTable
from shutbox.solving.strategy.following import policy_graph_of

ROUNDS = 5
"""The number of timings for a median."""
ASKED = 300
PLAIN = 20_000
TURNS = 2_000_000


class Best:
    """A player that asks the solution for every choice."""

    deterministic = False

    def __init__(self, solution: Solution[object, object]) -> None:
        self.solution = solution

    def pick(self, game: object, position: object, choices: tuple[object, ...]) -> object:
        return self.solution.best(position).choice


def main() -> None:
    """Print turns a second and their ratios."""
    solution = shutbox.solve("classic")
    assert isinstance(solution, GraphSolution)
    table = TurnTable.of(policy_graph_of("perfect", solution))
    player, cup = Best(solution), SeededCup("bench")
    ways: list[tuple[str, int, Callable[[], object]]] = [
        ("plain Python", PLAIN, partial(table._plainly, 7, 0, PLAIN)),
        ("asked", ASKED, partial(shutbox.simulate, "classic", player, ASKED, seed="bench")),
    ]
    if jit.COMPILED:
        ways.append(("compiled", TURNS, partial(table.counts, 7, 0, TURNS)))
    agree(table)
    print("turns of classic, the optimal policy, per second on one core; baseline: play_out")
    baseline = ASKED / timed(partial(played_out, player, cup))
    print(f"{'play_out':>14} {baseline:>12,.0f}")
    for name, turns, play in ways:
        rate = turns / timed(play)
        print(f"{name:>14} {rate:>12,.0f} {rate / baseline:>9,.0f} times")
        note(f"turns simulated, {name}", rate, "a second", baseline)


def timed(play: Callable[[], object]) -> float:
    return statistics.median(seconds(play) for _ in range(times(ROUNDS)))


def played_out(player: Best, cup: SeededCup) -> None:
    for _ in range(ASKED):
        shutbox.play_out(player.solution.game, player, cup)


def agree(table: TurnTable) -> None:
    """Check that the methods agree with each other, and with the exact mean."""
    assert table.counts(7, 0, FEW + 1) == table._plainly(7, 0, FEW + 1)
    found = shutbox.simulate("classic", "perfect", TURNS, seed="bench")
    exact = float(shutbox.evaluate("classic", "perfect").value)
    assert abs(found.mean - exact) < 4 * found.standard_error


if __name__ == "__main__":
    main()
