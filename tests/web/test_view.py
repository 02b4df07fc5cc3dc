"""The view of each client: links, names, and the server's own log lines."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from people import Person, path_of
from serving import Served
from shutbox.engine.errors import NotKept
from shutbox.web.server.services import Server

THREE = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "link"}]
SECRET = re.compile(r"#([A-Za-z0-9_-]{22})")


def test_no_secret_is_kept_as_it_is(person: Callable[[], Person], server: Server) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=THREE[:2])
    room, keys = opened["view"]["room"], opened["keys"]
    keys["seat"] = bob.enter(room, keys["1"], "Bob").json()["key"]
    ann.step(room, ann.table(room))
    with server.database.reader.connect() as connection:
        dump = ""
        for table in ("rooms", "events", "grants", "secrets"):
            dump += str(connection.exec_driver_sql(f"SELECT * FROM {table}").all())
    cookies = [str(who.client.cookies["device"]) for who in (ann, bob)]
    assert room in dump
    for secret in (*keys.values(), *cookies):
        assert secret not in dump


# The lines of the log


def test_the_lines_of_a_whole_game_have_no_secret(tmp_path: Path) -> None:
    agent = {"user-agent": "a browser"}
    secrets: set[str] = set()
    with Served(tmp_path) as served:

        def client() -> httpx2.Client:
            return served.client(headers=agent, follow_redirects=True)

        with client() as of_ann, client() as of_bob, client() as bare:
            ann, bob = Person(of_ann), Person(of_bob)
            seats = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "computer"}]
            opened = ann.open(game="pub", format="order=seats", seats=seats, coach=True)
            room, keys = opened["view"]["room"], opened["keys"]
            secrets |= {room, *keys.values()}
            form = {"action": "enter-it", "key": served.url + "/#" + keys["1"], "name": "Bob"}
            assert of_bob.post(f"/r/{room}/enter", data=form).status_code == 200
            bearer = {"authorization": f"Bearer {keys['0']}"}
            while (table := ann.table(room))["does"] != "over":
                who = (ann, bob, None)[table["seat"]]
                if who is None:
                    continue
                who.get(f"/r/{room}")
                who.get(f"/r/{room}/hint")
                bare.get(path_of(room, "hint"), headers=bearer)
                who.step(room, table)
                who.act(room, table, "throw")  # late
            for path in (
                f"/r/{room}/record",
                path_of(room, "record?game=7"),
                f"/r/{room}/review",
            ):
                bare.get(path, headers=bearer)
            bob.post(path_of(room, "renew"), seat=1)
            bare.get(path_of(room), headers={"authorization": "Bearer nothing-of-this-room"})
            bare.get(f"/r/{room}/nothing?key={keys['0']}")
            secrets |= set(SECRET.findall(ann.get(path_of(room)).text))
            secrets |= set(SECRET.findall(bob.get(path_of(room)).text))
            secrets |= {str(one.cookies["device"]) for one in (of_ann, of_bob)}
            secrets.add("nothing-of-this-room")
    written = served.log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert len(lines) > 30
    assert {line["route"] for line in lines if line["event"] == "request"} >= {
        "/r/{room}",
        "/api/rooms/{room}/act",
        "none",
    }
    assert len(secrets) > 7
    for secret in secrets:
        assert secret not in written
    assert "Ann" not in written


def test_the_line_of_a_computer_player_who_stops_names_no_room(
    ann: Person,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    keep = server.writer.store

    async def of_people(first: Any, *writes: Any, room: str) -> None:
        event = first.keywords["added"][0]
        if event.action is None and '"happen"' in event.entry:
            raise NotKept("the disk is full")
        await keep(first, *writes, room=room)

    seats = [{"who": "me", "name": "Ann"}, {"who": "computer"}]
    room = ann.open(game="lucky-seven[seats=2]", seats=seats)["view"]["room"]
    monkeypatch.setattr(server.log, "write", of_people)
    table = ann.table(room)
    while table["seat"] == 0:
        table = ann.step(room, table)
    for _ in range(20):
        ann.get(path_of(room))
    assert "computer player stopped" in caplog.text
    assert room not in caplog.text
