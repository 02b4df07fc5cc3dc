"""Whole games at a terminal as they are heard, by players who press in four ways."""

from pathlib import Path

import pytest

from by_ear import WAYS
from terminal.by_ear import Ear
from terminal.driver import AGAIN, Terminal
from terminal.live import Live
from terminal.voices import SLOWLY, FakeDispatcher, Stepped

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


def test_what_is_typed_before_the_last_question_does_not_answer_it(stepped: Stepped) -> None:
    with Live("play", "classic(tiles=8-9)", "--seed", "a", *SLOWLY, "--plain") as terminal:
        while not stepped.speaking().startswith("Your turn ends"):
            stepped.end()
        terminal.child.send("q\r")
        stepped.heeds_keys()
        while stepped.end() != AGAIN:
            pass
        stepped.end_last()
        terminal.child.expect_exact(AGAIN)
        terminal.child.send("x\r")
        assert stepped.after_a_cut().startswith("'x' is not understood.")


def test_u_is_in_time_while_the_choice_is_spoken(stepped: Stepped) -> None:
    game = ("play", "classic", "--seed", "pub", *SLOWLY, "--plain", "--pace", "quick")
    with Live(*game) as terminal:
        while stepped.speaking() != "Which tiles?":
            stepped.end()
        terminal.child.send("1 5\r")
        assert stepped.after_a_cut() == "1 and 5 go down."
        stepped.heeds_keys(20)  # for longer than the pause
        terminal.child.send("u")
        assert stepped.end() == "Taken back: 1 and 5."


def test_a_review_is_spoken_without_numbers_of_events_and_commands(fake: FakeDispatcher) -> None:
    Terminal("play", "classic", "--seed", "listen", "--plain").type("1 2 6")
    with Terminal("review", "1", "--speak") as terminal:
        assert terminal.code == 0
    *_, told, reason, end = fake.spoken
    assert told == "You chose 1, 2 and 6 and lost 14.7 points; 9 was better."
    assert (reason[:12], end) == ("9 shuts the ", "The review is over.")
