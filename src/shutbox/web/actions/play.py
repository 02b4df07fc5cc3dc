"""Throws, choices, and advice."""

from shutbox.web import limits
from shutbox.web.actions.context import RoomCaller
from shutbox.web.actions.hint_rows import aim_words, hint_rows
from shutbox.web.actions.replies import Acted, Hint, Judged, RoomReply
from shutbox.web.rooms import commands
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import Room


async def room(caller: RoomCaller, asked: None) -> RoomReply:
    """Return a room as it is now."""
    caller.check(Who.SEES)
    return caller.sight


async def act(caller: RoomCaller, asked: Act) -> Acted:
    """Throw, choose, take back or correct."""
    live, services = caller.live, caller.who.services
    who = Who.THROWS if asked.do in ("throw", "correct") else Who.ACTS
    coach: tuple[str, ...] = ()
    await caller.admit(who, asked.seat, plays=True)
    if live.is_coached(asked):
        coach = await services.advisor.judged(live, asked.choice, caller.who.waits_as)
    day = None
    if live.room.is_of_day and asked.do == "throw":
        day = await services.days.sure(live.room.day)

    def make(room: Room) -> RoomChange:
        return RoomChange(commands.act(room, asked, day), answer=coach)

    outcome = await caller.change("act", who, asked, make)
    if live.room.is_of_day:
        services.days.see_to(live)
    line, view = live.room.log[outcome.number - 1], live.broadcast.present()
    said, answer = line.says, outcome.answer
    return Acted(outcome.number, said, answer, view, caller.you, line.move, line.brief)


async def hint(caller: RoomCaller, asked: None = None) -> Hint:
    """Return advice for the player who is due."""
    caller.check(Who.AT_TABLE)
    await caller.who.count(limits.HINTS_OF_ADDRESS, "hints")
    who, table = caller.who, caller.live.broadcast.present().table
    found = Hint(*await who.services.advisor.hint(caller.live, who.waits_as))
    if found.figures is not None and table is not None:
        found.lead, found.rows = aim_words(found.figures), hint_rows(found.figures, table)
    return found


async def verdict(caller: RoomCaller, asked: None = None) -> Judged:
    """Return what was luck and what was skill in the game that is over."""
    caller.check(Who.SEES)
    await caller.who.count(limits.HINTS_OF_ADDRESS, "hints")
    game = caller.live.room.game
    return Judged.of(
        game, await caller.who.services.advisor.verdict(caller.live, caller.who.waits_as)
    )
