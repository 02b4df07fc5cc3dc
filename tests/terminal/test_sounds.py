"""Sounds at the terminal come before the words, and a key switches them off."""

import os
import time
from pathlib import Path

import pytest

from shutbox import find
from shutbox.engine.scene import Piece, State
from shutbox.term.sounds import Note, notes_of, samples_of
from terminal.driver import Terminal
from terminal.voices import PATIENCE

GAME = ("play", "pub", "--players", "Ann,computer", "--seed", "pub", "--speak", "--plain")


class Played:
    """A player of sounds; `program` appends a line to a file for each that it has been given."""

    def __init__(self, folder: Path) -> None:
        self.notes, program = folder / "notes", folder / "pw-play"
        self.notes.touch()
        program.write_text(f'#!/bin/sh\ntest -s "$1" && echo "$1" >> "{self.notes}"\n')
        program.chmod(0o755)

    @property
    def number(self) -> int:
        return self.notes.read_text().count("\n")

    def wait_for_more(self, before: int) -> None:
        end = time.monotonic() + PATIENCE
        while self.number <= before:
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


@pytest.mark.usefixtures("fake")
def test_a_sound_comes_for_tiles_refusals_and_hints_and_none_once_muted(tmp_path: Path) -> None:
    played = Played(tmp_path)
    changes = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    with Terminal(*GAME, changes=changes) as terminal:
        for typed in ("b", "nonsense", "h"):
            before = played.number
            terminal.type(typed)
            played.wait_for_more(before)
        assert "No sounds come before the words." in terminal.type("m")
        before = played.number
        terminal.type("b")
        assert "mute is off." in terminal.type("m")
        terminal.type("b")
        played.wait_for_more(before)
        terminal.type("end")
        assert terminal.code == 0
    assert played.number == before + 1
