"""Sitting down for a game, and for the next one."""

from dataclasses import replace
from io import BytesIO

import pytest

from shutbox import Roll
from shutbox.engine.errors import BadName, BadRecord, TooLarge
from shutbox.engine.play import Chosen, Rolled
from shutbox.engine.seats import read_seats
from shutbox.match import Match
from shutbox.record import Source, read
from shutbox.table.lookup import game_of
from shutbox.table.setup import Sitting, check_playable, game_of_seats

STAMP = {"program": "shutbox 0.1.0", "begun": "2026-11-21 12:00:05 UTC"}
LATER = {"program": "shutbox 0.1.0", "begun": "2026-11-21 12:30:00 UTC"}


def sitting(name: str, players: str, source: Source | None = None) -> Sitting:
    seats = read_seats(players)
    return Sitting.begin(game_of_seats(name, seats), seats, source or Source(), **STAMP)


def test_a_header_makes_the_same_sitting_again() -> None:
    first = sitting("pub", "Ann,Robo=computer:most")
    again = Sitting.of_header(read(BytesIO(bytes(first.header)), game_of).header)
    assert again.header == first.header
    assert again.game.name == first.game.name
    assert sorted(again.table().bots) == [1]


def test_alone_a_game_is_no_match_unless_a_format_is_said() -> None:
    [ann] = read_seats("Ann")
    assert not isinstance(game_of_seats("classic", [ann]), Match)
    assert isinstance(game_of_seats("classic", [ann], "rounds=2"), Match)
    assert isinstance(game_of_seats("markers-five", [ann]), Match)


def test_the_next_game_passes_the_start_on_and_keeps_the_chips() -> None:
    first = sitting("lucky-seven[stake=1]", "Ann,Bob")
    table = first.table(
        [
            Rolled(Roll((3, 4))),
            Chosen(
                first.game.parse_choice(first.game.rolled(first.game.start(), Roll((3, 4))), "7")
            ),
            Rolled(Roll((1, 1))),
        ]
    )
    second = first.next_game(table.position, **LATER)
    assert second.header.format == "rounds=1,begins=2,stake=1,purse=22.18"
    assert second.table().due == 1
    assert second.header.begun == LATER["begun"]


def test_a_seed_counts_on_and_its_dice_go_on_where_the_log_ends() -> None:
    first = sitting("classic", "Ann", Source("seed", "pub"))
    whole = first.table()
    whole.throw()
    whole.choose(whole.scene.offers[0].text)
    half = first.table(whole.log)
    if whole.scene.offers:
        whole.choose(whole.scene.offers[0].text)
        half.choose(half.scene.offers[0].text)
    assert whole.throw() == half.throw()
    assert first.next_game(whole.position, **LATER).header.dice == Source("seed", "pub 2")


def test_dice_that_are_not_those_of_the_seed_are_refused() -> None:
    seeded = sitting("classic", "Ann", Source("seed", "pub"))
    with pytest.raises(BadRecord, match="the dice of event 1 are not those of its seed"):
        seeded.table([Rolled(Roll((6, 6)))])


def test_what_nobody_can_end_or_solve_is_refused() -> None:
    robo = read_seats("Robo=computer:most")
    with pytest.raises(TooLarge, match="can go on forever"):
        check_playable(game_of_seats("tray", robo), robo)
    with pytest.raises(BadName, match="not a kind of computer player"):
        check_playable(
            game_of_seats("classic", read_seats("Ann")), [replace(robo[0], computer="clever")]
        )
