"""All rooms: opened, found, and gone on with.

Whatever is to happen is made by the room as entries, kept, applied, and shown, in this order and
under the lock of the room. So nothing is shown that is not on the disk, what is in memory is what a
replay leads to, and of two processes that were equally quick the database lets one be the first.
"""

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

import msgspec

from shutbox import __version__
from shutbox.errors import Full, NotAllowed, OutOfDate, ShutboxError, UnknownRoom
from shutbox.web import limits
from shutbox.web.live.access import Passes
from shutbox.web.live.bot_runner import Computers
from shutbox.web.live.live_room import Live
from shutbox.web.rooms import commands
from shutbox.web.rooms.change import Asked, Change, Outcome
from shutbox.web.rooms.events import Entered, Entry, Happened, Opened, Renewed, decoded, encoded
from shutbox.web.rooms.link_keys import Keyring, hashed, new_room_id
from shutbox.web.rooms.room import HOST, WATCHERS, Room
from shutbox.web.storage.group_commit import Batch, Kept, Pass, Writer
from shutbox.web.storage.reader import Archive, Read

_ID = re.compile("[a-z0-9]{1,16}")
_SOON_SECONDS = 60.0
"""A room that was asked for so lately is not let go: somebody may be about to act in it."""
_READERS = 4
"""Threads that wait for the database, and for nothing else."""

T = TypeVar("T")

TRIES = 5
"""How often something is tried again that another process was quicker with."""


class Rooms:
    """The rooms of one process; `shared`: other processes have them, too."""

    def __init__(
        self,
        archive: Archive,
        writer: Writer,
        keyring: Keyring,
        *,
        shared: bool = False,
        now: Callable[[], float] = time.time,
        happened: Callable[[], None] = lambda: None,
    ) -> None:
        """`happened` is called for each event of a game that is kept here."""
        self.archive = archive
        self.writer = writer
        self.now = now
        self._shared = shared
        self._happened = happened
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._reads = ThreadPoolExecutor(_READERS, "reader")
        self.passes = Passes(
            keyring,
            lambda room, device: self.read(self.archive.seats_of, room, device),
            shared=shared,
            now=lambda: self.now(),
        )
        self.computers = Computers(self)

    # Finding

    @property
    def lives(self) -> Sequence[Live]:
        """The rooms in memory."""
        return tuple(self._lives.values())

    async def read(self, ask: Callable[..., T], *about: object) -> T:
        """What the archive answers, from a thread that does nothing but wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self._reads, ask, *about)

    def at_hand(self, id: str) -> Live | None:
        """A room, if it is in memory."""
        return self._lives.get(id)

    async def find(self, id: str) -> Live:
        """A room. Raises UnknownRoom."""
        if not _ID.fullmatch(id):
            raise UnknownRoom("there is no such table")
        if (live := self._lives.get(id)) is not None:
            live.asked = self.now()
            self._lives.move_to_end(id)
            self.computers.see_to(live)
            return live
        if id not in self._loading:
            loading = self._loading[id] = asyncio.create_task(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        # Whoever waits may go away; the others wait on.
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Live:
        rows = await self.read(self.archive.entries, id)
        if not rows:
            raise UnknownRoom("there is no such table")
        live = self._hold(Live(*await asyncio.to_thread(_replayed, id, rows)))
        # What was told while it was read was told to nobody.
        await self.catch_up(live)
        return live

    def _hold(self, live: Live) -> Live:
        """The one room of this id in memory, this one if there is none."""
        live = self._lives.setdefault(live.room.id, live)
        live.asked = self.now()
        self.computers.see_to(live)
        if len(self._lives) > limits.MOST_ROOMS:
            self.forget(_SOON_SECONDS)
        return live

    def forget(self, idle: float = limits.IDLE_SECONDS) -> None:
        """Let go of rooms nobody listens to, and nobody has asked for so many seconds."""
        before = self.now() - idle
        for id, live in list(self._lives.items()):
            if live.asked >= before:
                break  # those behind it were asked for later
            if not live.listeners and not live.driven and not live.lock.locked():
                del self._lives[id]

    # Going on

    async def open(self, asked: Asked, plan: Opened, device: str | None) -> Live:
        """A new room, with whoever opens it in the seats that are not given to others.

        Whoever asks again gets the room that there is; who is not known again gets another.
        """
        id = self.passes.keyring.room_id(asked.by, asked.action) if asked.by else new_room_id()
        try:
            live = await self.find(id)
        except UnknownRoom:
            with suppress(OutOfDate):  # the same was asked twice at once
                return await self._open(Room(id), asked, plan, device)
            live = await self.find(id)
        if device:
            await self.give(live, lambda: _openers_yet(live.room, device))
        return live

    async def give(self, live: Live, passes: Callable[[], Sequence[Pass]]) -> None:
        """Let devices sit where they may, which is asked when no link can be made anew meanwhile.

        Raises what `passes` raises.
        """
        async with live.lock:
            if self._shared:
                await self.look(live)
            await self.writer.keep(Batch(passes=tuple(passes())))
            live.forget_passes()

    async def _open(self, room: Room, asked: Asked, plan: Opened, device: str | None) -> Live:
        at = self.now()
        passes = _openers(room.id, plan, device) if device else ()
        entries: list[Entry] = [plan]
        room.apply(1, at, plan)
        begun = commands.begin(room, self.stamp())
        if begun is not None:
            entries.append(begun)
            room.apply(2, at, begun)
        await self.writer.keep(
            Batch(
                opens=(room.id, at),
                entries=tuple(
                    _kept(room.id, number, at, entry, asked if number == 1 else None)
                    for number, entry in enumerate(entries, start=1)
                ),
                passes=passes,
            )
        )
        live = self._hold(Live(room, {asked.action: (asked.by, 1, None)}))
        if device:
            self.passes.know(live, hashed(device), frozenset(one.seat for one in passes))
        return live

    async def change(
        self,
        live: Live,
        asked: Asked | None,
        make: Callable[[Room], Change],
        *,
        allowed: Callable[[], Awaitable[None]] | None = None,
    ) -> Outcome:
        """Let happen what `make` makes of the room, or what was made of this action before.

        `allowed` raises where whoever asks may not do that any more, by what has happened while
        others were waited for. Raises what it raises and `make`, NotKept, and OutOfDate.
        """
        async with live.lock:
            for _ in range(TRIES):
                if (known := self._known(live, asked)) is not None:
                    return known
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
                    return await self.happen(live, asked, made)
                except OutOfDate:
                    await self.look(live)
            # What is in memory is not what is kept: it is read again.
            self._lives.pop(live.room.id, None)
            live.drop_listeners()
            raise OutOfDate("the table has moved on; look again")

    def _known(self, live: Live, asked: Asked | None) -> Outcome | None:
        if asked is None or asked.action not in live.actions:
            return None
        by, number, answer = live.actions[asked.action]
        if by != asked.by:
            raise NotAllowed("this id was used before, by somebody else or for something else")
        return Outcome(number, tuple(msgspec.json.decode(answer)) if answer else ())

    async def happen(self, live: Live, asked: Asked | None, made: Change) -> Outcome:
        """Keep, apply and show what is to happen; the lock of the room is held.

        Raises OutOfDate where another process was first, NotKept and Full.
        """
        room, at = live.room, self.now()
        first = room.number + 1
        if first + len(made.entries) - 1 > limits.MOST_EVENTS:
            raise Full(f"{limits.MOST_EVENTS:,} things have happened at this table; open a new one")
        answer = msgspec.json.encode(made.answer).decode() if made.answer else None
        kept = []
        for number, entry in enumerate(made.entries, start=first):
            one = _kept(room.id, number, at, entry, asked if number == first else None)
            if isinstance(entry, Happened):
                assert room.table is not None  # it made the entry
                one = replace(one, game=room.game, version=room.table.version + 1, answer=answer)
            kept.append(one)
        renewed = [entry.seat for entry in made.entries if isinstance(entry, Renewed)]
        await self.writer.keep(
            Batch(
                entries=tuple(kept),
                passes=tuple(Pass(room.id, seat, device) for seat, device in made.passes),
                revokes=tuple((room.id, seat) for seat in renewed),
            )
        )
        for entry in made.entries:
            if isinstance(entry, Happened):
                self._happened()
        if asked is not None and made.entries:
            live.actions[asked.action] = (asked.by, first, answer)
        if made.passes:
            live.forget_passes()
        self._apply(live, [(number, at, entry) for number, entry in enumerate(made.entries, first)])
        self.computers.see_to(live)
        return Outcome(first if made.entries else room.number, made.answer)

    def _apply(self, live: Live, entries: Sequence[tuple[int, float, Entry]]) -> None:
        for number, at, entry in entries:
            if isinstance(entry, Renewed | Entered):
                live.forget_passes()
            # One by one: each is shown with what it led to.
            live.publish([live.room.apply(number, at, entry)])
            if isinstance(entry, Renewed):
                live.drop_listeners(entry.seat)

    async def catch_up(self, live: Live) -> None:
        """Let happen here what has happened at another process, if there is any."""
        if self._shared:
            async with live.lock:
                await self.look(live)

    async def look(self, live: Live) -> bool:
        """The same, where the lock of the room is held; whether there was anything."""
        rows = await self.read(self.archive.entries, live.room.id, live.room.number)
        for row in rows:
            if row.action is not None:
                live.actions[row.action] = (row.by, row.number, row.answer)
        self._apply(live, [(row.number, row.at, decoded(row.entry)) for row in rows])
        self.computers.see_to(live)
        return bool(rows)

    def stamp(self) -> commands.Stamp:
        """What the header of a record begun now says."""
        begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self.now()))
        return commands.Stamp(f"shutbox {__version__}", begun)

    async def close(self) -> None:
        """Let every listener and every computer player end."""
        for live in self.lives:
            live.close()
        await self.computers.close()
        self._reads.shutdown(wait=False)


def _replayed(
    id: str, rows: Sequence[Read]
) -> tuple[Room, dict[str, tuple[str | None, int, str | None]]]:
    """The room that a log leads to, and the actions in it."""
    room = Room(id)
    for row in rows:
        room.apply(row.number, row.at, decoded(row.entry))
    return room, {row.action: (row.by, row.number, row.answer) for row in rows if row.action}


def _openers(room: str, plan: Opened, device: str) -> tuple[Pass, ...]:
    """Where whoever opens a room may sit: at the seats that are not given to others."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return tuple(Pass(room, seat, hashed(device)) for seat in (*seats, HOST, WATCHERS))


def _openers_yet(room: Room, device: str) -> Sequence[Pass]:
    """The same of a room that there is: what was made anew was made anew for everybody."""
    links = {WATCHERS: room.watch_links, HOST: 0}
    links |= {seat: state.links for seat, state in enumerate(room.seats)}
    return [one for one in _openers(room.id, room.opened, device) if not links[one.seat]]


def _kept(room: str, number: int, at: float, entry: Entry, asked: Asked | None) -> Kept:
    return Kept(
        room=room,
        number=number,
        game=None,
        version=None,
        at=at,
        action=asked.action if asked else None,
        by=asked.by if asked else None,
        answer=None,
        entry=encoded(entry),
    )
