"""Live events: both streams, gaps, slow listeners, and the end."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from people import Person, path_of
from serving import PATIENCE, Served


class Here:
    """A room at a server of its own process, with its host at seat 0."""

    def __init__(self, served: Served, client: httpx2.Client) -> None:
        self.served = served
        self.ann = Person(client)
        opened = self.ann.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
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

    def sees(self, name: str) -> int:
        return int(self.ann.get(path_of(self.room)).json()["view"][name])

    @contextlib.contextmanager
    def socket(self, key: str = "0") -> Iterator[ClientConnection]:
        address = self.served.url.replace("http:", "ws:") + path_of(self.room, "live")
        bearer = {"Authorization": f"Bearer {self.keys[key]}"}
        with connect(
            address, additional_headers=bearer, open_timeout=PATIENCE, close_timeout=0.5
        ) as socket:
            yield socket

    @contextlib.contextmanager
    def events(
        self, key: str = "0", query: str = "", **headers: str
    ) -> Iterator[tuple[httpx2.Response, Iterator[tuple[str, Any]]]]:
        """The response of a stream of server-sent events, and their ids and messages."""
        bearer = {"authorization": f"Bearer {self.keys[key]}", **headers}
        with (
            self.served.client() as client,
            client.stream("GET", path_of(self.room, "events") + query, headers=bearer) as response,
        ):
            yield response, told(response)


def told(response: httpx2.Response) -> Iterator[tuple[str, Any]]:
    id = ""
    for line in response.iter_lines():
        if line.startswith("id: "):
            id = line.removeprefix("id: ")
        if line.startswith("data: "):
            yield id, json.loads(line.removeprefix("data: "))


def heard(socket: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
    return message


@pytest.fixture
def here(served: Served) -> Iterator[Here]:
    with served.client() as client:
        yield Here(served, client)


def test_both_streams_tell_the_same(here: Here) -> None:
    with here.socket() as socket, here.events() as (response, events):
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        assert "nosniff" in response.headers["x-content-type-options"]
        assert "default-src" in response.headers["content-security-policy"]
        first = heard(socket)
        assert ("3", first) == next(events)
        assert first["type"] == "picture"
        here.plays(1)
        messages = [heard(socket) for _ in range(2)]  # with one about the seal
        assert [*zip("45", messages, strict=True)] == [next(events), next(events)]
    assert [(one["number"], one["type"]) for one in messages] == [(4, "event"), (5, "event")]
    assert messages[-1]["view"] == here.ann.get(path_of(here.room)).json()["view"]
    assert messages[1]["happened"]["says"]


def test_whoever_comes_back_gets_the_gap_and_nothing_else(here: Here) -> None:
    here.plays(10)
    last = here.sees("number")
    for query, headers in (
        (f"?since={last - 2}", {}),
        ("?since=1", {"last-event-id": f"{last - 2}"}),
    ):
        with here.events(query=query, **headers) as (_, events):
            assert [next(events)[0] for _ in range(2)] == [f"{last - 1}", f"{last}"]
    with here.events(query=f"?since={last}") as (_, events):  # which has all there is
        here.plays(1)
        assert next(events)[0] == f"{last + 1}"


def test_a_frame_that_is_too_long_or_no_text_ends_only_its_own_stream(here: Here) -> None:
    for sent in (b"\xff\xfe", b"x" * 100_000):
        with here.socket() as socket, here.socket() as other:
            heard(socket)
            heard(other)
            with contextlib.suppress(ConnectionClosed):
                socket.send(sent, text=True)
            with pytest.raises(ConnectionClosed) as closed:
                list(socket)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code in (1007, 1009)
            here.plays(1)
            assert heard(other)["type"] == "event"
    assert "Traceback" not in here.served.log.read_text()


def test_spectators_are_counted_as_they_come_and_go(here: Here) -> None:
    assert here.sees("watching") == 0
    with here.socket() as player:
        assert heard(player)["view"]["watching"] == 0
        with here.socket("watch") as one:
            assert heard(one)["view"]["watching"] == 1
            assert heard(player) == {"type": "watching", "watching": 1}
            with here.events("watch") as (_, events):
                next(events)
                assert heard(player) == {"type": "watching", "watching": 2}
                assert here.sees("watching") == 2
            assert heard(player) == {"type": "watching", "watching": 1}
        assert heard(player) == {"type": "watching", "watching": 0}
        assert here.sees("watching") == 0


def test_head_of_a_stream_ends(here: Here) -> None:
    bearer = {"authorization": f"Bearer {here.keys['watch']}"}
    with here.served.client() as client:
        response = client.head(path_of(here.room, "events"), headers=bearer)
        assert response.status_code in (200, 405)
        assert here.sees("watching") == 0
