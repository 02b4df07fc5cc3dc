"""What is settled when a table is opened, on a server or on a device."""

from typing import Any

from shutbox.bots import read_players
from shutbox.game import Game, Over
from shutbox.match import Match
from shutbox.seats import DEFAULT_KIND, Seat, check_seats, read_name, unnamed
from shutbox.table.setup import game_of_seats
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms.events import Opened, Planned
from shutbox.web.rooms.requests import NewRoom, NewSeat


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
    position = _position(game, new.position)
    plan = tuple(Planned(s.name, s.computer, link) for s, link in zip(seats, by_link, strict=True))
    settled = new.dice, new.hints, new.coach, new.leaver, new.stand_in
    return Opened(new.game, new.format or None, plan, *settled, position), game


def _position(game: Game[Any, Any], text: str) -> str:
    """Where the game begins, as it writes it; empty at its start.

    Raises NotAllowed for a match and where the game is over, and what is wrong with the position.
    """
    if not text:
        return ""
    if isinstance(game, Match):
        raise NotAllowed("a match begins at its start; from a position one player plays alone")
    position = game.position_at(text)
    if isinstance(game.awaits(position), Over):
        raise NotAllowed("the game is over there; nothing is left to be played")
    return "" if position == game.start() else game.position_id(position)


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
