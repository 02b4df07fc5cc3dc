"""What workers are given to do: values in, values out, and what was solved kept for the next."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from shutbox.analysis.advice.coach import Coach
from shutbox.bots import bot
from shutbox.bots.perfect import Perfect
from shutbox.game import Choose, Game
from shutbox.messages import gettext
from shutbox.player import Player, picked
from shutbox.web import limits
from shutbox.web.compute.budget import SOLVERS, can_advise, cost_of, inner_of

AnyGame = Game[Any, Any]


def hint(game: AnyGame, position: Any, level: str) -> tuple[tuple[str, ...], str]:
    """Advice at a position, and the best choice in a sentence.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> hint(classic, classic.position_at("1.3.4.9/1+3"), "ranked")[1]
    'Best is 4: expected score 9.9403.'
    """
    if not can_advise(game):
        return (gettext("There is no advice here: working it out would take too long."),), ""
    coach = _coach(game)
    return coach.hint(position, level), coach.best(position, level)


def judged(game: AnyGame, position: Any, text: str) -> tuple[str, ...]:
    """What a choice has cost; nothing where nobody knows."""
    return _coach(game).judge(position, text) if can_advise(game) else ()


def chosen(game: AnyGame, kind: str, position: Any) -> str:
    """The text of what a computer player chooses."""
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)  # or else nobody is asked
    return game.choice_text(picked(_player(game, kind), game, position, awaited.choices))


def _coach(game: AnyGame) -> Coach:
    found: Coach = _kept(game, "", lambda: Coach(game, seconds=limits.HINT_SECONDS))
    return found


def _player(game: AnyGame, kind: str) -> Player[Any, Any]:
    def made() -> Player[Any, Any]:
        player = bot(kind)
        if isinstance(player, Perfect):
            player.seconds = limits.HINT_SECONDS
        return player

    found: Player[Any, Any] = _kept(game, kind, made)
    return found


_solved: OrderedDict[tuple[AnyGame, str], tuple[int, Any]] = OrderedDict()
"""Who has solved a game, with the bytes that it may take, those asked longest ago first."""


def _kept(game: AnyGame, who: str, make: Callable[[], Any]) -> Any:
    """Who was asked about this game before, or somebody new."""
    if (game, who) not in _solved:
        cost = cost_of(inner_of(game).name) if who in ("", *SOLVERS) else None
        _solved[game, who] = (cost.memory if cost else 0), make()
    _solved.move_to_end((game, who))
    while len(_solved) > 1 and (
        len(_solved) > limits.MOST_SOLVED
        or sum(memory for memory, _ in _solved.values()) > limits.SOLVED_MEMORY
    ):
        _solved.popitem(last=False)
    return _solved[game, who][1]
