"""A pool of worker processes for long calculations, so that other requests do not wait for them.

Each caller has one piece of work running at a time, and the caller served longest ago is next, so a
caller with many requests delays only itself. One worker takes only quick work, so that a hint at an
ordinary table never waits for a slow one. Another takes no records and no custom boxes, which may
be large. Only the last worker takes those.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any, TypeVar

from shutbox import messages
from shutbox.lru import LruCache
from shutbox.web import limits
from shutbox.web.compute import tasks
from shutbox.web.compute.worker import BUILD
from shutbox.web.errors import Full, Limit, OutOfMemory

T = TypeVar("T")
_PATIENCE = 4  # seconds that a process may take per CPU second, since it shares the cores
_BEGIN_SECONDS = 20.0  # for starting a process, however small its work
_QUEUES = ("quick", "ordinary", "patient")
_NICENESS = (5, 10, 10)
"""The niceness of each worker; the first has the least, since people wait for quick work."""
_WORKER = (  # nice from the start; imports its modules before an upgrade can replace them
    "import os; os.nice({niceness}); import {imports}; "
    "from shutbox.web.compute.worker import main; main()"
)


class Worker:
    """A process that computes, started for its first work and again if it has died."""

    def __init__(
        self, niceness: int = _NICENESS[-1], imports: Sequence[ModuleType] = (tasks,)
    ) -> None:
        """Prepare a worker; `imports` are the modules of the functions that it will run."""
        names = ", ".join(module.__name__ for module in imports)
        self._program = _WORKER.format(niceness=niceness, imports=names)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()  # held while a process is started or stopped
        self._closed = False
        self.started = 0
        """The number of processes started so far."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None if none is running."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def do(self, work: Callable[..., Any], about: tuple[Any, ...], seconds: float) -> Any:
        """Return the result of `work(*about)`, both pickled. Blocks, so call it in a thread.

        Raises the ShutboxError that the work raises, Broken for any other error of it, OutOfMemory,
        and Full if it takes more than `seconds` of CPU time or several times as long by the clock,
        if its process dies or belongs to another release, or if the worker is closed.
        """
        try:
            pipe = self._running(max(_BEGIN_SECONDS, _PATIENCE * seconds))
            pipe.send((work, about, seconds, messages.language()))
            # Others may hold the core: wait for its CPU seconds, but not indefinitely.
            if not pipe.poll(_PATIENCE * seconds):
                raise TimeoutError
            found, refused = pipe.recv()
        except (EOFError, OSError) as error:
            code = self.stop()
            if self._closed:
                raise Full(
                    "the server is shutting down; come back in a moment", Limit.CLOSING
                ) from None
            if isinstance(error, TimeoutError) or code == -signal.SIGPROF:
                raise Full(
                    "that took too long to work out; nothing has changed", Limit.WORK_SECONDS
                ) from None
            raise Full("the calculation stopped; ask again", Limit.WORKER) from None
        if isinstance(refused, OutOfMemory):
            self.stop()
        if refused is not None:
            raise refused
        return found

    def begin(self) -> None:
        """Start the process if there is none; if that fails, the next call of `do` reports it."""
        with suppress(EOFError, OSError, Full):
            self._running(_BEGIN_SECONDS)

    def stop(self) -> int | None:
        """Kill the process and return its exit code; None if none runs. A waiting `do` fails."""
        with self._lock:
            process, self._process, self._pipe = self._process, None, None
        if process is None:
            return None
        code = process.poll()
        process.kill()
        process.wait()
        return process.returncode if code is None else code

    def close(self) -> None:
        """Stop the process for good: `do` then raises Full."""
        with self._lock:
            self._closed = True
        self.stop()

    def _running(self, seconds: float) -> Connection:
        """Return the pipe to the process; start it if none runs, and wait `seconds` at most."""
        fresh = False
        with self._lock:
            if self._closed:
                raise OSError
            if self._pipe is None or self._process is None or self._process.poll() is not None:
                self._pipe = self._start()
                fresh = True
            pipe = self._pipe
        # Its first message names its build, since other builds may be incompatible.
        if fresh and (not pipe.poll(seconds) or pipe.recv_bytes() != BUILD.encode()):
            self.stop()
            raise Full("the server is being upgraded; come back in a moment", Limit.UPGRADE)
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
    queue: int
    """The index of the first worker that takes the work; all later workers take it, too."""
    worker: asyncio.Future[Worker] = field(default_factory=asyncio.Future)


class Pool:
    """The workers of one server."""

    def __init__(
        self,
        number: int = limits.WORKERS,
        worked: Callable[[float], None] = lambda seconds: None,
        imports: Sequence[ModuleType] = (tasks,),
    ) -> None:
        """Prepare workers, see `Worker`; `worked` gets the seconds of each piece of work done."""
        self._worked = worked
        self._workers = [Worker(_NICENESS[min(place, 2)], imports) for place in range(number)]
        self._free = [*self._workers]
        self._threads = ThreadPoolExecutor(number, "compute")
        self._waiting: list[_Turn] = []
        self._working: set[str] = set()
        self._served = LruCache[str, int](limits.ALL_WAITING)
        """The count at which each caller was last served."""
        self._count = 0
        self._warming: asyncio.Task[None] | None = None
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

        `who` is the caller, an address or a table, and may have `most` pieces of work waiting.
        `quick` work is estimated to take only a moment; no ordinary game waits for `patient` work.
        `quick` wins over `patient`. Raises what `Worker.do` raises, and Full if too much waits.
        """
        mine = sum(turn.who == who for turn in self._waiting)
        last = len(self._workers) - 1
        queue = 0 if quick else last if patient else min(1, last)
        alike = sum(turn.queue == queue for turn in self._waiting)
        if self.closed or mine >= most or alike >= limits.ALL_WAITING:
            raise Full("too many calculations are running; come back in a moment", Limit.WAITING)
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
        loop = asyncio.get_running_loop()
        begun = loop.time()
        job = partial(copy_context().run, worker.do, work, about, limits.WORK_SECONDS)
        working = loop.run_in_executor(self._threads, job)
        # The caller may go away, but the worker is free only once the work is done.
        working.add_done_callback(lambda done: self._worked(loop.time() - begun))
        working.add_done_callback(lambda done: self._leave(worker, who, done))
        found: T = await asyncio.shield(working)
        return found

    def warm(self) -> None:
        """Start the worker for quick work in a thread, if it was never started; do not wait."""
        if self._workers[0].started == 0 and self._warming is None:
            self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        worker = self._workers[0]
        if worker in self._free:
            self._free.remove(worker)
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, worker.begin)
            finally:
                self._leave(worker, "")

    @property
    def waiting(self) -> dict[str, int]:
        """The number of waiting pieces of work, by the name of their queue."""
        waiting = Counter(turn.queue for turn in self._waiting)
        return {name: waiting[queue] for queue, name in enumerate(_QUEUES)}

    @property
    def pids(self) -> Sequence[int]:
        """The ids of the running processes."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    @property
    def restarts(self) -> int:
        """The number of processes that were started to replace another one."""
        return sum(max(0, worker.started - 1) for worker in self._workers)

    def _serve(self) -> None:
        """Give free workers to waiting callers, starting with the worker for quick work."""
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
            if (turn := min(able, key=self._last_served, default=None)) is not None:
                self._count += 1
                self._served.put(turn.who, self._count)
                self._working.add(turn.who)
                self._free.remove(worker)
                self._waiting.remove(turn)
                turn.worker.set_result(worker)

    def _last_served(self, turn: _Turn) -> int:
        return self._served.find(turn.who) or 0

    def _leave(self, worker: Worker, who: str, done: asyncio.Future[Any] | None = None) -> None:
        """Free a worker and its caller once its work is `done`, and serve the next."""
        if done is not None and not done.cancelled():
            done.exception()  # marks it as retrieved, even if its caller has gone
        self._working.discard(who)
        self._free.append(worker)
        if not self.closed:
            self._serve()

    def close(self) -> None:
        """Stop every worker; waiting callers get Full."""
        self.closed = True
        for worker in self._workers:
            worker.close()
        for turn in self._waiting:
            if not turn.worker.done():
                turn.worker.set_exception(
                    Full("the server is shutting down; come back in a moment", Limit.CLOSING)
                )
        self._waiting.clear()
        self._threads.shutdown(wait=False)
