"""The repository of rooms: opened, found and changed.

A room prepares a change as events, which are then stored, applied and shown, in this order and
under the room's lock. So nothing is shown that is not on disk, and the room in memory is what a
replay gives. Each room is at one server. If two pages of a device without a server, or two servers
in spite of that, act at the same time, the database lets only one be first.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import time
from typing import TYPE_CHECKING

from shutbox.engine.errors import NotKept, OutOfDate, PluginFailed, ShutboxError
from shutbox.engine.messages import ngettext
from shutbox.web import errors, limits
from shutbox.web.live.identity import Access, opener_grants
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.logs import log
from shutbox.web.rooms import changes, commands, events
from shutbox.web.rooms.access import Keyring, is_room_id, new_room_id
from shutbox.web.rooms.changes import Events, IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.room import Room, replay_room
from shutbox.web.rooms.sealing import new_envelope

if TYPE_CHECKING:  # what only a server has
    from shutbox.web.storage.log import StoredLog

_SOON_SECONDS = 60.0  # a room requested this recently stays in memory: a player may be about to act
_TRIES = 5  # attempts at a change if another page is quicker


class RoomRepository:
    """The rooms of one process, or of a page without a server: opens, finds and changes them."""

    def __init__(
        self,
        stored_log: "StoredLog",
        keyring: Keyring | None,
        *,
        server: str = "a",
        serves_all: bool = True,
    ) -> None:
        """Serve the rooms whose ids begin with the name `server`, or if `serves_all`, all rooms.

        Without a keyring there are no links, as on a page without a server.
        """
        self.stored_log, self.access = stored_log, Access(keyring=keyring, log=stored_log)
        self.server, self.serves_all = server, serves_all
        self.now: Callable[[], float] = time  # in seconds since 1970
        self.unopened = set[str]()  # ids of rooms whose game ended with a closed envelope
        # The callbacks, set once when the process is wired:
        self.on_shown: Callable[[LiveRoom], None] = lambda live: None  # a room was read or changed
        self.on_turn: Callable[[LiveRoom], None] = lambda live: None  # this process began a turn
        self.on_bots_due: Callable[[LiveRoom], None] = lambda live: None  # to start them
        self._loaded: OrderedDict[str, LiveRoom] = OrderedDict()
        """The rooms in memory; the longest idle ones are first, as `_touch` moves to the end."""
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}

    @property
    def loaded_rooms(self) -> Sequence[LiveRoom]:
        """The rooms in memory."""
        return tuple(self._loaded.values())

    def loaded_room(self, id: str) -> LiveRoom | None:
        """Return the room with this id, or None if it is not in memory."""
        return self._loaded.get(id)

    async def find(self, id: str) -> LiveRoom:
        """Return a room for use, from memory or the log.

        It counts as requested now, and its computer players go on. Raises as `StoredLog.replay`,
        UnknownRoom for a text that is no id, and OtherServer.
        """
        if not is_room_id(id):
            raise errors.UnknownRoom("there is no such table")
        if not self.serves(id):
            raise errors.OtherServer(
                "this table is at another server; the proxy sends its players there"
            )
        if live := self.loaded_room(id):
            self._touch(live)
            return live
        if id not in self._loading:
            loading = self._loading[id] = asyncio.create_task(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        # A caller that gives up does not stop the loading for the others.
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> LiveRoom:
        return self._add_to_memory(await self._read_from_log(id))

    async def _read_from_log(self, id: str) -> LiveRoom:
        with self._reading():
            room, entries = await self.stored_log.replay(id)
        return LiveRoom(room, entries)

    def serves(self, id: str) -> bool:
        """Whether a room with this id is at this server."""
        return self.serves_all or id[:1] == self.server

    async def find_to_read(self, id: str) -> LiveRoom:
        """Return a room that is only looked at, of any server. Raises as `find` does.

        Never change what this returns: a room of another server is a copy.
        """
        return await (self.find(id) if self.serves(id) else self._read_from_log(id))

    def _add_to_memory(self, live: LiveRoom) -> LiveRoom:
        """Return the room of this id in memory, or add this; start bots, drop excess idle rooms."""
        live = self._loaded.setdefault(live.room.id, live)
        self._announce(live)
        self._touch(live)
        if len(self._loaded) > limits.MOST_ROOMS:
            self.drop_idle(_SOON_SECONDS)
        return live

    def _touch(self, live: LiveRoom) -> None:
        """Note that a room in memory is requested now, and let its computer players go on."""
        live.requested_at = self.now()
        self._loaded.move_to_end(live.room.id)
        self.schedule_bots(live)

    def _announce(self, live: LiveRoom) -> None:
        """Call `on_shown`, wake throws that wait for words, and note an envelope to be opened."""
        live.changed.set()
        if live.room.needs_opening:
            self.unopened.add(live.room.id)
        self.on_shown(live)

    def schedule_bots(self, live: LiveRoom) -> None:
        """Start the computer player who is due, unless the room's bots are running already."""
        if live.room.computer_due and not live.bots_running:
            self.on_bots_due(live)

    def drop_idle(self, seconds: float = limits.IDLE_SECONDS) -> None:
        """Drop from memory the rooms not requested for `seconds`, unless somebody uses them.

        That is a listener, a computer player who acts, or a change under way.
        """
        before = self.now() - seconds
        for id, live in list(self._loaded.items()):
            if live.requested_at >= before:
                break  # the rooms after it were requested later
            if not (live.listeners or live.bots_running or live.lock.locked()):
                del self._loaded[id]

    async def open(
        self,
        key: IdempotencyKey,
        plan: events.Opened,
        device: str | None,
        make_write: changes.MakeWrite | None = None,
    ) -> LiveRoom:
        """Open a room, with its opener in the seats that are not given to others.

        A retry returns the room already opened; a client that cannot be recognised gets a new one.
        `device` is the opener's cookie. What `make_write` returns is part of the same transaction;
        if that raises OutOfDate, no room has been opened, and this raises UnknownRoom. Raises
        NotKept, and as `find` and `commands.begin` do.
        """
        if (keyring := self.access.keyring) and key.by:
            id = keyring.room_id(self.server, key.action, key.by)
        else:
            id = new_room_id(self.server)
        try:
            live = await self.find(id)
        except errors.UnknownRoom:
            with suppress(OutOfDate):  # the same request came twice at once
                return await self._open(id, key, plan, device, make_write)
            live = await self.find(id)
        # A retry from another device of the opener is seated, too, but not where the link has been
        # renewed since: that shuts out the opener's devices.
        if grants := opener_grants(live.room.opened, device):
            links = live.room.links  # how often each was renewed, by seat
            await self.grant_seats(live, lambda: [grant for grant in grants if not links[grant[0]]])
        return live

    async def _open(
        self,
        id: str,
        key: IdempotencyKey,
        plan: events.Opened,
        device: str | None,
        make_write: changes.MakeWrite | None,
    ) -> LiveRoom:
        """Store a new room and add it to memory. Raises OutOfDate if the id is stored already."""
        at, grants = self.now(), opener_grants(plan, device)
        begun = commands.begin(replay_room(id, [(1, at, plan)]), at)
        envelope, seed = list[events.Diced](), ("", "")
        if plan.dice == "system":
            step, seed = new_envelope()
            envelope.append(step)
        write = make_write(id, at) if make_write else None
        change = RoomChange((plan, *envelope, *begun), grants, seed=seed, write=write)
        numbered = change.numbered(0, at)
        room = replay_room(id, numbered)  # raises before anything is stored
        seal, _ = await self.stored_log.append(Room(id), "", change, at, key)
        entries = changes.Entries(numbered, {key.action: (key.by, Outcome(1))}, seal)
        live = self._add_to_memory(LiveRoom(room, entries))
        if grants:  # all of them to the opener's device
            live.devices.put(grants[0][1], frozenset(seat for seat, _ in grants))
        return live

    async def grant_seats(
        self, live: LiveRoom, make_grants: Callable[[], Sequence[tuple[int, str]]]
    ) -> None:
        """Store which devices can play which seats. Raises what `change` raises.

        Each attempt calls `make_grants`, which returns pairs of a seat and the hash of a device.
        """
        await self.change(live, None, lambda room: RoomChange(devices=tuple(make_grants())))

    async def change(
        self,
        live: LiveRoom,
        key: IdempotencyKey | None,
        make: Callable[[Room], Events | RoomChange],
        *,
        allowed: Callable[[], Awaitable[None]] | None = None,
    ) -> Outcome:
        """Apply the change that `make` returns; if `key` was used before, only return its outcome.

        Each attempt calls `allowed`, which raises if the permission was lost meanwhile, and `make`.
        Raises as these, `commit_locked` and `catch_up_locked`; NotAllowed for an id used otherwise.
        """
        async with live.lock:
            for _ in range(_TRIES):
                if allowed is not None:
                    await allowed()
                if key is not None and (done := live.outcome_of(key)) is not None:
                    return done
                made = make(live.room)  # its OutOfDate is for the client, and not tried again
                change = made if isinstance(made, RoomChange) else RoomChange(made)
                try:
                    return await self.commit_locked(live, key, change)
                except OutOfDate:
                    # Another writer was quicker, so its events come now, and `make` is tried again.
                    # If there are none, the room in memory is not what the log has.
                    if not await self.catch_up_locked(live):
                        self._drop(live)
                        raise OutOfDate(errors.FASTER) from None
            raise OutOfDate(errors.FASTER)

    async def commit_locked(
        self, live: LiveRoom, key: IdempotencyKey | None, change: RoomChange
    ) -> Outcome:
        """Store, apply and show a change, with the lock held. Raises OutOfDate, NotKept, Full."""
        room, at = live.room, self.now()
        _check_length(room, change)
        numbered = change.numbered(room.event_count, at)
        outcome = Outcome(change.answer_number(room.event_count), change.answer)
        live.seal, stored = await self.stored_log.append(room, live.seal, change, at, key)
        if key is not None and numbered:  # as in the log, which cannot note a key without an event
            live.done[key.action] = key.by, outcome
        if change.devices:
            live.forget_devices()
        turn_before = room.turn
        try:
            self._apply(live, numbered)
        except Exception:  # the room in memory is no longer what was stored
            self._drop(live)
            raise
        if room.turn not in (None, turn_before):
            self.on_turn(live)
        return replace(outcome, stored=stored)

    def _apply(self, live: LiveRoom, numbered: Sequence[events.Numbered]) -> None:
        """Apply stored events, show them, start the bots, and end the streams of renewed links."""
        for number, at, event in numbered:
            if isinstance(event, events.Renewed | events.Entered | events.StoodIn):
                live.forget_devices()
            # One by one, so that each is shown with the room right after it.
            live.publish(live.room.apply(number, at, event))
            if isinstance(event, events.Renewed):
                for listener in live.listeners:
                    if listener.viewer.may_use(event.seat):
                        listener.drop()
        if numbered:
            self._announce(live)
        self.schedule_bots(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Apply events that were stored elsewhere. Raises as `catch_up_locked`."""
        async with live.lock:
            await self.catch_up_locked(live)

    async def catch_up_locked(self, live: LiveRoom) -> bool:
        """Apply new events from the log; return whether there were any. The caller has the lock.

        Raises NoAnswer. If the log does not go on from this room, drops it from memory, so that a
        retry reads it from the log, and raises UnknownRoom, PluginFailed or OutOfDate.
        """
        try:
            with self._reading(live):
                entries = await self.stored_log.read(live.room.id, live.room.event_count, live.seal)
                self._apply(live, entries.events)
        except errors.DamagedStore:
            raise OutOfDate(errors.FASTER) from None
        live.seal = entries.seal or live.seal
        live.done.update(entries.done)
        return bool(entries.events)

    async def history(self, live: LiveRoom) -> Sequence[events.Numbered]:
        """Return all stored events of a room.

        Raises NoAnswer; UnknownRoom and DamagedStore after dropping the room from memory.
        """
        with self._reading(live):
            return (await self.stored_log.read(live.room.id)).events

    @contextmanager
    def _reading(self, live: LiveRoom | None = None) -> Iterator[None]:
        """Log an unexpected error of the block, which reads a log, and raise DamagedStore.

        If the log cannot be read, or no longer exists, the room `live` is dropped from memory.
        """
        try:
            yield
        except (NotKept, errors.NoAnswer):
            raise
        except Exception as error:
            if live is not None:
                self._drop(live)
            if isinstance(error, errors.DamagedStore | errors.UnknownRoom | PluginFailed):
                raise
            # Its seals are right, but an event cannot come next; or this is a bug.
            bug = None if isinstance(error, ShutboxError) else error
            log.error("room not read", reason=errors.one_line(error), exc_info=bug)
            raise errors.DamagedStore(errors.DAMAGED) from error

    def _drop(self, live: LiveRoom) -> None:
        """Drop a room that is unlike its log, so that it is read again; end its streams."""
        if self._loaded.get(live.room.id) is live:  # otherwise it was read again already
            del self._loaded[live.room.id]
        live.close()

    async def on_room_changed(self, id: str) -> None:
        """Apply a change made to a loaded room by another page of the device."""
        if live := await self._loaded_or_loading(id):
            await self.catch_up(live)

    async def on_room_deleted(self, id: str) -> None:
        """Drop a room that was deleted from the log, and end its streams."""
        if live := await self._loaded_or_loading(id):
            self._drop(live)

    async def _loaded_or_loading(self, id: str) -> LiveRoom | None:
        """Return a room that is in memory or being loaded; None if neither, or if loading fails."""
        with suppress(ShutboxError, errors.NoAnswer):
            if loading := self._loading.get(id):
                return await asyncio.shield(loading)
        return self.loaded_room(id)


def _check_length(room: Room, change: RoomChange) -> None:
    """Raise Full if a change makes a room too long, unless the host of the server ordered it."""
    if room.event_count + len(change.events) > limits.MOST_EVENTS and not change.by_host:
        sentence = ngettext(
            "this table has reached its limit of {most} event; open a new one",
            "this table has reached its limit of {most} events; open a new one",
            limits.MOST_EVENTS,
            most=f"{limits.MOST_EVENTS:,}",
        )
        raise errors.Full(sentence)
