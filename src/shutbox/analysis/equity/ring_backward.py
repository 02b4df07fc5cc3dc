"""Every standing of a match of any number of seats solved, from the last ones to the first.

The order is that of `backward`: by rounds where they are counted, else by the sum of the totals;
where somebody can be out, standings of fewer players come first. The player who is due goes for his
own share, and takes the first of choices that are as good to him. What the others get follows from
what he does, so each standing has a share for everybody.

Where a round may add nothing a standing leads back to itself, or to one in which another player
begins. What the round is worth to each player there depends on what it is worth to begin it, for
each of those who may. While the choices stay as they are it does so linearly; one small system for
each standing is solved, and the choices are made anew for what comes of it, until nothing changes.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from shutbox.analysis.equity.backward import MOST_STEPS, MOST_WORTHS, SAME, endless
from shutbox.analysis.equity.ring_turns import Follows, follow
from shutbox.analysis.equity.rings import RingKind, Rings
from shutbox.analysis.equity.standings import Floats, Integers
from shutbox.errors import TooLarge
from shutbox.match.atoms import Order
from shutbox.solver.graph import Progress, unheard

if TYPE_CHECKING:
    from shutbox.solver import columns

MOST_PLAIN = 1000  # of the plain steps after those of Newton


class RingBackward:
    """The shares of the win at all standings, by the numbers of `rings`: float64[numbers].

    NaN for numbers of what cannot come up. Raises TooLarge for a match that goes on for ever with
    certainty, and for one in which the choices find no rest.
    """

    def __init__(
        self,
        rings: Rings,
        turn: "columns.Flat",
        columns: Any,
        near: float,
        progress: Progress = unheard,
    ) -> None:
        self._rings = rings
        self._turn = turn
        self._columns = columns
        self._near = near
        self._progress = progress
        self._done, self._in_all = 0, sum(map(rings.count, rings.kinds))
        self._most = max(1, MOST_WORTHS // len(rings.ends))
        self.values: Floats = np.full(rings.numbers, np.nan)
        if rings.counts_rounds:
            for kind in reversed(rings.kinds):
                for totals in rings.cells(kind, self._most):
                    self._settle(kind, totals)
            return
        for players in sorted({kind.players for kind in rings.kinds}):
            kinds = [kind for kind in reversed(rings.kinds) if kind.players == players]
            if rings.gain:
                self._by_sums(kinds)
            else:
                self._slopes = np.zeros((len(self._begins(players)), rings.numbers))
                self._back = np.zeros(rings.numbers, np.bool_)
                for total in range(rings.highest_sum(players), -1, -1):
                    self._loop(kinds, total)

    def _by_sums(self, kinds: list[RingKind]) -> None:
        """Sums that are less apart than what a turn adds cannot lead to one another."""
        rings, gain = self._rings, self._rings.gain
        for top in range(rings.highest_sum(kinds[0].players), -1, -gain):
            sums, turns = range(top, max(-1, top - gain), -1), -1
            for kind in kinds:
                if kind.past.turns != turns:
                    turns = kind.past.turns
                    totals = np.hstack([rings.diagonal(kind, total) for total in sums])
                self._settle(kind, totals)

    def _settle(self, kind: RingKind, totals: Integers) -> None:
        """Solve standings of a kind once all is known that they lead to."""
        for begin in range(0, totals.shape[1], self._most):
            part = totals[:, begin : begin + self._most]
            worths = np.empty((kind.players - 1, len(self._rings.ends), part.shape[1]))
            for row, end in enumerate(self._rings.ends):
                worths[:, row] = self._worths(kind, follow(self._rings, kind, part, end))
            found = self._columns.followed(self._turn, worths[0], worths[1:], self._near)
            self._keep(kind, self._rings.place(kind, part), found)
            self._told(part.shape[1])

    def _keep(self, kind: RingKind, numbers: Integers, found: Floats) -> None:
        size = self._rings.size(kind)
        for row, shares in enumerate(found):
            self.values[numbers + row * size] = shares
        self.values[numbers + len(found) * size] = 1 - found.sum(axis=0)

    def _told(self, more: int) -> None:
        self._done += more
        self._progress(self._done, self._in_all)

    def _worths(self, kind: RingKind, follows: Follows) -> Floats:
        """What an end is worth to the player who is due, the next, ...: float64[players - 1, B]."""
        due, players = kind.past.turns, kind.players
        places = [(due + step) % players for step in range(players - 1)]
        worths: Floats = follows.sure[places]
        for way in follows.ways:
            size = self._rings.size(way.kind)
            for step, place in enumerate(places):
                if (row := way.rows[place]) is not None:
                    there = self.values[way.numbers + row * size]
                    worths[step, way.columns] += way.share * there
        return worths

    # Standings that lead back to themselves

    def _begins(self, players: int) -> list[int]:
        """The places that may begin the next round if this one adds nothing."""
        if self._rings.alike:
            return [1]
        order = self._rings.format.order
        return {Order.SEATS: [0], Order.ROTATE: [1]}.get(order, list(range(players)))

    def _loop(self, kinds: list[RingKind], total: int) -> None:
        """Solve all standings whose totals come to a sum, from which a turn may lead to others."""
        rings = self._rings
        first = kinds[-1]
        if rings.diagonal(first, total).size:
            loops = [kind for kind in kinds if kind.past in rings.looping]
            self._solve_loop([_Looping(self, kind, total) for kind in loops])
            kinds = [kind for kind in kinds if kind not in loops]
        turns = -1
        for kind in kinds:
            if kind.past.turns != turns:
                turns, totals = kind.past.turns, rings.diagonal(kind, total)
            self._settle(kind, totals)

    def _solve_loop(self, turns: "list[_Looping]") -> None:
        """Find what it is worth to begin a round, the last of these turns."""
        first = turns[-1]
        self._keep(first.kind, first.numbers, first.guess())
        self._back[first.numbers] = True
        for turn in turns:
            turn.known()
        for step in range(MOST_STEPS + MOST_PLAIN):
            for turn in turns[:-1]:
                shares, self._slopes[:, turn.numbers] = turn.played()
                self._keep(turn.kind, turn.numbers, shares)
            shares, slopes = first.played()
            before = first.shares()
            found = np.vstack([shares, 1 - shares.sum(axis=0)])
            if step < MOST_STEPS:
                found = self._crossing(first, found, slopes, before)
            self._keep(first.kind, first.numbers, found[:-1])
            if np.abs(found - before).max() <= SAME:
                break
        else:
            raise TooLarge("a match in which the best choices depend on one another without end")
        for turn in turns:
            self._slopes[:, turn.numbers] = 0.0
            self._told(len(turn.numbers))
        self._back[first.numbers] = False

    def _crossing(self, first: "_Looping", found: Floats, slopes: Floats, before: Floats) -> Floats:
        """Where the values are those that they are computed from.

        A ring that is begun elsewhere is another standing of the same sum. For each standing those
        of all beginnings are unknown together, told by the places of this one.
        """
        players, count = found.shape
        begins = self._begins(players)
        turned = first.turned()  # [players, B]: the column of the ring begun at each place
        rest = found.copy()  # what comes of the ends that do not lead back
        for slope, begin in zip(slopes, begins, strict=True):
            rest -= slope * np.roll(before[:, turned[begin]], begin, axis=0)
        system = np.zeros((count, players, players))
        known = np.zeros((count, players, players))
        for begun in range(players):
            system[:, begun, begun] += 1
            known[:, begun] = np.roll(rest[:, turned[begun]], begun, axis=0).T
            for slope, begin in zip(slopes, begins, strict=True):
                system[:, begun, (begun + begin) % players] -= slope[turned[begun]]
        if np.any(np.abs(np.linalg.det(system)) < 1e-9):
            raise endless()
        return np.asarray(np.linalg.solve(system, known)[:, 0].T, np.float64)


class _Looping:
    """Standings of one kind and one sum, and what their turns lead to."""

    def __init__(self, whole: RingBackward, kind: RingKind, total: int) -> None:
        self._whole = whole
        self.kind = kind
        rings = self._rings = whole._rings
        self._totals = rings.diagonal(kind, total)
        self.numbers = rings.place(kind, self._totals)
        self._rows = [
            (row, follow(rings, kind, self._totals, rings.ends[row])) for row in rings.back
        ]
        self._size = rings.size(kind)

    def guess(self) -> Floats:
        """All shares alike."""
        found: Floats = np.full((self.kind.players - 1, len(self.numbers)), 1 / self.kind.players)
        return found

    def shares(self) -> Floats:
        """What is known, a row for each player from the one who is due."""
        rows = range(self.kind.players)
        return np.array([self._whole.values[self.numbers + r * self._size] for r in rows])

    def turned(self) -> Integers:
        """Where in these standings those are that are begun at another place, by the place."""
        order = np.argsort(self.numbers)
        places = [
            self._rings.place(self.kind, np.roll(self._totals, -begin, axis=0))
            for begin in range(self.kind.players)
        ]
        found: Integers = order[np.searchsorted(self.numbers, places, sorter=order)]
        return found

    def known(self) -> None:
        """What the ends are worth that lead on."""
        whole, rings, kind = self._whole, self._rings, self.kind
        slopes = len(whole._slopes)
        shape = (kind.players - 1 + slopes, len(rings.ends), len(self.numbers))
        self._worths = np.zeros(shape)
        for row, end in enumerate(rings.ends):
            if row not in rings.back:
                follows = follow(rings, kind, self._totals, end)
                self._worths[: kind.players - 1, row] = whole._worths(kind, follows)

    def played(self) -> tuple[Floats, Floats]:
        """What the turn is worth by what is known so far, and how often it leads back."""
        whole, others = self._whole, self.kind.players - 1
        begins = whole._begins(self.kind.players)
        for row, follows in self._rows:
            self._worths[:others, row] = whole._worths(self.kind, follows)
            slopes = self._worths[others:, row]
            slopes[:] = 0.0
            for way in follows.ways:
                if way.kind.past.turns:
                    slopes[:, way.columns] += way.share * whole._slopes[:, way.numbers]
                elif (place := way.rows.index(0)) in begins:
                    back = whole._back[way.numbers]
                    slopes[begins.index(place), way.columns] += way.share * back
        found = whole._columns.followed(whole._turn, self._worths[0], self._worths[1:], whole._near)
        return found[:others], found[others:]
