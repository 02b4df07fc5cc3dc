"""Sealed dice at tables of a server: the words, the seal, the opening, and what is refused."""

import re
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from people import Person
from sealed_tables import (
    at_two,
    dice_of,
    opened,
    problems,
    word,
)
from serving import PATIENCE
from shutbox.web import limits
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.view import View, view
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import seeds


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def views_are_those_of_their_rooms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In every test of this file, what is shown of a room is what the room shows anew."""
    stale, present = list[View](), LiveRoom.current_view

    def checked(self: LiveRoom) -> View:
        shown = present(self)
        if shown != view(self.room, self.watching):
            stale.append(shown)
        return shown

    monkeypatch.setattr(LiveRoom, "current_view", checked)
    yield
    assert stale == []


def test_a_first_throw_waits_for_the_words_of_others_if_any_has_come(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WORD_SECONDS", PATIENCE)
    room = at_two(ann, bob)
    assert word(ann, room, 0, "pub").status_code == 200
    with ThreadPoolExecutor() as pool:
        thrown = pool.submit(ann.act, room, ann.table(room), "throw")
        time.sleep(0.2)
        assert dice_of(bob, room)["state"] == "words"
        assert word(bob, room, 1, "tap").status_code == 200
        assert thrown.result().status_code == 200
    assert dice_of(bob, room)["given"] == [True, True]


def test_a_rematch_has_an_envelope_of_its_own(ann: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)
    first = dice_of(ann, room)
    assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
    second = dice_of(ann, room)
    assert {first["gid"], first["envelope"]}.isdisjoint({second["gid"], second["envelope"]})
    assert second["state"] == "words"
    ann.play_out(room)
    assert problems(opened(ann, room), dice_of(ann, room)["envelope"]) == []
    record = ann.get(f"/api/rooms/{room}/record?game=1").text
    assert problems(record, first["envelope"]) == []
    stored = server.database.rows(select(seeds.c.gid, seeds.c.seed))
    assert {gid for gid, _ in stored} >= {first["gid"], second["gid"]}
    assert len({seed for _, seed in stored}) == len(stored)


def test_the_card_has_twelve_words_and_the_page_counts_faces(ann: Person) -> None:
    assert "No sealed dice were thrown" in ann.get("/dice").text
    room = ann.open(game="classic")["view"]["room"]
    words = [f"<li>{one}</li>" for one in dice_of(ann, room)["words"]]
    assert all(one in ann.get(f"/r/{room}/dice").text for one in words)
    ann.play_out(room)
    record = opened(ann, room)
    card = ann.get(f"/r/{room}/dice").text
    assert all(one in card for one in words)
    assert "no word." in card
    page = ann.get("/dice").text
    throws = [
        face for line in record.splitlines() if "throws" in line for face in re.findall(r"\d", line)
    ]
    assert throws
    assert "1 game was sealed there." in page
    assert "1 envelope is open." in page
    assert "provably" not in (card + page).lower()
    hand = ann.open(game="classic", dice="hand")["view"]["room"]
    assert "The dice of this game are not sealed." in ann.get(f"/r/{hand}").text
    assert "The dice of this game are not sealed." in ann.get(f"/r/{hand}/dice").text


def test_the_counts_are_those_of_the_records(ann: Person) -> None:
    fell: Counter[str] = Counter()
    for game in ("classic", "cargo", "classic(dice=2d8)"):
        room = ann.open(game=game)["view"]["room"]
        ann.play_out(room)
        for thrown, of in re.findall(r": throws ([0-9+]+)( of [0-9d+]+)? #", opened(ann, room)):
            fell.update(f"{of.rpartition('d')[2] or 6} {face}" for face in thrown.split("+"))
    page = ann.get("/dice").text
    for sides in {one.split()[0] for one in fell}:
        [row] = re.findall(
            rf"Dice with {sides} sides, (\d+) thrown.*?<tbody>(.*?)</tbody>", page, re.DOTALL
        )
        faces = [int(number) for number in re.findall(r"</th><td>(\d+)</td>", row[1])]
        assert faces == [fell[f"{sides} {face}"] for face in range(1, int(sides) + 1)]
        assert int(row[0]) == sum(faces)
