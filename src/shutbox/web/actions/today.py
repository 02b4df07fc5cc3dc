"""Today's box: one try per device, its result, and the boxes of past days."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta

from shutbox.errors import OutOfDate, ShutboxError, UnknownRecord
from shutbox.games.catalogue import find
from shutbox.messages import gettext, pgettext
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.replies import DayReply, OpenedReply, TodayReply
from shutbox.web.actions.tables import open_planned, opened, plan_alone
from shutbox.web.errors import Broken, NotAllowed, UnknownRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.days import (
    Day,
    Skill,
    Try,
    closes_at,
    day_after,
    is_day,
    number_of,
    skills_of,
    streak_of,
)
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.requests import Plain

_TRIES = 3  # the day may end, or another window of the same device may be first
MOST_PAST = 7  # days before today that are listed
_DAY = 86_400  # seconds
_SQUARES = {"best": "🟩", "close": "🟨", "mistake": "🟥"}  # as texts in `_day.html`


async def play(who: Caller, asked: Plain) -> OpenedReply:
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
                raise NotAllowed("you have played today's box, and its table was deleted")
            return await opened(who, await services.rooms.find(tried.room, who.waits_as))
        # Always a new room: the links of a deleted try must not lead to the next one.
        key = IdempotencyKey(f"today-{day.day}-{new_action()}", device)
        with suppress(UnknownRoom):
            plan, begins = plan_alone(day.game, None, "day"), services.days.begins(day, device)
            return await open_planned(who, key, plan, begins)
    raise OutOfDate("another player was first; look again")


async def today(who: Caller, asked: None = None) -> TodayReply:
    """Return today's box and the caller's try, with its result once it is over."""
    days = who.services.days
    day = await days.made(days.today)
    tried = await _try_of(who, day.day)
    reply = TodayReply(*await _box(who, day), room=tried.room if tried else None)
    reply.past = tuple(await days.store.before(day.day, MOST_PAST))
    reply.next_in = _DAY - int(days.rooms.now()) % _DAY
    reply.tomorrow = (await days.sure(day_after(day.day))).proof
    results = await days.store.results_of(who.by) if who.by else {}
    streak = streak_of(results, day.day)
    reply.streak = replace(streak, marks=dict(list(streak.marks.items())[-7:]))
    yesterday = str(date.fromisoformat(day.day) - timedelta(1))
    about = day.day if tried and tried.finish else yesterday
    reply.losses = await days.store.losses(about, results.get(about))
    with suppress(ShutboxError, Broken):  # the workers are too busy
        before = await days.stored(yesterday)
        if before and days.rooms.now() >= closes_at(yesterday):
            reply.hardest = await days.hardest(before)
        if tried and tried.finish:
            reply.mine, reply.skills = tried.finish, skills_of(tried.moves)
            reply.share, reply.spoken = shared(reply.number, reply.mine.score, reply.skills)
            facts = await days.facts(day)
            reply.exact, reply.best = facts.exact, facts.best
    return reply


async def past(who: Caller, text: str) -> DayReply:
    """Return the box, seed and results of a past day, once its seed is published.

    Raises NotAllowed for today, UnknownRecord for a day without a box.
    """
    days = who.services.days
    unknown = UnknownRecord("there was no box on that day")
    if not is_day(text) or text > days.today:
        raise unknown
    if days.rooms.now() < closes_at(text):
        raise NotAllowed("the seed of a day is published at 00:30 UTC of the day after")
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
        mine=tried.finish if tried else None,
    )


async def _box(who: Caller, day: Day) -> tuple[str, int, str, str, str, int, int]:
    """Return the fields of a `DayBox`, which are public on every day."""
    begun, finished = await who.services.days.store.numbers(day.day)
    about = day.day, number_of(day.day), day.game, find(day.game).card().title
    return *about, day.proof, begun, finished


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


def shared(number: int, score: int, skills: Sequence[Skill]) -> tuple[str, str]:
    """Return the result of a try as lines to share, and in words; neither tells any dice."""
    line = gettext("Shut the Box #{number} · {score} left", number=number, score=score)
    words = [pgettext("skill", skill) for skill in skills]
    facts: dict[str, object] = {"number": number, "score": score, "skills": ", ".join(words)}
    if not skills:  # a try of an earlier release
        return line, line
    squares = "".join(_SQUARES[skill] for skill in skills)
    spoken = gettext("Shut the Box #{number}, {score} left: {skills}.", **facts)
    return f"{line}\n{squares}", spoken
