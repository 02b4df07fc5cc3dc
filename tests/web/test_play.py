"""Play through the API: players' actions, and refusals."""

from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Any

import pytest

from people import Person, path_of
from shutbox.match import presets
from shutbox.match.format import TurnLength
from shutbox.record import read
from shutbox.table.lookup import game_of
from shutbox.web.server.services import Server


def test_a_line_about_several_dice_is_done_whole_or_not_at_all(ann: Person) -> None:
    room = ann.open(game="tray(dice=3d6)")["view"]["room"]
    table = ann.step(room, ann.table(room))
    wrong = ann.act(room, table, "choose", choice="remove 1 2 3 4 5 6")
    assert wrong.status_code == 422
    assert ann.table(room) == table
    done = ann.act(room, table, "choose", choice="hold all").json()
    assert done["view"]["table"]["version"] == table["version"] + 3
    assert done["view"]["table"]["dice"].endswith("Every die is held.")
    log = ann.get(f"/api/rooms/{room}").json()["log"]
    assert [line["kind"] for line in log[-3:]] == ["choose"] * 3


def test_without_script_the_coach_speaks_too(ann: Person) -> None:
    opened = ann.open(game="classic", coach=True)
    room, table = opened["view"]["room"], ann.step(opened["view"]["room"], opened["view"]["table"])
    form = {"action": "coached-choice-1", "game": 1, "version": table["version"], "seat": 0}
    page = ann.client.post(
        f"/r/{room}/act", data={**form, "do": "choose", "choice": table["offers"][0]["text"]}
    )
    assert page.status_code == 200
    if len(table["offers"]) > 1:
        assert "Best." in page.text or "That costs" in page.text


ROWS = [name for name, preset in presets().items() if preset.format.turns is not TurnLength.WHOLE]


@pytest.mark.parametrize("preset", ROWS)
def test_four_play_in_rows_of_their_own_by_a_link(
    person: Callable[[], Person], server: Server, preset: str
) -> None:
    people = [person() for _ in "1234"]
    seats = [{"who": "me", "name": "Ann"}, *[{"who": "link"}] * 3]
    opened = people[0].open(game=preset, seats=seats)
    room, names = opened["view"]["room"], ("Ann", "Bob", "Cleo", "Dan")
    for seat in (1, 2, 3):
        assert people[seat].enter(room, opened["keys"][str(seat)], names[seat]).status_code == 200
    path, chance, covered = path_of(room), Random(preset), [set[str]() for _ in names]
    cleo, seen, told_late = people[2], 0, 0
    while (view := (all := people[0].get(path).json())["view"])["phase"] == "playing":
        for line in (line for line in all["log"] if line["number"] > seen and line["move"]):
            covered[line["seat"]] |= {*line["move"]["covered"]}
            if not line["says"]:  # others hear it with its cover
                assert line["own"]["says"][0].startswith("You threw ")
                told_late += 1
        seen, table = view["number"], view["table"]
        for plate, down in zip(table["plates"], covered, strict=True):
            assert {*plate["row"]} == {str(n) for n in range(1, 11)} - down
            assert plate["points"] == sum(map(int, plate["row"])) or plate["state"] == "done"
        cleo_is_here = not view["seats"][2]["computer"]
        if table["version"] == 9 and cleo_is_here:
            assert cleo.post(f"{path}/leave", seat=2).status_code == 200
            kind = view["settings"]["stand_in"]
            assert people[0].post(f"{path}/stand-in", seat=2, computer=kind).status_code == 200
            continue
        if not cleo_is_here and table["version"] >= 20:
            assert cleo.post(f"{path}/come-back", seat=2).status_code == 200
            server.rooms.drop_idle(-1.0)  # it goes on from the log
        if not view["seats"][table["seat"]]["computer"]:
            people[table["seat"]].step(room, table, chance)
    found: Any = read(BytesIO(people[3].get(f"{path}/record").content), game_of)
    assert [*map(int, view["table"]["scores"])] == [*found.over.scores]
    assert found.play.version == view["table"]["version"]
    assert told_late
    assert people[1].post(f"{path}/rematch", game=1).status_code == 200
