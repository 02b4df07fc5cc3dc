"""Work handed out to processes of our own, which are ended however the work ends.

Each process is started fresh, and is handed its shares once. What it finds comes back through a
pipe, share by share. A process that breaks says why; one that was killed is noticed.
"""

import pickle
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from shutbox.errors import NotUnderstood
from shutbox.messages import gettext

MOST_WORKERS = 64
Share = TypeVar("Share")
Found = TypeVar("Found")


def check_workers(workers: object) -> None:
    """Raise NotUnderstood unless it is a number of processes."""
    if not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise NotUnderstood(
            "workers: {workers} is not a number of processes; it is 1 to {most}",
            workers=workers,
            most=MOST_WORKERS,
        )


def spread(
    work: Callable[[Share], Found], shares: Sequence[Share], workers: int
) -> Generator[Found, None, None]:
    """What some work finds for each share, in any order; one worker is this process itself.

    Raises what the work raises, NotUnderstood for work that cannot be sent to a process, and
    ChildProcessError for a process that was killed. No process is left when this returns, or is
    given up.
    """
    check_workers(workers)
    workers = min(workers, len(shares))
    if workers <= 1:
        yield from map(work, shares)
        return
    _check_sendable(work)
    context = get_context("spawn")  # a fork of a process with threads may hang
    with ExitStack() as ended:
        left = dict[Any, int]()  # how many shares are still to come from each process
        for number in range(workers):
            reader, writer = context.Pipe(duplex=False)
            own = shares[number::workers]
            process = context.Process(target=_work, args=(work, own, writer), daemon=True)
            process.start()
            ended.callback(_end, process)
            ended.callback(reader.close)
            writer.close()
            left[reader] = len(own)
        while left:
            for ready in wait(left):
                found = _received(ready)
                left[ready] -= 1
                if not left[ready]:
                    del left[ready]
                yield found


def _received(reader: Any) -> Any:
    try:
        found, error = reader.recv()
    except EOFError:
        problem = gettext(
            "a worker process ended before its work was done; a program that asks for workers "
            'begins under `if __name__ == "__main__":`'
        )
        raise ChildProcessError(problem) from None
    if error is not None:
        raise error
    return found


def _check_sendable(work: Callable[..., Any]) -> None:
    try:
        pickle.dumps(work)
    except Exception as error:
        raise NotUnderstood(
            "this cannot be sent to other processes: {reason}. Define the player "
            "at the top of a module, or ask for one worker",
            reason=error,
        ) from None


def _work(
    work: Callable[[Any], Any], shares: Sequence[Any], writer: "Connection[Any, Any]"
) -> None:
    """The life of a process; Ctrl-C is for the one that has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with writer:
        for share in shares:
            try:
                said: tuple[Any, Exception | None] = work(share), None
            except Exception as error:
                said = None, _sendable(error)
            writer.send(said)
            if said[1] is not None:
                return


def _sendable(error: Exception) -> Exception:
    """An error as it can be sent; one that cannot is told by its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _end(process: Any) -> None:
    process.terminate()
    process.join()
    process.close()
