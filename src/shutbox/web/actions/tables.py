"""Opening a table, and the catalogue of games for it."""

from dataclasses import dataclass
from typing import Any

from shutbox import catalogue as all_games
from shutbox import find
from shutbox.engine.game import Game, Over
from shutbox.engine.messages import cached, gettext
from shutbox.engine.names import clean_name, default_name
from shutbox.engine.seats import DEFAULT_KIND, Seat, check_seats, read_name
from shutbox.match import Match, presets
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.bots import kinds
from shutbox.table.characters import read_players
from shutbox.table.lookup import own_rule
from shutbox.table.setup import UNNAMED, game_of_seats
from shutbox.web import limits
from shutbox.web.actions.advice import check_players
from shutbox.web.actions.context import Caller, Done, admit, key_of
from shutbox.web.compute.tasks import check_text, check_work
from shutbox.web.errors import NotAllowed
from shutbox.web.live.identity import opener_seats
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.access import shareable_seats
from shutbox.web.rooms.changes import IdempotencyKey, MakeWrite
from shutbox.web.rooms.events import DiceFrom, Opened, Planned
from shutbox.web.rooms.requests import NewRoom, NewSeat
from shutbox.web.rooms.room import OPENER, WATCHERS


@dataclass
class OpenedReply(Done):
    """A new room with all its keys; no other kind of reply reveals the key `host`."""

    keys: dict[str, str]
    """The key of each seat by its number, and of `watch` and `host`; send one back as
    `Authorization: Bearer KEY`, or several separated by commas."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game, a preset or a kind of computer player that a table can be opened with."""

    id: str  # the name that opens or seats it
    title: str  # the name that people see
    about: str  # its special rule, the game and rounds of a preset, or what a player does


@dataclass(frozen=True, slots=True)
class CharacterView:
    """A computer player with a name and a face; `computer:ID` gives it a seat."""

    id: str  # the name that seats it
    name: str  # the name that people see
    kind: str  # the kind of computer player
    about: str  # how it plays, in a sentence
    strength: str  # the strength in a word, such as Novice
    level: int  # the strength, from 1 (the weakest) to 5


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All choices for a new table."""

    games: tuple[Choice, ...]  # the games, in the order in which they are listed
    presets: tuple[Choice, ...]  # the matches with a name
    computers: tuple[Choice, ...]  # the kinds of computer players
    characters: tuple[CharacterView, ...]  # sorted by strength, the weakest first


@cached
def stand_ins() -> tuple[tuple[str, str], ...]:
    """Return the kinds of computer players, each with its label; those of characters come first.

    >>> stand_ins()[0], stand_ins()[5]
    (('random', 'Pip: Novice'), ('most', 'Most'))
    """
    named = {
        bot.kind: gettext("{name}: {strength}", name=bot.name, strength=bot.strength)
        for bot in CHARACTERS
    }
    return (*named.items(), *((kind, kind.capitalize()) for kind in kinds() if kind not in named))


@cached
def catalogue() -> Catalogue:
    """Return all choices for a new table, in the order in which pages list them.

    >>> catalogue().games[0].id, catalogue().presets[0].id
    ('classic', 'pub')
    """
    matches = ((p, Match(find(p.game), p.format)) for p in presets().values())
    return Catalogue(
        games=tuple(Choice(e.name, e.shown_title, own_rule(e.name)) for e in all_games()),
        presets=tuple(
            Choice(p.name, p.shown_title, f"{match.game.card().title}. {match.list_line()}")
            for p, match in matches
        ),
        computers=tuple(
            Choice(kind, kind.capitalize(), gettext(play)) for kind, (_, play) in kinds().items()
        ),
        characters=tuple(
            CharacterView(bot.id, bot.name, bot.kind, gettext(bot.about), bot.strength, bot.level)
            for bot in CHARACTERS
        ),
    )


async def games(caller: Caller, request: None) -> Catalogue:
    """Return every game, preset and kind of computer player."""
    return catalogue()


async def reply_to_opener(caller: Caller, live: LiveRoom) -> OpenedReply:
    """Return the reply to the caller who opened a room, by this request or an earlier one.

    It has the keys that the opener can share; none on a page without a server. Raises as `admit`.
    """
    access, room = caller.services.rooms.access, live.room
    if not caller.device:  # then the opener is recognised by the keys of the first reply
        own = opener_seats(room.opened)
        keys_at_first = (access.key(room, seat, before=room.links[seat]) for seat in own)
        caller = caller.with_keys(*keys_at_first)
    opener = await admit(caller, live)
    numbers = {str(seat): seat for seat in shareable_seats(room, opener.viewer)}
    numbers |= {"watch": WATCHERS, "host": OPENER}
    has_keys = access.keyring is not None
    keys = {name: access.key(room, seat) for name, seat in numbers.items()} if has_keys else {}
    return OpenedReply(room.event_count, live.current_view(), opener.you, keys)


async def open_room(caller: Caller, new: NewRoom) -> OpenedReply:
    """Open a room; for a retry, return the room already opened.

    Raises TooOften, Full, NotKept, and what `plan_room` and `check_players` raise.
    """
    caller.count(limits.OPENINGS_OF_ADDRESS, "openings")
    plan, game = plan_room(new)
    seats = [Seat(seat.name, seat.computer) for seat in plan.seats]
    seats.append(Seat("", plan.stand_in))  # it may have to play, too
    await check_players(caller, game, seats)
    return await open_planned(caller, key_of(caller, "open", new), plan)


def plan_alone(game: str, format: str | None, dice: DiceFrom, **more: str) -> Opened:
    """Return the settings of a room for one player, without hints; `more` as in `Opened`."""
    seats = (Planned(UNNAMED),)
    return Opened(game, format, seats, dice, "off", coach=False, leaver="wait", **more)


async def open_planned(
    caller: Caller, key: IdempotencyKey, plan: Opened, make_write: MakeWrite | None = None
) -> OpenedReply:
    """Open a room with these settings; for a retry, return the room already opened.

    What `make_write` returns is written with a new room. Raises TooOften, Full and NotKept, and
    UnknownRoom if that raises OutOfDate.
    """
    caller.count(limits.ROOMS_OF_ADDRESS, "tables")
    caller.count(limits.ROOMS_OF_ADDRESS_A_DAY, "tables")
    live = await caller.services.rooms.open(key, plan, caller.device, make_write)
    live.address = caller.address
    caller.services.pool.warm()
    return await reply_to_opener(caller, live)


def plan_room(new: NewRoom) -> tuple[Opened, Game[Any, Any]]:
    """Return the settings of a new room, and its game.

    Raises a ShutboxError if the game, format, seats, dice or position do not exist, do not fit
    together, or are too large for this server.

    >>> plan, game = plan_room(NewRoom("12345678", seats=(NewSeat("me"),)))
    >>> [seat.name for seat in plan.seats], game.name
    (['Player'], 'classic')
    """
    check_text(new.game)
    by_link = [seat.who == "link" for seat in new.seats]
    if new.dice == "hand" and any(by_link):
        raise NotAllowed(
            "real dice are for games on one screen; a friend with a link cannot see them"
        )
    seats = read_players(",".join(_seat_texts(new.seats)))
    check_seats(seats)
    game = game_of_seats(new.game, seats, new.format or None)
    check_work(game)
    position = _position(game, new.position)
    plan = tuple(Planned(s.name, s.computer, link) for s, link in zip(seats, by_link, strict=True))
    settled = new.dice, new.hints, new.coach, new.leaver, new.stand_in
    return Opened(new.game, new.format or None, plan, *settled, position), game


def _position(game: Game[Any, Any], text: str) -> str:
    """Return the position where the game begins, in its notation; empty for its usual start.

    Raises NotAllowed for a match and for a position at the end, and what `position_at` raises.
    """
    if not text:
        return ""
    if isinstance(game, Match):
        raise NotAllowed(
            "a match starts from the beginning; only one player alone can start from a position"
        )
    position = game.position_at(text)
    if isinstance(game.awaits(position), Over):
        raise NotAllowed("the game is over at this position; there is nothing left to play")
    return "" if position == game.start() else game.position_id(position)


def _seat_texts(seats: tuple[NewSeat, ...]) -> list[str]:
    """Return seats as typed text; "Player" or "Player 2" for a nameless person. Raises BadName."""
    typed, people = [], sum(not seat.who.startswith("computer") for seat in seats)
    for number, seat in enumerate(seats, start=1):
        name = seat.name.strip()
        if seat.who.startswith("computer"):
            if name:
                check_seats([Seat(clean_name(name), DEFAULT_KIND)])
            typed.append(f"{name}={seat.who}" if name else seat.who)
        elif name:
            typed.append(read_name(name))
        else:
            typed.append(default_name(number - 1) if people > 1 else "Player")
    return typed
