"""Throws, choices, and advice."""

from dataclasses import replace

from shutbox.web import limits
from shutbox.web.actions.action import Action
from shutbox.web.actions.context import RoomCaller
from shutbox.web.actions.replies import Acted, Hint, Judged
from shutbox.web.rooms import commands
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import Act


async def act(action: Action, caller: RoomCaller, asked: Act) -> Acted:
    """A throw, a choice, or something taken back or corrected."""
    live, services = caller.live, caller.who.services
    if asked.do in ("throw", "correct"):
        action = replace(action, who=Who.THROWS)
    caller.check(action.who, asked.seat)
    await caller.count(limits.ACTIONS_OF_SEAT, "seat-actions", asked.seat)
    coach: tuple[str, ...] = ()
    if asked.do == "choose" and live.is_current(asked) and asked.action not in live.done:
        coach = await services.advisor.judged(live, asked.choice, caller.who.waits_as)
    day = None
    if live.room.is_of_day and asked.do == "throw":
        day = await services.days.sure(live.room.day)
    outcome = await action.change(
        caller, asked, lambda room: RoomChange(commands.act(room, asked, day), answer=coach)
    )
    services.days.see_to(live)
    line, view = live.room.log[outcome.number - 1], live.broadcast.present()
    said, answer = line.says, outcome.answer
    return Acted(outcome.number, said, answer, view, caller.you, line.move, line.brief)


async def hint(caller: RoomCaller) -> Hint:
    """Advice for the player who is due."""
    caller.check(Who.AT_TABLE)
    await caller.who.count(limits.HINTS_OF_ADDRESS, "hints")
    who = caller.who
    return Hint(*await who.services.advisor.hint(caller.live, who.waits_as))


async def verdict(caller: RoomCaller) -> Judged:
    """What was luck and what was skill in the game that is over."""
    caller.check(Who.SEES)
    await caller.who.count(limits.HINTS_OF_ADDRESS, "hints")
    game = caller.live.room.game
    return Judged.of(
        game, await caller.who.services.advisor.verdict(caller.live, caller.who.waits_as)
    )
