"""Firefox, driven over WebDriver BiDi: a page that is opened, asked and pressed."""

import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from serving import free_port

SECONDS = 60
COMMAND = "firefox-esr"
QUIET = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,  # BiDi alone
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 1,
}
"""Preferences under which it asks nobody but the server that is tested."""
ENTER = "\ue007"


class Failed(Exception):
    """What the browser refused, or what a script raised."""


class Firefox:
    """A session, and its one page."""

    def __init__(self, line: Any) -> None:
        self._line = line
        self._sent = 0
        self.logged: list[str] = []
        """The errors of the console."""
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context: str = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command of the protocol. Raises Failed."""
        self._sent += 1
        self._line.send(json.dumps({"id": self._sent, "method": method, "params": params}))
        while True:
            heard = json.loads(self._line.recv(timeout=SECONDS))
            if heard.get("method") == "log.entryAdded" and heard["params"]["level"] == "error":
                self.logged.append(heard["params"]["text"])
            if heard.get("id") == self._sent:
                if heard["type"] == "error":
                    raise Failed(f"{method}: {heard['error']}: {heard['message']}")
                found: dict[str, Any] = heard["result"]
                return found

    def before_pages(self, script: str) -> None:
        """Run a script in every page that comes, before its own ones."""
        self.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def size(self, width: int, height: int) -> None:
        """Let the page be so many pixels wide and high."""
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self.context, viewport=size)

    def goto(self, url: str) -> None:
        """Open an address, until all of it is there."""
        self.ask("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What a script gives, awaited; anything that JSON can say. Raises Failed."""
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

    def until(self, expression: str) -> Any:
        """What a script gives, as soon as it is true, in whatever page is there by then."""
        end, last = time.monotonic() + SECONDS, "false"
        while time.monotonic() < end:
            try:
                if found := self.evaluate(expression):
                    return found
            except Failed as error:  # the page is on its way
                last = str(error)
            time.sleep(0.05)
        raise Failed(f"waited in vain for {expression}: {last}")

    def press(self, selector: str) -> None:
        """Click with the mouse on the middle of what a selector finds."""
        found = self.ask(
            "browsingContext.locateNodes",
            context=self.context,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )["nodes"]
        if not found:
            raise Failed(f"there is no {selector}")
        there = {"type": "element", "element": {"sharedId": found[0]["sharedId"]}}
        self.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": there},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": moves})

    def key(self, key: str) -> None:
        """Press a key."""
        presses = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._perform({"type": "key", "id": "keyboard", "actions": presses})

    def _perform(self, actions: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self.context, actions=[actions])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox without windows, with a profile of its own."""
    from websockets.sync.client import connect

    # Its helpers may write there a moment longer than it lives.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        port = free_port()
        lines = (f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in QUIET.items())
        Path(folder, "user.js").write_text("".join(lines), encoding="utf-8")
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


def is_there() -> bool:
    """Whether this system has it."""
    return shutil.which(COMMAND) is not None
