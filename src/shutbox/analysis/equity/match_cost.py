"""What it takes to solve every standing of a match, estimated before any of it is done.

The estimate counts standings, the edges of a turn and the steps from standing to standing. A turn
that is quickly made is made for it; of a large one the edges are guessed.
"""

from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any

from shutbox.analysis.equity.last_round import seconds_of_answers
from shutbox.analysis.equity.ring_cost import work_of
from shutbox.analysis.solvers.select import (
    MOST_MEMORY,
    MOST_SECONDS,
    cost_of,
    in_words,
    turns_of,
)
from shutbox.errors import TooLarge
from shutbox.games.traits import Cost
from shutbox.match import Match

if TYPE_CHECKING:
    from shutbox.analysis.equity.rings import Rings
    from shutbox.analysis.equity.standings import Standings
    from shutbox.solver import lanes
    from shutbox.solver.graph import Ending

QUICK = 1.0  # seconds up to which a turn is made for the estimate
PER_EDGE = 2.2e-6  # seconds that the estimate of a turn has for one of its edges
LANE, SLOPES = 1.05e-10, 5.5e-10  # seconds for an edge and a standing: its value; and with slopes
PLAIN = 6  # times as long by NumPy alone
FOLLOW = 2.2e-10  # seconds for an edge, a standing and a player: what all get of it
WORTH = 2.5e-8  # seconds for an end and a standing: what follows from it
STEP, LOOP = 1.2e-4, 6e-4  # seconds for standings that are solved together; that lead back
NODE = 3.5e-6  # seconds for a node of standings that are solved together, by NumPy alone
ONE_CORE = 64  # so many standings together are the work of one core
NEWTON = 3  # steps of Newton's
BEGIN = 0.5  # seconds for the libraries
MEMORY = 150 << 20  # bytes for the libraries, and what is worked on


@lru_cache(maxsize=4)
def whole_turn(match: "Match[Any, Any]") -> "tuple[Standings, lanes.Flat]":
    """The standings of a match of two, and its turn."""
    from shutbox.analysis.equity.standings import Standings

    ends, flat = _turn(match)
    return Standings.of(match, ends), flat


@lru_cache(maxsize=4)
def ring_turn(match: "Match[Any, Any]") -> "tuple[Rings, lanes.Flat]":
    """The standings of a match of any number of seats, and its turn."""
    from shutbox.analysis.equity.rings import Rings

    ends, flat = _turn(match)
    return Rings.of(match, ends), flat


def _turn(match: "Match[Any, Any]") -> "tuple[list[Ending], lanes.Flat]":
    """The ends of a turn, and the turn itself."""
    from shutbox.solver import compiled

    lanes, game = compiled.lanes(), match.game
    assert lanes is not None  # `check_whole` has been asked
    turns = turns_of(game, game.start())
    graph, root = turns.graph, turns.find(game.start())
    ends = sorted(graph.ends)
    flat = lanes.flattened(graph.children, graph.weights, ends, root)
    return [graph.ends[node] for node in ends], flat


def in_one_round(match: "Match[Any, Any]") -> bool:
    """Whether a match of more than two is one round, which whole fractions are for."""
    one_round = len(match.players) > 2 and match.rules.one_round
    return one_round and seconds_of_answers(match) < inf


def check_whole(match: "Match[Any, Any]", *, anyway: bool = False) -> None:
    """Raise TooLarge where the standings of a match are not solved, or not within the limits."""
    cost = cost_of_whole(match)
    if (cost.seconds > MOST_SECONDS or cost.memory > MOST_MEMORY) and not anyway:
        raise TooLarge(
            "{name}: solving {standings:,} standings takes {cost}; at most {minutes} minutes and "
            "{memory} GB are spent",
            costly=True,
            name=match.name,
            standings=cost.positions,
            cost=in_words(cost),
            minutes=MOST_SECONDS // 60,
            memory=MOST_MEMORY >> 30,
        )


def cost_of_whole(match: "Match[Any, Any]") -> Cost:
    """What solving all standings of a match takes; `positions` are the standings.

    >>> from shutbox.lookup import find_any
    >>> cost_of_whole(find_any("race-200")).positions
    40000

    Raises TooLarge for a match that is not solved so, and where NumPy is not installed.
    """
    name, seats = match.name, len(match.players)
    if seats < 2 or match.format.stake:
        raise TooLarge(
            "{name}: all rounds of a match are solved for two players or more, and without chips; "
            "what chips are worth is solved for one round",
            name=name,
        )
    if in_one_round(match):
        return Cost(1, seconds_of_answers(match), MEMORY)
    from shutbox.solver import compiled

    lanes = compiled.lanes()
    if lanes is None:
        raise TooLarge(
            "{name}: matches of several rounds are solved with the extra fast, "
            "pip install 'shutbox[fast]'",
            name=name,
        )
    turn = cost_of(match.game, match.game.start())
    cores = lanes.cores() if lanes.COMPILED else 1
    cost = _cost_of_two if seats == 2 else _cost_of_rings
    return cost(match, turn, lanes, cores)


def _cost_of_two(match: "Match[Any, Any]", turn: Cost, lanes: Any, cores: int) -> Cost:
    from shutbox.analysis.equity.standings import Standings, TurnKind

    if turn.seconds <= QUICK:
        standings, flat = whole_turn(match)
        nodes, edges = len(flat.into), len(flat.child)
    else:
        standings = Standings.of(match, _guessed(match))
        nodes, edges = 4 * turn.positions, int(turn.seconds / PER_EDGE)
    _check_gain(match, standings)
    count = sum(map(standings.count, standings.kinds))
    seconds = BEGIN + turn.seconds + count * len(standings.ends) * WORTH
    levels = 1 if standings.counts_rounds else 1 + standings.highest_sum // max(1, standings.gain)
    steps = levels * len(standings.kinds)
    seconds += steps * STEP
    edge = (count + steps * lanes.VECTOR / 2) * LANE / _shared(count / steps, cores)
    loops = not standings.counts_rounds and not standings.gain
    if loops:
        # Those that begin a round, and the second turns after those that added nothing.
        looped = standings.count(TurnKind(1, None)) * (1 + len(standings.looping))
        edge += looped * NEWTON * SLOPES / _shared((standings.bound or 1) / 2, cores)
        seconds += levels * LOOP
    if lanes.COMPILED:
        seconds += edge * edges
    else:
        passes = steps + levels * NEWTON * (1 + len(standings.looping)) * loops
        seconds += PLAIN * edge * edges + passes * nodes * NODE
    memory = MEMORY + turn.memory + standings.numbers * (24 if loops else 8)
    return Cost(count, seconds, memory)


def _cost_of_rings(match: "Match[Any, Any]", turn: Cost, lanes: Any, cores: int) -> Cost:
    from shutbox.analysis.equity.rings import Rings

    if turn.seconds <= QUICK:
        rings, flat = ring_turn(match)
        nodes, edges = len(flat.into), len(flat.child)
    else:
        rings = Rings.of(match, _guessed(match))
        nodes, edges = 4 * turn.positions, int(turn.seconds / PER_EDGE)
    _check_gain(match, rings)
    work = work_of(rings)
    seconds = BEGIN + turn.seconds + work.seconds
    lanes_of_edges = work.rows * edges * FOLLOW
    if lanes.COMPILED:
        seconds += lanes_of_edges / _shared(work.standings / work.passes, cores)
    else:
        seconds += PLAIN * lanes_of_edges + work.passes * nodes * NODE
    return Cost(work.standings, seconds, MEMORY + turn.memory + work.memory)


def _check_gain(match: "Match[Any, Any]", standings: "Standings | Rings") -> None:
    """Raise TooLarge where totals decide, and can go down."""
    if standings.bound is not None and standings.gain < 0:
        raise TooLarge(
            "{name}: a turn can lose points, so nobody knows how long it takes", name=match.name
        )


def _shared(together: float, cores: int) -> float:
    """How many cores solve so many standings together."""
    return max(1.0, min(cores, together / ONE_CORE))


def _guessed(match: "Match[Any, Any]") -> "list[Ending]":
    """The ends of a turn, if every score there can be is one, and the best one is a shut box."""
    scoring = match.rules.scoring
    low, high = match.rules.scores
    return [(score, score == scoring.best) for score in range(low, high + 1)]
