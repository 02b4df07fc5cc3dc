"""The limits of the server: requests beyond one are refused at once, with a sentence.

Rates are made small.
"""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import httpx2
import pytest

from in_process import client_of, server_of, settings_in
from people import Person, path_of
from push_service import Browser
from records import header, random_play
from serving import PATIENCE, until
from shutbox.engine.dice import Roll
from shutbox.engine.errors import TooLarge
from shutbox.engine.lru import LruCache
from shutbox.games.catalogue import find
from shutbox.record import read, to_bytes
from shutbox.web import errors, limits
from shutbox.web.actions import rates, replays, reviews
from shutbox.web.api import streams
from shutbox.web.compute import tasks
from shutbox.web.compute.tasks import check_text
from shutbox.web.errors import Full, NotReady
from shutbox.web.http import middleware, requests
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.changes import RoomChange
from shutbox.web.rooms.events import Diced
from shutbox.web.server.services import Server
from shutbox.web.storage import log
from shutbox.web.storage.log import events_of

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}
PLAIN = {"content-type": "text/plain"}


def code(response: httpx2.Response) -> str:
    """The code of a refusal, which is a sentence."""
    error = response.json()["error"]
    assert re.fullmatch(r"[A-Za-z0-9].*\.", error["message"], re.DOTALL)
    return str(error["code"])


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[Person]:
    """Yield somebody at a server that lets nobody do as they like."""
    with client_of(server_of(settings_in(tmp_path, unlimited=frozenset()))) as client:
        yield Person(client)


# What is sent


@pytest.mark.parametrize("path", ["/api/rooms", "/play"])
def test_a_body_that_is_too_long(ann: Person, path: str) -> None:
    coded = JSON if "/api/" in path else FORM
    size = limits.LARGEST_BODY + 1
    for content, said in (
        (b" " * size, {}),
        ((b" " * 1000 for _ in range(0, size, 1000)), {}),
        (b"", {"content-length": "99999999999"}),
    ):
        response = ann.client.post(path, content=content, headers={**coded, **said})
        assert response.status_code == 400
        assert f"{limits.LARGEST_BODY:,} bytes" in response.text
    body = b'{"action": "12345678", "game": "classic"}'.ljust(limits.LARGEST_BODY)
    assert ann.client.post("/api/rooms", content=body, headers=JSON).status_code == 201


def test_a_record_of_many_events_or_that_takes_long_is_shown_as_far_as_it_came(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = ann.get(path_of(ann.played(), "record")).content
    head, *lines = record.splitlines(keepends=True)
    for name, most, shown in (("REPLAY_SECONDS", -1.0, 0), ("MOST_STEPS", 3, 3)):
        assert getattr(limits, name) > most
        with monkeypatch.context() as patch:
            patch.setattr(limits, name, most)
            replay = replays.replay_record(record)
            assert replay.fault == f"Only the first {shown} events are shown."
            assert len(replay.steps) == shown + 1
    monkeypatch.setattr(limits, "MOST_STEPS", 3)
    damaged = b"".join((head, *lines[:-3], b"nonsense\n", *lines[-3:], *lines * 3))
    assert (replays.replay_record(damaged).fault or "").startswith("It is damaged at line ")


def test_texts_that_are_too_long(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    act = {"game": 1, "version": 0, "seat": 0, "do": "throw"}
    long = "x" * (limits.LONGEST_TEXT + 1)
    texts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/api/rooms", {"game": long}),
        ("/api/rooms", {"game": "classic", "format": long}),
        (path_of(room, "act"), {**act, "choice": long}),
        (path_of(room, "act"), {**act, "roll": "6" * (limits.LONGEST_ROLL + 1)}),
        (path_of(room, "act"), {**act, "action": "x" * (limits.LONGEST_ACTION + 1)}),
        (path_of(room, "act"), {**act, "action": "x" * 7}),
        (path_of(room, "act"), {**act, "action": "a space in it"}),
        (path_of(room, "enter"), {"key": "x" * (limits.LONGEST_KEY + 1)}),
        (path_of(room, "stand-in"), {"seat": 0, "computer": "x" * (limits.LONGEST_KIND + 1)}),
        ("/api/rooms", {"game": "classic", "seats": [{"who": "here", "name": "x" * 193}]}),
        ("/api/rooms", {"game": "pub", "seats": [{"who": "here"}] * 13}),
        ("/api/rooms", {"game": "pub", "seats": []}),
    )
    for path, body in texts:
        response = ann.post(path, **body)
        assert (response.status_code, code(response)) == (400, "bad-request"), body
        if "6" * 200 in body.get("roll", ""):  # it is told to whoever has typed or pasted it
            said = response.json()["error"]["message"]
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
    record = ann.get(path_of(ann.open(game="classic")["view"]["room"], "record")).content
    for game in COSTLY:
        spoilt = record.replace(b"game classic", f"game {game}".encode(), 1)
        for response in (
            ann.post("/api/rooms", game=game),
            ann.post("/api/rooms", game=game, format="rounds=3"),
            ann.client.post("/api/records", content=spoilt, headers=PLAIN),
        ):
            assert response.status_code == 422, response.text
            assert code(response) in ("too-large", "bad-variant", "bad-record", "illegal-roll")
    said = ann.post("/api/rooms", game="two-dice(tiles=1-30,dice=8d6)").json()["error"]["message"]
    assert f"at most {limits.MOST_COVERS:,}" in said
    for game in ("tray(dice=20d100)", "two-dice(tiles=1-30,dice=6d6)"):  # within the bounds
        room = ann.open(game=game)["view"]["room"]
        assert len(str(ann.step(room, ann.table(room)))) < 10 * limits.LARGEST_BODY


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
Row = tuple[dict[str, str], list[Ask], list[Ask], list[Ask]]
RATES: tuple[Row, ...] = (
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


@pytest.mark.parametrize("row", RATES)
def test_an_address_may_do_so_much(
    limited: Person, monkeypatch: pytest.MonkeyPatch, row: Row
) -> None:
    bounds, allowed, refused, spared = row
    room = limited.open(game="classic")["view"]["room"]
    for name, rate in bounds.items():
        for module in (limits, middleware, requests, rates, streams):  # they have it by name
            if name in vars(module):
                monkeypatch.setattr(module, name, rate)
    for ask in allowed:
        assert ask.by(limited, room).status_code != 429, ask
    for ask in refused:
        answer = ask.by(limited, room)
        assert answer.status_code == 429
        assert 1 <= int(answer.headers["retry-after"]) <= 86_400
        assert "ome back in" in answer.text
        is_json = answer.headers["content-type"].startswith("application/json")
        assert not is_json or code(answer) == "full"
    for ask in spared:
        assert ask.by(limited, room).status_code in (200, 201), ask


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
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Mock()
    monkeypatch.setattr(server.rates, "count_stored", count)
    room = ann.open(game="classic")["view"]["room"]
    assert ann.post(path_of(room, "name"), seat=0, name="Zoë").status_code == 200
    entry = events_of(server.database, room)[-1].entry
    assert "Zoë" in entry
    sizes = [call.args[1] for call in count.call_args_list]
    assert sizes == [len(entry.encode())] != [len(entry)]


# What is held


def test_rooms_in_memory(ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, opened = [1_000_000.0], list[str]()
    server.rooms.now = lambda: clock[0]
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MOST_ROOMS", 2)
        for _ in range(5):
            opened.append(ann.open(game="classic")["view"]["room"])
            clock[0] += limits.IDLE_SECONDS / 2
        assert len(server.rooms.loaded_rooms) <= 2
        # One that made way is read again, as it was.
        for room in opened:
            assert ann.step(room, ann.table(room))["version"] == 1
            clock[0] += limits.IDLE_SECONDS / 2
        assert len(server.rooms.loaded_rooms) <= 2
    # One that nobody asks for is let go.
    ann.get(path_of(opened[0]))
    ann.get(path_of(opened[1]))
    clock[0] += limits.IDLE_SECONDS
    ann.get(path_of(opened[1]))
    clock[0] += 1
    server.rooms.drop_idle(limits.IDLE_SECONDS)
    assert [held.room.id for held in server.rooms.loaded_rooms] == [opened[1]]


def test_a_room_that_was_read_while_it_was_opened_keeps_no_idle_one(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, append = [1_000_000.0], server.log.append
    server.rooms.now = lambda: clock[0]
    other = ann.open(game="classic")["view"]["room"]

    async def append_slowly(room: Any, *arguments: Any) -> tuple[str, int]:
        """Store a room, which a second request reads before its opener; a third reads another."""
        stored = await append(room, *arguments)
        for id in (room.id, other):
            await server.rooms.find(id)
        clock[0] += limits.IDLE_SECONDS
        return stored

    monkeypatch.setattr(limits, "MOST_ROOMS", 1)
    monkeypatch.setattr(server.log, "append", append_slowly)
    opened = ann.open(game="classic")["view"]["room"]
    assert [live.room.id for live in server.rooms.loaded_rooms] == [opened]


def test_the_computers_of_all_tables_move_one_by_one_with_pauses(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, enough = server.rooms.commit_locked, threading.Event()
    moves: list[tuple[float, str]] = []

    async def commits(live: LiveRoom, key: Any, made: RoomChange) -> Any:
        if key is None and made.events and not isinstance(made.events[0], Diced):
            moves.append((time.monotonic(), live.room.id))
            if len(moves) == 20:
                enough.set()
        return await commit(live, key, made)

    monkeypatch.setattr(server.rooms, "commit_locked", commits)
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
    do, slept = server.pool.do, asyncio.sleep
    refusals, chosen = [Full("", 1), NotReady("", 1)], list[str]()

    async def busy(who: str, work: Any, *about: Any, **how: Any) -> Any:
        if work is tasks.choose and refusals:
            raise refusals.pop()
        found = await do(who, work, *about, **how)
        chosen.extend([found] if work is tasks.choose else [])
        return found

    monkeypatch.setattr(server.pool, "do", busy)
    monkeypatch.setattr(asyncio, "sleep", lambda seconds: slept(min(seconds, 0.01)))
    room = ann.open(game="classic", seats=[{"who": "computer:careful"}])["view"]["room"]
    until(lambda: ann.table(room)["does"] == "over")
    assert not refusals
    record = ann.get(path_of(room, "record")).text
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


def test_a_short_log_is_read_while_long_ones_are(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, long = ann.played(0), ann.played(3)
    tables = [ann.table(room) for room in (short, long)]
    assert limits.SHORT_LOG > 4
    monkeypatch.setattr(limits, "SHORT_LOG", 4)
    server.rooms._loaded.clear()
    begun, goes_on, replay = threading.Event(), threading.Event(), log._replayed

    def slow(id: str, rows: Any) -> Any:
        if id == long:
            begun.set()
            assert goes_on.wait(PATIENCE)
        return replay(id, rows)

    monkeypatch.setattr(log, "_replayed", slow)
    asking = threading.Thread(target=ann.table, args=(long,))
    asking.start()
    assert begun.wait(PATIENCE)
    assert ann.table(short) == tables[0]
    goes_on.set()
    asking.join()
    assert ann.table(long) == tables[1]


def test_a_device_without_seats_is_read_from_the_log_only_once(
    ann: Person, bob: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = path_of(ann.open(game="classic", seats=TWO)["view"]["room"])
    bob.open(game="classic")  # so that this device has a cookie
    seats_of = AsyncMock(wraps=server.log.seats_of)
    monkeypatch.setattr(server.log, "seats_of", seats_of)
    assert [bob.get(path).status_code for _ in range(2)] == [403, 403]
    assert seats_of.await_count == 1


def test_fields_of_a_form_and_its_character_set(ann: Person) -> None:
    for number, status in ((limits.MOST_FIELDS, 422), (limits.MOST_FIELDS + 1, 400)):
        content = "&".join(f"game{i}=x" for i in range(number - 1)) + "&game=nothing"
        assert ann.client.post("/play", content=content, headers=FORM).status_code == status
    body = b'--B\r\nContent-Disposition: form-data; name="\xc3"\r\n\r\nx\r\n--B--\r\n'
    for charset in ("undefined", "punycode", "utf-16", "nothing"):
        kind = f"multipart/form-data; boundary=B; charset={charset}"
        response = ann.client.post("/review", content=body, headers={"content-type": kind})
        assert response.status_code in (400, 422)


def test_what_was_refused_once_is_refused_again_without_work(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ann.played(1, game="classic(tiles=1-24,dice=3d8)")
    do = AsyncMock(side_effect=lambda caller, work, *about, **queue: work(*about))
    monkeypatch.setattr(server.pool, "do", do)
    said = ann.get(path_of(room, "hint")).json()
    assert "would take too long" in str(said)
    monkeypatch.setattr(tasks, "whole_cost", None)
    assert ann.get(path_of(room, "hint")).json() == said
    assert [call.args[1] for call in do.await_args_list] == [tasks.hint, tasks.hint]
    assert tasks.cost_of.cache_parameters()["maxsize"] == limits.MOST_ESTIMATES


def test_a_record_of_many_events_is_not_quick(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, do = ann.played(2), AsyncMock(wraps=server.pool.do)
    monkeypatch.setattr(server.pool, "do", do)
    for most in (limits.SHORT_RECORD, 2):
        monkeypatch.setattr(limits, "SHORT_RECORD", most)
        assert ann.get(path_of(room, "record")).status_code == 200
    assert [call.kwargs["quick"] for call in do.await_args_list] == [True, False]


def test_a_review_is_bounded_before_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    tray, seen = find("tray"), []
    record = to_bytes(header("tray"), tray, random_play(tray, 1, 200).log)

    def reading(*about: Any) -> Any:
        found = read(*about)
        seen.append(len(found.play.log))
        return found

    monkeypatch.setattr(replays, "read", reading)
    monkeypatch.setattr(limits, "MOST_REVIEWED", 100)
    with pytest.raises(TooLarge, match="more than 100 events"):
        reviews.review_record(record)
    assert 100 < seen[0] < 130, "few are played to refuse them"
    classic = find("classic")
    record = to_bytes(header("classic"), classic, random_play(classic, 1, 2).log)
    assert reviews.review_record(record).steps
    monkeypatch.setattr(reviews, "can_advise", lambda game: False)
    monkeypatch.setattr(reviews, "can_solve_from", lambda game, start: False)
    with pytest.raises(TooLarge, match="takes too long to review here"):
        reviews.review_record(record)


def test_a_review_is_worked_out_once(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ann.played(99, game="six")
    first = ann.get(f"/r/{room}/review")
    assert first.status_code == 200
    monkeypatch.setattr(server.pool, "do", None)  # nobody is asked any more
    assert ann.get(f"/r/{room}/review").text == first.text


def test_what_would_take_much_memory_is_not_solved_and_what_was_solved_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [find(name) for name in ("classic", "full-house", "classic(tiles=1-8)")]
    assert tasks.can_advise(games[1])
    assert not tasks.can_advise(find("classic(tiles=1-15,dice=3d6)"))
    assert tasks._solved.room == limits.SOLVED_MEMORY
    costs = [cost.memory for game in games if (cost := tasks.cost_of(game.name))]
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "_solved", LruCache(3, costs[1] + costs[2]))
        for game in games:
            tasks.hint(game, game.rolled(game.start(), Roll((1, 2))), "ranked")
        assert [game for game, _ in tasks._solved] == games[1:]
    monkeypatch.setattr(limits, "HINT_MEMORY", 1 << 20)
    assert not tasks.can_advise(games[1])


def test_a_hint_tells_the_best_of_many_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HINT_CHOICES", 3)
    full_house = find("full-house")
    figures = tasks.hint(full_house, full_house.position_at("1-12/6+6"), "ranked").figures
    assert figures is not None
    assert len(figures.choices) == 3 < figures.more
