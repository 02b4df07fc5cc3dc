"""Digits, spaces and signs as keyboards and input methods of other scripts send them."""

from contextlib import suppress
from typing import Any

import pytest

import shutbox
from shutbox.cli.advise import position_of
from shutbox.engine.errors import NotUnderstood, ShutboxError
from shutbox.engine.typed_text import in_ascii
from shutbox.solving.objectives import find_aim
from shutbox.term.at_once import find_meaning
from shutbox.web.actions.positions import read_allowed_position
from shutbox.web.pages.new_table_form import setup_of
from shutbox.web.rooms.requests import Form

LINES = {
    "１　２": "1 2",
    "１，２": "1 2",
    "１＋２": "1 2",
    "١ ٢": "1 2",
    "۱، ۲": "1 2",
    "१ २": "1 2",
    "１、２": "1 2",
    "๑,๒": "1 2",
    "\u200f١\u200e ٢": "1 2",
    "12": "1 2",
    "１２": "1 2",
}
"""What keyboards send, and what it means as a cover or as dice."""
POSITIONS = {
    "classic:１．２．３／１＋２": "classic:1-3/1+2",
    "classic：１－３": "classic:1-3",
    "classic:١-٣": "classic:1-3",
    "full-house:１２。１": "full-house:1.12",
    "cargo:６.５／１／１＋２＋３＋３": "cargo:6.5/1/1+2+3+3",
    "tray:ｄ６－３.d٦": "tray:d6-3.d6",
    "six[seats=２,rounds=2]:１；０；０；０，０；ｔ０；１": "six[seats=2,rounds=2]:1;0;0;0,0;t0;1",
}
NAMES = {
    "classic（dice＝３ｄ４）": "classic(dice=3d4)",
    "classic(tiles=１－１２)": "classic(tiles=1-12)",
}
FORMS = {"number_rounds": "７", "stake": "３"}
FORM = [("length", "rounds"), ("chips", "on")]
"""Fields of the form for a new table, as a browser without script sends them."""
NO_DIGITS = ("½", "²", "①", "五")


QUOTED = {
    "８。": "'８。' is not a tile",
    "３－５": "'３－５'",
    "３　＆": "'＆'",
    "\\": "'\\'",
    "X": "'X'",
}


def test_a_refusal_quotes_what_was_typed() -> None:
    game = shutbox.find("classic")
    for typed, says in QUOTED.items():
        with pytest.raises(NotUnderstood) as refused:
            game.parse_choice(game.position_at("1.2.4/1+2"), typed)
        assert says in str(refused.value)
    with pytest.raises(NotUnderstood, match="'３ ＆ ５' is not a roll"):
        shutbox.Dice.parse("2d6").read("３\u3000＆\u3000５")


def test_every_reader_takes_the_digits_of_every_script() -> None:
    game = shutbox.find("classic")
    assert game.scoring
    at = game.position_at("1.2.4/1+2")
    open_ = game.scene(at)
    faults: list[Any] = []
    for typed, means in LINES.items():
        found = [
            game.choice_text(game.parse_choice(at, typed)),
            str(shutbox.Dice.parse("２ｄ６").read(typed)).replace("+", " "),
            find_meaning(typed, open_, ()),
        ]
        faults += [(typed, found)] if set(found) != {means} else []
    for read in (shutbox.at, lambda text: shutbox.at(*read_allowed_position(text))):
        faults += [text for text, means in POSITIONS.items() if read(text) != shutbox.at(means)]
    faults += [text for text, means in NAMES.items() if shutbox.find(text) != shutbox.find(means)]
    form = Form([*FORMS.items(), *FORM])
    shown = setup_of(form).page["values"]
    faults += [name for name, text in FORMS.items() if shown[name] != in_ascii(text)]
    assert find_aim("beat:１３", game.scoring) == find_aim("beat:13", game.scoring)
    assert position_of("classic", "１，２", "５", "３＋５") == "classic:1.2.5/3+5"
    for typed in NO_DIGITS:
        with suppress(ShutboxError):
            faults.append((typed, game.parse_choice(at, typed)))
    assert not faults
