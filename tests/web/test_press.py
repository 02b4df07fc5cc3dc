"""The path of a press: the project's files that the server uses for one choice."""

from pathlib import Path

from bench.choice import changes_of, paths

MOST = 34
MOST_OF_THE_SERVER = 18
MOST_CHANGES = 250
"""A choice at random takes up to 230: sentences differ."""


def test_a_press_passes_few_files(tmp_path: Path) -> None:
    for path in paths(tmp_path, 1).values():
        found = {*path}
        assert "web/actions/play.py" in found
        assert len(found) <= MOST, sorted(found)
        assert len([name for name in found if name.startswith("web/")]) <= MOST_OF_THE_SERVER
        assert changes_of(path).total() <= MOST_CHANGES
