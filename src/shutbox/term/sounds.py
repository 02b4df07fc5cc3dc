"""Short sounds before the words, for players who listen: dice, tiles, refusals and signals.

They are computed here, with the pitches of the page (`static/view/sound.js`), and played by a
program of the system.
"""

import atexit
import math
import os
import shutil
import subprocess
import wave
from array import array
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkstemp
from typing import Literal, NamedTuple

from shutbox.engine.scene import Piece
from shutbox.term.synthesizers import QUIET

_PLAYERS = ("pw-play", "paplay", "aplay", "afplay")  # each plays the file that it is given
_RATE = 22_050  # samples a second
_NOTE, _SIGNAL, _DIE, _TILE = 0.09, 0.13, 0.09, 0.04  # seconds: a note; from one to the next
_MANY = 9  # tiles of a usual box: with fewer, the others keep their places

Cue = Literal["dice", "tiles", "mine", "hint", "refused", "skipped"]
"""The name of a sound; `mine` begins a turn, and `skipped` comes before what a key has silenced."""
_SIGNALS: dict[str, tuple[int, ...]] = {
    "mine": (523, 784),
    "hint": (587, 740, 880),
    "refused": (196, 165),
    "skipped": (988, 494),
}
"""The pitches of the cues that are about no pieces, in hertz."""


class Note(NamedTuple):
    """A tone: when it begins in seconds, its pitch in hertz, and its place from 0 (left) to 1."""

    at: float
    pitch: float
    place: float = 0.5


def notes_of(cue: Cue, pieces: Sequence[Piece]) -> Sequence[Note]:
    """Return the notes of a cue: signals one after the other, pieces each at their place.

    Tiles are a run in which holes are silent, each a semitone above the one before it.
    """
    if cue == "dice":
        count = len(pieces)
        return [Note(n * _DIE, 1800, (n + 1) / (count + 1)) for n in range(count)]
    if cue == "tiles":
        numbers = [piece.number or 6 for piece in pieces]
        first, last = min(numbers, default=1), max([_MANY, *numbers])
        return [
            Note((n - first) * _TILE, 440 * 2 ** ((n - 6) / 12), n / (last + 1)) for n in numbers
        ]
    return [Note(n * _SIGNAL, pitch) for n, pitch in enumerate(_SIGNALS[cue])]


class Sounds:
    """A player of sounds; one that begins ends the one before. Raises OSError without a player."""

    def __init__(self) -> None:
        program = next(filter(None, map(shutil.which, _PLAYERS)), None)
        if program is None:
            raise FileNotFoundError(_PLAYERS[0])
        self._program = program
        handle, name = mkstemp(".wav", "shutbox-")
        os.close(handle)
        self._file = Path(name)
        atexit.register(self._file.unlink, missing_ok=True)
        self._playing: subprocess.Popen[bytes] | None = None

    def play(self, cue: Cue, pieces: Sequence[Piece] = ()) -> None:
        """Begin to play a cue, and return at once; nothing is heard if the system refuses."""
        if not (notes := notes_of(cue, pieces)):
            return
        if self._playing is not None:
            self._playing.kill()
            self._playing.wait()
        try:
            with wave.open(name := str(self._file), "wb") as file:
                file.setparams((2, 2, _RATE, 0, "NONE", ""))
                file.writeframes(samples_of(notes).tobytes())
            self._playing = subprocess.Popen([self._program, name], **QUIET)
        except OSError:
            self._playing = None


def samples_of(notes: Sequence[Note]) -> "array[int]":
    """Return the samples of notes that fade away, left and right in turn; at least one note."""
    samples = array("h", bytes(4 * round((max(at for at, *_ in notes) + _NOTE) * _RATE)))
    for at, pitch, place in notes:
        first = round(at * _RATE)
        for n in range(min(round(_NOTE * _RATE), len(samples) // 2 - first)):
            loud = (
                9000 * math.exp(-n / (_RATE * _NOTE / 4)) * math.sin(math.tau * pitch * n / _RATE)
            )
            for side, share in enumerate((1 - place, place)):
                index = 2 * (first + n) + side
                samples[index] = max(-32768, min(32767, samples[index] + round(loud * share)))
    return samples
