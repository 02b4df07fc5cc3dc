"""Sounds at the terminal come before the words, and a key switches them off."""

import os
import time
import wave
from array import array
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from shutbox import find
from shutbox.engine.scene import Piece, State
from shutbox.term.sounds import Sounds
from terminal.driver import Terminal
from terminal.voices import PATIENCE, FakeDispatcher

GAME = ("play", "pub", "--players", "Ann,computer", "--seed", "pub", "--speak", "--plain")
WINDOW = 882  # the samples of 40 ms


@pytest.fixture
def played(tmp_path: Path) -> Callable[[], list[Path]]:
    """What a player of sounds has been given, oldest first."""
    folder = tmp_path / "programs"
    folder.mkdir()
    program = folder / "pw-play"
    kept = tmp_path / "kept"
    kept.mkdir()
    program.write_text(
        f'#!/bin/sh\ncp "$1" "{kept}/$(ls "{kept}" | wc -l).wav"\n', encoding="utf-8"
    )
    program.chmod(0o755)
    return lambda: sorted(kept.iterdir(), key=lambda path: int(path.stem))


def path(tmp_path: Path) -> str:
    return f"{tmp_path / 'programs'}{os.pathsep}{os.environ['PATH']}"


def loud(file: Path) -> list[tuple[int, int]]:
    """How loud the left and the right of a file are at most, in windows of 40 ms."""
    with wave.open(str(file)) as sound:
        samples = array("h", sound.readframes(sound.getnframes()))
    windows = range(0, len(samples), 2 * WINDOW)
    return [
        (max(samples[at : at + 2 * WINDOW : 2]), max(samples[at + 1 : at + 2 * WINDOW : 2]))
        for at in windows
    ]


def wait_for_more(played: Callable[[], list[Path]], before: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(played()) <= before:
        assert time.monotonic() < end
        time.sleep(0.002)


def the_sound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cue: Any, pieces: list[Piece]
) -> Path:
    """The file that is played for a cue."""
    monkeypatch.setenv("PATH", path(tmp_path))
    sounds = Sounds()
    sounds.play(cue, pieces)
    assert sounds._playing is not None
    assert sounds._playing.wait() == 0
    return tmp_path / "kept" / "0.wav"


def pieces(position: str, state: State) -> list[Piece]:
    """The pieces of a position of Classic that lie so."""
    classic = find("classic")
    scene = classic.scene(classic.position_at(position))
    return [piece for piece in scene.pieces if piece.state is state]


def test_dice_click_from_left_to_right(
    played: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dice = pieces("1.2.3/2+1", State.LYING)
    heard = loud(the_sound(monkeypatch, tmp_path, "dice", dice))
    (first_left, first_right), (last_left, last_right) = heard[0], heard[2]
    assert first_left > 1.5 * first_right
    assert last_right > 1.5 * last_left


def test_a_run_of_tiles_rises_and_has_holes(
    played: Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    up = pieces("1.2.8.9", State.UP)
    heard = [left + right for left, right in loud(the_sound(monkeypatch, tmp_path, "tiles", up))]
    begins = [n for n, (before, now) in enumerate(pairwise([0, *heard])) if now > 2 * before]
    assert begins == [0, 7]
    assert heard[5] < heard[1] / 10
    assert heard[8] > heard[5] * 10


def test_a_sound_comes_for_dice_tiles_refusals_and_turns_and_none_once_muted(
    played: Callable[[], list[Path]], tmp_path: Path
) -> None:
    with FakeDispatcher(tmp_path / "socket") as server:
        changes = {"SPEECHD_ADDRESS": server.address, "PATH": path(tmp_path)}
        with Terminal(*GAME, changes=changes) as terminal:
            for typed in ("b", "nonsense", "h"):
                before = len(played())
                terminal.type(typed)
                wait_for_more(played, before)
            assert "No sounds come before the words." in terminal.type("m")
            before = len(played())
            terminal.type("b")
            assert "mute is off." in terminal.type("m")
            terminal.type("b")
            wait_for_more(played, before)
            terminal.type("end")
            assert terminal.code == 0
    assert len(played()) == before + 1
