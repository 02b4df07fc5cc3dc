"""`v` at the end of a game: it must agree with the review of the record."""

from pathlib import Path

from shutbox import review
from shutbox.record.folder import Store
from shutbox.solving.review.review_text import sentences
from terminal.driver import AGAIN, Terminal


def typed(terminal: Terminal, *answers: str) -> list[str]:
    said: list[str] = []
    for answer in answers:
        said = terminal.type(answer)
    return said


def test_v_reviews_the_game_once_it_is_over(data_folder: Path) -> None:
    with Terminal("play", "classic", "--dice", "hand", "--plain", "--players", "Ann") as terminal:
        typed(terminal, "4 4", "3 5")
        assert terminal.type("v") == ["The game is not over; v reviews it once it is."]
        typed(terminal, "4 4", "8", "4 4", "1 7", "1 2")
        said = terminal.type("v")
        assert terminal.prompt.startswith("Play again? Enter is yes; v review, c correct dice")
        assert said == list(sentences(review(Store().path(1))))
        assert "Event 2, Ann: 3 and 5 cost 6.07 points; best was 8." in said
        assert terminal.type("review") == said
        assert "v: at the end, what was luck and what was skill." in terminal.type("?")


def test_a_game_that_cannot_be_solved_says_why() -> None:
    large = "two-dice(tiles=1-30,dice=2d20)"
    with Terminal("play", large, "--seed", "attic", "--plain", "--players", "Ann") as terminal:
        while terminal.prompt != AGAIN and "Play again?" not in terminal.prompt:
            terminal.type(terminal.type("l")[-1].split(":")[-1].split(";")[0].strip(" ."))
        [said] = terminal.type("v")
        assert said.startswith("This game cannot be reviewed here. Two-dice(tiles=1-30,dice=2d20):")


def test_a_tray_has_no_review() -> None:
    with Terminal("play", "tray", "--seed", "attic", "--plain") as terminal:
        assert not [line for line in terminal.type("?") if line.startswith("v:")]
