"""Keys without Enter: which act at once, which wait, and that the terminal is always restored."""

import os
import re
import shutil
import termios
import tomllib
from io import StringIO
from pathlib import Path

import pytest

from listing import assert_none
from shutbox import find
from shutbox.term.at_once import find_meaning
from shutbox.term.keys import F4, LONGEST_LINE, Keys, UnixKeys, WindowsKeys
from terminal.driver import AGAIN_OR_BACK, KEPT, Terminal, command

GAME = ("play", "classic", "--seed", "pub", "--keys")


MEANINGS: dict[str, dict[str, str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "keys.toml").read_text(encoding="utf-8")
)


def meaning(place: str, typed: str) -> str | None:
    """What this typed beginning means at a position, if anything yet."""
    name, _, position = place.partition(":")
    game = find(name)
    commands = "dbslhur?" if game.scoring is not None else "dbslur?"  # in the tray h means hold
    return find_meaning(typed, game.scene(game.position_at(position)), commands)


def keys(terminal: Terminal, *pressed: str) -> list[str]:
    """Press keys without Enter; the lines said up to the next prompt."""
    for key in pressed:
        terminal.child.send(key)
    terminal.read()
    return terminal.spoken


def test_what_can_only_mean_one_thing_needs_no_enter() -> None:
    assert_none(
        (place, typed, means)
        for place, meanings in MEANINGS.items()
        for typed, means in meanings.items()
        if meaning(place, typed) != (means or None)
    )


def test_a_space_is_enter_where_enter_does_something() -> None:
    game = find("classic")
    only = game.scene(game.position_at("1.7/3+5"))
    several = game.scene(game.position_at("1-9/3+5"))
    assert find_meaning(" ", only, ()) == ""
    assert find_meaning(" ", several, ()) is None
    assert find_meaning(" ", None, (), throws=True) == ""
    assert find_meaning(" ", None, ()) is None


def test_a_word_that_ends_the_game_can_always_be_typed() -> None:
    assert [find_meaning(word, None, "eqx") for word in ("e", "q", "x", "en")] == [
        None,
        None,
        "x",
        None,
    ]


def test_a_turn_without_enter() -> None:
    with Terminal(*GAME, "--throw", "ask") as terminal:
        assert keys(terminal, " ") == ["You threw 2 and 4, 6."]
        assert keys(terminal, "d") == ["The dice show 2 and 4, 6."]
        assert keys(terminal, "1", "5")[0] == "1 and 5 go down."
        assert keys(terminal, "u")[0] == "Taken back: 1 and 5."
        assert terminal.type(" 6")[0] == "6 goes down."
        assert terminal.type("end")[-1] == KEPT
        assert terminal.code == 0


def test_what_is_typed_is_seen_and_can_be_rubbed_out() -> None:
    with Terminal(*GAME) as terminal:
        terminal.half_type("12")
        terminal.child.send("\x7f\x7f")
        terminal.half_type("21")
        assert terminal.shown.endswith("Which tiles? 21")
        terminal.child.send("\x15")
        terminal.half_type(" 9y")
        assert terminal.shown.endswith("Which tiles?  9y")
        assert "9y" in terminal.type()[0]


def test_a_wrong_key_says_so_at_once_and_enter_after_it_does_nothing() -> None:
    with Terminal(*GAME) as terminal:
        for typed in ("7", "1x", "z"):
            assert typed[-1] in keys(terminal, *typed)[0]
            assert terminal.prompt == "Which tiles?"
        said = len(terminal.text)
        terminal.child.send("1 5\r2 6\r")
        terminal.child.expect_exact("2 and 6 go down.")
        terminal.press("\x03")
        assert not re.search("not understood|does not make", terminal.text[said:])
    with Terminal(*GAME, "--throw", "ask", throws=False) as terminal:
        assert keys(terminal, "x") == ["'x' is not understood. Press Enter to throw."]


def test_arrows_and_other_keys_without_a_meaning_do_nothing() -> None:
    with Terminal(*GAME) as terminal:
        for key in ("\x1b[A", "\x1b[1;5C", "\x1b[15~", "\x1bOQ", "\x1bx", "\x01", "\t"):
            terminal.child.send(key)
        assert keys(terminal, "6")[0] == "6 goes down."


def test_keys_is_a_word_that_later_games_remember_and_the_command_line_counts_more() -> None:
    says = "Keys act without Enter where they mean one thing."
    with Terminal(*GAME[:-1]) as terminal:
        assert terminal.type("keys") == [says]
        assert keys(terminal, "6")[0] == "6 goes down."
    with Terminal(*GAME[:-1]) as terminal:
        assert keys(terminal, "6")[0] == "6 goes down."
    with Terminal(*GAME[:-1], "--no-keys") as terminal:
        assert terminal.type("keys") == [says], "it was off"


class WindowsConsole:
    """A stand-in for the module msvcrt: what is pressed is read, character by character."""

    def __init__(self, pressed: str) -> None:
        self.signs = list(pressed)

    def kbhit(self) -> bool:
        return bool(self.signs)

    def getwch(self) -> str:
        return self.signs.pop(0)


def test_a_line_of_any_length_is_read_as_far_as_lines_are() -> None:
    out = StringIO()
    keys = Keys(WindowsKeys(WindowsConsole("x" * (LONGEST_LINE + 9) + "\b\r")), out)
    assert keys.read_line(lambda: None) == "x" * (LONGEST_LINE - 1)
    assert out.getvalue().count("x") == LONGEST_LINE


@pytest.mark.parametrize(
    ("pressed", "line", "shown"),
    [
        ("1 7\r", "1 7", "1 7\n"),
        ("12\b5\r", "15", "12\b \b5\n"),
        ("1\xe0>", "f4", "1\b \bf4\n"),  # F4 takes the place of what stands there
        ("\x00;", "?", "?\n"),
        ("\xe0Hx", "x", "x\n"),  # an arrow is nothing
        ("x", "x", "x\n"),  # it can only mean one thing
        ("\xe0", "\xe0", "\xe0\n"),
        ("\x1a", None, ""),
    ],
)
def test_keys_of_a_console_of_windows(pressed: str, line: str | None, shown: str) -> None:
    out = StringIO()
    keys = Keys(WindowsKeys(WindowsConsole(pressed)), out)
    at_once = {"x": "x", "\xe0": "\xe0"}.get
    assert keys.read_line(lambda: None, at_once=at_once) == line
    assert out.getvalue() == shown


def test_on_windows_a_key_hushes_interrupts_and_skips() -> None:
    hushed: list[str] = []
    keys = Keys(WindowsKeys(WindowsConsole("1\r")), StringIO())
    keys.read_line(lambda: None, lambda: hushed.append("hush"))
    assert hushed == ["hush", "hush"]
    with pytest.raises(KeyboardInterrupt):
        Keys(WindowsKeys(WindowsConsole("1\x03")), StringIO()).read_line(lambda: None)
    console = WindowsConsole(" \xe0>")
    assert WindowsKeys(console).wait_for_keys(3600.0) == f" {F4}"
    assert not console.signs
    assert not WindowsKeys(console).wait_for_keys(0.01)


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"job control is tested with {shell}")
    game = " ".join(f"'{word}'" for word in command(*GAME))
    options = ["--norc", "--noprofile", "--noediting"] if shell == "bash" else []
    with Terminal(
        program=[shell, *options, "-i"], changes={"PS1": "shell: "}, columns=200
    ) as terminal:
        terminal.type(game)
        assert terminal.prompt == "Which tiles?"
        terminal.half_type("1")
        terminal.press("\x1a")
        assert terminal.prompt == "shell:"
        after = termios.tcgetattr(terminal.child.child_fd)[3]
        assert after & termios.ICANON, "a shell that does nothing itself has its terminal back"
        assert after & termios.ECHO
        terminal.child.send("fg\r")
        terminal.child.expect_exact("Which tiles? 1")
        assert keys(terminal, "5")[0] == "1 and 5 go down."


def test_f4_accepts_with_and_without_the_option() -> None:
    for option in ([], ["--plain"], ["--keys"]):
        with Terminal("play", "cargo", "--throw", "auto", "--seed", "heath", *option) as terminal:
            said = keys(terminal, "\x1bOS", *(["\r"] if option == ["--plain"] else []))
            assert said[0] == "The cargo is accepted."
            assert terminal.prompt == AGAIN_OR_BACK


@pytest.mark.parametrize("begun", ["\x1b", "\x1b[", "\x1bO", "\x1b[1"])
def test_an_input_that_ends_within_a_key_has_no_more_keys(
    monkeypatch: pytest.MonkeyPatch, begun: str
) -> None:
    ours, theirs = os.pipe()
    os.write(theirs, begun.encode())
    os.close(theirs)
    reads, read = iter(range(9)), os.read
    monkeypatch.setattr(os, "read", lambda *asked: (next(reads), read(*asked))[1])
    console = UnixKeys(ours)
    assert (console.read_key(), console.read_key()) == (begun, "")
    os.close(ours)


def test_a_pause_takes_all_that_is_typed_also_what_a_line_left_and_half_a_letter() -> None:
    ours, theirs = os.openpty()
    terminal, half = UnixKeys(ours), "ä".encode()
    keys = Keys(terminal, StringIO())
    with terminal.one_by_one():
        os.write(theirs, b"1\r2" + half[:1])
        assert keys.read_line(lambda: None) == "1"
    assert terminal.wait_for_keys(3600.0) == "2"
    os.write(theirs, half[1:])
    assert terminal.wait_for_keys(3600.0) == "ä"
    assert not terminal.wait_for_keys(0.01)
    os.close(ours)
    os.close(theirs)
