"""Today's box: one try per device, its result, and the boxes of past days."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TypeVar

from shutbox.engine.errors import OutOfDate, ShutboxError, UnknownRecord
from shutbox.games.catalogue import find
from shutbox.solving.known_dice import SoloResult
from shutbox.table import today as daily
from shutbox.table.today import Day, Finish, Hardest, Skill, Streak
from shutbox.web import limits
from shutbox.web.actions.context import Caller, key_of
from shutbox.web.actions.tables import OpenedReply, open_planned, plan_alone, reply_to_opener
from shutbox.web.errors import FASTER, Broken, NotAllowed, UnknownRoom
from shutbox.web.rooms.access import new_action
from shutbox.web.rooms.changes import IdempotencyKey
from shutbox.web.rooms.requests import Plain

_TRIES = 3  # attempts: the day may end, or another window of the device may be first
_DAY = 86_400  # seconds


@dataclass
class DayTry:
    """The public facts of one day's box, and the caller's try at it."""

    day: str  # the date, in UTC
    number: int  # the number of the day's box
    game: str  # the game in notation
    title: str  # the title of the game
    proof: str  # the SHA-256 of the seed, which is published at 00:30 UTC of the day after
    finished: int  # the number of tries that are over
    room: str | None = None  # the room of the caller's try; None if it has not begun or was deleted
    mine: Finish | None = None  # the result of the caller's try
    exact: SoloResult | None = None  # of exact play with these dice; sent once the try is over
    share: str = ""  # lines to share about the try: the score, and a square for each throw
    spoken: str = ""  # the lines to share, in words
    skills: tuple[Skill, ...] = ()  # how good each throw's choices were; in words, `spoken`


R = TypeVar("R", bound=DayTry)


@dataclass
class TodayReply(DayTry):
    """Today's box, and the caller's try at it."""

    next_in: int = 0  # the seconds until the next box
    tomorrow: str = ""  # the SHA-256 of the seed of tomorrow's box, which is drawn already
    streak: Streak | None = None  # the caller's days in a row, with the marks of the last seven
    hardest: Hardest | None = None  # the throw that most of yesterday's players got wrong


@dataclass
class DayReply(DayTry):
    """The box of a day that is over, with everything that was secret."""

    seed: str = ""  # the seed of the dice
    throws: tuple[tuple[int, ...], ...] = ()
    """The faces of each throw that a try could reach; a throw of one die shows only the first."""


async def play(caller: Caller, request: Plain) -> OpenedReply:
    """Return the room of the caller's one try at today's box; the first call opens it.

    Raises NotAllowed if its table was deleted, TooOften, Full, NotKept, what `rooms.find` raises,
    and OutOfDate if it cannot be opened in a few attempts.
    """
    services, device = caller.services, caller.by
    caller.count(limits.OPENINGS_OF_ADDRESS, "openings")
    for _ in range(_TRIES):
        day = await services.days.ensure(services.days.today_date)
        tried = await services.days.try_of(day.day, device)
        if tried is not None:
            if tried.room is None:
                raise NotAllowed("you have played today's box, and its table was deleted")
            return await reply_to_opener(caller, await services.rooms.find_to_read(tried.room))
        # Always a new room: the links of a deleted try must not lead to the next one.
        key = IdempotencyKey(f"today-{day.day}-{new_action()}", device)
        with suppress(UnknownRoom):
            plan = plan_alone(day.game, None, "date" if day.by_date else "day")
            make_write = services.days.write_of_try(day, device)
            return await open_planned(caller, key, plan, make_write)
    raise OutOfDate(FASTER)


async def today(caller: Caller, request: None = None) -> TodayReply:
    """Return today's box and the caller's try, with any result. Raises NotKept, DamagedStore."""
    days = caller.services.days
    day = await days.ensure(days.today_date)
    reply = await _reply(TodayReply, caller, day)
    reply.next_in = _DAY - int(days.rooms.now()) % _DAY
    reply.tomorrow = (await days.require(daily.day_after(day.day))).proof
    results = await days.results_of(caller.by)
    streak = daily.streak_of(results, day.day)
    reply.streak = replace(streak, marks=dict(list(streak.marks.items())[-7:]))
    yesterday = str(date.fromisoformat(day.day) - timedelta(1))
    with suppress(ShutboxError, Broken):  # the workers are too busy
        before = await days.find(yesterday)
        if before and days.rooms.now() >= daily.closes_at(yesterday):
            reply.hardest = await days.hardest(before)
    if reply.mine:
        with suppress(ShutboxError, Broken):
            reply.exact = (await days.facts(day)).exact
    return reply


async def past(caller: Caller, text: str) -> DayReply:
    """Return the box of a past day, given like 2026-11-23, with its seed.

    Raises as `_past_day`, and Full.
    """
    days, day = caller.services.days, await _past_day(caller, text)
    reply, facts = await _reply(DayReply, caller, day), await days.facts(day)
    reply.seed, reply.throws, reply.exact = day.seed, facts.throws, facts.exact
    return reply


async def play_past(caller: Caller, text: str, request: Plain) -> OpenedReply:
    """Open a room with the dice of a past day, which counts for no streak.

    Raises as `_past_day`, TooOften, Full, NotKept.
    """
    caller.count(limits.OPENINGS_OF_ADDRESS, "openings")
    day = await _past_day(caller, text)
    plan = plan_alone(day.game, None, "day", day=text)
    return await open_planned(caller, key_of(caller, "past", request), plan)


async def _past_day(caller: Caller, text: str) -> Day:
    """Return a past day with its seed.

    Raises NotAllowed until 00:30 UTC of the day after, UnknownRecord if there was no box.
    """
    days = caller.services.days
    unknown = UnknownRecord("there was no box on that day")
    if not daily.is_day(text) or text > days.today_date:
        raise unknown
    if days.rooms.now() < daily.closes_at(text):
        raise NotAllowed("the seed of a day is published at 00:30 UTC of the day after")
    if (day := await days.find(text)) is None:
        raise unknown
    return day


async def _reply(kind: type[R], caller: Caller, day: Day) -> R:
    """Return the facts of a day and the caller's try, reviewed first if it is over and can be."""
    days, number = caller.services.days, daily.box_number(day.day)
    tried = await days.try_of(day.day, caller.by)
    if tried is not None and tried.room and tried.finish is None:
        with suppress(ShutboxError, Broken):  # the table is gone, or the workers are too busy
            await days.judge(await caller.services.rooms.find_to_read(tried.room))
            tried = await days.try_of(day.day, caller.by)
    finished = await days.finished_count(day.day)
    title = find(day.game).card().title
    reply = kind(day.day, number, day.game, title, day.proof, finished)
    if tried is not None:
        reply.room, reply.mine = tried.room, tried.finish
    if tried is not None and tried.finish is not None:
        reply.skills = daily.skills_of(tried.moves)
        lines = daily.share_texts(number, tried.finish.score, reply.skills, by_date=day.by_date)
        reply.share, reply.spoken = lines
    return reply
