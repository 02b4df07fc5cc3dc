"""The file of values that goes with a release: written, verified, and damaged."""

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from shutbox.analysis.value_file import FORMAT, hash_of
from shutbox.cli.main import main

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def games() -> dict[str, Any]:
    sys.path.insert(0, str(DOCS))
    values = import_module("value_file")

    return dict(values.stanzas(["lucky-seven", "six", "classic"]))


def kept(games: dict[str, Any], file: Path) -> str:
    """Write a file of these games with the right hash; return its path."""
    text = json.dumps({"format": FORMAT, "hash": hash_of(games), "games": games})
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_it_has_values_and_three_hundred_situations(games: dict[str, Any]) -> None:
    found = [aim for stanza in games.values() for aim in stanza.values()]
    assert sum(len(aim["situations"]) for aim in found) == 300
    assert len(games["six"]["mean"]["values"]) == 63


def test_values_agree(
    games: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = kept(games, tmp_path / "values.json")
    assert main(["verify-values", file, "--game", "six", "--game", "lucky-seven"]) == 0
    six, lucky = capsys.readouterr().out.splitlines()
    assert six.endswith(" values, 0 of them wrong.")
    assert lucky == "lucky-seven: 2 values, 0 of them wrong."


def test_a_wrong_value_is_named(
    games: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = json.loads(json.dumps(games))
    values = wrong["six"]["mean"]["values"]
    values["1.2"] += 1e-6
    [position, *_] = wrong["six"]["shut"]["situations"]
    wrong["six"]["shut"]["situations"][position] = {"1 2 3": 0.5}
    file = kept(wrong, tmp_path / "values.json")
    assert main(["verify-values", file, "--game", "six"]) == 1
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.endswith(" values, 2 of them wrong.")
    assert lines[0].startswith("  six:1.2, mean: ")
    assert lines[1] == f"  six:{position} 1 2 3, shut: no such position or choice"
    assert main(["verify-values", file, "--game", "six", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"wrong": {"six": 2}}


@pytest.mark.parametrize("damage", ["hash", "cut", "other", "missing"])
def test_a_damaged_file_is_refused(
    damage: str, games: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "values.json"
    text = Path(kept(games, file)).read_text(encoding="utf-8")
    texts = {"hash": text.replace("8.85", "8.86"), "cut": text[:-9], "other": "[1]"}
    file.unlink()
    if damage in texts:
        file.write_text(texts[damage], encoding="utf-8")
    assert main(["verify-values", str(file)]) == 1
    refusal = capsys.readouterr().err
    assert refusal.startswith("shutbox: ")
    assert "values" in refusal


def test_a_game_that_the_file_lacks_is_refused(
    games: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = kept(games, tmp_path / "values.json")
    assert main(["verify-values", file, "--game", "ten"]) == 1
    assert "has no values of 'ten'" in capsys.readouterr().err
