"""What is spoken at a terminal, line after line, at the pace of a voice or of a screen reader.

The next line is handed to the voice once the one before can have been spoken. A key silences one
line at most, and never a player's own; the further lines of a moment are then left out, and those
about other players are counted, so that they can be summed up.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shutbox.term.synthesizers import Voice  # a game without a voice starts faster without it

LOOK = 0.03  # seconds between two looks at whether the voice has ended


class Speech:
    """The lines that a voice speaks, if there is one; `keys` waits for a key, and keeps it.

    `keys` gets the seconds to wait, and returns whether a key came; None: no key can come.
    """

    def __init__(self, voice: "Voice | None", keys: Callable[[float], bool] | None) -> None:
        self.voice = voice
        self.skips = False  # whether a key has ended what was to be said, or the pauses
        self.skipped = 0  # how many lines about other players were not heard
        self._keys = keys
        self._until = 0.0  # when the last line has been spoken, at the latest; 0 after a key
        self._own: bool | None = None  # whether the last line is the player's own; see `say`

    def say(self, line: str, *, own: bool | None = None) -> bool:
        """Speak a line after the one before, unless a key ends that one. Return False if it fails.

        `own` is whether the line is the player's own, which no key silences, or about others; None
        if neither. A voice that has died is not used again.
        """
        if self.voice is None:
            return True
        while self._keys is not None and self.speaks:
            if self._keys(LOOK):
                self.skips = self.hush() or self.skips
        if self.skips and not own:
            self.skipped += own is False
            return True
        try:
            self.voice.say(line)
        except OSError:
            self.close()
            return False
        self._own = own
        self._until = time.monotonic() + len(line) / self.voice.letters_per_second
        return True

    @property
    def speaks(self) -> bool:
        """Whether the last line is still being spoken, as far as one can know."""
        return self.voice is not None and time.monotonic() < self._until and not self.voice.is_over

    def hush(self) -> bool:
        """Silence the voice, but not in a line of the player's own; return whether it cuts one."""
        cuts = self.speaks
        if self.voice is None or not self._until or (cuts and self._own):
            return False
        self._until = 0.0
        self.skipped += cuts and self._own is False
        with suppress(OSError):  # the next sentence reports that it has died
            self.voice.stop()
        return cuts

    def close(self) -> None:
        """Let the voice end, and go on without."""
        if self.voice is not None:
            self.voice.close()
        self.voice = None


def screen_reader_runs(programs: str = "/proc") -> bool:
    """Whether a screen reader runs on this computer, as far as Linux tells; Orca on a desktop.

    `programs` is the folder with a folder for each process.
    """
    desktop = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    readers = {b"brltty\n", b"espeakup\n", b"fenrir\n", b"orca\n" if desktop else b""}
    with suppress(OSError):  # a program can end meanwhile
        return any(name.read_bytes() in readers for name in Path(programs).glob("[0-9]*/comm"))
    return False
