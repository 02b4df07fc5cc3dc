"""Access to rooms: the secrets that open them, and the permissions, decided nowhere else.

The key of a link is derived from the server's own secret. So it is stored nowhere, and can be shown
again to every viewer who may share the link. It changes when the link is renewed.

Future throws exist nowhere, and a position holds no secrets between seats. So all viewers of a room
get the same view. They differ only in the actions that they may take and the links they may share.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from functools import partial
from hashlib import sha256

from shutbox.web import limits
from shutbox.web.errors import NotAllowed, RoomClosed
from shutbox.web.rooms.links import KEY_LENGTH
from shutbox.web.rooms.room import WATCHERS, Room


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer of a room, with the seats and links that give the viewer permissions."""

    seats: frozenset[int] = frozenset()
    opener: bool = False  # whether this viewer opened the room
    watcher: bool = False  # whether this viewer holds the watch link

    @property
    def at_table(self) -> bool:
        """Whether this viewer plays in the room or opened it."""
        return bool(self.seats) or self.opener

    @property
    def may_see(self) -> bool:
        """Whether this viewer may see the room at all."""
        return self.at_table or self.watcher

    def may_use(self, seat: int) -> bool:
        """Whether the viewer holds `seat`: a seat, the watch link (WATCHERS) or OPENER's key."""
        if seat < 0:
            return self.watcher if seat == WATCHERS else self.opener
        return seat in self.seats


class Permission(Enum):
    """The permissions that `check` enforces."""

    SEES = "sees"  # every viewer who may see the room
    AT_TABLE = "at-table"  # the players and the opener
    SITS = "sits"  # the player of the seat
    ACTS = "acts"  # the player of the seat; for a computer player, the viewer with the real dice
    THROWS = "throws"  # like ACTS, but real dice only at the screen where they lie
    HOSTS = "hosts"  # the opener
    FILLS = "fills"  # the players and the opener; for a free seat only the opener
    HANDS_ON = "hands-on"  # the viewers who may share the link


def check(permission: Permission, room: Room, viewer: Viewer, seat: int = WATCHERS) -> None:
    """Raise NotAllowed without a permission, and RoomClosed in a closed room, but for SEES.

    `seat` is the seat or link that it is about, if any. NotAllowed if there is no such seat.
    """
    thrown_for = _seats_thrown_for(room, viewer)
    if permission in (Permission.ACTS, Permission.THROWS) and seat in thrown_for:
        check_open(room)
        return
    if not viewer.may_see:
        raise NotAllowed("this table is private; you need a play link or a watch link")
    if permission is not Permission.SEES:
        check_open(room)
    is_elsewhere = room.opened.dice == "hand" and not _holds_dice(room, viewer)
    match permission:
        case Permission.THROWS if viewer.seats and is_elsewhere:
            raise NotAllowed("the dice are at another screen; type them there")
        case Permission.AT_TABLE | Permission.FILLS if not viewer.at_table:
            raise NotAllowed("you are only watching")
        case Permission.SITS | Permission.ACTS | Permission.THROWS if not viewer.seats:
            raise NotAllowed("you are only watching")
        case Permission.SITS | Permission.ACTS | Permission.THROWS if seat not in viewer.seats:
            raise NotAllowed("seat {seat} is not yours", seat=seat)
        case Permission.HOSTS if not viewer.opener:
            raise NotAllowed("only the person who opened the table may do that")
        case Permission.FILLS | Permission.HOSTS if seat >= len(room.seats):
            raise NotAllowed("there is no seat {seat}", seat=seat)
        case Permission.FILLS if not room.seats[seat].taken and not viewer.opener:
            raise NotAllowed("only the person who opened the table may do that")
        case Permission.HANDS_ON if seat not in _renewable_links(room, viewer):
            raise NotAllowed("you cannot renew that link")


def check_open(room: Room) -> None:
    """Raise RoomClosed if the host of the server has closed the room."""
    if room.closed:
        raise RoomClosed("the host of this server has closed this table")


@dataclass
class Allowed:
    """The actions open to a viewer besides playing; a tuple lists the seats that each concerns."""

    leave: tuple[int, ...] = ()  # the seats you can leave
    come_back: tuple[int, ...] = ()  # the seats you can come back to
    stand_in: tuple[int, ...] = ()  # the seats where a computer can play
    end: bool = False  # whether you can end the game
    give_up: bool = False  # whether you can give up a game played alone
    rematch: bool = False  # whether you can start another game
    decline: tuple[int, ...] = ()  # the seats that can decline a rematch
    name: tuple[int, ...] = ()  # the seats you can name
    clear_name: tuple[int, ...] = ()  # the seats whose name you can clear
    say: tuple[int, ...] = ()  # the seats that can say a phrase
    renew: tuple[int, ...] = ()  # the links you can replace; -1 to watch
    throw_for: tuple[int, ...] = ()  # the computer players whose real dice you throw and type
    types_dice: bool = False  # whether real dice lie at this viewer's screen


def allowed(room: Room, viewer: Viewer, now: float) -> Allowed:
    """Return a viewer's actions besides play, none in a closed room. `now`: seconds since 1970."""
    if room.closed:
        return Allowed()
    seats, mine, at_table = room.seats, tuple(sorted(viewer.seats)), viewer.at_table
    several, playing, ended = seats[1:], room.phase == "playing", room.phase in ("over", "ended")
    absent = absent_seats(room, now, viewer.seats) if at_table else ()
    free = room.free if viewer.opener else ()
    others, leaver = room.others(viewer.seats), room.opened.leaver
    present = tuple(seat for seat in mine if seats[seat].is_present)
    declines = [seat for seat, state in enumerate(seats) if state.wants_rematch is False]
    talks = present if others else ()
    hosted = sorted((*mine, *others)) if viewer.opener and several else ()
    wants = any(seats[seat].wants_rematch for seat in mine)
    return Allowed(
        leave=present if several else (),
        come_back=tuple(seat for seat in mine if seat not in present),
        stand_in=tuple(sorted((*free, *(absent if leaver in ("computer", "any") else ())))),
        end=bool(absent) and playing and leaver in ("end", "any"),
        give_up=at_table and playing and is_alone(room, viewer.seats),
        rematch=at_table
        and ended
        and not room.is_of_day
        and viewer.seats.issuperset(declines)
        and not (others and wants),
        decline=tuple(seat for seat in talks if ended and seat not in declines),
        name=mine,
        clear_name=tuple(seat for seat in hosted if seats[seat].named),
        say=talks,
        renew=_renewable_links(room, viewer),
        throw_for=_seats_thrown_for(room, viewer),
        types_dice=_holds_dice(room, viewer),
    )


def is_alone(room: Room, mine: Collection[int]) -> bool:
    """Whether all seats outside `mine` were planned for computers; False at a box of the day."""
    return not room.is_of_day and {*mine}.issuperset(room.people)


def absent_seats(room: Room, now: float, mine: Collection[int] = ()) -> tuple[int, ...]:
    """Return the seats of people who have left, or are due and idle for AWAY_SECONDS at `now`.

    Seats with a stand-in do not count, nor do the caller's seats `mine` if other people sit here.
    """
    states = {seat: room.seats[seat] for seat in room.people if room.seats[seat].taken}
    mine = () if {*mine}.issuperset(states) else mine
    late = room.phase == "playing" and now - room.last_activity >= limits.AWAY_SECONDS
    due = room.table.due if late and room.table else None
    others = ((seat, state) for seat, state in states.items() if seat not in mine)
    return tuple(seat for seat, s in others if not s.computer and (s.left or seat == due))


def shareable_seats(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose links a viewer may share: their own and, for the opener, free ones.

    A closed room has no free ones any more; seats planned for computers have no links.
    """
    free = viewer.opener and not room.closed
    return tuple(s for s in room.people if (s in viewer.seats if room.seats[s].taken else free))


def _renewable_links(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose links a viewer may renew; for the opener also WATCHERS, to watch."""
    return (*((WATCHERS,) if viewer.opener else ()), *shareable_seats(room, viewer))


def _seats_thrown_for(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats of the computer players for which a viewer throws and types real dice."""
    computers = (seat for seat, state in enumerate(room.seats) if state.computer)
    return tuple(computers) if _holds_dice(room, viewer) else ()


def _holds_dice(room: Room, viewer: Viewer) -> bool:
    """Whether a room's real dice are at this viewer's screen: the opener's, or that of all people.

    False for a room whose dice the server throws.
    """
    is_everybody = bool(room.people) and viewer.seats.issuperset(room.people)
    return room.opened.dice == "hand" and (viewer.opener or is_everybody)


SHORTEST_DEVICE = 43  # characters of a device's cookie; a shorter one was not made here
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # of ids: none that are mistaken for one another
_RANDOM_LETTERS = 13  # of an id, after the name of its server
ROOM_ID_LENGTH = 1 + _RANDOM_LETTERS


class Keyring:
    """The maker of keys and room ids from one server's secret.

    >>> keyring = Keyring(bytes(32))
    >>> key = keyring.key("kq3v9x2m7dxy", 0, 0)
    >>> len(key), key == keyring.key("kq3v9x2m7dxy", 0, 1)
    (22, False)
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def key(self, room: str, seat: int, links: int) -> str:
        """Return the key of a seat whose link has changed `links` times: 132 bits in base64url.

        `seat` can also be WATCHERS, OPENER or INVITATION.
        """
        digest = hmac.digest(self._secret, f"{room}/{seat}/{links}".encode(), sha256)
        return urlsafe_b64encode(digest).decode()[:KEY_LENGTH]

    def room_id(self, server: str, action: str, by: str) -> str:
        """Return the id of a room to open at a server, from an IdempotencyKey; same on a retry."""
        digest = hmac.digest(self._secret, f"open/{by}/{action}".encode(), sha256)
        return server + "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_RANDOM_LETTERS])


def is_same(key: str, other: str) -> bool:
    """Whether a client's `key` equals our key `other`, compared in constant time."""
    return hmac.compare_digest(key.encode("utf-8", "replace"), other.encode())


new_device = partial(secrets.token_urlsafe, 32)  # makes the cookie of a device, 256 bits
new_key = partial(secrets.token_urlsafe, 18)  # makes the key of a temporary link, 144 bits
new_action = partial(secrets.token_urlsafe, 18)  # makes the id of an action, if no script does
new_secret = partial(secrets.token_hex, 32)  # makes the secret of a server, 256 bits in base 16


def new_room_id(server: str) -> str:
    """Return a random id, 64 bits, for a room at a server. An id alone opens nothing."""
    return server + "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM_LETTERS))


def is_room_id(text: str) -> bool:
    """Whether a text has the form of a room's id."""
    return re.fullmatch("[a-z0-9]{1,16}", text) is not None


def hashed(secret: str) -> str:
    """Return the SHA-256, in hexadecimal, that is stored in place of a secret to recognise it.

    >>> hashed("x")[:8]
    '2d711642'
    """
    return sha256(secret.encode()).hexdigest()
