"""The system clock is set by an hour during a game, while the monotonic clock continues."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from faults.checks import check_sentence
from hearing import Stream
from kill_server.plants import planted
from kill_server.told import rows_of
from people import Person
from serving import PATIENCE, Served

HOUR = 3600
STEPS = (HOUR, 0)
"""How far it is ahead, one after the other: an hour on, and an hour back."""
RATE = """
from shutbox.web import limits
from shutbox.web.actions import rates
rates._SECONDS["minute"] = 2
limits.OPENINGS_OF_ADDRESS = "3/minute"
limits.ROOMS_OF_ADDRESS = "1000/hour"
"""
_LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


class Wall:
    """The clock on the wall of one server."""

    def __init__(self, folder: Path) -> None:
        if not _LIBRARIES:
            pytest.skip("libfaketime is not there to set the clock of a server")
        folder.mkdir()
        self._file = folder / "clock"
        self.ahead = 0
        self.set(0)
        self.environment = {
            "LD_PRELOAD": str(_LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, ahead: int) -> None:
        """So many seconds ahead of the true time."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{ahead:+}\n")
        os.replace(new, self._file)  # whole, whenever it is read
        self.ahead = ahead


class Guest(Person):
    """Who asks one process, and shows a key there."""

    def __init__(self, client: httpx2.Client, room: str, key: str) -> None:
        super().__init__(client)
        self.room = room
        self.key = {"Authorization": f"Bearer {key}"}

    def look(self) -> dict[str, Any]:
        """The table, and what may be done there; nobody is away."""
        response = self.get(f"/api/rooms/{self.room}", headers=self.key)
        assert response.status_code == 200, response.text
        seen: dict[str, Any] = response.json()
        assert seen["you"]["may"]["stand_in"] == []
        assert not seen["you"]["may"]["end"]
        assert [seat["state"] for seat in seen["view"]["seats"]] == ["taken", "taken"]
        return seen

    def move(self) -> int:
        """What is due, and its number."""
        table = self.look()["view"]["table"]
        about = {key: table[key] for key in ("game", "version", "seat")}
        about |= {"do": table["does"], "action": f"move-{time.monotonic_ns()}"}
        if table["does"] == "choose":
            about["choice"] = table["offers"][0]["text"]
        response = self.client.post(f"/api/rooms/{self.room}/act", json=about, headers=self.key)
        assert response.status_code == 200, response.text
        return int(response.json()["number"])


@contextmanager
def walled(folder: Path) -> Iterator[tuple[Wall, Served]]:
    """A server with a clock of its own."""
    wall, plant = Wall(folder / "wall"), planted(folder, RATE)
    environment = wall.environment
    with Served(folder, program=(plant,), limited=True, environment=environment) as served:
        yield wall, served


def use_up(client: httpx2.Client) -> None:
    """Ask for too much, and hear when to come back: soon."""
    ann = Person(client)
    while (response := ann.post("/api/rooms", game="classic")).status_code != 429:
        assert response.status_code == 201, response.text
    check_sentence(response.json()["error"]["message"])
    assert 1 <= int(response.headers["Retry-After"]) <= 3


def until_open(client: httpx2.Client) -> dict[str, Any]:
    """A new table, once that is not too much any more."""
    end = time.monotonic() + PATIENCE
    while (response := Person(client).post("/api/rooms", game="classic")).status_code == 429:
        assert int(response.headers["Retry-After"]) <= 3
        assert time.monotonic() < end, "locked out"
        time.sleep(0.2)
    opened: dict[str, Any] = response.json()
    return opened


def test_a_step_of_the_clock_is_not_noticed(tmp_path: Path) -> None:
    with walled(tmp_path) as (wall, served), served.client() as client:
        ann = Person(client)
        seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
        room = ann.open(game="classic", format="rounds=100", leaver="any", seats=seats)
        id = room["view"]["room"]
        entered = ann.enter(id, room["keys"]["1"], "Bob").json()
        room["keys"]["0"] += f",{entered['key']}"
        guest, stream = Guest(client, id, room["keys"]["0"]), Stream(served.url, room)
        stream.start()
        last = guest.move()
        for ahead in STEPS:  # it is played at before it has noticed, and after
            use_up(client)
            wall.set(ahead)
            last = guest.move()
            until_open(client)
            while not follows(served, wall):
                last = guest.move()
        heard = stream.until(last)
        assert heard == [*range(heard[0], last + 1)]
        assert stream.is_alive()


def follows(served: Served, wall: Wall) -> bool:
    """Whether what was kept last has the time of that clock."""
    rows = rows_of(served.folder / "tables.db")
    return abs(max(rows, key=lambda row: row.number).at - time.time() - wall.ahead) < HOUR / 2
