"""Whole games as a blind player hears them: a screen reader on the page, and keys from outside.

Orca is as it comes, and speaks as fast as people listen. `browser.by_ear` plays one game by hand.
"""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from browser.by_ear import COMPUTERS, Ear, opened
from browser.screen_reader import LOADED, ScreenReader, missing, reading
from browser.visitors import ANN
from by_ear import WAYS
from serving import Served

SEED = "listen"
SOON = 150
"""The letters that are read in ten seconds at a usual speed."""
PUB = {"format": "rounds=2"}
SHORT = "classic(tiles=8-9)"


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose dice are the same in every run."""
    if lacking := missing():
        pytest.skip(f"this system has no {', no '.join(lacking)}")
    with Served(tmp_path_factory.mktemp("dealt"), deals=SEED) as served:
        yield served


@pytest.fixture(scope="module")
def reader(dealt: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScreenReader]:
    with reading(tmp_path_factory.mktemp("reader")) as reader:
        # A reader that comes late says the field in focus instead of the window.
        reader.hears(("Firefox", "Search or enter address"))
        reader.settle()
        yield reader


def test_browse_mode_finds_a_button_soon_and_by_it_the_field_of_typing(
    reader: ScreenReader, tmp_path: Path
) -> None:
    """On a server of its own, since the browser remembers the choice."""
    with Served(tmp_path, deals=SEED) as served, served.client() as client:
        _, link = opened(client, "classic", [ANN])
        for address, button in ((f"{served.url}/", "Play at once"), (link, "Play by typing")):
            since = reader.mark
            reader.open(address)
            reader.hears(LOADED, since)
            reader.press("Control_L")  # do not read the page
            reader.settle()
            since = reader.mark
            reader.press("ctrl+Home")
            reader.settle()
            reader.press("Down")
            reader.hears(f"{button} push button", since)
            before, _, _ = reader.said(since).partition(button)
            assert len(before) < SOON
        reader.settle()
        for pressed, heard in (("", "Type a move entry"), ("l", "Throw two dice."), ("", "hrew ")):
            since = reader.mark
            reader.write(pressed)
            reader.press("Return")
            reader.hears(heard, since)
            reader.settle()


@pytest.fixture
def client(dealt: Served) -> Iterator[httpx2.Client]:
    with dealt.client() as client:
        yield client


def faults_of(ear: Ear, way: str) -> list[str]:
    """What of a game is lost or doubled when it is played in this way, and the whole account."""
    ear.begin()
    ear.play(way)
    heard = ear.heard()
    return [*heard.faults, str(heard)] if heard.faults else []


def test_a_short_game_against_a_computer_is_heard(
    client: httpx2.Client, reader: ScreenReader
) -> None:
    seats = [ANN, *COMPUTERS[:1]]
    assert not faults_of(Ear(client, reader, SHORT, seats, format="rounds=1"), "silence")


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_lost_or_doubled_however_quickly_one_presses(
    way: str, client: httpx2.Client, reader: ScreenReader
) -> None:
    assert not faults_of(Ear(client, reader, "pub", [ANN, *COMPUTERS], **PUB), way)


@pytest.mark.parametrize(("game", "way"), [("classic", "heard"), ("cargo", "written")])
def test_each_event_of_a_game_alone_is_heard(
    game: str, way: str, client: httpx2.Client, reader: ScreenReader
) -> None:
    ear = Ear(client, reader, game, [ANN])
    assert not faults_of(ear, way)
    assert "Enter twice plays again, v reviews it." in reader.said(ear.begun)
