"""The page of exact values: its rows are those of the solver."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from nightly import one_in
from shutbox import catalogue

ROOT = Path(__file__).parents[1]
VALUES: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "values.py"))
PAGE = (ROOT / "docs" / "solving.md").read_text(encoding="utf-8")
LARGE = {"the-300", "double-shutter", "full-house", "2012"}
"""Games that take more than a second."""


def test_every_game_with_a_score_has_its_row_once() -> None:
    for entry in catalogue():
        assert PAGE.count(f"| `{entry.name}` | ") == (entry.name != "tray")


@pytest.mark.parametrize(
    "name", one_in(6, [e.name for e in catalogue() if e.name not in LARGE and e.name != "tray"])
)
def test_a_row_is_what_the_solver_finds(name: str) -> None:
    assert VALUES["row"](name) in PAGE, "run python docs/values.py all"


def test_a_missing_row_is_computed_and_the_others_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    [row] = [line for line in PAGE.splitlines(keepends=True) if line.startswith("| `six` ")]
    rows = {"six": "| `six` | again |\n", "tray": ""}  # a game without a value has no row
    monkeypatch.setitem(VALUES["page"].__globals__, "row", rows.__getitem__)
    assert VALUES["page"]({"six"}) == PAGE.replace(row, rows["six"])
