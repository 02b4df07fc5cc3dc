"""What is on the disk when a function returns, and what is not when it raises.

A file grows by whole pieces. A piece is written and forced to the disk, or the file is cut back to
what it was; nobody has to find out later how much of it came through. Where the system has locks,
one program at a time has a file; the lock goes with the program, however that ends.
"""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from shutbox.messages import gettext


class GrowingFile:
    """An open file to which pieces are added."""

    def __init__(self, descriptor: int, end: int) -> None:
        """`end` is where the next piece goes; whatever lies behind it is cut off then."""
        self._descriptor = descriptor
        self._end = end
        self._size = os.fstat(descriptor).st_size

    def add(self, piece: bytes) -> None:
        """The piece is on the disk; or OSError is raised and the file is as it was.

        If the file was removed or written to by another program, nothing is added.
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
        """Let go of the file."""
        os.close(self._descriptor)

    def _cut_back(self) -> None:
        # Forced to the disk, too: else what has not happened may be there after a power cut. If
        # the disk refuses even this, the next piece begins by trying again.
        with suppress(OSError):
            os.ftruncate(self._descriptor, self._end)
            os.fsync(self._descriptor)
        with suppress(OSError):
            self._size = os.fstat(self._descriptor).st_size


def lock(descriptor: int, *, wait: bool = False) -> None:
    """Have the file alone until it is closed. Raises BlockingIOError if another has it.

    Systems and file systems without such locks go without.
    """
    try:
        import fcntl  # not on Windows; and reading needs no lock
    except ImportError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EINVAL):
            raise


def open_file(path: Path, flags: int) -> int:
    """A descriptor; its bytes are those of the file on any system."""
    return os.open(path, flags | getattr(os, "O_BINARY", 0), 0o666)


def open_regular(path: Path, flags: int) -> int:
    """A descriptor of a file that exists; OSError for a folder, a pipe, or a device without end."""
    # A pipe that nobody writes to would be waited for.
    descriptor = open_file(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, gettext("it is no file"))
    return descriptor


def make_folder(folder: Path) -> None:
    """The folder exists, and after a power cut too."""
    missing = [place for place in (folder, *folder.parents) if not os.path.lexists(place)]
    for place in reversed(missing):
        with suppress(FileExistsError):  # another program was first
            place.mkdir()
        sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """The names in a folder are on the disk, where the system can be told so."""
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
    """What the system says, without the number and the path."""
    return error.strerror or str(error)
