"""A process that computes for a server.

It does one piece of work after the other, in the language of its server, gives way to it where they
want the same core, and ends with it.
"""

import resource
import signal
import sys
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from shutbox import messages
from shutbox.errors import ShutboxError
from shutbox.web.compute.build import BUILD, read_all
from shutbox.web.errors import Broken, OutOfMemory

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
        return None, OutOfMemory("that takes more memory than is spent on it here")
    except Exception:
        return None, Broken(traceback.format_exc())
