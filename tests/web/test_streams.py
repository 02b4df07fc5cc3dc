"""Live events: both streams, gaps, slow listeners, and the end."""

import asyncio
import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from people import Person, path_of
from serving import PATIENCE, Served, until
from shutbox.web import limits
from shutbox.web.api import streams
from shutbox.web.rooms.access import Viewer
from shutbox.web.server.services import Server

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


class Here:
    """A room at a server of its own process, with its host at seat 0."""

    def __init__(self, served: Served, client: httpx2.Client) -> None:
        self.served = served
        self.ann = Person(client)
        opened = self.ann.open(game="classic", seats=TWO[:1])
        self.room, self.keys = opened["view"]["room"], opened["keys"]

    def plays(self, times: int) -> None:
        """So many events, and games one after the other."""
        table = self.ann.table(self.room)
        for _ in range(times):
            if table["does"] == "over":
                again = self.ann.post(path_of(self.room, "rematch"), game=table["game"])
                table = again.json()["view"]["table"]
            else:
                table = self.ann.step(self.room, table)

    @property
    def number(self) -> int:
        found = self.ann.get(path_of(self.room)).json()
        return int(found["view"]["number"])

    @property
    def watching(self) -> int:
        found = self.ann.get(path_of(self.room)).json()
        return int(found["view"]["watching"])

    @contextlib.contextmanager
    def socket(self, key: str = "0", query: str = "", **options: Any) -> Iterator[ClientConnection]:
        address = self.served.url.replace("http:", "ws:") + path_of(self.room, "live") + query
        bearer = {"Authorization": f"Bearer {self.keys.get(key, key)}"}
        with connect(
            address, additional_headers=bearer, open_timeout=PATIENCE, close_timeout=0.5, **options
        ) as socket:
            yield socket

    @contextlib.contextmanager
    def events(self, key: str = "0", query: str = "", **headers: str) -> Iterator["Events"]:
        bearer = {"authorization": f"Bearer {self.keys.get(key, key)}", **headers}
        with (
            self.served.client() as client,
            client.stream("GET", path_of(self.room, "events") + query, headers=bearer) as response,
        ):
            yield Events(response)


class Events:
    """Server-sent events, read one by one."""

    def __init__(self, response: httpx2.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()
        self.ids: list[str] = []

    def next(self) -> dict[str, Any] | None:
        """The next message; None at the end."""
        for line in self._lines:
            if line.startswith("id: "):
                self.ids.append(line.removeprefix("id: "))
            if line.startswith("data: "):
                message: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return message
        return None


def heard(socket: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
    return message


def closing(socket: ClientConnection) -> int | None:
    """The code with which the other side closes, whatever it says before."""
    try:
        while True:
            socket.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


@pytest.fixture
def here(served: Served) -> Iterator[Here]:
    with served.client() as client:
        yield Here(served, client)


def test_both_streams_tell_the_same(here: Here) -> None:
    with here.socket() as socket, here.events() as events:
        assert events.response.headers["content-type"].startswith("text/event-stream")
        assert events.response.headers["cache-control"] == "no-store"
        assert "nosniff" in events.response.headers["x-content-type-options"]
        assert "default-src" in events.response.headers["content-security-policy"]
        first = heard(socket)
        assert first == events.next()
        assert first["type"] == "picture"
        here.plays(1)
        told = [heard(socket) for _ in range(2)]  # with one about the seal
        assert told == [events.next() for _ in range(2)]
    assert [message["number"] for message in told] == list(range(4, 6))
    assert {message["type"] for message in told} == {"event"}
    assert events.ids == [str(number) for number in range(3, 6)]
    assert told[-1]["view"] == here.ann.get(path_of(here.room)).json()["view"]
    assert told[1]["happened"]["says"]


def test_whoever_comes_back_gets_the_gap_and_nothing_else(here: Here) -> None:
    here.plays(10)
    last = here.number
    for since in (3, 7, last - 1):
        with here.socket(query=f"?since={since}") as socket:
            told = [heard(socket) for _ in range(last - since)]
        with here.events(query=f"?since={since}") as events:
            assert told == [events.next() for _ in range(last - since)]
        with here.events(query="?since=1", **{"last-event-id": str(since)}) as events:
            assert told == [events.next() for _ in range(last - since)]
        assert [message["number"] for message in told] == list(range(since + 1, last + 1))
    # Whoever knows everything hears what comes next.
    with here.socket(query=f"?since={last}") as socket:
        here.plays(1)
        assert heard(socket)["number"] == last + 1


def test_after_a_gap_that_is_too_long_there_is_a_whole_picture(here: Here) -> None:
    here.plays(limits.LOG_LINES + 10)
    last = here.number
    oldest = last - limits.CACHED_MESSAGES
    for since, kind in ((oldest, "event"), (oldest - 1, "picture"), (0, "picture")):
        with here.socket(query=f"?since={since}") as socket:
            first = heard(socket)
            assert first["type"] == kind
        if kind == "picture":
            assert first["number"] == last
            assert first["log"] == here.ann.get(path_of(here.room)).json()["log"]
            assert len(first["log"]) == limits.LOG_LINES


def turned_away(socket: ClientConnection) -> tuple[int, str]:
    """The code and the reason with which a socket is closed, before anything came by it."""
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


@pytest.mark.parametrize("since", ["-1", "x", "1.5", "99999999999", "2147483648", "\u0663", "1 "])
def test_a_number_that_is_none(here: Here, since: str) -> None:
    bearer = {"authorization": f"Bearer {here.keys['0']}"}
    query = httpx2.QueryParams({"since": since})
    response = here.ann.get(f"{path_of(here.room, 'events')}?{query}", headers=bearer)
    assert response.status_code == 400
    with here.socket(query=f"?{query}") as socket:
        assert turned_away(socket) == (streams.REFUSED, "bad-request")


def test_what_is_no_text_ends_the_stream_and_fills_no_log(here: Here) -> None:
    with here.socket() as socket:
        heard(socket)
        socket.send(b"\xff\xfe", text=True)
        with pytest.raises(ConnectionClosed):
            list(socket)
    assert here.number == 3
    assert "Traceback" not in here.served.log.read_text()


# Spectators


def test_spectators_are_counted_as_they_come_and_go(here: Here) -> None:
    assert here.watching == 0
    with here.socket() as player:
        assert heard(player)["view"]["watching"] == 0
        with here.socket("watch") as one:
            assert heard(one)["view"]["watching"] == 1
            assert heard(player) == {"type": "watching", "watching": 1}
            with here.events("watch") as two:
                two.next()
                assert heard(player) == {"type": "watching", "watching": 2}
                assert here.watching == 2
            until(lambda: here.watching == 1)
            assert heard(player) == {"type": "watching", "watching": 1}
        assert heard(player) == {"type": "watching", "watching": 0}
        assert here.watching == 0


def test_a_frame_that_is_too_long_ends_only_its_own_socket(here: Here) -> None:
    with here.socket() as socket, here.socket() as other:
        heard(socket)
        heard(other)
        with contextlib.suppress(ConnectionClosed):
            socket.send("x" * 100_000)
        assert closing(socket) == 1009
        here.plays(1)
        assert heard(other)["type"] == "event"


# Listeners who are slow


def test_a_gap_that_is_filled_ends_with_how_many_watch_now(ann: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    held = server.rooms.loaded_room(room)
    assert held is not None
    last = held.room.event_count

    async def missed() -> Sequence[bytes]:
        spectator = held.listen(None, Viewer(watcher=True))
        await asyncio.to_thread(lambda: ann.step(room, ann.table(room)))
        held.leave(spectator)
        return await held.listen(last, Viewer(frozenset({0}))).next()

    *dice, event, watching = map(json.loads, asyncio.run(missed()))
    assert [one["happened"]["kind"] for one in dice] == ["dice"]
    assert event["view"]["watching"] == 1  # as it was then
    assert watching == {"type": "watching", "watching": 0}


def test_head_of_a_stream_ends(here: Here) -> None:
    bearer = {"authorization": f"Bearer {here.keys['watch']}"}
    with here.served.client() as client:
        response = client.head(path_of(here.room, "events"), headers=bearer)
        assert response.status_code in (200, 405)
        assert here.watching == 0
