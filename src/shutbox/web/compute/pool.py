"""Work for which nobody else shall wait: done by processes apart from the one that serves.

Each who asks has one piece of work done at a time, and who was served longest ago is served next:
so a visitor who asks for much waits for himself. One worker takes only what is quick, so that a
hint at an ordinary table never waits for one that takes longer; another takes no records and no
boxes that somebody has made up, which may be large. Those share the last.
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
from dataclasses import dataclass, field
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
_PATIENCE = 4  # how much longer than its work a process may take, since others want the core
_BEGIN_SECONDS = 20.0  # within which a process has begun, however little it is asked
_LANES = ("quick", "ordinary", "patient")
_NICENESS = (5, 10, 10)
"""How much each gives way to the server; the first is soon done, and people wait for it."""
_WORKER = (  # it gives way at once, and imports what it will need as it is by now
    "import os; os.nice({niceness}); import {imports}; "
    "from shutbox.web.compute.worker import main; main()"
)


class Worker:
    """A process that computes; started when it is first asked, and again where it is no more."""

    def __init__(
        self, niceness: int = _NICENESS[-1], imports: Sequence[ModuleType] = (tasks,)
    ) -> None:
        """`imports` are where the work comes from that it will be asked for."""
        names = ", ".join(module.__name__ for module in imports)
        self._program = _WORKER.format(niceness=niceness, imports=names)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()  # held while a process is started or stopped
        self._closed = False
        self.started = 0
        """How often a process was started."""

    @property
    def pid(self) -> int | None:
        """The process, while there is one."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def do(self, work: Callable[..., Any], about: tuple[Any, ...], seconds: float) -> Any:
        """What `work(*about)` gives; both are pickled. Waits for it: ask in a thread.

        Raises what it raises, and Full where it takes more seconds of work, or its process dies.
        """
        try:
            pipe = self._running(max(_BEGIN_SECONDS, _PATIENCE * seconds))
            pipe.send((work, about, seconds))
            # Others may have the core: it gets its seconds of work, and does not wait for ever.
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
        """Start the process, if there is none; where that fails, who asks hears of it."""
        with suppress(EOFError, OSError, Full):
            self._running(_BEGIN_SECONDS)

    def stop(self) -> int | None:
        """Kill the process, if there is one; who waits for it is refused. How it has ended."""
        with self._lock:
            process, self._process, self._pipe = self._process, None, None
        if process is None:
            return None
        code = process.poll()
        process.kill()
        process.wait()
        return process.returncode if code is None else code

    def close(self) -> None:
        """Stop for good."""
        with self._lock:
            self._closed = True
        self.stop()

    def _running(self, seconds: float) -> Connection:
        fresh = False
        with self._lock:
            if self._closed:
                raise OSError
            if self._pipe is None or self._process is None or self._process.poll() is not None:
                self._pipe = self._start()
                fresh = True
            pipe = self._pipe
        # It says first which build it is: nothing of another one is understood for certain.
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
                # So that Ctrl-C ends the server first. A session of its own would be a group of its
                # own to Linux (sched_autogroup), with as much of the cores as the server has.
                process_group=0,
            )
        self.started += 1
        return Connection(ours.detach())


@dataclass(eq=False, slots=True)
class _Turn:
    """Somebody who waits for a worker."""

    who: str
    lane: int
    """The first of the workers that take it; those behind that one do, too."""
    worker: asyncio.Future[Worker] = field(default_factory=asyncio.Future)


class Pool:
    """The workers of one server."""

    def __init__(
        self,
        number: int = limits.WORKERS,
        worked: Callable[[float], None] = lambda seconds: None,
        imports: Sequence[ModuleType] = (tasks,),
    ) -> None:
        """`worked` is told how long each piece of work took; `imports` are those of a `Worker`."""
        self._worked = worked
        self._workers = [Worker(_NICENESS[min(place, 2)], imports) for place in range(number)]
        self._free = [*self._workers]
        self._threads = ThreadPoolExecutor(number, "compute")
        self._waiting: list[_Turn] = []
        self._working: set[str] = set()
        self._served = LruCache[str, int](limits.ALL_WAITING)
        """When each was served last, by a count."""
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
        """What a piece of work gives, in its turn.

        `who` asks: an address, or a table; `most` pieces of it may wait. `quick`: it is estimated
        to take a moment only; `patient`: no ordinary game waits for it. Raises what the work
        raises, and Full where too many wait, and where it takes too long.
        """
        mine = sum(turn.who == who for turn in self._waiting)
        last = len(self._workers) - 1
        lane = 0 if quick else last if patient else min(1, last)
        alike = sum(turn.lane == lane for turn in self._waiting)
        if self.closed or mine >= most or alike >= limits.ALL_WAITING:
            raise Full("too many calculations are running; come back in a moment", Limit.WAITING)
        turn = _Turn(who, lane)
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
        working = loop.run_in_executor(self._threads, worker.do, work, about, limits.WORK_SECONDS)
        # Who waits may go away; the worker is free once it is done.
        working.add_done_callback(lambda done: self._worked(loop.time() - begun))
        working.add_done_callback(lambda done: self._leave(worker, who, done))
        found: T = await asyncio.shield(working)
        return found

    def warm(self) -> None:
        """Start the worker for what is quick: to begin takes it longer than a first hint."""
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
        """How many wait for their turn, by what they wait for."""
        waiting = Counter(turn.lane for turn in self._waiting)
        return {name: waiting[lane] for lane, name in enumerate(_LANES)}

    @property
    def pids(self) -> Sequence[int]:
        """The processes that run."""
        return [pid for worker in self._workers if (pid := worker.pid) is not None]

    @property
    def restarts(self) -> int:
        """How many processes were started in the place of another one."""
        return sum(max(0, worker.started - 1) for worker in self._workers)

    def _serve(self) -> None:
        """Give those who wait the workers that are free, what is quick the quick one first."""
        for place, worker in enumerate(self._workers):
            if worker not in self._free:
                continue
            able = (
                turn
                for turn in self._waiting
                if turn.who not in self._working
                and turn.lane <= place
                and not turn.worker.done()  # or else he is about to go away
            )
            if (turn := min(able, key=self._last_served, default=None)) is not None:
                self._count += 1
                self._served.keep(turn.who, self._count)
                self._working.add(turn.who)
                self._free.remove(worker)
                self._waiting.remove(turn)
                turn.worker.set_result(worker)

    def _last_served(self, turn: _Turn) -> int:
        return self._served.find(turn.who) or 0

    def _leave(self, worker: Worker, who: str, done: asyncio.Future[Any] | None = None) -> None:
        if done is not None and not done.cancelled():
            done.exception()  # heard, also where nobody waits for it any more
        self._working.discard(who)
        self._free.append(worker)
        if not self.closed:
            self._serve()

    def close(self) -> None:
        """Stop every worker; who waits hears that it stopped."""
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
