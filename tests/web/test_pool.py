"""The worker pool: its order, its limits, and its handling of failures."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shutbox import find
from shutbox.engine.dice import Roll
from shutbox.engine.errors import Ambiguous, BadVariant, NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.lru import LruCache
from shutbox.table.lookup import find_any, match_of
from shutbox.web import limits
from shutbox.web.compute import pool as compute
from shutbox.web.compute import tasks
from shutbox.web.compute.pool import Pool, Worker
from shutbox.web.errors import Broken, Full, NotReady
from shutbox.web.http import responses


@pytest.fixture(scope="module")
def started() -> Iterator[list[Worker]]:
    """Workers, started once for all the tests of the module."""
    workers = [Worker(), Worker()]
    yield workers
    for each in workers:
        each.stop()


@pytest.fixture
def pool(started: list[Worker]) -> Pool:
    made = Pool(2)
    made._workers = [*started]
    return made


def answer(number: int) -> int:
    return number


def write_down(path: Path, word: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{word}\n")


def refuse(kind: str) -> None:
    match kind:
        case "ambiguous":
            raise Ambiguous("{what} is two things", ("a", "b"), what="that")
        case "variant":
            raise BadVariant("box", ("one", "two"))
        case "large":
            raise TooLarge("{size} is too large", costly=True, size=7)
    raise NotUnderstood("{text} is nothing", text=kind)


def test_a_worker_gives_what_the_work_gives_or_the_traceback_of_a_bug(pool: Pool) -> None:
    assert asyncio.run(pool.do("ann", answer, 7)) == 7
    with pytest.raises(Broken, match="ZeroDivisionError"):
        asyncio.run(pool.do("ann", divmod, 1, 0))
    with pytest.raises(Broken, match="cannot pickle"):  # its result
        asyncio.run(pool.do("ann", threading.Lock))
    assert asyncio.run(pool.do("ann", answer, 8)) == 8


def test_a_refusal_comes_as_it_was_made(pool: Pool) -> None:
    for kind in ("ambiguous", "variant", "large", "what"):
        with pytest.raises(ShutboxError) as here:
            refuse(kind)
        with pytest.raises(type(here.value)) as there:
            asyncio.run(pool.do("ann", refuse, kind))
        assert str(there.value) == str(here.value)
        facts = [
            {name: value for name, value in vars(found.value).items() if name != "_template"}
            for found in (there, here)
        ]
        assert facts[0] == facts[1]


def test_who_was_served_longest_ago_is_served_next(pool: Pool, tmp_path: Path) -> None:
    order = tmp_path / "order"

    async def all_at_once() -> None:
        names = ["zoe", "ann", "ann", "bob", "cid"]
        await asyncio.gather(*(pool.do(name, write_down, order, name) for name in names))

    asyncio.run(all_at_once())
    assert order.read_text(encoding="utf-8").split() == ["zoe", "ann", "bob", "cid", "ann"]


def come(path: Path) -> None:
    """Wait until a file is there."""
    while not path.exists():
        time.sleep(0.01)


def test_what_is_quick_never_waits_for_what_is_not(pool: Pool, tmp_path: Path) -> None:
    async def at_once() -> tuple[bool, bool]:
        long = [asyncio.ensure_future(pool.do(who, come, tmp_path / "end")) for who in "abc"]
        await asyncio.sleep(0)
        for _ in range(5):
            await pool.do("d", answer, 1, quick=True)
        done = [one.done() for one in long]
        for one in long[1:]:
            one.cancel()
        (tmp_path / "end").touch()
        await long[0]
        return done[1], done[2]

    assert asyncio.run(at_once()) == (False, False)


def test_one_who_asks_for_much_is_refused_and_the_others_are_not(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def much(*callers: str) -> list[object]:
        asked = [pool.do(caller, answer, number) for number, caller in enumerate(callers)]
        return await asyncio.gather(*asked, return_exceptions=True)

    most = limits.MOST_WAITING
    *anns, bobs = asyncio.run(much(*["ann"] * (most + 3), "bob"))
    assert bobs == most + 3
    assert [one for one in anns if not isinstance(one, Full)] == [*range(most + 1)]
    monkeypatch.setattr(limits, "ALL_WAITING", 3)
    assert sum(isinstance(one, Full) for one in asyncio.run(much(*"abcdef"))) == 2


def test_what_takes_too_long_is_given_up_and_the_next_is_done(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may wait for a core longer than it may work."""
    monkeypatch.setattr(limits, "WORK_SECONDS", 0.3)
    with pytest.raises(Full, match="too long"):
        asyncio.run(pool.do("ann", sum, range(10**11)))
    asyncio.run(pool.do("ann", time.sleep, 0.5))
    with pytest.raises(Full, match="too long"):
        asyncio.run(pool.do("ann", time.sleep, 60))
    monkeypatch.setattr(limits, "WORK_SECONDS", 20)
    assert asyncio.run(pool.do("ann", answer, 7)) == 7


def test_a_worker_that_is_killed_is_told_of_and_replaced(pool: Pool) -> None:
    with pytest.raises(Full, match="ask again"):
        asyncio.run(pool.do("ann", os.kill, 0, signal.SIGKILL))
    assert asyncio.run(pool.do("ann", answer, 7)) == 7
    for each in pool._workers:  # one that dies while it waits costs nothing
        if each._process is not None:
            each._process.kill()
            each._process.wait()
    assert asyncio.run(pool.do("ann", answer, 8)) == 8
    with pytest.raises(TooLarge, match="more memory"):
        asyncio.run(pool.do("ann", bytearray, limits.WORKER_MEMORY))
    assert asyncio.run(pool.do("ann", answer, 9)) == 9


def test_who_goes_away_leaves_the_worker_to_the_others(pool: Pool) -> None:
    async def gone() -> int:
        waits = [asyncio.ensure_future(pool.do("ann", time.sleep, 0.2)) for _ in range(3)]
        await asyncio.sleep(0)
        for one in waits:
            one.cancel()
        return await pool.do("ann", answer, 7)

    assert asyncio.run(gone()) == 7
    assert not pool._working


def test_a_pool_that_is_closed_lets_nobody_wait() -> None:
    async def closed() -> list[object]:
        pool = Pool(2)
        waits = [asyncio.ensure_future(pool.do("ann", time.sleep, 60)) for _ in range(3)]
        await asyncio.sleep(0.05)
        pool.close()
        return await asyncio.gather(*waits, return_exceptions=True)

    begun = time.monotonic()
    assert [type(one) for one in asyncio.run(closed())] == [NotReady] * 3
    assert time.monotonic() - begun < 30


def test_a_worker_that_starts_slowly_goes_on_starting_and_gives_way_to_its_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "WAIT_SECONDS", 0.01)
    worker, refused = Worker(7), list[ShutboxError]()
    niceness = os.getpriority(os.PRIO_PROCESS, 0)
    worker._program = f"import time; time.sleep(0.5); {worker._program}"
    worker.begin()
    pid, done = worker.pid, 0
    try:
        while not done:
            try:
                done = worker.do(answer, (7,), 20.0)
            except NotReady as error:
                refused.append(error)
        assert (done, bool(refused), worker.pid) == (7, True, pid)
        # Linux shares the cores by sessions first, and looks at niceness only within one.
        assert pid is not None
        assert os.getpriority(os.PRIO_PROCESS, pid) == min(19, niceness + 7)
        assert os.getsid(pid) == os.getsid(0)
        assert os.getpgid(pid) == pid  # Ctrl-C ends the server first
    finally:
        worker.stop(for_good=True)
    with pytest.raises(NotReady, match="is stopping") as stopping:
        worker.do(answer, (7,), 20.0)
    busy = Full(compute._BUSY, compute._RETRY_SECONDS)
    replies = [responses.refusal(error) for error in (refused[0], stopping.value, busy)]
    assert [reply.status_code for reply in replies] == [503, 503, 429]
    assert len({reply.body for reply in replies}) == 3
    assert all(reply.headers["Retry-After"] == "3" for reply in replies)


def test_what_is_quick_is_said_by_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "whole_cost", None)  # which would look at every roll
        large = find("classic(tiles=1-30,dice=12d18,cover=one)")
        assert not tasks.is_quick(large)
        assert tasks.cost_of(large.name) is None
        patch.setattr(limits, "MOST_ROLLS", 20)
        assert tasks.cost_of("classic(tiles=1-7)") is None
    # Two players take longer than one; of six it is not worked out who wins, which is quick.
    named = ("classic", "pub[seats=4]", "pub[seats=6]", "cargo", "double-shutter")
    quick = [tasks.is_quick(find_any(name)) for name in named]
    assert quick == [True, False, True, True, False]
    monkeypatch.setattr(limits, "QUICK_SECONDS", 0.0)
    assert not tasks.is_quick(find("cargo"))


def test_what_is_in_a_file_is_quick_whoever_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUICK_SECONDS", 0.01)
    ann = match_of("three-to-go", ["Ann", "Bob"], "rounds=1")
    zoe = match_of("three-to-go", ["Zoe", "Yan"], "rounds=1")
    here = ann.rolled(ann.start(), Roll((1, 2)))
    assert not tasks.is_quick(zoe)
    hint = tasks.hint(ann, here, "explained")
    assert tasks.is_quick(zoe)
    assert tasks.hint(zoe, here, "explained") == hint


def test_a_game_is_asked_about_by_its_rules_and_not_by_who_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "_solved", LruCache(limits.MOST_SOLVED, limits.SOLVED_MEMORY))
    for names in (["Ann", "Bob"], ["Zoe", "Yan"]):
        match = match_of("six", names, "")
        here = match.rolled(match.start(), Roll((2,)))
        for kind in ("perfect", "careful"):
            assert tasks.choose(match, kind, here) == "2"
        tasks.hint(match, here, "ranked")
    assert len(tasks._solved) == 3


def test_the_worker_for_what_is_quick_is_started_once_before_anybody_asks() -> None:
    pool = Pool(2)

    async def first() -> int:
        pool.warm()
        pool.warm()
        return await pool.do("ann", os.getpid, quick=True)

    try:
        pid = asyncio.run(first())
        assert [worker.pid for worker in pool._workers] == [pid, None]
    finally:
        pool.close()


def test_who_waits_in_a_row_is_told_as_soon_as_the_first(
    pool: Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = tmp_path / "end"

    async def row() -> list[object]:
        await pool.do("x", answer, 0)  # it has started
        monkeypatch.setattr(limits, "WAIT_SECONDS", 0.05)
        long = asyncio.ensure_future(pool.do("a", come, end))
        later = asyncio.ensure_future(pool.do("computers", answer, 1, background=True))
        told = await asyncio.gather(*(pool.do(w, answer, 1) for w in "bcd"), return_exceptions=True)
        assert not long.done()
        end.touch()
        await long
        return [*map(type, told), await later]

    assert asyncio.run(row()) == [Full, Full, Full, 1]
