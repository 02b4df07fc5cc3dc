"""The operating system's generator makes a seed when a table is opened, and nothing else."""

import os
import re

import pytest

from people import Person
from shutbox import Dice, Roll
from shutbox.engine.cups import SealedCup
from shutbox.engine.sealed_dice import digest_of


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
