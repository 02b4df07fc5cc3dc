"""Only the server throws, with the operating system's generator, at the time of the throw."""

import os
import re
import time
from collections.abc import Callable

import pytest

from people import Person
from serving import PATIENCE

TWO = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest", "name": "Bo"}]


class Generator:
    """Stands for the operating system's: it gives the bytes that a test lays out, one by one.

    What is asked for more at once, such as an id, is none of its business.
    """

    def __init__(self) -> None:
        self.bytes: list[int] = []
        self._real = os.urandom

    def faces(self, *faces: int) -> None:
        """What the next dice of six sides show."""
        self.bytes = [face - 1 for face in faces]

    def __call__(self, size: int) -> bytes:
        if size != 1:
            return self._real(size)
        assert self.bytes, "dice fell that nobody has thrown"
        return bytes([self.bytes.pop(0)])


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Generator]:
    """Puts a generator of the test in the place of the operating system's, when it is called."""

    def put() -> Generator:
        found = Generator()
        monkeypatch.setattr(os, "urandom", found)
        return found

    return put


def thrown(person: Person, room: str) -> list[str]:
    """Every throw of the game, as its record has it."""
    record = person.get(f"/api/rooms/{room}/record").text
    return re.findall(r"throws (\S+)", record)


def test_a_throw_is_what_the_generator_says_at_that_moment(
    ann: Person, generator: Callable[[], Generator]
) -> None:
    room = ann.open(game="two-dice")["view"]["room"]
    source = generator()
    source.faces(1, 2)
    table = ann.step(room, ann.table(room))
    assert thrown(ann, room) == ["1+2"]
    assert source.bytes == []
    ann.act(room, table, "choose", choice="3")
    # The next throw is made of what the generator says then, and of nothing from before.
    assert thrown(ann, room) == ["1+2"]
    source.faces(6, 3)
    ann.step(room, ann.table(room))
    assert thrown(ann, room) == ["1+2", "3+6"]
    assert source.bytes == []


def test_a_form_throws_by_the_same_generator(
    ann: Person, generator: Callable[[], Generator]
) -> None:
    room = ann.open(game="two-dice")["view"]["room"]
    generator().faces(5, 2)
    form = {"game": "1", "version": "0", "seat": "0", "do": "throw", "action": "throws-by-form"}
    assert ann.client.post(f"/r/{room}/act", data=form).status_code == 200
    assert thrown(ann, room) == ["2+5"]


def test_a_computer_player_throws_by_the_same_generator(
    ann: Person, generator: Callable[[], Generator]
) -> None:
    opened = ann.open(game="two-dice", format="rounds=1,order=seats", seats=TWO)
    room, table = opened["view"]["room"], opened["view"]["table"]
    source = generator()
    source.faces(1, 1)
    table = ann.step(room, table)
    ann.act(room, table, "choose", choice="2")
    # Ann's second throw ends her turn; the others are the computer player's, to the end.
    source.faces(1, 1, 4, 4, 1, 1, 1, 1)
    ann.step(room, ann.table(room))
    wait_for_end(ann, room)
    assert thrown(ann, room) == ["1+1", "1+1", "4+4", "1+1", "1+1"]
    assert source.bytes == []


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
