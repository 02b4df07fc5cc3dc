"""Two processes on one PostgreSQL: they agree on the order, and all listeners hear it."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import httpx2
import psycopg
import pytest
from starlette.testclient import TestClient

from kill_server.postgres import fresh_database, rows_of
from kill_server.told import Acknowledged, Heard, Told, faults, picture_of
from people import Person
from serving import PATIENCE, Served, running
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database

RACERS = 64
TABLES = 4
ROUNDS = 16
LINKED = [{"who": "me", "name": "Ann"}, *({"who": "link"} for _ in range(3))]
PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with fresh_database() as url:
        yield url


@pytest.fixture(scope="module")
def two(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Served]]:
    """Two processes, started at once on an empty database."""
    processes = [Served(tmp_path_factory.mktemp("process"), database=database) for _ in range(2)]
    with running(processes):
        yield processes


def opened(served: Served, **body: Any) -> dict[str, Any]:
    with served.client() as client:
        return Person(client).open(**body)


def test_two_processes_start_at_once_on_an_empty_database(two: list[Served]) -> None:
    room = opened(two[0], game="classic")
    keys = {"Authorization": f"Bearer {room['keys']['0']}"}
    for process in two:
        answer = process.get(f"/api/rooms/{room['view']['room']}", headers=keys)
        assert answer.json()["view"] == room["view"]


def test_whoever_is_shut_out_at_one_process_does_nothing_at_the_other(two: list[Served]) -> None:
    """Neither by the old key, nor by the cookie of a device that came by it."""
    for _ in range(6):
        room = opened(two[0], game="classic", seats=LINKED[:2])
        path = f"/api/rooms/{room['view']['room']}"
        with two[1].client() as his, two[0].client() as hers:
            bob = Person(his)
            key = bob.enter(room["view"]["room"], room["keys"]["1"], "Bob").json()["key"]
            view = bob.get(path).json()["view"]
            bearer = {"Authorization": f"Bearer {key}"}
            body = {"seat": 1, "action": "shut-them-out"}
            renewed = hers.post(f"{path}/renew", json=body, headers=bearer)
            assert renewed.status_code == 200
            number = renewed.json()["number"]
            leave = {"seat": 1, "action": "leave-by-key"}
            answers = [his.post(f"{path}/leave", json=leave, headers=bearer)]
            answers.append(bob.post(f"{path}/leave", seat=1))
            if view["table"]["seat"] == 1:
                answers.append(bob.act(room["view"]["room"], view["table"], "throw"))
            assert {answer.status_code for answer in answers} == {403}
            host = {"Authorization": f"Bearer {room['keys']['host']}"}
            assert hers.get(path, headers=host).json()["view"]["number"] == number


# Racing


class Racers:
    """Clients of two processes, each with a device and ids of its own."""

    def __init__(self, two: list[Served]) -> None:
        self.two = two
        self.told = Told()
        self._numbers = count(1)
        # The server closes connections that were idle for five seconds, so none is used that late.
        most = httpx2.Limits(max_connections=2 * RACERS, keepalive_expiry=2.0)
        self._client = httpx2.AsyncClient(timeout=PATIENCE, verify=False, limits=most)

    def action(self, about: str) -> str:
        return f"{about}-{next(self._numbers):06}"

    async def post(
        self,
        racer: int,
        path: str,
        keys: str | None = None,
        process: int | None = None,
        **body: Any,
    ) -> httpx2.Response:
        """Ask one of the two processes."""
        headers = {"Cookie": f"device=racer-{racer}"}
        if keys:
            headers["Authorization"] = f"Bearer {keys}"
        url = self.two[racer % 2 if process is None else process].url
        return await self._client.post(f"{url}/api/rooms/{path}", json=body, headers=headers)

    def acknowledge(self, racer: str, room: str, action: str, said: dict[str, Any]) -> None:
        """Note what was answered."""
        says = tuple(said["said"]) if "said" in said else None
        shown = said["view"]["number"], picture_of(said["view"])
        self.told.acknowledged.append(
            Acknowledged(racer, room, action, said["number"], says, shown)
        )

    async def close(self) -> None:
        await self._client.aclose()


@pytest.mark.parametrize("by", ["a link each", "one invitation"])
def test_one_of_many_gets_a_seat(two: list[Served], database: str, by: str) -> None:
    room = opened(two[0], game="pub", seats=LINKED)
    id, keys = room["view"]["room"], room["keys"]
    invitation = room["you"]["links"]["join"].partition("#")[2]

    async def race() -> list[httpx2.Response]:
        racers = Racers(two)
        asked = [
            racers.post(
                racer,
                f"{id}/enter",
                action=racers.action("enter"),
                key=keys[str(1 + racer % 3)] if by == "a link each" else invitation,
                name=f"Racer {racer}",
            )
            for racer in range(RACERS)
        ]
        answers = list(await asyncio.gather(*asked))
        await racers.close()
        return answers

    answers = asyncio.run(race())
    assert Counter(answer.status_code for answer in answers) == {200: 3, 403: RACERS - 3}
    if by == "one invitation":
        late = (answer.json()["error"]["code"] for answer in answers if answer.status_code == 403)
        assert set(late) == {"no-free-seat"}
    seated = [answer.json() for answer in answers if answer.status_code == 200]
    assert sorted(one["seat"] for one in seated) == [1, 2, 3]
    mine = [row for row in rows_of(database) if row.room == id]
    kinds = Counter(json.loads(row.entry)["type"] for row in mine)
    assert kinds == {"open": 1, "dice": 1, "enter": 3, "begin": 1}
    names = {json.loads(row.entry).get("name") for row in mine} - {None}
    shown = {seat["name"] for seat in max(seated, key=lambda one: one["number"])["view"]["seats"]}
    assert names == shown - {"Ann"}


class Stream(threading.Thread):
    """Hears a room at one process until it has come to some number; notes what it hears."""

    def __init__(self, url: str, room: dict[str, Any], told: Told | None = None) -> None:
        super().__init__(daemon=True)
        self.room = room["view"]["room"]
        self.key = room["keys"]["0"]
        self.url = f"{url}/api/rooms/{self.room}/events?since=1"
        self.told = told or Told()
        self.numbers: list[int] = []
        self.watching: list[int] = []
        self.changed = threading.Condition()

    def watch(self, room: dict[str, Any]) -> "Stream":
        """Listen as a spectator."""
        self.key = room["keys"]["watch"]
        return self

    def run(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        try:
            with httpx2.stream("GET", self.url, headers=headers, timeout=PATIENCE) as response:
                for line in response.iter_lines():
                    if line.startswith("data: "):
                        self._hear(json.loads(line[6:]))
        except httpx2.HTTPError:
            return

    def _hear(self, message: dict[str, Any]) -> None:
        with self.changed:
            if message["type"] == "watching":
                self.watching.append(message["watching"])
            else:
                self.watching.append(message["view"]["watching"])
                self.numbers.append(message["number"])
            if message["type"] == "event":
                number, says = message["number"], tuple(message["happened"]["says"])
                shown = picture_of(message["view"])
                self.told.heard.append(Heard(self.room, number, says, shown))
            self.changed.notify_all()

    def until(self, last: int) -> list[int]:
        """What was heard, once it has come so far."""
        with self.changed:
            assert self.changed.wait_for(lambda: last in self.numbers, PATIENCE), self.numbers
            return list(self.numbers)

    def until_watched_by(self, watching: int) -> None:
        """Wait until so many watch."""
        with self.changed:
            seen = self.changed.wait_for(lambda: self.watching[-1:] == [watching], PATIENCE)
            assert seen, self.watching


async def race_at_a_table(racers: Racers, table: int, room: dict[str, Any]) -> int:
    """Rounds in which everybody wants the same move; the number of the last."""
    id, keys, view = room["view"]["room"], ",".join(room["keys"].values()), room["view"]
    mine = [racer for racer in range(RACERS) if racer // 2 % TABLES == table]
    for _ in range(ROUNDS):
        move, wrong = moves(view["table"])
        asked = []
        for racer in mine:
            action = racers.action(f"move-{racer}")
            # Every other action is asked for at both processes.
            places = (0, 1) if racer % 4 < 2 else (racer % 2,)
            body = wrong if racer % 16 == 15 else move
            asked += [(action, body, place, racer) for place in places]
        answers = await asyncio.gather(
            *(
                racers.post(racer, f"{id}/{path}", keys, process=place, action=action, **body)
                for action, (path, body), place, racer in asked
            )
        )
        done: dict[str, set[int]] = {}
        for (action, body, _, racer), answer in zip(asked, answers, strict=True):
            said = answer.json()
            if answer.status_code == 200:
                assert body is not wrong, said
                if action not in done:
                    racers.acknowledge(f"{id} {racer}", id, action, said)
                done.setdefault(action, set()).add(said["number"])
                view = max(view, said["view"], key=lambda one: one["number"])
            else:
                assert answer.status_code in (403, 409, 422), said
        assert len(done) == 1, done
        assert all(len(numbers) == 1 for numbers in done.values()), done
    return int(view["number"])


Move = tuple[str, dict[str, Any]]


def moves(table: dict[str, Any]) -> tuple[Move, Move]:
    """What is due at a table, and something that must not be done there."""
    about = {key: table[key] for key in ("game", "version", "seat")}
    if table["does"] == "over":
        return ("rematch", {"game": table["game"]}), ("rematch", {"game": table["game"] + 1})
    out_of_turn = {**about, "seat": 1 - table["seat"]}
    if table["does"] == "throw":
        return ("act", {**about, "do": "throw"}), ("act", {**out_of_turn, "do": "throw"})
    choice = table["offers"][0]["text"]
    wrong = {**about, "do": "choose", "choice": "1 2 3 4 5 6 7 8 9"}
    return ("act", {**about, "do": "choose", "choice": choice}), ("act", wrong)


def test_one_of_many_makes_each_move(two: list[Served], database: str) -> None:
    rooms = [opened(two[table % 2], game="pub", seats=PUB) for table in range(TABLES)]

    async def race() -> tuple[list[int], Told]:
        racers = Racers(two)
        last = await asyncio.gather(
            *(race_at_a_table(racers, table, room) for table, room in enumerate(rooms))
        )
        await racers.close()
        return last, racers.told

    heard = Told()
    streams = [Stream(process.url, room, heard) for room in rooms for process in two]
    for stream in streams:
        stream.start()
        stream.until(3)
    lasts, told = asyncio.run(race())
    assert min(lasts) >= 3 + ROUNDS  # with those about the seals
    for place, stream in enumerate(streams):
        last = lasts[place // 2]
        assert stream.until(last)[: last - 2] == list(range(3, last + 1))
    told.heard = heard.heard
    ids = {room["view"]["room"] for room in rooms}
    rows = [row for row in rows_of(database) if row.room in ids]
    assert len(told.acknowledged) == TABLES * ROUNDS
    assert faults(rows, told) == []


# What processes tell one another


def leave_or_come_back(served: Served, room: dict[str, Any]) -> int:
    """One more thing happens in a room, at one process; its number."""
    keys = ",".join(room["keys"].values())
    headers = {"Authorization": f"Bearer {keys}"}
    path = f"/api/rooms/{room['view']['room']}"
    with served.client(headers=headers) as client:
        ann = Person(client)
        here = 0 in ann.get(path).json()["you"]["may"]["leave"]
        what = "leave" if here else "come-back"
        done = ann.post(f"{path}/{what}", seat=0)
    assert done.status_code == 200, done.text
    return int(done.json()["number"])


def test_a_stream_hears_everything_though_its_line_is_cut_off(
    two: list[Served], database: str
) -> None:
    room = opened(two[0], game="pub", seats=PUB)
    stream = Stream(two[1].url, room)
    stream.start()
    stream.until(3)
    for _ in range(3):
        leave_or_come_back(two[0], room)
        cut, end = 0, time.monotonic() + PATIENCE
        while cut < 2:  # one may just be heard on
            assert time.monotonic() < end, "there are not two lines"
            with psycopg.connect(database) as connection:
                found = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle' "
                    "AND datname = current_database() AND pid <> pg_backend_pid() "
                    "AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%')"
                ).fetchall()
            cut += len(found)
        last = [leave_or_come_back(two[0], room) for _ in range(3)][-1]
        assert stream.until(last) == list(range(3, last + 1))


def test_a_spectator_is_counted_at_every_process(two: list[Served]) -> None:
    room = opened(two[0], game="pub", seats=PUB)
    players = [Stream(process.url, room) for process in two]
    for player in players:
        player.start()
        player.until(3)
    spectators = [Stream(process.url, room).watch(room) for process in two]
    spectators[1].start()
    for player in players:
        player.until_watched_by(1)
    spectators[0].start()
    for player in players:
        player.until_watched_by(2)


# One process that has not heard yet of what the other did


@pytest.fixture
def deaf() -> Iterator[Callable[[int], Person]]:
    """Makes people, each at the first process or the second; neither hears the other."""
    with fresh_database() as url:
        settings = Settings(database=url, unlimited=frozenset({"127.0.0.1"}))
        servers = [Server(settings, Database(url)) for _ in range(2)]
        clients = [TestClient(app_of(server), client=("127.0.0.1", 50000)) for server in servers]
        yield lambda process: Person(clients[process])
        for server in servers:
            asyncio.run(server.close())


def test_whoever_has_seen_the_latest_acts_at_a_process_that_has_not(
    deaf: Callable[[int], Person],
) -> None:
    here, there = deaf(0), deaf(1)
    opened = here.open(game="classic")
    there.client.cookies = here.client.cookies
    room, table = opened["view"]["room"], opened["view"]["table"]
    assert there.table(room)["version"] == 0
    for _ in range(2):
        table = here.step(room, table)
    assert there.step(room, table)["version"] == 3


def test_an_action_is_known_at_a_process_that_has_not_heard_of_it(
    deaf: Callable[[int], Person],
) -> None:
    here, there = deaf(0), deaf(1)
    opened = here.open(game="classic")
    there.client.cookies = here.client.cookies
    room, table = opened["view"]["room"], opened["view"]["table"]
    assert there.table(room)["version"] == 0
    table = here.step(room, table)
    choice = table["offers"][0]["text"]
    first = here.act(room, table, "choose", choice=choice, action="the-same-one")
    again = there.act(room, table, "choose", choice=choice, action="the-same-one")
    assert (again.status_code, again.json()["number"]) == (200, first.json()["number"])
