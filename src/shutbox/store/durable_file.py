"""Durable files: data is on the disk once a function returns, and not there if it raises.

A file grows by whole pieces. A piece is written and synced to the disk, or the file is cut back to
its old size, so that a piece is never there in part. On systems with locks, only one program at a
time can lock a file. The lock is released when the program ends, even if it crashes.
"""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from shutbox.messages import gettext


class GrowingFile:
    """An open file to which pieces are appended."""

    def __init__(self, descriptor: int, end: int) -> None:
        """Wrap an open file; the first piece goes to `end`, and cuts off the bytes after it."""
        self._descriptor = descriptor
        self._end = end
        self._size = os.fstat(descriptor).st_size

    def add(self, piece: bytes) -> None:
        """Append a piece and sync it, or raise OSError and leave the file as it was.

        If another program removed the file or wrote to it, nothing is appended.
        """
        found = os.fstat(self._descriptor)
        if not found.st_nlink:
            raise OSError(errno.ENOENT, gettext("it was removed"))
        if found.st_size != self._size:
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
            self._cut_back()
            raise
        self._size = self._end = self._end + len(piece)

    def close(self) -> None:
        """Close the file, which releases its lock."""
        os.close(self._descriptor)

    def _cut_back(self) -> None:
        # Synced too, or an event that has not happened could be there after a power cut. If the
        # disk refuses even this, the next call of `add` tries again first.
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._end)
            os.fsync(self._descriptor)
        with suppress(OSError):
            self._size = os.fstat(self._descriptor).st_size


def create(path: Path, data: bytes, mode: int = 0o666) -> GrowingFile:
    """Create a file of this data, and return it locked. Raises OSError, and then there is no file.

    Raises FileExistsError, and leaves the file as it is, if there is one.
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
    """Lock a file until it is closed. If another program has it, wait or raise BlockingIOError.

    On systems and file systems without such locks, nothing is locked.
    """
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
    """Open a file in binary mode, on Windows too, and return its descriptor."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), mode)


def open_regular(path: Path, flags: int) -> int:
    """Return the descriptor of an existing file. Raises OSError for a folder, pipe or device."""
    # Without O_NONBLOCK, opening a pipe that has no writer would block.
    descriptor = open_file(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, gettext("it is no file"))
    return descriptor


def make_folder(folder: Path) -> None:
    """Create the folder and its missing parents, safe against a power cut."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    for place in reversed(missing):
        with suppress(FileExistsError):  # another program was first
            place.mkdir()
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk, on systems that support it."""
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


def why(error: OSError) -> str:
    """Return the message of the system, without the error number and the path."""
    return error.strerror or str(error)
