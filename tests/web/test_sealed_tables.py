"""Sealed dice at tables of a server: the words, the seal, the opening, and what is refused."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import select

from people import Person
from sealed_tables import (
    at_two,
    dice_of,
    opened,
    play_out,
    problems,
    refused,
    word,
)
from serving import PATIENCE, until
from shutbox.web import limits
from shutbox.web.live.live_room import Broadcast, LiveRoom
from shutbox.web.rooms.events import Diced
from shutbox.web.rooms.ports import Addition
from shutbox.web.rooms.view import View, view
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import seeds


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def views_are_those_of_their_rooms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In every test of this file, what is shown of a room is what the room shows anew."""
    stale, present = list[View](), Broadcast.present

    def checked(self: Broadcast) -> View:
        shown = present(self)
        if shown != view(self.room, self.watching):
            stale.append(shown)
        return shown

    monkeypatch.setattr(Broadcast, "present", checked)
    yield
    assert stale == []


@pytest.fixture
def bob(person: Callable[[], Person]) -> Person:
    return person()


def test_a_game_with_words_of_two_is_sealed_with_its_first_throw(
    ann: Person, bob: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    room = at_two(ann, bob)
    first = dice_of(ann, room)
    assert (first["state"], len(first["words"]), first["seal"]) == ("words", 12, "")
    assert word(ann, room, 0, "pub").status_code == 200
    assert word(ann, room, 0, "pub").status_code == 200  # as a client does that lost the answer
    assert word(bob, room, 1, "caf\u00e9").status_code == 200
    assert dice_of(ann, room) == {**first, "given": [True, True]}
    ann.step(room, ann.table(room))
    seal = dice_of(ann, room)
    assert (seal["state"], len(seal["seal"])) == ("sealed", 64)
    assert "fixed already" in refused(word(bob, room, 1, "tap"))
    play_out(room, ann, bob)
    record = opened(ann, room)
    assert record.startswith("shutbox record 1\n")
    assert '0 "pub" 1 "caf\\u00e9"' in record.splitlines()[-1]
    ticket = f'{first["envelope"]} 1 "caf\u00e9"'
    assert problems(record, ticket) == problems(record, " ".join(first["words"])) == []
    assert problems(record, "0" * 64)
    assert problems(record, ticket.replace("caf", "tap"))


def test_a_table_whose_clients_send_no_word_plays_on_and_says_so(
    ann: Person, capsys: pytest.CaptureFixture[str]
) -> None:
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)
    seal = dice_of(ann, room)
    assert seal["given"] == [False]
    assert problems(opened(ann, room), seal["envelope"]) == []
    assert "Without a word: " in capsys.readouterr().out


def test_a_word_that_cannot_be_given_is_refused_and_changes_nothing(
    ann: Person, bob: Person
) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Zo"}, {"who": "link"}]
    room = at_two(ann, bob)
    for text in ("x" * 65, "a\u202eb", "a\nb"):
        assert refused(word(ann, room, 0, text))
    assert "seat 1 is not yours" in refused(word(ann, room, 1, "pub")).lower()
    assert dice_of(ann, room)["given"] == [False, False]
    assert word(ann, room, 0, "pub").status_code == 200
    assert "fixed already" in refused(word(ann, room, 0, "tap"))
    ann.step(room, ann.table(room))
    assert "fixed already" in refused(word(bob, room, 1, "late"))
    assert dice_of(ann, room)["given"] == [True, False]
    room = ann.open(game="pub", seats=seats)["view"]["room"]
    assert "lowest" in refused(word(ann, room, 1, "pub"))
    assert word(ann, room, 0, "pub").status_code == 200


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


def test_real_dice_have_no_envelope(ann: Person) -> None:
    room = ann.open(game="classic", dice="hand")["view"]["room"]
    assert dice_of(ann, room) is None
    today = ann.post("/api/today").json()["view"]
    assert today["seal"] is None


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


def test_a_computer_that_begins_waits_for_the_word(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WORD_SECONDS", PATIENCE)
    seats = [{"who": "computer:fewest", "name": "Robo"}, {"who": "me", "name": "Ann"}]
    room = ann.open(game="pub", format="order=seats", seats=seats)["view"]["room"]
    assert ann.table(room)["version"] == 0
    assert word(ann, room, 1, "pub").status_code == 200
    until(lambda: ann.table(room)["seat"] == 1)
    assert dice_of(ann, room)["given"] == [False, True]


def test_computers_alone_wait_for_nobody(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORD_SECONDS", 10 * PATIENCE)
    seats = [{"who": "computer:fewest"}, {"who": "computer:most"}]
    room = ann.open(game="pub", seats=seats)["view"]["room"]
    seal = dice_of(ann, room)
    record = opened(ann, room)
    assert problems(record, dice_of(ann, room)["envelope"]) == []
    assert seal["gid"] in record


def test_a_seat_that_is_taken_over_keeps_its_word(ann: Person, bob: Person) -> None:
    room = at_two(ann, bob)
    for seat, (person, text) in enumerate(((ann, "pub"), (bob, "quay"))):
        assert word(person, room, seat, text).status_code == 200
    envelope = dice_of(ann, room)["envelope"]
    assert bob.post(f"/api/rooms/{room}/leave", seat=1).status_code == 200
    assert ann.post(f"/api/rooms/{room}/stand-in", seat=1).status_code == 200
    while (table := ann.table(room))["does"] != "over":
        if table["seat"] == 0:
            ann.step(room, table)
    record = opened(ann, room)
    assert problems(record, f'{envelope} 1 "quay"') == []


def test_a_computer_player_at_a_free_seat_is_one_in_the_record(ann: Person) -> None:
    room = ann.open(game="pub", seats=[{"who": "me", "name": "Ann"}, {"who": "link"}])["view"][
        "room"
    ]
    assert ann.post(f"/api/rooms/{room}/stand-in", seat=1).status_code == 200
    while (table := ann.table(room))["does"] != "over":
        if table["seat"] == 0:
            ann.step(room, table)
    assert re.search("player .*=computer:", opened(ann, room))


def test_a_second_device_and_a_lost_cookie_change_no_word(
    ann: Person, bob: Person, person: Callable[[], Person]
) -> None:
    room = at_two(ann, bob)
    link = ann.get(f"/api/rooms/{room}").json()["you"]["links"]["seats"]["0"]
    other = person()
    assert other.enter(room, link.partition("#")[2]).status_code == 200
    assert word(ann, room, 0, "pub").status_code == 200
    assert "fixed already" in refused(word(other, room, 0, "quay"))
    bob.client.cookies.clear()  # and with it the word
    assert bob.get(f"/api/rooms/{room}").status_code == 403
    ann.step(room, ann.table(room))
    assert dice_of(ann, room)["given"] == [True, False]


def ends_by(person: Person, kind: str) -> tuple[str, dict[str, Any]]:
    """A game that has ended with an event of this kind: one tile is up, and one die shows it."""
    for _ in range(100):
        room = person.open(game="classic", position="1")["view"]["room"]
        table = person.play_out(room)
        log = person.get(f"/api/rooms/{room}").json()["log"]
        if log[-1]["kind"] == kind:
            return room, table
    raise AssertionError("a die never shows a 1")


@pytest.mark.parametrize("ends", ["by a choice", "by a throw", "given up"])
def test_nothing_is_taken_back_once_the_envelope_is_open(
    ann: Person, bob: Person, server: Server, ends: str
) -> None:
    if ends == "given up":
        room = at_two(ann, bob)
        ann.step(room, ann.step(room, ann.table(room)))
        assert bob.post(f"/api/rooms/{room}/leave", seat=1).status_code == 200
        table = ann.table(room)
        assert ann.post(f"/api/rooms/{room}/end").status_code == 200
    else:
        room, table = ends_by(ann, "choose" if ends == "by a choice" else "throw")
    opened(ann, room)
    assert ann.table(room)["taker_back"] is None
    reply = ann.act(room, {**table, "seat": 0}, "take-back")
    assert refused(reply)
    assert dice_of(ann, room)["state"] == "open"


def test_a_choice_that_ends_a_game_goes_back_while_the_envelope_is_closed(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 10 * PATIENCE)
    opening = ann.open(game="classic", position="1.2/1+2")
    room = opening["view"]["room"]
    over = ann.act(room, ann.table(room), "choose", choice="1 2").json()["view"]["table"]
    assert over["does"] == "over"
    assert ann.act(room, over, "take-back", seat=0).status_code == 200
    assert ann.table(room)["does"] == "choose"


def test_the_next_press_opens_the_envelope(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 10 * PATIENCE)
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)
    seal = dice_of(ann, room)["envelope"]
    assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
    record = ann.get(f"/api/rooms/{room}/record?game=1").text
    assert problems(record, seal) == []


def test_a_first_throw_seals_the_dice_in_the_same_write(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, append = list[int](), server.log.append

    async def counted(addition: Addition) -> tuple[str, int]:
        writes.append(len(addition.events))
        return await append(addition)

    monkeypatch.setattr(server.log, "append", counted)
    room = ann.open(game="classic")["view"]["room"]
    table = ann.table(room)
    assert word(ann, room, 0, "pub").status_code == 200
    first = ann.act(room, table, "throw", action="first-throw").json()
    assert writes[1:] == [1, 2]  # the word; the seal and the throw
    server.rooms.forget(-1)  # the answer to a retry is that of the throw, also from the log
    assert server.rooms.cached_room(room) is None
    retry = ann.act(room, table, "throw", action="first-throw").json()
    assert (retry["number"], retry["said"]) == (first["number"], first["said"])
    assert first["said"]
    assert first["move"]
    ann.play_out(room)
    assert problems(opened(ann, room), dice_of(ann, room)["envelope"]) == []


def test_a_word_that_comes_while_the_first_throw_is_made_is_not_left_out(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ann.open(game="classic")["view"]["room"]
    ready = server.rooms.prepare_dice

    async def given(live: LiveRoom, **how: bool) -> None:
        await ready(live, **how)
        await server.rooms.change(live, None, lambda it: (Diced("word", "pub", 0),))

    monkeypatch.setattr(server.rooms, "prepare_dice", given)
    assert ann.act(room, ann.table(room), "throw").status_code == 200
    monkeypatch.undo()
    assert dice_of(ann, room)["given"] == [True]
    ann.play_out(room)
    envelope = dice_of(ann, room)["envelope"]
    until(lambda: dice_of(ann, room)["state"] == "open")
    assert problems(ann.get(f"/api/rooms/{room}/record").text, f'{envelope} 0 "pub"') == []


def test_a_damaged_seed_throws_no_dice(ann: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    with server.database.writer.begin() as connection:
        connection.exec_driver_sql("UPDATE seeds SET seed = 'ff' || substr(seed, 3)")
    table = ann.table(room)
    reply = ann.act(room, table, "throw")
    assert reply.status_code == 500
    assert reply.json()["error"]["code"] == "damaged"
    assert ann.table(room)["version"] == 0


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
            rf"Dice with {sides} sides, (\d+) thrown.*?Fell</th>(.*?)</tr>", page, re.DOTALL
        )
        faces = [int(number) for number in re.findall(r"<td>(\d+)</td>", row[1])]
        assert faces == [fell[f"{sides} {face}"] for face in range(1, int(sides) + 1)]
        assert int(row[0]) == sum(faces)
