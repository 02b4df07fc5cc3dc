"""Matches at a terminal: several people and computer players, on one screen or by ear."""

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kill.heard import heard, opening
from shutbox import Chosen, Over, Play
from shutbox.match import Match
from shutbox.record import Reading
from shutbox.record.folder import Store
from shutbox.record.lines import EventText, event_text_of
from shutbox.table.lookup import game_of
from terminal.driver import AGAIN, AGAIN_OR_BACK, AGAIN_OR_CORRECT, Terminal
from terminal.pipe import piped
from terminal.player import MOST_ANSWERS, offered

THREE = ("--players", "Ann,Bob,computer")
SEED = ("--seed", "a")
TWO = ("--players", "Ann,Bob")
PLAYERS = (
    "Who plays? Type names, such as Rosie and the computer. "
    "You and Nell play if you just press Enter:"
)
AGAINS = (AGAIN, AGAIN_OR_BACK, AGAIN_OR_CORRECT)


def record(id: int = 1) -> Reading[Any, Any]:
    """A record of this test's own folder."""
    reading = Store().read(id, game_of)
    assert reading.fault is None
    return reading


def match_in(reading: Reading[Any, Any]) -> Match[Any, Any]:
    """The match of a record."""
    assert isinstance(reading.game, Match)
    return reading.game


def told(reading: Reading[Any, Any]) -> list[str]:
    """All that the record says was to be heard."""
    return [
        *opening(reading.game),
        *chain.from_iterable(heard(reading.game, reading.play.log)),
    ]


def askers(reading: Reading[Any, Any]) -> list[str]:
    """The people who chose, in order."""
    names = []
    play = Play(reading.game)
    for event in reading.play.log:
        actor = play.actor(event)
        assert actor is not None
        seat = reading.header.players[actor]
        if isinstance(event, Chosen) and not seat.computer:
            names.append(seat.name)
        play.happen(event)
    return names


def play_match(terminal: Terminal) -> list[str]:
    """Take what is offered, now the first, now another, to the end; whom each question named."""
    named: list[str] = []
    while not terminal.heard.endswith(AGAINS):
        assert len(named) < MOST_ANSWERS
        named.append(terminal.prompt.partition(": ")[0])
        offers = offered(terminal)
        terminal.type(offers[len(named) % len(offers)])
    return named


def sentences(terminal: Terminal) -> list[str]:
    """What was said, without the questions and what was said to `l`."""
    return [
        line for line in terminal.said if not re.search(r"[?:]\Z|\AChoices: |\A\w+ tiles?: ", line)
    ]


def test_a_pub_match_of_three_is_told_and_asked_as_its_record_says() -> None:
    with Terminal("play", "pub", *THREE, *SEED, columns=200) as terminal:
        named = play_match(terminal)
        reading = record()
        assert named == askers(reading)
        assert set(named) == {"Ann", "Bob"}
        assert sentences(terminal) == told(reading)
        over = reading.game.awaits(reading.play.position)
        assert isinstance(over, Over)
        winner = reading.header.players[over.winners[0]].name
        assert terminal.spoken[-1] == f"The match is over: {winner} has won."
        assert terminal.type("s")[-1:] == answer_of(reading, "w")
        assert [line for line in terminal.type("no") if line] == []
        assert terminal.code == 0


def answer_of(reading: Reading[Any, Any], key: str) -> list[str]:
    """What a key answers at the end of a record."""
    scene = reading.game.scene(reading.play.position)
    return [answer.says for answer in scene.answers if answer.key == key]


def test_playing_again_goes_on_with_the_purses() -> None:
    with Terminal("play", "pub", *THREE, "--seed", "a", "--plain") as terminal:
        play_match(terminal)
        first = match_in(record(1))
        here = first.settled(record(1).play.position).position
        purses = [tally.chips for tally in here.tallies]
        assert sorted(purses) != [20, 20, 20]
        said = terminal.type("")
        assert said[0] == "Pub Game. Type ? for help."
        terminal.type("end")
        second = match_in(record(2))
        assert second.format.purse == tuple(purses)
        assert second.format == replace(first.format, begins=2, purse=tuple(purses))
        assert any(line.startswith("The round: Bob throws first") for line in said)
        assert str(record(2).header.dice) == 'seed "a 2"'
        assert terminal.spoken[-1] == "The game is saved: shutbox resume 2 continues it."


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("pub", "--players", "Ann,ANN"), "'Ann' and 'ANN' are too alike for one game"),
        (("pub", "--players", ""), "a game has 1 to 12 players"),
        (("--players", "Ann,computer:clever"), "'clever' is not a kind of computer player"),
        (("pub", "--format", "bogus=1"), "format: 'bogus' is not an atom of a format"),
        (("classic", "--format", "rounds=0"), "format: rounds: 0 is not allowed"),
        (("classic", *TWO, "--format", "rounds=0"), "format: rounds: 0 is not allowed"),
        ((*TWO, "--format", "Zed begins"), "--format: 'Zed begins' is not understood"),
        ((*TWO, "--format", "rounds=5, zzz"), "--format: 'zzz' is not understood"),
        (("--players", "best of 3", "--format", "3 rounds"), "--format: '3 rounds' contradicts"),
        (("classic", "--players", "Ann and Bob, six"), "--players: 'Ann and Bob, six' contradicts"),
        (("tray", *TWO), "tray: it can go on forever"),
        (("tray", "--players", "Robo=computer"), "tray can go on forever, so no computer player"),
        (("classic[seats=3]", *TWO), "format: seats: 3, and two players are named"),
        (("bar", *TWO), "there is no game 'bar'"),
        (("pub(fewer=x)", *TWO), "classic(fewer=x): fewer: "),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_asked(
    arguments: tuple[str, ...], says: str, data_folder: Path
) -> None:
    ended = piped("play", *arguments, typed=b"Ann\nAnn\n")
    assert (ended.code, ended.out, ended.refusal.count("\n")) == (1, b"", 1)
    assert ended.refusal.startswith(f"shutbox: {says}")
    assert list(data_folder.iterdir()) == []


def test_enter_plays_a_match_against_a_computer_and_end_leaves() -> None:
    with Terminal("play", "classic", "--format", "rounds=2", "--plain") as terminal:
        assert terminal.prompt == PLAYERS
        said = terminal.type("")
        assert "Round 1 of 2: Player throws first, then Nell." in said
    with Terminal("play", "pub", "--plain") as terminal:
        assert terminal.type(" EXIT ") == ["Goodbye."]
        assert terminal.code == 0


def deeds(reading: Reading[Any, Any]) -> list[EventText]:
    """What happened, in the words of a record."""
    return [event_text_of(reading.game, event) for event in reading.play.log]


NAMES = "Jos\xe9 \U0001f3b2,\u0416\u0435\u043d\u044f,\u674e\u96f7"


def test_names_in_other_letters_are_shown_as_they_are() -> None:
    with Terminal("play", "pub", "--players", NAMES, *SEED, columns=200) as terminal:
        assert {*play_match(terminal)} == {*NAMES.split(",")}
        assert sentences(terminal) == told(record())


def test_the_longest_seed_counts_on() -> None:
    with Terminal("play", "lucky-seven", "--plain", "--seed", "x" * 1000) as terminal:
        while "Play again?" not in terminal.prompt:
            terminal.type("")
        terminal.type("")
        assert terminal.code is None, terminal.text
