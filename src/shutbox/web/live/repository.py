"""All rooms: opened, found, and played on.

What is to happen is prepared by the room as events, kept, applied, and shown, in this order and
under the lock of the room. So nothing is shown that is not on the disk, what is in memory is what a
replay leads to, and of two processes that were equally quick the database lets one be the first.
"""

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from shutbox import __version__
from shutbox.errors import OutOfDate, ShutboxError
from shutbox.messages import ngettext
from shutbox.web import limits
from shutbox.web.clock import Clock
from shutbox.web.errors import Full, UnknownRoom
from shutbox.web.live.access import Access
from shutbox.web.live.broadcast import Messages
from shutbox.web.live.live_room import Completed, LiveRoom
from shutbox.web.rooms import commands, events
from shutbox.web.rooms.commands import IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.link_keys import Keyring, hashed, new_room_id
from shutbox.web.rooms.room import HOST, WATCHERS, Room
from shutbox.web.storage.group_commit import Batch, GroupCommit
from shutbox.web.storage.reader import Archive
from shutbox.web.storage.schema import Grant, StoredEvent

_ID = re.compile("[a-z0-9]{1,16}")
_SOON_SECONDS = 60.0
"""A room that was asked for so lately is not let go: somebody may be about to act in it."""
_READERS = 4  # threads that wait for the database, and for nothing else

T = TypeVar("T")
Numbered = tuple[int, float, events.RoomEvent]
"""An event, with its number in its room, and when it happens."""
TRIES = 5  # how often something is tried again that another process was quicker with


class Rooms:
    """The rooms of one process; `shared`: other processes have them, too."""

    def __init__(
        self,
        archive: Archive,
        writer: GroupCommit,
        keyring: Keyring,
        messages: Messages,
        *,
        shared: bool,
        played: Callable[[], None],
    ) -> None:
        """`played` is called for each event of a game that is kept here."""
        self.archive = archive
        self.writer = writer
        self._clock = Clock()
        self.now: Callable[[], float] = self._clock.now
        self.see_to: Callable[[LiveRoom], None] = lambda live: None
        """Sees to it that a computer player who is due in a room acts."""
        self._messages = messages
        self._shared = shared
        self._played = played
        self._lives: OrderedDict[str, LiveRoom] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._reads = ThreadPoolExecutor(_READERS, "reader")
        self.access = Access(
            keyring=keyring,
            read=lambda room, device: self.read(self.archive.seats_of, room, device),
            shared=shared,
            now=lambda: self.now(),
        )

    # Finding

    @property
    def lives(self) -> Sequence[LiveRoom]:
        """The rooms in memory."""
        return tuple(self._lives.values())

    async def read(self, ask: Callable[..., T], *about: object) -> T:
        """What the archive answers, from a thread that does nothing but wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._reads, ask, *about)

    def at_hand(self, id: str) -> LiveRoom | None:
        """A room, if it is in memory."""
        return self._lives.get(id)

    async def find(self, id: str) -> LiveRoom:
        """A room. Raises UnknownRoom."""
        if not _ID.fullmatch(id):
            raise UnknownRoom("there is no such table")
        if live := self.at_hand(id):
            live.asked = self.now()
            self._lives.move_to_end(id)
            self.see_to(live)
            return live
        if id not in self._loading:
            loading = self._loading[id] = asyncio.create_task(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        # Who waits may go away; the others wait on.
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveRoom:
        rows = await self.read(self.archive.events, id)
        if not rows:
            raise UnknownRoom("there is no such table")
        room, done = await asyncio.to_thread(_replayed, id, rows)
        # Nobody waits for an hour to come that a clock was ahead.
        room.at = min(room.at, self.now())
        live = self._hold(LiveRoom(room, done, self._messages))
        # What was told while it was read was told to nobody.
        await self.catch_up(live)
        return live

    def _hold(self, live: LiveRoom) -> LiveRoom:
        """The one room of this id in memory, this one if there is none."""
        live = self._lives.setdefault(live.room.id, live)
        live.asked = self.now()
        self.see_to(live)
        if len(self._lives) > limits.MOST_ROOMS:
            self.forget(_SOON_SECONDS)
        return live

    def follow_clock(self) -> None:
        """Follow the clock on the wall, and let nobody be away, or idle, for that."""
        if step := self._clock.follow():
            for live in self.lives:
                live.room.at += step
                live.asked += step
                live.devices = {}  # known since a time that is no more

    def forget(self, idle: float = limits.IDLE_SECONDS) -> None:
        """Let go of rooms nobody listens to, and nobody has asked for so many seconds."""
        before = self.now() - idle
        for id, live in list(self._lives.items()):
            if live.asked >= before:
                break  # those behind it were asked for later
            if not (live.broadcast.listeners or live.driven or live.lock.locked()):
                del self._lives[id]

    # Going on

    async def open(self, key: IdempotencyKey, plan: events.Opened, device: str | None) -> LiveRoom:
        """A new room, with its opener in the seats that are not given to others.

        Who asks again gets the room that there is; who is not known again gets another.
        """
        id = self.access.keyring.room_id(key.by, key.action) if key.by else new_room_id()
        try:
            live = await self.find(id)
        except UnknownRoom:
            with suppress(OutOfDate):  # the same was asked twice at once
                return await self._open(Room(id), key, plan, device)
            live = await self.find(id)
        if device:
            openers = _openers(live.room.opened, device)
            # What was made anew was made anew for everybody.
            await self.give(live, lambda: [one for one in openers if not live.room.links[one[0]]])
        return live

    async def give(self, live: LiveRoom, devices: Callable[[], Sequence[tuple[int, str]]]) -> None:
        """Let devices sit where `devices` says, which is asked when no link can be made anew."""
        async with live.lock:
            if self._shared:
                await self.look(live)
            await self.happen(live, None, RoomChange(devices=tuple(devices())))

    async def _open(
        self, room: Room, key: IdempotencyKey, plan: events.Opened, device: str | None
    ) -> LiveRoom:
        at = self.now()
        devices = _openers(plan, device) if device else ()
        room.apply(1, at, plan)
        made = RoomChange((plan, *commands.begin(room, self.moment())), devices)
        numbered = [(number, at, event) for number, event in enumerate(made.events, 1)]
        batch = _batch(room, numbered, made, key)
        for one in numbered[1:]:
            room.apply(*one)
        await self.writer.keep(replace(batch, opens=(room.id, at)))
        live = self._hold(LiveRoom(room, {key.action: (key.by, Outcome(1))}, self._messages))
        if device:
            live.know(hashed(device), self.now(), frozenset(seat for seat, _ in devices))
        return live

    async def change(
        self,
        live: LiveRoom,
        key: IdempotencyKey,
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
                if (done := live.answered(key)) is not None:
                    return done
                try:
                    if allowed is not None:
                        await allowed()
                    made = make(live.room)
                except ShutboxError:
                    # Another process may know more; who is refused is refused by the newest.
                    if not self._shared or not await self.look(live):
                        raise
                    continue
                try:
                    return await self.happen(live, key, made)
                except OutOfDate:
                    await self.look(live)
            # What is in memory is not what is kept: it is read again.
            self._lives.pop(live.room.id, None)
            live.broadcast.drop_listeners()
            raise OutOfDate("the table has moved on; look again")

    async def happen(self, live: LiveRoom, key: IdempotencyKey | None, made: RoomChange) -> Outcome:
        """Keep, apply and show, the lock of the room held. Raises OutOfDate, NotKept and Full."""
        room, at = live.room, self.now()
        if room.number + len(made.events) > limits.MOST_EVENTS:
            says = ngettext(
                "{most} thing has happened at this table; open a new one",
                "{most} things have happened at this table; open a new one",
                limits.MOST_EVENTS,
                most=f"{limits.MOST_EVENTS:,}",
            )
            raise Full(says)
        numbered = [(number, at, e) for number, e in enumerate(made.events, room.number + 1)]
        outcome = Outcome(numbered[0][0] if numbered else room.number, made.answer)
        await self.writer.keep(_batch(room, numbered, made, key))
        for event in made.events:
            if isinstance(event, events.Played):
                self._played()
        if key is not None and numbered:
            live.done[key.action] = key.by, outcome
        if made.devices:
            live.devices = {}
        self._apply(live, numbered)
        return outcome

    def _apply(self, live: LiveRoom, numbered: Sequence[Numbered]) -> None:
        for number, at, event in numbered:
            if isinstance(event, events.Renewed | events.Entered):
                live.devices = {}
            # One by one: each is shown with what it led to.
            live.broadcast.publish(live.room.apply(number, at, event))
            if isinstance(event, events.Renewed):
                live.broadcast.drop_listeners(event.seat)
        self.see_to(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Let happen here what has happened at another process, if there is any."""
        if self._shared:
            async with live.lock:
                await self.look(live)

    async def look(self, live: LiveRoom) -> bool:
        """The same, where the lock of the room is held; whether there was anything."""
        rows = await self.read(self.archive.events, live.room.id, live.room.number)
        live.done.update(_done(rows))
        self._apply(live, _numbered(rows))
        return bool(rows)

    async def history(self, live: LiveRoom) -> Sequence[Numbered]:
        """Everything that was kept of a room."""
        return await asyncio.to_thread(lambda: _numbered(self.archive.events(live.room.id)))

    def moment(self, mine: frozenset[int] = frozenset()) -> commands.Moment:
        """Now, for who asks; `mine`: at these seats."""
        now = self.now()
        begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
        stamp = {"program": f"shutbox {__version__}", "begun": begun}
        return commands.Moment(now, stamp, mine)

    def close(self) -> None:
        """Let go of the threads that read."""
        self._reads.shutdown(wait=False)


def _replayed(id: str, rows: Sequence[StoredEvent]) -> tuple[Room, dict[str, Completed]]:
    """The room that a log leads to, and the actions in it."""
    room = Room(id)
    for one in _numbered(rows):
        room.apply(*one)
    return room, _done(rows)


def _numbered(rows: Sequence[StoredEvent]) -> Sequence[Numbered]:
    return [(row.number, row.at, events.decoded(row.entry)) for row in rows]


def _done(rows: Sequence[StoredEvent]) -> dict[str, Completed]:
    return {
        row.action: (row.by, Outcome(row.number, tuple(json.loads(row.answer or "[]"))))
        for row in rows
        if row.action is not None
    }


def _openers(plan: events.Opened, device: str) -> tuple[tuple[int, str], ...]:
    """Where the opener of a room may sit: at the seats that are not given to others."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return tuple((seat, hashed(device)) for seat in (*seats, HOST, WATCHERS))


def _batch(
    room: Room, numbered: Sequence[Numbered], made: RoomChange, key: IdempotencyKey | None
) -> Batch:
    """What is to happen, as it is stored; events of a game have their place there."""
    rows, table = [], room.table
    for number, at, event in numbered:
        played = isinstance(event, events.Played)
        row = StoredEvent(
            room=room.id,
            number=number,
            game=room.game if played else None,
            version=table.version + 1 if played and table else None,
            at=at,
            action=key.action if key else None,
            by=key.by if key else None,
            answer=events.json_text(made.answer) if played and made.answer else None,
            entry=events.encoded(event),
        )
        rows.append(row)
        key = None  # the action goes with the first
    return Batch(
        events=tuple(rows),
        grants=tuple(Grant(room.id, *one) for one in made.devices),
        revokes=tuple((room.id, e.seat) for e in made.events if isinstance(e, events.Renewed)),
    )
