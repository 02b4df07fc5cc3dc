"""Practice in the terminal: by ear and by eye, with progress stored from day to day."""

from pathlib import Path

from shutbox.record import practice_log
from shutbox.record.practice_log import PracticeLog
from terminal.driver import Terminal
from terminal.pipe import piped


def test_a_colour_terminal_gets_the_plain_words_and_a_picture(data_folder: Path) -> None:
    with Terminal("practice", "--seed", "eye", columns=400) as drawn:
        assert drawn.picture
        drawn.type("l")
        assert not drawn.picture
    with Terminal("practice", "--seed", "eye", "--plain", columns=400) as plain:
        plain.type("l")
        assert plain.text.isascii()
        assert "\x1b" not in plain.raw
    assert drawn.said[: len(plain.said)] == plain.said


def test_a_damaged_count_is_told_and_goes_on(data_folder: Path) -> None:
    piped("practice", "--seed", "a", "--questions", "1", typed=b"1 2 4\n")
    path = data_folder / practice_log.NAME
    path.write_bytes(b"\xff\n" + path.read_bytes() + b'{"game":')
    ended = piped("practice", "--seed", "b", typed=b"1 2 4\n")
    assert f"In {path} 1 line is damaged; it is left out." in ended.lines
    assert "So far 0 of 1 right; 1 question comes again." in ended.lines
    assert ended.lines[-1].startswith("Goodbye. 1 question, "), "the end of the input leaves, too"


def test_a_question_that_is_none_any_more_is_let_go(data_folder: Path) -> None:
    for id in ("1.2.99/7", "1.2/1+1"):
        with PracticeLog(data_folder) as log:
            log.add(practice_log.PracticeAnswer("classic", id, "1", 1.0, hinted=False))
    for number in range(5):
        with PracticeLog(data_folder) as log:
            log.add(practice_log.PracticeAnswer("classic", str(number), "1", 0.0, hinted=False))
    ended = piped("practice", "--seed", "a", typed=b"q\n")
    assert "All but 3, 6 and 7 are up." in ended.lines


def test_without_a_folder_practice_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    changes = {"SHUTBOX_DATA": str(place)}
    ended = piped("practice", "--seed", "a", "--questions", "1", typed=b"2 5\n", changes=changes)
    assert ended.code == 0
    assert "Practice goes on; your answers are not kept." in ended.lines
    assert ended.lines[-1] == "Goodbye. 1 question, 1 right without a hint."
