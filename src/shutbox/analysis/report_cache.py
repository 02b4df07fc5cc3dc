"""Answers that took long, kept in books: the same question is answered at once the next time."""

import json
from array import array
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from shutbox.analysis.solvers.select import cost_of
from shutbox.game import Game
from shutbox.games.traits import traits_of
from shutbox.solver import tablebase
from shutbox.solver.solution import Number

VERSION = 2  # counted up whenever the same question may have another answer
LONG = 0.03  # seconds from which on an answer is worth keeping

Report = dict[str, Any]  # an answer in what a book can hold


def kept(
    question: str, game: Game[Any, Any], position: Any, details: object, make: Callable[[], Report]
) -> Report:
    """The answer to a question about a position, from its book or made now.

    `details` is what else the answer depends on. Questions about games whose rules may change
    without their names are always answered anew.
    """
    if not traits_of(game).lasting or cost_of(game, position).seconds < LONG:
        return make()
    asked = [question, VERSION, game.name, game.card().options, game.position_id(position), details]
    identity = json.dumps(asked, separators=(",", ":"))
    name = f"{question}-{game.name.partition('(')[0]}"
    found = tablebase.read(identity, name=name)
    if found is not None:
        with found:
            return found.answers
    answers = make()
    tablebase.write(identity, answers, array("d"), name=name)
    return answers


def plain(number: Number | None) -> float | str | None:
    """A number as a book holds it: a fraction as text, so that it stays exact."""
    return str(number) if isinstance(number, Fraction) else number


def number(plain: float | str) -> Number:
    """The number again."""
    return Fraction(plain) if isinstance(plain, str) else plain
