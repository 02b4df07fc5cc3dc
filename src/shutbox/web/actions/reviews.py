"""Games that are over, as workers review them.

A review is told step by step: a throw with what was chosen after it, and the choice of dice that
came before it. Everything is a fact; the pages say it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

from shutbox.analysis.review.grades import MISTAKES, Grade
from shutbox.analysis.review.report import Review, ReviewedChoice, ReviewedEvent, ReviewedThrow
from shutbox.analysis.review.review import Reviewer
from shutbox.analysis.review.verdict import SeatVerdict, seat_verdict
from shutbox.errors import TooLarge
from shutbox.game import Game, Throw, position_text
from shutbox.match import Match
from shutbox.match.game import turn_at
from shutbox.messages import gettext
from shutbox.record import read
from shutbox.scene import Kind
from shutbox.web import limits
from shutbox.web.actions.replays import record_game, record_of
from shutbox.web.compute.budget import can_advise, can_solve_from, inner_of
from shutbox.web.compute.tasks import kept
from shutbox.web.rooms.events import Numbered


@dataclass(frozen=True, slots=True)
class Move:
    """A choice that was made, and what it cost."""

    choice: str
    says: str
    covers: bool
    """Whether it takes tiles."""
    grade: str | None
    """None for what is not counted."""
    value: float | None
    cost: float
    best: str | None
    best_says: str
    ranking: tuple[tuple[str, float], ...]
    position: str
    """The full text of the position where it was made, of the turn alone; empty where none is."""
    after: str
    """The same once it is made."""
    better: str
    """The same after the best choice."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What one event did to what could be expected."""

    kind: str
    """`luck`, `cost`, `best` for a choice without a better one, or `free`."""
    delta: float
    mistake: bool = False


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """A throw, and what was chosen before and after it."""

    number: int
    """From 1, over the whole game."""
    turn: int
    """The place of its turn among those of the review."""
    seat: int
    faces: tuple[int, ...]
    sides: tuple[int, ...]
    luck: float | None
    start: float
    """What its seat could expect before it."""
    end: float
    bars: tuple[Bar, ...]
    moves: tuple[Move, ...]

    @property
    def mistake(self) -> bool:
        """Whether a choice in it was a mistake, small or large."""
        return any(bar.mistake for bar in self.bars)

    @property
    def cost(self) -> float:
        """What its choices cost."""
        return sum(move.cost for move in self.moves)


@dataclass(frozen=True, slots=True)
class ReviewTurn:
    """A turn, by its steps; or throws that belong to none."""

    number: int | None
    seat: int
    first: int
    last: int
    """The numbers of its steps."""
    mistakes: int


@dataclass(frozen=True, slots=True)
class ReviewView:
    """A game, reviewed."""

    title: str
    begun: str
    unit: str
    """`points` or `share`."""
    low_is_good: bool
    over: bool
    why_points: str
    fault: str | None
    seats: tuple[SeatVerdict, ...]
    turns: tuple[ReviewTurn, ...]
    steps: tuple[ReviewStep, ...]


def reviewed_game(room: str, history: Sequence[Numbered], game: int) -> ReviewView:
    """A game of a room, reviewed. Raises UnknownRecord and TooLarge. Takes a while."""
    return reviewed_record(record_of(room, history, game))


def reviewed_record(data: bytes) -> ReviewView:
    """A record, reviewed as far as it is sound. Raises BadRecord and TooLarge. Takes a while."""
    lines = data.splitlines(keepends=True)
    # With the lines of the header; of too many events no more are played than show that.
    reading = read(BytesIO(b"".join(lines[: limits.MOST_REVIEWED + 30])), record_game)
    game, number = reading.game, len(reading.play.log)
    if number > limits.MOST_REVIEWED:
        raise TooLarge(
            "the record has more than {most:,} events, too many to be reviewed here",
            most=limits.MOST_REVIEWED,
        )
    # Of a large box the rest may be small, where a play began from a position.
    small = not isinstance(game, Match) and can_solve_from(game, reading.play.start)
    if game.scoring is not None and not (small or can_advise(game)):
        raise TooLarge(
            "{game}: a review takes more than is spent on it here. Download the record, and "
            "shutbox review works it out in the terminal",
            game=inner_of(game).name,
        )
    found = reviewer_of(game).review(reading)
    fault = gettext("It is damaged at {place}.", place=reading.fault) if reading.fault else None
    return _view(found, reading.header.begun, fault)


def reviewer_of(game: Game[Any, Any]) -> Reviewer:
    """Who has solved the game before; for a match somebody new, since its turns take memory."""
    make = partial(Reviewer, seconds=limits.HINT_SECONDS, memory=limits.HINT_MEMORY)
    if isinstance(game, Match):
        return make()
    found: Reviewer = kept(game, "reviewer", make)
    return found


def _view(review: Review, begun: str, fault: str | None) -> ReviewView:
    steps = tuple(_steps(review))
    return ReviewView(
        title=inner_of(review.game).card().title,
        begun=begun,
        unit=str(review.unit.value),
        low_is_good=review.low_is_good,
        over=review.over,
        why_points=review.why_points,
        fault=fault,
        seats=tuple(seat_verdict(review, place) for place in range(len(review.seats))),
        turns=tuple(_turns(review, steps)),
        steps=steps,
    )


def _grouped(review: Review) -> Iterator[list[tuple[int, ReviewedEvent]]]:
    """The events of each step, with their places."""
    group: list[tuple[int, ReviewedEvent]] = []
    for place, event in enumerate(review.events):
        if group and _begins(review, group, event):
            yield group
            group = []
        group.append((place, event))
    if group:
        yield group


def _begins(
    review: Review, group: Sequence[tuple[int, ReviewedEvent]], event: ReviewedEvent
) -> bool:
    last = group[-1][1]
    if (event.turn, event.seat) != (last.turn, last.seat):
        return True
    thrown = any(isinstance(e, ReviewedThrow) for _, e in group)
    if isinstance(event, ReviewedThrow):
        return thrown
    # One choice follows a throw; a choice of dice belongs to the throw after it.
    return thrown and (isinstance(last, ReviewedChoice) or _is_about_dice(review, event))


def _is_about_dice(review: Review, event: ReviewedChoice) -> bool:
    offers = review.game.scene(event.before).offers
    return any(offer.text == event.choice and offer.kind == "dice" for offer in offers)


def _steps(review: Review) -> Iterator[ReviewStep]:
    course, turns = review.course, 0
    before: tuple[int | None, int] | None = None
    for number, group in enumerate(_grouped(review), start=1):
        (first, event), (last, _) = group[0], group[-1]
        turns += before is not None and before != (event.turn, event.seat)
        before = event.turn, event.seat
        throws = [e for _, e in group if isinstance(e, ReviewedThrow)]
        faces = throws[0].roll.pips if throws else ()
        yield ReviewStep(
            number,
            turns,
            event.seat,
            faces,
            _sides(review, throws[0]) if throws else (),
            float(throws[0].luck) if throws else None,
            float(course[first][event.seat]),
            float(course[last + 1][event.seat]),
            tuple(_bar(e) for _, e in group),
            tuple(_move(review, e) for _, e in group if isinstance(e, ReviewedChoice)),
        )


def _sides(review: Review, event: ReviewedThrow) -> tuple[int, ...]:
    awaited = review.game.awaits(event.before)
    assert isinstance(awaited, Throw)  # dice fell there
    return awaited.dice.sides


def _bar(event: ReviewedEvent) -> Bar:
    delta = float(event.delta[event.seat])
    if isinstance(event, ReviewedThrow):
        return Bar("luck", delta)
    if event.grade is None:
        return Bar("free", delta)
    if event.grade is Grade.BEST:
        return Bar("best", delta)
    return Bar("cost", delta, event.grade in MISTAKES)


def _move(review: Review, event: ReviewedChoice) -> Move:
    scene = review.game.scene(event.before)
    offers = {offer.text: offer for offer in scene.offers}
    tiles = {piece.key for piece in scene.pieces if piece.kind is Kind.TILE}
    offer = offers[event.choice]
    turn = turn_at(review.game, event.before)
    here = after = better = ""
    if turn is not None:
        game, at = turn
        here = position_text(game, at)
        after = position_text(game, game.chosen(at, game.parse_choice(at, event.choice)))
        if event.best is not None:
            better = position_text(game, game.chosen(at, game.parse_choice(at, event.best)))
    return Move(
        event.choice,
        offer.says,
        not tiles.isdisjoint(offer.takes),
        None if event.grade is None else str(event.grade.value),
        None if event.value is None else float(event.value),
        float(event.cost),
        event.best,
        offers[event.best].says if event.best else "",
        tuple((text, float(value)) for text, value in event.ranking),
        here,
        after,
        better,
    )


def _turns(review: Review, steps: Sequence[ReviewStep]) -> Iterator[ReviewTurn]:
    numbers = [event.turn for _, event in (group[0] for group in _grouped(review))]
    for place in range(steps[-1].turn + 1) if steps else ():
        own = [step for step in steps if step.turn == place]
        first, last = own[0], own[-1]
        yield ReviewTurn(
            numbers[first.number - 1],
            first.seat,
            first.number,
            last.number,
            sum(step.mistake for step in own),
        )
