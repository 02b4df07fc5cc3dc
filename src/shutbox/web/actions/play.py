"""The actions of play: a look at a room, throws, choices and their corrections."""

from dataclasses import dataclass

from shutbox.solving.advice.ranking import ChoiceJudged
from shutbox.table.today import closes_at
from shutbox.web.actions.advice import coach
from shutbox.web.actions.context import Done, RoomCaller, RoomReply
from shutbox.web.errors import NotAllowed
from shutbox.web.live.room_dice import load_dice, prepare_dice
from shutbox.web.rooms import commands
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.changes import RoomChange
from shutbox.web.rooms.log_line import MoveView, OwnWords
from shutbox.web.rooms.requests import Act, Again
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.shapes import convert


@dataclass
class Acted(Done):
    """A throw, choice, take-back or correction that is now stored, and the lines about it."""

    said: tuple[str, ...]  # what happened, in sentences
    coach: tuple[str, ...]  # the coach's remark on a choice, if the room has a coach
    move: MoveView | None = None  # the move in figures
    brief: tuple[str, ...] | None = None  # the shortest form of `said`; None if it is no shorter
    own: OwnWords | None = None  # both as the player who acted hears them; None if no different
    coach_figures: ChoiceJudged | None = None
    """The coach's remark in figures; None if `coach` is empty."""


async def room(caller: RoomCaller, request: None) -> RoomReply:
    """Return a room as the caller sees it now. Raises NotAllowed."""
    caller.check(Permission.SEES)
    return caller.snapshot


async def act(caller: RoomCaller, request: Act) -> Acted:
    """Store a throw, choice, take-back or correction, and return it with the room after it.

    Raises NotAllowed, the rules' errors, and what `prepare_dice` and `RoomRepository.change` raise.
    """
    live, services = caller.live, caller.client.services
    permission = Permission.THROWS if request.do in ("throw", "correct") else Permission.ACTS
    said: tuple[str | ChoiceJudged, ...] = ()
    is_coached = live.is_choice_to_coach(request)
    if is_coached or request.do == "throw":
        caller.check(permission, request.seat)
    if is_coached:
        said = await coach(caller, request.choice)
    if request.do == "throw" and live.room.turn == (request.game, request.seat):
        await prepare_dice(services.rooms, live)
    day = None
    if live.room.is_of_day and request.do == "throw":
        day = await services.days.require(live.room.day)

    def make(room: Room) -> RoomChange:
        late = day and not day.by_date and services.rooms.now() >= closes_at(day.day)
        if late and not room.opened.day:
            raise NotAllowed("that day is over; its seed is published, and no more dice are thrown")
        return RoomChange(commands.act(room, request, day), answer=said)

    outcome = await caller.change("act", permission, request, make)
    if live.room.is_of_day:
        services.days.begin_judging_if_over(live)
    line, view = live.room.log.line(outcome.number), live.current_view()
    lines = tuple(part for part in outcome.answer if isinstance(part, str))
    figures = next((part for part in outcome.answer if not isinstance(part, str)), None)
    if figures is not None:  # of a retry, as it was stored
        figures = convert(figures, ChoiceJudged, from_attributes=True)
    reply = line.says, lines, line.move, line.brief, line.own, figures
    return Acted(outcome.number, view, caller.you, *reply)


async def load_last_dice(caller: RoomCaller, request: Again) -> None:
    """Load the seed of sealed dice for a rematch to reveal. Raises DamagedStore, UnknownRoom."""
    await load_dice(caller.client.services.rooms, caller.live)
