"""People who ask the server, each with a cookie jar of his own."""

from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

import httpx2

_numbers = count(1)


class Person:
    """Somebody with a browser, or a program: one cookie jar, and ids for actions."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.get(path, **options)

    def post(self, path: str, **body: Any) -> httpx2.Response:
        """POST JSON, with an id of its own unless one is given."""
        return self.client.post(path, json={"action": f"action-{next(_numbers):08}", **body})

    def open(self, **body: Any) -> dict[str, Any]:
        """A new room."""
        response = self.post("/api/rooms", **body)
        assert response.status_code == 201, response.text
        opened: dict[str, Any] = response.json()
        return opened

    def enter(self, room: str, key: str, name: str | None = None) -> httpx2.Response:
        return self.post(f"/api/rooms/{room}/enter", key=key, name=name)

    def table(self, room: str) -> dict[str, Any]:
        """The game as it stands."""
        table: dict[str, Any] = self.get(f"/api/rooms/{room}").json()["view"]["table"]
        return table

    def act(self, room: str, table: dict[str, Any], do: str, **body: Any) -> httpx2.Response:
        """Act at a table as it was seen, in the seat that is due there unless one is given."""
        about = {"game": table["game"], "version": table["version"], "seat": table["seat"]}
        return self.post(f"/api/rooms/{room}/act", **{**about, "do": do, **body})

    def step(
        self, room: str, table: dict[str, Any], chance: Random | None = None
    ) -> dict[str, Any]:
        """The throw that is due, or the first choice, or one by chance; the table then."""
        if table["does"] == "throw":
            response = self.act(room, table, "throw")
        else:
            offers = table["offers"]
            choice = (chance.choice(offers) if chance else offers[0])["text"]
            response = self.act(room, table, "choose", choice=choice)
        assert response.status_code == 200, response.text
        after: dict[str, Any] = response.json()["view"]["table"]
        return after

    def play_out(self, room: str, chance: Random | None = None) -> dict[str, Any]:
        """The game played to its end, by first choices or by chance; the table then."""
        table = self.table(room)
        while table["does"] != "over":
            table = self.step(room, table, chance)
        return table


def scope_of(
    client: httpx2.Client, path: str, headers: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """What a server in this process is told of a GET by this client, as ASGI has it."""
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    told = {"host": "testserver", "cookie": cookie, **(headers or {})}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
    }
