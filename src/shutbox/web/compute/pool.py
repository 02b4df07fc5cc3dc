"""A pool of worker processes for long calculations, so that other requests do not wait for them.

Each caller has one piece of work running at a time, and those who wait take turns. One worker takes
only quick work, so that a hint at an ordinary table never waits for a slow one. Nobody waits long
for a worker to start or to be free: after a few seconds, the caller hears that all are busy.

A worker does one piece of work after the other, each in the language of its caller. It yields to
the server when both want the same core, and ends with it.
"""

import asyncio
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from shutbox.engine import messages
from shutbox.engine.errors import ShutboxError, blaming
from shutbox.web import limits
from shutbox.web.compute import tasks  # noqa: F401  # most work, imported before the first
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
            work, arguments, seconds, spoken = server.recv()
            # The system kills a process that takes more CPU seconds, even inside compiled code.
            signal.setitimer(signal.ITIMER_PROF, seconds)
            with messages.speaking(spoken):
                answer = _pickled_result(work, arguments)
            signal.setitimer(signal.ITIMER_PROF, 0)
            server.send_bytes(answer)


def _pickled_result(work: Any, arguments: tuple[Any, ...]) -> bytes:
    """Return the result of `work(*arguments)` and None, or None and a refusal, pickled together.

    A bug of the work, or a result that cannot be pickled, is refused as Broken.
    """
    refusal: Exception
    try:
        with blaming():
            return pickle.dumps((work(*arguments), None))
    except ShutboxError as error:
        refusal = error
    except MemoryError:
        refusal = OutOfMemory("that takes more memory than is allowed here")
    except Exception:
        refusal = Broken(traceback.format_exc())
    return pickle.dumps((None, refusal))  # a refusal is put into words only now


T = TypeVar("T")
_BUSY = messages.gettext_noop("too many calculations are running; try again in {seconds} seconds")
_STARTING = messages.gettext_noop("the server is just starting; try again in {seconds} seconds")
_CLOSING = messages.gettext_noop("the server is stopping; try again in {seconds} seconds")
_RETRY_SECONDS = 3  # after each of the three
_PATIENCE = 4  # seconds that a process may take per CPU second, since it shares the cores
_NICENESS = (5, 10)  # of the worker for quick work, for which people wait, and of the others
_WORKER = (  # nice from the start
    "import os; os.nice({niceness}); from shutbox.web.compute.pool import main; main()"
)


class Worker:
    """A process that computes, started for its first work and again if it has died."""

    def __init__(self, niceness: int = _NICENESS[-1]) -> None:
        self._program = _WORKER.format(niceness=niceness)
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection
        self._ready = False  # whether the process has imported its modules
        self._lock = threading.Lock()  # held while a process is started or stopped
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The id of the process; None if none is running."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def do(self, work: Callable[..., Any], arguments: tuple[Any, ...], seconds: float) -> Any:
        """Return the result of `work(*arguments)`, both pickled. Blocks, so call it in a thread.

        Raises the ShutboxError that the work raises, Broken for any other error of it, OutOfMemory,
        Full if it takes more than `seconds` of CPU time or several times as long by the clock, or
        if its process dies, and NotReady if its process is still starting, or the worker is closed.
        """
        try:
            pipe = self.begin()
            if not self._ready:
                if not pipe.poll(limits.WAIT_SECONDS):  # it goes on starting
                    raise NotReady(_STARTING, _RETRY_SECONDS)
                self._ready = pipe.recv() is None
            pipe.send((work, arguments, seconds, messages.language()))
            # Others may hold the core: wait for its CPU seconds, but not indefinitely.
            if not pipe.poll(_PATIENCE * seconds):
                raise TimeoutError
            result, refused = pipe.recv()
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
        return result

    def begin(self) -> Connection:
        """Start the process if none is running, and return its pipe. Raises OSError if closed."""
        with self._lock:
            if self._closed:
                raise OSError
            if self.pid is None:
                self._start()
            return self._pipe

    def stop(self, *, for_good: bool = False) -> int | None:
        """Kill the process; return its exit code, None without one. A running `do` raises Full.

        Once it is stopped for good, `do` raises NotReady.
        """
        with self._lock:
            self._closed |= for_good
            process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        return process.wait()

    def _start(self) -> None:
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
        self._pipe, self._ready = Connection(ours.detach()), False


@dataclass(eq=False, slots=True)
class _Job:
    """A piece of work that waits for a worker; it is `done` early if its caller has gone."""

    caller: str
    quick: bool  # whether the worker for quick work takes it, too
    run: Callable[[Worker], Any]
    done: asyncio.Future[Any] = field(default_factory=asyncio.Future)


class Pool:
    """The workers of one server, with the queue of work for them."""

    def __init__(self, number: int = limits.WORKERS) -> None:
        """Prepare `number` workers."""
        self._workers = [Worker(_NICENESS[n > 0]) for n in range(number)]
        self._working: dict[Worker, str] = {}  # by worker: for whom it works
        self._waiting: list[_Job] = []
        self._threads = ThreadPoolExecutor(number, "compute")
        self.closed = False

    async def do(
        self,
        caller: str,
        work: Callable[..., T],
        *arguments: Any,
        quick: bool = False,
        background: bool = False,
    ) -> T:
        """Queue `work(*arguments)` for a worker, and return its result; both are pickled.

        `caller` is an address or a table. `quick` work is estimated to take a moment. Any number of
        pieces of `background` work wait as long as it takes. Raises what `Worker.do` raises; Full
        if too much waits or no worker is soon free; NotReady if closed.
        """
        if self.closed:
            raise NotReady(_CLOSING, _RETRY_SECONDS)
        self._waiting = [job for job in self._waiting if not job.done.done()]
        mine = sum(job.caller == caller for job in self._waiting)
        alike = sum(job.quick == quick for job in self._waiting)
        if not background and (mine >= limits.MOST_WAITING or alike >= limits.ALL_WAITING):
            raise Full(_BUSY, _RETRY_SECONDS)
        run = partial(Worker.do, work=work, arguments=arguments, seconds=limits.WORK_SECONDS)
        job = _Job(caller, quick, partial(copy_context().run, run))
        self._waiting.append(job)
        self._serve()
        if not background:
            asyncio.get_running_loop().call_later(limits.WAIT_SECONDS, self._give_up, job)
        result: T = await job.done
        return result

    def warm(self) -> None:
        """Start the worker for quick work in a thread; do not wait."""
        self._threads.submit(self._workers[0].begin)  # if that fails, the next work reports it

    def _serve(self) -> None:
        """Give each free worker, the quick one first, to the next of the callers it is for."""
        for place, worker in enumerate(self._workers):
            busy = self._working.values()
            free = (job for job in self._waiting if job.caller not in busy and not job.done.done())
            able = (job for job in free if job.quick or place)
            if worker not in self._working and (job := next(able, None)):
                self._start(worker, job)

    def _start(self, worker: Worker, job: _Job) -> None:
        """Let a worker do a job; what else its caller waits for comes after all others' work."""
        self._working[worker] = job.caller
        self._waiting.remove(job)
        self._waiting.sort(key=lambda other: other.caller == job.caller)
        running = asyncio.get_running_loop().run_in_executor(self._threads, job.run, worker)
        running.add_done_callback(partial(self._leave, worker, job))

    def _leave(self, worker: Worker, job: _Job, ran: asyncio.Future[Any]) -> None:
        """Free a worker that has done a job, whose caller may have gone; serve the next."""
        del self._working[worker]
        if error := ran.exception():
            self._refuse(job, error)
        elif not job.done.done():
            job.done.set_result(ran.result())
        if not self.closed:
            self._serve()

    def _give_up(self, job: _Job) -> None:
        if job in self._waiting:
            self._refuse(job, Full(_BUSY, _RETRY_SECONDS))

    def _refuse(self, job: _Job, error: BaseException) -> None:
        if not job.done.done():
            job.done.set_exception(error)

    def close(self) -> None:
        """Stop every worker for good; callers whose work waits or runs get NotReady."""
        self.closed = True
        for worker in self._workers:
            worker.stop(for_good=True)
        for job in self._waiting:
            self._refuse(job, NotReady(_CLOSING, _RETRY_SECONDS))
        self._threads.shutdown(wait=False)
