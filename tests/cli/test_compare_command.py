"""`shutbox compare`: players of the user's own, and what is refused."""

import json

import pytest

from shutbox.cli.main import main
from shutbox.solving import compiled


def told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["compare", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_player_is_named_as_in_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("--player", "computer:most", "--player", "fixed:pub")
    code, out, _ = told(capsys, "classic(tiles=1-6)", "--json", *players)
    assert (code, {way["way"] for way in json.loads(out)["ways"]}) == (0, {"most", "fixed:pub"})


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("tray", "tray can go on forever"),
        ("the-300", "the-300: 16,777,216 positions take about "),
        ("six --player clever", "'clever' is not a kind of computer player; they are perf"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(
    words: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    code, out, err = told(capsys, *words.split())
    assert (code, out) == (1, "")
    assert err.startswith(f"shutbox: {says}")
    assert err.count("\n") == 1
