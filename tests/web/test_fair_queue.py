"""The order of requests when there are too many to answer at once, with a test clock."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import Any

import pytest

from people import Person
from shutbox.web import limits
from shutbox.web.errors import Full
from shutbox.web.http.rates import FairQueue
from shutbox.web.server.services import Server


class Crowd:
    """People who wait in one queue, in the order in which their turns come."""

    def __init__(self) -> None:
        self.clock = 0.0
        self.writes = 0
        self.queue = FairQueue(now=lambda: self.clock, writes=lambda: self.writes)
        self.begun: list[str] = []
        self.waiting: list[asyncio.Task[Any]] = []

    def comes(
        self, address: str, *, stranger: bool = False, computers: bool = False
    ) -> asyncio.Task[None]:
        async def waits() -> None:
            await self.queue.turn(address, stranger=stranger, computers=computers)
            self.begun.append(address)

        self.waiting.append(asyncio.create_task(waits()))
        return self.waiting[-1]

    def asks(self, address: str) -> asyncio.Task[Callable[[], None]]:
        """A request that waits for its answer; the result tells that it begins."""

        async def waits() -> Callable[[], None]:
            answered = await self.queue.asked(address)
            self.begun.append(address)
            return answered

        self.waiting.append(task := asyncio.create_task(waits()))
        return task

    async def turns(self, number: int) -> None:
        """Let the loop come round so often."""
        for _ in range(number):
            await asyncio.sleep(0)

    async def all(self) -> list[str]:
        """Who has begun, once everybody has, or has gone."""
        async with asyncio.timeout(20):
            await asyncio.gather(*self.waiting, return_exceptions=True)
        return self.begun


def with_crowd(does: Callable[[Crowd], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in a loop of its own, with a crowd."""

    async def run() -> None:
        await does(Crowd())

    def test() -> None:
        asyncio.run(run())

    return test


@with_crowd
async def test_who_is_alone_does_not_wait(crowd: Crowd) -> None:
    turn = crowd.queue.turn("192.0.2.1")
    with pytest.raises(StopIteration):
        turn.send(None)


@with_crowd
async def test_one_begins_in_each_turn_of_the_loop(crowd: Crowd) -> None:
    for number in range(20):
        crowd.comes(f"192.0.2.{number}")
    before = 0
    while len(crowd.begun) < 20:
        await crowd.turns(1)
        assert len(crowd.begun) - before <= 1
        before = len(crowd.begun)


@with_crowd
async def test_people_at_tables_begin_before_strangers(crowd: Crowd) -> None:
    for number in range(50):
        crowd.comes(f"192.0.2.{number}")
    crowd.queue.sits("198.51.100.7")
    await crowd.turns(3)
    behind = len(crowd.begun)
    crowd.comes("198.51.100.7")
    assert (await crowd.all()).index("198.51.100.7") <= behind + 2


@with_crowd
async def test_who_has_asked_least_begins_first(crowd: Crowd) -> None:
    for _ in range(40):
        crowd.comes("192.0.2.1")
    await crowd.turns(3)
    behind = len(crowd.begun)
    crowd.comes("192.0.2.2")
    assert (await crowd.all()).index("192.0.2.2") <= behind + 2


@with_crowd
async def test_who_waits_for_an_answer_comes_after_who_waits_for_none(crowd: Crowd) -> None:
    for address in ("192.0.2.1", "192.0.2.2"):
        crowd.queue.sits(address)
    for _ in range(9):  # who has asked more, one by one
        answered = await crowd.asks("192.0.2.2")
        answered()
        answered()  # counts once
    crowd.begun.clear()
    for _ in range(3):
        crowd.asks("192.0.2.1")
    crowd.asks("192.0.2.2")
    assert await crowd.all() == ["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.1"]
    assert sum(crowd.queue._unanswered.values()) == 4
    for task in crowd.waiting:
        task.result()()
    assert not crowd.queue._unanswered


@with_crowd
async def test_who_goes_before_the_turn_waits_for_no_answer(crowd: Crowd) -> None:
    crowd.asks("192.0.2.1")
    gone = crowd.asks("192.0.2.2")
    await crowd.turns(1)
    gone.cancel()
    await crowd.all()
    assert list(crowd.queue._unanswered) == ["192.0.2.1"]


@with_crowd
async def test_while_much_is_written_only_people_begin(crowd: Crowd) -> None:
    for address in ("192.0.2.1", "192.0.2.2"):
        crowd.queue.sits(address)
    crowd.writes = limits.MOST_WRITES
    for _ in range(3):
        crowd.asks("192.0.2.1")
    crowd.asks("192.0.2.9")
    crowd.asks("192.0.2.2")
    await asyncio.sleep(0.05)
    assert crowd.begun == ["192.0.2.1", "192.0.2.2"]
    crowd.writes = 0
    assert (await crowd.all())[2:] == ["192.0.2.1", "192.0.2.1", "192.0.2.9"]


@with_crowd
async def test_who_asked_long_ago_is_as_one_who_never_did(crowd: Crowd) -> None:
    for _ in range(60):
        crowd.comes("192.0.2.1")
    await crowd.all()
    crowd.clock += 20 * limits.ASKED_SECONDS
    crowd.comes("192.0.2.2")
    crowd.comes("192.0.2.3")
    crowd.comes("192.0.2.3")
    crowd.comes("192.0.2.1")
    assert (await crowd.all())[-1] == "192.0.2.3"


@with_crowd
async def test_half_of_ipv6_is_one_household(crowd: Crowd) -> None:
    crowd.queue.sits("2001:db8::1")
    assert crowd.queue.is_seated("2001:db8::2")
    assert not crowd.queue.is_seated("2001:db8:0:1::2")


@with_crowd
async def test_who_asks_too_often_is_as_a_stranger_also_at_a_table(crowd: Crowd) -> None:
    for address in ("192.0.2.1", "192.0.2.2"):
        crowd.queue.sits(address)
    for _ in range(int(limits.FIRST_REQUESTS) + 5):
        crowd.comes("192.0.2.1")
    await crowd.all()
    crowd.begun.clear()
    crowd.comes("192.0.2.9")
    crowd.comes("192.0.2.1")
    crowd.comes("192.0.2.9")
    crowd.comes("192.0.2.2")
    assert (await crowd.all())[-1] == "192.0.2.1"


@with_crowd
async def test_computers_among_themselves_are_strangers_at_any_address(crowd: Crowd) -> None:
    crowd.queue.sits("192.0.2.1")
    crowd.comes("192.0.2.9")
    computers, person = crowd.comes("192.0.2.1", stranger=True), crowd.comes("192.0.2.1")
    order: list[asyncio.Task[None]] = []
    for each in (computers, person):
        each.add_done_callback(order.append)
    await crowd.all()
    assert order == [person, computers]


@with_crowd
async def test_nobody_sits_at_a_table_for_ever(crowd: Crowd) -> None:
    crowd.queue.sits("192.0.2.1")
    crowd.clock += limits.SEATED_SECONDS + 1
    assert not crowd.queue.is_seated("192.0.2.1")


@with_crowd
async def test_strangers_leave_most_of_the_time_to_people_at_tables(crowd: Crowd) -> None:
    crowd.queue.sits("198.51.100.7")
    crowd.comes("198.51.100.7")
    await crowd.turns(5)
    crowd.comes("192.0.2.1")
    await crowd.turns(1)
    crowd.clock += 0.02  # what the turn took
    crowd.comes("192.0.2.2")
    await crowd.turns(20)
    assert crowd.begun == ["198.51.100.7", "192.0.2.1"]
    crowd.comes("198.51.100.7")
    await crowd.turns(5)
    assert crowd.begun == ["198.51.100.7", "192.0.2.1", "198.51.100.7"]
    crowd.clock += 0.06
    await crowd.turns(5)
    assert len(crowd.begun) == 3
    crowd.clock += 0.03
    assert (await crowd.all())[-1] == "192.0.2.2"


@with_crowd
async def test_strangers_do_not_pause_where_nobody_plays(crowd: Crowd) -> None:
    for number in range(5):
        crowd.comes(f"192.0.2.{number}")
    while len(crowd.begun) < 5:
        crowd.clock += 0.02
        before = len(crowd.begun)
        await crowd.turns(3)
        assert len(crowd.begun) > before


@with_crowd
async def test_who_has_gone_takes_no_turn(crowd: Crowd) -> None:
    for number in range(10):
        crowd.comes(f"192.0.2.{number}")
    await crowd.turns(1)
    for gone in crowd.waiting[3:]:
        gone.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await crowd.all()
    assert crowd.begun == ["192.0.2.0", "192.0.2.1", "192.0.2.2"]
    crowd.comes("192.0.2.99")
    assert (await crowd.all())[-1] == "192.0.2.99"


@with_crowd
async def test_addresses_that_asked_long_ago_are_forgotten(crowd: Crowd) -> None:
    for number in range(30_000):
        crowd.clock += 0.01
        address = f"10.0.{number >> 8}.{number & 255}"
        crowd.queue.sits(address)
        crowd.queue._ask(address)
    assert len(crowd.queue._asked) <= 10_000
    assert len(crowd.queue._seated) <= 60_000


@with_crowd
async def test_of_too_many_who_wait_those_who_asked_most_are_refused(crowd: Crowd) -> None:
    crowd.queue.sits("198.51.100.7")
    person = crowd.comes("198.51.100.7")
    computers = crowd.comes("192.0.2.1", computers=True)
    for _ in range(2 * limits.MOST_REQUESTS):
        crowd.comes("192.0.2.1")
    later = crowd.comes("192.0.2.2")
    await crowd.turns(1)
    assert len(crowd.queue._waiting) <= limits.MOST_REQUESTS
    crowd.clock += 1
    await crowd.all()
    for one in (person, computers, later):
        assert one.exception() is None
    refused = [isinstance(one.exception(), Full) for one in crowd.waiting]
    assert 0 < limits.MOST_REQUESTS - refused.count(False) < limits.MOST_REQUESTS // 5


@with_crowd
async def test_computers_are_refused_by_nobody(crowd: Crowd) -> None:
    for _ in range(2 * limits.MOST_REQUESTS):
        crowd.comes("192.0.2.1", computers=True)
    await crowd.all()
    assert len(crowd.begun) == 2 * limits.MOST_REQUESTS


# At a server


def test_what_computers_do_is_not_counted_as_asked_by_who_plays_with_them(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    ask = server.queue._ask

    def counts(who: str) -> float:
        counted.append(who)
        return ask(who)

    monkeypatch.setattr(server.queue, "_ask", counts)
    seats = [{"who": "me"}, *({"who": "computer"} for _ in range(5))]
    view = ann.open(game="classic", seats=seats)["view"]
    asked = 1
    while view["phase"] != "over":
        asked += 1
        view = ann.get(f"/api/rooms/{view['room']}").json()["view"]
        if view["phase"] == "playing" and view["table"]["seat"] == 0:
            ann.step(view["room"], view["table"])
            asked += 1
    assert counted.count("127.0.0.1") == asked
    assert len(counted) > asked + 5


def test_where_too_many_wait_a_request_is_refused_in_few_bytes(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(address: str) -> Callable[[], None]:
        raise Full("too many requests wait", "requests-waiting")

    monkeypatch.setattr(server.queue, "asked", full)
    answer = ann.get("/")
    assert (answer.status_code, answer.content) == (503, b"")
    assert answer.headers["retry-after"] == "5"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_nobody_waits_for_any_more_is_not_looked_at(ann: Person, method: str) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    client: Any = ann.client
    state = {"gone": True}
    host = [(b"host", b"localhost")]
    scope: dict[str, Any] = {
        "type": "http",
        "method": method,
        "path": "/games",
        "headers": host,
        "state": state,
    }
    scope |= {"query_string": b"", "client": ("192.0.2.1", 1), "scheme": "http"}
    asyncio.run(client.app(scope, receive, send))
    # What is done is done, also where nobody hears the answer.
    assert bool(sent) == (method == "POST")


def test_every_request_waits_its_turn(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[str] = []

    async def turn(address: str, **options: bool) -> None:
        waited.append(address)

    monkeypatch.setattr(server.queue, "turn", turn)
    opened = ann.open(game="classic")
    assert len(waited) == 1
    for number, path in enumerate(("/health", "/static/base.css", "/"), 2):
        ann.get(path)
        assert len(waited) == number
    client: Any = ann.client
    live = client.websocket_connect(f"/api/rooms/{opened['view']['room']}/live")
    with contextlib.suppress(CancelledError), live as socket:
        socket.receive_text()
    assert len(waited) == 5


def test_what_is_answered_waits_for_no_answer(ann: Person, server: Server) -> None:
    opened = ann.open(game="classic")
    ann.get("/games")
    ann.get("/no-such-page")
    client: Any = ann.client
    asked = [sum(server.queue._unanswered.values())]
    live = client.websocket_connect(f"/api/rooms/{opened['view']['room']}/live")
    with contextlib.suppress(CancelledError), live as socket:
        socket.receive_text()
        asked.append(sum(server.queue._unanswered.values()))
    assert asked == [0, 0]


def test_who_acts_at_a_table_sits_there_and_who_opens_a_page_does_not(
    ann: Person, server: Server
) -> None:
    address = "127.0.0.1"
    ann.get("/")
    assert not server.queue.is_seated(address)
    opened = ann.open(game="classic")
    ann.step(opened["view"]["room"], opened["view"]["table"])
    assert server.queue.is_seated(address)
