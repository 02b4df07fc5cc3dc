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


def test_the_brass_tag_never_shows_what_the_loser_has_left() -> None:
    match = Match(find("classic(tiles=8.9)"), Format.parse("rounds=1"), ("Ann", "Bob"))
    lost = played(match, "4+4", "/8/", "1+1", "1+1")
    assert [plate.points for plate in lost.plates] == [9, 17]
    assert (lost.winners, lost.ranking, lost.remaining) == ((0,), (0, 1), None)
    won = played(match, "1+1", "4+4", "/8/", "1+1")
    assert (won.winners, won.ranking, won.remaining) == ((1,), (1, 0), 9)
    assert played(find("classic(tiles=8.9)"), "1+1").remaining == 17


def test_the_tag_tells_what_its_number_is() -> None:
    race = Match(find("covered(tiles=9)"), Format.parse("target=20"), ("Ann", "Bob"))
    assert played(race).beat is None
    to_go = played(race, "4+5", "/9/")
    assert (to_go.beat, to_go.beat_says) == (20, "to go")
    rounds = Match(find("classic(tiles=9)"), Format.parse("rounds=3"), ("Ann", "Bob"))
    to_beat = played(rounds, "1+1")
    assert (to_beat.beat, to_beat.beat_says) == (9, "to beat")


def test_others_stand_on_the_card_by_what_wins() -> None:
    """Who shuts the box wins a Parlour Night with any total, and low is good all the same."""
    format = Format.parse("rounds=3,until=shut,shut=wins")
    match = Match(find("classic(tiles=1.8.9)"), format, ("Ann", "Bob", "Cleo"))
    first = ("4+5", "/9/", "1+1", "4+4", "/8/", "1+1", "1+1")
    ann = ("4+5", "/9/", "4+4", "/8/", "/two dice/", "1+1")
    cleo = ("4+4", "/8/", "4+5", "/9/", "/one die/", "1", "/1/")
    view = played(match, *first, *ann, "4+4", "/8/", "1+1", *cleo)
    assert view.scores == ("10", "20", "18")
    assert view.winners == (2,)
    assert view.ranking == (2, 0, 1)


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
