"""The box of the day without a server: dice by date, one try, and a line that says so."""

import time
from dataclasses import replace
from io import BytesIO, StringIO

import pytest

from shutbox import Choose, Over, Throw, find
from shutbox.cli.main import main
from shutbox.engine.cups import NumberedCup
from shutbox.record import Source, read, to_bytes
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of, wrong_dice
from shutbox.table.today import KNOWN

DAY = "2026-11-23"


def first_choices() -> tuple[list[str], int]:
    """The first choices of Classic with the dice of DAY, and what they leave."""
    game, cup, typed = find("classic"), NumberedCup(DAY), list[str]()
    at = game.start()
    while not isinstance(due := game.awaits(at), Over):
        if isinstance(due, Throw):
            at = game.rolled(at, cup.throw(due.dice))
        else:
            assert isinstance(due, Choose)
            typed.append(game.scene(at).offers[0].text)
            at = game.chosen(at, game.parse_choice(at, typed[-1]))
    return typed, due.scores[0]


def test_a_day_has_one_try_which_goes_on_and_is_shown_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    noon = time.strptime(f"{DAY} 12:00:00", "%Y-%m-%d %H:%M:%S")
    monkeypatch.setattr("time.gmtime", lambda *at: noon)
    choices, left = first_choices()

    def today(*typed: str) -> str:
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{line}\n" for line in typed)))
        assert main(["today", "--plain"]) == 0
        return capsys.readouterr().out

    begun = today("h", choices[0])
    assert KNOWN in begun
    assert "There are no hints here." in begun
    ended = today(*choices[1:])
    line = f"\nShut the Box #214, dice by date · {left} left\n"
    assert line in ended
    assert "Perfect play with the same dice: " in ended
    again = today()
    assert "You have played it." in again
    assert line in again
    assert Store().ids() == (1,)
    reading = Store().read(1, game_of)
    assert wrong_dice(reading) == ()
    header = replace(reading.header, dice=Source("date", day="2026-11-24"))
    before = replace(reading.header, dice=Source("date", day="2026-11-22"))
    for log, says in ((reading.play.log[:1], False), (reading.play.log, True)):
        Store().path(2).write_bytes(to_bytes(before, reading.game, log))
        assert ("2 days in a row." in today()) == says, "only tries that are over count"
    other = to_bytes(header, reading.game, reading.play.log)
    assert b"\ndice date 2026-11-24\n" in other
    assert wrong_dice(read(BytesIO(other), game_of))
