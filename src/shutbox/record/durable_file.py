"""Durable files: data is on the disk once a function returns, and not there if it raises.

A piece is written and synced, or the file is cut back to its old size. On systems with locks, one
program at a time can lock a file; the lock is released when the program ends, even if it crashes.
"""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from shutbox.engine.messages import gettext


class GrowingFile:
    """An open file to which pieces are appended, each of them safely on the disk or not at all."""

    def __init__(self, descriptor: int, end: int) -> None:
        """Wrap an open file. The first piece goes to byte `end`, and cuts off what is after it."""
        self._descriptor = descriptor
        self._end = end
        self._size = os.fstat(descriptor).st_size

    def add(self, piece: bytes) -> None:
        """Append and sync a piece.

        Raises OSError, also if others changed or removed the file; then nothing was appended.
        """
        status = os.fstat(self._descriptor)
        if not status.st_nlink:
            raise OSError(errno.ENOENT, gettext("it was removed"))
        if status.st_size != self._size:
            raise OSError(errno.EBUSY, gettext("another program wrote to it"))
        try:
            if self._size > self._end:
                os.ftruncate(self._descriptor, self._end)
            os.lseek(self._descriptor, self._end, os.SEEK_SET)
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except BaseException:
            # Sync the cut, too: after a power cut the file must not hold an event that never
            # happened. If the disk refuses even this, the next call cuts first.
            with suppress(OSError):
                os.ftruncate(self._descriptor, self._end)
                os.fsync(self._descriptor)
            with suppress(OSError):
                self._size = os.fstat(self._descriptor).st_size
            raise
        self._size = self._end = self._end + len(piece)

    def close(self) -> None:
        """Close the file, which releases its lock."""
        os.close(self._descriptor)


def create_file(path: Path, data: bytes, mode: int = 0o666) -> GrowingFile:
    """Create a file with this data and permissions, and return it open and locked.

    Raises FileExistsError if the path is taken, and any other OSError without leaving a file.
    """
    descriptor = open_file(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
    try:
        lock(descriptor, wait=True)
        file = GrowingFile(descriptor, 0)
        file.add(data)
        sync_folder(path.parent)
    except BaseException:
        os.close(descriptor)
        with suppress(OSError):
            path.unlink()
        raise
    return file


def lock(descriptor: int, *, wait: bool = False) -> None:
    """Lock a file until it closes, if the system can. If locked, wait or raise BlockingIOError."""
    try:
        import fcntl  # not on Windows, and not needed to read
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EINVAL):
            raise


def open_file(path: Path, flags: int, mode: int = 0o666) -> int:
    """Open a file in binary mode, on Windows too, and return its descriptor. Raises OSError."""
    try:
        return os.open(path, flags | getattr(os, "O_BINARY", 0), mode)
    except ValueError:  # raised for NUL in the path
        raise OSError(errno.EINVAL, gettext("no file has such a name")) from None


def open_regular(path: Path, flags: int = os.O_RDONLY) -> int:
    """Open a file, and return its descriptor. Raises OSError, also for a folder, pipe or device."""
    # Without O_NONBLOCK, opening a pipe that has no writer would block.
    descriptor = open_file(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, gettext("it is no file"))
    return descriptor


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, safe against a power cut. Raises OSError."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    for place in reversed(missing):
        with suppress(FileExistsError):  # another program was first
            place.mkdir()
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder's list of files to the disk, on systems that can do that. Raises OSError."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
