"""The functions that workers run, from values to values, and estimates of their cost.

A worker caches solvers by game and format; player names do not matter. Results that take long are
in files that all workers map: large boxes, and the values of one-round matches. Each worker
computes the rest for itself: boxes in exact fractions, the last of several rounds, where hardly any
two tables have the same state, and the sheets of `computer:sheet`, which take a moment.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf
from typing import Any, Literal, TypeVar

from shutbox.engine.errors import TooLarge, UnknownGame
from shutbox.engine.game import Choose, Game
from shutbox.engine.lru import LruCache
from shutbox.engine.messages import gettext
from shutbox.engine.names import default_names
from shutbox.engine.play import Event, Play, Player, ask_player
from shutbox.games.catalogue import find
from shutbox.games.traits import Cost, traits_of
from shutbox.match import Match, turn_game
from shutbox.solving.advice.adviser import advice_is_stored, seconds_to_solve_for_win
from shutbox.solving.advice.coach import Coach
from shutbox.solving.advice.ranking import AdviceFigures, ChoiceJudged
from shutbox.solving.box import box_graph, fast, sheet  # noqa: F401
from shutbox.solving.objectives import WIN_SECONDS
from shutbox.solving.review.report import Verdict
from shutbox.solving.review.report import verdict as verdict_on
from shutbox.solving.review.review import Reviewer
from shutbox.solving.solvers import whole_cost
from shutbox.solving.strategy import following  # noqa: F401
from shutbox.table.bots import Perfect, bot
from shutbox.web import limits

# Modules that others import lazily are imported here, so that no piece of work waits for them.
AnyGame = Game[Any, Any]
T = TypeVar("T")
SOLVERS = ("perfect", "sheet")  # the kinds of computer players that solve their game
_FEW_ROLLS, _FEW_POSITIONS = 500, 20_000  # up to these sizes, an estimate takes no time


def check_text(name: str) -> None:
    """Raise UnknownGame for a name that could be a file on this machine."""
    if any(sign in name for sign in ("/", "\\", "#")) or ".toml" in name.lower():
        raise UnknownGame("name a game; boxes from files can be played only in the terminal")


def is_quick(game: AnyGame) -> bool:
    """Whether advice on a game takes only a moment, by an estimate, or because it is stored.

    >>> is_quick(find("classic")), is_quick(find("classic(tiles=1-24,dice=3d8)"))
    (True, False)
    """
    small = is_small(game)
    rules: Any = without_names(game)
    if small and _seconds_of(rules) <= limits.QUICK_SECONDS:
        return True
    # Of a box with house rules it would take time to find out whether its advice is stored.
    is_plain = "(" not in turn_game(game).name
    return (small or is_plain) and advice_is_stored(game)


def is_small(game: AnyGame) -> bool:
    """Whether estimating the cost of a game, or of the game of a match, takes no time."""
    traits = traits_of(turn_game(game))
    if traits.most_positions is None or traits.most_rolls is None:
        return False
    return traits.most_rolls <= _FEW_ROLLS and traits.most_positions <= _FEW_POSITIONS


@lru_cache(maxsize=limits.MOST_ESTIMATES)
def _seconds_of(game: AnyGame) -> float:
    """Estimate the seconds that the first advice on a game takes; infinite if unknown."""
    if (cost := cost_of(turn_game(game).name)) is None:
        return inf
    to_win = seconds_to_solve_for_win(game)
    return to_win if to_win <= WIN_SECONDS else cost.seconds


def can_advise(game: AnyGame) -> bool:
    """Whether hints on a game, or on the turns of a match, are cheap enough to work out here.

    The estimate takes up to a second for the largest boxes, so call this in a worker; it is cached.
    """
    cost = cost_of(turn_game(game).name)
    return cost is not None and _is_low(cost)


def can_solve_from(game: AnyGame, position: Any) -> bool:
    """Whether the rest of a game, from a position on, is small enough to solve here, by a formula.

    >>> large = find("classic(tiles=1-24,dice=3d8)")
    >>> can_solve_from(large, large.position_at("1.2.3.4")), can_solve_from(large, large.start())
    (True, False)
    """
    traits = traits_of(game)
    if traits.cost is None or (traits.most_rolls or limits.MOST_ROLLS) >= limits.MOST_ROLLS:
        return False
    return _is_low(traits.cost(position))


def _is_low(cost: Cost) -> bool:
    return cost.seconds <= limits.HINT_SECONDS and cost.memory <= limits.HINT_MEMORY


@lru_cache(maxsize=limits.MOST_ESTIMATES)
def cost_of(name: str) -> Cost | None:
    """Estimate the cost of solving a game, by its name; None if the server refuses to solve it."""
    game = find(name)
    rolls = traits_of(game).most_rolls
    return None if rolls is None or rolls > limits.MOST_ROLLS else whole_cost(game)


def check_work(game: AnyGame) -> None:
    """Raise TooLarge if one throw can have too many covers to list here, or an unknown number."""
    inner = turn_game(game)
    most = traits_of(inner).most_choices
    if most is None:
        raise TooLarge(
            "{game} does not say how many choices one throw can have, so it cannot be played here",
            game=inner.name,
        )
    if most > limits.MOST_COVERS:
        raise TooLarge(
            "{game}: one throw can have {covers:,} covers; at most {most:,} are allowed here",
            game=inner.name,
            covers=most,
            most=limits.MOST_COVERS,
        )


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice of a hint."""

    text: str  # the choice in notation, like the `text` of an offer
    name: str  # the choice as its row shows it
    value: str  # the value as text
    cost: str  # the difference from the best value, with its sign; for the best choice, a word
    shut: str  # the chance to shut the box; empty if it is the same for all choices
    takes: tuple[str, ...]  # keys of the tiles that it takes; empty if it takes anything but tiles
    length: float  # the length of its bar, from 0.2 to 1 (the best choice)
    is_best: bool  # whether no choice is better
    is_wordy: bool  # whether its name is words instead of tile numbers


@dataclass
class Hint:
    """Advice for the player who is due."""

    says: tuple[str, ...]  # the hint in sentences
    best: str  # the best choice in one sentence; empty if none is named
    figures: AdviceFigures | None  # the advice as numbers; None if nothing is ranked
    choice: str
    """The text of the choice to advise: the best one, or the careful player's if the best is not
    worked out; empty if hints only list legal choices, or if no choice is due."""
    lead: str = ""  # the aim of the advice, in a sentence above the rows
    rows: tuple[HintRow, ...] = ()  # the figures as they are printed, the best choice first


def hint(game: AnyGame, position: Any, level: str, start: Any = None) -> Hint:
    """Return advice on a position of a game that began at `start`; None is the game's own start.

    It has no `lead` and no `rows` yet. `level` is one of `adviser.LEVELS` but "off" and "legal".

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> advised = hint(classic, classic.position_at("1.3.4.9/1+3"), "ranked")
    >>> advised.best, advised.choice
    ('Best is 4: expected score 9.9.', '4')
    """
    if coach := _coach(game, start):
        names = game.players if isinstance(game, Match) else None
        says, best = coach.hint(position, level, names), coach.best(position, level)
        if figures := coach.figures(position, level, limits.HINT_CHOICES):
            return Hint(says, best, figures, figures.choices[0].text)
    elif traits_of(turn_game(game)).cost is None:
        says = (gettext("There are no hints in this game."),)
    else:
        says = (gettext("There is no advice here: it would take too long to work out."),)
    is_due = isinstance(game.awaits(position), Choose)
    return Hint(says, "", None, choose(game, "careful", position) if is_due else "")


def judge_choice(
    game: AnyGame, position: Any, text: str, start: Any = None
) -> tuple[str | ChoiceJudged, ...]:
    """Return sentences on what a choice cost, then its figures; () if it was forced or not ranked.

    `text` is the choice in notation; any other raises NotUnderstood. `start` is as in `hint`.
    """
    coach = _coach(game, start)
    return coach.judge(position, text) if coach else ()


def verdict(
    game: AnyGame, log: Sequence[Event[Any]], names: Sequence[str], start: Any = None
) -> Verdict:
    """Return the verdict on a game; `start` None means the game's own start. Raises TooLarge."""
    play = Play(game, log, start=start)
    if _solved_part(game, play.start) is None:
        raise TooLarge("{game} is too large to work out here", game=game.name)
    reviewer = new_reviewer()
    review = reviewer.review(play, names)
    return verdict_on(review, None if isinstance(game, Match) else reviewer.perfect_scores(play))


def new_reviewer() -> Reviewer:
    """Return a reviewer within the limits here. Like hints, it solves one round of a match."""
    seconds, memory = limits.HINT_SECONDS, limits.HINT_MEMORY
    return Reviewer(seconds=seconds, memory=memory, every_round=False)


def choose(game: AnyGame, kind: str, position: Any) -> str:
    """Return the choice, in notation, of a computer player of this kind; a choice must be due."""
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)  # only a choice needs a player
    player = _player(game, kind)
    return game.choice_text(ask_player(player, without_names(game), position, awaited.choices))


def _solved_part(game: AnyGame, start: Any) -> Literal["whole", "rest"] | None:
    """Return which part of a game is solved here: all, what follows `start`, or None for none."""
    if is_quick(game) or can_advise(game):
        return "whole"
    is_usual = isinstance(game, Match) or start in (None, game.start())
    return None if is_usual or not can_solve_from(game, start) else "rest"


def _coach(game: AnyGame, start: Any) -> Coach | None:
    game = without_names(game)
    if (part := _solved_part(game, start)) is None:
        return None
    return cached(game, part, partial(Coach, game, every_round=False, whole=part == "whole"))


def _player(game: AnyGame, kind: str) -> Player[Any, Any]:
    def make() -> Player[Any, Any]:
        player = bot(kind)
        if isinstance(player, Perfect):
            player.every_round = False
        return player

    return cached(without_names(game), kind, make)


def without_names(game: AnyGame) -> AnyGame:
    """Return the game without players' names, since the best play does not depend on them."""
    if isinstance(game, Match):
        return Match(game.game, game.format, default_names(len(game.players)))
    return game


_solved = LruCache[tuple[AnyGame, str], Any](limits.MOST_SOLVED, limits.SOLVED_MEMORY)
"""Solvers by game and kind; the size of each is the memory in bytes that it may take."""


def cached(game: AnyGame, kind: str, make: Callable[[], T]) -> T:
    """Return the solver cached for a game and a kind; without one, `make` and cache it."""
    known: T | None = _solved.find((game, kind))
    if known is not None:
        return known
    size = 0
    if kind != "careful":  # a player that does not solve its game
        cost = cost_of(turn_game(game).name)  # if the whole is too large, only a rest is solved
        size = min(cost.memory, limits.HINT_MEMORY) if cost else limits.HINT_MEMORY
    new: T = _solved.put((game, kind), make(), size)
    return new
