"""The view of each client: links, names, and the server's own log lines."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from people import Person, path_of
from shutbox.engine.errors import NotKept
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import metadata

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


def test_no_secret_is_kept_as_it_is(person: Callable[[], Person], server: Server) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", format="order=seats", seats=TWO)
    room, keys = opened["view"]["room"], opened["keys"]
    keys["seat"] = bob.enter(room, keys["1"], "Bob").json()["key"]
    keys["link"] = ann.client.post("/games/link", data={}).text.partition("/take#")[2][:24]
    ann.step(room, ann.table(room))
    dump = str([server.database.rows(select(table)) for table in metadata.sorted_tables])
    cookies = [str(who.client.cookies["device"]) for who in (ann, bob)]
    assert room in dump
    assert hashed(keys["link"]) in dump
    for secret in (*keys.values(), *cookies):
        assert secret not in dump


# The lines of the log


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
