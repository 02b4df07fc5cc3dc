"""Throws, choices and advice, with the rows of a hint as they are printed and spoken.

A cost is the difference of two values as they are printed, so the numbers on the page add up.
"""

from dataclasses import dataclass

from shutbox.engine.english import capital, tenths
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.scene import Kind
from shutbox.solving.advice.ranking import AdviceFigures, ChoiceFigures, ChoiceJudged
from shutbox.solving.review.report import Verdict
from shutbox.solving.review.review_text import mistakes_words, verdict_sentences
from shutbox.web import limits
from shutbox.web.actions.context import Done, RoomCaller, RoomReply
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import commands, numbers
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.days import closes_at
from shutbox.web.rooms.events import convert
from shutbox.web.rooms.requests import Act, Again
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.table_view import MoveView, TableView

_POINTS, _SHARE = 20, 100  # in tenths; such a cost, or the largest if more, makes a bar 1/5 long


@dataclass
class Acted(Done):
    """A throw, choice, take-back or correction that is now stored, and the lines about it."""

    said: tuple[str, ...]  # what happened, in sentences
    coach: tuple[str, ...]  # the coach's remark on a choice, if the room has a coach
    move: MoveView | None = None  # the move in figures
    brief: tuple[str, ...] | None = None  # the shortest form of `said`; None if it is no shorter
    coach_figures: ChoiceJudged | None = None
    """The coach's remark in figures; None if `coach` is empty."""


@dataclass(frozen=True, slots=True)
class HintRow:
    """One choice of a hint."""

    text: str  # the choice in notation, like the `text` of an offer
    name: str  # the choice as its row shows it
    value: str  # the value as text
    cost: str  # the difference from the best value, with its sign; for the best choice, a word
    shut: str  # the chance to shut the box; empty if it is the same for all choices
    spoken: str  # the whole row in words
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


@dataclass
class Judged:
    """The luck and the skill in a game that is over."""

    game: int  # its number in the room, from 1
    says: tuple[str, ...]  # a line for each seat, or the reason why there is no verdict
    verdict: Verdict | None  # None if there is none
    mistakes: tuple[str, ...] = ()  # each seat's mistakes, by the grades of a review: `1 blunder`


async def room(caller: RoomCaller, request: None) -> RoomReply:
    """Return a room as the caller sees it now. Raises NotAllowed."""
    caller.check(Permission.SEES)
    return caller.snapshot


async def act(caller: RoomCaller, request: Act) -> Acted:
    """Store a throw, choice, take-back or correction, and return it with the room after it.

    Raises NotAllowed, TooOften, OutOfDate, NotKept, Full, DamagedStore and the rules' errors.
    """
    live, services = caller.live, caller.who.services
    who = Permission.THROWS if request.do in ("throw", "correct") else Permission.ACTS
    coach: tuple[str | ChoiceJudged, ...] = ()
    is_coached = live.is_coached(request)
    if is_coached or request.do == "throw":
        caller.check(who, request.seat)
    if is_coached:
        coach = await services.advisor.judged(live, request.choice, caller.who.waits_as)
    if request.do == "throw" and live.room.turn == (request.game, request.seat):
        await services.rooms.prepare_dice(live)
    day = None
    if live.room.is_of_day and request.do == "throw":
        day = await services.days.sure(live.room.day)

    def make(room: Room) -> RoomChange:
        if day is not None and services.rooms.now() >= closes_at(day.day):
            raise NotAllowed("that day is over; its seed is published, and no more dice are thrown")
        return RoomChange(commands.act(room, request, day), answer=coach)

    outcome = await caller.change("act", who, request, make)
    if live.room.is_of_day:
        services.days.judge_if_over(live)
    line, view = live.room.line(outcome.number), live.present()
    lines = tuple(one for one in outcome.answer if isinstance(one, str))
    figures = (
        convert(one, ChoiceJudged, from_attributes=True)  # of a retry, as it was stored
        for one in outcome.answer
        if not isinstance(one, str)
    )
    reply = line.says, lines, line.move, line.brief, next(figures, None)
    return Acted(outcome.number, view, caller.you, *reply)


async def load_dice(caller: RoomCaller, request: Again) -> None:
    """Load the seed of sealed dice for a rematch to reveal. Raises DamagedStore, UnknownRoom."""
    await caller.who.services.rooms.load_dice(caller.live)


async def hint(caller: RoomCaller, request: None = None) -> Hint:
    """Return advice for the player who is due. Raises NotAllowed, TooOften, Full and TooLarge."""
    caller.check(Permission.AT_TABLE)
    who = caller.who
    who.count(limits.HINTS_OF_ADDRESS, "hints")
    table = caller.live.present().table
    found = Hint(*await who.services.advisor.hint(caller.live, who.waits_as))
    if found.figures is not None and table is not None:
        found.lead, found.rows = _aim_words(found.figures), _hint_rows(found.figures, table)
    return found


_FROM_LINK = gettext_noop(
    "The figures of the challenger come from the link. Nobody has checked the game it tells of."
)


async def verdict(caller: RoomCaller, request: None = None) -> Judged:
    """Return the verdict on the current game, or the reason for none. Raises as `hint`."""
    caller.check(Permission.SEES)
    who, game = caller.who, caller.live.room.game_number
    who.count(limits.HINTS_OF_ADDRESS, "hints")
    found = await who.services.advisor.verdict(caller.live, who.waits_as)
    if isinstance(found, str):
        return Judged(game, (found,), None)
    mistakes = tuple(map(mistakes_words, found.seats))
    says = [*verdict_sentences(found)]
    if caller.live.room.opened.challenge:
        says.append(gettext(_FROM_LINK))
    return Judged(game, tuple(says), found, mistakes)


def _aim_words(figures: AdviceFigures) -> str:
    """Return the line above the rows of a hint, which names the aim of the advice."""
    if not figures.chance:
        return gettext("Expected result, best first.")
    if figures.aim == "win":
        return gettext("Chance to win, best first.")
    return gettext("Chances, best first.")


def _hint_rows(figures: AdviceFigures, table: TableView) -> tuple[HintRow, ...]:
    """Return the rows of a hint, one for each ranked choice, the best first."""
    scale, chance = (100 if figures.chance else 1), figures.chance
    values = [tenths(one.value * scale) for one in figures.choices]
    longest = max(_SHARE if chance else _POINTS, *(abs(value - values[0]) for value in values))
    differs = len({_percent(one.shut) for one in figures.choices}) > 1
    all_takes = {offer.text: offer.takes for offer in table.offers}
    tiles = {piece.key: piece for piece in table.pieces if piece.kind is Kind.TILE}
    # If the tiles are in two rows, a number alone does not identify a tile.
    in_rows = any(tile.row > 0 for tile in tiles.values())
    rows = []
    for one, in_tenths in zip(figures.choices, values, strict=True):
        takes = all_takes.get(one.text, ())
        takes = takes if tiles.keys() >= set(takes) else ()  # none if it takes anything else
        name = "" if in_rows else "+".join(tiles[key].face for key in takes)
        value = numbers.with_unit(numbers.tenth(in_tenths / 10), chance=chance)
        cost = _cost(one, in_tenths - values[0], figures)
        shut = _shut(one, figures, has_tiles=bool(tiles)) if differs else ""
        rows.append(
            HintRow(
                *(one.text, name or capital(one.says), value, cost, shut),
                spoken=_spoken(figures.aim, one.says, value, cost, shut),
                takes=takes,
                length=1 - 0.8 * abs(in_tenths - values[0]) / longest,
                is_best=one.best,
                is_wordy=not name,
            )
        )
    return tuple(rows)


def _percent(chance: float) -> str:
    """Return a chance in whole percent; a chance that is almost 0 or 1 is not rounded to it.

    >>> [_percent(chance).split() for chance in (0.117, 0.004, 0.999, 0.0)]
    [['12', '%'], ['under', '1', '%'], ['over', '99', '%'], ['0', '%']]
    """
    if 0 < chance < 0.005:
        return numbers.unbroken(gettext("under 1 %"))
    if 0.995 < chance < 1:
        return numbers.unbroken(gettext("over 99 %"))
    return numbers.with_unit(str(tenths(10 * chance)), chance=True)


def _cost(one: ChoiceFigures, apart: int, figures: AdviceFigures) -> str:
    """Return the text for a row's cost: `best`, or a difference from the best such as `+0.4`.

    `apart` is the difference of the two figures as they are shown, in tenths. A real loss that
    rounds to nothing is `under +0.1`.
    """
    if one.best:
        return pgettext("grade", "best")
    if apart or not one.cost:
        return numbers.with_unit(numbers.signed(apart / 10), chance=figures.chance)
    least = numbers.signed(0.1 if figures.low_is_good else -0.1)
    return gettext("under {cost}", cost=numbers.with_unit(least, chance=figures.chance))


def _shut(one: ChoiceFigures, figures: AdviceFigures, *, has_tiles: bool) -> str:
    chance = _percent(one.shut)
    if has_tiles:
        return gettext("shut {chance}", chance=chance)
    return gettext("{shuts} {chance}", shuts=figures.shuts, chance=chance)


def _spoken(aim: str, choice: str, value: str, cost: str, shut: str) -> str:
    about = {"choice": choice, "value": value, "cost": cost}
    if aim == "mean":
        words = gettext("{choice}: {value} expected, {cost}", **about)
    elif aim == "win":
        words = gettext("{choice}: wins {value}, {cost}", **about)
    else:
        words = gettext("{choice}: {value}, {cost}", **about)
    return gettext("{words}; {shut}", words=words, shut=shut) if shut else words
