"""What follows from a turn, for many standings of a match of any number of seats at a time.

`match.transitions` says what follows from one end of one turn for one standing; here it is said in
arithmetic. Players are told by their places in the ring, see `rings`.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from shutbox.analysis.equity.rings import Past, RingKind, Rings
from shutbox.analysis.equity.standings import Flags, Floats, Integers
from shutbox.match import WhenShut
from shutbox.match.atoms import Order, Ties, Until
from shutbox.solver.graph import Ending


class Onward(NamedTuple):
    """Standings that one end of a turn leads to, all of one kind."""

    columns: Integers  # of which of the standings that were asked
    numbers: Integers  # what they lead to
    share: float  # how often
    kind: RingKind
    rows: tuple[int | None, ...]
    """By place, which row of the values there is that player's; None: he is out, and gets 0."""


class Follows(NamedTuple):
    """What one end of a turn leads to in many standings: the `ways`, or a match that is over."""

    sure: Floats  # float64[players, B], by place: the shares where the match is over, else 0
    ways: list[Onward]


def follow(rings: Rings, kind: RingKind, totals: Integers, end: Ending) -> Follows:
    """What an end of a turn leads to in standings of a kind; `totals` as in `place`."""
    (score, shut), format, due = end, rings.format, kind.past.turns
    wins = shut and format.shut is WhenShut.WINS
    now = totals.copy()
    now[due] += score
    if rings.stops and format.limit is not None:
        np.minimum(now[due], format.limit, out=now[due])
    over = np.full(now.shape[1], wins or (due == kind.players - 1 and not rings.alike))
    if rings.stops and format.target is not None:
        over |= now[due] >= format.target
    if rings.stops and format.limit is not None:
        over |= (now >= format.limit).sum(axis=0) >= kind.players - 1
    past = Past() if rings.alike else rings.next(kind.past, end)
    sure, ways = np.zeros(now.shape), list[Onward]()
    going = np.flatnonzero(~over)
    if len(going):
        ways += _further(rings, kind, past, now, going)
    ended = np.flatnonzero(over)
    if len(ended):
        last = now[:, ended]
        before = last >= format.limit if rings.stops and format.limit is not None else None
        if wins:
            last[due + 1 :] += rings.worst
        decided = _decided(rings, kind, past, last, wins=wins)
        if decided.any():
            which = (last[:, decided], None if before is None else before[:, decided])
            sure[:, ended[decided]] = _shares(rings, past, *which, wins=wins)
        if not decided.all():
            leading = (due,) if wins else past.leading
            ways += _next_round(rings, kind, leading, last[:, ~decided], ended[~decided])
    return Follows(sure, ways)


def _further(
    rings: Rings, kind: RingKind, past: Past, now: Integers, columns: Integers
) -> Iterator[Onward]:
    """The next turn of a round; where turns are alike, the next of those who are in."""
    players = kind.players
    if not rings.alike:
        there = kind._replace(past=past)
        rows = tuple((place - past.turns) % players for place in range(players))
        yield Onward(columns, rings.place(there, now[:, columns]), 1.0, there, rows)
        return
    out = np.zeros(len(columns), np.bool_)
    if rings.format.limit is not None:
        out = now[0, columns] >= rings.format.limit
    for some, gone in ((columns[~out], 0), (columns[out], 1)):
        if len(some):
            there = RingKind(1, players - gone, Past())
            order = [*range(1, players), *([0] if not gone else [])]
            yield _led(rings, there, now, some, 1.0, order)


def _led(
    rings: Rings, there: RingKind, now: Integers, columns: Integers, share: float, order: list[int]
) -> Onward:
    """The way to where those of these places play on, in that order."""
    rows: list[int | None] = [None] * len(now)
    for row, place in enumerate(order):
        rows[place] = row
    numbers = rings.place(there, now[order][:, columns])
    return Onward(columns, numbers, share, there, tuple(rows))


def _decided(rings: Rings, kind: RingKind, past: Past, last: Integers, *, wins: bool) -> Flags:
    """Whether the match is over once a round is."""
    format = rings.format
    ends = rings.counts_rounds and kind.round == format.rounds
    ends = ends or (format.until is Until.SHUT and (wins or bool(past.shut)))
    decided = np.full(last.shape[1], ends)
    if format.target is not None:
        decided |= (last >= format.target).any(axis=0)
    if format.limit is not None:
        decided |= (last < format.limit).sum(axis=0) < 2
    return decided


def _shares(
    rings: Rings, past: Past, last: Integers, before: Flags | None, *, wins: bool
) -> Floats:
    """Everybody's share of the win, by place; `before` says who went out with his turn."""
    format = rings.format
    due = past.turns - 1 if not rings.alike else 0
    won = np.zeros(last.shape, np.bool_)
    if wins and (rings.one_round or format.until is Until.SHUT):
        won[due] = True
    elif past.shut:
        won[[place for place in past.shut if place in past.leading] or list(past.shut)] = True
    else:
        can = np.ones(last.shape, np.bool_)
        if format.limit is not None:
            can = last < format.limit
            # If all who were left went out at once, the best total among them wins.
            left = np.ones(last.shape, np.bool_) if before is None else ~before
            can = np.where(can.any(axis=0), can, left)
        sign = -1 if rings.low_is_good else 1
        lowest = np.iinfo(np.int64).min
        worth = np.where(can, sign * last, lowest)
        won = worth == worth.max(axis=0)
    shares: Floats = won / won.sum(axis=0)
    return shares


def _next_round(
    rings: Rings, kind: RingKind, leading: Sequence[int], last: Integers, columns: Integers
) -> Iterator[Onward]:
    """Those who are still in play another round; the winner of this one may begin."""
    every = range(kind.players)
    out = np.zeros(last.shape, np.bool_)
    if rings.format.limit is not None:
        out = last >= rings.format.limit
    now = np.zeros((kind.players, columns.max() + 1), np.int64)
    now[:, columns] = last
    round = kind.round + rings.counts_rounds
    for number in range(2, kind.players + 1):
        for staying in combinations(every, number):
            gone = np.array([place not in staying for place in every])[:, None]
            some = columns[(out == gone).all(axis=0)]
            if len(some):
                there = RingKind(round, number, Past())
                firsts = _firsts(rings, staying, leading)
                for first, share in firsts.items():
                    place = staying.index(first)
                    order = [*staying[place:], *staying[:place]]
                    yield _led(rings, there, now, some, share, order)


def _firsts(rings: Rings, staying: Sequence[int], leading: Sequence[int]) -> dict[int, float]:
    """Who may begin the next round, and how often."""

    def from_on(place: int) -> int:
        """The first of those staying from a place on, round the ring."""
        return next((one for one in staying if one >= place), staying[0])

    match rings.format.order:
        case Order.SEATS:
            return {from_on(0): 1.0}
        case Order.ROTATE:
            return {from_on(1): 1.0}
        case Order.WINNER:
            tied = leading if rings.format.ties is Ties.THROW_OFF else leading[:1]
            found = dict[int, float]()
            for place in tied:
                found[from_on(place)] = found.get(from_on(place), 0.0) + 1 / len(tied)
            return found
