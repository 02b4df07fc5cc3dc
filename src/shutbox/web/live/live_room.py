"""A room while people are at it: its messages, and whoever listens.

Listeners pull. A room that has gone on wakes them, and each takes what it has not had yet, from the
last messages or as a whole picture. So none waits for another, and a slow one only skips.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Sequence

import msgspec

from shutbox.analysis.advice.coach import Coach
from shutbox.errors import Full
from shutbox.web import limits
from shutbox.web.api.schemas import (
    Act,
    EventMessage,
    Happened,
    PictureMessage,
    View,
    WatchingMessage,
)
from shutbox.web.rooms.room import Room
from shutbox.web.rooms.seat_state import Told
from shutbox.web.rooms.view import Viewer, log_lines, view

_QUIET = ("throw", "choose", "take-back", "correct")
"""The kinds of entries after which nobody may do anything new besides playing."""

encode = msgspec.json.Encoder().encode


class Listener:
    """One stream of a room, from message `since` on; None: it has nothing yet."""

    def __init__(self, live: "Live", since: int | None, viewer: Viewer) -> None:
        self.live = live
        self.since = since
        self.viewer = viewer
        self.woken = asyncio.Event()
        self.woken.set()
        self.dropped = False
        self._told_watching = live.watching

    @property
    def watches(self) -> bool:
        """Whether it is counted as a spectator."""
        return not self.viewer.seats

    async def next(self) -> Sequence[bytes]:
        """The messages that come next, once there are any; none at all at the end of the stream.

        Where nothing happens, how many watch is said again every ALIVE_SECONDS: proxies leave the
        stream open, and whoever listens notices a connection that has silently gone.
        """
        while True:
            try:
                async with asyncio.timeout(limits.ALIVE_SECONDS):
                    await self.woken.wait()
            except TimeoutError:
                return (self._how_many_watch(),)
            self.woken.clear()
            if self.live.closing or self.dropped:
                return ()
            if messages := [*self._missed(), *self._watching()]:
                return messages

    def _missed(self) -> Sequence[bytes]:
        live, since = self.live, self.since
        self.since = live.room.number
        if since == self.since:
            return ()
        if since is not None and live.messages and live.messages[0][0] <= since + 1 <= self.since:
            self._told_watching = live.messages[-1][2]
            return [message for number, message, _ in live.messages if number > since]
        # The picture has the number of watchers.
        self._told_watching = live.watching
        return (live.picture(),)

    def _watching(self) -> Sequence[bytes]:
        return () if self._told_watching == self.live.watching else (self._how_many_watch(),)

    def _how_many_watch(self) -> bytes:
        self._told_watching = self.live.watching
        return encode(WatchingMessage(self.live.watching))


class Live:
    """A room in the memory of this process."""

    def __init__(self, room: Room, actions: dict[str, tuple[str | None, int, str | None]]) -> None:
        self.room = room
        self.actions = actions
        """What was asked for: by whom, the number of its entry, and the answer, by its id."""
        self.lock = asyncio.Lock()
        """Held by whoever lets something happen."""
        self.coaching = asyncio.Lock()
        """Held by whoever asks the coach, who answers one at a time."""
        self.messages: deque[tuple[int, bytes, int]] = deque(maxlen=limits.KEPT_MESSAGES)
        """The number of each, the message, and how many watched then."""
        self.listeners: set[Listener] = set()
        self.elsewhere: dict[str, tuple[int, float]] = {}
        """How many watch at other processes, by process, and when it was said."""
        self.passes: OrderedDict[str, tuple[float, frozenset[int]]] = OrderedDict()
        """Where devices may sit, as far as it is known here, and since when."""
        self.passes_forgotten = 0
        """How often that was forgotten, because it may have changed."""
        self.asked = 0.0
        """When somebody asked for it last."""
        self.driven = False
        """Whether somebody sees to the computer players."""
        self.closing = False
        self.view: View = view(room, 0)
        self._coach: tuple[int, Coach] | None = None
        self._picture: tuple[int, int, bytes] | None = None

    @property
    def watching_here(self) -> int:
        """How many spectators listen at this process."""
        return sum(listener.watches for listener in self.listeners)

    @property
    def watching(self) -> int:
        """How many spectators listen."""
        return self.watching_here + sum(number for number, _ in self.elsewhere.values())

    def publish(self, told: Sequence[Told]) -> None:
        """Show everybody what has happened; it is on the disk."""
        self.view = view(self.room, self.watching)
        for entry in told:
            message = EventMessage(
                number=entry.number,
                happened=Happened(entry.kind, entry.seat, entry.says),
                view=self.view,
                you_changed=entry.kind not in _QUIET or self.view.phase != "playing",
            )
            self.messages.append((entry.number, encode(message), self.view.watching))
        self.wake()

    def forget_passes(self) -> None:
        """Ask anew where devices may sit."""
        self.passes.clear()
        self.passes_forgotten += 1

    def wake(self) -> None:
        """Let every listener look."""
        for listener in self.listeners:
            listener.woken.set()

    def present(self) -> View:
        """The view, with the spectators of now."""
        if self.view.watching != self.watching:
            self.view = msgspec.structs.replace(self.view, watching=self.watching)
        return self.view

    def picture(self) -> bytes:
        """The whole picture, as a message."""
        number, watching = self.room.number, self.watching
        if self._picture is None or self._picture[:2] != (number, watching):
            message = PictureMessage(number, self.present(), log_lines(self.room))
            self._picture = number, watching, encode(message)
        return self._picture[2]

    def listen(self, since: int | None, viewer: Viewer) -> Listener:
        """A new listener. Raises Full."""
        if len(self.listeners) >= limits.MOST_LISTENERS:
            raise Full(f"{limits.MOST_LISTENERS} listen to this room already")
        listener = Listener(self, since, viewer)
        self.listeners.add(listener)
        if listener.watches:
            self.wake()
        return listener

    def leave(self, listener: Listener) -> None:
        """A listener has gone."""
        self.listeners.discard(listener)
        if listener.watches:
            self.wake()

    def drop_listeners(self, seat: int | None = None) -> None:
        """End every stream, or those that this seat lets in.

        Whoever may still listen comes back by himself.
        """
        for listener in self.listeners:
            if seat is None or listener.viewer.may_use(seat):
                listener.dropped = True
        self.wake()

    def close(self) -> None:
        """Let every listener end."""
        self.closing = True
        self.wake()

    def is_current(self, act: Act) -> bool:
        """Whether an action is about the table as it stands, by whoever is due."""
        table = self.room.table
        return table is not None and (act.game, act.version, act.seat) == (
            self.room.game,
            table.version,
            table.due,
        )

    def coach(self) -> Coach:
        """Whoever knows what is best in the game that is played."""
        table = self.room.table
        assert table is not None  # asked of a game that has begun
        if self._coach is None or self._coach[0] != self.room.game:
            self._coach = self.room.game, Coach(table.game, seconds=limits.HINT_SECONDS)
        return self._coach[1]

    def forget_coach(self) -> None:
        """Let go of what the coach has worked out."""
        self._coach = None
