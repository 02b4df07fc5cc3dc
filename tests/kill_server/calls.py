"""A check, from its system calls, that a threaded server saves before it answers.

A checker goes through the moments at which a call begins or returns, and relies only on them: an
entry is saved when its page was written to the database's log together with the commit, and then a
call that forces the log to disk has begun and returned. A number counts as told when a call begins
that writes it to a socket.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from system_calls import Moment

SPEAKING = ("write", "writev", "sendto", "sendmsg", "sendmmsg", "send", "pwrite64", "pwritev")
FORCING = ("fsync", "fdatasync")
TRACED = (*SPEAKING, *FORCING, "open", "openat", "close", "accept", "accept4", "dup", "dup2")
"""Every call that can open, write or force a file, or send to a client."""

Place = tuple[str, int]
"""A room, and the number of one of its entries."""

_NUMBER = re.compile(rb'"room":"(\w+)","number":(\d+)')
"""The beginning of a view, which accompanies every message about an entry."""
_FRAME_HEADER = 24


def faults(moments: Iterable[Moment], log: str, actions: Mapping[Place, str]) -> list[str]:
    """Return the faults in the order of these calls. Empty if there are none.

    `log` is the path of the database's write-ahead log. `actions` has the action of every number in
    every room of interest.
    """
    return list(_Checker(log, actions).check(moments))


class _Checker:
    """A checker that goes through the moments and knows what is on disk."""

    def __init__(self, log: str, actions: Mapping[Place, str]) -> None:
        self.log = log
        self.actions = actions
        self.logs: set[int] = set()
        """The descriptors of the log."""
        self.sockets: set[int] = set()
        self.pages: list[bytes] = []
        """The pages written to the log since its last commit."""
        self.last = False
        """Whether the next page is the last of a commit."""
        self.committed: list[bytes] = []
        """The pages committed to the log that may not be on disk yet."""
        self.forcing: dict[int, int] = {}
        """The number of these pages that each thread is forcing to disk."""
        self.kept: set[Place] = set()
        self.told: set[Place] = set()

    def check(self, moments: Iterable[Moment]) -> Iterator[str]:
        for moment in moments:
            if moment.result is None:
                yield from self._begins(moment)
            elif moment.result >= 0:
                self._came_back(moment)
        if missing := self.actions.keys() - self.told:
            yield f"{min(missing)} was never told"

    def _begins(self, moment: Moment) -> Iterator[str]:
        if moment.name in FORCING and moment.descriptor in self.logs:
            self.forcing[moment.thread] = len(self.committed)
        elif moment.name in SPEAKING and moment.descriptor in self.sockets:
            for room, number in _NUMBER.findall(moment.data):
                place = room.decode(), int(number)
                self.told.add(place)
                if place in self.actions and place not in self.kept:
                    yield f"{place} was told before it was on the disk"
                elif place not in self.actions:
                    yield f"{place} was told and nobody was answered so"

    def _came_back(self, moment: Moment) -> None:
        match moment.name:
            case "open" | "openat":
                self.logs.discard(moment.result or 0)
                if moment.path == self.log:
                    self.logs.add(moment.result or 0)
            case "accept" | "accept4":
                self.sockets.add(moment.result or 0)
            case "close":
                self.logs.discard(moment.descriptor)
                self.sockets.discard(moment.descriptor)
            case "dup" | "dup2":
                for kind in (self.logs, self.sockets):
                    if moment.descriptor in kind:
                        kind.add(moment.result or 0)
            case "fsync" | "fdatasync" if moment.descriptor in self.logs:
                self._force(self.forcing.pop(moment.thread, 0))
            case name if name in SPEAKING and moment.descriptor in self.logs:
                self._write(moment.data[: moment.result])

    def _write(self, data: bytes) -> None:
        """Handle a write to the log. Its 24-byte header says if the next page ends a commit."""
        if len(data) == _FRAME_HEADER:
            self.last = any(data[4:8])
            return
        self.pages.append(data)
        if self.last:
            self.committed += self.pages
            self.pages = []
            self.last = False

    def _force(self, count: int) -> None:
        for page in self.committed[:count]:
            for place, action in self.actions.items():
                if place not in self.kept and action.encode() in page:
                    self.kept.add(place)
        del self.committed[:count]
