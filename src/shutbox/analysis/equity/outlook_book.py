"""What a match of one round is worth where each turn begins, worked out once and kept in a book.

All advice on such a match needs the same few hundred outlooks, no matter who sits there, and
they take seconds to work out. They are whole fractions, kept as such. In a match of several rounds
they depend on the totals before the last round, which are hardly ever the same twice: those are
not kept.
"""

import json
from array import array
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from shutbox.analysis.equity.last_round import Outlook, seconds_of_answers
from shutbox.analysis.solvers.select import LONG
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.solver import tablebase

VERSION = 2  # of outlooks that are kept: counted up whenever there may be others


def read(match: "Match[Any, Any]") -> dict[str, Outlook]:
    """The outlooks of a match by the text of the position; none where there is no book."""
    if not _is_kept_in_books(match):
        return {}
    book = tablebase.read(_identity(match), name=_name(match))
    if book is None:
        return {}
    with book:
        return {
            place: Outlook(*(tuple(Fraction(one) for one in vector) for vector in vectors))
            for place, vectors in book.answers.items()
        }


def write(match: "Match[Any, Any]", outlooks: Mapping[str, Outlook]) -> None:
    """Keep the outlooks of a match, in place of those that were."""
    if _is_kept_in_books(match):
        answers = {
            place: [list(map(str, outlook.shares)), list(map(str, outlook.chips))]
            for place, outlook in outlooks.items()
        }
        tablebase.write(_identity(match), answers, array("d"), name=_name(match))


def is_kept(match: "Match[Any, Any]") -> bool:
    """Whether there is a book of all that is needed, as far as can be seen without opening it.

    Of a match in which a throw decides who begins, it may be what one beginner needs.
    """
    return not match.format.high_roll and tablebase.exists(_identity(match), name=_name(match))


def _is_kept_in_books(match: "Match[Any, Any]") -> bool:
    lasting = traits_of(match.game).lasting
    return lasting and match.rules.one_round and seconds_of_answers(match) >= LONG


def _identity(match: "Match[Any, Any]") -> str:
    asked = ["outlooks", VERSION, match.name, match.game.card().options]
    return json.dumps(asked, separators=(",", ":"))


def _name(match: "Match[Any, Any]") -> str:
    return f"outlooks-{match.game.name.partition('(')[0]}"
