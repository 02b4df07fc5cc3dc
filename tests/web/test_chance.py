"""The operating system's generator makes a seed when a table is opened, and nothing else."""

import os
import re
import time

import pytest

from people import Person
from serving import PATIENCE
from shutbox import Dice, Roll
from shutbox.engine.cups import SealedCup
from shutbox.engine.sealed_dice import digest_of

TWO = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest", "name": "Bo"}]


class Generator:
    """Stands for the operating system's, and keeps what it has given."""

    def __init__(self) -> None:
        self.given: list[bytes] = []
        self._real = os.urandom

    def __call__(self, size: int) -> bytes:
        self.given.append(self._real(size))
        return self.given[-1]


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> Generator:
    found = Generator()
    monkeypatch.setattr(os, "urandom", found)
    return found


def thrown(person: Person, room: str) -> list[str]:
    """Every throw of the game, as its record has it."""
    record = person.get(f"/api/rooms/{room}/record").text
    return re.findall(r"throws (\S+)", record)


def rolls(generator: Generator, number: int) -> list[str]:
    """The first throws of two dice from what the generator gave for a game without words."""
    gid, seed = generator.given
    assert (len(gid), len(seed)) == (16, 32)
    cup = SealedCup(gid, seed, digest_of([None]))
    found: list[Roll] = [cup.throw(Dice.parse("2d6")) for _ in range(number)]
    return [str(roll) for roll in found]


def test_a_throw_follows_from_what_the_generator_gave_at_the_opening(
    ann: Person, generator: Generator
) -> None:
    room = ann.open(game="two-dice")["view"]["room"]
    ann.play_out(room)
    found = thrown(ann, room)
    assert found == rolls(generator, len(found))


def test_a_computer_player_throws_by_the_same_seed(ann: Person, generator: Generator) -> None:
    opened = ann.open(game="two-dice", format="rounds=1,order=seats", seats=TWO)
    room, table = opened["view"]["room"], opened["view"]["table"]
    while table["seat"] == 0:
        table = ann.step(room, table)
    wait_for_end(ann, room)
    gid, seed = generator.given
    cup = SealedCup(gid, seed, digest_of([None, None]))
    found = thrown(ann, room)
    assert found == [str(cup.throw(Dice.parse("2d6"))) for _ in found]


def wait_for_end(person: Person, room: str) -> None:
    end = time.monotonic() + PATIENCE
    while person.get(f"/api/rooms/{room}").json()["view"]["phase"] != "over":
        assert time.monotonic() < end, "the computer player does not come to an end"


def test_a_request_says_nothing_about_the_dice(ann: Person) -> None:
    room = ann.open(game="two-dice")["view"]["room"]
    for roll in ("6+6", "1+1"):
        refused = ann.act(room, ann.table(room), "throw", roll=roll)
        assert refused.json()["error"]["code"] == "illegal-roll"
    refused = ann.act(room, ann.table(room), "throw", seed="mine")
    assert refused.json()["error"]["code"] == "bad-request"
    assert ann.table(room)["version"] == 0
    assert ann.post("/api/rooms", game="two-dice", dice="seeded:mine").status_code == 400
