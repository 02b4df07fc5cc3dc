"""Work spread over worker processes, which are always terminated, however the work ends.

The processes are a pool of the standard library. Each is spawned and receives the function once,
then one share at a time, so a long list of shares takes no extra memory.
"""

import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from shutbox.errors import NotUnderstood
from shutbox.messages import gettext

MOST_WORKERS = 64
MOST_PROCESSES = 61  # Windows cannot wait for more processes; the results do not depend on it
Share = TypeVar("Share")
Found = TypeVar("Found")


def check_workers(workers: object) -> None:
    """Raise NotUnderstood unless `workers` is a whole number from 1 to MOST_WORKERS."""
    if not isinstance(workers, int) or not 1 <= workers <= MOST_WORKERS:
        raise NotUnderstood(
            "workers: {workers} is not a number of processes; it is 1 to {most}",
            workers=workers,
            most=MOST_WORKERS,
        )


def spread(
    work: Callable[[Share], Found], shares: Sequence[Share], workers: int
) -> Generator[Found, None, None]:
    """Yield the result of `work` for each share, in order; with one worker, in this process.

    Raises what the work raises (as a RuntimeError if that cannot be pickled), NotUnderstood for
    work that cannot be pickled, and ChildProcessError if a process ends before its work is done.
    No process is left when the generator ends or is closed.
    """
    workers = min(workers, len(shares), MOST_PROCESSES)
    if workers <= 1:
        yield from map(work, shares)
        return
    # Imported here: a browser has no processes, and most callers use one worker.
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
    from multiprocessing import get_context

    try:
        pickled = pickle.dumps(work)
    except Exception as error:
        raise NotUnderstood(
            "this cannot be sent to other processes: {reason}. Define the player "
            "at the top of a module, or ask for one worker",
            reason=error,
        ) from None
    context = get_context("spawn")  # forking a process with threads can deadlock
    pool = ProcessPoolExecutor(workers, context, _begin, (pickled,))
    ahead = deque[Any]()  # futures
    try:
        for share in shares:
            ahead.append(pool.submit(_found, share))
            if len(ahead) > 2 * workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()
    except BrokenProcessPool:
        problem = gettext(
            "a worker process ended before its work was done; a program that asks for workers "
            'begins under `if __name__ == "__main__":`'
        )
        raise ChildProcessError(problem) from None
    finally:
        # The pool itself would wait for running work; Python 3.14 and later can avoid that.
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(pickled: bytes) -> None:
    """Receive the work of this process, for `_found`. Ctrl-C is left to the parent process."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = pickle.loads(pickled)


_work: Callable[[Any], Any]


def _found(share: Any) -> Any:
    """Return the result of one share. An error that cannot be pickled becomes a RuntimeError."""
    try:
        return _work(share)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise
