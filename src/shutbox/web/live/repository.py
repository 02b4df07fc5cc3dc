"""All rooms: opened, found, and played on.

What is to happen is prepared by the room as events, kept, applied, and shown, in this order and
under the lock of the room. So nothing is shown that is not on the disk, what is in memory is what a
replay leads to, and of two processes that were equally quick the database lets one be the first.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, InitVar, dataclass, replace
from time import monotonic, time

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.messages import ngettext
from shutbox.web import limits
from shutbox.web.errors import DamagedStore, Full, Limit, NewerStore, NoAnswer, UnknownRoom
from shutbox.web.live.access import Access, openers
from shutbox.web.live.live_room import Encode, LiveRoom
from shutbox.web.rooms import commands, events
from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import Opened
from shutbox.web.rooms.link_keys import Keyring, is_room_id, new_room_id
from shutbox.web.rooms.ports import Addition, Entries, Extra, Log, Notes, not_read
from shutbox.web.rooms.room import Room

Devices = tuple[tuple[int, str], ...]
"""Seats, and the device that may sit at each, by its hash."""
_SOON_SECONDS = 60.0
"""A room that was asked for so lately is not let go: somebody may be about to act in it."""
TRIES = 5  # how often something is tried again that another process was quicker with


_MOST_APART = 2.0  # seconds that the clock on the wall may differ, as clocks do


class Clock:
    """Goes on evenly though the clock on the wall is set, and follows it only when told to."""

    def __init__(self) -> None:
        self._ahead = time() - monotonic()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._ahead + monotonic()

    def follow(self) -> float:
        """Follow the clock on the wall where it was set; by how much that was, or 0."""
        step = time() - self.now()
        if abs(step) <= _MOST_APART:
            return 0.0
        self._ahead += step
        return step


@dataclass(eq=False)
class Rooms:
    """The rooms of one process, or of one page without a server."""

    log: Log
    keyring: InitVar[Keyring | None]
    """Without one nobody comes by a link."""
    encode: Encode
    notes: Notes
    _: KW_ONLY
    played: Callable[[], None] = lambda: None
    """Called for each event of a game that is stored here."""
    shown: Callable[[LiveRoom], None] = lambda live: None
    """Called for each room that was opened or read, and where something has happened."""
    bots: Callable[[LiveRoom], None] = lambda live: None
    """Lets the computer player who is due in a room act, and those after it."""

    def __post_init__(self, keyring: Keyring | None) -> None:
        self._clock = Clock()
        self.now: Callable[[], float] = self._clock.now
        self._lives: OrderedDict[str, LiveRoom] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self.access = Access(keyring=keyring, log=self.log, now=lambda: self.now())

    # Finding

    @property
    def lives(self) -> Sequence[LiveRoom]:
        """The rooms in memory."""
        return tuple(self._lives.values())

    def at_hand(self, id: str) -> LiveRoom | None:
        """A room, if it is in memory."""
        return self._lives.get(id)

    async def find(self, id: str, who: str = "") -> LiveRoom:
        """A room that somebody asks for. Raises UnknownRoom, DamagedStore and NewerStore."""
        if not is_room_id(id):
            raise UnknownRoom("there is no such table")
        if live := self.at_hand(id):
            live.asked = self.now()
            self._lives.move_to_end(id)
            self.schedule_bots(live)
            return live
        if id not in self._loading:
            loading = self._loading[id] = asyncio.create_task(self._load(id, who))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        # Who waits may go away; the others wait on.
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str, who: str) -> LiveRoom:
        room, found = await self.log.replayed(id, who)
        # If a clock was ahead, nobody is away for less time than it was.
        room.at = min(room.at, self.now())
        live = self._hold(LiveRoom(room, found, self.encode))
        # What was told while it was read was told to nobody.
        await self.catch_up(live)
        return live

    def _hold(self, live: LiveRoom) -> LiveRoom:
        """The one room of this id in memory, this one if there is none."""
        live = self._lives.setdefault(live.room.id, live)
        live.asked = self.now()
        self.shown(live)
        self.schedule_bots(live)
        if len(self._lives) > limits.MOST_ROOMS:
            self.forget(_SOON_SECONDS)
        return live

    def schedule_bots(self, live: LiveRoom) -> None:
        """Let a computer player who is due act, unless one is about to."""
        if live.room.computer_due and not live.driven:
            self.bots(live)

    def follow_clock(self) -> None:
        """Follow the clock on the wall, and let nobody be away, or idle, for that."""
        if step := self._clock.follow():
            for live in self.lives:
                live.room.at += step
                live.asked += step
                live.forget_devices()  # known since a time that is no more

    def forget(self, idle: float = limits.IDLE_SECONDS) -> None:
        """Let go of rooms nobody listens to, and nobody has asked for so many seconds."""
        before = self.now() - idle
        for id, live in list(self._lives.items()):
            if live.asked >= before:
                break  # those behind it were asked for later
            if not (live.broadcast.listeners or live.driven or live.lock.locked()):
                del self._lives[id]

    # Going on

    async def open(
        self, key: IdempotencyKey, plan: Opened, device: str | None, extra: Extra | None = None
    ) -> LiveRoom:
        """Open a room, with its opener in the seats that are not given to others.

        A retry returns the room already opened. A client that cannot be recognised gets a new one,
        written together with `extra`.
        """
        keyring = self.access.keyring
        id = keyring.room_id(key.by, key.action) if keyring and key.by else new_room_id()
        try:
            live = await self.find(id)
        except UnknownRoom:
            places = openers(plan, device) if device else ()
            with suppress(OutOfDate):  # the same was asked twice at once
                return await self._open(Room(id), key, plan, places, extra)
            live = await self.find(id)
        if device:
            places = openers(live.room.opened, device)
            # What was made anew was made anew for everybody.
            await self.give(live, lambda: [one for one in places if not live.room.links[one[0]]])
        return live

    async def give(self, live: LiveRoom, devices: Callable[[], Sequence[tuple[int, str]]]) -> None:
        """Let devices sit where `devices` says, which is asked again where a link was made anew."""
        await self.change(live, None, lambda room: RoomChange(devices=tuple(devices())))

    async def _open(
        self, room: Room, key: IdempotencyKey, plan: Opened, devices: Devices, extra: Extra | None
    ) -> LiveRoom:
        at = self.now()
        room.apply(1, at, plan)
        made = RoomChange((plan, *commands.begin(room, self.moment())), devices)
        numbered = [(number, at, event) for number, event in enumerate(made.events, 1)]
        addition = Addition(room, "", numbered, made, key, opens=True, extra=extra)
        for one in numbered[1:]:
            room.apply(*one)
        seal, _ = await self.log.append(addition)
        room.at = self.now()  # which may have been set meanwhile
        found = Entries(numbered, {key.action: (key.by, Outcome(1))}, seal)
        live = self._hold(LiveRoom(room, found, self.encode))
        for device in {device for _, device in devices}:
            live.devices.keep(device, (self.now(), frozenset(seat for seat, _ in devices)))
        return live

    async def change(
        self,
        live: LiveRoom,
        key: IdempotencyKey | None,
        make: Callable[[Room], RoomChange],
        *,
        allowed: Callable[[], Awaitable[None]] | None = None,
    ) -> Outcome:
        """Let happen what `make` makes of the room, or what was made of this action before.

        `allowed` raises where the caller may not do that any more, by what has happened while
        others were waited for. Raises what it raises and `make`, NotKept, and OutOfDate.
        """
        async with live.lock:
            for _ in range(TRIES):
                try:
                    if allowed is not None:
                        await allowed()
                    if key is not None and (done := live.answered(key)) is not None:
                        return done
                    made = make(live.room)
                except ShutboxError:
                    # Another process may know more; who is refused is refused by the newest.
                    if not self.log.shared or not await self.look(live):
                        raise
                    continue
                try:
                    return await self.happen(live, key, made)
                except OutOfDate:
                    if not await self.look(live):
                        raise self._let_go(live) from None
            raise _moved_on()

    async def happen(self, live: LiveRoom, key: IdempotencyKey | None, made: RoomChange) -> Outcome:
        """Keep, apply and show, the lock of the room held. Raises OutOfDate, NotKept and Full."""
        room, at = live.room, self.now()
        if room.number + len(made.events) > limits.MOST_EVENTS and not made.by_host:
            says = ngettext(
                "{most} thing has happened at this table; open a new one",
                "{most} things have happened at this table; open a new one",
                limits.MOST_EVENTS,
                most=f"{limits.MOST_EVENTS:,}",
            )
            raise Full(says, Limit.EVENTS)
        numbered = [(number, at, e) for number, e in enumerate(made.events, room.number + 1)]
        outcome = Outcome(numbered[0][0] if numbered else room.number, made.answer)
        live.seal, stored = await self.log.append(Addition(room, live.seal, numbered, made, key))
        for event in made.events:
            if isinstance(event, events.Played):
                self.played()
        if key is not None and numbered:
            live.done[key.action] = key.by, outcome
        if made.devices:
            live.forget_devices()
        self._apply(live, numbered)
        return replace(outcome, stored=stored)

    def _apply(self, live: LiveRoom, numbered: Sequence[events.Numbered]) -> None:
        """Let happen what is kept. Who is due is due from now on.

        The time that is kept with it is by a clock that may have been set since, or that of another
        process.
        """
        at = self.now()
        for number, _, event in numbered:
            if isinstance(event, events.Renewed | events.Entered):
                live.forget_devices()
            # One by one: each is shown with what it led to.
            live.broadcast.publish(live.room.apply(number, at, event))
            if isinstance(event, events.Renewed):
                for listener in live.broadcast.listeners:
                    if listener.viewer.may_use(event.seat):
                        listener.drop()
        if numbered:
            self.shown(live)
        self.schedule_bots(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Let happen here what has happened at another process, if there is any.

        Raises UnknownRoom where the host has deleted the room beside this process.
        """
        if self.log.shared:
            async with live.lock:
                await self.look(live)
        elif not await self.log.has(live.room.id):
            self._let_go(live)
            raise UnknownRoom("there is no such table")

    async def heard_change(self, id: str) -> None:
        """The host has changed a room beside this process: let it happen here."""
        if live := await self._held(id):
            async with live.lock:
                await self.look(live)

    async def heard_delete(self, id: str) -> None:
        """The host has deleted a room."""
        if live := await self._held(id):
            self._let_go(live)

    async def _held(self, id: str) -> LiveRoom | None:
        """A room that is in memory, or is just about to be."""
        with suppress(ShutboxError, NoAnswer):
            if loading := self._loading.get(id):
                return await asyncio.shield(loading)
        return self.at_hand(id)

    def use(self, keyring: Keyring) -> None:
        """The keys of links are others from now on; who listens comes back, if they still may."""
        self.access.keyring = keyring
        for live in self.lives:
            for listener in live.broadcast.listeners:
                listener.drop()

    async def look(self, live: LiveRoom) -> bool:
        """The same, where the lock of the room is held; whether there was anything.

        Raises OutOfDate where what is kept does not go on from what is in memory, and UnknownRoom.
        """
        try:
            found = await self.log.read(live.room.id, live.room.number, live.seal)
            self._apply(live, found.events)
        except DamagedStore:
            raise self._let_go(live) from None
        except (UnknownRoom, NewerStore):
            self._let_go(live)
            raise
        except NoAnswer:
            raise
        except Exception as error:  # whatever it is: it is not what this release has stored
            self._let_go(live)
            raise not_read(error, self.notes) from error
        live.seal = found.seal or live.seal
        live.done.update(found.done)
        return bool(found.events)

    def _let_go(self, live: LiveRoom) -> OutOfDate:
        """What is in memory is not what is kept: who comes next reads it again."""
        if self._lives.get(live.room.id) is live:  # or else it was read again already
            del self._lives[live.room.id]
        live.broadcast.close()
        return _moved_on()

    async def history(self, live: LiveRoom) -> Sequence[events.Numbered]:
        """Everything that was kept of a room."""
        try:
            return (await self.log.read(live.room.id)).events
        except DamagedStore:
            self._let_go(live)
            raise

    def moment(self, mine: frozenset[int] = frozenset()) -> commands.Moment:
        """Now, for who asks; `mine`: at these seats."""
        return commands.Moment(self.now(), mine)


def _moved_on() -> OutOfDate:
    return OutOfDate("the table has moved on; look again")
