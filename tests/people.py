"""Clients of the server, each with a separate cookie jar."""

from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

import httpx2

_numbers = count(1)


def path_of(room: str, what: str = "") -> str:
    """Return the address of a room in the API, or of something there."""
    return f"/api/rooms/{room}{what and '/'}{what}"


def refusal(response: httpx2.Response) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return response.status_code, response.json()["error"]["code"]


class Person:
    """A client, as a browser or a program: one cookie jar, and ids for actions."""

    def __init__(self, client: httpx2.Client) -> None:
        self.client = client

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.get(path, **options)

    def send_form(self, path: str, fields: Mapping[str, Any]) -> httpx2.Response:
        """Send a form, once more if this browser is given its cookie first."""
        answer = self.client.post(path, data=fields, follow_redirects=False)
        if answer.status_code == 307:
            answer = self.client.post(
                answer.headers["location"], data=fields, follow_redirects=False
            )
        return answer

    def post(self, path: str, **body: Any) -> httpx2.Response:
        """POST JSON, with a new id unless one is given."""
        return self.client.post(path, json={"action": f"action-{next(_numbers):08}", **body})

    def open(self, **body: Any) -> dict[str, Any]:
        """Open a room."""
        response = self.post("/api/rooms", **body)
        assert response.status_code == 201, response.text
        opened: dict[str, Any] = response.json()
        return opened

    def enter(self, room: str, key: str, name: str | None = None) -> httpx2.Response:
        return self.post(f"/api/rooms/{room}/enter", key=key, name=name)

    def table(self, room: str) -> dict[str, Any]:
        """Return the present state of the game."""
        table: dict[str, Any] = self.get(f"/api/rooms/{room}").json()["view"]["table"]
        return table

    def act(self, room: str, table: dict[str, Any], do: str, **body: Any) -> httpx2.Response:
        """Act at a table in the given state, in the current seat unless one is given."""
        about = {"game": table["game"], "version": table["version"], "seat": table["seat"]}
        return self.post(f"/api/rooms/{room}/act", **{**about, "do": do, **body})

    def step(
        self, room: str, table: dict[str, Any], chance: Random | None = None
    ) -> dict[str, Any]:
        """Make the next throw, or the first or a random choice. Return the table afterwards."""
        if table["does"] == "throw":
            response = self.act(room, table, "throw")
        else:
            offers = table["offers"]
            choice = (chance.choice(offers) if chance else offers[0])["text"]
            response = self.act(room, table, "choose", choice=choice)
        assert response.status_code == 200, response.text
        after: dict[str, Any] = response.json()["view"]["table"]
        return after

    def played(self, steps: int = 4, **body: Any) -> str:
        """Open a room, make so many steps there unless its game ends before, and return its id."""
        view = self.open(**{"game": "classic", **body})["view"]
        room, table = str(view["room"]), view["table"]
        for _ in range(steps):
            if table["does"] != "over":
                table = self.step(room, table)
        return room

    def play_out(self, room: str, chance: Random | None = None) -> dict[str, Any]:
        """Play the game to its end, by first or random choices. Return the table afterwards."""
        table = self.table(room)
        while table["does"] != "over":
            table = self.step(room, table, chance)
        return table


def scope_of(
    path: str, headers: Mapping[str, str], method: str = "GET", kind: str = "http"
) -> dict[str, Any]:
    """Return the ASGI scope of a request or a WebSocket, for a server in this process."""
    path, _, query = path.partition("?")
    told = {"host": "testserver", **headers}
    return {
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": kind.replace("websocket", "ws"),
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in told.items()],
        "client": ("127.0.0.1", 50000),
        "server": ("testserver", 80),
        "subprotocols": [],
    }


def cookies_of(client: httpx2.Client) -> dict[str, str]:
    """Return the header with the cookies of a client."""
    return {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
