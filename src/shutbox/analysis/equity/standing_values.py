"""The values of all standings of a match: worked out once, kept in a book, and read by seat."""

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from shutbox.analysis.equity.last_round import Place
from shutbox.analysis.equity.match_cost import in_one_round, ring_turn, whole_turn
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.match.standing import Status, Turn
from shutbox.solver import tablebase
from shutbox.solver.graph import Progress

if TYPE_CHECKING:
    from shutbox.analysis.equity.standings import Floats

VERSION = 1  # counted up whenever the same match may have other values


class Numbered(Protocol):
    """The standings of a match by number."""

    kind: str  # of numbers, for the identity of a book

    @property
    def ends(self) -> "tuple[tuple[int, bool], ...]":
        """Those of a turn, in the order that numbers depend on."""

    @property
    def numbers(self) -> int:
        """How many numbers there are."""

    def solved(self, near: float, progress: Progress) -> "Floats":
        """The values of all of them."""

    def shares(self, values: "Floats", here: Place) -> list[float] | None:
        """Every seat's share of the win where a turn begins; None where no match comes to that."""


class NumberedForTwo:
    """Those of a match of two."""

    kind = "match"

    def __init__(self, match: "Match[Any, Any]") -> None:
        self.standings, self._turn = whole_turn(match)
        self.ends, self.numbers = self.standings.ends, self.standings.numbers

    def solved(self, near: float, progress: Progress) -> "Floats":
        """One value for each standing: between two it does not matter which tie is taken."""
        from shutbox.analysis.equity.backward import Backward
        from shutbox.solver import compiled

        return Backward(self.standings, self._turn, compiled.lanes(), progress).values

    def shares(self, values: "Floats", here: Place) -> list[float] | None:
        """Those of both."""
        assert isinstance(here.doing, Turn)  # the caller has seen that a turn lies there
        number = self.standings.number(here)
        if number is None or any(tally.status is not Status.IN for tally in here.tallies):
            return None
        mine = float(values[number])
        return [mine, 1 - mine] if here.doing.seat == 0 else [1 - mine, mine]


class NumberedInRings:
    """Those of a match of any number of seats."""

    kind = "rings"

    def __init__(self, match: "Match[Any, Any]") -> None:
        self._rings, self._turn = ring_turn(match)
        self.ends, self.numbers = self._rings.ends, self._rings.numbers

    def solved(self, near: float, progress: Progress) -> "Floats":
        """A value for each player of each standing."""
        from shutbox.analysis.equity.ring_backward import RingBackward
        from shutbox.solver import compiled

        return RingBackward(self._rings, self._turn, compiled.lanes(), near, progress).values

    def shares(self, values: "Floats", here: Place) -> list[float] | None:
        """Those of all seats; who is out has none."""
        if (found := self._rings.number(here)) is None:
            return None
        kind, number, seats = found
        shares = [0.0] * self._rings.seats
        for row, seat in enumerate(seats):
            shares[seat] = float(values[number + row * self._rings.size(kind)])
        return None if any(share != share for share in shares) else shares  # NaN: it cannot be


def numbered(match: "Match[Any, Any]") -> Numbered:
    """The standings of a match."""
    return NumberedForTwo(match) if len(match.players) == 2 else NumberedInRings(match)


def values_of(
    match: "Match[Any, Any]", standings: Numbered, near: float, progress: Progress
) -> "Floats":
    """The values of all standings: from a book, or worked out and kept."""
    from shutbox.analysis.equity.backward import read_only
    from shutbox.solver import compiled

    identity, name = _identity(match, standings)
    lasting = traits_of(match.game).lasting
    if lasting and (book := tablebase.read(identity, name=name)) is not None:
        with suppress(tablebase.Damaged):
            if len(book) == standings.numbers:
                return read_only(book.values())
    values: Floats = compiled.called(lambda: standings.solved(near, progress))
    if lasting:
        tablebase.write(identity, {}, cast(Any, values), name=name)
    return values


def are_kept(match: "Match[Any, Any]") -> bool:
    """Whether there is a book of them, as far as can be seen without opening it.

    The turn is made for it, so `match_cost.check_whole` is asked before.
    """
    if in_one_round(match):
        return False
    identity, name = _identity(match, numbered(match))
    return traits_of(match.game).lasting and tablebase.exists(identity, name=name)


def _identity(match: "Match[Any, Any]", standings: Numbered) -> tuple[str, str]:
    """The identity of a book, and its name."""
    # Who begins the first round is not a question of what a standing is worth.
    alike = str(replace(match.format, begins=1))
    asked: list[object] = [standings.kind, VERSION, match.game.name, alike]
    asked += [match.game.card().options, list(standings.ends)]
    if standings.kind != NumberedForTwo.kind:
        asked.append(len(match.players))
    name = f"match-{match.game.name.partition('(')[0]}"
    return json.dumps(asked, separators=(",", ":")), name
