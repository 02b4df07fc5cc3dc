"""A file with the values of all games, for comparing solvers, and its verification.

For each game and aim, `values` has the value of every position before a throw, by position text,
and `situations` the value of each choice at some thrown positions. A game with very many positions
only has the value of its start. The hash covers the values alone, not the layout of the file.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import groupby
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

from shutbox.analysis.solvers.select import solve
from shutbox.errors import BadRecord, ShutboxError
from shutbox.games.catalogue import find
from shutbox.solver.solution import Solution

FORMAT = "shutbox values 1"
DIGITS = 10  # the significant digits of a value in the file; further ones depend on the machine
TOLERANCE = 1e-9  # the relative or absolute difference up to which values are equal


class Value(NamedTuple):
    """A value in the file: of a position before a throw, or of a choice at a thrown position."""

    aim: str
    position: str  # the part of the position text after the colon
    choice: str  # empty for the value of the position
    value: float


def values_of(stanza: Mapping[str, Any]) -> Iterator[Value]:
    """Yield the values in a game's stanza, {aim: {"values": ..., "situations": ...}}, in order."""
    for aim, found in stanza.items():
        for position, value in found["values"].items():
            yield Value(aim, position, "", value)
        for position, choices in found["situations"].items():
            for choice, value in choices.items():
                yield Value(aim, position, choice, value)


def hash_of(games: Mapping[str, Any]) -> str:
    """Return the SHA-256 in hex of all values: sorted lines "game aim position choice value".

    >>> hash_of({"six": {"mean": {"values": {"": 8.851311}, "situations": {}}}})[:16]
    'd474cd4656b18b5d'
    """
    lines = sorted(
        f"{name} {one.aim} {one.position} {one.choice} {one.value:.{DIGITS}g}\n"
        for name, stanza in games.items()
        for one in values_of(stanza)
    )
    return sha256("".join(lines).encode()).hexdigest()


def read_values(file: Path) -> dict[str, Any]:
    """Return each game's stanza by its name. Raises BadRecord if the file is missing or damaged."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        games = data["games"]
        is_sound = data["format"] == FORMAT and data["hash"] == hash_of(games)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadRecord("{file} has no values that can be read", file=file) from error
    if not is_sound:
        raise BadRecord("{file} is damaged: its values do not have its hash", file=file)
    return dict(games)


def verify(name: str, stanza: Mapping[str, Any]) -> list[tuple[Value, float | None]]:
    """Solve the game `name` again; return the values that differ, with the right ones or None.

    None stands for a position or choice that does not exist. Raises what `find` and `solve` raise.
    """
    game, wrong = find(name), list[tuple[Value, float | None]]()
    for aim, values in groupby(values_of(stanza), key=lambda one: one.aim):
        solution = solve(game, aim)
        for one in values:
            try:
                right = _computed(solution, one)
            except ShutboxError:  # of a position or a choice that does not exist
                right = None
            if right is None or not isclose(one.value, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                wrong.append((one, right))
    return wrong


def _computed(solution: Solution[Any, Any], one: Value) -> float | None:
    """Return a solution's value of a position or a choice there; None if it has no such choice."""
    position = solution.game.position_at(one.position)
    if not one.choice:
        return float(solution.value(position))
    found = (float(each.value) for each in solution.ranked(position) if each.text == one.choice)
    return next(found, None)
