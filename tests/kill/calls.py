"""A check, from its system calls, that a program saves every event before it speaks about it.

The output of strace is parsed into calls, and a checker goes through them in order. It relies only
on the calls: an event is saved when its line was written to the record and the record was forced to
disk, and a sentence is said when it was written to the standard output.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TRACED = (
    *("open", "openat", "creat", "close", "dup", "dup2", "dup3", "fcntl"),
    *("write", "writev", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync", "rename"),
)
"""Every call that can open, write or force a file."""
STDOUT = 1

_LINE = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (\?|-?\w+)(?: .*)?")
_EVENT = re.compile(rb"(?m)^\d+ [^\n]*: [^\n]* #[0-9a-f]{8}\n")
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"(\.\.\.)?')
_CREATING = re.compile(r"O_CREAT")
_WRITING = re.compile(r"O_(?:RDWR|WRONLY)")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that has returned."""

    name: str
    arguments: str
    result: int
    texts: tuple[bytes, ...] = ()
    """The quoted arguments."""

    @property
    def descriptor(self) -> int:
        """The first argument, if it is a descriptor."""
        return int(self.arguments.partition(",")[0])


def read_calls(trace: str) -> Iterator[Call]:
    """Yield the calls from the output of `strace -f -o`, for a program with one thread."""
    for line in trace.splitlines():
        if re.match(r"(?:\d+ +)?(?:\+\+\+|---)", line):
            continue  # an exit, or a signal
        match = _LINE.fullmatch(line)
        assert match, f"no whole call: {line}"
        texts = _TEXT.findall(match[2])
        assert not any(cut for _, cut in texts), f"a text is cut off: {line}"
        unescaped = tuple(
            text.encode().decode("unicode_escape").encode("latin-1") for text, _ in texts
        )
        result = -1 if match[3] == "?" else int(match[3], 0)
        yield Call(match[1], match[2], result, unescaped)


def faults(calls: Iterable[Call], record: Path, told: Sequence[Sequence[str]]) -> list[str]:
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

    def check(self, calls: Iterable[Call]) -> Iterator[str]:
        for call in calls:
            yield from self._check(call)
        for number, line in self.lines[:1]:
            yield f"{line!r} of event {number} was never said"
        if self.kept == 0:
            yield "no line was kept"

    def _check(self, call: Call) -> Iterator[str]:
        if call.result < 0:
            return
        match call.name:
            case "open" | "openat" | "creat":
                self._open(call)
            case "close":
                self.files.pop(call.descriptor, None)
            case "dup" | "dup2" | "dup3":
                self._copy(call)
            case "fcntl" if "F_DUPFD" in call.arguments:
                self._copy(call)
            case "write" | "writev" | "pwrite64" | "pwritev":
                yield from self._write(call)
            case "ftruncate" if self._file(call) == "record":
                self.unsynced = True
            case "fsync" | "fdatasync":
                self._sync(call)
            case "rename" if self.record in call.arguments:
                yield f"the record was renamed: {call.arguments}"

    def _file(self, call: Call) -> str | None:
        return self.files.get(call.descriptor)

    def _open(self, call: Call) -> None:
        path = call.texts[0].decode() if call.texts else ""
        self.files.pop(call.result, None)
        if path == self.record and (_WRITING.search(call.arguments) or call.name == "creat"):
            self.files[call.result] = "record"
            self.unnamed |= bool(_CREATING.search(call.arguments)) or call.name == "creat"
        elif path == self.folder:
            self.files[call.result] = "folder"

    def _copy(self, call: Call) -> None:
        file = self._file(call)
        self.files.pop(call.result, None)
        if file is not None:
            self.files[call.result] = file

    def _write(self, call: Call) -> Iterator[str]:
        text = b"".join(call.texts)[: call.result]
        match self._file(call):
            case "record":
                self.unsynced = True
                self.written += text
            case "stdout":
                yield from self._say(text)

    def _sync(self, call: Call) -> None:
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
