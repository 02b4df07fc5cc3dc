"""Lively play at a terminal: pauses, the picture, announced surprises, compared scores."""

import os
import pty
import re
import termios
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from records import header, reading
from shutbox import Roll, find
from shutbox.cli.settings import PlaySettings
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.engine.seats import Seat
from shutbox.output.stats import compare_with_earlier
from shutbox.record import Reading, to_bytes
from shutbox.term.console import Console
from shutbox.term.keys import PACE_VARIABLE, PACES
from shutbox.term.picture import picture
from shutbox.term.speech import screen_reader_runs
from terminal.driver import AGAIN, PATIENCE, Terminal
from terminal.live import Live

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
        for typed, answers in {b"2 6\n": ["2 6", "x"], b"b": ["bx"]}.items():
            os.write(ours, typed)
            for _ in range(2):  # the first ends at once, and the second does not begin
                paused(console)
            assert termios.tcgetattr(terminal) == before, "the terminal is as it was"
            os.write(ours, b"x\n")
            for answer in answers:
                assert console.ask("Which tiles?") == answer
    os.close(ours)
    os.close(terminal)


def test_single_keys_are_shown_at_a_question_only(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, terminal = pty.openpty()
    monkeypatch.setattr("shutbox.term.console.watch_signals", lambda *_, **__: None)
    with os.fdopen(os.dup(terminal)) as stream, os.fdopen(os.dup(terminal), "w") as out:
        monkeypatch.setattr("sys.stdin", stream)
        monkeypatch.setattr("sys.stdout", out)
        for keys in (True, False):
            console = Console()
            console.configure(plain=True, voice=None, keys=keys)
            for plays in (True, False):
                console.keep_in_place(plays)
                echo = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
                assert echo != (keys and plays), "digits are glued to what is written meanwhile"
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
    answers = [console.ask("Which tiles?") for _ in range(3)]
    assert answers == ["2 6", "b", "8f4"], "only keys that say nothing are left out"


def test_the_pace_is_that_of_the_command_line_or_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    console = Console()
    console.interactive = True

    def pause(pace: str | None) -> object:
        return PlaySettings(pace=pace).session_fields(console, find("classic"))["pause"]

    monkeypatch.setenv(PACE_VARIABLE, "slow")
    assert pause(None) == PACES["slow"]
    assert pause("quick") == PACES["quick"]
    monkeypatch.setenv(PACE_VARIABLE, "hasty")
    assert pause(None) == PACES["normal"]


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
    with Terminal(
        "play", "classic", "--players", "Robo=computer:first,Ann", "--seed", "a"
    ) as terminal:
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
            assert terminal.said[-3].startswith("Lucky Seven.")
            assert terminal.said[-2] == "7 is up."
            terminal.type()
            assert terminal.prompt == AGAIN
    with Terminal(*game, "--plain", throws=False) as terminal:
        assert terminal.prompt == AGAIN
    with Terminal(*game, changes={"TERM": "dumb"}, throws=False) as terminal:
        assert terminal.prompt == AGAIN


def test_a_score_is_told_beside_earlier_ones() -> None:
    seven, earlier = find("lucky-seven"), list[Reading[Any, Any]]()

    def keep(*pips: tuple[int, int], name: str = "Ann") -> None:
        play = Play(seven, [Rolled(Roll(tuple(sorted(pair)))) for pair in pips])
        if play.due is not None:
            play.happen(Chosen(seven.parse_choice(play.position, "7")))
        earlier.append(reading(to_bytes(header("lucky-seven", Seat(name)), seven, play.log)))

    def told(score: int) -> list[str]:
        return list(compare_with_earlier(seven, score, "Ann", earlier))

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


def test_what_is_typed_while_computers_play_is_shown_at_the_question_and_counts() -> None:
    game = ("play", "classic", "--players", "Robo=computer:first,Ann", "--seed", "a", "--plain")
    with Live(*game, "--keys", changes={"SHUTBOX_PACE": "quick"}) as terminal:
        terminal.child.expect_exact("Robo: threw")
        terminal.child.send(" b")
        terminal.child.expect_exact("hich tiles? b")
        terminal.child.expect_exact("1 to 9 are up.")
        lines = terminal.text.rpartition("1 to 9 are up.")[0].splitlines()
        assert [line for line in lines if not re.fullmatch(r"[A-Z0-9].*(\.|\? b)", line)] == []


def test_a_screen_reader_that_runs_leaves_the_picture_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, name in enumerate(("sh", "orca", "none")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "comm").write_text(f"{name}\n")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
        assert not screen_reader_runs(str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    assert screen_reader_runs(str(tmp_path))
    assert not screen_reader_runs(str(tmp_path / "nowhere"))


def test_the_first_screen_says_how_to_play_without_pictures() -> None:
    with Terminal("play") as terminal:
        assert terminal.said[0] == "Type plain for words without pictures."
        assert terminal.type("plain")[0] == "Only words are shown, no picture."
        assert "Type plain" not in " ".join(terminal.spoken)
    with Terminal("play", "--plain") as terminal:
        assert terminal.said[0] == "Welcome to Shut the Box."


def test_no_full_stop_stands_alone_on_a_line() -> None:
    """The terminal breaks a line that is one letter too long in the middle of nothing."""
    with Terminal("play", "classic", "--seed", "pub", "--plain", columns=13) as terminal:
        rows = [row.rstrip() for row in terminal.screen.display]
        assert "1 to 9 are" in rows, rows
        assert "." not in rows
