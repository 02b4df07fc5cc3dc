"""A process that computes for a server.

It does one piece of work after the other, each in the language of its caller. It yields to the
server when both want the same core, and ends when the server ends.

While a newer release is being installed, a running server may start workers of another build. The
two builds may be incompatible, so a worker first sends its build.
"""

import resource
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from zlib import crc32

import shutbox
from shutbox import messages
from shutbox.errors import ShutboxError
from shutbox.lookup import find_any
from shutbox.web.errors import Broken, OutOfMemory


def build_on_disk() -> str:
    """Return this process's version, and a checksum of the package's file sizes and times now.

    Installing rewrites every file, so no two installations have the same checksum.
    """
    folder = Path(shutbox.__file__).parent
    mark = 0
    for path in sorted(folder.rglob("*.py")):
        found = path.stat()
        mark = crc32(f"{path} {found.st_size} {found.st_mtime_ns}".encode(), mark)
    return f"{shutbox.__version__} {mark:08x}"


def read_all() -> None:
    """Read all boxes and matches now, while their files are still those of this build."""
    find_any("pub")


BUILD = build_on_disk()
"""The build of this process, read when it started."""


Answer = tuple[Any, Exception | None]
"""The result of a piece of work, or the exception that it raised."""


def main() -> None:
    """Do the work that the server sends, until it closes its end of the socket.

    The command line gives the file descriptor of the socket, the memory limit in bytes, and the
    language with its folder.
    """
    number, memory, language, folder = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    messages.use(language, Path(folder))
    messages.load_all()
    read_all()
    with Connection(int(number)) as server, suppress(EOFError, OSError):  # the server has gone
        server.send_bytes(BUILD.encode())
        while True:
            work, about, seconds, spoken = server.recv()
            # The system kills a process that takes more CPU seconds, even inside compiled code.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            with messages.speaking(spoken):
                answer = _done(work, about)
                signal.setitimer(signal.ITIMER_PROF, 0)
                server.send(answer)  # a refusal is put into words only now


def _done(work: Any, about: tuple[Any, ...]) -> Answer:
    """Run one piece of work and return what came of it; a bug becomes Broken."""
    try:
        return work(*about), None
    except ShutboxError as error:
        return None, error
    except MemoryError:
        return None, OutOfMemory("that takes more memory than is allowed here")
    except Exception:
        return None, Broken(traceback.format_exc())
