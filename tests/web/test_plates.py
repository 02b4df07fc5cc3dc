"""The figures above the box: facts of a position, for every seat."""

from typing import Any

from shutbox import find
from shutbox.cups import ScriptCup, SeededCup
from shutbox.game import Over, Throw
from shutbox.match import Format, Match
from shutbox.table import Table
from shutbox.web.rooms.table_view import TableView, table_view


def played(game: Any, *steps: str) -> TableView:
    """The table once these rolls and choices are made, in turn."""
    table = Table(game, ScriptCup([step for step in steps if "/" not in step]))
    for step in steps:
        if "/" in step:
            table.choose(step.strip("/"), seat=table.due or 0)
        else:
            table.throw(seat=table.due or 0)
    return table_view(table, 1, ())


def test_a_turn_alone_counts_what_is_still_up() -> None:
    classic = find("classic")
    [plate] = played(classic).plates
    assert (plate.state, plate.points, plate.says) == ("up", 45, "still up")
    assert (plate.total, plate.chips, plate.leads, plate.won) == (None, None, False, False)
    [plate] = played(classic, "4+5", "/9/").plates
    assert (plate.state, plate.points) == ("up", 36)
    [plate] = played(classic, "4+5", "/9/", "4+5", "/4 5/", "4+5", "/3 6/", "6+6").plates
    assert (plate.state, plate.points, plate.won) == ("done", 18, False)


def test_the_last_throw_is_known_when_its_dice_are_gone() -> None:
    classic = find("classic(tiles=1.9)")
    thrown = [played(classic, *steps).thrown for steps in ((), ("4+5",), ("4+5", "/9/"))]
    assert [[(d.sides, d.face) for d in dice] for dice in thrown] == [
        [],
        [(6, "4"), (6, "5")],
        [(6, "4"), (6, "5")],
    ]


def test_a_shut_box_is_brass() -> None:
    [plate] = played(find("classic(tiles=9)"), "4+5", "/9/").plates
    assert (plate.state, plate.points, plate.won) == ("shut", 0, True)


def test_a_match_tells_rounds_chips_and_who_leads() -> None:
    format = Format.parse("rounds=2,stake=1,order=seats,begins=1")
    match = Match(find("classic(tiles=9)"), format, ("Ann", "Bob"))
    view = played(match)
    assert [plate.state for plate in view.plates] == ["up", "to-come"]
    assert (view.round, view.rounds, view.pot, view.beat) == (1, 2, 2, None)
    assert [plate.chips for plate in view.plates] == [19, 19]
    view = played(match, "1+1")
    assert [plate.state for plate in view.plates] == ["done", "up"]
    assert [plate.points for plate in view.plates] == [9, 9]
    assert view.beat == 9
    assert [plate.leads for plate in view.plates] == [True, False]
    view = played(match, "1+1", "4+5", "/9/")
    assert [plate.total for plate in view.plates] == [9, 0]
    assert [plate.leads for plate in view.plates] == [False, True]
    view = played(match, "1+1", "4+5", "/9/", "4+5", "/9/", "4+5", "/9/")
    assert [plate.state for plate in view.plates] == ["shut", "shut"]
    assert [plate.won for plate in view.plates] == [False, True]


def test_cargo_counts_points() -> None:
    [plate] = played(find("cargo")).plates
    assert (plate.state, plate.points, plate.says) == ("points", 0, "so far")


def test_a_game_of_dice_alone_has_no_lid_to_fall() -> None:
    """Its best end counts as shutting the box, and has no plate of its own."""
    table = Table(find("cargo"), SeededCup("1"))
    while not isinstance(table.awaits, Over):
        if isinstance(table.awaits, Throw):
            table.throw(seat=0)
        else:
            table.choose(table.scene.default or table.scene.offers[0].text, seat=0)
    assert table.awaits.shut
    view = table_view(table, 1, ())
    assert view.shut
    assert [plate.state for plate in view.plates] == ["done"]
