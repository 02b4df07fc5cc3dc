"""Today's box: one try per device, its result, and the boxes of past days."""

from contextlib import suppress

from shutbox.english import decimal
from shutbox.errors import OutOfDate, ShutboxError, UnknownRecord
from shutbox.games.catalogue import find
from shutbox.messages import gettext
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.replies import DayReply, OpenedReply, TodayReply
from shutbox.web.actions.tables import opened
from shutbox.web.errors import Broken, NotAllowed, UnknownRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.days import Day, DayResult, Try, is_day
from shutbox.web.rooms.events import Opened, Planned
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.requests import Plain

_TRIES = 3  # the day may end, or another window of the same device may be first
MOST_PAST = 7  # days before today that are listed


async def play(who: Caller, asked: Plain | None = None) -> OpenedReply:
    """Return the room of the caller's one try at today's box; the first call opens it.

    Raises NotAllowed if its table was deleted, TooOften, and OutOfDate if others kept being first.
    """
    services, device = who.services, who.by
    await who.count(limits.OPENINGS_OF_ADDRESS, "openings")
    for _ in range(_TRIES):
        day = await services.days.made(services.days.today)
        tried = await services.days.store.try_of(day.day, device)
        if tried is not None:
            if tried.room is None:
                raise NotAllowed("your try of today is over, and its table was deleted")
            return await opened(who, await services.rooms.find(tried.room, who.waits_as))
        await who.count(limits.ROOMS_OF_ADDRESS, "tables")
        await who.count(limits.ROOMS_OF_ADDRESS_A_DAY, "tables")
        # Always a new room: the links of a deleted try must not lead to the next one.
        key = IdempotencyKey(f"today-{day.day}-{new_action()}", device)
        with suppress(UnknownRoom):
            begins = services.days.begins(day, device)
            live = await services.rooms.open(key, _plan(day), who.device, begins)
            live.address = who.address
            return await opened(who, live)
    raise OutOfDate("another player was first; look again")


def _plan(day: Day) -> Opened:
    seat = Planned(gettext("Player"))
    return Opened(day.game, None, (seat,), "day", hints="off", coach=False, leaver="wait")


async def today(who: Caller, asked: None = None) -> TodayReply:
    """Return today's box and the caller's try, with its result once it is over."""
    days = who.services.days
    day = await days.made(days.today)
    tried = await _try_of(who, day.day)
    reply = TodayReply(*await _box(who, day), room=tried.room if tried else None)
    reply.past = tuple(await days.store.before(day.day, MOST_PAST))
    if (mine := await _result(who, day.day, tried)) is not None:
        reply.mine, reply.share = mine, line(day, mine, reply.finished)
        with suppress(ShutboxError, Broken):  # the workers are too busy
            facts = await days.facts(day)
            reply.exact, reply.best = facts.exact, facts.best
    return reply


async def past(who: Caller, text: str) -> DayReply:
    """Return the day of a date, once it is over. Raises NotAllowed for today, UnknownRecord."""
    days = who.services.days
    unknown = UnknownRecord("there was no box of the day then")
    if not is_day(text) or text > days.today:
        raise unknown
    if text == days.today:
        raise NotAllowed("the seed of a day is published once that day is over, in UTC")
    day = await days.stored(text)
    if day is None:
        raise unknown
    await days.judge_all_over(text)
    tried, facts = await _try_of(who, text), await days.facts(day)
    return DayReply(
        *await _box(who, day),
        seed=day.seed,
        throws=facts.throws,
        exact=facts.exact,
        best=facts.best,
        ranking=tuple(await days.store.ranking(text)),
        mine=await _result(who, text, tried),
    )


async def _box(who: Caller, day: Day) -> tuple[str, str, str, str, int, int]:
    """Return the fields of a `DayBox`, which are public on every day."""
    begun, finished = await who.services.days.store.numbers(day.day)
    return day.day, day.game, _title(day), day.proof, begun, finished


async def _try_of(who: Caller, day: str) -> Try | None:
    """Return the caller's try, or None; judge it now if it is over and not judged yet."""
    if not who.by:
        return None
    days, device = who.services.days, who.by
    tried = await days.store.try_of(day, device)
    if tried is None or tried.finish is not None or tried.room is None:
        return tried
    with suppress(ShutboxError, Broken):  # the table is gone, or the workers are too busy
        live = await who.services.rooms.find(tried.room, who.waits_as)
        if live.room.phase == "over":
            await days.judge(live)
            return await days.store.try_of(day, device)
    return tried


async def _result(who: Caller, day: str, tried: Try | None) -> DayResult | None:
    """Return the result and the place of a try; None until it is judged."""
    if tried is None or (finish := tried.finish) is None:
        return None
    place = await who.services.days.store.place_of(day, finish.loss)
    return DayResult(finish.score, finish.shut, finish.loss, place)


def _title(day: Day) -> str:
    return find(day.game).card().title


def line(day: Day, mine: DayResult, number: int) -> str:
    """Return the line with which a player shares a try; `number` counts the finished tries.

    >>> line(Day("2026-11-23", "classic", ""), DayResult(8, False, 0.25, 3), 41)
    'shutbox 2026-11-23 · Classic: 8 · loss 0.3 · place 3 of 41'
    """
    return gettext(
        "shutbox {day} · {game}: {score} · loss {loss} · place {place} of {number}",
        day=day.day,
        game=_title(day),
        score=mine.score,
        loss=decimal(mine.loss),
        place=mine.place,
        number=number,
    )
