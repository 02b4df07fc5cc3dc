"""A game that is watched again and judged, step by step: each step has its own address."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.english import listed
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.scene import Kind, Scene, State
from shutbox.solving.review.report import THRESHOLDS, SeatVerdict, Unit
from shutbox.table.lookup import find_position
from shutbox.web import limits
from shutbox.web.actions import reviews
from shutbox.web.actions.context import Caller
from shutbox.web.actions.replays import is_short, packed, recorded
from shutbox.web.errors import BadRequest, NotAllowed, sentence
from shutbox.web.http.requests import caller, room_caller_of, sent_record
from shutbox.web.pages.analysis import ticks
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms import number_text
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.requests import read_number

NOTHING = "\N{EN DASH}"


async def review(request: Request) -> Response:
    """Show the review of a room's game; only the game to watch, if it is too large or not over."""
    inside = await room_caller_of(request)
    inside.check(Permission.SEES)
    game = inside.game(read_number(request.query_params.get("game"), "game"))
    step = read_number(request.query_params.get("step"), "step")
    table = f"/r/{inside.live.room.id}"
    about: Any = {
        "table": table,
        "saved": f"{table}/record?game={game}",
        "origin": inside.who.origin,
    }
    try:
        judged = await reviews.review_of_room(inside, game)
    except (NotAllowed, TooLarge) as error:
        data = await recorded(inside, game)
        return await _only_watched(inside.who, data, error, quick=is_short(inside), **about)
    shown = Shown(judged, step, f"{table}/review?game={game}&step=")
    return await run_in_threadpool(_page, shown=shown, **about)


async def open_record(request: Request) -> Response:
    """Show the form for a record; the review of a sent one, or an error.

    Steps send the record again: nothing is stored.
    """
    if request.method == "GET":
        return _page()
    who = caller(request)
    who.count(limits.HINTS_OF_ADDRESS, "reviews")
    data, step = await sent_record(request)
    try:
        if data is None:
            raise BadRequest("no file was sent")
        text, number = data.decode(errors="replace"), read_number(step or None, "step")
        try:
            shown = Shown(await reviews.review_of_record(who, data), number, "#step-")
        except TooLarge as error:
            return await _only_watched(who, data, error, text=text)
    except ShutboxError as error:
        return _page(error)
    return await run_in_threadpool(_page, shown=shown, text=text)


async def _only_watched(
    who: Caller, data: bytes, error: ShutboxError, *, quick: bool = False, **about: Any
) -> Response:
    """Return the page of a record to watch again, not judged; `error` says why."""
    replay = await who.do(packed, data, quick=quick)
    why = sentence(error).splitlines()
    return await run_in_threadpool(_page, replay=replay, why=why, **about)


def _page(error: ShutboxError | None = None, **about: Any) -> Response:
    """Return the page of a review as `shown`, of a `replay` that is not judged, or of the form.

    In `about`, `table` is the address of the room, `saved` that of its record and `origin` that of
    the site, for the preview of a link. `text` is instead a record that was sent, which the page
    sends again for each step.
    """
    nothing = dict.fromkeys(("shown", "replay", "table", "saved", "origin", "text", "why"))
    return rendered("review.html", error, **{**nothing, **about})


@dataclass(frozen=True)
class Shown:
    """A review as its page shows it, at one of its steps."""

    review: reviews.ReviewView
    wanted: int | None
    """The number of the step to show, or if it is out of range, the nearest; None: costliest."""
    here: str  # the address of a step, but its number

    letter = 7.6  # the greatest width of a letter in a label of the chart, in SVG units

    @cached_property
    def now(self) -> reviews.ReviewStep | None:
        """The current step, by default the costliest; None if the review has no steps."""
        steps = self.review.steps
        if steps and self.wanted is not None:
            return steps[min(max(self.wanted, 1), len(steps)) - 1]
        return max(steps, key=lambda step: (step.cost, -step.number), default=None)

    @property
    def steps(self) -> tuple[reviews.ReviewStep, ...]:
        """The steps of the current turn."""
        here = self.now.turn if self.now else None
        return tuple(step for step in self.review.steps if step.turn == here)

    @property
    def share(self) -> bool:
        """Whether results are shares of the win, not points."""
        return self.review.unit == Unit.SHARE.value

    @property
    def aim(self) -> str:
        """The aim in which numbers are given: `win` or `mean`."""
        return "win" if self.share else "mean"

    def figures(self, seat: SeatVerdict) -> list[dict[str, str]]:
        """Return rows for a seat: its expectation, its gains and losses, and its result.

        They add up as printed. Each has a `name`, a `value`, and a `look` for the style sheet.
        Values of several seats have no unit, since their sheet shows it above them.
        """
        # A verdict counts in percent, while a chance is between 0 and 1.
        aim, scale = ("win", 100) if self.share and len(self.review.seats) == 1 else ("mean", 1)
        sums = (seat.expected, seat.result)
        expected, result = (number_text.value_text(aim, value / scale) for value in sums)
        changes = (seat.luck, seat.mistakes, seat.others)
        luck, mistakes, others = (number_text.signed_value(aim, value / scale) for value in changes)
        last = pgettext("figure", "result") if self.review.over else gettext("as it stood")
        rows = [
            (pgettext("figure", "expected"), expected, ""),
            (pgettext("figure", "luck"), luck, "luck"),
            (pgettext("figure", "mistakes"), mistakes, "bad" if seat.mistakes else ""),
            *([(pgettext("figure", "their luck"), others, "")] if self.share else []),
            (last, result if self.share else _points(seat.result), "total"),
        ]
        return [{"name": name, "value": value, "look": look} for name, value, look in rows]

    def covered(self, step: reviews.ReviewStep) -> str:
        """Return a step's last choice after its throw in short; if none, "stuck" or a dash."""
        if step.moves and not (step.faces and step.bars[-1].kind == "luck"):
            last = step.moves[-1]
            return last.choice.replace(" ", "+") if last.covers else last.says
        # In a game that covers tiles, a turn that ends without a cover is stuck.
        ends = any(step.number == turn.last for turn in self.review.turns)
        covers = any(move.covers for each in self.review.steps for move in each.moves)
        return pgettext("result", "stuck") if step.faces and ends and covers else NOTHING

    @property
    def bounds(self) -> list[str]:
        """The lowest costs of the grades from `inaccuracy` on, as text."""
        lowest = [float(costs[Unit(self.review.unit)]) for costs in THRESHOLDS.values()]
        return [number_text.cost(self.aim, cost) for cost in reversed(lowest)]

    # The chart of the current turn

    @cached_property
    def range(self) -> tuple[float, float]:
        """The ends of the scale around the turn's results; from 0 if low is good and 0 is near."""
        changes = (bar.delta for step in self.steps for bar in step.bars)
        levels = list(accumulate(changes, initial=self.steps[0].start))
        low, high = min(levels), max(levels)
        span = (high - low) or abs(high) or 1.0
        from_zero = not self.share and self.review.low_is_good and 0 <= low < 0.75 * high
        return 0.0 if from_zero else low - 0.08 * span, high + 0.06 * span

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return up to `most` round numbers on the scale, each with its label."""
        found = ticks(*self.range, most)
        return [(tick, re.sub(r"\.0(?!\d)", "", self.written(tick))) for tick in found]

    def written(self, value: float) -> str:
        """Return an expected result as text."""
        return number_text.value_text(self.aim, value) if self.share else _points(value)

    def label(self, bar: reviews.Bar) -> str:
        """Return the change of a bar as text, with " !!" after a mistake."""
        return number_text.signed_value(self.aim, bar.delta) + (" !!" if bar.mistake else "")

    def longest(self) -> float:
        """Return the width of the widest label of the current turn, in SVG units; 0 for none."""
        labels = [self.label(bar) for step in self.steps for bar in step.bars]
        return self.letter * max(map(len, labels), default=0)

    # The current step

    @property
    def box(self) -> Scene | None:
        """The box after the last choice up to the current step; None before the first choice."""
        last = self.now.number if self.now else 0
        moves = [move for step in self.review.steps[:last] for move in step.moves if move.after]
        return self.after(moves[-1].after, moves[-1].position) if moves else None

    @staticmethod
    def after(position: str, thrown: str) -> Scene:
        """Return the box at `position`, with the dice as they lay at `thrown`, before a choice."""
        game, here = find_position(position)
        scene, before = game.scene(here), game.scene(find_position(thrown)[1])
        tiles = tuple(piece for piece in scene.pieces if piece.kind is Kind.TILE)
        dice = tuple(piece for piece in before.pieces if piece.kind is Kind.DIE)
        if tiles and all(die.state is State.LYING for die in dice):
            return replace(scene, pieces=tiles + dice, dice=before.dice)
        return scene

    @property
    def move(self) -> reviews.Move | None:
        """The step's choice that its panel shows: costliest, last of equals; None without any."""
        moves = self.now.moves if self.now else ()
        return max(reversed(moves), key=lambda move: move.cost, default=None)

    @property
    def sentence(self) -> str:
        """The step in a sentence, for screen readers."""
        step, move = self.now, self.move
        if step is None:
            return gettext("Nothing was thrown.")
        faces = listed(step.faces) or gettext("no dice yet")  # after a choice that ends a record
        facts: dict[str, Any] = {"number": step.number, "faces": faces}
        if move is None:
            return gettext("Throw {number}: {faces}. There was nothing to choose.", **facts)
        facts["choice"] = move.says
        if not move.grade:
            return gettext("Throw {number}: {faces}. Chosen: {choice}.", **facts)
        if not move.cost:
            return gettext("Throw {number}: {faces}. Chosen: {choice}, the best.", **facts)
        facts |= {"cost": number_text.cost(self.aim, move.cost), "best": move.best_says}
        facts["grade"] = pgettext("grade", move.grade)
        return gettext(
            "Throw {number}: {faces}. Chosen: {choice} ({grade}, costs {cost}). Best: {best}.",
            **facts,
        )


def _points(value: float) -> str:
    """Return points as text, without a decimal if they are a whole number."""
    return f"{value:g}" if value == int(value) else number_text.tenth(value)
