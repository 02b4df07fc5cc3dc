"""Where books stand: their folder and names, how one gets there whole, and which has to go."""

import os
import re
import shutil
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from zlib import crc32

VARIABLE = "SHUTBOX_CACHE"  # the environment variable that names the folder of books itself
MOST_BOOKS, MOST_BYTES = 64, 2**31
"""How many books a folder holds, and bytes of them; the one used longest ago goes first."""
LARGEST = 2**34
"""Bytes of the books that have more than MOST_BYTES each, all together: somebody asked for such a
book whatever it takes, so it does not drive out the others."""
ABANDONED = 600  # seconds since a file in the making last grew; then its writer is dead

_BOOK = re.compile(r"(?:[a-z0-9-]+-)?[0-9a-f]{8}-[0-9]+\.book")
_PART = re.compile(_BOOK.pattern + r"\.[0-9]+-[0-9]+\.part")
"""Files of any other name in the folder are not ours, and left alone."""

_numbers = count()


def book_folder() -> Path | None:
    r"""The folder of books: `$SHUTBOX_CACHE`, or where programs keep what they can make again.

    That is `$XDG_CACHE_HOME/shutbox` or `~/.cache/shutbox`, on macOS `~/Library/Caches/shutbox`,
    on Windows `%LOCALAPPDATA%\shutbox\cache`. It need not exist. None for a user without a home.
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
    # The specification has relative paths ignored.
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if os.path.isabs(given) else Path.home() / ".cache") / "shutbox"


def path_of(key: bytes, name: str, folder: Path) -> Path:
    """Where the book of a key stands, or would; the name makes it easier to recognise.

    Two keys may have the same file, for one in billions; then the later book replaces the other
    one, which costs speed only.
    """
    # Safe on any system: no capitals, no dots, nothing reserved, and not long.
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-")
    return folder / f"{stem and stem + '-'}{crc32(key):08x}-{len(key)}.book"


def place(path: Path, *pieces: bytes | memoryview) -> None:
    """The file is there, whole; or OSError is raised, and all is as it was.

    Nothing is forced to the disk: after a power cut a book may be damaged, which is noticed.
    """
    size = sum(map(len, pieces))
    if size > LARGEST:
        raise OSError("no book is as large as that")
    os.makedirs(path.parent, exist_ok=True)
    if size > MOST_BYTES and shutil.disk_usage(path.parent).free < 2 * size:
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
        remove(part)
        raise


def _part(path: Path) -> tuple[Path, int]:
    """A new file next to the book that it is to become, and its descriptor."""
    while True:
        part = path.with_name(f"{path.name}.{os.getpid()}-{next(_numbers)}.part")
        with suppress(FileExistsError):  # of a process that had the same number before
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
            return part, os.open(part, flags, 0o666)


def _make_room(path: Path, size: int, now: float) -> None:
    """Remove what dead writers left, and the oldest books, until one more of that size fits.

    `now` is the time of a file made just now, by the clock that the others are measured by. A
    time as far in the future is as wrong, and nothing that is removed here is a loss.
    """
    books = []
    with os.scandir(path.parent) as entries:
        for entry in entries:
            with suppress(OSError):  # another program removed it
                found = entry.stat(follow_symlinks=False)
                if _BOOK.fullmatch(entry.name) and entry.name != path.name:
                    books.append((found.st_mtime, found.st_size, Path(entry.path)))
                elif _PART.fullmatch(entry.name) and abs(now - found.st_mtime) > ABANDONED:
                    os.unlink(entry.path)
    for oldest in _too_many(books, size):
        remove(oldest)


def _too_many(books: list[tuple[float, int, Path]], size: int) -> list[Path]:
    """Those of the books (when each was used, its bytes, where it is) that one more drives out."""
    large = size > MOST_BYTES
    most = LARGEST if large else MOST_BYTES
    alike = sorted((book for book in books if (book[1] > MOST_BYTES) == large), reverse=True)
    total = size + sum(book[1] for book in alike)
    gone = []
    while alike and (len(alike) >= MOST_BOOKS or total > most):
        _, freed, oldest = alike.pop()
        total -= freed
        gone.append(oldest)
    return gone


def remove(path: Path) -> None:
    """Remove a file, if it can be; nothing is lost with it."""
    with suppress(OSError):
        path.unlink()
