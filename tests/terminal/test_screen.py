"""The box in its place: every cell of the screen, while games are played, and after surprises."""

import fcntl
import inspect
import os
import pty
import shutil
import signal
import struct
import termios
from dataclasses import replace
from itertools import count

import pytest

from nightly import EVERY
from shutbox import Table
from shutbox.engine.cups import ScriptCup
from shutbox.engine.messages import language
from shutbox.table.characters import read_players
from shutbox.table.setup import game_of_seats
from shutbox.term.picture import panel, pieces_taken, score_line
from shutbox.term.screen import LiveLine, Screen
from terminal.driver import AGAIN, AGAIN_OR_BACK, Terminal, command, pyte
from terminal.live import Live, compare
from terminal.player import MOST_ANSWERS, enter_chooses, offered

SIZES = ((60, 16), (80, 24), (120, 40))
GAMES = (
    ("classic",),
    ("full-house",),
    ("double-shutter",),
    ("two-to-go",),
    ("pub", "--players", "Ann,computer:first"),
    ("classic", "--players", "Ann,Bob", "--format", "rounds=2"),
)
SEEDED = [
    (GAMES[number % len(GAMES)], SIZES[number % len(SIZES)], f"seed {number}")
    for number in range(40 if EVERY else 6)
]


def play_both(game: tuple[str, ...], size: tuple[int, int], seed: str) -> int:
    """Play a game on both terminals, with refusals on the way; return how often they compared."""
    columns, rows = size
    arguments = ("play", *game, "--seed", seed)
    scrolling = Terminal(*arguments, columns=columns, throws=False)
    with scrolling, Live(*arguments, columns=columns, rows=rows) as live:

        def both(line: str) -> None:
            live.child.send(f"{line}\r")
            scrolling.type(line)
            compare(live, scrolling)

        for turn in count():
            assert turn < MOST_ANSWERS
            compare(live, scrolling)
            if scrolling.heard.endswith((AGAIN, AGAIN_OR_BACK)):
                return turn
            if "Enter throws" in scrolling.prompt or enter_chooses(scrolling):
                both("")
                continue
            if turn % 3 == 0:
                both("99")
                live.stopped_and_continued()
            offers = offered(scrolling)
            live.child.send("l\r")
            both(offers[turn % len(offers)])
    raise AssertionError


@pytest.mark.parametrize(("game", "size", "seed"), SEEDED)
def test_every_cell_of_a_screen(game: tuple[str, ...], size: tuple[int, int], seed: str) -> None:
    assert play_both(game, size, seed)


def test_the_end_of_a_turn_under_a_picture_takes_two_lines() -> None:
    players = ("--players", "computer:first,Ann", "--pace", "none")
    arguments = ("play", "classic", "--seed", "pub", *players)
    with Terminal(*arguments, columns=120) as pictured, Terminal(*arguments, "--plain") as plain:
        [end] = [line for line in plain.spoken if "ends the turn" in line]
        place = plain.spoken.index(end)
        threw, nothing = plain.spoken[place - 2 : place]
        leads = plain.spoken[place + 2]
        assert plain.spoken[place + 1].startswith("The round: ")
        assert plain.spoken[place + 3] == "Ann to play."
        assert f"\n{threw} {nothing}\n{end} {leads}\n" in pictured.raw.replace("\r", "")


PUB = ("play", "classic", "--seed", "pub")
THROW, ASK = "Enter throws two dice:", "Which tiles?"
FRAMED = ("╔═══╗╭───╮╭───╮╭───╮╔═══╗╭───╮", "║ 1 ║│ 2 ││ 3 ││ 4 │║ 5 ║│ 6 │")


def begun(columns: int = 80, rows: int = 24) -> tuple[Live, Terminal]:
    """Return a game on both terminals, after its first throw."""
    live = Live(*PUB, columns=columns, rows=rows)
    live.until(THROW)
    scrolling = Terminal(*PUB, columns=columns)  # as long as both are at their first game
    live.until(ASK, "\r")
    compare(live, scrolling)
    return live, scrolling


def test_the_box_shows_what_the_line_means_while_it_is_typed() -> None:
    live, scrolling = begun()
    with live, scrolling:
        before = live.shown_rows
        live.until(f"{ASK} 1 5", "1 5")
        first, second, *_ = live.shown_rows
        assert first.startswith(FRAMED[0])
        assert second.startswith(FRAMED[1])
        assert live.shown_rows[6].endswith("│   1 + 5 of 6")
        live.until(ASK, "\x7f\x7f\x7f")
        assert live.shown_rows == before
        live.until(f"{ASK} 15", "15")
        assert live.shown_rows[1].startswith(FRAMED[1])
        live.child.send("\r")
        scrolling.type("15")
        compare(live, scrolling)


def test_surprises_leave_no_stray_cell() -> None:
    live, scrolling = begun()
    with live, scrolling:
        live.until(f"{ASK} 1 2 3", "1 2 3")
        live.until(ASK, "\x03")
        assert scrolling.press("\x03")[0].startswith("Interrupted")
        compare(live, scrolling, history=False)
        for columns, rows in ((25, 10), (60, 16), (200, 50), (80, 24)):
            live.resize(columns, rows)
            live.until(ASK)
            assert not any(live.shown_rows[live.screen.cursor.y + 1 :])
        compare(live, scrolling, history=False)
        live.child.send("x" * 300)
        live.until(ASK, "\x15")
        compare(live, scrolling, history=False)
        live.stopped_and_continued()
        live.until(ASK)
        compare(live, scrolling, history=False)
        live.until(ASK, "\x1a", row=9)  # no shell could continue it, so it does not stop
        for line in ("99", "1 5"):
            live.child.send(f"{line}\r")
            scrolling.type(line)
            compare(live, scrolling, history=False)


@pytest.mark.skipif(shutil.which("bash") is None, reason="job control is tested with bash")
def test_a_shell_gets_a_screen_of_words_and_the_box_comes_back_below() -> None:
    game = " ".join(f"'{word}'" for word in command(*PUB))
    shell = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
    with Live(program=shell, changes={"PS1": "shell: "}, rows=24, columns=200) as live:
        live.until("shell:")
        live.until(THROW, f"{game}\r")
        live.until(ASK, "\r")
        live.until(f"{ASK} 1", "1 ")
        live.until("shell:", "\x1a")
        assert live.shown_rows[:5] == [
            *("Classic. Type ? for help.", "1 to 9 are up.", "Enter throws two dice:"),
            *("You threw 2 and 4, 6.", ""),
        ]
        live.until(f"{ASK} 1", "fg\r")
        assert live.shown_rows[1].startswith("║ 1 ║│ 2 │")
        assert live.shown_rows[8:10] == ["45 still up.", f"{ASK} 1"]
        live.until(f"{ASK} 1 5", "5")
        live.until(ASK, "\r")
        live.until("shell:", "end\r")
        rows = [row for row in live.history + live.shown_rows if row]
        assert rows[-2].startswith("The game is saved")
        assert not [row for row in rows if "│" in row or "─" in row]
        said = ("1 to 9 are up.", THROW, f"{ASK} 1 5")
        assert [rows.count(sentence) for sentence in said] == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "changes", "size"),
    [
        ((*PUB, "--plain"), {}, (80, 24)),
        (PUB, {"TERM": "dumb"}, (80, 24)),
        ((*PUB, "--keys"), {}, (80, 24)),
        (PUB, {}, (59, 24)),
        (PUB, {}, (80, 15)),
    ],
)
def test_where_lines_scroll_no_row_is_painted(
    arguments: tuple[str, ...], changes: dict[str, str], size: tuple[int, int]
) -> None:
    columns, rows = size
    with Terminal(*arguments, columns=columns, rows=rows, changes=changes, throws=True) as terminal:
        assert "Which tiles?" in terminal.heard
        assert "\x1b[1H" not in terminal.raw


def test_ctrl_c_is_not_lost_while_the_box_is_painted() -> None:
    """No exception can be raised there, so it comes again a moment later."""
    line = LiveLine(lambda: None, lambda typed: None)
    ours = signal.getsignal(signal.SIGALRM)
    signal.signal(signal.SIGALRM, lambda number, frame: None)
    line._interrupt(signal.SIGINT, inspect.currentframe())
    assert 0 < signal.setitimer(signal.ITIMER_REAL, 0)[0] < 1
    signal.signal(signal.SIGALRM, ours)


def test_a_question_is_broken_for_the_width_of_the_moment() -> None:
    with Live("play", "lucky-seven", "--seed", "no seven", rows=24) as live:
        live.until(THROW)
        live.until(AGAIN, "\r")
        live.resize(40, 16)
        live.until("menu, q quit:")
        assert f"{live.shown_rows[live.screen.cursor.y - 1]} menu, q quit:" == AGAIN


def test_what_is_typed_too_early_is_not_echoed_between_the_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    screen = Screen(terminal, lambda line, columns: line)

    def echoes(prompt: str = "") -> str:
        return "echo" if termios.tcgetattr(terminal)[3] & termios.ECHO else ""

    monkeypatch.setattr("builtins.input", echoes)
    assert not echoes()
    assert not screen.ask(ASK), "readline shows what waits, and the terminal would show it before"
    screen.leave()
    assert echoes()
    os.close(ours)
    os.close(terminal)


def test_each_line_stays_once_if_the_program_goes_on_in_the_middle_of_painting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written: list[str] = []
    monkeypatch.setattr(Screen, "write", lambda screen, text: written.append(text))
    ours, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 16, 60, 0, 0))
    screen = Screen(terminal, lambda line, columns: line)
    changes, calls = screen._changes, count()
    before = signal.signal(signal.SIGCONT, lambda number, frame: screen.resume())

    def disturbed(rows: list[str]) -> str:
        if next(calls) % 2:  # not each time, since the signal lets it paint, too
            signal.raise_signal(signal.SIGCONT)
        return changes(rows)

    try:
        screen.draw(lambda typed, columns, rows: ["the box"] * 5)
        monkeypatch.setattr(screen, "_changes", disturbed)
        for number in range(30):
            screen.say([f"line {2 * number}", f"line {2 * number + 1}"])
            screen.draw(lambda typed, columns, rows: ["the box"] * 5)
    finally:
        signal.signal(signal.SIGCONT, before)
        os.close(ours)
        os.close(terminal)
    shown = pyte.HistoryScreen(60, 16, history=99)
    pyte.Stream(shown).feed("".join(written).replace("\n", "\r\n"))
    gone = ["".join(row[x].data for x in range(60)).rstrip() for row in shown.history.top]
    rows = [*filter(None, gone), *filter(None, map(str.rstrip, shown.display))]
    assert [row for row in rows if row != "the box"] == [f"line {n}" for n in range(60)]
    assert "the box" not in gone


def test_without_colours_the_shapes_stay() -> None:
    with Live(*PUB, changes={"NO_COLOR": "1"}, rows=24) as live:
        live.until(THROW)
        live.until(ASK, "\r")
        live.until(f"{ASK} 1 5", "1 5")
        assert live.shown_rows[1].startswith(FRAMED[1])
        assert "\x1b[1;3" not in live.raw


def test_a_long_answer_takes_the_place_of_the_box_until_the_next() -> None:
    live, scrolling = begun(columns=60, rows=16)
    with live, scrolling:
        live.child.send("?\r")
        end = "A full stop says the last sentence again."
        while end not in live.shown_rows:
            live.take(0.05)
        live.until(ASK)
        assert "│" not in live.shown
        live.child.send("d\r")
        scrolling.type("?")
        scrolling.type("d")
        compare(live, scrolling)


def test_a_choice_is_taken_back_before_the_next_throw_falls() -> None:
    with Terminal(*PUB, "--pace", "slow") as terminal:
        terminal.child.send("1 5\r")
        terminal.child.expect_exact("1 and 5 go down.\r\n")
        terminal.child.send("u\r")
        terminal.read()
        assert terminal.text.count("Taken back: 1 and 5.") == 1
        assert terminal.prompt == ASK
        assert terminal.type("b") == ["1 to 9 are up."]


@pytest.mark.parametrize(
    ("game", "dice", "typed", "taken"),
    [
        ("classic", "4+5", "4", "4"),
        ("classic", "4+5", "5 4", "5 4"),
        ("classic", "4+5", "four and five", "4 5"),
        ("classic", "6+6", "12", "1 2"),
        ("classic", "1+2", "12", "1 2"),
        ("full-house", "6+6", "12", "12"),
        ("full-house", "6+6", "1 2", "1 2"),
        ("classic", "4+5", "4 4", ""),
        ("classic", "4+5", "rules", ""),
        ("classic", "4+5", "4" + " " * 100, ""),
        ("two-to-go", "1+2", "2", ""),  # which is down from the start
    ],
)
def test_what_a_typed_line_takes(game: str, dice: str, typed: str, taken: str) -> None:
    table = Table(game, ScriptCup([dice]))
    table.throw()
    assert " ".join(piece.face for piece in pieces_taken(table, typed)) == taken
    rows = "\n".join(panel(table, table.scene.pieces, typed, 80, 24, unicode=True))
    assert (" of " in rows) == bool(taken)
    assert rows.count("╔") == len(taken.split())


def test_one_line_has_the_scores_of_everybody() -> None:
    names = "Ann,Bob,Chrysanthemum Montgomery,謝謝謝謝謝"
    table = Table(
        game_of_seats("classic", read_players(names), "rounds=2"), ScriptCup(["1+1", "1+2"])
    )
    table.throw()
    assert score_line(table, 80) == "> Ann 45; Bob -; Chrysanthemum Montgomery -; 謝謝謝謝謝 -"
    assert score_line(table, 40) == "> Ann 45; Bob -; Chrysan -; 謝謝謝謝謝 -"
    table.choose("2")
    assert score_line(table, 80).startswith("> Ann 43; Bob -; ")
    assert score_line(table, 5) == "> A 4"
    wide = Table("tray")
    wide._scenes[language()] = wide.position, replace(wide.scene, score="謝謝謝")
    assert score_line(wide, 5) == "謝謝"


def test_with_one_throw_each_one_line_has_what_is_up_in_every_row() -> None:
    seats = read_players("Ann,Bea")
    table = Table(game_of_seats("ten", seats, "turns=throw"), ScriptCup(["1+3", "1+1", "2+3"]))
    for choice in ("4", "2"):
        table.throw()
        table.choose(choice)
    assert score_line(table, 80) == "> Ann 51; Bea 53"
    table = Table(game_of_seats("two-dice(tiles=1-4)", seats, "turns=throw"), ScriptCup(["5+6"]))
    table.throw()
    assert score_line(table, 80) == "Ann 10 out; > Bea 10, needs 9"
