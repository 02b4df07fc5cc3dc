"""The golden transcripts, compared character by character."""

import pytest

from terminal.transcripts import MOST_LINES, NAMES, path_of, transcript


@pytest.mark.parametrize("name", NAMES)
def test_a_game_shows_what_its_transcript_shows(name: str, golden: bool) -> None:
    shown = transcript(name)
    if golden:
        path_of(name).write_text(shown, encoding="utf-8")
        pytest.skip("written anew")
    assert shown == path_of(name).read_text(encoding="utf-8")


def test_every_transcript_is_short_enough_to_be_read() -> None:
    kept = {name: path_of(name).read_text(encoding="utf-8") for name in NAMES}
    assert {name for name, text in kept.items() if text.count("\n") > MOST_LINES} == set()
