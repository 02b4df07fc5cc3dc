"""Sounds at the terminal come before the words, and a key switches them off."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shutbox import find
from shutbox.engine.scene import Piece, State
from shutbox.term.sounds import Note, notes_of, samples_of
from terminal.driver import Terminal
from terminal.voices import PATIENCE, FakeDispatcher

GAME = ("play", "pub", "--players", "Ann,computer", "--seed", "pub", "--speak", "--plain")


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


def wait_for_more(played: Callable[[], list[Path]], before: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(played()) <= before:
        assert time.monotonic() < end
        time.sleep(0.002)


def pieces(position: str, state: State) -> list[Piece]:
    """The pieces of a position of Classic that lie so."""
    classic = find("classic")
    scene = classic.scene(classic.position_at(position))
    return [piece for piece in scene.pieces if piece.state is state]


def test_dice_click_from_left_to_right_and_tiles_rise_with_holes() -> None:
    first, last = notes_of("dice", pieces("1.2.3/2+1", State.LYING))
    assert (first.at, first.place < 0.5 < last.place) == (0, True)
    up = notes_of("tiles", pieces("1.2.8.9", State.UP))
    assert [round(note.at / (up[1].at - up[0].at)) for note in up] == [0, 1, 7, 8]
    assert [note.pitch for note in up] == sorted(note.pitch for note in up)
    samples = samples_of([Note(0.0, 440, 0.0), Note(0.2, 440, 1.0)])
    middle = len(samples) // 4 * 2
    assert max(samples[0:middle:2]) > max(samples[1:middle:2]) == 0
    assert max(samples[middle + 1 :: 2]) > max(samples[middle::2]) == 0


def test_a_sound_comes_for_dice_tiles_refusals_and_turns_and_none_once_muted(
    played: Callable[[], list[Path]], tmp_path: Path
) -> None:
    with FakeDispatcher(tmp_path / "socket") as server:
        changes = {
            "SPEECHD_ADDRESS": server.address,
            "PATH": f"{tmp_path / 'programs'}{os.pathsep}{os.environ['PATH']}",
        }
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
