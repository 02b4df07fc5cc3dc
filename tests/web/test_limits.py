"""The limits of the server: requests beyond one are refused at once, with a sentence.

Rates are made small.
"""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx2
import pytest
from starlette.testclient import TestClient

from people import Person, path_of
from push_service import Browser
from serving import PATIENCE
from shutbox.web import errors, limits
from shutbox.web.actions import rates, replays
from shutbox.web.api import streams
from shutbox.web.compute import tasks
from shutbox.web.compute.tasks import check_text
from shutbox.web.errors import Full, NotReady
from shutbox.web.http import middleware, requests
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.access import Viewer
from shutbox.web.rooms.commands import RoomChange
from shutbox.web.rooms.events import Diced
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage import log
from shutbox.web.storage.database import Database
from shutbox.web.storage.log import events_of

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
FORM = "application/x-www-form-urlencoded"
JSON = {"content-type": "application/json"}
PLAIN = {"content-type": "text/plain"}


def code(response: httpx2.Response) -> str:
    """The code of a refusal, which is a sentence."""
    error = response.json()["error"]
    assert re.fullmatch(r"[A-Za-z0-9].*\.", error["message"], re.DOTALL)
    return str(error["code"])


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Callable[[], Person]]:
    """People at a server that lets nobody do as they like."""
    settings = Settings(database=f"sqlite:///{tmp_path / 'limited.db'}")
    with TestClient(app_of(Server(settings, Database(settings.database)))) as first:

        def another() -> Person:
            client = TestClient(first.app)
            client.portal = first.portal
            return Person(client)

        yield another


# What is sent


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(0, size, 1000):
        yield b" " * 1000


@pytest.mark.parametrize("path", ["/api/rooms", "/play"])
def test_a_body_that_is_too_long(ann: Person, path: str) -> None:
    coded = {"content-type": "application/json" if "/api/" in path else FORM}
    size = limits.LARGEST_BODY + 1
    for content, said in (
        (b" " * size, {}),
        (chunks(size), {}),
        (b"", {"content-length": "99999999999"}),
    ):
        response = ann.client.post(path, content=content, headers={**coded, **said})
        assert response.status_code == 400
        assert f"{limits.LARGEST_BODY:,} bytes" in response.text
    body = b'{"action": "12345678", "game": "classic"}'.ljust(limits.LARGEST_BODY)
    assert ann.client.post("/api/rooms", content=body, headers=JSON).status_code == 201


def test_a_record_that_is_too_long(ann: Person) -> None:
    for size, status in ((limits.LARGEST_RECORD, 422), (limits.LARGEST_RECORD + 1, 400)):
        response = ann.client.post("/api/records", content=b"x" * size, headers=PLAIN)
        assert response.status_code == status
        code(response)


def test_a_record_of_many_events(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    room = ann.open(game="classic")["view"]["room"]
    table = ann.table(room)
    for _ in range(4):
        table = ann.step(room, table)
    record = ann.get(path_of(room, "record")).content
    assert limits.MOST_STEPS > 3
    monkeypatch.setattr(limits, "MOST_STEPS", 3)
    shown = replays.replay_record(record)
    assert shown.fault == "Only the first 3 events are shown."
    assert len(shown.steps) == 4
    head, *lines = record.splitlines(keepends=True)
    damaged = b"".join((head, *lines[:-3], b"nonsense\n", *lines[-3:], *lines * 3))
    shown = replays.replay_record(damaged)
    assert shown.fault is not None
    assert shown.fault.startswith("It is damaged at line ")


def test_texts_that_are_too_long(ann: Person) -> None:
    opened = ann.open(game="classic")
    room = opened["view"]["room"]
    act = {"game": 1, "version": 0, "seat": 0, "do": "throw"}
    long = "x" * (limits.LONGEST_TEXT + 1)
    for path, body in (
        ("/api/rooms", {"game": long}),
        ("/api/rooms", {"game": "classic", "format": long}),
        (path_of(room, "act"), {**act, "choice": long}),
        (path_of(room, "act"), {**act, "roll": "x" * (limits.LONGEST_ROLL + 1)}),
        (path_of(room, "act"), {**act, "action": "x" * (limits.LONGEST_ACTION + 1)}),
        (path_of(room, "act"), {**act, "action": "x" * 7}),
        (path_of(room, "act"), {**act, "action": "a space in it"}),
        (path_of(room, "enter"), {"key": "x" * (limits.LONGEST_KEY + 1)}),
        (path_of(room, "stand-in"), {"seat": 0, "computer": "x" * (limits.LONGEST_KIND + 1)}),
        ("/api/rooms", {"game": "classic", "seats": [{"who": "here", "name": "x" * 193}]}),
        ("/api/rooms", {"game": "pub", "seats": [{"who": "here"}] * 13}),
        ("/api/rooms", {"game": "pub", "seats": []}),
    ):
        response = ann.post(path, **body)
        assert (response.status_code, code(response)) == (400, "bad-request"), body
    # It is told to whoever has typed or pasted it, and says nothing of how it was sent.
    said = ann.post(path_of(room, "act"), **act, roll="6" * 201).json()["error"]["message"]
    assert said == "The field roll is longer than 200 characters."
    assert ann.table(room)["version"] == 0


# What is played


COSTLY = (
    "classic(tiles=1-30,dice=12d100)",
    "two-dice(tiles=1-30,dice=8d6)",
    "double-shutter(dice=12d6)",
    "classic(tiles=1-31)",
    "tray(dice=21d6)",
    "cargo(dice=11d6)",
)


def test_a_game_that_costs_too_much_is_refused_with_a_sentence(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    record = ann.get(path_of(room, "record")).content
    spoilt = {g: record.replace(b"game classic", f"game {g}".encode(), 1) for g in COSTLY}
    for response in (
        *(ann.post("/api/rooms", game=game) for game in COSTLY),
        *(ann.post("/api/rooms", game=game, format="rounds=3") for game in COSTLY),
        *(ann.client.post("/api/records", content=spoilt[g], headers=PLAIN) for g in COSTLY),
    ):
        assert response.status_code == 422, response.text
        assert code(response) in ("too-large", "bad-variant", "bad-record", "illegal-roll")
    said = ann.post("/api/rooms", game="two-dice(tiles=1-30,dice=8d6)").json()["error"]["message"]
    assert f"at most {limits.MOST_COVERS:,}" in said


@pytest.mark.parametrize("game", ["tray(dice=20d100)", "two-dice(tiles=1-30,dice=6d6)"])
def test_a_large_game_within_the_bounds_is_played(ann: Person, game: str) -> None:
    room = ann.open(game=game)["view"]["room"]
    table = ann.step(room, ann.table(room))
    assert len(str(table)) < 10 * limits.LARGEST_BODY


SLOW = ("the-300", "two-dice(tiles=1-30,dice=5d6)")


@pytest.mark.parametrize("game", SLOW)
@pytest.mark.parametrize("kind", ["perfect", "sheet"])
def test_a_computer_player_who_would_take_too_long_sits_nowhere(
    person: Callable[[], Person], game: str, kind: str
) -> None:
    ann, bob = person(), person()
    seats = [{"who": "me", "name": "Ann"}, {"who": f"computer:{kind}"}]
    response = ann.post("/api/rooms", game=game, seats=seats)
    assert (response.status_code, code(response)) == (422, "too-large")
    assert "choose another one" in response.text
    assert limits.HINT_SECONDS < 60
    # Neither does it come in by the back door.
    opened = ann.open(game=game, seats=TWO)
    room = opened["view"]["room"]
    stand_in = ann.post(path_of(room, "stand-in"), seat=1, computer=kind)
    assert (stand_in.status_code, code(stand_in)) == (422, "too-large")
    response = ann.post("/api/rooms", game=game, seats=TWO, stand_in=kind)
    assert (response.status_code, code(response)) == (422, "too-large")
    bob.enter(room, opened["keys"]["1"], "Bob")
    bob.post(path_of(room, "leave"), seat=1)
    assert ann.post(path_of(room, "stand-in"), seat=1, computer=kind).status_code == 403


FILES = (
    *("./x.toml", "x.toml", "/etc/passwd", "../x", "x.toml#a", "classic#a", "X.TOML"),
    *("~/x.toml", "C:\\x.toml", "file:///etc/passwd", "./x.toml(tiles=1-9)", "x.toml[rounds=1]"),
)


def test_no_name_of_a_game_is_a_file(
    ann: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stanza = '[a]\ntitle = "Mine"\ntiles = "1-9"\ndice = "2d6"\nfewer = "may-top"\ncover = "sum"\n'
    (tmp_path / "x.toml").write_text(stanza)
    room = ann.open(game="classic")["view"]["room"]
    record = ann.get(path_of(room, "record")).content
    assert b"game classic" in record
    for game in FILES:
        asked = ann.post("/api/rooms", game=game)
        assert (asked.status_code, code(asked)) == (422, "unknown-game")
        assert "terminal" in asked.text
        spoilt = record.replace(b"game classic", f"game {game}".encode(), 1)
        again = ann.client.post("/api/records", content=spoilt, headers=PLAIN)
        assert again.status_code == 422, again.text
        assert "Mine" not in again.text
        with pytest.raises(Exception, match="terminal"):
            check_text(game)


# How often


def small(monkeypatch: pytest.MonkeyPatch, name: str, rate: str) -> None:
    monkeypatch.setattr(limits, name, rate)
    for module in (middleware, requests, rates, streams):  # they have it by name
        if name in vars(module):
            monkeypatch.setattr(module, name, rate)


def check_too_often(response: httpx2.Response) -> None:
    assert response.status_code == 429
    assert 1 <= int(response.headers["retry-after"]) <= 86_400
    if response.headers["content-type"].startswith("application/json"):
        assert code(response) == "full"
        assert "come back in" in response.text
    else:
        assert "ome back in" in response.text


@dataclass(frozen=True)
class Ask:
    """A request; one to the API sends JSON or a record, and any other a form."""

    path: str
    body: Any = None

    def by(self, person: Person, room: str) -> httpx2.Response:
        path = self.path.format(room=room)
        if self.body is None:
            return person.get(path)
        if isinstance(self.body, bytes):
            return person.client.post(path, content=self.body, headers=PLAIN)
        if path.startswith("/api/"):
            return person.post(path, **self.body)
        return person.client.post(path, data=self.body)


OPEN, MISTAKE = Ask("/api/rooms", {"game": "classic"}), Ask("/api/rooms", {"game": "nothing"})
HINT, RECORD = Ask(path_of("{room}", "hint")), Ask("/api/records", b"x")
BROWSER = Browser().subscribed("https://fcm.googleapis.com/x")
KEYS = {"endpoint": BROWSER.endpoint, "p256dh": BROWSER.key, "auth": BROWSER.auth}
SUBSCRIBE = Ask("/api/push", KEYS)
LINK, TAKE = Ask("/games/link", {}), Ask("/games/take", {"key": "x" * 24})
DRAWN = Ask("/p/classic.svg")
COSTLY_PAGES = (
    *(Ask(path) for path in ("/p/classic", "/practice", "/p/classic.png")),
    *(Ask("/practice", {"game": "classic"}), Ask("/review", {"text": "no record"})),
)
FORMS = [
    Ask("/play", {"game": "classic"}),
    Ask("/new", {"game": "classic", "who": "me", "name": ""}),
]
RATES: tuple[tuple[dict[str, str], list[Ask], list[Ask], list[Ask]], ...] = (
    ({"ROOMS_OF_ADDRESS": "2/hour"}, [OPEN] * 2, [OPEN, *FORMS], [Ask("/")]),
    ({"ROOMS_OF_ADDRESS_A_DAY": "2/day"}, [OPEN] * 2, [OPEN], [Ask("/")]),
    (  # a mistake is no table
        {"ROOMS_OF_ADDRESS": "1/hour", "OPENINGS_OF_ADDRESS": "3/hour"},
        *([MISTAKE, MISTAKE, OPEN], [MISTAKE], []),
    ),
    ({"SUBSCRIPTIONS_OF_ADDRESS": "3/hour"}, [SUBSCRIBE] * 3, [SUBSCRIBE], []),
    ({"HINTS_OF_ADDRESS": "3/hour"}, [HINT] * 3, [HINT, Ask("/r/{room}/hint")], []),
    ({"HINTS_OF_ADDRESS": "3/hour"}, [RECORD] * 3, [RECORD], []),
    ({"HANDOVERS_OF_ADDRESS": "2/day"}, [LINK] * 2, [LINK, Ask("/games/delete", {})], []),
    ({"KEYS_OF_ADDRESS": "3/day"}, [TAKE] * 3, [TAKE], [LINK]),
    *(({"HINTS_OF_ADDRESS": "1/hour"}, [page], [page], [DRAWN]) for page in COSTLY_PAGES),
)
"""Bounds, what is allowed until they are reached, what is refused then, and what is not."""


@pytest.mark.parametrize(("bounds", "allowed", "refused", "spared"), RATES)
def test_an_address_may_do_so_much(
    limited: Callable[[], Person],
    monkeypatch: pytest.MonkeyPatch,
    bounds: dict[str, str],
    allowed: list[Ask],
    refused: list[Ask],
    spared: list[Ask],
) -> None:
    ann = limited()
    room = ann.open(game="classic")["view"]["room"]
    for name, rate in bounds.items():
        small(monkeypatch, name, rate)
    for ask in allowed:
        assert ask.by(ann, room).status_code != 429, ask
    for ask in refused:
        check_too_often(ask.by(ann, room))
    for ask in spared:
        assert ask.by(ann, room).status_code in (200, 201), ask


def test_a_rate_comes_back_by_the_clock_that_nobody_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    now, counted = [0.0], rates.Rates(frozenset())
    assert vars(rates)["monotonic"] is time.monotonic
    monkeypatch.setattr(rates, "monotonic", lambda: now[0])
    for _ in range(3):
        counted.check("1/minute", "openings", "192.0.2.7")
        with pytest.raises(errors.TooOften):
            counted.check("1/minute", "openings", "192.0.2.7")
        now[0] += 60.0


def test_what_is_counted_are_bytes_and_not_characters(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = list[int]()
    monkeypatch.setattr(server.rates, "count_stored", lambda who, size: sizes.append(size))
    ann = person()
    room = ann.open(game="classic")["view"]["room"]
    assert ann.post(f"{path_of(room)}/name", seat=0, name="Zoë").status_code == 200
    entry = events_of(server.database, room)[-1].entry
    assert "Zoë" in entry
    assert sizes == [len(entry.encode())] != [len(entry)]


def test_whoever_is_trusted_may_do_as_he_likes(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch, "ROOMS_OF_ADDRESS", "1/hour")
    for _ in range(3):
        ann.open(game="classic")


def test_rounds_of_a_sheet(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = ann.open(game="classic(tiles=1,dice=1d2)", format="rounds=3", seats=[TWO[0]])
    room, table = opened["view"]["room"], opened["view"]["table"]
    while table["does"] != "over":
        table = ann.step(room, table)
    whole = ann.table(room)["sheet"]["rows"]
    assert len(whole) == 3 < limits.SHEET_ROUNDS
    monkeypatch.setattr(limits, "SHEET_ROUNDS", 2)
    held = ann.post(path_of(room, "rematch"), game=table["game"])
    table = held.json()["view"]["table"]
    while table["does"] != "over":
        table = ann.step(room, table)
    assert [row["round"] for row in ann.table(room)["sheet"]["rows"]] == ["2", "3"]


def test_a_stream_on_which_nothing_happens_says_that_it_is_alive(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "ALIVE_SECONDS", 0.01)
    held = server.rooms.loaded_room(ann.open(game="classic")["view"]["room"])
    assert held is not None

    async def hear(times: int) -> list[bytes]:
        listener = held.listen(None, Viewer(frozenset({0})))
        return [message for _ in range(times) for message in await listener.next()]

    picture, *others = asyncio.run(hear(4))
    assert b'"type":"picture"' in picture
    assert others == [b'{"type":"watching","watching":0}'] * 3


# What is held


def test_rooms_in_memory(ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000_000.0]
    monkeypatch.setattr(limits, "MOST_ROOMS", 2)
    server.rooms.now = lambda: clock[0]
    opened = []
    for _ in range(5):
        opened.append(ann.open(game="classic")["view"]["room"])
        clock[0] += limits.IDLE_SECONDS / 2
    assert len(server.rooms.loaded_rooms) <= 2
    # One that made way is read again, as it was.
    for room in opened:
        assert ann.step(room, ann.table(room))["version"] == 1
        clock[0] += limits.IDLE_SECONDS / 2
    assert len(server.rooms.loaded_rooms) <= 2


def test_a_room_that_nobody_asks_for_is_let_go(ann: Person, server: Server) -> None:
    clock = [1_000_000.0]
    server.rooms.now = lambda: clock[0]
    first, second = (ann.open(game="classic")["view"]["room"] for _ in range(2))
    clock[0] += limits.IDLE_SECONDS
    ann.get(path_of(second))
    clock[0] += 1
    server.rooms.drop_idle(limits.IDLE_SECONDS)
    assert [held.room.id for held in server.rooms.loaded_rooms] == [second]
    assert ann.get(path_of(first)).status_code == 200


def test_the_computers_of_all_tables_move_one_by_one_with_pauses(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, enough = server.rooms.commit, threading.Event()
    moves: list[tuple[float, str]] = []

    async def commits(live: LiveRoom, key: Any, made: RoomChange) -> Any:
        if key is None and made.events and not isinstance(made.events[0], Diced):
            moves.append((time.monotonic(), live.room.id))
            if len(moves) == 20:
                enough.set()
        return await commit(live, key, made)

    monkeypatch.setattr(server.rooms, "commit", commits)
    monkeypatch.setattr(limits, "COMPUTER_PAUSE", 0.02)
    for _ in range(4):
        ann.open(game="classic", seats=[*({"who": "computer"} for _ in range(11)), {"who": "me"}])
    assert enough.wait(20)
    assert len({room for _, room in moves}) == 4
    for (before, _), (after, _) in pairwise(moves[1:20]):
        assert after - before > 0.01


def test_a_computer_player_waits_for_busy_workers_and_plays_on(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It chooses as always, not the first cover on offer."""
    pool_do, commit, slept = server.pool.do, server.rooms.commit, asyncio.sleep
    refusals, over, chosen = [Full("", 1), NotReady("", 1)], threading.Event(), list[str]()

    async def busy(who: str, work: Any, *about: Any, **how: Any) -> Any:
        if work is tasks.choose and refusals:
            raise refusals.pop()
        found = await pool_do(who, work, *about, **how)
        chosen.extend([found] if work is tasks.choose else [])
        return found

    async def commits(live: LiveRoom, key: Any, made: RoomChange) -> Any:
        made_now = await commit(live, key, made)
        if live.room.phase == "over":
            over.set()
        return made_now

    monkeypatch.setattr(server.pool, "do", busy)
    monkeypatch.setattr(server.rooms, "commit", commits)
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: slept(min(seconds, 0.01)))
    room = ann.open(game="classic", seats=[{"who": "computer:careful"}])["view"]["room"]
    assert over.wait(PATIENCE)
    record = ann.get(f"{path_of(room)}/record").text
    assert not refusals
    assert re.findall(r": chooses (.*) #", record) == chosen


def test_computers_among_themselves_wait_for_those_that_play_with_people() -> None:
    runner = BotRunner(Mock(), Mock(), Mock())
    order: list[str] = []

    async def moves(name: str, *players: str) -> None:
        room = Mock(seats=[Mock(computer=player) for player in players])
        for _ in range(5):
            await runner._wait_for_turn(Mock(room=room))
            order.append(name)

    async def together() -> None:
        alone = [moves("alone", "careful", "fewest") for _ in range(8)]
        await asyncio.gather(*alone, moves("people", "careful", ""))

    asyncio.run(together())
    assert [number for number, name in enumerate(order) if name == "people"] == [1, 3, 5, 7, 9]


def test_a_full_room_of_computer_players_is_let_be(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_EVENTS", 8)
    seats = [{"who": "computer"}, {"who": "computer"}]
    room = ann.open(game="pub", seats=seats)["view"]["room"]
    assert ann.get(path_of(room)).status_code == 200
    held = server.rooms.loaded_room(room)
    assert held is not None
    assert held.room.event_count <= limits.MOST_EVENTS


def test_a_short_log_is_read_while_long_ones_are(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person()
    short, long = (ann.open(game="classic")["view"] for _ in range(2))
    table = long["table"]
    for _ in range(3):
        table = ann.step(long["room"], table)
    assert limits.SHORT_LOG > 4
    monkeypatch.setattr(limits, "SHORT_LOG", 4)
    server.rooms._loaded.clear()
    begun, goes_on, replay = threading.Event(), threading.Event(), log._replayed

    def slow(id: str, rows: Any) -> Any:
        if id == long["room"]:
            begun.set()
            assert goes_on.wait(PATIENCE)
        return replay(id, rows)

    monkeypatch.setattr(log, "_replayed", slow)
    asking = threading.Thread(target=ann.table, args=(long["room"],))
    asking.start()
    assert begun.wait(PATIENCE)
    assert ann.table(short["room"]) == short["table"]
    goes_on.set()
    asking.join()
    assert ann.table(long["room"]) == table


def test_a_device_without_seats_is_read_from_the_log_only_once(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, stranger = person(), person()
    path = path_of(ann.open(game="classic", seats=TWO)["view"]["room"])
    stranger.open(game="classic")  # so that this device has a cookie
    seats_of = AsyncMock(wraps=server.log.seats_of)
    monkeypatch.setattr(server.log, "seats_of", seats_of)
    assert [stranger.get(path).status_code for _ in range(2)] == [403, 403]
    assert seats_of.await_count == 1
