"""Work spread over processes of our own, which are ended however the work ends.

The processes are a pool of the standard library. Each is started fresh and is sent the work once;
then it is sent one share at a time, so many shares take no memory.
"""

import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from shutbox.errors import NotUnderstood
from shutbox.messages import gettext

MOST_WORKERS = 64
AT_ONCE = 61  # Windows waits for no more processes; fewer make no difference to what is found
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
    """Yield what some work finds for each share, in order; one worker is this process itself.

    Raises what the work raises, NotUnderstood for work that cannot be sent to a process, and
    ChildProcessError for a process that was killed. No process is left when this returns, or is
    given up.
    """
    workers = min(workers, len(shares), AT_ONCE)
    if workers <= 1:
        yield from map(work, shares)
        return
    # A browser has no processes, and most who simulate turns want none.
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
    context = get_context("spawn")  # a fork of a process with threads may hang
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
        # The pool itself would wait for work that is being done; from Python 3.14 on it need not.
        for process in list(pool._processes.values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(pickled: bytes) -> None:
    """Take the work of this process; Ctrl-C is for the process that has started it."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _work = pickle.loads(pickled)


_work: Callable[[Any], Any]


def _found(share: Any) -> Any:
    """Do one share; an error that cannot be sent is told by its text."""
    try:
        return _work(share)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            raise RuntimeError(f"{type(error).__name__}: {error}") from None
        raise
