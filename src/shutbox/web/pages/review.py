"""The review of a game that is over, step by step: each step has an address of its own."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shutbox.analysis.review.grades import THRESHOLDS, Grade, Unit
from shutbox.analysis.review.verdict import SeatVerdict
from shutbox.english import listed
from shutbox.errors import ShutboxError
from shutbox.lookup import find_any_position
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Kind, State
from shutbox.web import limits
from shutbox.web.actions.records import review_of_record, review_of_room
from shutbox.web.actions.reviews import (
    Move,
    ReviewStep,
    ReviewTurn,
    ReviewView,
)
from shutbox.web.errors import BadRequest, sentence
from shutbox.web.http.context import caller, caller_there, services_of
from shutbox.web.http.errors import saying_when, status_of
from shutbox.web.http.records import sent_record
from shutbox.web.pages.analysis import at_address, play_from
from shutbox.web.pages.charts import bar, bar_of
from shutbox.web.pages.still import still
from shutbox.web.pages.templates import rendered
from shutbox.web.pages.waterfall import Waterfall
from shutbox.web.rooms import numbers
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import read_number

NOTHING = "\N{EN DASH}"
GRADES = {
    Grade.BEST: gettext_noop("best"),
    Grade.GOOD: gettext_noop("good"),
    Grade.INACCURACY: gettext_noop("inaccuracy"),
    Grade.MISTAKE: gettext_noop("mistake"),
    Grade.BLUNDER: gettext_noop("blunder"),
}


async def review(request: Request) -> Response:
    """The review of a game of a room, at one of its steps."""
    there = await caller_there(request)
    there.check(Who.SEES)
    room = there.live.room
    game = read_number(request.query_params.get("game"), "game") or room.game
    step = read_number(request.query_params.get("step"), "step")
    path = f"/r/{room.id}"
    here = f"{path}/review?game={game}&step="
    try:
        found = await review_of_room(there, game)
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _refused(error, path)
    shown = partial(page_of, found, step, lambda number: f"{here}{number}", table=path)
    return await run_in_threadpool(shown)


async def open_record(request: Request) -> Response:
    """The review of a record that was sent; each step sends it again, since nothing is kept."""
    who = caller(request)
    await who.count(limits.HINTS_OF_ADDRESS, "reviews")
    sent = await sent_record(request)
    try:
        if sent.data is None:
            raise BadRequest("no file was sent")
        found = await review_of_record(who, sent.data)
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _refused(error)
    step = int(sent.step) if re.fullmatch(r"[0-9]{1,6}", sent.step) else None
    record = sent.data.decode(errors="replace")
    return await run_in_threadpool(page_of, found, step, None, record=record)


def _refused(error: ShutboxError, table: str | None = None) -> Response:
    page = rendered(
        "review.html",
        status_of(error),
        review=None,
        said=sentence(error).splitlines(),
        table=table,
    )
    return saying_when(page, error)


def page_of(
    found: ReviewView,
    step: int | None,
    address: Callable[[int], str] | None,
    *,
    table: str | None = None,
    record: str | None = None,
) -> Response:
    """The page of a review at a step; by itself at the one that cost most."""
    shown = Shown(found, step, address or (lambda number: f"#step-{number}"))
    return rendered(
        "review.html",
        review=found,
        shown=shown,
        said=[],
        table=table,
        record=record,
        linked=address is not None,
        figures=[shown.figures(seat) for seat in found.seats],
        sheet=[shown.figures(seat, bare=True) for seat in found.seats],
        grades=shown.grades,
    )


@dataclass(frozen=True)
class Shown:
    """A review as its page shows it, at one step."""

    review: ReviewView
    wanted: int | None
    address: Callable[[int], str]

    @property
    def now(self) -> ReviewStep | None:
        """The step that is looked at; None where nothing was thrown."""
        steps = self.review.steps
        if not steps:
            return None
        if self.wanted is not None:
            return steps[min(max(self.wanted, 1), len(steps)) - 1]
        return max(steps, key=lambda step: (step.cost, -step.number))

    @property
    def turn(self) -> ReviewTurn | None:
        """Its turn."""
        return self.review.turns[self.now.turn] if self.now else None

    @property
    def steps(self) -> Sequence[ReviewStep]:
        """Those of the same turn."""
        turn = self.turn
        return self.review.steps[turn.first - 1 : turn.last] if turn else ()

    @property
    def aim(self) -> str:
        """What numbers are about."""
        return "mean" if self.review.unit == Unit.POINTS.value else "win"

    def worth(self, value: float) -> str:
        """A value."""
        return numbers.worth(self.aim, value)

    def result(self, value: float) -> str:
        """What came of it: a whole number where it is one."""
        return f"{value:g}" if self.aim == "mean" and value == int(value) else self.worth(value)

    def cost(self, value: float) -> str:
        """What a choice costs, without a sign."""
        return numbers.cost(self.aim, value)

    def signed(self, value: float) -> str:
        """What is added."""
        return numbers.signed_worth(self.aim, value)

    def bare(self, value: float) -> str:
        """A value in a table that tells the unit."""
        return numbers.tenth(value if self.aim == "mean" else 100 * value)

    def bare_signed(self, value: float) -> str:
        """What is added, in such a table."""
        return numbers.signed(value if self.aim == "mean" else 100 * value)

    def figures(self, seat: SeatVerdict, *, bare: bool = False) -> list[dict[str, str]]:
        """What a seat began with, what was added, and what came of it; they add up as printed.

        Bare numbers have no unit: that of a sheet stands above it.
        """
        # A verdict counts in percent, and a chance is a part of 1.
        scale = 1 if self.aim == "mean" else 100
        is_bare = bare and scale > 1

        def worth(value: float) -> str:
            return numbers.tenth(value) if is_bare else self.worth(value / scale)

        def signed(value: float) -> str:
            return numbers.signed(value) if is_bare else self.signed(value / scale)

        found = [
            {"name": gettext("expected"), "value": worth(seat.expected), "look": ""},
            {"name": gettext("luck"), "value": signed(seat.luck), "look": "luck"},
            {
                "name": gettext("mistakes"),
                "value": signed(seat.mistakes),
                "look": "bad" if seat.mistakes else "",
            },
        ]
        if self.aim != "mean":
            others = signed(seat.others)
            found.append({"name": gettext("the others"), "value": others, "look": ""})
        result = gettext("result") if self.review.over else gettext("as it stood")
        came = worth(seat.result) if is_bare else self.result(seat.result / scale)
        return [*found, {"name": result, "value": came, "look": "total"}]

    # The steps

    @property
    def chart(self) -> str:
        """What could be expected over the turn."""
        return Waterfall(
            self.steps,
            self.now.number if self.now else 0,
            [self.covered(step) for step in self.steps],
            self.result,
            self.signed,
            self.address,
            self.aim == "mean" and self.review.low_is_good,
        ).drawn()

    @property
    def has_others(self) -> bool:
        """Whether several play."""
        return len(self.review.seats) > 1

    def called(self, turn: ReviewTurn) -> str:
        """A turn, in short."""
        name = self.review.seats[turn.seat].name
        if turn.number is None:
            return name
        if not self.has_others:
            return str(turn.number)
        return gettext("{number} {name}", number=turn.number, name=name)

    def covered(self, step: ReviewStep) -> str:
        """What was covered, in short."""
        move = _last(step)
        if move is None:
            # Where tiles are covered, a turn that ends without a cover is stuck.
            ends = any(step.number == turn.last for turn in self.review.turns)
            covers = any(move.covers for each in self.review.steps for move in each.moves)
            return gettext("stuck") if step.faces and ends and covers else NOTHING
        return short(move.choice) if move.covers else move.says

    def dice(self, step: ReviewStep) -> str:
        """The faces, for voices."""
        return listed(step.faces)

    def next_mistake(self) -> int | None:
        """The number of the next step with a mistake, the first one after the last."""
        wrong = [step.number for step in self.review.steps if step.mistake]
        here = self.now.number if self.now else 0
        return next((number for number in wrong if number > here), wrong[0] if wrong else None)

    def grade(self, move: Move) -> str:
        """What a choice is called; empty where it is not counted."""
        return gettext(GRADES[Grade(move.grade)]) if move.grade else ""

    @property
    def grades(self) -> list[tuple[str, str]]:
        """How mistakes are named: each grade, and from which cost on."""
        unit = Unit(self.review.unit)
        bounds = [float(threshold.of(unit)) for threshold in reversed(THRESHOLDS)]
        named = [gettext(GRADES[Grade.GOOD])]
        named += [gettext(GRADES[threshold.grade]) for threshold in reversed(THRESHOLDS)]
        said = [gettext("under {cost}", cost=self.cost(bounds[0]))]
        for low, high in pairwise(bounds):
            said.append(gettext("{low} to {high}", low=self.cost(low), high=self.cost(high)))
        said.append(gettext("from {cost}", cost=self.cost(bounds[-1])))
        return list(zip(named, said, strict=True))

    # The step that is looked at

    @property
    def move(self) -> Move | None:
        """The choice that its panel is about: the one that cost most."""
        moves = self.now.moves if self.now else ()
        return max(reversed(moves), key=lambda move: move.cost, default=None)

    @property
    def boards(self) -> list[dict[str, Any]]:
        """Yours, and beside it the better choice, drawn."""
        move = self.move
        if move is None or not move.after:
            return []
        name = self._covers(move.choice, move.says, move)
        values = dict(move.ranking)
        mine = values.get(move.choice)
        if not move.cost or not move.best:
            look = gettext("{choice}, the best", choice=name) if move.grade else name
            return [_board(look, self._or_none(mine), move.after, move.position, "better")]
        best = self._covers(move.best, move.best_says, move)
        return [
            _board(
                gettext("chosen {choice}", choice=name),
                self._or_none(mine),
                move.after,
                move.position,
                "yours",
            ),
            _board(
                gettext("better {choice}", choice=best),
                self._or_none(values.get(move.best)),
                move.better,
                move.position,
                "better",
            ),
        ]

    def _or_none(self, value: float | None) -> str:
        return "" if value is None else self.worth(value)

    def _covers(self, text: str, says: str, move: Move) -> str:
        return short(text) if move.covers else says

    @property
    def ranking(self) -> list[dict[str, Any]]:
        """The best choices, with bars."""
        move = self.move
        if move is None or len(move.ranking) < 2:
            return []
        best = move.ranking[0][1]
        costs = [abs(value - best) for _, value in move.ranking]
        worst = max(costs)
        return [
            {
                "what": self._covers(text, text, move),
                "value": self.worth(value),
                "cost": cost,
                "said": self.signed(value - best),
                "mine": text == move.choice,
                "bar": bar(bar_of(cost, worst)),
            }
            for (text, value), cost in zip(move.ranking, costs, strict=True)
        ]

    @property
    def again(self) -> dict[str, str] | None:
        """What a form sends to play on from the position of the step, alone."""
        if not self.move or not self.move.position:
            return None
        return play_from(*find_any_position(self.move.position))

    @property
    def analysis(self) -> str:
        """Where that position is worked out."""
        return at_address(self.move.position) if self.move else ""

    @property
    def told(self) -> str:
        """The step in a sentence, for who hears it."""
        step, move = self.now, self.move
        if step is None:
            return gettext("Nothing was thrown.")
        facts: dict[str, Any] = {"number": step.number, "dice": listed(step.faces)}
        if move is None:
            return gettext("Throw {number}: {dice}. Nothing could be chosen.", **facts)
        facts |= {"choice": move.says, "grade": self.grade(move)}
        if not move.grade:
            return gettext("Throw {number}: {dice}. Chosen: {choice}.", **facts)
        if not move.cost:
            return gettext("Throw {number}: {dice}. Chosen: {choice}, the best.", **facts)
        facts |= {"cost": self.cost(move.cost), "best": move.best_says}
        return gettext(
            "Throw {number}: {dice}. Chosen: {choice}, {grade}, costs {cost}; best was {best}.",
            **facts,
        )


def short(choice: str) -> str:
    """A cover in short.

    >>> short("1 4")
    '1+4'
    """
    return choice.replace(" ", "+")


def _last(step: ReviewStep) -> Move | None:
    """The choice that was made once the dice lay there."""
    if step.faces and step.bars[-1].kind == "luck":
        return None
    return step.moves[-1] if step.moves else None


def _board(name: str, value: str, position: str, thrown: str, look: str) -> dict[str, Any]:
    """A box after a choice, with the dice that had been thrown."""
    game, here = find_any_position(position)
    scene, before = game.scene(here), game.scene(find_any_position(thrown)[1])
    tiles = tuple(piece for piece in scene.pieces if piece.kind is Kind.TILE)
    dice = tuple(piece for piece in before.pieces if piece.kind is Kind.DIE)
    if tiles and all(die.state is State.LYING for die in dice):
        scene = replace(scene, pieces=tiles + dice, dice=before.dice)
    return {"name": name, "value": value, "look": look, "box": still(scene)}
