"""The estimated cost of solving every standing of a match.

A standing is a position of the match in which a turn begins, see `numbering`; `sweep` solves them.
The estimate counts standings without listing them, the edges of the graph of a turn (guessed if it
is not QUICK to build), and the steps from standing to standing.
"""

from collections import Counter
from functools import lru_cache
from math import inf, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from shutbox.engine.errors import NotInstalled, TooLarge
from shutbox.engine.messages import gettext_noop
from shutbox.games.traits import Cost
from shutbox.match import Match, WhenShut, full_title
from shutbox.solving import compiled
from shutbox.solving.equity.last_round_limits import check_format, seconds_of_last_round
from shutbox.solving.equity.rows import cost_of_rows
from shutbox.solving.solvers import cost_of, graph_of_turn, is_within_limits, too_costly

if TYPE_CHECKING:
    from shutbox.solving import columns
    from shutbox.solving.equity.numbering import Numbering

QUICK = 1.0  # seconds up to which the graph of a turn is built for the estimate
PER_EDGE = 2.2e-6  # seconds per edge in the cost estimate of a turn
COLUMN = 1.1e-10  # seconds per edge and standing: the value for the player who is due
ROW = 3e-10  # seconds per edge, standing and row, if there is more than one row
PLAIN = 6  # the slowdown with NumPy alone
NODE = 3.5e-6  # seconds per node and batch of standings, with NumPy alone
SUCCESSOR = 2.5e-8  # seconds per end, standing and player: the successors
STEP = 6e-4  # seconds per batch of standings
STEPS = 3  # of Newton's method, if standings lead back
GRID = 4e-9  # seconds per standing tried when all with a given sum of totals are listed
FEW = 20_000  # histories of a round up to which they are counted; above, a bound is used
ONE_CORE = 64  # standings of a batch that keep one core busy
BEGIN = 0.5  # seconds to import the libraries
MEMORY = 150 << 20  # bytes for the libraries and temporary arrays


@lru_cache(maxsize=4)
def whole_turn(match: Match[Any, Any]) -> "tuple[Numbering, columns.Flat]":
    """Return the numbering of a match's standings, and the graph of its turn as arrays; cached.

    The caller has called `check_whole`.
    """
    from shutbox.solving.equity.numbering import Numbering

    game = match.game
    turns = graph_of_turn(game, game.start())
    graph, root = turns.graph, turns.find(game.start())
    ends = sorted(graph.ends)
    flat = compiled.import_columns().flatten(graph.children, graph.weights, ends, root)
    return Numbering.of(match, [graph.ends[node] for node in ends]), flat


def in_one_round(match: Match[Any, Any]) -> bool:
    """Whether `LastRound` solves a match: one round, of three or more or with shut=doubles."""
    several = len(match.players) > 2 or match.format.shut is WhenShut.DOUBLES
    one_round = several and match.rules.one_round
    return one_round and seconds_of_last_round(match) < inf


def check_whole(match: Match[Any, Any], *, anyway: bool = False) -> None:
    """Raise TooLarge if a match cannot be solved, or, unless `anyway`, not within the limits."""
    cost = cost_of_whole(match)
    if not (anyway or is_within_limits(cost)):
        says = gettext_noop(
            "{name}: solving {positions:,} standings takes {cost}; at most {seconds} and {memory} "
            "are spent"
        )
        raise too_costly(says, cost, name=full_title(match))


class _NumPyNotInstalled(NotInstalled, TooLarge, code=NotInstalled.code):
    """The extra `fast` is not installed, and without it a match is too large to solve."""


def cost_of_whole(match: Match[Any, Any]) -> Cost:
    """Estimate the cost of solving all standings of a match; `positions` counts standings.

    >>> from shutbox.table.lookup import find_any
    >>> cost_of_whole(find_any("race-200")).positions
    40000

    Raises TooLarge for a match that cannot be solved this way (a lone player, chips, or turns that
    can lose points). Without NumPy, if it is needed, the error is a NotInstalled as well.
    """
    name = full_title(match)
    if match.rules.rows:
        return cost_of_rows(match)
    if len(match.players) < 2 or match.format.stake:
        raise TooLarge(
            "{name}: all rounds of a match are solved for two players or more, and without chips; "
            "what chips are worth is solved for one round",
            name=name,
        )
    if in_one_round(match):
        return Cost(1, seconds_of_last_round(match), MEMORY)
    check_format(match)
    if (columns := compiled.import_columns()) is None:
        says = gettext_noop(
            "{name}: matches of several rounds are solved with NumPy, which is not installed; in "
            "a clone of shutbox, pip install '.[fast]' brings it"
        )
        raise _NumPyNotInstalled(says, extra="fast", name=name)
    from shutbox.solving.equity.numbering import Numbering

    turn = cost_of(match.game, match.game.start())
    if turn.seconds <= QUICK:
        numbering, flat = whole_turn(match)
        nodes, edges = len(flat.into), len(flat.child)
    else:
        # Assume that all scores are possible, and that only the best shuts the box.
        (low, high), best = match.rules.score_range, match.rules.scoring.best
        numbering = Numbering.of(match, [(n, n == best) for n in range(low, high + 1)])
        nodes, edges = 4 * turn.positions, int(turn.seconds / PER_EDGE)
    if numbering.memory.deciding_total is not None and numbering.memory.gain < 0:
        raise TooLarge(
            "{name}: a turn can lose points, so nobody knows how long it takes", name=name
        )
    work = work_of(numbering)
    seconds = BEGIN + turn.seconds + work.seconds
    if columns.COMPILED:
        cores = min(columns.jit.cores(), work.standings / work.batches / ONE_CORE)
        seconds += work.per_edge * edges / max(1.0, cores)
    else:
        seconds += PLAIN * work.per_edge * edges + work.batches * nodes * NODE
    return Cost(work.standings, seconds, MEMORY + turn.memory + work.memory)


class Work(NamedTuple):
    """An estimate of the work to solve all standings of a match."""

    standings: int
    seconds: float  # without the edges of the graph of a turn
    per_edge: float  # seconds for each of these edges, on one core
    batches: int  # of standings that are solved side by side
    memory: int  # bytes


def work_of(numbering: "Numbering") -> Work:
    """Estimate the work of a match by counting its standings, without listing them."""
    from shutbox.solving.equity.memory import RoundHistory
    from shutbox.solving.equity.numbering import TurnState

    memory = numbering.memory
    histories = Counter({t: memory.most_histories(t) for t in range(memory.seats)})
    looped = histories
    if histories.total() <= FEW:
        histories = Counter(history.turns for history in memory.histories)
        looped = Counter(history.turns for history in memory.idle_histories)
    back = memory.can_loop
    standings, values, batches, grids, largest = 0, 0, 0, 0, 0
    successors, per_edge = 0.0, 0.0
    for round in range(1, (memory.format.rounds or 1) + 1):
        for players in range(numbering.fewest, memory.seats + 1):
            sums = 1 if memory.counts_rounds else numbering.highest_sum(players) + 1
            steps = -(-sums // max(1, memory.gain))
            for turns, number in histories.items():
                if turns >= players:
                    continue
                state = TurnState(round, players, RoundHistory(turns))
                count = numbering.count_possible(state)
                standings += number * count
                values += number * players * numbering.size(state)
                # Each Newton step solves the looping standings again, with their slopes.
                repeated = looped[turns] * (STEPS - 1) * back
                successors += (number + repeated / 4) * (players - 1) * count
                column = COLUMN if players == 2 else ROW * (players - 1)
                per_edge += (number * column + repeated * players * ROW) * max(count, steps * 4)
                batches += (number + repeated) * steps
                if not memory.counts_rounds:
                    firsts = prod(len(totals) for totals in numbering.ranges(state)[:-1])
                    grids += sums * firsts
                    largest = max(largest, players * firsts)
    seconds = successors * len(memory.ends) * SUCCESSOR + batches * STEP + grids * GRID
    return Work(standings, seconds, per_edge, batches, values * (8 + back * 25) + 24 * largest)
