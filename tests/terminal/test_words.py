"""Words that are typed while a game goes on, the pages of the first screen, and a real box."""

import pytest

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


def test_without_a_voice_speak_says_so_and_stays_off() -> None:
    with Terminal("play", "classic", "--plain", changes={"PATH": "/nowhere"}) as terminal:
        said = terminal.type("speak")
        assert said
        assert "Everything is spoken aloud." not in said
        assert terminal.type("brief") == ["Less is said about each event."]
    ended = piped("play", "classic", "--seed", "a", typed=b"end\n")
    assert ended.code == 0


def test_sound_and_words_are_on_the_first_screen_and_keys_work_there() -> None:
    with Terminal("play", "--plain", "--keys") as terminal:
        said = terminal.press("8")
        assert said[0] == "plain: only words are shown, no picture."
        assert terminal.prompt == "Type a word to switch it on or off, or Enter to go back:"
        assert terminal.type("slow") == ["Computers pause for long."]
        assert terminal.type("loud")[0].startswith("Type one of these: plain, speak, mute, brief")
        assert terminal.type("")[0] == WELCOME
    with Terminal("play", "--plain") as terminal:
        terminal.type("voice")
        assert terminal.type("slow") == ["slow is off."], "it was remembered"


def test_times_are_told_in_the_zone_of_the_user() -> None:
    piped("play", "classic", "--seed", "a", typed=b"end\n")
    there = piped("games", "--mine", changes={"TZ": "Asia/Tokyo"}).lines[0]
    here = piped("games", "--mine", changes={"TZ": "UTC"}).lines[0]
    assert " JST, Classic" in there
    assert " UTC, Classic" in here


def test_a_race_says_who_has_what_chance_and_can_be_made_even() -> None:
    pytest.importorskip("numpy")
    box = ("covered(tiles=1-4,dice=1d4)", "--players", "Ann,Bob", "--format", "target=20,end=stop")
    with Terminal("play", *box, "--plain", columns=200) as terminal:
        assert terminal.spoken[-2:] == [
            "Ann begins, and wins 67.3 % of the time. Type even for a fair order.",
            "For a fair bet, Ann puts in about 21 for every 10 of Bob.",
        ]
        assert terminal.type("highest throw begins")[-1] == (
            "For a fair bet, the player who begins puts in about 21 for every 10 of the other."
        )
        assert terminal.type("even")[-1] == "Both players have the same chance."
        assert terminal.prompt == "Enter starts; or say what to change:"


# --- A real box --------------------------------------------------------------------------------


def test_advice_from_the_settings_comes_in_every_game_and_the_real_box_leaves_it() -> None:
    with Terminal("play", "--plain", "--dice", "hand") as terminal:
        for typed in ("8", "advise", "", "1"):
            terminal.type(typed)
        assert any(line.startswith("9 shuts ") for line in terminal.type("5 4"))
        for typed in ("menu", "8", "advise", "", "4", "Ann", "", "menu", "1"):
            terminal.type(typed)
        assert not any(line.startswith("9 shuts ") for line in terminal.type("5 4"))
