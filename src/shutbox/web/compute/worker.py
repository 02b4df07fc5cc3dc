"""A process that computes for a server.

It does one piece of work after the other, in the language of its server, gives way to it where they
want the same core, and ends with it.

While a newer release is being installed, a server that runs is another build than the workers that
it would start. Those two do not understand each other for certain, so they tell each other first.
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
    """The version of this process, and a mark of the files of the package as they are now.

    Installing writes every file anew, so no two installations have the same mark.
    """
    folder = Path(shutbox.__file__).parent
    mark = 0
    for path in sorted(folder.rglob("*.py")):
        found = path.stat()
        mark = crc32(f"{path} {found.st_size} {found.st_mtime_ns}".encode(), mark)
    return f"{shutbox.__version__} {mark:08x}"


def read_all() -> None:
    """Read the boxes and matches that there are, while the files are those of this build."""
    find_any("pub")


BUILD = build_on_disk()
"""That of this process: it was read when it started."""


Answer = tuple[Any, Exception | None]
"""What came of a piece of work, or what it raised."""


def main() -> None:
    """Work until the server closes its end of the socket.

    The command line is the number of the socket, the most bytes of memory, and the language with
    its folder.
    """
    number, memory, language, folder = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    messages.use(language, Path(folder))
    read_all()
    with Connection(int(number)) as server, suppress(EOFError, OSError):  # the server has gone
        server.send_bytes(BUILD.encode())
        while True:
            work, about, seconds = server.recv()
            # Who takes longer is killed by the system, also in the middle of compiled code.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            answer = _done(work, about)
            signal.setitimer(signal.ITIMER_PROF, 0)
            server.send(answer)


def _done(work: Any, about: tuple[Any, ...]) -> Answer:
    try:
        return work(*about), None
    except ShutboxError as error:
        return None, error
    except MemoryError:
        return None, OutOfMemory("that takes more memory than is allowed here")
    except Exception:
        return None, Broken(traceback.format_exc())
