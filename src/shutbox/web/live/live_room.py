"""A room in the memory of this process, and its listeners.

Listeners pull. A change wakes them, and each takes the messages that it has missed, or a snapshot
of the whole room. So no listener waits for another, and a slow one only skips messages. Each gets
them in its own language: a message is made once for each language that listeners use.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from shutbox.engine.lru import LruCache
from shutbox.engine.messages import language, ngettext, speaking
from shutbox.web import limits
from shutbox.web.errors import Full, NotAllowed
from shutbox.web.rooms.access import Viewer
from shutbox.web.rooms.changes import Entries, IdempotencyKey, Outcome
from shutbox.web.rooms.events import WORDS, Diced, Said
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import MOVES, Room
from shutbox.web.rooms.shapes import encode
from shutbox.web.rooms.view import View, log_lines, view

_QUIET = (*MOVES.values(), WORDS[Said], WORDS[Diced])
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


class CachedMessage(NamedTuple):
    """A message about an event in one language, as it goes to the listeners who speak it."""

    number: int  # the number of the event
    language: str
    message: bytes
    watching: int  # the number of spectators that it tells


class LiveRoom:
    """A room in memory, with its completed actions by id, and its listeners."""

    def __init__(self, room: Room, entries: Entries) -> None:
        """Hold a room that was replayed from `entries`, its whole log."""
        self.room = room
        self.lock = asyncio.Lock()  # held while the room changes
        self.changed = asyncio.Event()  # wakes throws that wait for words
        # Others set these: the repository, the computer players, and the caller of an action.
        self.seal = entries.seal  # of its last event
        self.done = entries.done  # the completed actions, by id
        self.requested_at = 0.0  # the time of the last request, in seconds since 1970
        self.bots_running = False  # whether its computer players are running
        self.address = ""  # of the last caller to act; computer players' events count for it
        self.devices = LruCache[str, frozenset[int]](limits.MOST_LISTENERS)
        """The seats of each device, by its hash; a device without seats has an empty set."""
        self.listeners: set[Listener] = set()
        self.closing = False  # whether the streams of all listeners end
        self.messages = deque[CachedMessage](maxlen=limits.CACHED_MESSAGES)  # the latest
        self._views: dict[str, View] = {}  # the cached views after the last event, by language

    def forget_devices(self) -> None:
        """Replace the cached seats of devices, since they may have changed.

        A read of the log that began before sees the other cache, and does not store its seats.
        """
        self.devices = LruCache(limits.MOST_LISTENERS)

    def outcome_of(self, key: IdempotencyKey) -> Outcome | None:
        """Return an action's outcome; None if new. Raises NotAllowed if its id had another use."""
        by, outcome = self.done.get(key.action, (key.by, None))
        if by != key.by:
            raise NotAllowed("this id was used before, by another client or for another action")
        return outcome

    def is_choice_to_coach(self, act: Act) -> bool:
        """Whether the room has a coach, and `act` is a new choice that is due at this position."""
        room, table = self.room, self.room.table
        is_new_choice = act.do == "choose" and act.action not in self.done
        if table is None or not (is_new_choice and room.opened.coach):
            return False
        return (act.game, act.version, act.seat) == (room.game_number, table.version, table.due)

    @property
    def spectator_count(self) -> int:
        """The number of spectators: listeners without a seat."""
        return sum(not listener.viewer.seats for listener in self.listeners)

    def publish(self, event: LogLine) -> None:
        """Send all listeners an event, stored and applied already, with the room after it."""
        self._views.clear()
        # Without listeners, a client may be reconnecting: it finds the message of its own action.
        for spoken in {listener.language for listener in self.listeners} or {language()}:
            with speaking(spoken):
                seen = self.current_view()
                you_changed = event.kind not in _QUIET or seen.phase != "playing"
                line = self.room.log.line(event.number)  # the same event in this language
                message = encode(EventMessage(event.number, line, seen, you_changed))
            self.messages.append(CachedMessage(event.number, spoken, message, seen.watching))
        self.wake()

    def current_view(self) -> View:
        """Return the room's view in the current language, with the current number of spectators."""
        known = self._views.get(language())
        if known is None:
            known = view(self.room, self.spectator_count)
        elif known.watching != self.spectator_count:
            known = replace(known, watching=self.spectator_count)
        self._views[language()] = known
        return known

    def picture(self) -> bytes:
        """Return a snapshot as a message in JSON, in the current language."""
        seen, lines = self.current_view(), log_lines(self.room)
        return encode(PictureMessage(self.room.event_count, seen, lines))

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
            sentence = ngettext(
                "{number} connection to this table is open already",
                "{number} connections to this table are open already",
                most,
            )
            raise Full(sentence)
        listener = Listener(self, since, viewer)
        self.listeners.add(listener)
        self.wake()  # the number of spectators may have changed
        return listener

    def leave(self, listener: "Listener") -> None:
        """Remove a listener whose client has gone."""
        self.listeners.discard(listener)
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
        self._sent_watching = live.spectator_count

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
            messages = self._take_missed()
            if self._sent_watching != self.live.spectator_count:
                messages.append(self._watching_message())
            if messages:
                return messages

    def _take_missed(self) -> list[bytes]:
        live, since = self.live, self.since
        self.since = live.room.event_count
        if since == self.since:
            return []
        if since is not None:
            mine = [cached for cached in live.messages if cached.language == self.language]
            missed = [cached for cached in mine if cached.number > since]
            if len(missed) == self.since - since:  # otherwise some were dropped, or not translated
                self._sent_watching = missed[-1].watching
                return [cached.message for cached in missed]
        # The snapshot includes the number of spectators.
        with speaking(self.language):
            self._sent_watching = live.spectator_count
            return [live.picture()]

    def _watching_message(self) -> bytes:
        self._sent_watching = self.live.spectator_count
        return encode(WatchingMessage(self._sent_watching))
