"""The cache folder of books, the files of solved games: location, names, writes and eviction."""

import os
import re
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from zlib import crc32

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


def book_folder() -> Path | None:
    r"""Return the folder of books: `$SHUTBOX_CACHE`, or one in the user's cache directory.

    The latter is `$XDG_CACHE_HOME/shutbox` or `~/.cache/shutbox`, on macOS
    `~/Library/Caches/shutbox`, on Windows `%LOCALAPPDATA%\shutbox\cache`. It need not exist.
    None if the user has no home.
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


def path_of(key: bytes, name: str, folder: Path) -> Path:
    """Return the path of the book for a key, its identity in bytes; `name` begins the file name.

    In one of billions of cases two keys have the same path. Then the later book replaces the other
    one, which only costs time.
    """
    # Safe on any system: no capitals, no dots, nothing reserved, and not long.
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-")
    return folder / f"{stem and stem + '-'}{crc32(key):08x}-{len(key)}.book"


def place(path: Path, *pieces: bytes | memoryview) -> None:
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
        remove(part)
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

    The new book will be at `path` and have `size` bytes; an old one at `path` stays.

    `now` is the time of a file made just now, by the same clock as the times of the others. A time
    as far in the future counts as abandoned too: nothing that is removed here is a loss.
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
    """Return the paths of the books to remove before one of `size` bytes is written.

    `books` are those in the folder, as (last use, bytes, path).
    """
    large = size > MOST_BYTES
    most = LARGEST if large else MOST_BYTES
    alike = sorted((book for book in books if (book[1] > MOST_BYTES) == large), reverse=True)
    total = size + sum(book[1] for book in alike)
    removed = []
    while alike and (len(alike) >= MOST_BOOKS or total > most):
        _, freed, oldest = alike.pop()
        total -= freed
        removed.append(oldest)
    return removed


def remove(path: Path) -> None:
    """Remove a file, or do nothing if that fails; every book can be written again."""
    with suppress(OSError):
        path.unlink()
