"""Positions by their text: read within the bounds of the server, and worked out by workers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.advice.ranking import Advice, advice
from shutbox.analysis.odds import odds_of
from shutbox.analysis.solvers.select import solve
from shutbox.errors import TooLarge
from shutbox.game import Choose, Game, Throw, position_text
from shutbox.games.traits import SetUp, traits_of
from shutbox.lookup import find_any, find_any_position
from shutbox.match import Match
from shutbox.picture import png
from shutbox.scene import Kind, State
from shutbox.solver.objectives import Aim, find_aim
from shutbox.solver.solution import Number, Solution
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute.budget import (
    can_advise,
    can_solve_from,
    check_text,
    check_work,
    is_ordinary,
)
from shutbox.web.compute.estimates import can_be_estimated, played
from shutbox.web.compute.tasks import kept, nameless
from shutbox.web.errors import BadRequest
from shutbox.web.limits import HINT_SECONDS

AnyGame = Game[Any, Any]


@dataclass(frozen=True, slots=True)
class ChoiceWorth:
    """One choice, and what comes of it."""

    text: str
    says: str
    value: float
    cost: float
    shut: float
    ends: float | None
    takes: tuple[str, ...]
    """Keys of the pieces that it takes."""
    after: str
    """The full text of the position that it leads to."""


@dataclass(frozen=True, slots=True)
class ThrowWorth:
    """One throw, how it is played best, and the result to expect then."""

    roll: str
    """The roll, or the total where all rolls of it are alike."""
    chance: float
    value: float
    best: str
    """The best choice; empty where the throw leaves none."""
    after: str
    """The full text of the position with that roll; empty where it cannot be written."""


@dataclass(frozen=True, slots=True)
class PositionWorth:
    """What a position is worth to a player with an aim."""

    aim: str
    """`mean`, `shut`, `beat:13`; `win` in a match."""
    more: bool
    """Whether more of it is better."""
    value: float
    choices: tuple[ChoiceWorth, ...]
    """The best first; empty where none is due."""
    mean: float | None = None
    shut: float | None = None
    stuck: float | None = None
    """The chance that the next throw ends the turn; None where none follows."""
    scores: tuple[tuple[int, float], ...] = ()
    """The chance of each final score, the scores ascending; empty where it is not known."""
    shut_score: int | None = None
    """The score of a box that is shut; None where it cannot be."""
    before: float | None = None
    """What was to be expected before the throw that `throws` are about."""
    throws: tuple[ThrowWorth, ...] = ()
    turns: int = 0
    """How many turns were played at random for each choice, or for the position; 0: it is exact."""
    error: float = 0.0
    """The standard error of the value then."""


def worth(game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """What a position is worth. A match is played to win, whatever the aim.

    >>> from shutbox.games.catalogue import find_position
    >>> found = worth(*find_position("classic:1.3.4.9/1+3"), "mean")
    >>> [(choice.text, round(choice.value, 4), choice.after) for choice in found.choices]
    [('4', 9.9403, 'classic:1.3.9'), ('1 3', 11.5093, 'classic:4.9')]

    Raises TooLarge where it is not worked out here, and NotUnderstood for an aim that is none.
    """
    scoring = game.scoring
    if scoring is None or (isinstance(game, Match) and not can_advise(game)):
        raise _too_large(game.name)
    if isinstance(game, Match):
        return _in_match(nameless(game), position)
    wanted = find_aim(aim, scoring)
    solution = _solved(game, position, wanted)
    if isinstance(game.awaits(position), Choose):
        choices = tuple(_choices(game, position, advice(solution, position)))
    else:
        choices = ()
    return _alone(solution, position, choices)


def estimated(game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """What turns at random say where nothing is solved. Raises NotUnderstood as `worth` does.

    >>> from shutbox.games.catalogue import find_position
    >>> found = estimated(*find_position("classic:1.3.4.9/1+3"), "mean")
    >>> [choice.text for choice in found.choices], found.turns
    (['4', '1 3'], 300)
    """
    scoring = game.scoring
    assert scoring is not None  # see `can_be_estimated`
    wanted = find_aim(aim, scoring)
    more = wanted.more_is_better(scoring, 0)
    offers = {offer.text: offer for offer in game.scene(position).offers}
    found = played(game, position)
    worths = {text: turns.estimate(wanted) for text, turns in found.items()}
    ranked = sorted(worths, key=lambda text: -worths[text][0] if more else worths[text][0])
    best = found[ranked[0]]
    value, error = worths[ranked[0]]
    choices = tuple(
        ChoiceWorth(
            text,
            offers[text].says,
            worths[text][0],
            abs(worths[text][0] - value),
            found[text].shut,
            None,
            offers[text].takes,
            position_text(game, game.chosen(position, game.parse_choice(position, text))),
        )
        for text in ranked
        if text
    )
    return PositionWorth(
        wanted.name,
        more,
        value,
        choices,
        mean=best.mean,
        shut=best.shut,
        turns=best.turns,
        error=error,
    )


def _too_large(what: str) -> TooLarge:
    return TooLarge("{what}: to work it out takes more than is spent on it here", what=what)


def _in_match(match: Any, position: Any) -> PositionWorth:
    adviser: Adviser = kept(match, "adviser", lambda: Adviser(match, seconds=HINT_SECONDS))
    try:
        found = adviser.advise(position)
    except ValueError:
        raise TooLarge(
            "{position}: only choices are worked out in a match, and none is due here",
            position=position_text(match, position),
        ) from None
    choices = tuple(_choices(match, position, found))
    more = adviser.solution(position)[0].more
    return PositionWorth(
        found.aim, more, float(found.best.value), choices, stuck=_float(found.best.ends)
    )


def _solved(game: AnyGame, position: Any, aim: Aim) -> Solution[Any, Any]:
    """The whole game solved, or what is left of it where that is less."""
    if can_advise(game):
        make = partial(solve, game, aim=aim)
        whole: Solution[Any, Any] = kept(game, f"solution {aim.name}", make)
        if whole.holds(position):
            return whole
    begun = _before(game, position)
    if can_solve_from(game, begun):
        return solve(game, begun, aim)
    raise _too_large(position_text(game, position))


def _choices(game: AnyGame, position: Any, found: Advice) -> Iterator[ChoiceWorth]:
    takes = {offer.text: offer.takes for offer in game.scene(position).offers}
    for one in found.ranked:
        after = game.chosen(position, game.parse_choice(position, one.text))
        yield ChoiceWorth(
            one.text,
            one.says,
            float(one.value),
            float(one.cost),
            float(one.shut),
            _float(one.ends),
            takes[one.text],
            position_text(game, after),
        )


def _alone(
    solution: Solution[Any, Any], position: Any, choices: tuple[ChoiceWorth, ...]
) -> PositionWorth:
    game = solution.game
    odds = odds_of(solution, position)
    played = solution.played(position)
    stuck = solution.ends(played) if isinstance(game.awaits(played), Throw) else None
    chances = odds.chances or {}
    before = _before(game, position)
    thrown = odds if before == position else odds_of(solution, before)
    faces = _faces(solution, before)
    set_up = traits_of(game).set_up
    return PositionWorth(
        solution.aim.name,
        solution.more,
        float(odds.value),
        choices,
        _float(odds.mean),
        _float(odds.shut),
        _float(stuck),
        tuple((score, float(chance)) for score, chance in odds.distribution.items()),
        next((score for score, shut in sorted(chances) if shut), None),
        float(thrown.value) if thrown.openings else None,
        tuple(
            ThrowWorth(
                opening.roll,
                float(opening.chance),
                float(opening.value),
                opening.best,
                _with_roll(game, before, faces[opening.roll], set_up),
            )
            for opening in thrown.openings
        ),
    )


def _before(game: AnyGame, position: Any) -> Any:
    """The same tiles before a throw, where positions of the game are set up from tiles."""
    set_up = traits_of(game).set_up
    if set_up is None or isinstance(game.awaits(position), Throw):
        return position
    return game.position_at(set_up.text(tiles_up(game, position), ()))


def drawn(game: AnyGame, position: Any) -> bytes:
    """The picture of a position as a PNG. Raises NotInstalled."""
    return png(game.scene(position))


def tiles_up(game: AnyGame, position: Any) -> list[str]:
    """The keys of the tiles that are not down.

    >>> from shutbox.games.catalogue import find_position
    >>> tiles_up(*find_position("classic:1.5.9/2+2"))
    ['1', '5', '9']
    """
    pieces = game.scene(position).pieces
    return [p.key for p in pieces if p.kind is Kind.TILE and p.state is not State.DOWN]


def _faces(solution: Solution[Any, Any], before: Any) -> dict[str, tuple[int, ...]]:
    """For every roll and every total the faces of one that shows it."""
    game = solution.game
    if isinstance(game.awaits(before), Choose):
        before = game.chosen(before, solution.best(before))
    awaited = game.awaits(before)
    found: dict[str, tuple[int, ...]] = {}
    for roll, _ in awaited.dice.outcomes() if isinstance(awaited, Throw) else ():
        found[str(roll)] = roll.pips
        found.setdefault(str(roll.total), roll.pips)
    return found


def _with_roll(game: AnyGame, before: Any, faces: tuple[int, ...], set_up: SetUp | None) -> str:
    if set_up is None:
        return ""
    return f"{game.name}:{set_up.text(tiles_up(game, before), faces)}"


def _float(number: Number | None) -> float | None:
    return None if number is None else float(number)


def read_position(text: str) -> tuple[AnyGame, Any]:
    """The game and the position of a full text, such as `classic:1.5.9/2+2`.

    >>> game, position = read_position("classic:1.5.9/2+2")
    >>> game.name, game.position_id(position)
    ('classic', '1.5.9/2+2')

    Raises BadRequest for a text that is too long, and what is wrong with the game or the position.
    """
    if len(text) > limits.LONGEST_TEXT:
        raise BadRequest("a position has at most {most} characters here", most=limits.LONGEST_TEXT)
    name, colon, id = text.rpartition(":")
    check_text(name if colon else text)
    check_text(id.replace("/", ""))  # what ends like a file is none
    check_work(find_any(name if colon else text))
    return find_any_position(text)


async def worth_for(who: Caller, game: AnyGame, position: Any, aim: str) -> PositionWorth:
    """What a position is worth. Raises TooOften, Full, TooLarge and NotUnderstood.

    What is not solved is estimated, where that is bounded; no ordinary game waits for it.
    """
    await who.count(limits.HINTS_OF_ADDRESS, "analyses")
    about, pool = (game, position, aim), who.services.pool
    patient = not is_ordinary(game)
    try:
        return await pool.do(who.waits_as, worth, *about, patient=patient)
    except TooLarge:
        if isinstance(game, Match) or not can_be_estimated(game):
            raise
    return await pool.do(who.waits_as, estimated, *about, patient=True)


async def picture(who: Caller, game: AnyGame, position: Any) -> bytes:
    """A position as a PNG. Raises TooOften, Full and NotInstalled."""
    await who.count(limits.HINTS_OF_ADDRESS, "pictures")
    return await who.services.pool.do(who.waits_as, drawn, game, position, quick=is_ordinary(game))
