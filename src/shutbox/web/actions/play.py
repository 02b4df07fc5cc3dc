"""Throws, choices and advice, with the rows of a hint as they are printed and spoken.

A cost is the difference of two values as they are printed, so the numbers on the page add up.
"""

from collections.abc import Sequence

from shutbox.analysis.advice.coach import ChoiceJudged
from shutbox.analysis.advice.ranking import AdviceFigures, ChoiceFigures
from shutbox.english import capital, tenths
from shutbox.messages import gettext, pgettext
from shutbox.scene import Kind, Piece
from shutbox.web import limits
from shutbox.web.actions.context import RoomCaller
from shutbox.web.actions.replies import Acted, Hint, HintRow, Judged, RoomReply
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import commands, numbers
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.days import closes_at
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.requests import Act, Again
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.shapes import read
from shutbox.web.rooms.table_view import TableView

_POINTS, _SHARE = 20, 100  # tenths of a cost that shorten a bar to a fifth, unless one costs more


async def room(caller: RoomCaller, asked: None) -> RoomReply:
    """Return a room as the caller sees it now. Raises NotAllowed."""
    caller.check(Permission.SEES)
    return caller.snapshot


async def act(caller: RoomCaller, asked: Act) -> Acted:
    """Store a throw, choice, take-back or correction, and return it with the room after it.

    Raises NotAllowed, TooOften, OutOfDate, and what the rules refuse.
    """
    live, services = caller.live, caller.who.services
    who = Permission.THROWS if asked.do in ("throw", "correct") else Permission.ACTS
    coach: tuple[str | ChoiceJudged, ...] = ()
    await caller.admit(who, asked.seat, plays=True)
    if live.is_coached(asked):
        coach = await services.advisor.judged(live, asked.choice, caller.who.waits_as)
    if asked.do == "throw" and live.room.turn == (asked.game, asked.seat):
        await services.sealing.ready(live)
    day = None
    if live.room.is_of_day and asked.do == "throw":
        day = await services.days.sure(live.room.day)

    def make(room: Room) -> RoomChange:
        if day is not None and services.rooms.now() >= closes_at(day.day):
            raise NotAllowed("that day is over; its seed is published, and no more dice are thrown")
        return RoomChange(commands.act(room, asked, day), answer=coach)

    outcome = await caller.change("act", who, asked, make)
    if live.room.is_of_day:
        services.days.judge_if_over(live)
    line, view = live.room.line(outcome.number), live.broadcast.present()
    lines = tuple(one for one in outcome.answer if isinstance(one, str))
    figures = (read(ChoiceJudged, one) for one in outcome.answer if not isinstance(one, str))
    reply = line.says, lines, line.move, line.brief, next(figures, None)
    return Acted(outcome.number, view, caller.you, *reply)


async def load_dice(caller: RoomCaller, asked: Again) -> None:
    """Load the seed of sealed dice, whose envelope a rematch opens. Raises DamagedStore."""
    await caller.who.services.sealing.load(caller.live)


async def hint(caller: RoomCaller, asked: None = None) -> Hint:
    """Return advice for the player who is due. Raises NotAllowed, TooOften and Full."""
    caller.check(Permission.AT_TABLE)
    who = caller.who
    await who.count(limits.HINTS_OF_ADDRESS, "hints")
    table = caller.live.broadcast.present().table
    found = Hint(*await who.services.advisor.hint(caller.live, who.waits_as))
    if found.figures is not None and table is not None:
        found.lead, found.rows = _aim_words(found.figures), _hint_rows(found.figures, table)
    return found


async def verdict(caller: RoomCaller, asked: None = None) -> Judged:
    """Return the luck and the skill in the current game, or the reason for having no verdict."""
    caller.check(Permission.SEES)
    who, game = caller.who, caller.live.room.game
    await who.count(limits.HINTS_OF_ADDRESS, "hints")
    return Judged.of(game, await who.services.advisor.verdict(caller.live, who.waits_as))


def _aim_words(figures: AdviceFigures) -> str:
    """Return the line above the rows, which names the aim."""
    if not figures.chance:
        return gettext("Expected result, best first.")
    if figures.aim == "win":
        return gettext("Chance to win, best first.")
    return gettext("Chances, best first.")


def _hint_rows(figures: AdviceFigures, table: TableView) -> tuple[HintRow, ...]:
    """Return a row for each choice, the best first."""
    scale, chance = (100 if figures.chance else 1), figures.chance
    values = [tenths(one.value * scale) for one in figures.choices]
    longest = max(_SHARE if chance else _POINTS, *(abs(value - values[0]) for value in values))
    differs = len({_percent(one.shut) for one in figures.choices}) > 1
    # If the tiles are in two rows, a number alone does not identify a tile.
    in_rows = any(piece.kind is Kind.TILE and piece.row > 0 for piece in table.pieces)
    rows = []
    for one, in_tenths in zip(figures.choices, values, strict=True):
        tiles = _tiles(one.text, table)
        name = "" if in_rows else "+".join(tile.face for tile in tiles)
        value = numbers.with_unit(numbers.tenth(in_tenths / 10), chance=chance)
        cost = _cost(one, in_tenths - values[0], figures)
        shut = _shut(one, figures, table.pieces) if differs else ""
        rows.append(
            HintRow(
                *(one.text, name or capital(one.says), value, cost, shut),
                spoken=_spoken(figures.aim, one.says, value, cost, shut),
                takes=tuple(tile.key for tile in tiles),
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
    if one.best:
        return pgettext("grade", "best")
    if apart or not one.cost:
        return numbers.with_unit(numbers.signed(apart / 10), chance=figures.chance)
    least = numbers.signed(0.1 if figures.low_is_good else -0.1)
    return gettext("under {cost}", cost=numbers.with_unit(least, chance=figures.chance))


def _shut(one: ChoiceFigures, figures: AdviceFigures, pieces: Sequence[Piece]) -> str:
    chance = _percent(one.shut)
    if any(piece.kind is Kind.TILE for piece in pieces):
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


def _tiles(text: str, table: TableView) -> list[Piece]:
    """Return the tiles that a choice takes; none if it takes anything but tiles."""
    takes = next((offer.takes for offer in table.offers if offer.text == text), ())
    tiles = {piece.key: piece for piece in table.pieces if piece.kind is Kind.TILE}
    return [tiles[key] for key in takes] if tiles.keys() >= set(takes) else []
