"""A room in the memory of this process, its listeners, and who has access to its seats.

Listeners pull. A change wakes them, and each takes the messages that it has missed, or a snapshot
of the whole room. So no listener waits for another, and a slow one only skips messages. Each gets
them in its own language: a message is made once for each language that listeners use.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from shutbox.engine.lru import LruCache
from shutbox.engine.messages import language, ngettext, speaking
from shutbox.solving.review.report import Verdict
from shutbox.web import limits
from shutbox.web.errors import Full, NotAllowed
from shutbox.web.rooms.access import Keyring, Viewer, hashed, is_same
from shutbox.web.rooms.commands import IdempotencyKey, Outcome
from shutbox.web.rooms.events import Opened, encode
from shutbox.web.rooms.ports import Entries, Log
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import OPENER, WATCHERS, Room
from shutbox.web.rooms.table_view import LogLine
from shutbox.web.rooms.view import View, log_lines, view

_QUIET = ("throw", "choose", "take-back", "correct", "say", "dice")
"""The kinds of events that change no permissions during a game, besides whose turn it is."""


@dataclass
class EventMessage:
    """An event, and the room after it."""

    type: Literal["event"] = field(default="event", kw_only=True)  # the kind of message
    number: int  # the number of the event
    happened: LogLine  # the event
    view: View  # the room after it
    you_changed: bool  # whether your permissions may have changed


@dataclass
class PictureMessage:
    """A snapshot of the whole room, for a listener that is new or has missed too many messages."""

    type: Literal["picture"] = field(default="picture", kw_only=True)  # the kind of message
    number: int  # the number of the last event
    view: View  # the room as it is now
    log: tuple[LogLine, ...]  # the last events that have sentences, oldest first


@dataclass
class WatchingMessage:
    """The number of spectators, sent when it changes and to keep a stream alive."""

    type: Literal["watching"] = field(default="watching", kw_only=True)  # the kind of message
    watching: int  # the number of spectators


MESSAGES = (EventMessage, PictureMessage, WatchingMessage)  # as they go over the wire


class LiveRoom:
    """A room in memory, with its completed actions by id, and its listeners.

    Messages to the listeners are made once for each language, and cached.
    """

    def __init__(self, room: Room, found: Entries) -> None:
        """Hold a room that was replayed from `found`, its whole log."""
        self.room = room
        self.seal = found.seal  # of its last event
        self.done = found.done  # the completed actions, by id
        self.lock = asyncio.Lock()  # held while the room changes
        self.changed = asyncio.Event()  # wakes throws that wait for words
        self.asked = 0.0  # the time of the last request, in seconds since 1970
        self.driven = False  # whether its computer players are running
        self.verdict: tuple[tuple[int, int, str], Verdict | str] | None = None
        """A game's number, version and language; its review or the reason for none."""
        self.address = ""  # of the last caller to act; computer players' events count for it
        self.forget_devices()
        self.listeners: set[Listener] = set()
        self.closing = False  # whether the streams of all listeners end
        self.messages: deque[tuple[int, str, bytes, int]] = deque()
        """The latest messages: event number, language, message, the spectators then."""
        self._bytes = 0  # of these messages
        self._views: dict[str, View] = {}  # the cached views after the last event, by language
        self._pictures: dict[str, tuple[int, bytes]] = {}
        """The cached snapshots after the last event by language: spectators, the message."""
        self._counts: asyncio.TimerHandle | None = None  # if running: announces the spectators

    def forget_devices(self) -> None:
        """Clear the cached seats of devices, since they may have changed."""
        self.devices = LruCache[str, frozenset[int]](limits.MOST_LISTENERS)
        """The seats of each device, by its hash; clearing replaces the whole cache."""

    def answered(self, key: IdempotencyKey) -> Outcome | None:
        """Return an action's outcome; None if new. Raises NotAllowed if its id had another use."""
        by, outcome = self.done.get(key.action, (key.by, None))
        if by != key.by:
            raise NotAllowed("this id was used before, by another client or for another action")
        return outcome

    def is_coached(self, act: Act) -> bool:
        """Whether the room has a coach, and `act` is a new choice that is due at this position."""
        if act.do != "choose" or not self.room.opened.coach or act.action in self.done:
            return False
        game, table = self.room.game_number, self.room.table
        here = table and (game, table.version, table.due)
        return (act.game, act.version, act.seat) == here

    @property
    def watching(self) -> int:
        """The number of spectators."""
        return sum(listener.watches for listener in self.listeners)

    def publish(self, event: LogLine) -> None:
        """Send all listeners an event, stored and applied already, with the room after it."""
        self._views.clear()
        self._pictures.clear()
        for spoken in {listener.language for listener in self.listeners} or {language()}:
            with speaking(spoken):
                seen = self.present()
                you_changed = event.kind not in _QUIET or seen.phase != "playing"
                line = self.room.line(event.number)
                message = encode(EventMessage(event.number, line, seen, you_changed))
            self._cache(event.number, spoken, message, seen.watching)
        self.wake()

    def _cache(self, number: int, spoken: str, message: bytes, watching: int) -> None:
        """Cache a message for slow listeners; drop the oldest above a limit of number or bytes."""
        self.messages.append((number, spoken, message, watching))
        self._bytes += len(message)
        while len(self.messages) > 1 and (
            len(self.messages) > limits.CACHED_MESSAGES or self._bytes > limits.CACHED_BYTES
        ):
            self._bytes -= len(self.messages.popleft()[2])

    def present(self) -> View:
        """Return the room's view in the current language, with the current number of spectators."""
        known = self._views.get(language())
        if known is None:
            known = view(self.room, self.watching)
        elif known.watching != self.watching:
            known = replace(known, watching=self.watching)
        self._views[language()] = known
        return known

    def picture(self) -> tuple[int, bytes]:
        """Return the number of spectators, and a snapshot as a message in the current language."""
        if (spoken := language()) not in self._pictures:
            picture = PictureMessage(self.room.event_count, self.present(), log_lines(self.room))
            self._pictures[spoken] = self.watching, encode(picture)
        return self._pictures[spoken]

    def wake(self) -> None:
        """Wake all listeners, so that they take the messages that they have missed."""
        for listener in self.listeners:
            listener.woken.set()

    def listen(self, since: int | None, viewer: Viewer) -> "Listener":
        """Add and return a listener to events after number `since`; None begins with a snapshot.

        Raises Full if too many viewers of exactly these seats listen, or too many without a seat.
        """
        most = limits.MOST_LISTENERS
        if viewer.seats:
            most = min(most, limits.STREAMS_OF_SEAT)
        if sum(other.viewer.seats == viewer.seats for other in self.listeners) >= most:
            raise Full(
                ngettext(
                    "{number} connection to this table is open already",
                    "{number} connections to this table are open already",
                    most,
                ),
            )
        listener = Listener(self, since, viewer)
        self.listeners.add(listener)
        if listener.watches:
            self.count_soon()
        return listener

    def leave(self, listener: "Listener") -> None:
        """Remove a listener whose client has gone, and announce the number of spectators soon."""
        self.listeners.discard(listener)
        if listener.watches:
            self.count_soon()

    def count_soon(self) -> None:
        """Announce the number of spectators in a moment, once for all changes until then."""
        if self._counts is None:
            self._pictures.clear()
            loop = asyncio.get_running_loop()
            self._counts = loop.call_later(limits.WATCHING_SECONDS, self._count)

    def _count(self) -> None:
        self._counts = None
        self._pictures.clear()
        self.wake()

    def close(self) -> None:
        """End the streams of all listeners, also of those that come later."""
        self.closing = True
        self.wake()


class Listener:
    """A client's stream of a room: the events after number `since`; None begins with a snapshot."""

    def __init__(self, live: LiveRoom, since: int | None, viewer: Viewer) -> None:
        self.live = live
        self.since = since
        self.viewer = viewer
        self.language = language()
        self.woken = asyncio.Event()
        self.woken.set()
        self.dropped = False
        self._sent_watching = live.watching

    @property
    def watches(self) -> bool:
        """Whether this listener counts as a spectator, since its viewer has no seat."""
        return not self.viewer.seats

    def drop(self) -> None:
        """End the stream; a client that still has access reconnects."""
        self.dropped = True
        self.woken.set()

    async def next(self) -> Sequence[bytes]:
        """Wait for messages and return them as JSON; an empty sequence means the stream's end.

        If nothing happens, the number of spectators is repeated every ALIVE_SECONDS. So proxies
        leave the stream open, and clients notice a connection that was lost silently.
        """
        while True:
            try:
                async with asyncio.timeout(limits.ALIVE_SECONDS):
                    await self.woken.wait()
            except TimeoutError:
                return (self._watching_message(),)
            self.woken.clear()
            if self.live.closing or self.dropped:
                return ()
            messages = self._missed()
            if self._sent_watching != self.live.watching:
                messages.append(self._watching_message())
            if messages:
                return messages

    def _missed(self) -> list[bytes]:
        live, since = self.live, self.since
        self.since = live.room.event_count
        if since == self.since:
            return []
        if since is not None:
            recent = [m for m in live.messages if m[0] > since and m[1] == self.language]
            if len(recent) == self.since - since:  # otherwise some were dropped, or not translated
                self._sent_watching = recent[-1][3]
                return [message for _, _, message, _ in recent]
        # The snapshot includes the number of spectators.
        with speaking(self.language):
            self._sent_watching, picture = live.picture()
        return [picture]

    def _watching_message(self) -> bytes:
        self._sent_watching = self.live.watching
        return encode(WatchingMessage(self._sent_watching))


@dataclass(kw_only=True)
class Access:
    """The maker of links' keys in one process; it finds the seats that keys and devices open."""

    keyring: Keyring | None  # None if there are no links, as on a page without a server
    log: Log

    async def viewer(self, live: LiveRoom, device: str | None, keys: Sequence[str]) -> Viewer:
        """Return the viewer with these keys and this cookie; a free seat's key gives nothing."""
        seats = await self._seats_of(live, hashed(device)) if device else frozenset()
        opened = {seat for key in keys if (seat := self.seat_of(live.room, key)) is not None}
        # The link of a free seat gives no other rights before its guest sits down.
        seats |= {seat for seat in opened if seat < 0 or live.room.seats[seat].taken}
        sits = frozenset(seat for seat in seats if seat >= 0)
        return Viewer(sits, opener=OPENER in seats, watcher=WATCHERS in seats)

    async def _seats_of(self, live: LiveRoom, device: str) -> frozenset[int]:
        if known := live.devices.find(device):
            return known
        while True:
            before = live.devices
            known = await self.log.seats_of(live.room.id, device)
            if live.devices is before:  # otherwise the seats may have changed during the read
                live.devices.put(device, known)
                return known

    def seat_of(self, room: Room, key: str) -> int | None:
        """Return the seat of a key, or WATCHERS, OPENER or INVITATION; None for a wrong key."""
        # All keys are compared, so that the time reveals nothing.
        opened = [seat for seat in room.links if is_same(key, self.key(room, seat))]
        return opened[0] if opened else None

    def key(self, room: Room, seat: int, *, before: int = 0) -> str:
        """Return the key of a seat, WATCHERS, OPENER or INVITATION of `before` changes ago."""
        assert self.keyring is not None  # without a keyring, no caller needs a key
        return self.keyring.key(room.id, seat, room.links[seat] - before)

    def opener_keys(self, room: Room) -> tuple[str, ...]:
        """Return the keys that `opener_seats` had at first; those renewed since open nothing."""
        seats = opener_seats(room.opened)
        return tuple(self.key(room, seat, before=room.links[seat]) for seat in seats)

    # Retries by a client whose only key was valid for the first attempt

    def entered(self, live: LiveRoom, key: IdempotencyKey) -> int | None:
        """Return the seat that an action took; None if none, or if its link was renewed since."""
        done = _newest(live, key, "enter")
        return done.seat if done else None

    def renewed(
        self, live: LiveRoom, key: IdempotencyKey, seat: int, keys: Sequence[str]
    ) -> int | None:
        """Return the number of the event by which this action renewed a seat's link.

        None if it did not, if `keys` lack the old link's key, or if the link was renewed again.
        """
        done = _newest(live, key, "renew")
        if done is None or done.seat != seat:
            return None
        old = self.key(live.room, seat, before=1)
        return done.number if any(is_same(key, old) for key in keys) else None


def _newest(live: LiveRoom, key: IdempotencyKey, kind: str) -> LogLine | None:
    """Return an action's event; None if of another kind, or its seat's link was renewed since."""
    by, outcome = live.done.get(key.action, (None, None))
    if outcome is None or by != key.by:
        return None
    done, *later = live.room.log[outcome.number - 1 :]
    renewed = any(line.kind == "renew" and line.seat == done.seat for line in later)
    return done if done.kind == kind and not renewed else None


def opener_seats(plan: Opened) -> tuple[int, ...]:
    """Return the seats not planned for guests or computer players, then OPENER and WATCHERS."""
    seats = (seat for seat, p in enumerate(plan.seats) if not p.by_link and not p.computer)
    return (*seats, OPENER, WATCHERS)


def openers(plan: Opened, device: str) -> tuple[tuple[int, str], ...]:
    """Return the seats of `opener_seats`, each with the hash of the cookie `device`."""
    return tuple((seat, hashed(device)) for seat in opener_seats(plan))
