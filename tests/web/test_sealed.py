"""Sealed dice at tables of a server, and challenges by the dice of a finished sealed game."""

import re
import time
import zlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from sqlalchemy import select

from nightly import one_in
from people import Person
from sealed_tables import (
    at_two,
    dice_of,
    opened,
    play_out,
    problems,
    word,
)
from serving import PATIENCE
from shutbox.engine.cups import SealedCup
from shutbox.engine.dice import Dice
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Over
from shutbox.engine.sealed_dice import OpenEnvelope
from shutbox.output.stats import gather
from shutbox.record import read
from shutbox.table.lookup import game_of
from shutbox.web import limits
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.sealing import read_challenge
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
        if shown != view(self.room, self.spectator_count):
            stale.append(shown)
        return shown

    monkeypatch.setattr(LiveRoom, "current_view", checked)
    yield
    assert stale == []


def link_of(person: Person, room: str, seat: int = 0) -> str:
    """Return the part of a challenge's link that holds it."""
    opened(person, room)
    links = person.get(f"/api/rooms/{room}/challenge").json()["links"]
    found = re.fullmatch(r"http://testserver/challenge\?dice=([\w-]+)", links[str(seat)])
    assert found
    return found[1]


def take(person: Person, dice: str) -> str:
    reply = person.post("/api/challenges", dice=dice)
    assert reply.status_code == 201, reply.text
    return str(reply.json()["view"]["room"])


def throws_of(record: str, name: str = "") -> list[str]:
    return re.findall(rf"{name}[^:\n]*: throws ([0-9+]+)", record)


def finished(person: Person, game: str = "classic") -> str:
    room: str = person.open(game=game)["view"]["room"]
    person.play_out(room, Random(game))
    return room


@pytest.mark.parametrize("game", one_in(3, ["cargo", "classic", "classic(dice=2d8)"]))
def test_the_same_choices_meet_the_same_throws(ann: Person, bob: Person, game: str) -> None:
    room = finished(ann, game)
    again = take(bob, link_of(ann, room))
    assert bob.get(f"/api/rooms/{again}").json()["view"]["settings"]["dice"] == "challenge"
    bob.play_out(again, Random(game))
    first, second = (
        person.get(f"/api/rooms/{id}/record").text for person, id in ((ann, room), (bob, again))
    )
    assert throws_of(first)
    assert throws_of(second) == throws_of(first)
    assert "\ndice challenge\n" in second
    assert "\ndice sealed " in first
    end = [person.table(id)["scores"] for person, id in ((ann, room), (bob, again))]
    assert end[0] == end[1]


def test_the_throws_of_ones_own_seat_in_a_match_are_numbered_from_1(
    ann: Person, bob: Person, server: Server
) -> None:
    room = at_two(ann, bob, game="six", format="rounds=2,order=seats")
    play_out(room, ann, bob)
    record = opened(ann, room)
    for person, seat, name in ((ann, 0, "Ann"), (bob, 1, "Bob")):
        found = read_challenge(link_of(person, room, seat))
        assert found.format == "rounds=2"
        own = throws_of(record, name)
        assert len(found.throws) == len(own) < len(throws_of(record))
        again, thrown = take(bob, found.text), list[str]()
        while len(thrown) < len(own):
            server.rooms.drop_idle(-1.0)  # it is played on from the log
            bob.step(again, bob.table(again))
            thrown = throws_of(bob.get(f"/api/rooms/{again}/record").text)
        assert thrown == own


@pytest.mark.parametrize("turns", ["throw", "common"])
def test_a_row_of_ones_own_is_a_turn_alone(ann: Person, bob: Person, turns: str) -> None:
    room = at_two(ann, bob, game="two-dice(tiles=1-10)", format=f"turns={turns}")
    play_out(room, ann, bob)
    for person, seat in ((ann, 0), (bob, 1)):
        alone = read_challenge(link_of(person, room, seat)).replay()
        assert isinstance(alone.awaits, Over)
        assert str(alone.awaits.scores[0]) == ann.table(room)["scores"][seat]
        [listed] = person.get("/games/export").json()["tables"]
        assert [turn["throws"] for turn in listed["turns"]] == [alone.throws]
        assert alone.game.position_id(alone.position) == listed["turns"][0]["left"]


def test_a_link_has_no_names_and_no_words(ann: Person, bob: Person) -> None:
    room = at_two(ann, bob, seats=[{"who": "me", "name": "Guinevere"}, {"who": "link"}])
    for seat, (person, text) in enumerate(((ann, "lancelot"), (bob, "excalibur"))):
        assert word(person, room, seat, text).status_code == 200
    play_out(room, ann, bob)
    found = read_challenge(link_of(ann, room))
    held = repr([getattr(found, name) for name in found.__slots__])
    assert not re.search("Guinevere|Bob|lancelot|excalibur", held)
    assert "seed" not in repr(found)
    envelope = OpenEnvelope(found.seed, ("lancelot", "excalibur"))
    assert (found.words, found.gid.hex()) == (envelope.words_digest, dice_of(ann, room)["gid"])


def test_a_link_that_was_changed_opens_no_table(ann: Person) -> None:
    found = read_challenge(link_of(ann, finished(ann)))
    assert read_challenge(found.text) == found
    assert isinstance(found.replay().awaits, Over)
    for changed in (
        {"choices": found.choices[:-1]},
        {"choices": (*found.choices, found.choices[-1])},
        {"throws": found.throws[:-1]},
        *({"turns": 2}, {"turns": 10**9}),
        *({"game": "no such box"}, {"game": "./mine.toml"}, {"game": "/etc/passwd"}),
        *({"game": "x" * 1000}, {"game": "classic(dice=90d99)"}),
        *({"position": "1/2+9"}, {"position": "1" * 1000}),
    ):
        dice = replace(found, **changed).text
        reply = ann.post("/api/challenges", dice=dice)
        assert reply.status_code in (404, 409, 422), (changed, reply.text)
        page = ann.client.get("/challenge", params={"dice": dice})
        assert page.status_code in (200, 404, 422)
    text, last = found.text, 2**32 - 1
    throws = ((0, *found.throws), found.throws[::-1], (), (*found.throws, last))
    data = found.gid + found.seed + found.words
    bomb = data + zlib.compress(b"classic\n\n1\n1\n" + b"9" * 10_000_000)
    for bad in (
        *("", "A", text[:-5], text[:100], "x" * (limits.LONGEST_CHALLENGE + 1)),
        *(replace(found, throws=numbers).text for numbers in throws),
        *(urlsafe_b64encode(one).decode().rstrip("=") for one in (bomb, data, data[:40])),
    ):
        with pytest.raises(NotUnderstood, match="is no challenge"):
            read_challenge(bad)
        assert ann.client.get("/challenge", params={"dice": bad}).status_code == 422
        assert ann.post("/api/challenges", dice=bad).status_code in (400, 422)
    # A cup of a challenge goes on behind its throws.
    two, cup = Dice.parse("2d6"), replace(found, throws=(2, 5)).cup
    whole = SealedCup(found.gid, found.seed, found.words)
    thrown = [whole.faces(two) for _ in range(8)]
    assert [cup.faces(two) for _ in range(5)] == [thrown[n - 1] for n in (2, 5, 6, 7, 8)]


def test_a_challenge_is_taken_without_script_and_is_in_no_count(ann: Person, bob: Person) -> None:
    room = finished(ann, "six")
    opened(ann, room)
    card = ann.get(f"/r/{room}/dice").text
    [link] = re.findall(r'<input id="link-0" class="link" readonly value="([^"]+)"', card)
    page = bob.get(f"{link.removeprefix('http://testserver')}>.")
    assert page.status_code == 200
    assert "These dice are known" in page.text
    fields = dict(re.findall(r'name="(action|dice)" value="([^"]+)"', page.text))
    counted = ann.get("/dice").text
    again = bob.send_form("/challenge", fields).headers["location"].removeprefix("/r/")
    assert "These dice are known." in bob.get(f"/r/{again}").text
    assert "whoever has the link" in bob.get(f"/r/{again}/dice").text.lower()
    bob.play_out(again)
    verdict = bob.get(f"/r/{again}/verdict").text
    assert ">Challenger</bdi>" in verdict
    unchecked = "come from the link. Nobody has checked the game it tells of."
    pages = (page.text, bob.get(f"/r/{again}/dice").text, verdict)
    assert [unchecked in each for each in pages] == [True] * 3
    assert unchecked in bob.get(f"/api/rooms/{again}/verdict").json()["says"][-1]
    assert ann.get("/dice").text == counted
    for person, id, games in ((ann, room, 1), (bob, again, 0)):
        record = person.get(f"/api/rooms/{id}/record").content
        stats = gather([read(BytesIO(record), game_of)])
        turns = sum(one.turns for one in stats.players)
        assert (bool(stats.dice), turns) == (bool(games), games)


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


def test_the_card_has_the_words_of_each_envelope_and_the_page_counts_games(
    ann: Person, server: Server
) -> None:
    assert "No sealed dice were thrown" in ann.get("/dice").text
    room, seals = ann.open(game="six")["view"]["room"], []
    for game in (1, 2):
        seal = dice_of(ann, room)
        seals.append(seal)
        words = [f"<li>{one}</li>" for one in seal["words"]]
        assert all(one in ann.get(f"/r/{room}/dice").text for one in words)
        ann.play_out(room)
        assert problems(opened(ann, room), seal["envelope"]) == []
        card = ann.get(f"/r/{room}/dice").text
        assert all(one in card for one in [*words, "no word."])
        assert ann.post(f"/api/rooms/{room}/rematch", game=game).status_code == 200
    first, second = seals
    assert {first["gid"], first["envelope"]}.isdisjoint({second["gid"], second["envelope"]})
    stored = server.database.rows(select(seeds.c.gid, seeds.c.seed))
    assert {gid for gid, _ in stored} >= {first["gid"], second["gid"]}
    assert len({seed for _, seed in stored}) == len(stored)
    page = ann.get("/dice").text
    assert "2 envelopes are open." in page
    assert "provably" not in page.lower()
    hand = ann.open(game="classic", dice="hand")["view"]["room"]
    for path in ("", "/dice"):
        assert "The dice of this game are not sealed." in ann.get(f"/r/{hand}{path}").text
