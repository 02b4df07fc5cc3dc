"""The first screen, the list of all games, and the questions before a match."""

import os
import socket
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

import pytest

from shutbox import catalogue
from shutbox.cli.play import _do
from shutbox.match import presets
from shutbox.table.lookup import difference
from shutbox.term import Console, Wish
from shutbox.term.menu import MenuItem, Picked
from terminal.driver import AGAIN, SOURCE, Terminal
from terminal.pipe import piped

ELEVEN = (
    *("classic", "two-to-go", "three-to-go", "three-down-extreme", "against-all-odds"),
    *("even-stevens", "full-house", "digital", "thai-style", "the-300", "2012"),
)
"""The games of source A, in its order."""
ASK = "What would you like? Enter plays Classic:"
TERMS = "Enter starts; or say what to change:"
MOST_THINGS = 10


PIP = "pip install '.[web]'"


def menu(*arguments: str) -> Terminal:
    return Terminal(*(arguments or ("play",)), "--plain", "--seed", "menu")


def test_the_first_screen_is_a_welcome_and_at_most_ten_things() -> None:
    with menu() as terminal:
        welcome, *things = terminal.spoken
        assert welcome == "Welcome to Shut the Box."
        assert [thing.partition(":")[0] for thing in things] == [str(i) for i in range(1, 10)]
        assert len(things) < MOST_THINGS, "a game that waits is one more"
        assert terminal.prompt == ASK


def test_a_game_that_is_not_there_leads_to_the_list() -> None:
    with menu() as terminal:
        assert terminal.type("zzz") == ["There is no game 'zzz'.", "5 lists the games."]
        assert terminal.type("clasic") == ["There is no game 'clasic'; try classic."]
        assert terminal.type("5")[0] == "Boxes."
        assert terminal.type("zzz") == ["There is no game 'zzz'."]


def test_shutbox_alone_is_the_first_screen_at_a_terminal_and_help_in_a_pipe() -> None:
    with Terminal() as terminal:
        assert terminal.prompt == ASK
    assert piped().lines[0].startswith("usage: shutbox")


def test_more_games_lists_every_game_with_its_difference_in_three_screens() -> None:
    titles = {entry.name: entry.title for entry in catalogue()}
    titles |= {preset.name: preset.title for preset in presets().values()}
    told = [
        f"{number}: {title}. {difference(name)}."
        for number, (name, title) in enumerate(titles.items(), start=1)
    ]
    with menu() as terminal:
        boxes, more, matches = (terminal.type(answer) for answer in ("5", "", ""))
        assert [*boxes[1:], *more[1:], *matches[1:]] == told
        assert boxes[1:] == told[: len(ELEVEN)]
        assert [*titles][: len(ELEVEN)] == [*ELEVEN]
        assert max(map(len, (boxes, more, matches))) < 24, "each fits on a screen"
        assert terminal.type("")[0] == "Welcome to Shut the Box."


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("", "Classic"),
        ("   ", "Classic"),
        ("1", "Classic"),
        ("2012", "2012"),
        (" Thai-Style ", "Thai Style"),
        ("thai style", "Thai Style"),
        ("normal game", "Classic"),
        ("The Normal Game", "Classic"),
        ("Shut the Box", "Classic"),
        ("2 To Go", "Two to Go"),
        ("classic(fewer=must-top)", "Classic with house rules"),
        ("cargo( hold = each )", "Cargo with hold each"),
    ],
)
def test_an_answer_to_the_first_screen(answer: str, title: str) -> None:
    with menu() as terminal:
        assert terminal.type(answer)[0] == f"{title}. Type ? for help."


def test_an_answer_to_the_list_of_games() -> None:
    with menu() as terminal:
        for answer, title in (("11", "2012"), ("12", "Two Dice"), ("Dice Tray", "Dice Tray")):
            terminal.type("more")
            assert terminal.type(answer)[0] == f"{title}. Type ? for help."
            terminal.type("menu")


def test_nonsense_is_answered_and_asked_again() -> None:
    nonsense = ("0", "-1", "99", "9" * 3000, "klassic", "?", "classic(", "classic(fewer=x)")
    with menu() as terminal:
        for first in ("", "5"):
            if first:
                terminal.type(first)
            prompt = terminal.prompt
            for answer in (*nonsense, "\uff10", "\U0001f3b2", "./nothing.toml", "/"):
                said = terminal.type(answer)
                assert said
                assert all(line.endswith(".") for line in said)
                assert terminal.prompt == prompt


FIRST_ANSWERS = [("2",), ("2", ""), ("3",), ("3", ""), ("5",), ("5", ""), ("pub",), ("to 200",)]


@pytest.mark.parametrize("first", FIRST_ANSWERS)
def test_every_question_below_the_first_screen_leads_back_to_it(first: tuple[str, ...]) -> None:
    with menu() as terminal:
        for answer in ("q", "END", "back", "quit"):
            for typed in first:
                terminal.type(typed)
            assert terminal.prompt != ASK
            said = terminal.type(answer)[0]
            assert said == ("Goodbye." if answer == "quit" else "Welcome to Shut the Box.")
        assert terminal.code == 0


def test_a_match_against_the_computer_by_enter_alone() -> None:
    with menu() as terminal:
        five = terminal.type("2")
        assert five[2] == "3: Hobbs, Steady. Looks one throw ahead."
        assert terminal.prompt == "Who do you want to play? Hobbs plays if you just press Enter:"
        terminal.type("")
        assert terminal.prompt == "What is your name? Enter leaves it at Player:"
        assert terminal.type("") == [
            "Classic: Player and Hobbs. One round, no chips. Player begins."
        ]
        assert terminal.prompt == TERMS
        assert terminal.type("")[:2] == [
            "Classic. Type ? for help.",
            "The round: Player throws first, then Hobbs.",
        ]


def test_the_terms_of_a_match_are_changed_by_words() -> None:
    with menu() as terminal:
        for typed in ("computer", "nell", "Rosie"):
            terminal.type(typed)
        changes = {
            "5 rounds": "Classic: Rosie and Nell. Five rounds, no chips. Rosie begins.",
            "two chips": "Classic: Rosie and Nell. Five rounds at 2 chips each. Rosie begins.",
            "Nell begins": "Classic: Rosie and Nell. Five rounds at 2 chips each. Nell begins.",
            "highest throw": (
                "Classic: Rosie and Nell. Five rounds at 2 chips each. The highest throw begins."
            ),
            "rosie": "Classic: Rosie and Nell. Five rounds at 2 chips each. Rosie begins.",
            "and Dave": (
                "Classic: Rosie, Nell and Dave. Five rounds at 2 chips each. Rosie begins."
            ),
            "without Dave": "Classic: Rosie and Nell. Five rounds at 2 chips each. Rosie begins.",
            "no chips": "Classic: Rosie and Nell. Five rounds, no chips. Rosie begins.",
            "game ten": "Ten: Rosie and Nell. Five rounds, no chips. Rosie begins.",
            "Dave begins": "Dave is not playing. The players are Rosie and Nell.",
            "without ann": "Ann is not playing. The players are Rosie and Nell.",
            "best begins": "'best begins' is not understood.",
            "game zzz": "There is no game 'zzz'.",
            "me, Pip, 3 rounds": "Ten: Rosie and Pip. Three rounds, no chips. Rosie begins.",
            "and me": "'and me' is not understood.",
            "me, Nell, 5 rounds": "Ten: Rosie and Nell. Five rounds, no chips. Rosie begins.",
            "Bob and Cy": "'Bob and Cy' is not understood.",
            "Bob, 9 holes": "'Bob' is not understood.",
            "without Rosie, without Nell": "'without Nell' is not understood.",
            "and Rosie": "Ten: Nell and Rosie. Five rounds, no chips. Nell begins.",
            "Rosie, Nell, Rosie begins": (
                "Ten: Rosie and Nell. Five rounds, no chips. Rosie begins."
            ),
        }
        for typed, told in changes.items():
            assert terminal.type(typed)[0] == told
        terminal.type("rounds")
        assert terminal.prompt == "How many rounds?"
        assert terminal.type("three") == [
            "Ten: Rosie and Nell. Three rounds, no chips. Rosie begins."
        ]
        for wrong in ("0 rounds", "rounds many", "Bob begins", "tray", "nothing", "5000000 rounds"):
            assert all(line.endswith(".") for line in terminal.type(wrong)), wrong
            assert terminal.prompt == TERMS
        assert terminal.type("")[:2] == [
            "Ten. Type ? for help.",
            "Round 1 of 3: Rosie throws first, then Nell.",
        ]


def test_dice_of_ones_own_and_practice_and_a_browser_are_a_number_away() -> None:
    with menu() as terminal:
        for typed, asked in {
            "4": "Which box, and who plays? Enter takes Classic, alone:",
            "": "Which tiles are up? Enter leaves all of them up:",
            " ": "Throw two dice and type what you see:",
        }.items():
            terminal.type(typed)
            assert terminal.prompt == asked
    with menu() as terminal:
        terminal.type("7")
        assert terminal.prompt == "Which game do you want to practise? Enter takes Classic:"
        assert terminal.type("")[0].startswith("Practice: Classic")
    with menu() as terminal:
        assert terminal.type("practise carg")[0] == "There is no game 'carg'; try cargo."


def test_a_match_at_a_real_box_goes_on_from_any_round_and_the_dice_answer_how_many() -> None:
    with menu() as terminal:
        for typed in ("4", "Ann and Bob", "3 rounds", "", "1 2 3", "2", "Ann had 17", "20", "Bob"):
            terminal.type(typed)
        assert terminal.type("7 points")[1:4] == [
            "1 to 3 are up.",
            "Round 2 of 3: Ann has 7; Bob to come.",
            "Ann has 24, the total to beat. Bob needs 3 or less to lead.",
        ]
        assert terminal.prompt == "Bob: one die or two dice?"
        assert terminal.type("7 8")[0].startswith("'7 8' is not a number of dice")
        said = terminal.type("1 2")
        assert said[0] == "Bob: throws two dice."
        assert said[1] == "Bob: threw 1 and 2, 3 in all."
    with Terminal("play", "cargo", "--dice", "hand", "--plain") as terminal:
        terminal.type("1 2 3 4 5 6")
        assert terminal.type("6 6 6")[0] == "Throwing three dice again."


def test_a_player_begins_who_has_no_seat_yet() -> None:
    with menu("play", "classic", "--format", "begins=2") as terminal:
        terminal.type("Ann and Bob")
        said = terminal.type("")
        assert "The round: Bob throws first, then Ann." in said


def test_a_browser_is_served_until_ctrl_c_and_the_first_screen_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def serve(words: list[str]) -> int:
        asked.append(words)
        raise KeyboardInterrupt

    monkeypatch.setattr("shutbox.cli.main.run_command", serve)
    after = _do(Console(plain=True), Namespace(plain=False), Picked(MenuItem.BROWSER))
    assert (after, asked) == (Wish.MENU, [["serve"]])


def test_a_match_with_a_name_keeps_what_was_set_by_hand_and_is_changed_like_a_game() -> None:
    five = "After round 5 the lowest total wins."
    pot = "For each round everybody puts {} into the pot; the winner takes it all."
    with menu() as terminal:
        terminal.type("3")
        terminal.type("Rosie and Nell")
        for typed in ("5 rounds", "2 chips", "Nell begins"):
            terminal.type(typed)
        how = f"{five} {pot.format('2 chips')}"
        said = terminal.type("pub")
        assert said[:2] == ["Pub Game: Rosie and Nell.", how]
        assert said[2].startswith("A player who shuts the box wins the round at once; ")
        assert said[3:] == ["Nell begins."]
        assert terminal.type("3 rounds")[1] == how.replace("5", "3")
        assert terminal.type("1 chip")[1].endswith(pot.format("1 chip"))
        assert terminal.type("highest throw")[-1] == "The highest throw begins."
        dropped, title, how, *_ = terminal.type("race-200")
        assert dropped == "Race to 200 ends in its own way, not after three rounds."
        assert title == "Race to 200: Rosie and Nell."
        assert how.startswith("The first to reach a total of 200 wins. For each round ")
        title, how, *_ = terminal.type("4 rounds")
        assert title == "Covered Sum: Rosie and Nell."
        assert how.startswith("After round 4 the highest total wins. For each round everybody")


def test_a_match_of_other_rounds_is_not_told_by_a_title_that_counts_them() -> None:
    with menu() as terminal:
        for typed in ("3", "Rosie and Nell", "3 rounds"):
            terminal.type(typed)
        assert terminal.type("markers-five")[0] == "Markers: Rosie and Nell."
        assert terminal.type("5 rounds")[0] == "Five Rounds of Markers: Rosie and Nell."


@pytest.mark.parametrize("typed", ["computer", "Computer:nell", "computer 2", "Ann=computer:pip"])
def test_who_is_asked_for_a_name_is_no_computer(typed: str) -> None:
    with menu() as terminal:
        terminal.type("Nell")
        terminal.type(typed)
        assert terminal.prompt == "What is your name? Enter leaves it at Player:"


@pytest.mark.parametrize(("own", "command"), [("make serve", "make serve"), (None, PIP)])
def test_where_the_server_is_not_installed_one_command_brings_it(
    tmp_path: Path, own: str | None, command: str
) -> None:
    """In a checkout that is `make serve`, which make play says to the program."""
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')")
    path = f"{tmp_path}{os.pathsep}{SOURCE}"
    changes = {"SHUTBOX_SERVE": own, "PYTHONPATH": path}
    with Terminal("play", "--plain", changes=changes) as terminal:
        [why, *_] = terminal.type("6")
        says = "The browser table is not installed here; to get it, quit and type"
        assert why == f"{says} {command}."
        assert terminal.prompt == ASK
    makefile = (SOURCE.parent / "Makefile").read_text(encoding="utf-8")
    assert "play resume: export SHUTBOX_SERVE := make serve\n" in makefile


def test_where_nothing_can_be_served_a_sentence_says_why() -> None:
    with socket.socket() as taken:
        with suppress(OSError):  # somebody else has it
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        with menu() as terminal:
            [why] = terminal.type("6")[:1]
            assert "8000" in why
            assert why.endswith(".")
            assert terminal.prompt == ASK


def test_a_computer_player_is_named_on_the_first_screen_and_taken_by_name() -> None:
    with menu() as terminal:
        assert terminal.spoken[2] == (
            "2: Play against the computer: Pip, Nell, Hobbs, Odette or Abacus."
        )
        terminal.type("Nell")
        assert terminal.prompt == "What is your name? Enter leaves it at Player:"
        terminal.type("Rosie")
        assert "The round: Rosie throws first, then Nell." in terminal.type("")


def test_enter_goes_on_with_a_game_that_waits() -> None:
    with menu() as terminal:
        terminal.type("")
        terminal.type("q")
    with menu() as terminal:
        assert terminal.spoken[1] == "Your game of Classic waits."
        assert len(terminal.spoken) == 1 + MOST_THINGS
        assert terminal.prompt == "What would you like? Enter continues your unfinished game:"
        assert terminal.type("")[0].startswith("Game 1, begun ")
    with menu() as terminal:
        assert terminal.type("1")[0] == "Classic. Type ? for help.", "numbers stay the same"


def test_after_a_game_comes_the_menu_again_or_another() -> None:
    with Terminal("play", "lucky-seven", "--seed", "no seven", "--plain") as terminal:
        assert terminal.prompt == AGAIN
        [said] = terminal.type("what")
        assert said == "'what' is not understood. Press Enter to play again, or type v, m or q."
        assert terminal.prompt == AGAIN
        assert terminal.type("y")[0] == "Lucky Seven. Type ? for help."
        while terminal.prompt != AGAIN:
            terminal.type("")
        assert terminal.type("m")[0] == "Welcome to Shut the Box."
        assert terminal.prompt == ASK
