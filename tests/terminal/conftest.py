"""Voices that every program of a test finds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from terminal.voices import FakeDispatcher, Stepped


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDispatcher]:
    """Yield a dispatcher that says each line at once."""
    with FakeDispatcher(tmp_path / "socket") as server:
        monkeypatch.setenv("SPEECHD_ADDRESS", server.address)
        yield server


@pytest.fixture
def stepped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stepped]:
    """Yield a dispatcher that says a line until the test ends it."""
    with Stepped(tmp_path / "stepped") as server:
        monkeypatch.setenv("SPEECHD_ADDRESS", server.address)
        yield server
