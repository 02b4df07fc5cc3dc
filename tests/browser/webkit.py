"""WebKit, the engine of Safari, by WebDriver: Debian's webkit2gtk-driver on a screen of Xvfb."""

import http.client
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser.session_bus import without_portals
from serving import free_port

SECONDS = 60
DRIVER, SCREEN, BROWSER = "WebKitWebDriver", "Xvfb", "MiniBrowser"
ENTER = "\ue007"
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# The bar of the window is never narrower than its buttons, and a page never than its window.
_SMALL = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px; }"
_STILL = "[Settings]\ngtk-enable-animations=0\n"


class Failed(Exception):
    """What the browser refused, or what a script raised."""


class WebKit:
    """A session, and its one window."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._at = ""
        options = {"binary": str(_browser()), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._at = f"/session/{self._ask('POST', '/session', wanted)['sessionId']}"

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a command of the protocol. Raises Failed."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SECONDS)
        try:
            line.request(method, self._at + path, json.dumps(body or {}))
            reply = line.getresponse()
            found = json.load(reply)["value"]
        finally:
            line.close()
        if reply.status != http.client.OK:
            raise Failed(f"{path}: {found['error']}: {found['message']}")
        return found

    def close(self) -> None:
        """Shut the window."""
        self._ask("DELETE", "")

    def size(self, width: int, height: int) -> None:
        """Let the window be so many pixels wide and high."""
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})

    def goto(self, url: str) -> None:
        """Open an address, until all of it is there."""
        self._ask("POST", "/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        """What a script gives; anything that JSON can say. Raises Failed."""
        return self._ask("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def until(self, expression: str) -> Any:
        """What a script gives, as soon as it is true, in whatever page is there by then."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if found := self.evaluate(expression):
                return found
            time.sleep(0.05)
        raise Failed(f"waited in vain for {expression}")

    def press(self, selector: str) -> None:
        """Click with the mouse on the middle of what a selector finds."""
        find = {"using": "css selector", "value": selector}
        found = self._ask("POST", "/element", find)[_ELEMENT]
        self._ask("POST", f"/element/{found}/click")

    def key(self, key: str) -> None:
        """Press a key."""
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keyboard = {"type": "key", "id": "keyboard", "actions": presses}
        self._ask("POST", "/actions", {"actions": [keyboard]})


@contextmanager
def webkit() -> Iterator[WebKit]:
    """One with a screen and a folder of settings of its own."""
    # Its helpers may write there a moment longer than it lives.
    place = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with place as folder, _screen() as display:
        without_portals(Path(folder))
        settings = Path(folder, "gtk-3.0")
        settings.mkdir()
        (settings / "gtk.css").write_text(_SMALL, encoding="utf-8")
        (settings / "settings.ini").write_text(_STILL, encoding="utf-8")
        own = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"), folder)
        drawn = {"GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"}
        port = free_port()
        driver = subprocess.Popen(
            [DRIVER, "--host=127.0.0.1", f"--port={port}"],
            env={**os.environ, **own, **drawn, "DISPLAY": display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            browser = _started(port, driver)
            yield browser
            browser.close()
        finally:
            driver.terminate()
            driver.wait()


@contextmanager
def _screen() -> Iterator[str]:
    """The name of a screen that nobody sees."""
    command = [SCREEN, "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as screen:
        assert screen.stdout is not None
        try:
            yield f":{screen.stdout.readline().strip()}"
        finally:
            screen.terminate()


def _started(port: int, driver: "subprocess.Popen[bytes]") -> WebKit:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and driver.poll() is None:
        try:
            return WebKit(port)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise Failed("WebKit does not answer")


def _browser() -> Path | None:
    return next(Path("/usr/lib").glob(f"*/webkit2gtk-4.*/{BROWSER}"), None)


def missing() -> str:
    """What of it this system lacks; empty if nothing."""
    return next(filter(lambda command: shutil.which(command) is None, (DRIVER, SCREEN)), "") or (
        "" if _browser() else BROWSER
    )
