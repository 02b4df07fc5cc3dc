"""A pool of worker processes for long calculations, so that other requests do not wait for them.

Each caller has one piece of work running at a time, and the caller served longest ago is next. One
worker takes only quick work, so that a hint at an ordinary table never waits for a slow one. The
next takes no records and no custom boxes, which may be large; the last takes those, too.

A worker does one piece of work after the other, each in the language of its caller. It yields to
the server when both want the same core, and ends with it.
"""

import asyncio
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any, TypeVar

from shutbox.engine import messages
from shutbox.engine.errors import ShutboxError, blaming
from shutbox.engine.lru import LruCache
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.errors import Broken, Full, NotReady, OutOfMemory


def main() -> None:
    """Run a worker: say that it is ready, then do the work that the server sends until it hangs up.

    In argv: the socket's descriptor, the memory limit in bytes, language and translations' folder.
    """
    number, memory, language, folder = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory), int(memory)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    messages.use(language, Path(folder))
    messages.load_all()
    with Connection(int(number)) as server, suppress(EOFError, OSError):  # the server has gone
        server.send(None)
        while True:
            work, about, seconds, spoken = server.recv()
            # The system kills a process that takes more CPU seconds, even inside compiled code.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            with messages.speaking(spoken):
                answer = _done(work, about)
                signal.setitimer(signal.ITIMER_PROF, 0)
                server.send(answer)  # a refusal is put into words only now


def _done(work: Any, about: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    """Run `work(*about)`; return its result and None, or None and a refusal (Broken for a bug)."""
    try:
        with blaming():
            return work(*about), None
    except ShutboxError as error:
        return None, error
    except MemoryError:
        return None, OutOfMemory("that takes more memory than is allowed here")
    except Exception:
        return None, Broken(traceback.format_exc())


T = TypeVar("T")
_BUSY = messages.gettext_noop("too many calculations are running; try again in {seconds} seconds")
_STARTING = messages.gettext_noop("the server is just starting; try again in {seconds} seconds")
_CLOSING = messages.gettext_noop("the server is stopping; try again in {seconds} seconds")
_RETRY_SECONDS = 3  # after each of the three
_PATIENCE = 4  # seconds that a process may take per CPU second, since it shares the cores
_BEGIN_SECONDS = 20.0  # that a caller waits for a process to start, which goes on for the next one
_LONGEST_START = 300.0  # seconds
_NICENESS = (5, 10, 10)  # of each worker; the first has the least, since people wait for quick work
_WORKER = (  # nice from the start; imports its modules before it is ready
    "import os; os.nice({niceness}); import {imports}; "
    "from shutbox.web.compute.pool import main; main()"
)


class Worker:
    """A process that computes, started for its first work and again if it has died."""

    def __init__(
        self,
        niceness: int = _NICENESS[-1],
        imports: Sequence[ModuleType] = (tasks,),
    ) -> None:
        """Prepare a worker; `imports` are the modules of the functions that it will run."""
        names = ", ".join(module.__name__ for module in imports)
        self._program = _WORKER.format(niceness=niceness, imports=names)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._ready = False  # whether the process has imported its modules
        self._begun = 0.0  # when it was started, by `monotonic`
        self._lock = threading.Lock()  # held while a process is started or stopped
        self._closed = False
        self.started = 0  # the number of processes started so far

    @property
    def pid(self) -> int | None:
        """The id of the process; None if none is running."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def do(self, work: Callable[..., Any], about: tuple[Any, ...], seconds: float) -> Any:
        """Return the result of `work(*about)`, both pickled. Blocks, so call it in a thread.

        Raises the ShutboxError that the work raises, Broken for any other error of it, OutOfMemory,
        Full if it takes more than `seconds` of CPU time or several times as long by the clock, or
        if its process dies, and NotReady if its process is still starting, or the worker is closed.
        """
        try:
            pipe = self._running()
            if pipe is None:
                raise NotReady(_STARTING, _RETRY_SECONDS)
            pipe.send((work, about, seconds, messages.language()))
            # Others may hold the core: wait for its CPU seconds, but not indefinitely.
            if not pipe.poll(_PATIENCE * seconds):
                raise TimeoutError
            found, refused = pipe.recv()
        except (EOFError, OSError) as error:
            code = self.stop()
            if self._closed:
                raise NotReady(_CLOSING, _RETRY_SECONDS) from None
            if isinstance(error, TimeoutError) or code == -signal.SIGPROF:
                raise Full("that took too long to work out; nothing has changed") from None
            raise Full("the calculation stopped; ask again") from None
        if isinstance(refused, OutOfMemory):
            self.stop()
        if refused is not None:
            raise refused
        return found

    def stop(self) -> int | None:
        """Kill the process; return its exit code, None without one. A running `do` raises Full."""
        with self._lock:
            process, self._process, self._pipe = self._process, None, None
        if process is None:
            return None
        process.kill()
        return process.wait()

    def close(self) -> None:
        """Stop the process for good: `do` then raises NotReady."""
        with self._lock:
            self._closed = True
        self.stop()

    def _running(self) -> Connection | None:
        """Return the process's pipe, or None while it is starting. Raises OSError and EOFError."""
        with self._lock:
            if self._closed:
                raise OSError
            if self._pipe is None or self.pid is None:
                self._pipe, self._ready, self._begun = self._start(), False, monotonic()
            pipe = self._pipe
        if not self._ready:
            if not pipe.poll(_BEGIN_SECONDS):
                if monotonic() - self._begun > _LONGEST_START:
                    raise TimeoutError
                return None
            pipe.recv()
            self._ready = True
        return pipe

    def _start(self) -> Connection:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-c", self._program, str(theirs.fileno())),
                    *(str(limits.WORKER_MEMORY), messages.language(), str(messages.folder())),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                # So that Ctrl-C ends the server first. Linux would schedule a new session as a
                # group (sched_autogroup) with as large a share of the cores as the server's.
                process_group=0,
            )
        self.started += 1
        return Connection(ours.detach())


@dataclass(eq=False, slots=True)
class _Turn:
    """The place of a caller in the queue for a worker."""

    who: str
    queue: int  # the index of the first worker that takes the work; all later workers take it, too
    worker: asyncio.Future[Worker] = field(default_factory=asyncio.Future)


class Pool:
    """The workers of one server, with the queue of work for them."""

    def __init__(
        self,
        number: int = limits.WORKERS,
        imports: Sequence[ModuleType] = (tasks,),
    ) -> None:
        """Prepare `number` workers, see `Worker`."""
        several = (_NICENESS[min(place, 2)] for place in range(number))
        self._workers = [Worker(niceness, imports) for niceness in several]
        self._free = [*self._workers]
        self._threads = ThreadPoolExecutor(number, "compute")
        self._waiting: list[_Turn] = []
        self._working: set[str] = set()
        self._count = count(1)
        self._served = LruCache[str, int](limits.ALL_WAITING)  # the last count of each caller
        self._warming: asyncio.Future[Any] | None = None
        self.closed = False

    async def do(
        self,
        who: str,
        work: Callable[..., T],
        *about: Any,
        quick: bool = False,
        patient: bool = False,
        most: int = limits.MOST_WAITING,
    ) -> T:
        """Queue `work(*about)` for a worker, and return its result; both are pickled.

        `who` names the caller, such as an address or a table. It has one piece of work running and
        up to `most` waiting. The first worker takes only `quick` work, estimated to take a moment.
        Only the last takes `patient` work, so no ordinary game waits for it. `quick` wins over
        `patient`. Raises what `Worker.do` raises, Full if too much waits, NotReady if closed.
        """
        mine = sum(turn.who == who for turn in self._waiting)
        last = len(self._workers) - 1
        queue = 0 if quick else last if patient else min(1, last)
        alike = sum(turn.queue == queue for turn in self._waiting)
        if self.closed or mine >= most or alike >= limits.ALL_WAITING:
            raise NotReady(_CLOSING, _RETRY_SECONDS) if self.closed else Full(_BUSY, _RETRY_SECONDS)
        turn = _Turn(who, queue)
        self._waiting.append(turn)
        self._serve()
        try:
            worker = await turn.worker
        except asyncio.CancelledError:
            if turn.worker.done() and not turn.worker.cancelled():
                self._leave(turn.worker.result(), who)
            elif turn in self._waiting:
                self._waiting.remove(turn)
            raise
        job = partial(copy_context().run, worker.do, work, about, limits.WORK_SECONDS)
        working = asyncio.get_running_loop().run_in_executor(self._threads, job)
        # The caller may go away, but the worker is free only once the work is done.
        working.add_done_callback(lambda done: self._leave(worker, who, done))
        found: T = await asyncio.shield(working)
        return found

    def warm(self) -> None:
        """Start the worker for quick work in a thread, if it was never started; do not wait."""
        if self._workers[0].started == 0 and self._warming is None:
            # If that fails, the next work reports it.
            self._warming = asyncio.gather(
                self.do("", os.getpid, quick=True), return_exceptions=True
            )

    def _serve(self) -> None:
        """Give each free worker, the quick one first, to the able caller served longest ago."""
        for place, worker in enumerate(self._workers):
            if worker not in self._free:
                continue
            able = (
                turn
                for turn in self._waiting
                if turn.who not in self._working
                and turn.queue <= place
                and not turn.worker.done()  # if cancelled, its caller is leaving
            )
            turn = min(able, key=lambda turn: self._served.find(turn.who) or 0, default=None)
            if turn is not None:
                self._served.put(turn.who, next(self._count))
                self._working.add(turn.who)
                self._free.remove(worker)
                self._waiting.remove(turn)
                turn.worker.set_result(worker)

    def _leave(self, worker: Worker, who: str, done: asyncio.Future[Any] | None = None) -> None:
        """Free a worker and its caller, once its work is `done` or given up; serve the next."""
        if done is not None and not done.cancelled():
            done.exception()  # marks it as retrieved, even if its caller has gone
        self._working.discard(who)
        self._free.append(worker)
        if not self.closed:
            self._serve()

    def close(self) -> None:
        """Stop every worker for good; callers whose work waits or runs get NotReady."""
        self.closed = True
        for worker in self._workers:
            worker.close()
        for turn in self._waiting:
            if not turn.worker.done():
                turn.worker.set_exception(NotReady(_CLOSING, _RETRY_SECONDS))
        self._waiting.clear()
        self._threads.shutdown(wait=False)
