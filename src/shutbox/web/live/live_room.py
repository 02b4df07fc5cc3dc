"""A room in the memory of this process, and those who listen to it.

Listeners pull. A room that has gone on wakes them, and each takes what it has not had yet, from the
last messages or as a whole picture. So none waits for another, and a slow one only skips.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from shutbox.analysis.review.verdict import Verdict
from shutbox.lru import LruCache
from shutbox.messages import ngettext
from shutbox.web import limits
from shutbox.web.errors import Full, Limit, NotAllowed
from shutbox.web.rooms.commands import IdempotencyKey, Outcome
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.ports import Entries
from shutbox.web.rooms.requests import Act
from shutbox.web.rooms.room import Happened, LogLine, Room
from shutbox.web.rooms.view import View, log_lines, view

_QUIET = ("throw", "choose", "take-back", "correct")
"""The kinds of events after which nobody may do anything new besides playing."""


@dataclass
class EventMessage:
    """An event, and where things stand after it."""

    type: Literal["event"] = field(default="event", kw_only=True)
    number: int
    happened: Happened
    view: View
    you_changed: bool


@dataclass
class PictureMessage:
    """Everything, where the gap is too long."""

    type: Literal["picture"] = field(default="picture", kw_only=True)
    number: int
    view: View
    log: tuple[LogLine, ...]


@dataclass
class WatchingMessage:
    """How many spectators listen."""

    type: Literal["watching"] = field(default="watching", kw_only=True)
    watching: int


MESSAGES = (EventMessage, PictureMessage, WatchingMessage)
"""The messages of a stream: what happens in a room, as it goes over the wire."""
Encode = Callable[[object], bytes]
"""Writes a message as JSON; each host has its own way."""


class Broadcast:
    """Everything that the listeners of one room hear."""

    def __init__(self, room: Room, encode: Encode) -> None:
        self.room = room
        self.listeners: set[Listener] = set()
        self.elsewhere: dict[str, tuple[int, float]] = {}
        """How many watch at other processes, by process, and when it was said."""
        self.closing = False
        self.messages: deque[tuple[int, bytes, int]] = deque()
        """The number of each of the last, the message, and how many watched then."""
        self._bytes = 0  # of these messages
        self.encode = encode
        self._view: View = view(room, 0)
        self._picture: tuple[int, int, bytes] | None = None
        """The last whole picture: the number of its last event, how many watch, the message."""
        self._counts: asyncio.TimerHandle | None = None
        """Tells how many watch; None where that is told already."""

    @property
    def watching_here(self) -> int:
        """How many spectators listen at this process."""
        return sum(listener.watches for listener in self.listeners)

    @property
    def watching(self) -> int:
        """How many spectators listen."""
        return self.watching_here + sum(number for number, _ in self.elsewhere.values())

    def publish(self, event: LogLine) -> None:
        """Show everybody what has happened; it is on the disk."""
        self._view = view(self.room, self.watching)
        you_changed = event.kind not in _QUIET or self._view.phase != "playing"
        message = self.encode(EventMessage(event.number, event, self._view, you_changed))
        self._keep(event.number, message)
        self.wake()

    def _keep(self, number: int, message: bytes) -> None:
        """Keep it for those who are behind, and no more messages nor bytes than there may be."""
        self.messages.append((number, message, self._view.watching))
        self._bytes += len(message)
        while len(self.messages) > 1 and (
            len(self.messages) > limits.KEPT_MESSAGES or self._bytes > limits.KEPT_BYTES
        ):
            self._bytes -= len(self.messages.popleft()[1])

    def present(self) -> View:
        """The view, with the spectators of now."""
        if self._view.watching != self.watching:
            self._view = replace(self._view, watching=self.watching)
        return self._view

    def picture(self) -> tuple[int, bytes]:
        """The whole picture, as a message, and how many watch by it, or did a moment ago."""
        number = self.room.number
        if self._picture is None or self._picture[0] != number:
            message = self.encode(PictureMessage(number, self.present(), log_lines(self.room)))
            self._picture = number, self.watching, message
        return self._picture[1:]

    def wake(self) -> None:
        """Let every listener look."""
        for listener in self.listeners:
            listener.woken.set()

    def listen(self, since: int | None, viewer: Viewer) -> "Listener":
        """A new listener. Watchers take no place from players, nor one seat from another.

        Raises Full.
        """
        most = limits.MOST_LISTENERS
        if viewer.seats:
            most = min(most, limits.STREAMS_OF_SEAT)
        if sum(other.viewer.seats == viewer.seats for other in self.listeners) >= most:
            raise Full(
                ngettext(
                    "{number} listens to this room already",
                    "{number} listen to this room already",
                    most,
                ),
                Limit.LISTENERS,
            )
        listener = Listener(self, since, viewer)
        self.listeners.add(listener)
        if listener.watches:
            self.count_soon()
        return listener

    def leave(self, listener: "Listener") -> None:
        """A listener has gone."""
        self.listeners.discard(listener)
        if listener.watches:
            self.count_soon()

    def count_soon(self) -> None:
        """Let everybody hear how many watch, once for all who come and go within a moment."""
        if self._counts is None:
            self._picture = None
            loop = asyncio.get_running_loop()
            self._counts = loop.call_later(limits.WATCHING_SECONDS, self._count)

    def _count(self) -> None:
        self._counts = self._picture = None
        self.wake()

    def close(self) -> None:
        """Let every listener end."""
        self.closing = True
        self.wake()


class Listener:
    """One stream of a room, from message `since` on; None: it has nothing yet."""

    def __init__(self, broadcast: Broadcast, since: int | None, viewer: Viewer) -> None:
        self.broadcast = broadcast
        self.since = since
        self.viewer = viewer
        self.woken = asyncio.Event()
        self.woken.set()
        self.dropped = False
        self.address = ""
        """Where it listens from, if that is known."""
        self._told_watching = broadcast.watching

    @property
    def watches(self) -> bool:
        """Whether it is counted as a spectator."""
        return not self.viewer.seats

    def drop(self) -> None:
        """End the stream; who may still listen comes back."""
        self.dropped = True
        self.woken.set()

    async def next(self) -> Sequence[bytes]:
        """The messages that come next, once there are any; none at all at the end of the stream.

        Where nothing happens, how many watch is said again every ALIVE_SECONDS: proxies leave the
        stream open, and listeners notice a connection that has silently gone.
        """
        while True:
            try:
                async with asyncio.timeout(limits.ALIVE_SECONDS):
                    await self.woken.wait()
            except TimeoutError:
                return (self._how_many_watch(),)
            self.woken.clear()
            if self.broadcast.closing or self.dropped:
                return ()
            messages = self._missed()
            if self._told_watching != self.broadcast.watching:
                messages.append(self._how_many_watch())
            if messages:
                return messages

    def _missed(self) -> list[bytes]:
        source, since = self.broadcast, self.since
        self.since = source.room.number
        if since == self.since:
            return []
        kept = source.messages
        if since is not None and kept and kept[0][0] <= since + 1 <= self.since:
            self._told_watching = kept[-1][2]
            return [message for number, message, _ in kept if number > since]
        # The picture has the number of watchers.
        self._told_watching, picture = source.picture()
        return [picture]

    def _how_many_watch(self) -> bytes:
        self._told_watching = self.broadcast.watching
        return self.broadcast.encode(WatchingMessage(self._told_watching))


class LiveRoom:
    """A room, what was done in it by which id, and those who listen to it."""

    def __init__(self, room: Room, found: Entries, encode: Encode) -> None:
        """`found` has led to the room."""
        self.room = room
        self.seal = found.seal  # of its last event
        self.done = found.done  # what was asked for, by the id of the action
        self.broadcast = Broadcast(room, encode)
        self.lock = asyncio.Lock()  # held while something happens
        self.asked = 0.0  # when somebody asked for it last
        self.driven = False  # whether somebody sees to the computer players
        self.verdict: tuple[tuple[int, int], Verdict | str] | None = None
        """That on a game that is over, or why there is none, by the game and its version."""
        self.address = ""  # of who acted here last, for whom computer players answer
        self.forget_devices()

    def forget_devices(self) -> None:
        """Forget where devices may sit, since that may have changed."""
        self.devices = LruCache[str, tuple[float, frozenset[int]]](limits.MOST_LISTENERS)
        """Since when it is known where a device may sit; another cache, once it is forgotten."""

    def answered(self, key: IdempotencyKey) -> Outcome | None:
        """What was done by this id. Raises NotAllowed where somebody else did something by it."""
        by, outcome = self.done.get(key.action, (key.by, None))
        if by != key.by:
            raise NotAllowed("this id was used before, by somebody else or for something else")
        return outcome

    def is_coached(self, act: Act) -> bool:
        """Whether an action is a new choice at the table as it stands, and the room has a coach."""
        if act.do != "choose" or not self.room.opened.coach or act.action in self.done:
            return False
        game, table = self.room.game, self.room.table
        here = table and (game, table.version, table.due)
        return (act.game, act.version, act.seat) == here
