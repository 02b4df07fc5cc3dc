"""All rooms: opened, found and changed.

A room prepares a change as events, which are then stored, applied and shown, in this order and
under the room's lock. So nothing is shown that is not on disk, and the room in memory is what a
replay gives. Each room is at one server. If two pages of a device without a server, or two servers
in spite of that, act at the same time, the database lets only one be first.

The dice of a game are sealed with its first throw. Clients send words for that by themselves, and
a game does not wait long for those that do not.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, InitVar, dataclass, replace
from time import monotonic, time

from shutbox.engine.cups import SealedCup
from shutbox.engine.errors import NotKept, OutOfDate, PluginFailed, ShutboxError
from shutbox.engine.messages import ngettext
from shutbox.engine.sealed_dice import digest_of, envelope_of
from shutbox.web import limits
from shutbox.web.errors import (
    DAMAGED,
    FASTER,
    DamagedStore,
    Full,
    NoAnswer,
    OtherServer,
    UnknownRoom,
    one_line,
)
from shutbox.web.live.live_room import Access, LiveRoom, openers
from shutbox.web.logs import log
from shutbox.web.rooms import commands, events
from shutbox.web.rooms.access import Keyring, is_room_id, new_room_id
from shutbox.web.rooms.commands import Devices, Events, IdempotencyKey, Outcome, RoomChange
from shutbox.web.rooms.events import Opened
from shutbox.web.rooms.ports import Entries, Extra, Log
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.sealing import ClosedCup, new_envelope

_SOON_SECONDS = 60.0  # a room requested this recently stays in memory: a player may be about to act
_TRIES = 5  # attempts at a change if another page is quicker
_MOST_APART = 2.0  # seconds of ordinary drift between the wall clock and that of `Rooms`


@dataclass(eq=False)
class Rooms:
    """The keeper of rooms in one process, or in a page without a server: opens and changes them."""

    log: Log
    keyring: InitVar[Keyring | None]  # None if there are no links, as on a page without a server
    _: KW_ONLY
    on_shown: Callable[[LiveRoom], None] = lambda live: None  # for each room read or changed
    on_turn: Callable[[LiveRoom], None] = lambda live: None
    """Called after this process has stored the event with which a person's turn began."""
    on_bots_due: Callable[[LiveRoom], None] = lambda live: None  # starts computer players
    server: str = "a"  # the name of this server, with which the ids of its rooms begin
    alone: bool = True  # whether it has the rooms of every name
    refresh: Callable[[LiveRoom], Awaitable[None]] | None = None
    """Called before a room is shown whole: applies what was done to it, or ordered, elsewhere."""

    def __post_init__(self, keyring: Keyring | None) -> None:
        self._ahead = time() - monotonic()
        # The time in seconds since 1970. It runs evenly, even if the wall clock is set.
        self.now: Callable[[], float] = lambda: self._ahead + monotonic()
        self._loaded: OrderedDict[str, LiveRoom] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._ended = set[str]()  # ids of rooms that ended with a closed envelope
        self.access = Access(keyring=keyring, log=self.log)

    @property
    def loaded_rooms(self) -> Sequence[LiveRoom]:
        """The rooms in memory."""
        return tuple(self._loaded.values())

    def cached_room(self, id: str) -> LiveRoom | None:
        """Return a room, or None if it is not in memory."""
        return self._loaded.get(id)

    async def find(self, id: str, who: str = "") -> LiveRoom:
        """Return a room from memory or the log for the caller `who`; its computer players go on.

        Raises what `Log.replayed` raises, UnknownRoom for a text that is no id, and OtherServer.
        """
        if not is_room_id(id):
            raise UnknownRoom("there is no such table")
        if not self.has(id):
            raise OtherServer("this table is at another server; the proxy sends its players there")
        if live := self.cached_room(id):
            live.asked = self.now()
            self._loaded.move_to_end(id)
            self.schedule_bots(live)
            return live
        if id not in self._loading:
            loading = self._loading[id] = asyncio.create_task(self._load(id, who))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        # A caller that gives up does not stop the loading for the others.
        return await asyncio.shield(self._loading[id])

    def has(self, id: str) -> bool:
        """Whether a room with this id is at this server."""
        return self.alone or id[:1] == self.server

    async def glance(self, id: str, who: str) -> LiveRoom:
        """Return a room as `find`; one of another server as it is stored, only to be looked at."""
        return await (self.find(id, who) if self.has(id) else self._read(id, who))

    async def _load(self, id: str, who: str) -> LiveRoom:
        return self._hold(await self._read(id, who))

    async def _read(self, id: str, who: str) -> LiveRoom:
        with self._reading():
            room, entries = await self.log.replayed(id, who)
        # A time stored by a clock that was ahead must not lie in the future.
        room.last_activity = min(room.last_activity, self.now())
        return LiveRoom(room, entries)

    def _hold(self, live: LiveRoom) -> LiveRoom:
        """Return the room of this id in memory, or add this; start bots, drop excess idle rooms."""
        live = self._loaded.setdefault(live.room.id, live)
        live.asked = self.now()
        self._show(live)
        self.schedule_bots(live)
        if len(self._loaded) > limits.MOST_ROOMS:
            self.forget(_SOON_SECONDS)
        return live

    def schedule_bots(self, live: LiveRoom) -> None:
        """Start the computer player who is due, unless the room's bots are running already."""
        if live.room.computer_due and not live.driven:
            self.on_bots_due(live)

    def adopt_clock(self) -> None:
        """Adopt the wall clock's time if it was set; this makes no player late and no room idle."""
        step = time() - monotonic() - self._ahead
        if abs(step) > _MOST_APART:
            self._ahead += step
            for live in self.loaded_rooms:
                live.room.last_activity += step
                live.asked += step

    def forget(self, idle: float = limits.IDLE_SECONDS) -> None:
        """Drop from memory rooms without a listener, acting bot, or request for `idle` seconds."""
        before = self.now() - idle
        for id, live in list(self._loaded.items()):
            if live.asked >= before:
                break  # the rooms after it were requested later
            if not (live.listeners or live.driven or live.lock.locked()):
                del self._loaded[id]

    async def open(
        self, key: IdempotencyKey, plan: Opened, device: str | None, extra: Extra | None = None
    ) -> LiveRoom:
        """Open a room, with its opener in the seats that are not given to others.

        A retry returns the room already opened; a client that cannot be recognised gets a new one.
        `device` is the opener's cookie. `extra` is written together with a new room; if it raises
        OutOfDate, this raises UnknownRoom. Raises NotKept, and as `find` and `commands.begin` do.
        """
        keyring = self.access.keyring
        id = new_room_id(self.server)
        if keyring and key.by:
            id = keyring.room_id(self.server, key.action, key.by)
        try:
            live = await self.find(id)
        except UnknownRoom:
            places = openers(plan, device) if device else ()
            with suppress(OutOfDate):  # the same request came twice at once
                return await self._open(id, key, plan, places, extra)
            live = await self.find(id)
        if device:
            places = openers(live.room.opened, device)
            # A renewed link shuts out the opener's devices, too.
            await self.give(live, lambda: [one for one in places if not live.room.links[one[0]]])
        return live

    async def give(self, live: LiveRoom, devices: Callable[[], Sequence[tuple[int, str]]]) -> None:
        """Grant the (seat, device hash) pairs that `devices`, called at each attempt, returns."""
        await self.change(live, None, lambda room: RoomChange(devices=tuple(devices())))

    async def _open(
        self, id: str, key: IdempotencyKey, plan: Opened, devices: Devices, extra: Extra | None
    ) -> LiveRoom:
        at = self.now()
        (room := Room(id)).apply(1, at, plan)
        begun, envelope, seed = commands.begin(room, at), Events(), ("", "")
        if plan.dice == "system":
            step, seed = new_envelope()
            envelope = (step,)
        write = extra and extra(id, at)
        change = RoomChange((plan, *envelope, *begun), devices, seed=seed, write=write)
        numbered = change.numbered(0, at)
        for one in numbered[1:]:
            room.apply(*one)
        seal, _ = await self.log.append(Room(id), "", change, at, key)
        room.last_activity = self.now()  # the clock may have been set during the write
        found = Entries(numbered, {key.action: (key.by, Outcome(1))}, seal)
        live = self._hold(LiveRoom(room, found))
        for device in {device for _, device in devices}:
            live.devices.put(device, frozenset(seat for seat, _ in devices))
        return live

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
        Raises as these, `commit` and `sync_from_log`; and NotAllowed for another use of the id.
        """
        async with live.lock:
            for _ in range(_TRIES):
                if allowed is not None:
                    await allowed()
                if key is not None and (done := live.answered(key)) is not None:
                    return done
                made = make(live.room)
                try:
                    return await self.commit(live, key, made)
                except OutOfDate:
                    if not await self.sync_from_log(live):
                        raise self._let_go(live) from None
            raise OutOfDate(FASTER)

    async def commit(
        self, live: LiveRoom, key: IdempotencyKey | None, made: Events | RoomChange
    ) -> Outcome:
        """Store, apply and show a change, with the lock held. Raises OutOfDate, NotKept, Full."""
        room, at = live.room, self.now()
        change = made if isinstance(made, RoomChange) else RoomChange(made)
        if room.event_count + len(change.events) > limits.MOST_EVENTS and not change.by_host:
            message = ngettext(
                "this table has reached its limit of {most} event; open a new one",
                "this table has reached its limit of {most} events; open a new one",
                limits.MOST_EVENTS,
                most=f"{limits.MOST_EVENTS:,}",
            )
            raise Full(message)
        numbered = change.numbered(room.event_count, at)
        number = numbered[change.answering][0] if numbered else room.event_count
        outcome = Outcome(number, change.answer)
        live.seal, stored = await self.log.append(room, live.seal, change, at, key)
        if key is not None and numbered:
            live.done[key.action] = key.by, outcome
        if change.devices:
            live.forget_devices()
        turn = room.turn
        try:
            self._apply(live, numbered)
        except Exception:  # the room in memory is no longer what was stored
            self._let_go(live)
            raise
        if room.turn not in (None, turn):
            self.on_turn(live)
        return replace(outcome, stored=stored)

    def _apply(self, live: LiveRoom, numbered: Sequence[events.Numbered]) -> None:
        """Apply stored events, show them, start the bots, and end the streams of renewed links.

        They count as happening now: their times may come from an old clock.
        """
        at = self.now()
        for number, _, event in numbered:
            if isinstance(event, events.Renewed | events.Entered | events.StoodIn):
                live.forget_devices()
            # One by one, so that each is shown with the room right after it.
            live.publish(live.room.apply(number, at, event))
            if isinstance(event, events.Renewed):
                for listener in live.listeners:
                    if listener.viewer.may_use(event.seat):
                        listener.drop()
        if numbered:
            self._show(live)
        self.schedule_bots(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Apply events that were stored elsewhere. Raises as `sync_from_log`."""
        async with live.lock:
            await self.sync_from_log(live)

    async def on_room_changed(self, id: str) -> None:
        """Apply a change made to a loaded room by another page of the device."""
        if live := await self._held(id):
            await self.catch_up(live)

    async def on_room_deleted(self, id: str) -> None:
        """Drop a room that was deleted from the log, and end its streams."""
        if live := await self._held(id):
            self._let_go(live)

    async def _held(self, id: str) -> LiveRoom | None:
        """Return a room that is in memory or being loaded; None if neither, or if loading fails."""
        with suppress(ShutboxError, NoAnswer):
            if loading := self._loading.get(id):
                return await asyncio.shield(loading)
        return self.cached_room(id)

    async def sync_from_log(self, live: LiveRoom) -> bool:
        """Apply new events from the log; return whether there were any. The caller has the lock.

        Raises NoAnswer; and, after dropping the room from memory, UnknownRoom, PluginFailed,
        or OutOfDate if the log is damaged or does not continue that room.
        """
        try:
            with self._reading():
                found = await self.log.read(live.room.id, live.room.event_count, live.seal)
                self._apply(live, found.events)
        except DamagedStore:  # it is read again, and refused if it is damaged in the log, too
            raise self._let_go(live) from None
        except (UnknownRoom, PluginFailed):
            self._let_go(live)
            raise
        live.seal = found.seal or live.seal
        live.done.update(found.done)
        return bool(found.events)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Log an unexpected error of the block, which replays a log, and raise DamagedStore."""
        try:
            yield
        except (DamagedStore, NotKept, UnknownRoom, PluginFailed, NoAnswer):
            raise
        except Exception as error:  # its seals are right, but an event cannot come next; or a bug
            bug = None if isinstance(error, ShutboxError) else error
            log.error("room not read", reason=one_line(error), exc_info=bug)
            raise DamagedStore(DAMAGED) from error

    def _let_go(self, live: LiveRoom) -> OutOfDate:
        """Drop a room unlike its log, to be read again; end its streams; return the OutOfDate."""
        if self._loaded.get(live.room.id) is live:  # otherwise it was read again already
            del self._loaded[live.room.id]
        live.close()
        return OutOfDate(FASTER)

    async def history(self, live: LiveRoom) -> Sequence[events.Numbered]:
        """Return all stored events of a room; drop it if damaged. Raises what `Log.read` raises."""
        try:
            return (await self.log.read(live.room.id)).events
        except DamagedStore:
            self._let_go(live)
            raise

    # Sealed dice

    async def prepare_dice(self, live: LiveRoom, *, for_computer: bool = False) -> None:
        """Make sealed dice ready for the throw that is due: wait for the words, load the seed.

        A person's throw waits only if any client has given a word. Nothing waits longer than
        WORD_SECONDS from the beginning of the game. Raises what `load_dice` raises.
        """
        room, dice = live.room, live.room.dice
        if dice and room.to_seal and not dice.seal and (for_computer or any(dice.given)):
            rest = limits.WORD_SECONDS - (self.now() - room.last_activity)
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    while dice.state == "words" and not all(dice.given[s] for s in room.clients):
                        live.changed.clear()
                        await live.changed.wait()
        await self.load_dice(live)

    async def load_dice(self, live: LiveRoom) -> None:
        """Read the seed of sealed dice and put it into the table's cup, if it is not there.

        Raises DamagedStore, and UnknownRoom if the room was deleted with its seed.
        """
        table, dice = live.room.table, live.room.dice
        if table and dice and isinstance(table.cup, ClosedCup):
            gid, seed = bytes.fromhex(dice.gid), await self.log.seed_of(dice.gid)
            if not seed:
                await self.catch_up(live)
            if envelope_of(gid, seed).hex() != dice.envelope:
                raise DamagedStore(DAMAGED)
            table.cup = SealedCup(gid, seed, digest_of(dice.word_texts))

    def _show(self, live: LiveRoom) -> None:
        """Call `on_shown`, wake throws that wait for it, and note an envelope to be opened."""
        live.changed.set()
        if live.room.to_open:
            self._ended.add(live.room.id)
        self.on_shown(live)

    @property
    def has_ended(self) -> bool:
        """Whether the envelope of any room must be opened soon."""
        return bool(self._ended)

    async def open_ended(self) -> None:
        """Open the envelopes of games that have ended, once nothing can be taken back any more."""
        for id in tuple(self._ended):
            live = self.cached_room(id)
            late = live is None or self.now() - live.room.last_activity >= limits.TAKE_BACK_SECONDS
            if live is None or late or live.room.given_up or live.room.playing().taker_back is None:
                self._ended.discard(id)  # if it fails, it is opened when the room is read again
                if live is not None:
                    await self.open_envelope(live)

    async def open_envelope(self, live: LiveRoom) -> None:
        """Open the envelope of the dice if the current game has ended. Raises as `prepare_dice`."""
        await self.load_dice(live)
        await self.change(live, None, lambda it: commands.unseal(it) if it.to_open else ())
