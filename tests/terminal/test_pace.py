"""Lively play at a terminal: pauses, the picture, announced surprises, compared scores."""

import os
import pty
import termios
from pathlib import Path
from threading import Thread

import pytest

from records import header
from shutbox import Roll, find
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.engine.seats import Seat
from shutbox.output.stats import compare_with_earlier
from shutbox.record import written
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from shutbox.term.console import Console
from shutbox.term.keys import PACE, PACES, pause_of
from shutbox.term.picture import picture
from terminal.driver import AGAIN, PATIENCE, Terminal

AN_HOUR = 3600.0
ROWS = (
    "classic:1-9",
    "classic:1.3/2+2",
    "full-house:1-12",
    "double-shutter:1-9.b1-9",
    "the-300:1-24",
)


def test_a_key_skips_the_pauses_until_somebody_is_to_act_and_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    with os.fdopen(os.dup(terminal)) as stream, os.fdopen(os.dup(terminal), "w") as out:
        monkeypatch.setattr("sys.stdin", stream)
        monkeypatch.setattr("sys.stdout", out)
        console = Console(plain=True)
        for typed, answer in {b"2 6\n": "2 6", b"b": "bx"}.items():
            os.write(ours, typed)
            for _ in range(2):  # the first ends at once, and the second does not begin
                paused(console)
            assert termios.tcgetattr(terminal) == before, "the terminal is as it was"
            if answer == "bx":
                os.write(ours, b"x\n")
            assert console.ask("Which tiles?") == answer
    os.close(ours)
    os.close(terminal)


def paused(console: Console) -> None:
    """One pause, which a key has ended, or an earlier one."""
    waiting = Thread(target=console.pause, args=[AN_HOUR], daemon=True)
    waiting.start()
    waiting.join(PATIENCE)
    assert not waiting.is_alive(), "a key does not skip the pause"


def test_an_answer_typed_in_the_pause_before_a_throw_is_taken() -> None:
    console = Console(plain=True)
    for typed in ("\r", " ", "\x1b[A", "2 6\r", "b\r", "\x1b[A8\x1bOS"):
        console.type_ahead(typed)
    answers = [console.ask("Which tiles go down?") for _ in range(3)]
    assert answers == ["2 6", "b", "8f4"], "only keys that say nothing are left out"


def test_the_pace_is_that_of_the_command_line_or_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PACE, "slow")
    assert pause_of(None) == PACES["slow"]
    assert pause_of("quick") == PACES["quick"]
    monkeypatch.setenv(PACE, "hasty")
    assert pause_of(None) == PACES["normal"]


def test_the_computer_pauses_and_then_a_person_is_asked() -> None:
    players = ("--players", "Robo=computer:first,Ann", "--throw", "ask")
    with Terminal("play", "lucky-seven", *players, "--seed", "a", "--pace", "quick") as terminal:
        assert terminal.prompt == "Ann: Enter throws two dice:"
        assert "While computers play, any key skips the pauses." in terminal.type("?")


@pytest.mark.parametrize("text", ROWS)
@pytest.mark.parametrize("columns", [40, 80])
def test_the_picture_fits_and_no_tile_stands_alone(text: str, columns: int) -> None:
    game, _, id = text.partition(":")
    rows = picture(find(game).scene(find(game).position_at(id)).pieces, columns, unicode=False)
    bare = ["".join(part.rpartition("m")[2] for part in row.split("\x1b")) for row in rows]
    assert max(map(len, bare)) <= columns
    tiles = [row for row in bare if row.count("|") > 4]
    if text == "classic:1-9":
        assert len(tiles) == 1, "nine tiles stand in one row"
    assert all(row.count("|") > 4 for row in tiles)


def test_a_shut_box_has_its_lid_on() -> None:
    classic = find("classic")
    rows = picture(classic.scene(classic.position_at("-")).pieces, 80, unicode=False)
    assert len(rows) == 3
    assert "SHUT" in rows[1]


def test_every_throw_is_drawn_the_computers_too() -> None:
    players = ("--players", "Robo=computer:first,Ann")
    with Terminal("play", "classic", *players, "--seed", "a") as terminal:
        throws = sum(": threw " in line for line in terminal.said)
        dice = sum(row.count("╭───────╮") // 2 for row in terminal.picture)
        assert throws > 2
        assert dice >= throws - 1, "one throw of Ann, and those of Robo"


def test_a_turn_begins_on_its_own_board_and_by_enter() -> None:
    """What the player before has left is drawn above the sentences that tell how it ended."""
    people = ("--players", "Ann,Bob", "--format", "rounds=2", "--seed", "no seven")
    with Terminal("play", "lucky-seven", *people, throws=False) as terminal:
        for name in ("Ann", "Bob", "Ann", "Bob"):
            assert terminal.prompt == f"{name}: Enter throws two dice:"
            board = terminal.picture[-8:]
            assert "│ 7 │" in board[1]
            assert "●" not in "".join(board)
            drawn = terminal.text.rpartition(terminal.spoken[-1])[2]
            assert "●" not in drawn
            terminal.type()
        assert terminal.code is None


def test_the_first_throw_of_the_first_turn_is_the_players() -> None:
    """No turn is lost before a key was pressed; words alone go on as they did."""
    game = ("play", "lucky-seven", "--seed", "no seven")
    for more in ([], ["--throw", "auto"], ["--keys"]):
        with Terminal(*game, *more, throws=False) as terminal:
            assert terminal.prompt == "Enter throws two dice:"
            assert terminal.said[-3:-1] == ["Lucky Seven. Type ? for help.", "7 is up."]
            terminal.type()
            assert terminal.prompt == AGAIN
    with Terminal(*game, "--plain", throws=False) as terminal:
        assert terminal.prompt == AGAIN
    with Terminal(*game, changes={"TERM": "dumb"}, throws=False) as terminal:
        assert terminal.prompt == AGAIN


def test_the_word_that_help_gives_throws_where_enter_does() -> None:
    for game, word in (("tray", "t"), ("cargo", "Throw")):
        with Terminal("play", game, "--seed", "a", throws=False) as terminal:
            dice = terminal.prompt.removeprefix("Enter throws ")
            assert dice in ("two dice:", "six dice:")
            assert "throw" in terminal.type("?")[0]
            assert not any("not understood" in line for line in terminal.type(word))
            assert "●" in "".join(terminal.picture)


def test_a_score_is_told_beside_earlier_ones(tmp_path: Path) -> None:
    seven, store = find("lucky-seven"), Store(tmp_path)

    def keep(*pips: tuple[int, int], name: str = "Ann") -> None:
        head = header("lucky-seven", Seat(name))
        play = Play(seven, [Rolled(Roll(tuple(sorted(pair)))) for pair in pips])
        if play.due is not None:
            play.happen(Chosen(seven.parse_choice(play.position, "7")))
        path = store.path((store.newest() or 0) + 1)
        path.write_bytes(written(head, seven, play.log))

    def told(score: int) -> list[str]:
        readings = (store.read(id, game_of) for id in store.ids())
        return list(compare_with_earlier(seven, score, "Ann", readings))

    for _ in range(2):
        keep((1, 1))
    keep((3, 4), name="Bob")
    assert told(7) == [], "too few, and those of others do not count"
    keep((1, 2))
    assert told(0) == ["Your best so far! Before it was 7."]
    assert told(7) == ["That is just your average."]
    keep((3, 4))
    assert told(0) == ["That is 5.3 better than your average of 5.3."]
    assert told(7) == ["Your average is 5.3."]


@pytest.mark.usefixtures("data_folder")
def test_an_earlier_game_that_cannot_be_read_says_nothing() -> None:
    for number in range(4):
        if number == 1:
            Store().path(2).write_bytes(b"no record\n")
        with Terminal("play", "lucky-seven", "--dice", "hand", "--plain") as terminal:
            terminal.type("1 1")
            assert terminal.prompt.startswith("Play again?"), terminal.text
            said = terminal.said
            terminal.type("q")
    assert "That is just your average." in said
