"""Books of values: what a solver found, in files that may vanish and need not be believed.

A large box takes seconds to minutes to solve; the second time the answers are read from its book.
Whatever a reader goes by is compared whole (magic, version, identity, length of the file) or
stands under a checksum: one for all that comes before the values, looked at on opening, and one
for each block of values, looked at when the block is first read. So a book of 128 MB opens at
once, and no value is given out that has not been checked. Where a book is missing, damaged, or of
other rules, the caller solves; where it cannot be written, the only loss is speed.

The checksums are CRC-32: any change within four bytes in a row is noticed for certain, any other
but for one in four billion. The enemy is a failing disk, not a forger, so nothing stronger is
needed, and `hashlib` alone takes longer to import than a book takes to open.
"""

import mmap
import os
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from json import dumps, loads
from pathlib import Path
from stat import S_ISREG
from struct import Struct, pack
from typing import Any, NamedTuple, Protocol, Self, TypedDict
from zlib import crc32

from shutbox.solver.cache_folder import book_folder, path_of, place, remove

MAGIC, VERSION = b"shutbook", 1  # what a book begins with
BLOCK = 1024  # values under one checksum in books that are written; those that are read say it

_START = Struct("<8sIIQIIQ")
"""Magic, version, checksum, values, values in a block, bytes of the identity and the answers."""
_CHECKED_FROM = 16  # the checksum covers what follows it; what comes before it is compared
_LINE = 64  # the values begin at a multiple of this, as fast readers of arrays like it


class Damaged(Exception):
    """The book is not what was written. It has been removed; solve, and write it anew."""


class Values(Protocol):
    """Anything that lends its bytes, such as an `array("d")` or an array of NumPy."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class Tablebase:
    """An open book, see `read`: answers, and values by number, each checked before it is given.

    Also a context manager. A book is true even if it holds no values.
    """

    def __init__(self, path: Path, identity: str, head: "_Head", content: mmap.mmap) -> None:
        self.identity = identity  # what it is a book of: the text that it was asked for by
        self.answers = head.answers  # what was written with the values, already checked
        self._path = path
        self._head = head
        self._content = content
        self._values: memoryview[float] = memoryview(content)[head.values_at :].cast("d")
        # Blocks that have been checked. Two threads may check one twice, which does no harm.
        self._sound = bytearray(len(head.checksums))

    def __len__(self) -> int:
        return self._head.values

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, number: int) -> float:
        """The value of that number, from 0. Its block is checked if it has not been.

        Raises IndexError outside the book, which a number below 0 is too: it is no position.
        Raises Damaged, and ValueError if the book is closed.
        """
        if not 0 <= number < self._head.values:
            raise IndexError(f"value {number} of a book of {self._head.values}")
        block = number // self._head.in_a_block
        if not self._sound[block]:
            self._check(block)
        return self._values[number]

    def values(self) -> "memoryview[float]":
        """All values, read-only, after a check of all. They outlive `close`.

        Raises Damaged, and ValueError if the book is closed.
        """
        for block, sound in enumerate(self._sound):
            if not sound:
                self._check(block)
        return self._values[:]

    def close(self) -> None:
        """Let go of the file; once no values are lent either, nothing holds it."""
        self._values.release()
        with suppress(BufferError):  # values are lent; the file goes with the last of them
            self._content.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check(self, block: int) -> None:
        first = block * self._head.in_a_block
        found = crc32(self._values[first : first + self._head.in_a_block])
        if found != self._head.checksums[block]:
            remove(self._path)
            raise Damaged(f"block {block} of {self._path} is damaged")
        self._sound[block] = True


class Title(TypedDict):
    """What a book is asked for by, see `write`."""

    identity: str
    name: str


def title(kind: str, game: str, *asked: object) -> Title:
    """The identity of a book, by all that its values depend on, and its name, for `read`.

    >>> title("match", "six(dice=1d8)", 2, ["six"])
    {'identity': '[2,["six"]]', 'name': 'match-six'}
    """
    identity = dumps(asked, separators=(",", ":"))
    return {"identity": identity, "name": f"{kind}-{game.partition('(')[0]}"}


def read(identity: str, *, name: str = "", folder: Path | None = None) -> Tablebase | None:
    """The book of that identity and name in a folder, or else in `book_folder`.

    None if there is none that is whole and of exactly this identity; a damaged one is removed.
    Only what comes before the values has been checked then. Raises nothing.
    """
    path = _path(identity, name, folder)
    if path is None:
        return None
    with ExitStack() as opened:
        try:
            content = opened.enter_context(_mapped(path))
            head = _read_head(content, _encoded(identity))
        except Damaged:
            opened.close()
            remove(path)
            return None
        except (OSError, ValueError, OverflowError, MemoryError):  # none, or it shrank meanwhile
            return None
        opened.pop_all()
    with suppress(OSError):
        os.utime(path)  # used just now: see MOST_BOOKS
    return Tablebase(path, identity, head, content)


def exists(identity: str, *, name: str = "", folder: Path | None = None) -> bool:
    """Whether there is a book of that identity and name, whole or not: it is not opened."""
    path = _path(identity, name, folder)
    return path is not None and os.path.exists(path)


def write(
    identity: str,
    answers: Mapping[str, Any],
    values: Values,
    *,
    name: str = "",
    folder: Path | None = None,
) -> bool:
    """Write a book, in the place of an older one of the same identity and name.

    `identity` says whose values they are: the rules, the aim, the solver and its version.
    `answers` are what JSON can hold: texts, truth values, None, floats, whole numbers of any size,
    lists, and dicts with texts for keys. `values` are float64 in one dimension without gaps, any
    of them, infinities and NaNs too. `name` makes the file easier to recognise.

    Whether it was written; if not, there is no trace of it: the disk is full, the folder cannot be
    written to, another program has the old book open on a system that minds, or the book is larger
    than LARGEST, or is larger than MOST_BYTES and would take most of what is left of the disk.
    Raises TypeError for other answers or values, and ValueError for answers that hold an infinity
    or NaN, which JSON has no words for.

    >>> from array import array
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     write("six, shut", {"best": 0.25}, array("d", [0.5, 0.125]), folder=Path(place))
    ...     with read("six, shut", folder=Path(place)) as book:
    ...         print(book.answers, len(book), book[1])
    ...     print(read("six, mean", folder=Path(place)))
    True
    {'best': 0.25} 2 0.125
    None
    """
    view = memoryview(values)
    if view.format != "d" or view.ndim != 1 or not view.c_contiguous:
        raise TypeError(
            f"values of format {view.format!r} in {view.ndim} dimensions; wanted float64 "
            "('d') in one, without gaps"
        )
    head = _head_of(_encoded(identity), answers, view)
    if path := _path(identity, name, folder):
        with suppress(OSError):
            place(path, head, view.cast("B"))
            return True
    return False


def _encoded(identity: str) -> bytes:
    return identity.encode("utf-8", "surrogatepass")  # any text, and no two the same


def _path(identity: str, name: str, folder: Path | None) -> Path | None:
    """Where a book is, or would be; None where there are no books."""
    folder = book_folder() if folder is None else folder
    if folder is None or sys.byteorder != "little":  # values are mapped as they lie in the file
        return None
    return path_of(_encoded(identity), name, folder)


class _Head(NamedTuple):
    """What comes before the values of a sound book."""

    values: int
    in_a_block: int
    answers: dict[str, Any]
    checksums: "memoryview[int]"
    values_at: int


def _parts(whole: int, part: int) -> int:
    """How many parts of a size a whole fills, the last one perhaps not to its end."""
    return -(-whole // part)


def _head_of(identity: bytes, answers: Mapping[str, Any], values: memoryview) -> bytes:
    text = dumps(_plain(dict(answers)), allow_nan=False, separators=(",", ":")).encode("ascii")
    table = [crc32(values[first : first + BLOCK]) for first in range(0, len(values), BLOCK)]
    start = _START.pack(MAGIC, VERSION, 0, len(values), BLOCK, len(identity), len(text))
    head = start + identity + text + pack(f"<{len(table)}I", *table)
    head = head.ljust(_parts(len(head), _LINE) * _LINE, b"\0")
    checksum = pack("<I", crc32(head[_CHECKED_FROM:]))
    return head[: _CHECKED_FROM - len(checksum)] + checksum + head[_CHECKED_FROM:]


def _read_head(content: mmap.mmap, identity: bytes) -> _Head:
    """Raises Damaged, and OSError for a book of another version or identity."""
    magic, version, checksum, values, in_a_block, *sizes = _START.unpack_from(content)
    if magic != MAGIC:
        raise Damaged("it does not begin as a book does")
    if version != VERSION:
        raise OSError("it is of another version")
    # No size is trusted before all of them agree with the length of the file and the checksum.
    if not in_a_block:
        raise Damaged("it has no blocks")
    blocks = _parts(values, in_a_block)
    answers_at = _START.size + sizes[0]
    table_at = answers_at + sizes[1]
    values_at = _parts(table_at + 4 * blocks, _LINE) * _LINE
    if values_at + 8 * values != len(content):
        raise Damaged("it is shorter or longer than it was")
    if crc32(content[_CHECKED_FROM:values_at]) != checksum:
        raise Damaged("its checksum is another")
    if content[_START.size : answers_at] != identity:
        raise OSError("it is of another identity")
    try:
        answers = _restored(loads(content[answers_at:table_at]))
    except (ValueError, RecursionError) as error:  # damage that the checksum happens to fit
        raise Damaged("its answers cannot be read") from error
    checksums = memoryview(content[table_at : table_at + 4 * blocks]).cast("I")
    return _Head(values, in_a_block, answers, checksums, values_at)


# Python reads and writes no decimal numbers of some thousand digits, and a solver that works in
# whole fractions has them. So beyond 64 bits they are texts: "=", then the number in base 16; and
# a text that begins with "=" gets another one in front.


def _plain(value: object) -> object:
    """A value as JSON can hold it. Raises TypeError for one that would come back as another."""
    match value:
        case int() if value.bit_length() > 64:
            return f"={value:x}"
        case None | bool() | int() | float():
            return value
        case str():
            return f"={value}" if value.startswith("=") else value
        case list():
            return [_plain(one) for one in value]
        case dict() if all(isinstance(key, str) for key in value):
            return {key: _plain(one) for key, one in value.items()}
    raise TypeError(f"{value!r} cannot be an answer in a book")


def _restored(value: Any) -> Any:
    match value:
        case str() if value.startswith("=="):
            return value[1:]
        case str() if value.startswith("="):
            return int(value[1:], 16)
        case list():
            return [_restored(one) for one in value]
        case dict():
            return {key: _restored(one) for key, one in value.items()}
    return value


def _mapped(path: Path) -> mmap.mmap:
    """The content of a file. Raises OSError for what is none, and Damaged for too short a one."""
    # A pipe that nobody writes to would be waited for.
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags)
    try:
        found = os.fstat(descriptor)
        if not S_ISREG(found.st_mode):
            raise OSError("it is no file")
        if found.st_size < _START.size:
            raise Damaged("it is too short")
        return mmap.mmap(descriptor, found.st_size, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)
