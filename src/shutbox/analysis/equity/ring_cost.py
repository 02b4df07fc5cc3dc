"""What it takes to solve every standing of a match of three and more, before any of it is done.

The estimate counts standings without listing them, see `cost`.
"""

from collections import Counter
from math import prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shutbox.analysis.equity.rings import Rings

WORTH = 3e-8  # seconds for an end, a standing and a player: what follows from it
END = 1.2e-4  # seconds for an end of standings that are solved together
STEPS = 3  # of Newton's, where standings lead back
FEW = 20_000  # kinds of turns of a round, of which fewer are counted, and of more a bound is taken
GRID = 4e-9  # seconds for a standing that is looked at to find those of a sum


class Work(NamedTuple):
    """What there is to do."""

    standings: int
    rows: float  # of shares that a turn is solved for
    passes: int  # standings that are solved together, how many times
    seconds: float  # besides the turns
    memory: int  # bytes


def work_of(rings: "Rings") -> Work:
    """What solving the standings of a match takes."""
    from shutbox.analysis.equity.rings import Past, RingKind

    ends = len(rings.ends)
    pasts = Counter({turns: rings.most_pasts(turns) for turns in range(rings.seats)})
    looped = pasts
    if pasts.total() <= FEW:
        pasts = Counter(past.turns for past in rings.pasts)
        looped = Counter(past.turns for past in rings.looping)
    leads_back = not rings.counts_rounds and not rings.gain
    fewest = rings.seats if rings.format.limit is None else 2
    standings, numbers, passes, grids, largest = 0, 0, 0, 0, 0
    worths, solved = 0.0, 0.0
    for round in range(1, (rings.format.rounds or 1) + 1):
        for players in range(fewest, rings.seats + 1):
            sums = 1 if rings.counts_rounds else rings.highest_sum(players) + 1
            steps = -(-sums // max(1, rings.gain))
            for turns, alike in pasts.items():
                if turns >= players:
                    continue
                kind = RingKind(round, players, Past(turns))
                count, size = rings.count(kind), rings.size(kind)
                standings += alike * count
                numbers += alike * players * size
                again = looped[turns] * (STEPS - 1) * leads_back
                # Each step solves those that lead back anew, with how often they do.
                worths += (alike + again / 4) * (players - 1) * count
                solved += (alike * (players - 1) + again * players) * max(count, steps * 4)
                passes += (alike + again) * steps
                if not rings.counts_rounds:
                    firsts = [len(one) for one in rings.ranges(kind)[:-1]]
                    grids += sums * prod(firsts)
                    largest = max(largest, players * prod(firsts))
    seconds = worths * ends * WORTH + passes * ends * END + grids * GRID
    memory = numbers * (8 + leads_back * 25) + 24 * largest
    return Work(standings, solved, passes, seconds, memory)
