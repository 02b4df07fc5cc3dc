"""The system clock is set by an hour during a game, while the monotonic clock continues."""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from faults.checks import check_sentence
from kill_server.plants import planted
from kill_server.postgres import fresh_database
from kill_server.postgres import rows_of as postgres_rows
from kill_server.told import rows_of as sqlite_rows
from people import Person
from serving import PATIENCE, Served, running
from web.test_processes import Stream

HOUR = 3600
STEPS = (HOUR, 0)
"""How far it is ahead, one after the other: an hour on, and an hour back."""
RATE = """
from shutbox.web import limits
limits.OPENINGS_OF_ADDRESS = "3/2 seconds"
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
def walls(folder: Path, number: int) -> Iterator[tuple[list[Wall], list[Served]]]:
    """Processes that serve together, each with a clock of its own."""
    mine = [Wall(folder / f"wall-{place}") for place in range(number)]
    plant = planted(folder, RATE)
    with ExitStack() as there:
        database = there.enter_context(fresh_database()) if number > 1 else None
        processes = [
            Served(
                folder,
                database=database,
                program=(plant,),
                limited=True,
                environment=wall.environment,
            )
            for wall in mine
        ]
        there.enter_context(running(processes))
        yield mine, processes


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


@pytest.mark.parametrize("number", [1, 2], ids=["sqlite", "postgresql"])
def test_a_step_of_the_clock_is_not_noticed(number: int, tmp_path: Path) -> None:
    with walls(tmp_path, number) as (mine, processes), ExitStack() as there:
        clients = [there.enter_context(each.client()) for each in processes]
        ann = Person(clients[0])
        seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
        room = ann.open(game="classic", format="rounds=100", leaver="any", seats=seats)
        id = room["view"]["room"]
        entered = ann.enter(id, room["keys"]["1"], "Bob").json()
        room["keys"]["0"] += f",{entered['key']}"
        guests = [Guest(client, id, room["keys"]["0"]) for client in clients]
        streams = [Stream(each.url, room) for each in processes]
        for stream in streams:
            stream.start()
        last = guests[0].move()
        for ahead in STEPS:
            # One process after the other; each is played at before it has noticed, and after.
            for wall, client, guest in zip(mine, clients, guests, strict=True):
                use_up(client)
                wall.set(ahead)
                last = guest.move()
                until_open(client)
                while not follows(processes[0], wall):
                    last = guest.move()
                    for other in guests:
                        other.look()
        for stream in streams:
            heard = stream.until(last)
            assert heard == [*range(heard[0], last + 1)]
            assert stream.is_alive()


def follows(served: Served, wall: Wall) -> bool:
    """Whether what was kept last has the time of that clock."""
    if served.database.startswith("sqlite"):
        rows = sqlite_rows(served.folder / "tables.db")
    else:
        rows = postgres_rows(served.database)
    return abs(max(rows, key=lambda row: row.number).at - time.time() - wall.ahead) < HOUR / 2
