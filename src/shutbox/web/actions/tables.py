"""Opening a table."""

from typing import Any

from shutbox.bots import read_players
from shutbox.game import Game
from shutbox.seats import DEFAULT_KIND, Seat, check_seats, read_name, unnamed
from shutbox.table.setup import game_of_seats
from shutbox.web import limits
from shutbox.web.actions.action import key_of
from shutbox.web.actions.context import Caller
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.errors import NotAllowed
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.events import Opened, Planned
from shutbox.web.rooms.requests import NewRoom, NewSeat


async def open_room(who: Caller, new: NewRoom) -> LiveRoom:
    """A new room. Raises what is wrong with its game, its format or its players."""
    await who.count(limits.OPENINGS_OF_ADDRESS, "openings")
    plan, game = planned(new)
    seats = [Seat(seat.name, seat.computer) for seat in plan.seats]
    seats.append(Seat("", plan.stand_in))  # who may have to play it as well
    await who.services.advisor.check_players(game, seats, who.waits_as)
    await who.count(limits.ROOMS_OF_ADDRESS, "tables")
    await who.count(limits.ROOMS_OF_ADDRESS_A_DAY, "tables")
    # Nobody knows again who has no secret of his own, and so is given another room.
    key = key_of(who, "open", new) if who.by else IdempotencyKey(new.action, "")
    live = await who.services.rooms.open(key, plan, who.device)
    live.address = who.address
    return live


def planned(new: NewRoom) -> tuple[Opened, Game[Any, Any]]:
    """What is settled when a room is opened, and its game, if it can be played.

    >>> plan, game = planned(NewRoom("12345678", seats=(NewSeat("me"),)))
    >>> [seat.name for seat in plan.seats], game.name
    (['Player'], 'classic')
    """
    check_text(new.game)
    by_link = [seat.who == "link" for seat in new.seats]
    if new.dice == "hand" and any(by_link):
        raise NotAllowed("real dice are for games on one screen; a seat by link cannot see them")
    seats = read_players(",".join(_typed(new.seats)))
    check_seats(seats)
    game = game_of_seats(new.game, seats, new.format or None)
    check_work(game)
    plan = tuple(Planned(s.name, s.computer, link) for s, link in zip(seats, by_link, strict=True))
    settled = new.dice, new.hints, new.coach, new.leaver, new.stand_in
    opened = Opened(new.game, new.format or None, plan, *settled)
    return opened, game


def _typed(seats: tuple[NewSeat, ...]) -> list[str]:
    """The seats as players are typed; one without a name is Player and a number. Raises BadName."""
    typed, people = [], sum(not seat.who.startswith("computer") for seat in seats)
    for number, seat in enumerate(seats, start=1):
        name = seat.name.strip()
        if seat.who.startswith("computer"):
            if name:
                check_seats([Seat(name, DEFAULT_KIND)])
            typed.append(f"{name}={seat.who}" if name else seat.who)
        elif name:
            typed.append(read_name(name))
        else:
            typed.append(unnamed(number)[-1] if people > 1 else "Player")
    return typed
