"""The log of a room as data, from which a front end draws each event."""

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from people import Person
from shutbox.web.limits import LOG_LINES

TWO = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest"}]


@pytest.fixture
def log(person: Callable[[], Person]) -> list[dict[str, Any]]:
    """A match of two, to its end."""
    ann = person()
    room = ann.open(game="classic(tiles=1-5)", format="rounds=2", seats=TWO)["view"]["room"]
    chance = Random(5)
    while (view := ann.get(f"/api/rooms/{room}").json()["view"])["phase"] == "playing":
        if view["table"]["seat"] == 0:
            ann.step(room, view["table"], chance)
    found: list[dict[str, Any]] = ann.get(f"/api/rooms/{room}").json()["log"]
    return found


def test_a_throw_has_its_dice_and_a_choice_its_tiles(log: list[dict[str, Any]]) -> None:
    for line in log:
        words, move = line["says"][0], line["move"]
        assert (move is None) == (line["kind"] not in ("throw", "choose"))
        if line["kind"] == "throw":
            assert not move["covered"]
            for die in move["thrown"]:
                assert die["sides"] == 6
                assert die["face"] in words
        elif line["kind"] == "choose":
            assert not move["thrown"]
            assert all(number in words for number in move["covered"])
    assert any(line["move"]["covered"] for line in log if line["kind"] == "choose")


def test_the_last_event_of_each_turn_has_its_score(log: list[dict[str, Any]]) -> None:
    ends = [line for line in log if line["move"] and line["move"]["score"] is not None]
    assert len(ends) == 4
    assert {line["seat"] for line in ends} == {0, 1}
    assert ends[-1] is log[-1]
    for line in ends:
        assert line["move"]["shut"] == (line["move"]["score"] == 0)


def test_every_turn_has_a_heading_also_the_second_of_two_in_a_row(ann: Person) -> None:
    """Bob plays last in the first round, and first in the second."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    game, format = "classic(tiles=1-3)", "rounds=2,order=rotate"
    room = ann.open(game=game, format=format, seats=seats)["view"]["room"]
    ann.play_out(room)
    page = ann.get(f"/r/{room}").text
    log = page[page.index('id="log"') : page.index('id="sheet-panel"')]
    assert re.findall(r"<bdi>(\w+)</bdi></h3>", log) == ["Ann", "Bob", "Bob", "Ann"]


def test_the_page_of_a_long_match_is_there(ann: Person) -> None:
    """Where its log begins in the middle: with a move, and no line before it."""
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="markers-five", seats=seats)["view"]["room"]
    table = ann.table(room)
    while len(log := ann.get(f"/api/rooms/{room}").json()["log"]) < LOG_LINES or not log[0]["move"]:
        table = ann.step(room, table)
    assert ann.get(f"/r/{room}").status_code == 200
