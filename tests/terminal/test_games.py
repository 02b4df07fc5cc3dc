"""Every game played to its end by typed input, with its score compared with the library's.

The player answers from the program's output. Then the same answers and the same seed go through the
library: the terminal must have announced the score that follows from the rules.
"""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from shutbox import Over, SeededCup, Table, Throw, catalogue, find
from shutbox.engine.english import MOST_WORDS
from terminal.driver import AGAIN, AGAIN_OR_BACK, VERDICT, Terminal
from terminal.player import play_to_the_end

SEED = "played by a person"
AUTO = ("--throw", "auto")  # in Cargo each roll waits for a key otherwise
TWO_ROWS = "two-dice(tiles=1-4,behind=4.3.2.1)"
GAMES = [entry.name for entry in catalogue() if entry.name != "tray"]
GAMES += ["cargo(hold=each)", "classic(fewer=may-any,dice=3d6)", TWO_ROWS]

MINE = """
[corner-pub]
title = "The Corner Pub"
tiles = "1-7"
dice = "2d4"
fewer = "may-sum"
"""


def replayed(name: str, answers: list[str]) -> Table[Any, Any]:
    """The table of the library after the same answers."""
    table = Table(find(name), SeededCup(SEED))
    left = list(answers)
    while not isinstance(table.awaits, Over):
        if isinstance(table.awaits, Throw):
            table.throw()
        else:
            table.choose(left.pop(0) or table.scene.default or "")
    assert not left
    return table


def too_long(terminal: Terminal) -> list[str]:
    """The sentences that were said so far and are longer than people can follow."""
    sentences = re.split(r"(?<=[.?!:])\s", " ".join(terminal.said))
    return [sentence for sentence in sentences if len(sentence.split()) > MOST_WORDS]


def play(name: str) -> None:
    with Terminal("play", name, "--seed", SEED, *AUTO, columns=160) as terminal:
        assert terminal.spoken[0] == f"{find(name).card().title}. Type ? for help."
        answers = play_to_the_end(terminal)
        scene = replayed(name, answers).scene
        *said, last = terminal.spoken
        if not VERDICT.fullmatch(last):
            said.append(last)
        assert said[-1] == (scene.ends or scene.score)
        assert too_long(terminal) == []
        told = scene.says[1:] or scene.says  # the first can be about the throw before a choice
        assert said[-len(told) :] == list(told)
        terminal.type("no")
        assert terminal.code == 0


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_to_its_end(name: str) -> None:
    play(name)


def test_a_box_of_ones_own_is_played_to_its_end(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(MINE)
    play(str(mine))


def test_people_at_a_match_are_judged_and_computers_are_not() -> None:
    people = ("--players", "Ann,Bob,Robo=computer")
    with Terminal("play", "six", *people, "--seed", SEED, "--plain") as terminal:
        play_to_the_end(terminal)
        judged = [line for line in terminal.spoken if "of the win." in line]
        assert [line.partition(" ")[0].rstrip(":") for line in judged] == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("game", "seed", "answer", "said"),
    [
        ("classic", "pub", "one and five", "1 and 5 go down."),
        ("double-shutter", "pub", "2 and 4 in front", "2 and 4 in front go down."),
        ("classic(fewer=may-any)", "pub", "two dice", "Throwing two dice."),
        ("cargo(hold=each)", "heath", "accept 11", "The cargo is accepted."),
        ("cargo(hold=each)", "heath", "throw  2 and 3 again", "Throwing two dice again."),
        ("tray(dice=3d6)", "m", "throw three dice", "Throwing three dice."),
    ],
)
def test_what_a_voice_says_is_understood_when_a_person_says_it(
    game: str, seed: str, answer: str, said: str
) -> None:
    with Terminal("play", game, "--seed", seed, "--plain", *AUTO) as terminal:
        assert terminal.type(answer)[0] == said


def test_the_game_to_copy_is_played_at_a_terminal_and_played_again() -> None:
    script = Path(__file__).parents[2] / "examples" / "template_game.py"
    with Terminal(program=[sys.executable, str(script)]) as terminal:
        for _ in range(2):
            assert terminal.spoken[0] == "Three Throws. Type ? for help."
            terminal.type("keep")
            assert terminal.prompt == AGAIN_OR_BACK
            terminal.type("")
        terminal.type("again")
        assert terminal.type("throw again")[0] == "The die is thrown again."
        assert terminal.prompt == AGAIN
        terminal.type("no")
        assert terminal.code == 0


def test_each_roll_of_cargo_waits_for_a_key_unless_one_has_asked_for_speed() -> None:
    cargo = ("play", "cargo", "--seed", "heath", "--plain")
    with Terminal(*cargo) as terminal:
        assert terminal.prompt == "Enter throws six dice:"
        assert terminal.type()[0].startswith("Threw ")
        assert terminal.prompt == "Enter throws four dice:"
        assert terminal.type()[0].startswith("Threw ")
        assert terminal.prompt == "Accept the cargo, or throw again?"
        said = terminal.type("throw")
        assert said[0] == "Throwing three dice again."
        assert said[1].startswith("Threw ") or said[1].startswith("The cargo is ")


def test_dice_in_the_tray_keep_their_places_while_they_are_held() -> None:
    with Terminal("play", "dices", "--plain", "--seed", "m") as terminal:
        assert terminal.spoken[-1] == "In the tray: 1, 4, 5, 5, 6 and 6, 27 in all."
        held = terminal.type("hold 4 and 6")
        assert held == [
            "4 is held.",
            "6 is held.",
            "In the tray: 1, 4, 5, 5, 6 and 6, 27 in all. Held: 4 and 6.",
        ]
        thrown = terminal.type()[-1]
        dice = thrown.removeprefix("In the tray: ").replace(" and ", ", ").split(", ")
        assert (dice[1], dice[4]) == ("4", "6")
        assert thrown.endswith("Held: 4 and 6.")
        said = terminal.type("hold all")
        assert len(said) == 5
        assert "every die is held" in terminal.type("hold all")[-1].lower()
        assert terminal.type("free all")[-1].endswith(" in all.")
        assert terminal.type("free all") == ["No die is held."]
        added = terminal.type("add 2d6+1d20")
        assert added[:3] == ["A d6 is added.", "A d6 is added.", "A d20 is added."]
        assert terminal.type("b") == ["Nine dice in the tray. No die is held."]
        assert terminal.type("6 dice")[:3] == [
            "A d6 is removed.",
            "A d6 is removed.",
            "A d20 is removed.",
        ]
        assert terminal.type("b") == ["Six dice in the tray. No die is held."]
        assert terminal.type("six dice") == ["The tray has six dice already."]


@pytest.mark.parametrize(
    "line", ["hold 4 9", "add 15d6", "remove 1 4 5 5 6 6", "hold 6 6 6", "21 dice", "0 dice"]
)
def test_a_line_about_several_dice_is_done_whole_or_not_at_all(line: str) -> None:
    with Terminal("play", "dices", "--plain", "--seed", "m") as terminal:
        assert len(terminal.type(line)) == 1
        assert terminal.type("d") == ["In the tray: 1, 4, 5, 5, 6 and 6, 27 in all."]
        assert terminal.type("b") == ["Six dice in the tray. No die is held."]


def test_what_the_talking_console_calls_its_games_is_found() -> None:
    assert find("Shut the Box") == find("classic")
    assert find("dices") == find("Dices") == find("tray(dice=6d6)")
