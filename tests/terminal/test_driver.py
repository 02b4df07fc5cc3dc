"""Programs that tests start, in a folder whose name has a space and an accent."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from terminal.driver import Terminal
from terminal.voices import FakeProgram


@pytest.fixture(autouse=True)
def python_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same Python, in such a folder."""
    (tmp_path / "Großes Café").symlink_to(sys.prefix)
    place = Path(sys.executable).relative_to(sys.prefix)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "Großes Café" / place))


@pytest.mark.parametrize("changes", [None, {"LC_ALL": "C.UTF-8"}], ids=["forked", "whole"])
@pytest.mark.parametrize("words", [(), ("play",)], ids=["alone", "play"])
def test_shutbox_starts(words: tuple[str, ...], changes: dict[str, str] | None) -> None:
    with Terminal(*words, changes=changes) as terminal:
        assert terminal.spoken[0] == "Welcome to Shut the Box."


def test_a_program_starts_that_stands_in_for_a_voice(tmp_path: Path) -> None:
    program = FakeProgram(tmp_path, "espeak-ng")
    words = [str(tmp_path / "espeak-ng"), "-q", "two words"]
    subprocess.run(words, env={**os.environ, "PATH": program.path}, check=True)
    assert program.lines(1) == ["begins: -q two words"]
