"""Reviews of games that are over, made by workers.

A review goes step by step: a throw, the choice after it, and the choice of dice before it. Pages
put its figures into words; its sentences are in the caller's language, which the keys name.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Throw, position_text
from shutbox.engine.messages import gettext, language
from shutbox.engine.scene import Kind
from shutbox.match import Match, turn_game
from shutbox.match.game import turn_at
from shutbox.solving.advice.ranking import chosen_words
from shutbox.solving.review import report
from shutbox.solving.review.report import Review, ReviewedChoice, ReviewedEvent, ReviewedThrow
from shutbox.solving.review.review import Reviewer
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.replays import read_up_to, record_of
from shutbox.web.compute.tasks import cached, can_advise, can_solve_from, new_reviewer
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.events import Numbered


@dataclass(frozen=True, slots=True)
class Move:
    """A choice that was made, and its cost."""

    choice: str  # the choice in notation
    says: str  # the choice as spoken
    covers: bool  # whether it takes tiles
    grade: str | None  # the name of a Grade; None if forced, if all are equally good, or if unknown
    cost: float  # compared with the best choice, in the unit of the review: 0 or more
    best: str | None  # the best choice; None if unknown
    best_says: str  # the best choice as spoken; empty if unknown
    ranking: tuple[tuple[str, float], ...]
    """Up to 5 choices with their values, best first, always with `choice`; empty if unknown."""
    position: str  # the full text of the turn's position before the choice; empty outside any turn
    why: tuple[str, str] = ("", "")
    """The best choice compared with this one, to the player and to others; empty if it cost nothing
    or belongs to no turn."""


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """A throw, if any, with the choices before and after it."""

    number: int  # from 1, over the whole game
    turn: int  # the index of its turn in the review
    seat: int  # the seat that acted
    faces: tuple[int, ...]  # the dice as they fell; empty without a throw
    sides: tuple[int, ...]  # the sides of each die
    luck: float | None  # the change by the throw; None without a throw
    moves: tuple[Move, ...]  # the choices made
    chosen: bool  # whether its last event is a choice

    @property
    def cost(self) -> float:
        """The total cost of its choices, in the unit of the review; 0 without choices."""
        return sum(move.cost for move in self.moves)


@dataclass(frozen=True, slots=True)
class ReviewTurn:
    """The range of steps of one turn, or of throws outside any turn."""

    number: int | None  # from 1; None outside any turn
    seat: int  # the seat that played it
    first: int  # the number of its first step
    last: int  # the number of its last step


@dataclass(frozen=True, slots=True)
class ReviewView:
    """The review of a game."""

    title: str  # the title of the game
    begun: str  # when it began, in UTC
    why_points: str  # why a match is not valued by shares of the win, without a full stop; or empty
    fault: str | None  # where the record is damaged, in a sentence; None if it is whole
    verdict: report.Verdict  # the figures of all seats
    turns: tuple[ReviewTurn, ...]  # the turns in order
    steps: tuple[ReviewStep, ...]  # the steps in order


async def review_of_room(caller: RoomCaller, game: int | None) -> ReviewView:
    """Return the review of a finished game of a room, by default of the current one.

    Raises NotAllowed before its end and for a caller who may not see the room, UnknownRecord,
    TooOften, TooLarge, and what `RoomRepository.history` and `Pool.do` raise.
    """
    caller.check(Permission.SEES)
    room, client, game_number = caller.live.room, caller.client, caller.game(game)
    if game_number == room.game_number and room.phase not in ("over", "ended"):
        raise NotAllowed("this game is not over yet; you can review it afterwards")
    # A game whose end was taken back needs a new review.
    version = room.playing().version if game_number == room.game_number else ""
    key = f"{room.id} {game_number} {version} {language()}"
    known: ReviewView | None = client.services.reviews.find(key)
    if known is None:  # only then is the log read
        log = await client.services.rooms.history(caller.live)
        known = await client.do_once(key, "reviews", _review_game, room.id, log, game_number)
    return known


async def review_of_record(caller: Caller, data: bytes) -> ReviewView:
    """Return the review of a record that the caller sends, from the cache if it was made before.

    A damaged record is reviewed up to the damage. Raises BadRecord if not even the header can be
    read, TooLarge, and what `Caller.do` raises.
    """
    key = f"{sha256(data).hexdigest()} {language()}"
    return await caller.do_once(key, "", review_record, data)


def _review_game(room: str, history: Sequence[Numbered], game_number: int) -> ReviewView:
    """Review a game of a room, given its log. Raises UnknownRecord, TooLarge. Takes a while."""
    return review_record(record_of(room, history, game_number))


def review_record(data: bytes) -> ReviewView:
    """Review a record up to any damage. Raises BadRecord and TooLarge. Takes a while."""
    reading, fault = read_up_to(data, limits.MOST_REVIEWED)
    game = reading.game
    if len(reading.play.log) > limits.MOST_REVIEWED:
        raise TooLarge(
            "the record has more than {most:,} events, too many to review here",
            most=limits.MOST_REVIEWED,
        )
    # Even of a large box, the rest can be small if the game began from a position.
    is_small = not isinstance(game, Match) and can_solve_from(game, reading.play.start)
    if game.scoring is not None and not (is_small or can_advise(game)):
        raise TooLarge(
            "{game} takes too long to review here. Save the game, and review it in the terminal "
            "with shutbox review",
            game=turn_game(game).name,
        )
    # Reviewers of matches are not cached, to save memory.
    is_match = isinstance(game, Match)
    reviewer = new_reviewer() if is_match else cached(game, "reviewer", new_reviewer)
    return _view(reviewer, reviewer.review(reading), reading.header.begun, fault)


def _view(reviewer: Reviewer, review: Review, begun: str, fault: str | None) -> ReviewView:
    turns, steps = list[ReviewTurn](), list[ReviewStep]()
    for (turn, seat), events in groupby(review.events, lambda event: (event.turn, event.seat)):
        first = len(steps) + 1
        for step_events in _split_into_steps(review, events):
            steps.append(_step(reviewer, review, len(steps) + 1, len(turns), step_events))
        turns.append(ReviewTurn(turn, seat, first, len(steps)))
    too_long = gettext(
        "to judge this match by the share of the win would take too long here, so points count"
    )
    return ReviewView(
        title=turn_game(review.game).card().title,
        begun=begun,
        why_points=too_long if review.why_points else "",
        fault=fault,
        verdict=report.verdict(review),
        turns=tuple(turns),
        steps=tuple(steps),
    )


def _split_into_steps(
    review: Review, events: Iterable[ReviewedEvent]
) -> Iterator[list[ReviewedEvent]]:
    """Yield the events of each step: choices, a throw, and the choice after it, if not of dice."""
    step = list[ReviewedEvent]()
    for event in events:
        has_throw = any(isinstance(before, ReviewedThrow) for before in step)
        if has_throw and not _ends_step(review, step[-1], event):
            yield step
            step = []
        step.append(event)
    yield step


def _ends_step(review: Review, last: ReviewedEvent, event: ReviewedEvent) -> bool:
    """Whether `event` is a choice right after the throw `last`, other than of the next dice."""
    if isinstance(event, ReviewedThrow) or isinstance(last, ReviewedChoice):
        return False
    offers = review.game.scene(event.before).offers
    return not any(offer.text == event.choice and offer.kind == "dice" for offer in offers)


def _step(
    reviewer: Reviewer, review: Review, number: int, turn: int, events: Sequence[ReviewedEvent]
) -> ReviewStep:
    throw = next((event for event in events if isinstance(event, ReviewedThrow)), None)
    awaited = review.game.awaits(throw.before) if throw else None
    choices = (event for event in events if isinstance(event, ReviewedChoice))
    return ReviewStep(
        number=number,
        turn=turn,
        seat=events[0].seat,
        faces=throw.roll.pips if throw else (),
        sides=awaited.dice.sides if isinstance(awaited, Throw) else (),
        luck=float(throw.luck) if throw else None,
        moves=tuple(_move(reviewer, review, choice) for choice in choices),
        chosen=isinstance(events[-1], ReviewedChoice),
    )


def _move(reviewer: Reviewer, review: Review, event: ReviewedChoice) -> Move:
    scene, turn = review.game.scene(event.before), turn_at(review.game, event.before)
    offers = {offer.text: offer for offer in scene.offers}
    offer, why = offers[event.choice], ("", "")
    if event.cost and (solved := reviewer.solved_turn(review, event.before)):
        name = review.seats[event.seat].name
        why = chosen_words(*solved, event.choice), chosen_words(*solved, event.choice, name)
    return Move(
        choice=offer.text,
        says=offer.says,
        covers=any(piece.kind is Kind.TILE and piece.key in offer.takes for piece in scene.pieces),
        grade=None if event.grade is None else str(event.grade.value),
        cost=float(event.cost),
        best=event.best.text if event.best else None,
        best_says=offers[event.best.text].says if event.best else "",
        ranking=tuple((option.text, float(option.value)) for option in event.ranking),
        position=position_text(*turn) if turn else "",
        why=why,
    )
