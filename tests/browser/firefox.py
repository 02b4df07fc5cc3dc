"""Firefox, driven over WebDriver BiDi: opens a page, runs scripts and presses keys."""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from browser.driven import SECONDS, Driven, Failed
from serving import free_port

COMMAND = "firefox-esr"
QUIET = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.server": "",
}
"""Preferences that keep Firefox from contacting any host but the tested server."""
_DRIVEN = {"remote.active-protocols": 1, "ui.prefersReducedMotion": 1}  # only BiDi

_LEFT = "Image corrupt or truncated."  # said of the icon of a page that is left early


class Firefox(Driven):
    """A session with one page."""

    def __init__(self, line: Any) -> None:
        super().__init__()
        self._line = line
        self._sent = 0
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context: str = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command of the protocol, and return its result. Raise Failed on errors."""
        self._sent += 1
        self._line.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            heard = json.loads(self._line.recv(timeout=SECONDS))
            entry = heard["params"] if heard.get("method") == "log.entryAdded" else {}
            if entry.get("level") == "error" and entry["text"] != _LEFT:
                self.logged.append(entry["text"])
            if heard.get("id") == self._sent:
                if heard["type"] == "error":
                    raise Failed(f"{method}: {heard['error']}: {heard['message']}")
                result: dict[str, Any] = heard["result"]
                return result

    def before_pages(self, script: str) -> None:
        """Run a script in every new page, before the page's own scripts."""
        self.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def size(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.context, viewport=size)

    def goto(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        script = f"(async () => JSON.stringify(await ({expression})) ?? 'null')()"
        reply = self.ask(
            "script.evaluate",
            expression=script,
            target={"context": self.context},
            awaitPromise=True,
            userActivation=True,
        )
        if reply["type"] == "exception":
            raise Failed(reply["exceptionDetails"]["text"])
        return json.loads(reply["result"]["value"])

    def press(self, selector: str) -> None:
        nodes = self.ask(
            "browsingContext.locateNodes",
            context=self.context,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )["nodes"]
        if not nodes:
            raise Failed(f"there is no {selector}")
        there = {"type": "element", "element": {"sharedId": nodes[0]["sharedId"]}}
        self.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": there},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": moves})

    def key(self, key: str) -> None:
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._perform({"type": "key", "id": "keyboard", "actions": presses})

    def _perform(self, actions: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self.context, actions=[actions])


def write_preferences(profile: Path, more: Mapping[str, object]) -> None:
    """Write `QUIET` and other preferences into a profile's folder."""
    preferences = {**QUIET, **more}.items()
    lines = (
        f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences
    )
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Run Firefox without windows, with its own profile."""
    from websockets.sync.client import connect

    # Helper processes can write there shortly after Firefox has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        port = free_port()
        write_preferences(Path(folder), _DRIVEN)
        program = subprocess.Popen(
            [
                *(COMMAND, "--headless", "--no-remote", "--profile", folder),
                *("--remote-debugging-port", str(port)),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with _connected(connect, f"ws://127.0.0.1:{port}/session", program) as line:
                yield Firefox(line)
        finally:
            program.terminate()
            program.wait()


def _connected(connect: Any, url: str, program: "subprocess.Popen[bytes]") -> Any:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and program.poll() is None:
        with suppress(OSError):
            return connect(url, max_size=None, proxy=None)
        time.sleep(0.1)
    raise Failed("Firefox does not answer")


def missing() -> str:
    """Return what is missing on this system. Empty if nothing is."""
    if shutil.which(COMMAND) is None:
        return "Firefox"
    return "" if find_spec("websockets") else "websockets"
