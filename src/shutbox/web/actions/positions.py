"""Positions given as text: read within the limits of the server, and evaluated by workers.

A position that is too large to solve is estimated from turns with random dice. One simple strategy
plays them, always covering the fewest tiles, so the figures are those of a decent player, not of
the best. The dice come from a seed: a repeated request gets the same figures, and every choice is
played with the same dice, so luck favours none.

Practice asks for the best choice at positions that workers draw, and judges the answers.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, TypeVar

from shutbox.engine.cups import SecretCup
from shutbox.engine.dice import Roll
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Choose, Throw, position_text
from shutbox.engine.messages import gettext_noop
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import in_ascii
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.ranking import Advice, Compared, Ranked, advice
from shutbox.solving.objectives import Aim, find_aim
from shutbox.solving.odds import FirstThrow, Odds, odds_of
from shutbox.solving.options import Number
from shutbox.solving.practice import Deck, PracticeTally, practice
from shutbox.solving.simulation import Simulation, simulate
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import solve
from shutbox.solving.strategy.fixed import rank_by_fewest
from shutbox.table.bots import ByTiles
from shutbox.table.lookup import find_any, find_position
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute import tasks
from shutbox.web.compute.tasks import AnyGame, cached, nameless
from shutbox.web.errors import BadRequest

T = TypeVar("T")
_TOO_LARGE = gettext_noop("{what} is too large to work out here")


@dataclass(frozen=True, slots=True)
class PositionWorth:
    """The value of a position to a player with an aim."""

    aim: str
    """`mean`, `shut`, `beat:13` and so on; `win` in a match, or a turn's aim if it is too large."""
    value: Number
    choices: tuple[Ranked, ...]  # the choices, best first; empty if none is due
    mean: Number | None = None  # the expected score; None if unknown, and in a match
    shut: Number | None = None  # the chance to shut the box; None if unknown, and in a match
    stuck: Number | None = None
    """The chance that the next throw ends the turn; None if no throw follows, or if unknown."""
    scores: tuple[tuple[int, Number], ...] = ()  # ascending, each with its chance; empty if unknown
    shut_score: int | None = None  # the score of a shut box; None if it cannot be shut, or unknown
    before: Number | None = None  # the expected result before `throws`; None without them
    throws: tuple[tuple[FirstThrow, str], ...] = ()
    """The next throws, each with the full text of the position after it."""
    turns: int = 0  # turns simulated for each choice, or for the position; 0 if the value is exact
    error: float = 0.0  # the standard error of a simulated value; 0 if the value is exact


def evaluation(game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """Return the value of a position; if it is too large to solve, an estimate.

    An estimate needs a single game with a score, an end, and by a formula at most MOST_COVERS
    choices a throw. In a match, `aim` has no effect: see `Adviser`.

    >>> from shutbox.table.lookup import find_position
    >>> found = evaluation(*find_position("classic:1.3.4.9/1+3"), "mean")
    >>> [(choice.text, round(float(choice.value), 4)) for choice in found.choices]
    [('4', 9.9403), ('1 3', 11.5093)]

    Raises NotUnderstood for an unknown aim; TooLarge also without a score, or a choice in a match.
    """
    if game.scoring is None or (isinstance(game, Match) and not tasks.can_advise(game)):
        raise TooLarge(_TOO_LARGE, what=game.name)
    if isinstance(game, Match):
        return _in_match(nameless(game), position)
    try:
        solution = _solved(game, position, find_aim(aim, game.scoring))
    except TooLarge:
        covers = traits_of(game).most_choices or limits.MOST_COVERS + 1
        if game.longest is None or covers > limits.MOST_COVERS:
            raise
        return estimated(game, position, aim)
    odds, before = odds_of(solution, position), _before(game, position)
    thrown = odds if before == position else odds_of(solution, before)
    here = solution.played(position)
    return PositionWorth(
        solution.aim.name,
        odds.value,
        advice(solution, position).ranked if isinstance(game.awaits(position), Choose) else (),
        mean=odds.mean,
        shut=odds.shut,
        stuck=solution.ends(here) if isinstance(game.awaits(here), Throw) else None,
        scores=tuple(odds.distribution.items()),
        shut_score=min((score for score, shut in odds.chances or () if shut), default=None),
        before=thrown.value if thrown.openings else None,
        throws=tuple(_throws(solution, before, thrown)),
    )


def estimated(game: Any, position: Any, aim: str) -> PositionWorth:
    """Return the value of a position by simulated turns. Raises NotUnderstood for an unknown aim.

    >>> from shutbox.table.lookup import find_position
    >>> found = estimated(*find_position("classic:1.3.4.9/1+3"), "mean")
    >>> [choice.text for choice in found.choices], found.turns
    (['4', '1 3'], 300)
    """
    wanted = find_aim(aim, game.scoring)
    more = wanted.more_is_better(game.scoring, 0)
    names = {offer.text: offer.says for offer in game.scene(position).offers}
    turns = played(game, position)
    values = {text: result.estimate(wanted) for text, result in turns.items()}
    first, *_ = ranked = sorted(values, key=lambda text: values[text][0], reverse=more)
    best, (value, error) = turns[first], values[first]
    choices = tuple(
        Ranked(
            *(text, worth, abs(worth - value), game.parse_choice(position, text)),
            *(names[text], turns[text].shut, None, ()),
        )
        for text, (worth, _) in ((text, values[text]) for text in ranked if text)
    )
    facts = wanted.name, value, choices, best.mean, best.shut
    return PositionWorth(*facts, turns=best.turns, error=error)


class _Fewest(ByTiles):
    """A player that covers the fewest tiles, asked only when due: to ask in advance is too slow."""

    deterministic = False


@lru_cache(limits.CACHED_ESTIMATES)
def played(game: Any, position: Any) -> dict[str, Simulation]:
    """Return the results of simulated turns after each choice, by its text; by "" if none is due.

    At most PLAYED_CHOICES are simulated, the choices with the fewest tiles, in the game's order.

    >>> from shutbox.table.lookup import find_position
    >>> found = played(*find_position("classic"))[""]  # this strategy's exact mean is 12.2
    >>> found.turns, abs(found.mean - 12.2) < 3 * found.standard_error
    (600, True)
    """
    turns = limits.PLAYED_COVERS // max(1, traits_of(game).most_choices or 1)
    turns, starts = min(limits.MOST_PLAYED, turns), {"": position}
    if isinstance(awaited := game.awaits(position), Choose):
        offers = game.scene(position).offers  # in the order of the choices
        order = sorted(range(len(offers)), key=lambda place: len(offers[place].takes))
        places = sorted(order[: limits.PLAYED_CHOICES])
        starts = {offers[n].text: game.chosen(position, awaited.choices[n]) for n in places}
    about: Any = game, _Fewest(rank_by_fewest), max(limits.LEAST_PLAYED, turns // len(starts))
    seed = position_text(game, game.start())
    return {text: simulate(*about, position=at, seed=seed) for text, at in starts.items()}


def _in_match(match: Any, position: Any) -> PositionWorth:
    adviser = cached(match, "adviser", lambda: Adviser(match, seconds=limits.HINT_SECONDS))
    try:
        advice = adviser.advise(position)
    except ValueError:
        raise TooLarge(
            "{position}: in a match only a choice can be worked out, and none is due here",
            position=position_text(match, position),
        ) from None
    return PositionWorth(advice.aim, advice.best.value, advice.ranked, stuck=advice.best.ends)


def _solved(game: AnyGame, position: Any, aim: Aim) -> Solution[Any, Any]:
    """Return the solution of the game, or of its rest from the position on. Raises TooLarge."""
    if tasks.can_advise(game):
        whole = cached(game, f"solution {aim.name}", partial(solve, game, aim=aim))
        if whole.holds(position):
            return whole
    begun = _before(game, position)
    if tasks.can_solve_from(game, begun):
        return solve(game, begun, aim)
    raise TooLarge(_TOO_LARGE, what=position_text(game, position))


def _throws(
    solution: Solution[Any, Any], before: Any, odds: Odds
) -> Iterator[tuple[FirstThrow, str]]:
    """Yield the possible next throws, each with the text of the position it leads to."""
    game, rolls = solution.game, dict[str, Roll]()
    if isinstance(game.awaits(before), Choose):
        before = game.chosen(before, solution.options(before).choice)
    awaited = game.awaits(before)
    for roll, _ in awaited.dice.outcomes() if isinstance(awaited, Throw) else ():
        rolls |= {str(roll): roll, str(roll.total): rolls.get(str(roll.total), roll)}
    for opening in odds.openings:
        after = game.rolled(before, rolls[opening.roll])
        yield replace(opening, choices=()), position_text(game, after)


def _before(game: AnyGame, position: Any) -> Any:
    """Return the position before the last throw; itself if a throw is due or `set_up` is None."""
    set_up = traits_of(game).set_up
    if set_up is None or isinstance(game.awaits(position), Throw):
        return position
    return game.position_at(set_up.text(tiles_up(game, position), ()))


def position_after(game: AnyGame, position: Any, choice: str) -> str:
    """Return the full text of the position after a choice in notation. Raises like `parse_choice`.

    >>> from shutbox.table.lookup import find_position
    >>> position_after(*find_position("classic:1.3.4.9/1+3"), "1 3")
    'classic:4.9'
    """
    return position_text(game, game.chosen(position, game.parse_choice(position, choice)))


def tiles_up(game: AnyGame, position: Any) -> list[str]:
    """Return the keys of the tiles that are not down at a position.

    >>> from shutbox.table.lookup import find_position
    >>> tiles_up(*find_position("classic:1.5.9/2+2"))
    ['1', '5', '9']
    """
    pieces = game.scene(position).pieces
    return [p.key for p in pieces if p.kind is Kind.TILE and p.state is not State.DOWN]


def read_position(text: str) -> tuple[AnyGame, Any]:
    """Return the game and position of a text like `classic:1.5.9/2+2`; a name alone is its start.

    >>> game, position = read_position("classic:1.5.9/2+2")
    >>> game.name, game.position_id(position)
    ('classic', '1.5.9/2+2')

    Raises BadRequest for a text that is too long, TooLarge, and what `find_position` raises.
    """
    if len(text) > limits.LONGEST_TEXT:
        raise BadRequest("a position can have at most {most} characters", most=limits.LONGEST_TEXT)
    name, colon, id = (text := in_ascii(text)).rpartition(":")
    tasks.check_text(name if colon else text)
    tasks.check_text(id.replace("/", ""))  # a file name is no position
    tasks.check_work(find_any(name if colon else text))
    return find_position(text)


async def evaluation_for(who: Caller, game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """Return the value of a position. Raises TooOften, Full, and as `evaluation`."""
    who.count(limits.HINTS_OF_ADDRESS, "analyses")
    return await who.do(evaluation, game, position, aim)


def question(game: AnyGame, tally: PracticeTally, lately: Sequence[str]) -> tuple[str, bool]:
    """Return the next practice question's id, and whether it is a missed one that is due again.

    A missed question that is due again comes first. Otherwise one is drawn, if possible none like
    the recent questions, whose ids are `lately`. Raises TooLarge for a game without practice here.
    """
    deck, keys = _deck(game), set()
    missed, _ = deck.missed(tally)
    if missed is not None:
        return missed.id, True
    for id in lately:
        with suppress(ShutboxError):  # tampered with
            if recent := deck.question(id):
                keys.add(recent.key)
    return deck.drawn(SecretCup().throw, keys).id, False


def judged(game: AnyGame, id: str, text: str) -> tuple[str, Ranked, Advice, Compared]:
    """Return a question's id in usual notation, and the choice `text` there among all, compared.

    Raises NotUnderstood if there is no such question, what `parse_choice` raises, and TooLarge.
    """
    deck, question = _deck(game), None
    with suppress(ShutboxError):
        question = deck.question(id)
    if question is None:
        raise NotUnderstood(
            "{position} is no question: no choice there costs anything", position=id
        )
    ranking = deck.why(question)
    choice = game.choice_text(game.parse_choice(question.position, text))
    found = deck.compared(question, choice, lambda says: f"\u2068{says}\u2069")  # like names
    return question.id, ranking.of(choice), ranking, found


def _deck(game: AnyGame) -> Deck:
    if game.scoring is None or isinstance(game, Match) or not tasks.can_advise(game):
        raise TooLarge("this game cannot be practised here")
    return cached(game, "deck", lambda: practice(game))


async def practised(who: Caller, work: Callable[..., T], game: AnyGame, *about: Any) -> T:
    """Run `question` or `judged` in a worker. Raises TooOften, Full, and what `work` raises."""
    who.count(limits.HINTS_OF_ADDRESS, "questions")
    return await who.do(work, game, *about, quick=tasks.is_quick(game))
