"""Practice in the terminal: by ear and by eye, with progress stored from day to day."""

import re
from pathlib import Path

import pytest

from shutbox import SeededCup, find
from shutbox.record import practice_log
from shutbox.record.practice_log import PracticeLog
from shutbox.solving.practice import Question, practice
from terminal.driver import Terminal
from terminal.pipe import piped

TYPED = b"h\n2 5\nwhy\nl\n8\nq\n"
GOLDEN = """\
Practice: Classic, played for the best expected score.
Type ? for help, q to leave.
Question 1.
All but 3, 6 and 7 are up.
Threw 2 and 5, 7 in all.
Choices: 2 and 5; 1, 2 and 4.
Which tiles go down? Type one of these, h for a hint, q to leave: h
"""
OFFERED = re.compile(r"(?:Choices|\w+ tiles?): ([^.]*)\.")
PROMPT = re.compile(r".*[?.:] Type one of these, h for a hint, q to leave:")


def answers(folder: Path) -> list[tuple[str, str, bool, bool]]:
    with PracticeLog(folder) as log:
        return [(a.position, a.choice, bool(a.cost), a.hinted) for a in log.answers]


def test_a_session(data_folder: Path, golden: bool) -> None:
    ended = piped("practice", "--seed", "a", typed=TYPED)
    path = Path(__file__).with_name("practice.txt")
    if golden:
        path.write_bytes(ended.out)
    assert (ended.code, ended.err) == (0, b"")
    assert ended.out.decode() == path.read_text(encoding="utf-8")
    assert ended.out.decode().startswith(GOLDEN)


def test_what_is_answered_is_kept_and_what_was_missed_comes_again(data_folder: Path) -> None:
    deck, cup = practice(find("classic")), SeededCup("again")
    questions: list[Question] = []
    for _ in range(5):
        questions.append(deck.drawn(cup.throw, [question.key for question in questions]))
    questions.insert(4, questions[0])
    with Terminal("practice", "--seed", "again", "--plain") as terminal:
        for number, question in enumerate(questions):
            again = f"Question {number + 1}, which you missed before."
            assert (again in terminal.spoken) == (number == 4)
            scene = deck.game.scene(question.position)
            assert {scene.board, *scene.says, scene.legal} <= set(terminal.spoken)
            if number:
                assert terminal.type(question.right[0])[0].startswith("Right: ")
            else:
                wrong = next(text for text, cost in question.costs if cost)
                costs, why = terminal.type(wrong)[:2]
                assert costs.startswith("That costs ")
                assert why == deck.why(question).why
        assert terminal.type("q")[0].startswith("6 questions, 5 right without a hint; each cost ")
        assert terminal.code == 0
    ended = piped("practice", "--seed", "other", typed=b"q\n")
    assert "So far 5 of 6 right; 1 question comes again." in ended.lines
    assert "So far" not in piped("practice", "cargo", typed=b"q\n").out.decode()
    assert len(answers(data_folder)) == 6


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


@pytest.mark.parametrize("game", ["classic", "cargo(hold=each)", "double-shutter"])
def test_every_question_says_how_it_is_answered(game: str, data_folder: Path) -> None:
    with Terminal("practice", game, "--seed", "how", "--plain") as terminal:
        for _ in range(4):
            assert PROMPT.fullmatch(terminal.prompt)
            [offers] = [found for line in terminal.spoken if (found := OFFERED.match(line))]
            said = terminal.type(offers[1].split("; ")[-1])
            assert said[0].startswith(("Right: ", "That costs "))


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (("--questions", "0"), "--questions: 0 questions; 1 to 1,000,000 can be asked"),
        (("pub",), "about one turn, and odds about matches; name its game alone: classic"),
        (("tray",), "tray can go on forever"),
        (("the-300(score=digits)",), "at most 10 minutes and 2 GB are spent"),
        (("two-dice(tiles=7)",), "no choice matters, so there is nothing to practise"),
        (("nowhere",), "there is no game 'nowhere'"),
    ],
)
def test_what_cannot_be_practised_is_refused_in_one_sentence(
    arguments: tuple[str, ...], refusal: str, data_folder: Path
) -> None:
    ended = piped("practice", *arguments, typed=b"q\n")
    assert ended.code == 1
    assert refusal in ended.refusal
    assert ended.refusal.count("\n") == 1
    assert not any(data_folder.iterdir())


def test_a_damaged_count_is_told_and_goes_on(data_folder: Path) -> None:
    piped("practice", "--seed", "a", "--questions", "1", typed=b"1 2 4\n")
    path = data_folder / practice_log.NAME
    path.write_bytes(b"\xff\n" + path.read_bytes() + b'{"game":')
    ended = piped("practice", "--seed", "b", typed=b"q\n")
    assert f"In {path} 1 line is damaged; it is left out." in ended.lines
    assert "So far 0 of 1 right; 1 question comes again." in ended.lines


def test_a_question_that_is_none_any_more_is_let_go(data_folder: Path) -> None:
    for id in ("1.2.99/7", "1.2/1+1"):
        with PracticeLog(data_folder) as log:
            log.add(practice_log.Answered("classic", id, "1", 1.0, hinted=False))
    for number in range(5):
        with PracticeLog(data_folder) as log:
            log.add(practice_log.Answered("classic", str(number), "1", 0.0, hinted=False))
    ended = piped("practice", "--seed", "a", typed=b"q\n")
    assert "Question 1." in ended.lines


def test_without_a_folder_practice_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    changes = {"SHUTBOX_DATA": str(place)}
    ended = piped("practice", "--seed", "a", "--questions", "1", typed=b"2 5\n", changes=changes)
    assert ended.code == 0
    assert "Practice goes on; your answers are not kept." in ended.lines
    assert ended.lines[-1] == "1 question, 1 right without a hint."


def test_two_at_once(data_folder: Path) -> None:
    pytest.importorskip("fcntl")
    with PracticeLog(data_folder):
        ended = piped("practice", "--seed", "a", "--questions", "1", typed=b"2 5\n")
    assert "Practice goes on in another program." in ended.lines
    assert ended.lines[-1] == "1 question, 1 right without a hint."


def test_ctrl_c_and_the_end_of_the_input_leave_with_the_sum(data_folder: Path) -> None:
    with Terminal("practice", "--seed", "a", "--plain") as terminal:
        terminal.type("2 5")
        terminal.press("\x03")
        assert terminal.press("\x03")[-1] == "1 question, 1 right without a hint."
        assert terminal.code == 0
    assert len(answers(data_folder)) == 1
