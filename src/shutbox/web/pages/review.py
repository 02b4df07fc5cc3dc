"""A finished game and the choices that mattered: each has its own address."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.english import decimal_or_whole
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.scene import Kind, Scene
from shutbox.solving.review.report import THRESHOLDS, Grade, Unit
from shutbox.table.lookup import find_position
from shutbox.web import limits
from shutbox.web.actions import reviews
from shutbox.web.actions.accounts import AccountView, account
from shutbox.web.actions.context import Caller
from shutbox.web.actions.replays import fetch_record, has_short_record, replay_for_page
from shutbox.web.errors import BadRequest, NotAllowed, sentence
from shutbox.web.http.requests import caller_of, read_record_form, room_caller_of
from shutbox.web.pages.templates import isolate, render
from shutbox.web.rooms import number_text
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.requests import read_number
from shutbox.web.rooms.shapes import json_text

_MOMENTS = 3  # the choices of a review that have their own board


async def review(request: Request) -> Response:
    """Show the review of a room's game; only the game to watch, if it is too large or not over."""
    inside, query = await room_caller_of(request), request.query_params
    inside.check(Permission.SEES)
    game = inside.game(read_number(query.get("game"), "game"))
    moment = read_number(query.get("moment"), "moment")
    address = f"/r/{inside.live.room.id}/review?game={game}"
    links: Any = {
        "table": f"/r/{inside.live.room.id}",
        "saved": f"/r/{inside.live.room.id}/record?game={game}",
        "origin": inside.client.origin,
        "here": address,
    }
    why: ShutboxError | None = None
    if not query.get("watch"):
        try:
            judged = await reviews.review_of_room(inside, game)
            shown = ShownReview(judged, moment, tuple(inside.you.seats))
            return await run_in_threadpool(_page, shown=shown, **links)
        except (NotAllowed, TooLarge) as error:
            why = error
    data = await fetch_record(inside, game)
    return await _only_watched(inside.client, data, why, quick=has_short_record(inside), **links)


async def download_record(request: Request) -> Response:
    """Send a game's record as a download. Raises as what it calls."""
    caller = await room_caller_of(request)
    number = caller.game(read_number(request.query_params.get("game"), "game"))
    data = await fetch_record(caller, number)
    name = f"shutbox-{caller.live.room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain", headers=headers)


async def open_record(request: Request) -> Response:
    """Show the form for a record; the review of a sent one, or an error.

    Its moments send the record again: nothing is stored.
    """
    if request.method == "GET":
        return _page()
    caller = caller_of(request)
    caller.count(limits.HINTS_OF_ADDRESS, "reviews")
    data, moment = await read_record_form(request)
    try:
        if data is None:
            raise BadRequest("no file was sent")
        text = data.decode(errors="replace")
        if moment == "watch":
            return await _only_watched(caller, data, None, text=text)
        number = read_number(moment or None, "moment")
        try:
            shown = ShownReview(await reviews.review_of_record(caller, data), number)
        except TooLarge as error:
            return await _only_watched(caller, data, error, text=text)
    except ShutboxError as error:
        return _page(error)
    return await run_in_threadpool(_page, shown=shown, text=text)


async def _only_watched(
    caller: Caller, data: bytes, error: ShutboxError | None, *, quick: bool = False, **links: Any
) -> Response:
    """Return the page of a record to watch again; `error` says why it is not judged."""
    replay = await caller.do(replay_for_page, data, quick=quick)
    why = sentence(error).splitlines() if error else []
    return await run_in_threadpool(_page, replay=replay, why=why, **links)


def _page(error: ShutboxError | None = None, **content: Any) -> Response:
    """Return the page of a review as `shown`, of a `replay` that is not judged, or of the form.

    In `content`, `table` is the address of the room, `here` that of its review, `saved` that of its
    record and `origin` that of the site, for the preview of a link. `text` is instead a record that
    was sent, which the page sends again for each moment.
    """
    nothing = dict.fromkeys(("shown", "replay", "table", "here", "saved", "origin", "text", "why"))
    return render("review.html", error, **{**nothing, **content})


@dataclass(frozen=True)
class Moment:
    """A choice that cost something, and where it was made."""

    step: reviews.ReviewStep
    move: reviews.Move
    where: str  # the number of the throw, after that of the round if there are several
    name: str  # of the player; "You" for the caller
    is_own: bool  # whether the caller made the choice
    aim_name: str  # the aim in which its values are given: `win` or `mean`

    @cached_property
    def scene(self) -> Scene:
        """The box before the choice."""
        game, position = find_position(self.move.position)
        return game.scene(position)

    @property
    def marks(self) -> dict[str, str]:
        """The keys of tiles that either choice takes: `best`, `yours`, or `both`."""
        takes = {offer.text: set(offer.takes) for offer in self.scene.offers}
        best, mine = takes.get(self.move.best or "", set()), takes.get(self.move.choice, set())
        return {
            key: "best" if key not in mine else "both" if key in best else "yours"
            for key in best | mine
        }

    @property
    def offers(self) -> str:
        """The keys of the tiles that each choice takes, the best choice first, as JSON.

        `[]` unless every choice takes tiles, and nothing but tiles.
        """
        tiles = {piece.key for piece in self.scene.pieces if piece.kind is Kind.TILE}
        takes = {offer.text: offer.takes for offer in self.scene.offers}
        if not all(taken and tiles.issuperset(taken) for taken in takes.values()):
            return "[]"
        best = takes.pop(self.move.best or "", ())
        return json_text([best, *takes.values()])

    @property
    def cost(self) -> str:
        """The cost of the choice, without its unit."""
        return number_text.cost(self.aim_name, self.move.cost)

    @property
    def because(self) -> str:
        """The best choice compared with the one that was made, in a sentence."""
        if said := self.move.why[0 if self.is_own else 1]:
            return said
        values = {text: number_text.value_text("win", value) for text, value in self.move.ranking}
        facts = {"best": self.move.best_says, "choice": self.move.says}
        facts |= {"value": values[self.move.best or ""], "other": values[self.move.choice]}
        return gettext("{best} wins {value}. {choice} wins {other}.", **facts)


@dataclass(frozen=True)
class ShownReview:
    """A review as its page shows it, at one of its moments, to a caller with some seats."""

    review: reviews.ReviewView
    wanted: int | None = None  # the number of the moment to show, from 1; the nearest one is shown
    mine: tuple[int, ...] = ()

    @property
    def account(self) -> AccountView:
        """How luck and play made the result."""
        return account(self.review.verdict, self.mine)

    @property
    def aim_name(self) -> str:
        """The aim in which numbers are given: `win` or `mean`."""
        return "win" if self.review.verdict.unit == Unit.SHARE.value else "mean"

    @property
    def costly(self) -> list[reviews.ReviewStep]:
        """The steps with a choice that cost something, costliest first, ties in order of play."""
        costly = [step for step in self.review.steps if step.cost]
        return sorted(costly, key=lambda step: -step.cost)

    @cached_property
    def moments(self) -> list[Moment]:
        """The up to three choices of all players with a board that cost most, costliest first."""
        placed = [step for step in self.costly if _costliest(step).position]
        moments = []
        for step in placed[:_MOMENTS]:
            place = self.place_words(step), self.name(step.seat), self.mine == (step.seat,)
            moments.append(Moment(step, _costliest(step), *place, self.aim_name))
        return moments

    @property
    def number(self) -> int:
        """The number of the moment to show, from 1."""
        return min(max(self.wanted or 1, 1), len(self.moments))

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat; "You" for the caller."""
        is_own = self.mine == (seat,)
        return pgettext("said", "You") if is_own else self.review.verdict.seats[seat].name

    def place_words(self, step: reviews.ReviewStep) -> str:
        """Return where a step is: `throw 3`, or `round 2, throw 3` if its seat had more turns."""
        turns = [turn for turn in self.review.turns if turn.number and turn.seat == step.seat]
        turn = self.review.turns[step.turn]
        facts = {"throw": step.number - turn.first + 1, "round": 0}
        if not turns[1:] or turn not in turns:
            return gettext("throw {throw}", **facts)
        facts["round"] = 1 + turns.index(turn)
        return gettext("round {round}, throw {throw}", **facts)

    @property
    def result(self) -> str:
        """The result of the game as a heading."""
        title, verdict = self.review.title, self.review.verdict
        facts = {"number": decimal_or_whole(verdict.margin or 0)}
        if not verdict.over:
            return title
        if not verdict.seats[1:]:
            [seat] = verdict.seats
            facts = {"number": decimal_or_whole(seat.result), "name": isolate(seat.name)}
            return _result_alone(facts, is_own=0 in self.mine, is_low=verdict.low_is_good)
        if len(verdict.winners) != 1:
            return title
        facts["name"] = isolate(verdict.seats[verdict.winners[0]].name)
        is_own = self.mine == verdict.winners
        if verdict.margin and is_own:
            return gettext("You win by {number}", **facts)
        if verdict.margin:
            return gettext("{name} wins by {number}", **facts)
        return pgettext("said", "You win") if is_own else gettext("{name} wins", **facts)

    @property
    def others(self) -> list[str]:
        """The names of all players but the caller."""
        seats = [seat for seat in self.review.verdict.seats if self.mine != (seat.seat,)]
        return [isolate(seat.name) for seat in seats]

    def covered(self, step: reviews.ReviewStep) -> str:
        """Return a step's last choice after its throw in short; if none, "stuck" or a dash."""
        if step.chosen:
            move = step.moves[-1]
            return move.choice.replace(" ", " + ") if move.covers else move.says
        # In a game that covers tiles, a turn that ends without a cover is stuck.
        ends = any(step.number == turn.last for turn in self.review.turns)
        covers = any(move.covers for each in self.review.steps for move in each.moves)
        return pgettext("result", "stuck") if step.faces and ends and covers else "\N{EN DASH}"

    @property
    def bounds(self) -> list[str]:
        """The lowest costs of a mistake and of a blunder, as text."""
        unit = Unit(self.review.verdict.unit)
        grades = (Grade.MISTAKE, Grade.BLUNDER)
        return [number_text.cost(self.aim_name, float(THRESHOLDS[grade][unit])) for grade in grades]

    def in_words(self, step: reviews.ReviewStep) -> str:
        """Return the grade of a step's costliest choice in a word; empty if none was graded."""
        grade = _costliest(step).grade if step.moves else None
        if grade in ("good", "inaccuracy"):
            return pgettext("grade", "close")
        return pgettext("grade", grade) if grade else ""


def _costliest(step: reviews.ReviewStep) -> reviews.Move:
    """Return the choice of a step that cost most, the last of equals."""
    return max(reversed(step.moves), key=lambda move: move.cost)


def _result_alone(facts: dict[str, str], *, is_own: bool, is_low: bool) -> str:
    if is_low and facts["number"] == "0":
        own, other = gettext_noop("You shut the box"), gettext_noop("{name} shut the box")
    elif is_low:
        own, other = gettext_noop("You left {number}"), gettext_noop("{name} left {number}")
    else:
        own, other = gettext_noop("You scored {number}"), gettext_noop("{name} scored {number}")
    says = own if is_own else other
    return gettext(says, **facts)
