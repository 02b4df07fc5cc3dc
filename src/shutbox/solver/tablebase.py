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
import re
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from itertools import count
from json import dumps, loads
from pathlib import Path
from stat import S_ISREG
from struct import Struct, pack
from typing import Any, Protocol, Self, TypedDict
from zlib import crc32

MAGIC, VERSION = b"shutbook", 1  # the beginning of a book
BLOCK = 512  # values under one checksum in new books; an existing book states its own number

_START = Struct("<8sIIQIIQ")
"""Magic, version, checksum, values, values in a block, bytes of the identity and the answers."""
_CHECKED_FROM = 16  # the checksum covers the head from here on; magic and version are compared
_LINE = 64  # the values begin at a multiple of this, which makes reading them as an array fast

VARIABLE = "SHUTBOX_CACHE"  # the environment variable that names the folder of books itself
MOST_BOOKS, MOST_BYTES = 64, 2**31
"""The most books in a folder and their most bytes; the least recently used is removed first. Books
of more than MOST_BYTES each are limited separately, to as many books and LARGEST bytes together."""
LARGEST = 2**34
"""The most bytes of all these large books together. The user asked for such a book at any cost, so
it does not evict the others."""
ABANDONED = 600  # seconds after the last write to a part file; by then its writer is dead

_BOOK = re.compile(r"(?:[a-z0-9-]+-)?[0-9a-f]{8}-[0-9]+\.book")
_PART = re.compile(_BOOK.pattern + r"\.[0-9]+-[0-9]+\.part")
"""Files with any other name in the folder are not ours and are left alone."""

_numbers = count()


class Damaged(Exception):
    """The error for a damaged book, whose file was removed: solve again, and write a new book."""


class Values(Protocol):
    """Values to write, with the buffer protocol, such as an `array("d")` or a NumPy array."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


class Tablebase:
    """A book opened by `read`: `answers` as `write` got them; `book[n]` is value n, checked."""

    def __init__(self, path: Path, identity: str, content: mmap.mmap) -> None:
        """Check all but the values. Raises Damaged; OSError for another version or identity."""
        self._size: int
        self._in_a_block: int
        magic, version, checksum, self._size, self._in_a_block, *sizes = _START.unpack_from(content)
        if magic != MAGIC:
            raise Damaged("it does not begin as a book does")
        if version != VERSION:
            raise OSError("it is of another version")
        # No size is trusted before all of them agree with the length of the file and the checksum.
        if not self._in_a_block:
            raise Damaged("it has no blocks")
        blocks = -(-self._size // self._in_a_block)
        answers_at = _START.size + sizes[0]
        table_at = answers_at + sizes[1]
        values_at = -(-(table_at + 4 * blocks) // _LINE) * _LINE
        if values_at + 8 * self._size != len(content):
            raise Damaged("it is shorter or longer than it was")
        if crc32(content[_CHECKED_FROM:values_at]) != checksum:
            raise Damaged("its checksum is another")
        if content[_START.size : answers_at] != _encoded(identity):
            raise OSError("it is of another identity")
        try:
            answers = loads(content[answers_at:table_at])
        except (ValueError, RecursionError) as error:  # damage that the checksum did not detect
            raise Damaged("its answers cannot be read") from error
        self.identity = identity  # the text that `read` was given
        self.answers: dict[str, Any] = answers  # written together with the values, already checked
        self._path = path
        self._checksums = memoryview(content[table_at : table_at + 4 * blocks]).cast("I")
        # The blocks that have been checked. If two threads check the same one, it does no harm.
        self._sound = bytearray(blocks)
        self._content = content
        self._values: memoryview[float] = memoryview(content)[values_at:].cast("d")

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, number: int) -> float:
        """Return the value of a number, counted from 0, and check its block on first access.

        Raises IndexError for a number outside the book, negative ones included; Damaged, after
        removing the file, if the block is damaged; ValueError if the book is closed.
        """
        if not 0 <= number < self._size:
            raise IndexError(f"value {number} of a book of {self._size}")
        block = number // self._in_a_block
        if not self._sound[block]:
            self._check(block)
        return self._values[number]

    def values(self) -> "memoryview[float]":
        """Check all values and return them, read-only; they can still be read after `close`.

        Raises Damaged, after removing the file, for a damaged block; ValueError if it is closed.
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
        first = block * self._in_a_block
        found = crc32(self._values[first : first + self._in_a_block])
        if found != self._checksums[block]:
            _remove(self._path)
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

    Return None if no book with exactly this identity can be read, or if the part before its values
    is damaged, in which case its file is removed. A book that is returned is marked as just used,
    and its values have not been checked yet. Raises nothing.
    """
    path = _path(identity, name, folder)
    if path is None:
        return None
    try:
        with ExitStack() as opened:  # closes the file unless the book is sound
            book = Tablebase(path, identity, opened.enter_context(_mapped(path)))
            opened.pop_all()
    except Damaged:
        _remove(path)
        return None
    except (OSError, ValueError, OverflowError, MemoryError):  # missing, or just truncated
        return None
    with suppress(OSError):
        os.utime(path)  # mark it as just used, see MOST_BOOKS
    return book


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
            _place(path, head, view.cast("B"))
            return True
    return False


def _encoded(identity: str) -> bytes:
    return identity.encode("utf-8", "surrogatepass")  # works for any text, and is unique


def _path(identity: str, name: str, folder: Path | None) -> Path | None:
    """Return the path of a book, existing or not, or None if books cannot be used here.

    In one of billions of cases two identities share one. The later book stays; only time is lost.
    """
    folder = book_folder() if folder is None else folder
    if folder is None or sys.byteorder != "little":  # values are mapped from the file unchanged
        return None
    # Safe on any system: no capitals, no dots, nothing reserved, and not long.
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-")
    key = _encoded(identity)
    return folder / f"{stem and stem + '-'}{crc32(key):08x}-{len(key)}.book"


def _head_of(identity: bytes, answers: Mapping[str, Any], values: memoryview) -> bytes:
    text = dumps(dict(answers), allow_nan=False, separators=(",", ":")).encode("ascii")
    table = [crc32(values[first : first + BLOCK]) for first in range(0, len(values), BLOCK)]
    start = _START.pack(MAGIC, VERSION, 0, len(values), BLOCK, len(identity), len(text))
    head = start + identity + text + pack(f"<{len(table)}I", *table)
    head = head.ljust(-(-len(head) // _LINE) * _LINE, b"\0")
    checksum = pack("<I", crc32(head[_CHECKED_FROM:]))
    return head[: _CHECKED_FROM - len(checksum)] + checksum + head[_CHECKED_FROM:]


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


# The folder of books: its place, the names in it, and eviction


def book_folder() -> Path | None:
    r"""Return the folder of books: `$SHUTBOX_CACHE`, or one in the user's cache; None without home.

    The latter is `$XDG_CACHE_HOME/shutbox` or `~/.cache/shutbox`, on macOS
    `~/Library/Caches/shutbox`, on Windows `%LOCALAPPDATA%\shutbox\cache`. It need not exist.
    """
    if given := os.environ.get(VARIABLE):
        return Path(given)
    with suppress(RuntimeError):
        return _cache_of_user()
    return None


def _cache_of_user() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "shutbox" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "shutbox"
    # The XDG specification says to ignore relative paths.
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if os.path.isabs(given) else Path.home() / ".cache") / "shutbox"


def _place(path: Path, *pieces: bytes | memoryview) -> None:
    """Write a book completely, or raise OSError and leave an old one at `path` as it is.

    The folder is created, and other books are removed if this one would not fit beside them.
    Nothing is synced to the disk: a power cut can damage a book, and readers detect that.
    """
    size = sum(map(len, pieces))
    if size > LARGEST:
        raise OSError("no book is as large as that")
    os.makedirs(path.parent, exist_ok=True)
    if size > MOST_BYTES:
        from shutil import disk_usage  # slow to import, and hardly any book is so large

        if disk_usage(path.parent).free < 2 * size:
            raise OSError("so large a book would take most of what is left of the disk")
    part, descriptor = _part(path)
    try:
        try:
            _make_room(path, size, os.fstat(descriptor).st_mtime)
            for piece in pieces:
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
        finally:
            os.close(descriptor)
        os.replace(part, path)
    except BaseException:
        _remove(part)
        raise


def _part(path: Path) -> tuple[Path, int]:
    """Create a part file next to the book at `path`; return the part's path and descriptor."""
    while True:
        part = path.with_name(f"{path.name}.{os.getpid()}-{next(_numbers)}.part")
        with suppress(FileExistsError):  # left by an earlier process with the same id
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            return part, os.open(part, flags, 0o666)


def _make_room(path: Path, size: int, now: float) -> None:
    """Remove abandoned part files, and the least recently used books until a new one fits.

    The new book will be at `path` and have `size` bytes; an old one at `path` stays. `now` is the
    time of a file made just now, by the same clock as the times of the others. A time as far in the
    future counts as abandoned too: nothing that is removed here is a loss.
    """
    books = []  # (last use, bytes, path)
    with os.scandir(path.parent) as entries:
        for entry in entries:
            with suppress(OSError):  # another program removed it
                found = entry.stat(follow_symlinks=False)
                if _BOOK.fullmatch(entry.name) and entry.name != path.name:
                    books.append((found.st_mtime, found.st_size, Path(entry.path)))
                elif _PART.fullmatch(entry.name) and abs(now - found.st_mtime) > ABANDONED:
                    os.unlink(entry.path)
    large = size > MOST_BYTES
    alike = sorted((book for book in books if (book[1] > MOST_BYTES) == large), reverse=True)
    total = size + sum(book[1] for book in alike)
    while alike and (len(alike) >= MOST_BOOKS or total > (LARGEST if large else MOST_BYTES)):
        _, freed, oldest = alike.pop()
        total -= freed
        _remove(oldest)


def _remove(path: Path) -> None:
    """Remove a file, or do nothing if that fails; every book can be written again."""
    with suppress(OSError):
        path.unlink()
