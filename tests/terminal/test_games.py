"""Every game played to its end by typed input, with its score compared with the library's.

The player answers from the program's output. Then the same answers and the same seed go through the
library: the terminal must have announced the score that follows from the rules.
"""

import re
from typing import Any

import pytest

from nightly import one_in
from shutbox import Over, Table, Throw, catalogue, find
from shutbox.engine.cups import SeededCup
from shutbox.engine.english import MOST_WORDS
from terminal.driver import VERDICT, Terminal
from terminal.player import play_to_the_end

SEED = "played by a person"
AUTO = ("--throw", "auto")  # in Cargo each roll waits for a key otherwise
TWO_ROWS = "two-dice(tiles=1-4,behind=4.3.2.1)"
GAMES = ["cargo(hold=each)", "classic(fewer=may-any,dice=3d6)", TWO_ROWS]
GAMES += [entry.name for entry in catalogue() if entry.name != "tray"]


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


@pytest.mark.parametrize("name", one_in(5, GAMES))
def test_a_game_is_played_to_its_end(name: str) -> None:
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


def test_the_players_of_a_match_get_one_account() -> None:
    people = ("--players", "Ann,Bob,Robo=computer")
    with Terminal("play", "six", *people, "--seed", SEED, "--plain") as terminal:
        play_to_the_end(terminal)
        [account] = [line for line in terminal.spoken if "had the most luck." in line]
        names = "(Ann|Bob|Robo|All)( and (Bob|Robo))?"
        assert re.match(rf"{names} played (best|equally well)\. ", account)
