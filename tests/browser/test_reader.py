"""Whole games as a blind player hears them: a screen reader on the page, and keys from outside."""

import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from browser.screen_reader import ScreenReader, missing, reading
from browser.visitors import ANN
from serving import Served

MACHINE = {"who": "computer:fewest"}
SEED = "listen"
MOST_STEPS = 120
SECONDS = 40.0
SOON = 150
"""The letters that are read in ten seconds at a usual speed."""


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose dice are the same in every run."""
    if lacking := missing():
        pytest.skip(f"this system has no {', no '.join(lacking)}")
    with Served(tmp_path_factory.mktemp("dealt"), deals=(SEED, "")) as served:
        yield served


@pytest.fixture(scope="module")
def reader(dealt: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScreenReader]:
    with reading(tmp_path_factory.mktemp("reader"), "about:blank") as reader:
        # A reader that comes late says the field in focus instead of the window.
        reader.hears("Firefox", other="Search or enter address")
        reader.settle()
        yield reader


def opened(client: httpx2.Client, game: str, seats: list[Any]) -> tuple[str, str]:
    """A new table, and the link of the player there."""
    body = {"action": secrets.token_urlsafe(16), "game": game, "seats": seats}
    reply = client.post("/api/rooms", json=body).json()
    [link] = reply["you"]["links"]["seats"].values()
    return reply["view"]["room"], link


def test_browse_mode_finds_a_button_soon_and_by_it_the_field_of_typing(
    reader: ScreenReader, tmp_path: Path
) -> None:
    """On a server of its own, since the browser remembers the choice."""
    with Served(tmp_path, deals=(SEED, "")) as served, served.client() as client:
        _, link = opened(client, "classic", [ANN])
        for address, button in ((f"{served.url}/", "Play at once"), (link, "Play by typing")):
            since = reader.mark
            reader.open(address)
            reader.hears("Finished loading", since)
            reader.settle()
            since = reader.mark
            reader.press("ctrl+Home")
            reader.settle()
            reader.press("Down")
            reader.hears(f"{button} push button", since)
            before, _, _ = reader.said(since).partition(button)
            assert len(before) < SOON
        reader.settle()
        for pressed, heard in (("", "Type a move entry"), ("l", "Throw two dice."), ("", "Threw ")):
            since = reader.mark
            reader.write(pressed)
            reader.press("Return")
            reader.hears(heard, since)
            reader.settle()


@pytest.fixture
def client(dealt: Served) -> Iterator[httpx2.Client]:
    with dealt.client() as client:
        yield client


class Blind:
    """Somebody at a table of his own, who presses what a reader lets through to the page."""

    def __init__(
        self, client: httpx2.Client, reader: ScreenReader, game: str, seats: list[Any]
    ) -> None:
        self.client, self.reader = client, reader
        self.room, link = opened(client, game, seats)
        self.begun = reader.mark
        reader.open(link)
        reader.hears("throws", self.begun)
        reader.settle()
        reader.press("Insert+a", "Insert+a")
        reader.hears("Focus mode is sticky", self.begun)
        reader.settle()
        self.begun, self.log_before = reader.mark, len(self.log())

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.client.get(f"/api/rooms/{self.room}").json()["view"]
        return view

    def log(self) -> list[str]:
        reply = self.client.get(f"/api/rooms/{self.room}").json()
        return [" ".join(line["says"]) for line in reply["log"]]

    def play(self) -> list[str]:
        """To the end; what has been told since the beginning."""
        for _ in range(MOST_STEPS):
            view, since = self.view(), self.reader.mark
            if view["phase"] == "over":
                return self.log()[self.log_before :]
            self.reader.press(*_keys(view["table"]))
            self._wait(view["table"]["version"])
            self.reader.hears(self.log()[-1], since)
            self.reader.settle()
        raise AssertionError("it does not end")

    def _wait(self, version: int) -> None:
        """Until something has happened since an event, and it is one's turn, or all is over."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            view = self.view()
            is_due = view["phase"] != "playing" or view["table"]["seat"] == 0
            if view["table"]["version"] > version and is_due:
                return
            time.sleep(0.1)
        raise AssertionError(f"nothing has happened since {self.log()[-1]}")


def _keys(table: dict[str, Any]) -> list[str]:
    """What is pressed for the first choice that is open."""
    if table["does"] == "throw" or table["default"]:
        return ["Return"]
    takes = table["offers"][0]["takes"]
    tiles = {piece["key"] for piece in table["pieces"] if piece["kind"] == "tile"}
    return [*takes, "Return"] if set(takes) <= tiles and takes else ["1"]


@pytest.mark.parametrize("game", ["classic", "cargo", "pub"])
def test_each_event_is_heard_once_whole_and_in_order(
    game: str, client: httpx2.Client, reader: ScreenReader
) -> None:
    """By keys alone; nothing that happened is cut short, however quickly computers follow."""
    ann = Blind(client, reader, game, [ANN, MACHINE, MACHINE] if game == "pub" else [ANN])
    log = ann.play()
    heard = reader.heard(ann.begun)
    assert not [one.text for one in heard if not one.whole]
    said, at = reader.said(ann.begun), 0
    for line in log:
        at = said.find(line, at)
        assert at >= 0, f"{line!r} is not heard in its place in {said}"
        at += len(line)
    for line in set(log):
        assert said.count(line) == sum(other.count(line) for other in log), line
    assert "Enter twice plays again." in said[at:]
