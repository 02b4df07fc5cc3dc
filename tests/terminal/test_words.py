"""Words that are typed while a game goes on, the pages of the first screen, and a real box."""

import json
from pathlib import Path

from shutbox import Table
from shutbox.cli.settings import SETTINGS
from shutbox.engine.cups import HandCup
from shutbox.engine.typed_text import RESERVED
from shutbox.term.commands import _WORDS, Commands
from shutbox.term.console import Console
from terminal.driver import Terminal
from terminal.pipe import piped

WELCOME = "Welcome to Shut the Box."


def test_words_only_is_a_word_and_the_picture_comes_back() -> None:
    with Terminal("play", "classic", "--seed", "violet") as terminal:
        assert terminal.picture
        assert terminal.type("plain") == ["Only words are shown, no picture."]
        assert terminal.type("b") != []
        terminal.type("l")
        assert not terminal.picture
        terminal.type("plain")
        terminal.type("6")
        assert terminal.picture


def test_no_choice_may_be_a_word_that_works_at_any_question() -> None:
    rows = Table("two-dice(tiles=1-6)[seats=2,turns=throw]", HandCup())
    commands = Commands(rows, Console(plain=True))
    assert {*commands._commands, *_WORDS, *SETTINGS} <= RESERVED


def test_without_a_voice_speak_says_so_and_stays_off() -> None:
    with Terminal("play", "classic", "--plain", changes={"PATH": "/nowhere"}) as terminal:
        said = terminal.type("speak")
        assert said
        assert "Everything is spoken aloud." not in said
        assert terminal.type("brief") == ["Less is said about each event."]


def test_only_a_typed_word_is_remembered_and_what_is_damaged_is_left_out(
    data_folder: Path,
) -> None:
    """The transcript `settings` has the rest."""
    file = data_folder / "settings"
    options = ("--plain", "--length", "full", "--pace", "quick", "--throw", "ask")
    piped("play", "classic", *options, typed=b"coach\nend\n")
    assert json.loads(file.read_text()) == {"coach": True}
    for damaged in ('{"throw": ["ask"], "length": 7, "x": 1}', "{"):
        file.write_text(damaged)
        ended = piped("play", "classic", "--seed", "pub", typed=b"end\n")
        assert "You threw 2 and 4, 6." in ended.lines


def test_times_are_told_in_the_zone_of_the_user() -> None:
    piped("play", "classic", "--seed", "a", typed=b"end\n")
    there = piped("games", "--mine", changes={"TZ": "Asia/Tokyo"}).lines[0]
    here = piped("games", "--mine", changes={"TZ": "UTC"}).lines[0]
    assert " JST, Classic" in there
    assert " UTC, Classic" in here


# --- A real box --------------------------------------------------------------------------------


def test_advice_from_the_settings_comes_in_every_game_and_the_real_box_leaves_it() -> None:
    with Terminal("play", "--plain", "--dice", "hand") as terminal:
        for typed in ("8", "advise", "", "1"):
            terminal.type(typed)
        assert any(line.startswith("9 shuts ") for line in terminal.type("5 4"))
        for typed in ("menu", "8", "advise", "", "4", "Ann", "", "menu", "1"):
            terminal.type(typed)
        assert not any(line.startswith("9 shuts ") for line in terminal.type("5 4"))
