"""Positions given as text: read within the limits of the server, and evaluated by workers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from shutbox.engine.dice import Roll
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose, Throw, position_text
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import in_ascii
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.solving.advice.ranking import Ranked, advice
from shutbox.solving.objectives import Aim, find_aim
from shutbox.solving.odds import NextRoll, Odds, odds_of
from shutbox.solving.options import Number, Ranking
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import solve
from shutbox.table.lookup import find_any, find_position
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute import tasks
from shutbox.web.compute.tasks import AnyGame, cached
from shutbox.web.errors import BadRequest


@dataclass(frozen=True, slots=True)
class PositionValues:
    """What a position is worth to a player with an aim."""

    odds: Odds
    choices: tuple[Ranked, ...]  # the choices, best first; empty if none is due
    ends: Number | None  # the chance that the next throw ends the turn; None if no throw follows
    shut_score: int | None  # the lowest score of a shut box; None if it cannot be shut, or unknown
    next_throws: tuple[tuple[NextRoll, str], ...]
    """The next throws, each with the full text of the position after it. If dice lie, those are
    shown that could have fallen instead."""


def evaluate(game: AnyGame, position: Any, aim: str) -> PositionValues:
    """Return what a position is worth to a player with an aim.

    >>> from shutbox.table.lookup import find_position
    >>> found = evaluate(*find_position("classic:1.3.4.9/1+3"), "mean")
    >>> [(choice.text, round(float(choice.value), 4)) for choice in found.choices]
    [('4', 9.9403), ('1 3', 11.5093)]

    Raises NotUnderstood for an unknown aim; TooLarge if solving it takes too long here, without a
    score, and for a match, whose positions only its own table can judge.
    """
    if game.scoring is None:
        raise TooLarge("this game has no score, so there is nothing to work out")
    if isinstance(game, Match):
        raise TooLarge("a match is not worked out here; ask for a hint at its table")
    before = _before_throw(game, position)
    solution = _solution_holding(game, position, before, find_aim(aim, game.scoring))
    odds = odds_of(solution, position)
    odds_before = odds if before == position else odds_of(solution, before)
    after_choices = solution.after_best_choices(position)
    throws = isinstance(game.awaits(after_choices), Throw)
    return PositionValues(
        odds=odds,
        choices=advice(solution, position).ranked
        if isinstance(game.awaits(position), Choose)
        else (),
        ends=solution.ends(after_choices) if throws else None,
        shut_score=min((score for score, shut in odds.chances or () if shut), default=None),
        next_throws=tuple(_next_throws(solution, before, odds_before)),
    )


def _solution_holding(game: AnyGame, position: Any, before: Any, aim: Aim) -> Solution[Any, Any]:
    """Return a solution that knows a position: of the game, or of its rest from `before` on.

    Raises TooLarge.
    """
    if tasks.can_advise(game):
        whole = cached(game, f"solution {aim.name}", partial(solve, game, aim=aim))
        if whole.holds(position):
            return whole
    if tasks.can_solve_from(game, before):
        return solve(game, before, aim)
    raise TooLarge("this position is too large to work out here")


def _next_throws(
    solution: Solution[Any, Any], before: Any, odds: Odds
) -> Iterator[tuple[NextRoll, str]]:
    """Yield the possible next throws, each with the text of the position it leads to."""
    game = solution.game
    if not odds.openings:
        return
    while isinstance(awaited := game.awaits(before), Choose):  # how many dice to throw
        before = game.chosen(before, solution.options(before).choice)
    assert isinstance(awaited, Throw)
    rolls = dict[str, Roll]()
    for roll, _ in awaited.dice.outcomes():
        # An opening names a roll, or a total that any of its rolls can stand for.
        rolls[str(roll)] = roll
        rolls.setdefault(str(roll.total), roll)
    for opening in odds.openings:
        after = game.rolled(before, rolls[opening.roll])
        best_only = Ranking(opening.choices[:1])
        yield replace(opening, choices=best_only), position_text(game, after)


def _before_throw(game: AnyGame, position: Any) -> Any:
    """Return the position before the dice that lie fell.

    If a throw is due, or positions are not just tiles and dice, return the position itself.
    """
    set_up = traits_of(game).set_up
    if set_up is None or isinstance(game.awaits(position), Throw):
        return position
    return game.position_at(
        set_up.text(tiles_not_down(game, position), ())
    )  # `set_up` writes only text


def position_after(game: AnyGame, position: Any, choice: str) -> str:
    """Return the full text of the position after a choice in notation. Raises like `parse_choice`.

    >>> from shutbox.table.lookup import find_position
    >>> position_after(*find_position("classic:1.3.4.9/1+3"), "1 3")
    'classic:4.9'
    """
    return position_text(game, game.chosen(position, game.parse_choice(position, choice)))


def tiles_not_down(game: AnyGame, position: Any) -> list[str]:
    """Return the keys of the tiles that are not down at a position.

    >>> from shutbox.table.lookup import find_position
    >>> tiles_not_down(*find_position("classic:1.5.9/2+2"))
    ['1', '5', '9']
    """
    pieces = game.scene(position).pieces
    return [it.key for it in pieces if it.kind is Kind.TILE and it.state is not State.DOWN]


def read_allowed_position(text: str) -> tuple[AnyGame, Any]:
    """Return the game and position of a text like `classic:1.5.9/2+2`; a name alone is its start.

    >>> game, position = read_allowed_position("classic:1.5.9/2+2")
    >>> game.name, game.position_id(position)
    ('classic', '1.5.9/2+2')

    Raises BadRequest for a text that is too long, TooLarge, and what `find_position` raises.
    """
    if len(text) > limits.LONGEST_TEXT:
        raise BadRequest("a position can have at most {most} characters", most=limits.LONGEST_TEXT)
    text = in_ascii(text)
    name, colon, id = text.rpartition(":")
    if not colon:
        name, id = text, ""
    tasks.check_text(name)
    tasks.check_text(id.replace("/", ""))  # the slash before dice is none of a file's path
    tasks.check_work(find_any(name))
    return find_position(text)


async def evaluate_for(caller: Caller, game: AnyGame, position: Any, aim: str) -> PositionValues:
    """Return what a position is worth. Raises TooOften, Full, and as `evaluate`."""
    caller.count(limits.HINTS_OF_ADDRESS, "analyses")
    return await caller.do(evaluate, game, position, aim)
