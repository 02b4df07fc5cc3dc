"""Digits, spaces and signs as keyboards and input methods of other scripts send them."""

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import shutbox
from listing import assert_none
from shutbox.cli.advise import position_of
from shutbox.engine.errors import NotUnderstood, ShutboxError
from shutbox.engine.typed_text import in_ascii
from shutbox.solving.objectives import find_aim
from shutbox.term.at_once import find_meaning
from shutbox.web.actions.positions import read_allowed_position
from shutbox.web.pages.new_table_form import setup_of
from shutbox.web.rooms.requests import Form

TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("digits.toml").read_text(encoding="utf-8")
)
POSITIONS, NAMES = TABLE["positions"], TABLE["names"]
FORM = [("length", "rounds"), ("chips", "on")]
"""Fields of the form for a new table, as a browser without script sends them."""


def test_a_refusal_quotes_what_was_typed() -> None:
    game = shutbox.find("classic")
    for typed, says in TABLE["quoted"].items():
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
    for typed in TABLE["lines"]:
        found = [
            game.choice_text(game.parse_choice(at, typed)),
            str(shutbox.Dice.parse("２ｄ６").read(typed)).replace("+", " "),
            find_meaning(typed, open_, ()),
        ]
        faults += [(typed, found)] if set(found) != {"1 2"} else []
    for read in (shutbox.at, lambda text: shutbox.at(*read_allowed_position(text))):
        faults += [
            text for text, means in TABLE["positions"].items() if read(text) != shutbox.at(means)
        ]
    faults += [
        text for text, means in TABLE["names"].items() if shutbox.find(text) != shutbox.find(means)
    ]
    form = Form([*TABLE["forms"].items(), *FORM])
    shown = setup_of(form).page["values"]
    faults += [name for name, text in TABLE["forms"].items() if shown[name] != in_ascii(text)]
    assert find_aim("beat:１３", game.scoring) == find_aim("beat:13", game.scoring)
    assert position_of("classic", "１，２", "５", "３＋５") == "classic:1.2.5/3+5"
    for typed in TABLE["none"]:
        with suppress(ShutboxError):
            faults.append((typed, game.parse_choice(at, typed)))
    assert_none(faults)
