"""One HTTP client with one cookie jar for several players: each request is for one of them."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from people import Person
from serving import PATIENCE, Served

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("one-client")) as served:
        yield served


def by(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def seats(answer: httpx2.Response) -> list[int]:
    found: list[int] = answer.json()["you"]["seats"]
    return found


def test_the_key_of_one_player_plays_no_seat_of_the_other(person: Callable[[], Person]) -> None:
    ann = person()
    opened = ann.open(game="pub", seats=TWO)
    path, cookies = f"/api/rooms/{opened['view']['room']}", dict(ann.client.cookies)
    enter = {"action": "bob-sits-down", "key": opened["keys"]["1"], "name": "Bob"}
    entered = ann.client.post(f"{path}/enter", json=enter, headers=by(opened["keys"]["1"]))
    bob = by(entered.json()["key"])
    assert seats(entered) == seats(ann.get(path, headers=bob)) == [1]
    throw = {"game": 1, "version": 0, "seat": 0, "do": "throw", "action": "a-throw-of-anns"}
    refused = ann.client.post(f"{path}/act", json=throw, headers=bob)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not-allowed")
    assert seats(ann.get(path)) == [0]  # the entering has not added a seat to the device
    assert ann.client.post(f"{path}/act", json=throw).status_code == 200
    assert dict(ann.client.cookies) == cookies


@pytest.mark.parametrize("words", ["Bearer nobody-has-this-key", "Bearer", "bearer ,"])
def test_nothing_is_seen_by_a_key_that_is_none(served: Served, words: str) -> None:
    with served.client() as client:
        ann = Person(client)
        room = ann.open(game="pub", seats=TWO)["view"]["room"]
        path, headers = f"/api/rooms/{room}", {"Authorization": words}
        for what in (path, f"{path}/events", f"{path}/record", f"{path}/hint"):
            assert ann.get(what, headers=headers).status_code == 403
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = f"{served.url.replace('http:', 'ws:')}{path}/live"
        with (
            connect(address, additional_headers={**headers, "Cookie": cookie}) as socket,
            pytest.raises(ConnectionClosed, match="4403"),
        ):
            socket.recv(timeout=PATIENCE)
        assert ann.get(path).status_code == 200


@pytest.mark.parametrize("address", ["/api/rooms", "/api/today"])
def test_what_is_opened_with_a_secret_is_known_by_it_alone(
    person: Callable[[], Person], address: str
) -> None:
    """Opened again, it shows the same keys, and each player of the client has a room of their own.

    No cookie is given, and the one that was there is not changed.
    """
    both = person()

    def opened(headers: dict[str, str]) -> dict[str, Any]:
        answer = both.client.post(address, json={"action": "the-same-opening"}, headers=headers)
        assert answer.status_code == 201
        assert headers == {} or "set-cookie" not in answer.headers
        found: dict[str, Any] = answer.json()
        return found

    anns, bobs = opened(by("a-secret-of-anns")), opened(by("a-secret-of-bobs"))
    mine, cookies = opened({}), dict(both.client.cookies)
    rooms = [one["view"]["room"] for one in (anns, bobs, mine)]
    assert len(set(rooms)) == 3
    assert opened(by("a-secret-of-anns"))["keys"] == anns["keys"]
    assert opened({})["view"]["room"] == rooms[2]
    assert anns["you"]["seats"] == mine["you"]["seats"] == [0]
    assert sorted(anns["keys"]) == sorted(mine["keys"])
    path = f"/api/rooms/{rooms[0]}"
    assert both.get(path).status_code == 403
    assert seats(both.get(path, headers=by(anns["keys"]["0"]))) == [0]
    assert dict(both.client.cookies) == cookies


def test_todays_try_is_told_to_the_secret_it_was_begun_with(person: Callable[[], Person]) -> None:
    both = person()

    def room(headers: dict[str, str]) -> str | None:
        found: str | None = both.get("/api/today", headers=headers).json()["room"]
        return found

    begun = both.client.post(
        "/api/today", json={"action": "a-try-of-anns"}, headers=by("a-secret-of-anns")
    )
    assert room(by("a-secret-of-anns")) == begun.json()["view"]["room"]
    assert room(by("a-secret-of-bobs")) is room({}) is None
