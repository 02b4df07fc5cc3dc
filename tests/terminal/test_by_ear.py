"""Whole games at a terminal as they are heard, by players who press in four ways.

The voice speaks as fast as people listen. `terminal.by_ear` plays one game by hand.
"""

from pathlib import Path

import pytest

from by_ear import WAYS
from terminal.by_ear import Ear
from terminal.driver import AGAIN, KEPT, Terminal
from terminal.live import Live
from terminal.voices import FakeDispatcher, Stepped

SHORT = ("classic(tiles=8-9)", "--players", "Ann,computer:fewest", "--format", "rounds=1")
PUB = ("pub", "--format", "rounds=2")


def faults_of(folder: Path, way: str, game: str, *options: str) -> list[str]:
    """What of a game is lost or doubled when it is played in this way, and the whole account."""
    with Ear(folder, game, *options) as ear:
        ear.play(way)
        heard = ear.heard()
    return [*heard.faults, str(heard)] if heard.faults else []


def test_a_short_game_against_a_computer_is_heard(tmp_path: Path) -> None:
    assert not faults_of(tmp_path, "written", *SHORT)


@pytest.mark.nightly("ear")
@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_or_doubled_however_quickly_one_presses(way: str, tmp_path: Path) -> None:
    assert not faults_of(tmp_path, way, *PUB)


def test_what_is_typed_before_the_last_question_does_not_answer_it(tmp_path: Path) -> None:
    with Stepped(tmp_path / "socket") as fake:
        game = ("play", "classic(tiles=8-9)", "--seed", "a", "--speak", "--rate", "80", "--plain")
        with Live(*game, changes={"SPEECHD_ADDRESS": fake.address}) as terminal:
            while not fake.speaking().startswith("Your turn ends"):
                fake.end()
            terminal.child.send("q\r")
            fake.heeds_keys()
            while fake.end() != AGAIN:
                pass
            fake.end_last()
            terminal.child.expect_exact(AGAIN)
            terminal.child.send("x\r")
            assert fake.after_a_cut().startswith("'x' is not understood.")


def test_u_is_in_time_while_the_choice_is_spoken(tmp_path: Path) -> None:
    with Stepped(tmp_path / "socket") as fake:
        game = ("play", "classic", "--seed", "pub", "--speak", "--rate", "80", "--plain")
        changes = {"SPEECHD_ADDRESS": fake.address, "SHUTBOX_PACE": "quick"}
        with Live(*game, changes=changes) as terminal:
            while fake.speaking() != "Which tiles?":
                fake.end()
            terminal.child.send("1 5\r")
            assert fake.after_a_cut() == "1 and 5 go down."
            fake.heeds_keys(20)  # for longer than the pause
            terminal.child.send("u")
            assert fake.end() == "Taken back: 1 and 5."


def test_who_has_not_played_and_why_it_is_too_late_are_said(tmp_path: Path) -> None:
    rivals = ("--players", "Ann,computer:fewest,computer:highest")
    changes = {"SHUTBOX_PACE": "quick"}
    with Terminal("play", "pub", *rivals, "--seed", "a", "--plain", changes=changes) as terminal:
        assert terminal.type("y") == ["Ann first, then Computer 1 and Computer 2."]
        assert terminal.type("u")[1:] == [
            "Type ask: then every throw waits for Enter, and u is in time."
        ]
        assert terminal.type("end")[-1] == KEPT


def test_a_review_is_spoken_without_numbers_of_events_and_commands(tmp_path: Path) -> None:
    Terminal("play", "classic", "--seed", "listen", "--plain").type("1 2 6")
    with FakeDispatcher(tmp_path / "socket") as fake:
        changes = {"SPEECHD_ADDRESS": fake.address}
        with Terminal("review", "1", "--speak", changes=changes) as terminal:
            assert terminal.code == 0
        *_, told, reason, end = fake.spoken
    assert told == "You chose 1, 2 and 6 and lost 14.7 points; 9 was better."
    assert (reason[:12], end) == ("9 shuts the ", "The review is over.")
