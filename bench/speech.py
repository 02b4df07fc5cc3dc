"""The delays of a real speech-dispatcher: how soon a line sounds, and how soon a key silences it.

speech-dispatcher reports when the sound of a line begins and when it is cut, on the same connection
as the line. It runs with espeak-ng and plays to ALSA's null device, so no sound card is involved
and nothing is heard.
"""

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import note, times
from shutbox.term.synthesizers import Ssip

LINES = 20
MOST = 50
"""The most milliseconds until a player hears a line, and until a line is silenced."""
PATIENCE = 10
MODULE = Path("/usr/lib/speech-dispatcher-modules/sd_espeak-ng")
LONG = "Two and seven go down, and this sentence has still a long way to go. " * 20

_SETTINGS = """
LogLevel 1
LogDir "{folder}"
DefaultLanguage "en"
AudioOutputMethod "alsa"
AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"
DefaultModule espeak-ng
"""
_NO_SOUND_CARD = "pcm.!default { type null }\nctl.!default { type null }\n"


def missing() -> str:
    """Return why no real voice is available. Empty if there is one."""
    if shutil.which("speech-dispatcher") is None or not MODULE.exists():
        return "speech-dispatcher with espeak-ng is not installed"
    return ""


@contextmanager
def dispatcher() -> Iterator[str]:
    """Run a separate speech-dispatcher, and yield its address for `SPEECHD_ADDRESS`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "modules").mkdir()
        (folder / "modules" / "espeak-ng.conf").touch()
        (folder / "speechd.conf").write_text(_SETTINGS.format(folder=folder))
        (folder / "alsa.conf").write_text(_NO_SOUND_CARD)
        command = ["speech-dispatcher", "--run-single", "--config-dir", name, "--timeout", "0"]
        command += ["--communication-method", "unix_socket", "--socket-path", f"{name}/socket"]
        with subprocess.Popen(
            [*command, "--pid-file", f"{name}/pid", "--log-dir", name],
            env={**os.environ, "ALSA_CONFIG_PATH": f"{name}/alsa.conf", "HOME": name},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                end = time.monotonic() + PATIENCE
                while not (folder / "socket").exists() and time.monotonic() < end:
                    time.sleep(0.01)
                yield f"unix_socket:{name}/socket"
            finally:
                process.terminate()


class Heard(Ssip):
    """A voice that records the sound events of speech-dispatcher: `BEGIN`, `END`, `CANCELED`."""

    def __init__(self) -> None:
        self.events: list[tuple[str, float]] = []
        super().__init__()
        self._ask("SET SELF NOTIFICATION ALL on")
        self._socket.settimeout(PATIENCE)

    def event(self, name: str) -> float:
        """Wait for an event of this name, and return its time. Raise TimeoutError if none comes."""
        while name not in [event for event, _ in self.events]:
            self._line()
        return next(when for event, when in self.events if event == name)

    def _answered(self) -> Iterator[str]:
        last = ""
        while last[3:4] != " ":
            if last := self._line():
                yield last

    def _line(self) -> str:
        """Read a line, and return it unless it reports an event."""
        line = self._answers.readline().decode().rstrip()
        if not line:
            raise ConnectionError("speech-dispatcher has hung up")
        if not line.startswith("7"):
            return line
        if line[3:4] == " ":
            self.events.append((line[4:], time.perf_counter()))
        return ""


def measure(voice: Heard) -> tuple[float, float]:
    """Return the milliseconds from a line to its sound, and from a key to silence."""
    voice.events.clear()
    said = time.perf_counter()
    voice.say(LONG)
    sounds = voice.event("BEGIN") - said
    pressed = time.perf_counter()
    voice.stop()
    silent = voice.event("CANCELED") - pressed
    return 1000 * sounds, 1000 * silent


def main() -> None:
    """Print both delays and their limit."""
    if why := missing():
        print(f"{why}, so how soon a voice is heard is left out")
        return
    with dispatcher() as address:
        os.environ["SPEECHD_ADDRESS"] = address
        voice = Heard()
        measure(voice)  # the first line loads a dictionary
        sounds, silent = zip(*(measure(voice) for _ in range(times(LINES))), strict=True)
        voice.close()
    print(f"a real speech-dispatcher, milliseconds; each is to stay below {MOST}")
    print(f"{'':>24} {'median':>7} {'most':>6}")
    for label, taken in {"line to sound": sounds, "key to silence": silent}.items():
        print(f"{label:>24} {statistics.median(taken):>7.0f} {max(taken):>6.0f}")
        note(f"{label}, median", statistics.median(taken), "ms")
        note(f"{label}, most", max(taken), "ms")


if __name__ == "__main__":
    main()
