"""What the drivers of Firefox and WebKit have in common."""

import time
from abc import ABC, abstractmethod
from typing import Any

SECONDS = 60
ENTER = "\ue007"


class Failed(Exception):
    """An error of the browser or of a script."""


class Driven(ABC):
    """A browser with one page."""

    def __init__(self) -> None:
        self.logged: list[str] = []
        """The errors on the console, as far as the driver tells of them."""

    @abstractmethod
    def size(self, width: int, height: int) -> None:
        """Set the size of the page in pixels."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Open an address, and wait until it is loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Run a script, and return its result (any JSON value). Raise Failed on an error."""

    @abstractmethod
    def press(self, selector: str) -> None:
        """Click with the mouse on the element found by a selector."""

    @abstractmethod
    def key(self, key: str) -> None:
        """Press a key."""

    def until(self, expression: str) -> Any:
        """Run a script until its result is true, even across page loads, and return the result."""
        end, last = time.monotonic() + SECONDS, "false"
        while time.monotonic() < end:
            try:
                if result := self.evaluate(expression):
                    return result
            except Failed as error:  # the page is loading
                last = str(error)
            time.sleep(0.05)
        raise Failed(f"waited in vain for {expression}: {last}")
