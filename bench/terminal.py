"""Whole processes at a terminal: their start, questions, keys and the voice.

- The first prompt of `shutbox play` and `--help`, from the start of the process, and odds, first
  with an empty cache folder and then from the file. The baseline is `python3 -c pass`.
- The time from a key to the box that shows it, in a terminal of 80 columns and 24 rows. The
  baseline is the echo of a key by `input()` with readline.
- How soon a line sounds and how soon a key silences it, with a real speech-dispatcher. It reports
  both on the connection of the line. It runs with espeak-ng and plays to ALSA's null device, so
  nothing is heard.

Both sides run in turn, and medians are reported.
"""

import fcntl
import os
import pty
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench import note, times
from shutbox.term.synthesizers import Ssip

RUNS = 15
BARE = [sys.executable, "-c", "pass"]
SHUTBOX = [sys.executable, "-m", "shutbox"]
REPEATED = 3
ASKED = (
    ["odds", "classic"],
    ["odds", "classic", "--aim", "shut", "--exact"],
    ["odds", "full-house"],
    ["odds", "double-shutter"],
    ["odds", "cargo"],
    ["odds", "pub"],
)
HINTS = ("classic", "full-house", "2012")
KEYS = 200
GAME = [*SHUTBOX, "play", "classic", "--seed", "bench"]
ECHO = [sys.executable, "-c", "import readline; input('Which tiles? ')"]
MOST_OF_A_KEY = 10
"""The most milliseconds until the box shows what a key means."""
LINES = 20
MOST_OF_A_VOICE = 50
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


def whole(command: list[str]) -> float:
    """Return the seconds from start to end of a process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def read_to(output: int, prompt: bytes) -> None:
    """Read a program's output until `prompt` has come."""
    seen = b""
    while prompt not in seen:
        piece = os.read(output, 65536)
        assert piece, f"ended before the prompt: {seen!r}"
        seen += piece


def until(command: list[str], prompt: bytes) -> float:
    """Return the seconds from the start of a process until it has printed `prompt`."""
    start = time.perf_counter()
    with (
        # Without a saved game, which would change the prompt.
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "SHUTBOX_DATA": folder},
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        read_to(process.stdout.fileno(), prompt)
        taken = time.perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return taken


def starts() -> None:
    """Print each time, its baseline and their difference."""
    asked: dict[str, Callable[[], float]] = {
        "shutbox --help": lambda: whole([*SHUTBOX, "--help"]),
        "shutbox play, first prompt": lambda: until([*SHUTBOX, "play"], b"Enter plays Classic: "),
        "shutbox play classic, first prompt": lambda: until(
            [*SHUTBOX, "play", "classic", "--seed", "bench"], b"Which tiles? "
        ),
    }
    print("whole processes, milliseconds; baseline: python3 -c pass")
    print(f"{'':>36} {'shutbox':>8} {'baseline':>9} {'more':>6}")
    for label, ask in asked.items():
        pairs = [(ask(), whole(BARE)) for _ in range(times(RUNS))]
        ours, bare = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
        more = 1000 * statistics.median(a - b for a, b in pairs)
        print(f"{label:>36} {ours:>8.0f} {bare:>9.0f} {more:>6.0f}")
        note(label, ours, "ms", bare)


@contextmanager
def empty_cache() -> Iterator[None]:
    """Give the started processes an empty cache folder."""
    before = os.environ.get("SHUTBOX_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SHUTBOX_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("SHUTBOX_CACHE")
            if before is not None:
                os.environ["SHUTBOX_CACHE"] = before


def hint(game: str) -> float:
    """Return the seconds from asking for the first hint of a game until it is printed."""
    command = [*SHUTBOX, "play", game, "--seed", "bench", "--plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = process.stdout.fileno()
        read_to(said, b"Which tiles? ")
        start = time.perf_counter()
        process.stdin.write(b"h\n")
        process.stdin.flush()
        read_to(said, b"Which tiles? ")
        taken = time.perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return taken


def questions() -> None:
    """Print each time and its difference from the baseline, for the first and the second time."""
    print("odds as whole processes, milliseconds more than python3 -c pass")
    print(f"{'':>40} {'first':>7} {'again':>7}")
    for question in ASKED:
        runs = []
        for _ in range(times(REPEATED)):
            with empty_cache():
                first = whole([*SHUTBOX, *question]) - whole(BARE)
                runs.append((first, whole([*SHUTBOX, *question]) - whole(BARE)))
        first, again = (1000 * statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{' '.join(question):>40} {first:>7.0f} {again:>7.0f}")
        note(f"{' '.join(question)}, first", first, "ms more")
        note(f"{' '.join(question)}, again", again, "ms more")
    print("the first hint of a game, milliseconds")
    for game in HINTS:
        taken = []
        for _ in range(times(REPEATED)):
            with empty_cache():
                taken.append(hint(game))
        print(f"{game:>40} {1000 * statistics.median(taken):>7.0f}")
        note(f"the first hint of {game}", 1000 * statistics.median(taken), "ms")


@contextmanager
def running(command: list[str]) -> Iterator[int]:
    """Run a program in a terminal, and yield the descriptor that types and reads there."""
    with tempfile.TemporaryDirectory() as folder:
        child, terminal = pty.fork()
        if child == 0:
            os.environ |= {"TERM": "xterm-256color", "SHUTBOX_DATA": folder, "INPUTRC": os.devnull}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execv(command[0], command)
        try:
            yield terminal
        finally:
            os.close(terminal)  # which hangs up
            os.waitpid(child, 0)


def read_until(terminal: int, text: bytes) -> None:
    """Read until `text` has come."""
    seen = b""
    while text not in seen:
        assert select.select([terminal], [], [], PATIENCE)[0], f"it does not come: {seen!r}"
        seen += os.read(terminal, 65536)


def first_prompt() -> float:
    """Return the seconds from the start of a game until its first prompt."""
    start = time.perf_counter()
    with running(GAME) as terminal:
        read_until(terminal, b"Enter throws two dice: ")
        return time.perf_counter() - start


def seconds_of_keys(command: list[str], throws: bool, end: bytes) -> list[float]:
    """Return the seconds from each key until `end`, or else its echo. Every second key deletes."""
    with running(command) as terminal:
        if throws:
            read_until(terminal, b"Enter throws two dice: ")
            os.write(terminal, b"\r")
        read_until(terminal, b"Which tiles? ")
        taken = []
        for number in range(times(KEYS)):
            start = time.perf_counter()
            os.write(terminal, b"\x7f" if number % 2 else b"1")
            read_until(terminal, end or (b"\x08" if number % 2 else b"1"))
            taken.append(time.perf_counter() - start)
    return taken


def keys() -> None:
    """Print each time and its baseline."""
    print("a game on a terminal, milliseconds; baseline: Python alone")
    pairs = [(first_prompt(), whole(BARE)) for _ in range(times(RUNS))]
    ours, bare = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{'first prompt':>36} {ours:>8.1f} {bare:>9.1f}")
    note("shutbox play classic on a screen, first prompt", ours, "ms", bare)
    shown = 1000 * statistics.median(seconds_of_keys(GAME, True, b"\x1b8"))
    echo = 1000 * statistics.median(seconds_of_keys(ECHO, False, b""))
    print(f"{'from a key to the box':>36} {shown:>8.2f} {echo:>9.2f}   (at most {MOST_OF_A_KEY})")
    note("from a key to the box", shown, "ms", echo)


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


def voice() -> None:
    """Print both delays and their limit."""
    if why := missing():
        print(f"{why}, so how soon a voice is heard is left out")
        return
    with dispatcher() as address:
        os.environ["SPEECHD_ADDRESS"] = address
        heard = Heard()
        measure(heard)  # the first line loads a dictionary
        sounds, silent = zip(*(measure(heard) for _ in range(times(LINES))), strict=True)
        heard.close()
    print(f"a real speech-dispatcher, milliseconds; each is to stay below {MOST_OF_A_VOICE}")
    print(f"{'':>24} {'median':>7} {'most':>6}")
    for label, taken in {"line to sound": sounds, "key to silence": silent}.items():
        print(f"{label:>24} {statistics.median(taken):>7.0f} {max(taken):>6.0f}")
        note(f"{label}, median", statistics.median(taken), "ms")
        note(f"{label}, most", max(taken), "ms")
