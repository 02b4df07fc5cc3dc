"""Actions on seats, their links, and the devices of players, which Web Push tells of their turn."""

from contextlib import suppress
from dataclasses import dataclass

from shutbox.engine.errors import NotKept, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext_noop
from shutbox.web import limits
from shutbox.web.actions.advice import check_players
from shutbox.web.actions.context import Caller, Done, RoomCaller, Services, admit, key_of
from shutbox.web.errors import NameNeeded, NoAnswer, NoFreeSeat, NotAllowed
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms import commands
from shutbox.web.rooms.access import Permission, hashed
from shutbox.web.rooms.changes import IdempotencyKey, RoomChange
from shutbox.web.rooms.events import Entered
from shutbox.web.rooms.links import KEY_LENGTH, find_key
from shutbox.web.rooms.requests import Enter, LookAtLink, Plain, Renew, Say, StandIn, Subscribe
from shutbox.web.rooms.room import INVITATION, OPENER, WATCHERS, Room
from shutbox.web.rooms.view import Invites, invites


@dataclass
class Seated(Done):
    """A room after a link was followed, and the seat that it opened."""

    seat: int | None  # None if the link opens no seat, such as a watch link
    key: str  # the key to come back with, since a play link works only once


@dataclass
class Invitation:
    """The table behind a link that has not been followed yet."""

    invites: Invites | None  # the table, for a guest who must give a name; None if none is needed


@dataclass
class PushReply:
    """The state of Web Push at this server."""

    key: str  # the server's public key in base64url, for browsers to subscribe; empty if it is off


async def enter(caller: Caller, request: Enter) -> Seated:
    """Follow a link: take a free seat, come back to one, watch, or be the opener.

    The invitation is a link to any free seat; a device that has a seat already comes back to it.
    Raises NotAllowed for a key that opens nothing and a seat just taken, NoFreeSeat, NameNeeded,
    BadName, TooOften, and what `RoomRepository.find` and `change` raise.
    """
    rooms = caller.services.rooms
    entry = _Entry(caller, request, await rooms.find(caller.room))
    if entry.opens is None:
        raise _wrong_key(caller, entry.link)
    try:
        looks = entry.look_for_own_seats
        outcome = await rooms.change(entry.live, entry.key, entry.change, allowed=looks)
    except NoFreeSeat:
        caller.count(limits.KEYS_OF_ADDRESS, "keys")
        raise
    if entry.is_retry:
        await rooms.grant_seats(entry.live, lambda: caller.grants(entry.taken_seat()))
    return await _seated(caller, entry.live, outcome.number, entry.seat(), entry.link)


class _Entry:
    """A link that a caller follows: what it opens, and the seats that the caller has already."""

    def __init__(self, caller: Caller, request: Enter, live: LiveRoom) -> None:
        self.caller, self.request, self.live = caller, request, live
        self.access, self.link = caller.services.rooms.access, find_key(request.key)
        self.of_link = self.access.seat_of(live.room, self.link)  # None: it opens nothing now
        opens = WATCHERS if request.watch and self.of_link is not None else self.of_link
        # The link's key identifies a guest who retries after a lost reply. Several guests share the
        # invitation, and their clients may use the same action ids, so there the name counts, too.
        named = IdempotencyKey(request.action, hashed(f"{self.link} {request.name}"))
        by_name = opens == INVITATION or self.access.entered_seat(live, named) is not None
        self.key = named if by_name else IdempotencyKey(request.action, hashed(self.link))
        before = self.access.entered_seat(live, self.key)  # the seat of an attempt without a reply
        self.is_retry = before is not None
        self.opens = opens if before is None else before  # a seat, WATCHERS, OPENER or INVITATION
        self.own = frozenset[int]()  # the caller's seats, one of which the invitation opens

    async def look_for_own_seats(self) -> None:
        """Find the caller's seats, if the link is the invitation."""
        if self.opens == INVITATION:
            caller = self.caller
            self.own = (await self.access.viewer(self.live, caller.device, caller.keys)).seats

    def change(self, room: Room) -> RoomChange:
        """Return the change of the room. Raises NotAllowed and what `commands.enter` raises."""
        opens = self.opens
        if self.own or opens is None:
            return RoomChange(())
        if self.access.seat_of(room, self.link) != self.of_link:
            raise no_link(self.link) if opens < 0 else NotAllowed("this seat has just been taken")
        if opens in (WATCHERS, OPENER):
            return RoomChange((), self.caller.grants(opens))
        events = commands.enter(room, opens, self.request.name, self.caller.services.rooms.now())
        taken = (event.seat for event in events if isinstance(event, Entered))
        return RoomChange(events, self.caller.grants(next(taken, opens)))

    def taken_seat(self) -> int:
        """Return the seat that was taken. Raises NotAllowed if its link was renewed since."""
        if (seat := self.access.entered_seat(self.live, self.key)) is None:
            raise no_link(self.link)
        return seat

    def seat(self) -> int:
        """Return what the caller has now: a seat, WATCHERS or OPENER. Raises as `taken_seat`."""
        if self.own:
            return min(self.own)
        if self.opens is None or self.opens == INVITATION:
            return self.taken_seat()
        return self.opens


def _wrong_key(caller: Caller, key: str) -> NotAllowed:
    """Count a key that opens nothing, and return its refusal. Raises TooOften for too many."""
    caller.count(limits.KEYS_OF_ADDRESS, "keys")
    return no_link(key)


def no_link(key: str, length: int = KEY_LENGTH) -> NotAllowed:
    """Return the refusal of a link by the key that `find_key` found in it."""
    if not key:
        return NotAllowed("this link is missing its end\ncopy the whole link, or ask for it again")
    if len(key) < length:
        says = gettext_noop(
            "this link is cut off: its key has {number} of {length} characters\n"
            "copy the whole link, or ask for it again"
        )
        return NotAllowed(says, number=len(key), length=length)
    return NotAllowed("this link no longer works; ask for a new one")


async def _seated(caller: Caller, live: LiveRoom, number: int, seat: int, sent: str) -> Seated:
    """Return the reply to a caller who followed a link, with the key to come back.

    `seat` can be WATCHERS or OPENER; an opener comes back with `sent`, the key of the link.
    """
    own = sent if seat == OPENER else caller.services.rooms.access.key(live.room, seat)
    inside = await admit(caller.with_keys(own), live)
    view = live.current_view()
    return Seated(number, view, inside.you, seat if seat >= 0 else None, own)


async def invitation(caller: Caller, request: LookAtLink) -> Invitation:
    """Return the table behind a link if the guest must give a name to follow it, else no table.

    Takes no seat. Raises NotAllowed, NoFreeSeat and TooOften.
    """
    rooms, access = caller.services.rooms, caller.services.rooms.access
    live = await rooms.find(caller.room)
    viewer = await access.viewer(live, caller.device, caller.keys)
    key = find_key(request.key)
    opens = access.seat_of(live.room, key)
    if opens is None:
        raise _wrong_key(caller, key)
    if opens in (WATCHERS, OPENER) or (opens == INVITATION and viewer.seats):
        return Invitation(None)
    try:
        commands.enter(live.room, opens, None, rooms.now())
    except NoFreeSeat:
        caller.count(limits.KEYS_OF_ADDRESS, "keys")
        raise
    except NameNeeded as needed:
        return Invitation(invites(live.room, needed.seat))
    return Invitation(None)


async def check_stand_in(caller: RoomCaller, request: StandIn) -> None:
    """Check that the computer player that should take over a seat can play here.

    Raises NotAllowed, BadName if names clash, and what `check_players` raises.
    """
    game, seats = commands.seats_with_stand_in(caller.live.room, request)
    await check_players(caller.client, game, seats)


async def count_phrase(caller: RoomCaller, request: Say) -> None:
    """Count a phrase that a player wants to say. Raises TooOften; NotAllowed if phrases are off."""
    if not caller.client.services.phrases:
        raise NotAllowed("the host of this server has turned phrases off")
    what = "/".join(("phrases", caller.live.room.id, str(request.seat)))
    caller.client.count(limits.PHRASES_OF_SEAT, what)


async def renew(caller: RoomCaller, request: Renew) -> Done:
    """Renew the link of a seat, or the watch link; all others who used the old one are shut out.

    An opener who renews the link of their own seat stays opener on this device only, not on others
    that got their games by a device link. Raises NotAllowed, TooOften, OutOfDate, NotKept and Full.
    """
    client, live, rooms = caller.client, caller.live, caller.client.services.rooms
    key = key_of(client, "renew", request)
    # A caller who used the key of the seat itself, and lost the reply, has only the old key.
    number = rooms.access.renewal_number(live, key, request.seat, client.keys)
    mine = number is not None or request.seat in caller.viewer.seats or request.seat == WATCHERS
    if number is None:
        is_opener = client.device and caller.viewer.opener and request.seat in caller.viewer.seats
        opener = (OPENER,) if is_opener else ()
        devices = client.grants(request.seat, *opener) if mine else ()

        def make(room: Room) -> RoomChange:
            return RoomChange(commands.renew(room, request), devices, opener)

        number = (await caller.change("renew", Permission.HANDS_ON, request, make)).number
    keys = [rooms.access.key(live.room, request.seat)] if mine else []
    return (await admit(client.with_keys(*keys), live)).done(number)


async def forget(caller: Caller) -> None:
    """Delete a device's data and tables; quit shared ones. Raises TooOften, NotKept, OutOfDate.

    Tables of other servers are left to these, which do it within seconds.
    """
    rooms, device = caller.services.rooms, hashed(caller.device or "")
    caller.count(limits.HANDOVERS_OF_ADDRESS, "handovers")
    tables = await rooms.stored_log.rooms_of(device, limits.MOST_FORGOTTEN)
    for id in filter(rooms.serves, tables):
        await forget_at(caller.services, id, device)
    await caller.services.links.forget(device, [id for id in tables if not rooms.serves(id)])


async def forget_at(services: Services, id: str, device: str) -> None:
    """Take a device, by its hash, from a room at this server; delete the room if it was its own.

    Where other people play, its players leave, and their names are removed. A closed, full or
    damaged room does not change, but for the device. Raises NotKept, and OutOfDate as `forget`.
    """
    rooms = services.rooms
    is_shared = True
    try:
        live = await rooms.find(id)
        seats = await rooms.stored_log.seats_of(id, device)
        mine = frozenset(seat for seat in seats if seat >= 0)
        is_shared = bool(live.room.others(mine))
        if is_shared and commands.remove_players(live.room, mine):
            await rooms.change(live, None, lambda room: commands.remove_players(room, mine))
    except NotKept:  # without the device, nobody could remove the name any more
        raise
    except ShutboxError:
        pass
    await services.links.forget_at(id, device, with_room=not is_shared)
    if held := rooms.loaded_room(id):
        held.forget_devices()
        with suppress(ShutboxError, NoAnswer):
            await rooms.catch_up(held)  # which drops it, if it was deleted


async def push_key(caller: Caller, request: None) -> PushReply:
    """Return the public key that a browser needs to subscribe; empty if push is off here."""
    return PushReply(caller.services.push.key)


async def subscribe(caller: Caller, request: Subscribe) -> PushReply:
    """Store the push subscription of the caller's device, which replaces its earlier one.

    Raises NotUnderstood for an unknown push service and if push is off here,
    NotAllowed for a caller without a device, TooOften and NotKept.
    """
    caller.count(limits.SUBSCRIPTIONS_OF_ADDRESS, "subscriptions")
    if not caller.services.push.accepts(request.endpoint):
        raise NotUnderstood("this server does not send messages to that push service")
    if not caller.device:
        raise NotAllowed("messages about turns need a browser that accepts cookies")
    device, now = hashed(caller.device), caller.services.rooms.now()
    keys = request.p256dh, request.auth
    await caller.services.notices.store(device, now, request.endpoint, *keys)
    return PushReply(caller.services.push.key)


async def unsubscribe(caller: Caller, request: Plain) -> PushReply:
    """Delete the push subscription of the caller's device, if there is one. Raises NotKept."""
    if caller.device:
        await caller.services.notices.forget(device=hashed(caller.device))
    return PushReply(caller.services.push.key)
