"""Play through the API: players' actions, and refusals."""

from collections.abc import Callable
from io import BytesIO
from random import Random
from typing import Any

import pytest

from nightly import one_in
from people import Person, path_of
from shutbox.match import presets
from shutbox.match.format import TurnLength
from shutbox.record import read
from shutbox.table.lookup import game_of
from shutbox.web.server.services import Server


def test_without_script_the_coach_speaks_too(ann: Person) -> None:
    opened = ann.open(game="classic", dice="hand", coach=True)
    room, table = opened["view"]["room"], opened["view"]["table"]
    assert ann.act(room, table, "throw", roll="3+5").status_code == 200
    form = {"action": "coached-choice-1", "game": 1, "version": 1, "seat": 0}
    chosen = {**form, "do": "choose", "choice": "1 3 4"}
    page = ann.client.post(f"/r/{room}/act", data=chosen)
    assert page.status_code == 200
    assert "That costs" in page.text


ROWS = [name for name, preset in presets().items() if preset.format.turns is not TurnLength.WHOLE]


@pytest.mark.parametrize("preset", one_in(2, ROWS))
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
