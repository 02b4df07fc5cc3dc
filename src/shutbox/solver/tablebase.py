"""Books: the values that a solver found, cached in files that can vanish or be damaged.

A large box takes seconds to minutes to solve; the second time its values are read from its book. A
reader compares the magic, the version, the identity and the length of the file. All else is
protected by checksums: one for everything before the values, checked on opening, and one for each
block of values, checked when the block is first read. So a book of 128 MB opens at once, and no
value is returned unchecked. If a book is missing, damaged or for other rules, the caller solves
again. If a book cannot be written, only time is lost.

The checksums are CRC-32. They detect any change within four consecutive bytes, and all but one in
four billion of the others. They guard against a failing disk, not a forger, so nothing stronger is
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

MAGIC, VERSION = b"shutbook", 1  # the beginning of a book
BLOCK = 1024  # values under one checksum in new books; an existing book states its own number

_START = Struct("<8sIIQIIQ")
"""Magic, version, checksum, values, values in a block, bytes of the identity and the answers."""
_CHECKED_FROM = 16  # the checksum covers the head from here on; magic and version are compared
_LINE = 64  # the values begin at a multiple of this, which makes reading them as an array fast


class Damaged(Exception):
    """The error for a damaged book, whose file was removed: solve again, and write a new book."""


class Values(Protocol):
    """An object with the buffer protocol, such as an `array("d")` or a NumPy array."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class Tablebase:
    """An open book, see `read`: its `answers`, and its values by number, checked on first access.

    A `with` block closes it. A book is true even if it holds no values.
    """

    def __init__(self, path: Path, identity: str, head: "_Head", content: mmap.mmap) -> None:
        self.identity = identity  # the text that `read` was given
        self.answers = head.answers  # written together with the values, already checked
        self._path = path
        self._head = head
        self._content = content
        self._values: memoryview[float] = memoryview(content)[head.values_at :].cast("d")
        # The blocks that have been checked. If two threads check the same one, it does no harm.
        self._sound = bytearray(len(head.checksums))

    def __len__(self) -> int:
        return self._head.values

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, number: int) -> float:
        """Return the value of a number, counted from 0, and check its block on first access.

        Raises IndexError for a number outside the book, negative ones included; Damaged, after
        removing the file, if the block is damaged; ValueError if the book is closed.
        """
        if not 0 <= number < self._head.values:
            raise IndexError(f"value {number} of a book of {self._head.values}")
        block = number // self._head.in_a_block
        if not self._sound[block]:
            self._check(block)
        return self._values[number]

    def values(self) -> "memoryview[float]":
        """Check and return all values, read-only. They stay valid after `close`.

        Raises Damaged, after removing the file, and ValueError if the book is closed already.
        """
        for block, sound in enumerate(self._sound):
            if not sound:
                self._check(block)
        return self._values[:]

    def close(self) -> None:
        """Close the book; the file stays mapped while results of `values` are in use."""
        self._values.release()
        with suppress(BufferError):  # still in use; the file is released with the last of them
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
    """The identity and the name of a book, as `read` and `write` take them."""

    identity: str
    name: str


def title(kind: str, game: str, *asked: object) -> Title:
    """Return the title of a book, made from `asked`, all that its values depend on.

    Its identity is `asked` as JSON, its name the `kind` and the game's name without options.

    >>> title("match", "six(dice=1d8)", 2, ["six"])
    {'identity': '[2,["six"]]', 'name': 'match-six'}
    """
    identity = dumps(asked, separators=(",", ":"))
    return {"identity": identity, "name": f"{kind}-{game.partition('(')[0]}"}


def read(identity: str, *, name: str = "", folder: Path | None = None) -> Tablebase | None:
    """Return the book with an identity and name from a folder, by default `book_folder`.

    Return None if there is no book with exactly this identity, or if the part before its values is
    damaged; then its file is removed. A book that is returned is marked as just used, and its
    values have not been checked yet. Raises nothing.
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
        except (OSError, ValueError, OverflowError, MemoryError):  # missing, or just truncated
            return None
        opened.pop_all()
    with suppress(OSError):
        os.utime(path)  # mark it as just used, see MOST_BOOKS
    return Tablebase(path, identity, head, content)


def exists(identity: str, *, name: str = "", folder: Path | None = None) -> bool:
    """Whether a file for this identity and name exists; it is not opened, so it can be damaged."""
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
    """Write a book to a folder, by default `book_folder`, replacing one of the same title.

    `identity` states what the values belong to: the rules, the aim, the solver and its version.
    `answers` are any JSON data: strings, booleans, None, floats, integers of up to 4,300 digits,
    lists, and dicts with string keys. `values` are contiguous float64 in one dimension; infinities
    and NaNs are allowed. `name` makes the file easier to recognise; `read` needs the same one.

    Return whether it was written. If not, no trace of it is left. That happens if the disk is full,
    no folder can be written to, another program has the old book open on a system that forbids
    replacing it, or the book is larger than LARGEST, or it is larger than MOST_BYTES and would take
    most of the free space. Raises TypeError for other answers or values, and ValueError for answers
    with an infinity or NaN, which JSON cannot express, or with a longer integer.

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
    return identity.encode("utf-8", "surrogatepass")  # works for any text, and is unique


def _path(identity: str, name: str, folder: Path | None) -> Path | None:
    """Return the path of a book, existing or not, or None if books cannot be used here."""
    folder = book_folder() if folder is None else folder
    if folder is None or sys.byteorder != "little":  # values are mapped from the file unchanged
        return None
    return path_of(_encoded(identity), name, folder)


class _Head(NamedTuple):
    """The part of a book before its values, after it was checked."""

    values: int  # how many
    in_a_block: int  # values under one checksum
    answers: dict[str, Any]  # the data that `write` stored with the values
    checksums: "memoryview[int]"  # the CRC-32 of each block
    values_at: int  # the offset of the first value in the file, in bytes


def _head_of(identity: bytes, answers: Mapping[str, Any], values: memoryview) -> bytes:
    text = dumps(dict(answers), allow_nan=False, separators=(",", ":")).encode("ascii")
    table = [crc32(values[first : first + BLOCK]) for first in range(0, len(values), BLOCK)]
    start = _START.pack(MAGIC, VERSION, 0, len(values), BLOCK, len(identity), len(text))
    head = start + identity + text + pack(f"<{len(table)}I", *table)
    head = head.ljust(-(-len(head) // _LINE) * _LINE, b"\0")
    checksum = pack("<I", crc32(head[_CHECKED_FROM:]))
    return head[: _CHECKED_FROM - len(checksum)] + checksum + head[_CHECKED_FROM:]


def _read_head(content: mmap.mmap, identity: bytes) -> _Head:
    """Return the checked head of a book. Raises Damaged; OSError for other version or identity."""
    magic, version, checksum, values, in_a_block, *sizes = _START.unpack_from(content)
    if magic != MAGIC:
        raise Damaged("it does not begin as a book does")
    if version != VERSION:
        raise OSError("it is of another version")
    # No size is trusted before all of them agree with the length of the file and the checksum.
    if not in_a_block:
        raise Damaged("it has no blocks")
    blocks = -(-values // in_a_block)
    answers_at = _START.size + sizes[0]
    table_at = answers_at + sizes[1]
    values_at = -(-(table_at + 4 * blocks) // _LINE) * _LINE
    if values_at + 8 * values != len(content):
        raise Damaged("it is shorter or longer than it was")
    if crc32(content[_CHECKED_FROM:values_at]) != checksum:
        raise Damaged("its checksum is another")
    if content[_START.size : answers_at] != identity:
        raise OSError("it is of another identity")
    try:
        answers = loads(content[answers_at:table_at])
    except (ValueError, RecursionError) as error:  # damage that the checksum did not detect
        raise Damaged("its answers cannot be read") from error
    checksums = memoryview(content[table_at : table_at + 4 * blocks]).cast("I")
    return _Head(values, in_a_block, answers, checksums, values_at)


def _mapped(path: Path) -> mmap.mmap:
    """Map a file into memory. Raises OSError if missing or no regular file, Damaged if short."""
    # Without O_NONBLOCK, opening a pipe that has no writer would block.
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
