"""What a blind player hears: Orca reads Firefox on a separate screen, and its speech is recorded.

The voice is a silent stand-in for speech-dispatcher that takes as long as real speech, so that
interrupted speech shows. Keys come from outside the browser, as from a keyboard: keys that the
screen reader uses itself never reach the page.
"""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from browser.firefox import write_preferences
from browser.session_bus import without_portals
from by_ear import SPEED
from terminal.voices import FakeDispatcher, Line

SECONDS = 90.0
QUIET = 1.0
"""After this many seconds of silence, everything has been said."""
LOADED = ("Finished loading", "document web", "web content")
"""Orca says one of these when a page has come, and not always the same."""
PROGRAMS = ("Xvfb", "openbox", "dbus-daemon", "orca", "firefox-esr", "xdotool", "gsettings")
_BRIDGES = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")

_ORCA: dict[str, Any] = {
    "general": {},
    "profiles": {"default": {"profile": ["Default", "default"]}},
    "pronunciations": {},
    "keybindings": {},
}
_CUSTOM_ORCA = """from orca import settings
settings.doubleClickTimeout = 5.0  # a busy machine presses a key twice less quickly than people do
"""
_FIREFOX = {
    "accessibility.force_disabled": -1,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.topsites.contile.enabled": False,
    "extensions.update.enabled": False,
    # Otherwise pages of a server that has ended keep those of the others waiting for their streams.
    "network.websocket.delay-failed-reconnects": False,
}


class ScreenReader:
    """A screen with a browser and a screen reader. `close` ends all of them.

    Its settings are those that it comes with, and it speaks as fast as people listen.
    """

    def __init__(self, home: Path) -> None:
        self.voice = FakeDispatcher(home / "voice", speed=SPEED)
        self._home = home
        self._profile = home / "profile"
        self._started: list[subprocess.Popen[bytes]] = []
        self._bus = 0
        settings = home / ".local" / "share" / "orca"
        settings.mkdir(parents=True)
        (settings / "user-settings.conf").write_text(json.dumps(_ORCA), encoding="utf-8")
        (settings / "orca-customizations.py").write_text(_CUSTOM_ORCA, encoding="utf-8")
        run = home / "run"
        run.mkdir(mode=0o700)
        without_portals(home)
        gone = {"PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME", "WAYLAND_DISPLAY"}
        self._env = {name: value for name, value in os.environ.items() if name not in gone}
        self._env |= {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(run),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_DATA_HOME": str(home / ".local/share"),
            "SPEECHD_ADDRESS": self.voice.address,
            "LANG": "C.UTF-8",
            "GTK_MODULES": "gail:atk-bridge",
            "GNOME_ACCESSIBILITY": "1",
            "MOZ_ENABLE_WAYLAND": "0",
            "NO_AT_BRIDGE": "0",
        }

    def start(self) -> None:
        """Start everything, and open an empty page."""
        display = next(n for n in range(70, 170) if not Path(f"/tmp/.X11-unix/X{n}").exists())
        self._env["DISPLAY"] = f":{display}"
        self._start("Xvfb", f":{display}", "-screen", "0", "1366x900x24", "-nolisten", "tcp")
        self._until(Path(f"/tmp/.X11-unix/X{display}").exists, "a screen")
        command = ["dbus-daemon", "--session", "--fork", "--print-address=1", "--print-pid=1"]
        bus = subprocess.run(command, env=self._env, capture_output=True, text=True, check=True)
        address, pid = bus.stdout.split()
        self._env["DBUS_SESSION_BUS_ADDRESS"], self._bus = address, int(pid)
        self._start("openbox")
        bridge = next(path for path in _BRIDGES if Path(path).exists())
        self._start(bridge, "--launch-immediately", "--a11y=1", "--screen-reader=1")
        name = ("org.gnome.desktop.interface", "toolkit-accessibility", "true")
        command = ["gsettings", "set", *name]
        subprocess.run(command, env=self._env, stderr=subprocess.DEVNULL, check=False)
        self._start("/usr/bin/python3", "/usr/bin/orca", "--replace")
        self._until(lambda: self.voice.lines, "Orca's first word")
        self._profile.mkdir()
        write_preferences(self._profile, _FIREFOX)
        self._start("firefox-esr", "--profile", str(self._profile), "about:blank")

    def _start(self, *command: str) -> None:
        out = (
            self._home / f"{Path(command[-1] if 'python3' in command[0] else command[0]).name}.out"
        )
        with out.open("wb") as file:
            process = subprocess.Popen(
                command,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        self._started.append(process)

    def close(self) -> None:
        """End everything that was started."""
        for process in reversed(self._started):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        time.sleep(0.3)
        for process in self._started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if self._bus:
            with suppress(ProcessLookupError):
                os.kill(self._bus, signal.SIGTERM)
        self.voice.__exit__(None, None, None)

    # Keys

    def press(self, *keys: str) -> None:
        """Press keys in turn: `Return`, `7`, `Insert+a`."""
        self._xdo("key", "--clearmodifiers", "--delay", "60", *keys)

    def write(self, text: str) -> None:
        """Type a text."""
        self._xdo("type", "--delay", "40", text)

    def open(self, url: str) -> None:
        """Open an address in a new tab."""
        command = ["firefox-esr", "--profile", str(self._profile), url]
        subprocess.run(command, env=self._env, stderr=subprocess.DEVNULL, check=True)

    def _xdo(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._env, check=True)

    # Speech

    @property
    def mark(self) -> int:
        """Return the present point in time, for `heard`."""
        return len(self.voice.lines)

    def heard(self, since: int = 0) -> list[Line]:
        """Return what has been said since a mark, or has begun to be said, in order."""
        return [line for line in self.voice.lines[since:] if line.begun]

    def hears(self, words: str | tuple[str, ...], since: int = 0) -> None:
        """Wait until these words have been said, or one of several."""
        some = (words,) if isinstance(words, str) else words
        self._until(
            lambda: any(one in self.said(since) for one in some),
            lambda: f"{words!r} in {self.said(since)!r}",
        )

    def asked(self, words: str, since: int) -> None:
        """Wait until the last line since a mark is whole and asks, or nothing is said for long."""
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS:
            lines = self.voice.lines[since:]
            last = lines[-1] if lines else None
            if last is not None and last.how == "whole" and re.search(words, last.text):
                return
            ended = begun if last is None else last.ended
            if ended and time.monotonic() - max(ended, begun) > 3 * QUIET:
                return
            time.sleep(0.02)

    def said(self, since: int = 0) -> str:
        """Return all complete utterances since a mark, as one text."""
        return " ".join(one.text.strip() for one in self.heard(since) if one.how == "whole")

    def settle(self) -> None:
        """Wait until nothing more is said."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            with self.voice.news:
                last = max((line.ended or line.came for line in self.voice.lines), default=0.0)
                is_silent = self.voice.is_silent
            if is_silent and time.monotonic() - last > QUIET:
                return
            time.sleep(0.05)
        raise AssertionError(f"it never falls silent: {[one.text for one in self.heard()[-9:]]}")

    def _until(self, holds: Callable[[], Any], about: "str | Callable[[], str]") -> None:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if holds():
                return
            time.sleep(0.05)
        raise AssertionError(f"waited in vain for {about if isinstance(about, str) else about()}")


def missing() -> list[str]:
    """Return the programs that are missing on this system."""
    found = [name for name in PROGRAMS if shutil.which(name) is None]
    return found if any(map(os.path.exists, _BRIDGES)) else [*found, "at-spi2-core"]


@contextmanager
def reading(home: Path) -> Iterator[ScreenReader]:
    """Run a screen reader and a browser, with their files in `home`."""
    # A starting Orca ends all others of its user, even on other screens, so run one at a time.
    with Path(tempfile.gettempdir(), "shutbox-orca.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        reader = ScreenReader(home)
        try:
            reader.start()
            yield reader
        finally:
            reader.close()
