"""System calls of a traced program, as strace writes them down."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LINE = re.compile(r"(?:(\d+) +)?(\w+)\((.*)")
_RESUMED = re.compile(r"(\d+) +<\.\.\. (\w+) resumed>(.*)")
_RESULT = re.compile(r"(.*)\) += (\?|-?\w+)(?: .*)?")
_UNFINISHED = " <unfinished ...>"
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"(\.\.\.)?')


@dataclass(frozen=True, slots=True)
class Moment:
    """The beginning of a thread's call, or its return with a result."""

    thread: int
    name: str
    arguments: str
    result: int | None = None
    """None if the call begins."""

    @property
    def descriptor(self) -> int:
        """The first argument, if it is a descriptor."""
        return int(re.match(r"-?\d+", self.arguments)[0])  # type: ignore[index]

    @property
    def path(self) -> str:
        """The first quoted argument; empty if there is none."""
        return next(iter(self._texts()), b"").decode(errors="replace")

    @property
    def data(self) -> bytes:
        """The quoted arguments."""
        return b"".join(self._texts())

    def _texts(self) -> Iterator[bytes]:
        for text, cut in _TEXT.findall(self.arguments):
            assert not cut, f"a text is cut off: {self.arguments[:80]}"
            yield text.encode().decode("unicode_escape").encode("latin-1")


def read_moments(trace: Iterable[str]) -> Iterator[Moment]:
    """Yield the moments from the output of `strace -f -o`."""
    begun: dict[int, tuple[str, str]] = {}
    for raw in trace:
        line = raw.rstrip("\n")
        if re.match(r"(?:\d+ +)?(?:\+\+\+|---)", line):
            continue  # an exit, or a signal
        resumed = _RESUMED.fullmatch(line)
        if resumed:
            thread = int(resumed[1])
            name, before = begun.pop(thread)
            assert name == resumed[2], line[:80]
            rest = before + resumed[3]
        else:
            match = _LINE.fullmatch(line)
            assert match, f"no call: {line[:80]}"
            thread, name, rest = int(match[1] or 0), match[2], match[3]
            if rest.endswith(_UNFINISHED):
                begun[thread] = name, rest.removesuffix(_UNFINISHED)
                yield Moment(thread, name, begun[thread][1])
                continue
        ended = _RESULT.fullmatch(rest)
        assert ended, f"no result: {line[-80:]}"
        if not resumed:
            yield Moment(thread, name, ended[1])
        yield Moment(thread, name, ended[1], -1 if ended[2] == "?" else int(ended[2], 0))
