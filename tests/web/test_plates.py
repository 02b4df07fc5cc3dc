"""The plates above the box: tiles left standing, and chips won."""

from typing import Any

from shutbox import Table, find
from shutbox.engine.cups import ScriptCup
from shutbox.match import Format, Match
from shutbox.web.rooms.table_view import TableView, table_view

DICE = ("4+5", "1+1", "3+4", "1+1")
"""Ann covers 9 and leaves 7 and 8. Bob covers 7 and leaves 8 and 9."""


def views(format: str, dice: tuple[str, ...] = DICE, events: int = 6) -> list[TableView]:
    """Play a match of two by the first offer of each choice; return its view after each event."""
    match: Match[Any, Any] = Match(
        find("classic(tiles=7-9,fewer=never)"), Format.parse(format), ("Ann", "Bob")
    )
    table = Table(match, ScriptCup(list(dice)))
    found = [table_view(table, 1, [])]
    for _ in range(events):
        seat = found[-1].seat
        assert seat is not None
        if found[-1].does == "throw":
            table.throw(seat=seat)
        else:
            table.choose(found[-1].offers[0].text, seat=seat)
        found.append(table_view(table, 1, []))
    return found


def test_tiles_of_a_finished_turn_stay_on_the_plate_until_the_round_ends() -> None:
    stand = [[plate.stand for plate in view.plates] for view in views("rounds=2")]
    ann, bob = ("7", "8"), ("8", "9")
    assert stand[:3] == [[(), ()]] * 3
    assert stand[3:6] == [[ann, ()]] * 3  # Bob is due
    assert stand[6] == [(), ()]  # the second round begins with full boxes
    last = views("rounds=1")[-1]
    assert [plate.stand for plate in last.plates] == [ann, bob]
    assert [plate.points for plate in last.plates] == [15, 17]


def test_a_row_is_seen_at_all_times_with_what_was_covered_since_the_last_throw() -> None:
    seen = views("turns=throw", ("4+5", "3+4", "1+1", "4+4"), 5)
    assert [plate.row for plate in views("rounds=1")[0].plates] == [None, None]
    assert [[plate.row for plate in view.plates] for view in seen[1:5]] == [
        [("7", "8", "9"), ("7", "8", "9")],
        [("7", "8"), ("7", "8", "9")],
        [("7", "8"), ("7", "8", "9")],
        [("7", "8"), ("8", "9")],
    ]
    assert [plate.board for plate in seen[4].plates] == ["7 and 8 are up.", "8 and 9 are up."]
    assert [[plate.last for plate in view.plates] for view in seen[2:5]] == [
        [("9",), ()],
        [(), ()],
        [(), ("7",)],
    ]
    assert (seen[5].plates[0].state, seen[5].plates[0].points) == ("out", 15)


def test_who_is_not_yet_due_can_choose_how_to_cover_a_throw_for_all() -> None:
    seen = views("turns=common", ("4+5", "3+4", "4+4"), 6)
    assert all(not plate.offers for view in seen[:5] for plate in view.plates)
    assert [[offer.text for offer in plate.offers] for plate in seen[5].plates] == [[], ["8"]]
    assert not any(plate.offers for plate in seen[6].plates)  # Bob is due


def test_a_match_for_chips_says_what_each_has_won() -> None:
    seen = views("stake=1")
    assert all(plate.chips_won is None for view in seen[:-1] for plate in view.plates)
    assert [plate.chips_won for plate in seen[-1].plates] == [1, -1]
    assert [plate.chips for plate in seen[-1].plates] == [21, 19]
    assert [plate.chips_won for plate in views("rounds=1")[-1].plates] == [None, None]


def test_points_decide_the_only_round_of_a_match_for_chips() -> None:
    assert views("rounds=1")[-1].margin == views("stake=1")[-1].margin == 2


def test_who_is_out_has_no_points_to_lead_by() -> None:
    assert views("limit=16")[-1].winners == (0,)
    assert views("limit=16")[-1].margin is None
