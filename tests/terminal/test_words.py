"""Words that are typed while a game goes on, the pages of the first screen, and a real box."""

import pytest

from terminal.driver import Terminal
from terminal.pipe import piped

THROW = "Throw two dice and type what you see:"
WELCOME = "Welcome to Shut the Box."


def test_words_change_a_game_while_it_is_played_and_are_remembered() -> None:
    with Terminal("play", "classic", "--seed", "violet", "--plain", throws=False) as terminal:
        assert terminal.type("brief") == ["Less is said about each event."]
        assert terminal.type("ask") == ["Every throw waits for Enter."]
        terminal.type("l")
        said = terminal.type("6")
        assert said == ["6 goes down."], "brief: the box is not said"
        assert terminal.prompt == "Enter throws two dice:"
        assert terminal.type("full") == ["More is said about each event."]
        assert len(terminal.type("")) > 2, "full: the box and the score are said"
        assert terminal.type("coach") == ["The coach says what each choice cost."]
        helped = terminal.type("?")
        words = "plain, speak, brief, full, slow, coach, advise and ask"
        assert f"Type one of these words to switch it on or off: {words}." in helped
        assert {line.partition(":")[0] for line in helped} >= {"new", "menu", "r", "end"}
    with Terminal("play", "classic", "--seed", "violet", "--plain", throws=False) as terminal:
        assert terminal.prompt == "Enter throws two dice:", "ask holds for the next game"
        assert terminal.type("n") == ["n works in a match. You play alone."]
        assert terminal.type("ask")[0] == "ask is off."
    ended = piped("play", "classic", "--seed", "violet", typed=b"end\n")
    assert "Threw 1 and 5, 6 in all." in ended.lines, "a pipe hears what it always heard"


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
        assert terminal.type("loud")[0].startswith("Type one of these: plain, speak, brief")
        assert terminal.type("")[0] == WELCOME
    with Terminal("play", "--plain") as terminal:
        terminal.type("voice")
        assert terminal.type("slow") == ["slow is off."], "it was remembered"


def test_my_games_are_reviewed_or_continued() -> None:
    piped("play", "lucky-seven", "--seed", "no seven")
    piped("play", "classic", "--seed", "a", typed=b"end\n")
    with Terminal("play", "--plain", "--seed", "b") as terminal:
        said = terminal.type("9")
        assert [line[:2] for line in said] == ["1:", "2:"]
        assert any("Measured" in line for line in terminal.type("1"))
        assert terminal.type("77")[0].endswith(".")
        assert terminal.type("2")[0].startswith("Game 2, begun ")
    with Terminal("play", "--plain") as terminal:
        terminal.type("my games")
        assert WELCOME in terminal.type("q")


def test_times_are_told_in_the_zone_of_the_user() -> None:
    piped("play", "classic", "--seed", "a", typed=b"end\n")
    there = piped("games", "--mine", changes={"TZ": "Asia/Tokyo"}).lines[0]
    here = piped("games", "--mine", changes={"TZ": "UTC"}).lines[0]
    assert " JST, Classic" in there
    assert " UTC, Classic" in here


def test_a_sheet_is_a_command() -> None:
    said = piped("sheet", "six").lines
    assert said[:2] == [
        "Six.",
        "Points of the tiles: 1 has 4, 2 has 4, 3 has 4, 4 has 4, 5 has 4 and 6 has 4.",
    ]
    assert piped("sheet", "tray").code == 1


def test_a_race_says_who_has_what_chance_and_can_be_made_even() -> None:
    pytest.importorskip("numpy")
    box = ("covered(tiles=1-4,dice=1d4)", "--players", "Ann,Bob", "--format", "target=20,end=stop")
    with Terminal("play", *box, "--plain") as terminal:
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
        assert any(line.startswith("Best: ") for line in terminal.type("5 4"))
        for typed in ("menu", "8", "advise", "", "4", "Ann", "", "menu", "1"):
            terminal.type(typed)
        assert not any(line.startswith("Best: ") for line in terminal.type("5 4"))


BOX = ("4", "pub game, Ann, Bob and Cleo", "", "2 5 8 9")
"""The lines that begin a match of three at a real box whose tiles are partly down."""


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (("", ""), "The round: Ann throws first, then Bob and Cleo."),
        (("Bob", ""), "The round: Bob throws first, then Cleo and Ann."),
        (("bob", "12", ""), "The round: Ann has 12; Bob and Cleo to come."),
        (("Cleo", "3", "12"), "The round: Ann has 12; Bob has 3; Cleo to come."),
        (("Ann", "3", "12"), "The round: Bob has 12; Cleo has 3; Ann to come."),
    ],
)
def test_a_match_at_a_real_box_goes_on_where_it_is(typed: tuple[str, ...], told: str) -> None:
    with Terminal("play", "--plain") as terminal:
        for line in (*BOX, *typed):
            said = terminal.type(line)
        name = typed[0].capitalize() or "Ann"
        assert "2, 5, 8 and 9 are up." in said
        assert told in said
        assert terminal.prompt == f"{name}: {THROW[0].lower()}{THROW[1:]}"


def test_a_match_from_a_real_box_is_kept_and_resumed() -> None:
    with Terminal("play", "--plain") as terminal:
        for line in (*BOX, "Dora"):
            said = terminal.type(line)
        assert said == ["'Dora' does not play; Ann, Bob and Cleo do."]
        terminal.type("Bob")
        assert terminal.type("0") == ["Type a number from 1 to 45."], "a shut box ends the round"
        for line in ("12", "", "5 3", "8"):
            terminal.type(line)
        assert terminal.type("end")[0] == "You leave the game."
    again = piped("resume", "1", typed=b"1 1\n2\n2 3\n5\n1 3\n1 3\n4\n6 6\n12\n\nq\n").lines
    assert "Bob leads with 9. Cleo needs 8 or less to lead." in again
    assert piped("check", "1").lines[-1] == "Nothing is wrong."
