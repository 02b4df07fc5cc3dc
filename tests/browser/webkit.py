"""WebKit, the engine of Safari, over WebDriver: Debian's webkit2gtk-driver on a screen of Xvfb."""

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

from browser.driven import SECONDS, Driven, Failed
from browser.session_bus import without_portals
from serving import free_port

DRIVER, SCREEN, BROWSER = "WebKitWebDriver", "Xvfb", "MiniBrowser"
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# A window cannot be narrower than the buttons in its bar, nor a page narrower than its window.
_SMALL = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px; }"
_STILL = "[Settings]\ngtk-enable-animations=0\n"


class WebKit(Driven):
    """A session with one window."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._at = ""
        options = {"binary": str(_browser()), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._at = f"/session/{self._ask('POST', '/session', wanted)['sessionId']}"

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a command of the protocol, and return its result. Raise Failed on an error."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SECONDS)
        try:
            line.request(method, self._at + path, json.dumps(body or {}))
            reply = line.getresponse()
            value = json.load(reply)["value"]
        finally:
            line.close()
        if reply.status != http.client.OK:
            raise Failed(f"{path}: {value['error']}: {value['message']}")
        return value

    def close(self) -> None:
        """Close the window."""
        self._ask("DELETE", "")

    def size(self, width: int, height: int) -> None:
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})

    def goto(self, url: str) -> None:
        self._ask("POST", "/url", {"url": url})

    def evaluate(self, expression: str) -> Any:
        return self._ask("POST", "/execute/sync", {"script": f"return {expression}", "args": []})

    def press(self, selector: str) -> None:
        find = {"using": "css selector", "value": selector}
        element = self._ask("POST", "/element", find)[_ELEMENT]
        self._ask("POST", f"/element/{element}/click")

    def key(self, key: str) -> None:
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keyboard = {"type": "key", "id": "keyboard", "actions": presses}
        self._ask("POST", "/actions", {"actions": [keyboard]})


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Run WebKit with its own screen and settings folder."""
    # Helper processes can write there shortly after WebKit has ended.
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
    """Yield the name of a virtual screen."""
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
    """Return what is missing on this system. Empty if nothing is."""
    return next(filter(lambda command: shutil.which(command) is None, (DRIVER, SCREEN)), "") or (
        "" if _browser() else BROWSER
    )
