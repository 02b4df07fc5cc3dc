"""A pool in which all workers are busy, and workers killed while they work."""

import os
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx2

from faults.checks import played
from people import Person
from serving import PATIENCE, Served, until
from shutbox.web import limits

FEW = 6
PLANT = f"""
from shutbox.web import limits
limits.ALL_WAITING = {FEW}
limits.WAIT_SECONDS = {PATIENCE}
"""


class Hints:
    """Somebody who asks for hints at a table, any number at once, from addresses of his choice."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._threads = ThreadPoolExecutor(4 * FEW)
        with served.client() as client:
            opened = Person(client).open(game="classic", seats=[{"who": "me"}])
            self._path = f"/api/rooms/{opened['view']['room']}/hint"
            self._key = {"Authorization": f"Bearer {opened['keys']['0']}"}
            Person(client).step(opened["view"]["room"], opened["view"]["table"])

    def __enter__(self) -> "Hints":
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()

    def ask(self, address: str) -> Future[httpx2.Response]:
        """A hint, as if somebody asked through a proxy."""
        headers = {**self._key, "X-Forwarded-For": address}
        return self._threads.submit(self._served.get, self._path, headers)


def workers(served: Served) -> list[int]:
    """The processes that compute for a server."""
    found: list[int] = []
    for task in Path(f"/proc/{served.pid}/task").iterdir():
        with suppress(OSError):
            found += map(int, (task / "children").read_text().split())
    return sorted(found)


def all_stopped(served: Served, hints: Hints) -> tuple[list[int], list[Future[httpx2.Response]]]:
    """All the workers, each stopped at work, and who waits for them: of each an address."""
    found: list[int] = []
    asked: list[Future[httpx2.Response]] = []
    while len(found) < limits.WORKERS:
        asked.append(hints.ask(f"192.0.2.{len(asked)}"))
        until(lambda: len(workers(served)) > len(found))
        for new in sorted(set(workers(served)) - set(found)):
            os.kill(new, signal.SIGSTOP)
            found.append(new)
    # One that was quicker than the signal is free, and takes the next.
    asked.append(hints.ask(f"192.0.2.{len(asked)}"))
    time.sleep(1.0)
    return found, [one for one in asked if not one.done()]


def test_a_pool_that_is_exhausted_and_killed_tells_why_and_everybody_else_plays_on(
    tmp_path: Path,
) -> None:
    with played(tmp_path, PLANT) as (served, load), Hints(served) as hints:
        killed, asked = all_stopped(served, hints)
        while not any(one.done() for one in asked):
            asked.append(hints.ask(f"198.51.100.{len(asked)}"))
            time.sleep(0.2)
        refused = [one.result() for one in asked if one.done()]
        waiting = [one for one in asked if not one.done()]
        assert len(waiting) >= FEW
        assert reasons(refused) == {"Too many calculations are running; try again in 3 seconds."}
        load.wait(20)
        with served.client() as client:
            seats = [{"who": "me"}, {"who": "computer:perfect"}]
            assert Person(client).open(game="classic", seats=seats)["view"]["table"]
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        answers = [one.result(PATIENCE) for one in waiting]
        stopped = [answer for answer in answers if answer.status_code != 200]
        assert "The calculation stopped; ask again." in reasons(stopped)
        assert len(stopped) < len(answers)
        assert hints.ask("203.0.113.1").result(PATIENCE).json()["best"]
        assert not set(killed) & set(workers(served))


def reasons(refused: list[httpx2.Response]) -> set[str]:
    """What is said in these refusals."""
    assert {answer.status_code for answer in refused} == {429}
    return {answer.json()["error"]["message"] for answer in refused}
