"""What can be done in a room, for the pages and for programs alike.

Each function checks whether whoever asks may do it, lets the room make of it what it will, and
returns once it is on the disk.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from shutbox.errors import NotAllowed
from shutbox.seats import DEFAULT_KIND, Seat, check_seats, read_name, read_seats
from shutbox.table.setup import game_for
from shutbox.web import limits
from shutbox.web.api.schemas import (
    Act,
    Acted,
    Again,
    AtSeat,
    Done,
    Enter,
    NewRoom,
    NewSeat,
    Plain,
    Renew,
    Seated,
    StandIn,
)
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.http.identity import Caller, Visit, keys_of, visit
from shutbox.web.live.live_room import Live
from shutbox.web.rooms import commands
from shutbox.web.rooms.change import Asked, Change, Outcome
from shutbox.web.rooms.events import Entry, Opened, Planned
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.room import HOST, WATCHERS, Room
from shutbox.web.rooms.view import (
    Viewer,
    check_acts,
    check_at_table,
    check_plays,
    check_renews,
    check_stands_in,
)
from shutbox.web.storage.group_commit import Pass

Make = Callable[[Room], Change]
May = Callable[[Viewer], None]

_NO_LINK = "this link opens nothing any more; ask for another one"


async def open_room(who: Caller, new: NewRoom) -> Live:
    """A new room. Raises what is wrong with its game, its format or its players."""
    rates = who.server.rates
    await rates.check(limits.OPENINGS_OF_ADDRESS, "openings", who.address)
    plan = await asyncio.to_thread(planned, new)
    await rates.check(limits.ROOMS_OF_ADDRESS, "tables", who.address)
    # Nobody knows again who has no secret of his own, and so is given another room.
    ask = _ask(who, "open", new) if who.by else Asked(new.action, "")
    return await who.server.rooms.open(ask, plan, who.device)


def planned(new: NewRoom) -> Opened:
    """What is settled when a room is opened, if it can be played.

    >>> [seat.name for seat in planned(NewRoom("12345678", seats=(NewSeat("me"),))).seats]
    ['Player']
    """
    check_text(new.game)
    by_link = [seat.who == "link" for seat in new.seats]
    if new.dice == "hand" and any(by_link):
        raise NotAllowed("real dice are for games on one screen; a seat by link cannot see them")
    seats = read_seats(",".join(_typed(new.seats)))
    check_seats(seats)
    game = game_for(new.game, seats, new.format or None)
    check_work(game, seats)
    return Opened(
        game=new.game,
        format=new.format or None,
        seats=tuple(
            Planned(seat.name, seat.computer, link)
            for seat, link in zip(seats, by_link, strict=True)
        ),
        dice=new.dice,
        hints=new.hints,
        coach=new.coach,
        leaver=new.leaver,
    )


def _typed(seats: tuple[NewSeat, ...]) -> list[str]:
    """The seats as a list of players is typed; whoever has no name is Player and a number.

    Raises BadName.
    """
    typed = []
    people = sum(not seat.who.startswith("computer") for seat in seats)
    for number, seat in enumerate(seats, start=1):
        name = seat.name.strip()
        if seat.who.startswith("computer"):
            if name:
                check_seats([Seat(name, DEFAULT_KIND)])
            typed.append(f"{name}={seat.who}" if name else seat.who)
        else:
            default = "Player" if people == 1 else f"Player {number}"
            typed.append(read_name(name) if name else default)
    return typed


async def act(visiting: Visit, asked: Act) -> Acted:
    """A throw, a choice, or something taken back or corrected."""
    who, live = visiting.caller, visiting.live
    may = partial(check_acts, live.room, seat=asked.seat)
    may(visiting.viewer)
    rate = f"{live.room.id}/{asked.seat}"
    await who.server.rates.check(
        limits.ACTIONS_OF_SEAT, "actions of a seat", rate, address=who.address
    )
    ask = _ask(who, "act", asked)
    coach: tuple[str, ...] = ()
    if asked.do == "choose" and live.is_current(asked) and asked.action not in live.actions:
        coach = await who.server.rooms.computers.judged(live, asked.choice)
    outcome = await _change(
        visiting, ask, lambda room: Change((commands.act(room, asked),), answer=coach), may
    )
    said = live.room.log[outcome.number - 1].says
    return Acted(outcome.number, said, outcome.answer, live.present(), visiting.you)


async def enter(who: Caller, room: str, asked: Enter) -> Seated:
    """A link is followed: a free seat is taken, or this device may come back to it, or watch.

    Raises NotAllowed for a key that opens nothing, and NameNeeded.
    """
    server, allowed = who.server, who.server.rooms.passes
    live = await server.rooms.find(room)
    # Whoever has the link is whoever asked with it before, if the answer was lost.
    ask = Asked(asked.action, hashed(asked.key))
    opens = allowed.entered(live, ask)
    again = opens is not None
    if opens is None:
        opens = allowed.seat_of(live.room, asked.key)
    if opens is None:
        await server.rates.check(limits.KEYS_OF_ADDRESS, "keys", who.address)
        raise NotAllowed(_NO_LINK)
    seat_number = opens
    devices = [hashed(who.device)] if who.device else []
    passes = tuple((seat_number, device) for device in devices)

    def make(here: Room) -> Change:
        entries: list[Entry] = []
        if allowed.seat_of(here, asked.key) != seat_number:
            taken = "somebody was quicker: this seat is taken"
            raise NotAllowed(taken if seat_number >= 0 else _NO_LINK)
        if seat_number >= 0:
            entered = commands.enter(here, seat_number, asked.name)
            if entered is not None:
                entries.append(entered)
                begun = commands.begin(
                    here, server.rooms.stamp(), taking=seat_number, name=entered.name
                )
                entries += [begun] if begun is not None else []
        return Change(tuple(entries), passes)

    def still() -> Sequence[Pass]:
        if allowed.entered(live, ask) is None:
            raise NotAllowed(_NO_LINK)
        return [Pass(room, seat, device) for seat, device in passes]

    outcome = await server.rooms.change(live, ask, make)
    if again:
        await server.rooms.give(live, still)
    key = asked.key if seat_number == HOST else allowed.key(live.room, seat_number)
    inside = Caller(server, who.device, (*who.keys, key), who.address, who.origin)
    visiting = await visit(inside, room)
    seat = seat_number if seat_number >= 0 else None
    return Seated(outcome.number, seat, key, live.present(), visiting.you)


async def leave(visiting: Visit, asked: AtSeat) -> Done:
    """Whoever sits there leaves."""
    ask = _ask(visiting.caller, "leave", asked)
    may = partial(check_plays, seat=asked.seat)
    return await _done(visiting, ask, lambda room: Change((commands.leave(room, asked.seat),)), may)


async def come_back(visiting: Visit, asked: AtSeat) -> Done:
    """Whoever left, or was stood in for, plays on."""
    ask = _ask(visiting.caller, "come-back", asked)
    may = partial(check_plays, seat=asked.seat)
    return await _done(
        visiting, ask, lambda room: Change((commands.come_back(room, asked.seat),)), may
    )


async def stand_in(visiting: Visit, asked: StandIn) -> Done:
    """A computer player takes a free seat, or goes on for somebody who is away."""
    rooms = visiting.caller.server.rooms
    may = partial(check_stands_in, visiting.live.room, seat=asked.seat)
    may(visiting.viewer)
    await asyncio.to_thread(commands.check_stand_in, visiting.live.room, asked.seat, asked.computer)

    def make(room: Room) -> Change:
        entries: list[Entry] = [
            commands.stand_in(room, asked.seat, asked.computer, rooms.now(), visiting.viewer.seats)
        ]
        begun = commands.begin(room, rooms.stamp(), taking=asked.seat)
        return Change((*entries, begun) if begun is not None else tuple(entries))

    return await _done(visiting, _ask(visiting.caller, "stand-in", asked), make, may)


async def end(visiting: Visit, asked: Plain) -> Done:
    """The game ends by the rule about leavers."""
    now, mine = visiting.caller.server.rooms.now, visiting.viewer.seats
    return await _done(
        visiting,
        _ask(visiting.caller, "end", asked),
        lambda room: Change((commands.give_up(room, now(), mine),)),
        check_at_table,
    )


async def rematch(visiting: Visit, asked: Again) -> Done:
    """Another game of the same people."""
    stamp = visiting.caller.server.rooms.stamp()
    return await _done(
        visiting,
        _ask(visiting.caller, "rematch", asked),
        lambda room: Change((commands.again(room, asked.game, stamp),)),
        check_at_table,
    )


async def renew(visiting: Visit, asked: Renew) -> Done:
    """A link is made anew; whoever came by the old one is shut out, but for whoever asks."""
    who, live = visiting.caller, visiting.live
    ask = _ask(who, "renew", asked)
    # Whoever asked by the key of the seat itself, and lost the answer, has only the old one.
    number = who.server.rooms.passes.renewed(live, ask, asked.seat, who.keys)
    mine = number is not None or asked.seat in visiting.viewer.seats or asked.seat == WATCHERS
    if number is None:
        stays = [(asked.seat, hashed(who.device))] if who.device and mine else []
        outcome = await _arrange(
            visiting,
            ask,
            lambda room: Change((commands.renew(room, asked.seat),), tuple(stays)),
            partial(check_renews, live.room, seat=asked.seat),
        )
        number = outcome.number
    keys = tuple(keys_of(visiting, [asked.seat]).values()) if mine else ()
    inside = Caller(who.server, who.device, (*who.keys, *keys), who.address, who.origin)
    return Done(number, live.present(), (await visit(inside, live.room.id)).you)


def _ask(
    who: Caller, what: str, asked: Act | AtSeat | Again | NewRoom | Plain | Renew | StandIn
) -> Asked:
    """Who asks, and for what: the same id for anything else is refused."""
    said = msgspec.json.encode(asked).decode()
    return Asked(asked.action, hashed(f"{who.by} {what} {said}"))


async def _change(visiting: Visit, ask: Asked, make: Make, may: May) -> Outcome:
    """What `make` makes of the room; `may` raises where whoever asks may not do that any more."""
    rooms = visiting.caller.server.rooms
    return await rooms.change(visiting.live, ask, make, allowed=partial(visiting.check, may))


async def _done(visiting: Visit, ask: Asked, make: Make, may: May) -> Done:
    outcome = await _arrange(visiting, ask, make, may)
    return Done(outcome.number, visiting.live.present(), (await visiting.again()).you)


async def _arrange(visiting: Visit, ask: Asked, make: Make, may: May) -> Outcome:
    """A change about seats, links or games, of which a seat may do only so many."""
    may(visiting.viewer)
    seat = min(visiting.viewer.seats, default=HOST)
    await visiting.caller.server.rates.check(
        limits.DOINGS_OF_SEAT,
        "changes by a seat",
        f"{visiting.live.room.id}/{seat}",
        address=visiting.caller.address,
    )
    return await _change(visiting, ask, make, may)
