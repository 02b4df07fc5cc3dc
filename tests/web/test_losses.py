"""The loss of a turn's choices, in the list of a device's games."""

from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Any

import pytest

import shutbox
from people import Person
from shutbox.engine.game import Choose
from shutbox.engine.play import Chosen
from shutbox.match import Match
from shutbox.match.standing import Turn
from shutbox.record import Reading, read
from shutbox.table.lookup import game_of

Make = Callable[[], Person]


def turns_told(person: Person) -> list[dict[str, Any]]:
    [table] = person.get("/games/export").json()["tables"]
    turns: list[dict[str, Any]] = table["turns"]
    return turns


def record(person: Person, room: str) -> bytes:
    answer = person.get(f"/api/rooms/{room}/record?game=1")
    assert answer.status_code == 200, answer.text
    return answer.content


def losses_by_hand(reading: Reading[Any, Any]) -> list[float]:
    """The loss of each turn of a match, from the values of a box alone."""
    match = reading.game
    assert isinstance(match, Match)
    box, solution = match.game, shutbox.solve(match.game)
    found: list[float] = []
    for step in reading.play.steps:
        doing = match.settled(step.before).position.doing
        if isinstance(doing, Turn) and doing.at == box.start():
            found.append(0.0)
        if isinstance(doing, Turn) and isinstance(step.event, Chosen):
            awaited = box.awaits(doing.at)
            assert isinstance(awaited, Choose)
            after = {choice: box.chosen(doing.at, choice) for choice in awaited.choices}
            worth = {choice: solution.value(there) for choice, there in after.items()}
            found[-1] += float(worth[step.event.choice] - min(worth.values()))
    return found


@pytest.fixture(autouse=True)
def in_process(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What workers do is done here, where limits can be changed."""

    async def done(who: str, task: Any, *about: Any, **how: Any) -> Any:
        return task(*about)

    monkeypatch.setattr(server.pool, "do", done)


def test_the_loss_of_a_turn_is_that_of_its_review(person: Make) -> None:
    ann = person()
    room = ann.open(game="six", dice="hand", seats=[{"who": "me"}])["view"]["room"]
    ann.act(room, ann.table(room), "throw", roll="5")
    ann.act(room, ann.table(room), "choose", choice="2 3")
    over = ann.act(room, ann.table(room), "throw", roll="2").json()["view"]["table"]
    assert over["does"] == "over"
    [turn] = turns_told(ann)
    assert turn["loss"] == pytest.approx(11.028 - 6.698, abs=0.001)  # 2 3 against 5, after a 5
    assert turn["loss"] == float(shutbox.review(record(ann, room)).seats[0].cost)
    [box] = ann.get("/games/export").json()["boxes"]
    assert box["loss"] == turn["loss"]
    page = ann.get("/games").text
    assert '<th scope="col">Loss</th>' in page
    assert "<td>4.3</td>" in page


def test_of_a_match_each_turn_is_judged_as_one_for_the_score(person: Make) -> None:
    ann = person()
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    about = {"game": "six", "seats": seats, "format": "rounds=2,order=seats"}
    room = ann.open(**about)["view"]["room"]
    ann.play_out(room, Random(3))
    found = [turn["loss"] for turn in turns_told(ann)]
    by_hand = losses_by_hand(read(BytesIO(record(ann, room)), game_of))
    assert found == pytest.approx(by_hand)
    assert len(found) >= 4
    assert len(set(found)) > 1


@pytest.mark.parametrize(
    "name",
    [
        "classic(tiles=1-13,dice=3d6)",  # solved for hints, but not in a moment
        pytest.param("classic(tiles=1-24,dice=3d8)", marks=pytest.mark.nightly("cases")),
    ],
)
def test_a_box_that_is_too_large_tells_no_loss(person: Make, name: str) -> None:
    ann = person()
    room = ann.open(game=name)["view"]["room"]
    ann.play_out(room, Random(1))
    assert [turn["loss"] for turn in turns_told(ann)] == [None]
    [box] = ann.get("/games/export").json()["boxes"]
    assert (box["turns"], box["loss"]) == (1, None)
    assert "Loss" not in ann.get("/games").text
