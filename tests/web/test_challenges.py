"""Challenges by the dice of a finished sealed game."""

import re
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest

from nightly import one_in
from people import Person
from sealed_tables import at_two, dice_of, opened, play_out, word
from shutbox.engine.cups import SealedCup
from shutbox.engine.dice import Dice
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Over
from shutbox.engine.sealed_dice import OpenEnvelope
from shutbox.output.stats import gather
from shutbox.record import read
from shutbox.table.lookup import game_of
from shutbox.web import limits
from shutbox.web.rooms.sealing import Challenge, read_challenge
from shutbox.web.server.services import Server


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TAKE_BACK_SECONDS", 0.05)


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
        again = take(bob, found.text)
        table = bob.table(again)
        thrown = 0
        while table["does"] != "over" and thrown < len(own):
            if table["does"] == "throw":
                server.rooms.drop_idle(-1.0)  # it is played on from the log
                table = bob.step(again, table)
                first = throws_of(bob.get(f"/api/rooms/{again}/record").text)[-1]
                assert first == own[thrown]
                thrown += 1
            else:
                table = bob.step(again, table)
        assert thrown == len(own)


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
    assert "seed" not in repr(found)
    for secret in ("Guinevere", "Bob", "lancelot", "excalibur"):
        assert secret not in held
    envelope = OpenEnvelope(found.seed, ("lancelot", "excalibur"))
    assert (found.words, found.gid.hex()) == (envelope.digest, dice_of(ann, room)["gid"])


def test_a_challenge_is_in_no_count_and_in_no_statistics(ann: Person, bob: Person) -> None:
    room = finished(ann)
    dice = link_of(ann, room)
    before = ann.get("/dice").text
    again = take(bob, dice)
    bob.play_out(again)
    assert ann.get("/dice").text == before
    for person, id, games in ((ann, room, 1), (bob, again, 0)):
        record = person.get(f"/api/rooms/{id}/record").content
        found = gather([read(BytesIO(record), game_of)])
        assert found.dice == () if not games else found.dice
        assert sum(one.turns for one in found.players) == games


def challenge_of(ann: Person) -> Challenge:
    return read_challenge(link_of(ann, finished(ann)))


def test_a_link_that_was_changed_opens_no_table(ann: Person) -> None:
    found = challenge_of(ann)
    assert read_challenge(found.text) == found
    plays = found.replay()
    assert isinstance(plays.awaits, Over)
    for changed in (
        replace(found, choices=found.choices[:-1]),
        replace(found, choices=(*found.choices, found.choices[-1])),
        replace(found, throws=found.throws[:-1]),
        replace(found, turns=2),
        replace(found, turns=10**9),
        replace(found, game="no such box"),
        replace(found, game="./mine.toml"),
        replace(found, game="/etc/passwd"),
        replace(found, game="x" * 1000),
        replace(found, game="classic(dice=90d99)"),
        replace(found, position="1/2+9"),
        replace(found, position="1" * 1000),
    ):
        reply = ann.post("/api/challenges", dice=changed.text)
        assert reply.status_code in (404, 409, 422), (changed, reply.text)
        page = ann.client.get("/challenge", params={"dice": changed.text})
        assert page.status_code in (200, 404, 422)
    text = found.text
    data = found.gid + found.seed + found.words
    bomb = data + zlib.compress(b"classic\n\n1\n1\n" + b"9" * 10_000_000)
    zeros = replace(found, throws=(0, *found.throws)).text
    down = replace(found, throws=found.throws[::-1]).text
    none = replace(found, throws=()).text
    far = replace(found, throws=(*found.throws, 2**32 - 1)).text
    long = "x" * (limits.LONGEST_CHALLENGE + 1)
    bad = ["", "A", text[:-5], text[:100], long, zeros, down, none, far]
    bad += [urlsafe_b64encode(one).decode().rstrip("=") for one in (bomb, data, data[:40])]
    for one in bad:
        with pytest.raises(NotUnderstood, match="is no challenge"):
            read_challenge(one)
        assert ann.client.get("/challenge", params={"dice": one}).status_code == 422
        assert ann.post("/api/challenges", dice=one).status_code in (400, 422)


def test_a_cup_of_a_challenge_goes_on_behind_its_throws(ann: Person) -> None:
    found, two = replace(challenge_of(ann), throws=(2, 5)), Dice.parse("2d6")
    whole = SealedCup(found.gid, found.seed, found.words)
    thrown = [whole.faces(two) for _ in range(8)]
    cup = found.cup
    assert [cup.faces(two) for _ in range(5)] == [thrown[n - 1] for n in (2, 5, 6, 7, 8)]
    assert SealedCup(found.gid, found.seed, found.words, 4).faces(two) == thrown[4]


def test_a_challenge_is_taken_without_script(ann: Person, bob: Person) -> None:
    room = finished(ann, "six")
    opened(ann, room)
    card = ann.get(f"/r/{room}/dice").text
    [link] = re.findall(
        r'<input id="link-0" class="link" readonly value="http://testserver([^"]+)"', card
    )
    page = bob.get(f"{link.removeprefix('http://testserver')}>.")
    assert page.status_code == 200
    assert "These dice are known" in page.text
    fields = dict(re.findall(r'name="(action|dice)" value="([^"]+)"', page.text))
    assert bob.get("/games").text.count("/r/") == 0
    done = bob.client.post("/challenge", data=fields).history[-1]
    assert done.status_code == 303
    table = bob.get(done.headers["location"]).text
    assert "These dice are known." in table
    again = done.headers["location"].removeprefix("/r/")
    assert "whoever has the link" in bob.get(f"/r/{again}/dice").text.lower()
    bob.play_out(again)
    verdict = bob.get(f"/r/{again}/verdict").text
    assert ">Challenger</bdi>" in verdict
    unchecked = "come from the link. Nobody has checked the game it tells of."
    pages = (page.text, bob.get(f"/r/{again}/dice").text, verdict)
    assert [unchecked in each for each in pages] == [True] * 3
    assert unchecked in bob.get(f"/api/rooms/{again}/verdict").json()["says"][-1]
