"""Results that take long, kept in files of the user's cache: `read_or_make` reads one, or makes it.

A file can vanish or be damaged at any time, so losing one costs only time. It holds a checksum of
everything after it, then the key and the data as JSON, then the values as they lie in memory. It is
checked when it is opened. With any fault (missing, damaged, cut off, of another key or machine) the
result is made again. Values are mapped: processes that read one file share its memory, and NumPy is
not needed. The checksum is a CRC-32, which guards against a failing disk, not a forger, and takes
0.1 s for the values of a box of 24 tiles.
"""

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import get_ident
from typing import Any, Protocol
from zlib import crc32

MOST_BYTES = 2**31
"""The most bytes of all files together; the least recently used is removed first."""
LEAST_BYTES = 2**20  # a smaller file counts as this many, so that there are at most 2,048
VARIABLE = "SHUTBOX_CACHE"  # the environment variable that names the folder itself

_MAGIC = b"shutbox1"
_HEAD = len(_MAGIC) + 4 + 4  # then the checksum of what follows it, and the length of the JSON
_LINE = 64  # values begin at a multiple of this, so that compiled code can use them
_OURS = re.compile(r"[a-z0-9-]+-[0-9a-f]{8}\.cache(\.[0-9]+-[0-9]+\.part)?")
"""Files with any other name in the folder are left alone."""


class Buffer(Protocol):
    """Values with the buffer protocol, without gaps: bytes, an `array("d")`, or a NumPy array."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


def read_or_make(
    name: str, key: str, make: Callable[[], tuple[Any, Buffer]]
) -> tuple[Any, "memoryview[int]"]:
    """Return the data and the values of a key: from its file, or as `make` returns them.

    `key` names everything that the result depends on, such as the rules, the aim and the version of
    the solver. `name` makes the file easier to recognise. `make` returns any data that JSON can
    hold, and values, which come back as bytes. What was made is written to the file, if possible.
    Raises what `make` raises.

    >>> from array import array
    >>> make = lambda: ({"best": 3}, array("d", [0.5, 0.25]))
    >>> data, values = read_or_make("six", "six, shut, 1", make)
    >>> data, values.cast("d").tolist()
    ({'best': 3}, [0.5, 0.25])
    >>> read_or_make("six", "six, shut, 1", lambda: 1 / 0)[0], is_stored("six", "six, mean, 1")
    ({'best': 3}, False)
    """
    path = _path(name, key)
    stored = None if path is None else _read(path, key)
    if stored is not None:
        return stored
    data, buffer = make()
    values = memoryview(buffer).cast("B")
    if path is None or not _write(path, key, data, values):
        return data, values
    return _read(path, key) or (data, values)  # from the file, so that the made one is freed


def is_stored(name: str, key: str) -> bool:
    """Whether there is a file for this name and key. It is not opened, so it can be damaged."""
    path = _path(name, key)
    return path is not None and path.exists()


def cache_folder() -> Path | None:
    r"""Return the folder of files: `$SHUTBOX_CACHE`, or one in the user's cache; None without home.

    The latter is `$XDG_CACHE_HOME/shutbox` or `~/.cache/shutbox`, on macOS
    `~/Library/Caches/shutbox`, on Windows `%LOCALAPPDATA%\shutbox\cache`. It need not exist.
    """
    if given := os.environ.get(VARIABLE):
        return Path(given)
    if not os.path.isabs(os.environ.get("HOME", "/")):  # no home either
        return None
    with suppress(RuntimeError):
        if sys.platform == "win32":
            local = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
            return local / "shutbox" / "cache"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "shutbox"
        # The XDG specification says to ignore relative paths.
        given = os.environ.get("XDG_CACHE_HOME", "")
        return Path(given if os.path.isabs(given) else Path.home() / ".cache") / "shutbox"
    return None


def _path(name: str, key: str) -> Path | None:
    """Return the path of a file. Two keys can share one; the later file stays."""
    folder = cache_folder()
    if folder is None:
        return None
    # Safe on any system: no capitals, no dots, nothing reserved, and not long.
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-")
    return folder / f"{stem}-{crc32(key.encode('utf-8', 'surrogatepass')):08x}.cache"


def _read(path: Path, key: str) -> "tuple[Any, memoryview[int]] | None":
    """Return the data and the mapped values of a file; None with any fault."""
    try:
        with path.open("rb") as file:
            content = memoryview(mmap(file.fileno(), 0, access=ACCESS_READ))
        magic, checksum, length = content[:8], content[8:12], content[12:_HEAD]
        if magic != _MAGIC or crc32(content[12:]) != int.from_bytes(checksum, "little"):
            return None
        values_at = _HEAD + int.from_bytes(length, "little")
        made_for, data = json.loads(bytes(content[_HEAD:values_at]))
    except (OSError, ValueError, OverflowError):
        return None
    if made_for != [sys.byteorder, key]:
        return None
    with suppress(OSError):
        os.utime(path)  # mark it as just used, see MOST_BYTES
    return data, content[values_at:]


def _write(path: Path, key: str, data: Any, values: memoryview) -> bool:
    """Write a file completely, or leave an old one as it is; return whether it was written.

    Nothing is synced to the disk: a power cut can damage a file, and readers detect that.
    """
    text = json.dumps([[sys.byteorder, key], data], allow_nan=False, separators=(",", ":"))
    head = text.encode("ascii")
    head += b" " * (-(_HEAD + len(head)) % _LINE)
    length = len(head).to_bytes(4, "little")
    checksum = crc32(values, crc32(length + head)).to_bytes(4, "little")
    size = _HEAD + len(head) + len(values)
    if size > MOST_BYTES:
        return False
    part = path.with_name(f"{path.name}.{os.getpid()}-{get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _make_room(path, size)
        with part.open("wb") as file:
            file.write(_MAGIC + checksum + length + head)
            file.write(values)
        part.replace(path)
    except OSError:
        return False
    finally:
        _remove(part)  # unless it has taken the place of the file
    return True


def _make_room(path: Path, size: int) -> None:
    """Remove the least recently used files until one of `size` bytes fits at a path."""
    files = []
    for other in path.parent.iterdir():
        with suppress(OSError):  # another program removed it
            if _OURS.fullmatch(other.name) and other != path:
                status = other.stat()
                files.append((status.st_mtime, status.st_size, other))
    room = MOST_BYTES - size
    for _, bytes_taken, other in sorted(files, reverse=True):
        room -= max(bytes_taken, LEAST_BYTES)
        if room < 0:
            _remove(other)


def _remove(path: Path) -> None:
    """Remove a file, or do nothing if that fails."""
    with suppress(OSError):
        path.unlink()
