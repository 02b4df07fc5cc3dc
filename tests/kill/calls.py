"""The system calls of a program, and whether it spoke before it had kept what it spoke of.

What strace writes is read into calls; a checker goes through them in order. It believes nothing
of the program: a line of the record is kept once it was written to the record and forced to the
disk, and a sentence was said once it was written to the standard output.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TRACED = (
    *("open", "openat", "creat", "close", "dup", "dup2", "dup3", "fcntl"),
    *("write", "writev", "pwrite64", "pwritev", "ftruncate", "fsync", "fdatasync", "rename"),
)
"""Every call that could open, write or force a file."""
STDOUT = 1

_LINE = re.compile(r"(?:\d+ +)?(\w+)\((.*)\) += (\?|-?\w+)(?: .*)?")
_EVENT = re.compile(rb"(?m)^\d+ [^\n]*: [^\n]* #[0-9a-f]{8}\n")
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"(\.\.\.)?')
_CREATING = re.compile(r"O_CREAT")
_WRITING = re.compile(r"O_(?:RDWR|WRONLY)")


@dataclass(frozen=True, slots=True)
class Call:
    """A call that came back."""

    name: str
    arguments: str
    result: int
    texts: tuple[bytes, ...] = ()
    """What stands in quotes among the arguments."""

    @property
    def descriptor(self) -> int:
        """The first argument, where that is a descriptor."""
        return int(self.arguments.partition(",")[0])


def read_calls(trace: str) -> Iterator[Call]:
    """The calls of what `strace -f -o` wrote for a program with one thread."""
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
    """What was wrong with the order of these calls; empty: nothing.

    `told` is what is said after each event that the program brings about, in order.
    """
    return list(_Checker(record, told).check(calls))


class _Checker:
    """Goes through the calls, and knows what is on the disk."""

    def __init__(self, record: Path, told: Sequence[Sequence[str]]) -> None:
        self.record = str(record)
        self.folder = str(record.parent)
        self.files: dict[int, str] = {STDOUT: "stdout"}
        self.written = b""
        """What was written to the record since it was last forced to the disk."""
        self.kept = 0
        """The events of which the lines are on the disk."""
        self.unsynced = False
        self.unnamed = False
        """Whether the record is new, and its name is not on the disk."""
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
            # Questions and what was typed at them stand between the sentences.
            if self.lines and line.decode() == self.lines[0][1]:
                number, said = self.lines.pop(0)
                if number > self.kept:
                    yield f"{said!r} was said before event {number} was kept"
