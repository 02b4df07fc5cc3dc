"""`v` at the end of a game: it must agree with the review of the record."""

from terminal.driver import AGAIN, Terminal


def test_a_game_that_cannot_be_solved_says_why() -> None:
    large = "two-dice(tiles=1-30,dice=2d20)"
    with Terminal("play", large, "--seed", "attic", "--plain", "--players", "Ann") as terminal:
        while terminal.prompt != AGAIN and "Play again?" not in terminal.prompt:
            terminal.type(terminal.type("l")[-1].split(":")[-1].split(";")[0].strip(" ."))
        [said] = terminal.type("v")
        assert said.startswith("This game cannot be reviewed here. Two-dice(tiles=1-30,dice=2d20):")
