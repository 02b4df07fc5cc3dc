"""The golden transcripts, compared character by character."""

import pytest

from terminal.transcripts import FOLDER, MOST_LINES, SCRIPTS, path_of, transcript


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_shows_what_its_transcript_shows(name: str, golden: bool) -> None:
    shown = transcript(name)
    if golden:
        path_of(name).write_text(shown, encoding="utf-8")
        pytest.skip("written anew")
    assert shown == path_of(name).read_text(encoding="utf-8")


def test_every_transcript_has_a_script_and_fits_two_screens() -> None:
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    assert kept.keys() == SCRIPTS.keys()
    assert {name for name, text in kept.items() if text.count("\n") > MOST_LINES} == set()
