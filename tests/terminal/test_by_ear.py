"""Whole games at a terminal as they are heard, by players who press in four ways.

The voice speaks as fast as people listen. `terminal.by_ear` plays one game by hand.
"""

from pathlib import Path

import pytest

from by_ear import WAYS
from terminal.by_ear import Ear

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
