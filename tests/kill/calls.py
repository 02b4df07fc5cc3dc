"""A check, from its system calls, that a program saves every event before it speaks about it.

A checker goes through the calls in order, and relies only on them: an event is saved when its line
was written to the record and the record was forced to disk, and a sentence is said when it was
written to the standard output.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from system_calls import Moment

TRACED = ("openat", "close", "write", "ftruncate", "fsync", "fdatasync", "rename")
"""The calls by which Python opens, writes and forces a file. What comes by others is not kept."""
STDOUT = 1

_EVENT = re.compile(rb"(?m)^\d+ [^\n]*: [^\n]* #[0-9a-f]{8}\n")
_WRITING = re.compile(r"O_(?:RDWR|WRONLY)")


def faults(calls: Iterable[Moment], record: Path, told: Sequence[Sequence[str]]) -> list[str]:
    """Return the faults in the order of these calls. Empty if there are none.

    `told` has the sentences after each event that the program causes, in order.
    """
    return list(_Checker(record, told).check(calls))


class _Checker:
    """A checker that goes through the calls and knows what is on disk."""

    def __init__(self, record: Path, told: Sequence[Sequence[str]]) -> None:
        self.record = str(record)
        self.folder = str(record.parent)
        self.files: dict[int, str] = {STDOUT: "stdout"}
        self.written = b""
        """The text written to the record since it was last forced to disk."""
        self.kept = 0
        """The number of events whose lines are on disk."""
        self.unsynced = False
        self.unnamed = False
        """Whether the record is new and its directory entry is not on disk."""
        self.lines = [(number, line) for number, said in enumerate(told, start=1) for line in said]
        self.unfinished = b""

    def check(self, calls: Iterable[Moment]) -> Iterator[str]:
        for call in calls:
            yield from self._check(call)
        for number, line in self.lines[:1]:
            yield f"{line!r} of event {number} was never said"
        if self.kept == 0:
            yield "no line was kept"

    def _check(self, call: Moment) -> Iterator[str]:
        if call.result is None or call.result < 0:
            return
        match call.name:
            case "openat":
                self._open(call, call.result)
            case "close":
                self.files.pop(call.descriptor, None)
            case "write":
                yield from self._write(call)
            case "ftruncate" if self._file(call) == "record":
                self.unsynced = True
            case "fsync" | "fdatasync":
                self._sync(call)
            case "rename" if self.record in call.arguments:
                yield f"the record was renamed: {call.arguments}"

    def _file(self, call: Moment) -> str | None:
        return self.files.get(call.descriptor)

    def _open(self, call: Moment, opened: int) -> None:
        self.files.pop(opened, None)
        if call.path == self.record and _WRITING.search(call.arguments):
            self.files[opened] = "record"
            self.unnamed |= "O_CREAT" in call.arguments
        elif call.path == self.folder:
            self.files[opened] = "folder"

    def _write(self, call: Moment) -> Iterator[str]:
        text = call.data[: call.result]
        match self._file(call):
            case "record":
                self.unsynced = True
                self.written += text
            case "stdout":
                yield from self._say(text)

    def _sync(self, call: Moment) -> None:
        match self._file(call):
            case "record":
                self.unsynced = False
                self.kept += len(_EVENT.findall(self.written))
                self.written = b""
            case "folder":
                self.unnamed = False

    def _say(self, text: bytes) -> Iterator[str]:
        if self.unsynced:
            yield f"{text!r} was said before what had been written was on the disk"
        if self.unnamed:
            yield f"{text!r} was said before the name of the record was on the disk"
        *lines, self.unfinished = (self.unfinished + text).split(b"\n")
        for line in lines:
            # Between the sentences there are questions and the typed answers.
            if self.lines and line.decode() == self.lines[0][1]:
                number, said = self.lines.pop(0)
                if number > self.kept:
                    yield f"{said!r} was said before event {number} was kept"
