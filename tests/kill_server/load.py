"""Clients that play at several tables, even while the server fails.

Each uses new ids for its requests. It retries with the same id until it gets a reply, and records
the reply.
"""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

import httpx2

from kill_server.told import Acknowledged, Heard, Told, picture_of

TABLES: tuple[dict[str, Any], ...] = (
    {"game": "pub", "seats": [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]},
    {"game": "classic"},
    {"game": "pub", "seats": [{"who": "me", "name": "Ann"}, {"who": "computer"}]},
    {"game": "classic", "dice": "hand"},
)
AT_EACH = 2
"""Clients at each table, which compete for the same moves."""
LONGEST = 250
"""The number of entries after which the next room is opened, so that a replay stays short."""
PAUSE = 0.01
PATIENCE = 20.0


class Place:
    """A table at which clients play, in one room after another."""

    def __init__(self, load: "Load", body: dict[str, Any]) -> None:
        self._load = load
        self._body = body
        self._lock = threading.Lock()
        self._now: tuple[str, str] | None = None
        self.far = False
        """Whether the present room is long enough."""

    def room(self, client: httpx2.Client) -> tuple[str, str]:
        """Return the present room, and the keys to everything in it."""
        with self._lock:
            if self._now is None or self.far:
                action = self._load.action()
                body = {"action": action, **self._body}
                # If the reply is lost, a secret identifies a retry of the same opening.
                mine = f"mine-{action}"
                response = self._load.ask(client, "POST", "/api/rooms", mine, body)
                assert response.status_code == 201, response.text
                opened = response.json()
                room = opened["view"]["room"]
                # The reply shows the room's present state, not its first.
                self._load.acknowledge("opening", room, action, {**opened, "number": 1})
                self._now = room, ",".join(opened["keys"].values())
                self.far = False
            return self._now


class Load:
    """Clients at all tables, as threads. `told` records their replies."""

    def __init__(
        self,
        url: str | Sequence[str],
        tables: Sequence[dict[str, Any]] = TABLES,
        seed: str = "load",
    ) -> None:
        """Prepare clients for the server at `url`, or for several processes in turn."""
        self.told = Told()
        self.failed: list[str] = []
        self.stopping = threading.Event()
        self.up = threading.Event()
        """Set while a server is running. Clients wait for it before they retry."""
        self.up.set()
        self._urls = [url] if isinstance(url, str) else url
        self._seed = seed
        self._numbers = count(1)
        self._places = [Place(self, body) for body in tables]

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Let clients play inside the `with` block. All open requests are answered at its end."""
        threads = [
            threading.Thread(target=self._guarded, args=(run, place, number))
            for place in self._places
            for number, run in enumerate((*(self._play,) * AT_EACH, self._follow))
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.up.set()
            self.stopping.set()
            for thread in threads:
                thread.join()

    def wait(self, more: int) -> None:
        """Wait until so many more actions are acknowledged."""
        enough = len(self.told.acknowledged) + more
        end = time.monotonic() + PATIENCE
        while len(self.told.acknowledged) < enough and not self.stopping.is_set():
            assert time.monotonic() < end, "nothing is acknowledged any more"
            threading.Event().wait(PAUSE / 5)

    def action(self) -> str:
        """Return a new id."""
        return f"{self._seed}-{next(self._numbers):08}"

    def ask(
        self,
        client: httpx2.Client,
        method: str,
        path: str,
        keys: str | None,
        body: dict[str, Any] | None = None,
    ) -> httpx2.Response:
        """Send a request, and retry until there is a reply."""
        headers = {"Authorization": f"Bearer {keys}"} if keys else {}
        patience = int(PATIENCE / PAUSE)
        for tried in range(patience):
            try:
                response = client.request(method, path, headers=headers, json=body)
            except httpx2.HTTPError:
                response = None
                self.up.wait(PATIENCE)
            if response is not None:
                if response.status_code != 503:
                    self.told.repeated += tried > 0 and body is not None
                    return response
                self._not_now(response)
            threading.Event().wait(PAUSE)
        raise AssertionError(f"{method} {path} was never answered")

    def acknowledge(self, client: str, room: str, action: str, answer: dict[str, Any]) -> None:
        """Record an acknowledged action."""
        says = tuple(answer["said"]) if "said" in answer else None
        shown = answer["view"]["number"], picture_of(answer["view"])
        self.told.acknowledged.append(
            Acknowledged(client, room, action, answer["number"], says, shown)
        )

    def _not_now(self, response: httpx2.Response) -> None:
        self.told.not_now.append(json.loads(response.read())["error"]["message"])

    @contextmanager
    def _client(self, number: int) -> Iterator[httpx2.Client]:
        url = self._urls[number % len(self._urls)]
        with httpx2.Client(base_url=url, timeout=PATIENCE, verify=False) as client:
            yield client

    def _guarded(self, run: Callable[[Place, int], None], place: Place, number: int) -> None:
        try:
            run(place, number)
        except Exception as error:
            self.failed.append(f"{run.__name__}: {error!r}")
            self.stopping.set()

    # Playing

    def _play(self, place: Place, number: int) -> None:
        name = f"{self._places.index(place)}/{number}"
        chance = random.Random(f"{self._seed} {name}")
        with self._client(number) as client:
            room, keys, view = "", "", None
            while not self.stopping.is_set():
                now = place.room(client)
                if now != (room, keys) or view is None:
                    room, keys = now
                    answer = self.ask(client, "GET", f"/api/rooms/{room}", keys)
                    assert answer.status_code == 200, answer.text
                    view = answer.json()["view"]
                place.far |= view["number"] > LONGEST
                view = self._move(client, name, (room, keys), view, chance)

    def _move(
        self,
        client: httpx2.Client,
        name: str,
        there: tuple[str, str],
        view: dict[str, Any],
        chance: random.Random,
    ) -> dict[str, Any] | None:
        """Make a move in a view, and return the newer view if there is one."""
        room, keys = there
        path, body = a_move(view, chance)
        action = self.action()
        where = f"/api/rooms/{room}/{path}"
        response = self.ask(client, "POST", where, keys, {"action": action, **body})
        answer = response.json()
        match response.status_code:
            case 200 if path == "word":
                pass  # the same word may have come before, and then nothing was stored
            case 200:
                self.acknowledge(name, room, action, answer)
            case 403 | 409 | 422:
                self.told.refused.append((room, action))
            case _:
                raise AssertionError(f"{path} {body}: {response.text}")
        seen: dict[str, Any] | None = answer.get("view")
        if seen is None or seen["number"] < view["number"]:
            threading.Event().wait(PAUSE)  # it may be a computer player's turn
            return None
        return seen

    # Listening

    def _follow(self, place: Place, number: int) -> None:
        with self._client(number) as client:
            while not self.stopping.is_set():
                room, keys = place.room(client)
                self._listen(client, place, room, keys)

    def _listen(self, client: httpx2.Client, place: Place, room: str, keys: str) -> None:
        """Read the stream of a room, reconnecting when it breaks. No number may be missing."""
        last = 1
        while not self.stopping.is_set() and place.room(client) == (room, keys):
            headers = {"Authorization": f"Bearer {keys}", "Last-Event-ID": str(last)}
            path = f"/api/rooms/{room}/events"
            try:
                with client.stream("GET", path, headers=headers, timeout=0.5) as response:
                    if response.status_code == 503:
                        self._not_now(response)
                        threading.Event().wait(PAUSE)
                        continue
                    assert response.status_code == 200, response.read()
                    for line in response.iter_lines():
                        if line.startswith("data: "):
                            message = json.loads(line[6:])
                            last = self._hear(room, last, message)
            except httpx2.HTTPError:
                self.up.wait(PATIENCE)

    def _hear(self, room: str, last: int, message: dict[str, Any]) -> int:
        if message["type"] == "watching":
            return last
        number: int = message["number"]
        assert number > last, f"{number} of {room} comes after {last}"
        if message["type"] == "event":
            assert number == last + 1, f"{number} of {room} comes after {last}"
            says = tuple(message["happened"]["says"])
            self.told.heard.append(Heard(room, number, says, picture_of(message["view"])))
        return number


def a_move(view: dict[str, Any], chance: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a random move for a view, mostly the one that is due."""
    table, seal = view["table"], view["seal"]
    if seal and seal["state"] == "words" and not seal["given"][0] and chance.random() < 0.7:
        return "word", {"gid": seal["gid"], "seat": 0, "word": f"a word for {seal['gid']}"}
    if view["phase"] != "playing":
        return "rematch", {"game": table["game"]}
    about = {"game": table["game"], "version": table["version"]}
    throw = chance.random()
    by_hand = view["settings"]["dice"] == "hand"
    roll = chance.choice(("1+2", "3+5", "6+6", "4")) if by_hand else ""
    if table["taker_back"] is not None and throw < 0.2:
        return "act", {**about, "seat": table["taker_back"], "do": "take-back"}
    if table["correctable"] is not None and throw < 0.4:
        return "act", {**about, "seat": table["correctable"], "do": "correct", "roll": roll}
    if throw > 0.97:
        return "renew", {"seat": -1}
    if throw > 0.94:
        left = view["seats"][0]["state"] == "left"
        return "come-back" if left else "leave", {"seat": 0}
    about["seat"] = table["seat"]
    if table["does"] == "throw":
        return "act", {**about, "do": "throw", "roll": roll}
    return "act", {**about, "do": "choose", "choice": chance.choice(table["offers"])["text"]}
