"""Every way to interrupt a game: each ends in order, with an exit code and no traceback."""

import json
import os
import shutil
import signal
import subprocess
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from terminal.driver import AGAIN, AGAIN_OR_CORRECT, KEPT, PATIENCE, Terminal, command, environment
from terminal.pipe import in_shell, piped

GAME = ("play", "classic", "--seed", "pub")
AT_PROMPTS = {
    "at the first question": (GAME, b""),
    "in the middle of a line": (GAME, b"1 5\n8"),
    "at the menu": (("play",), b""),
    "at the dice of a hand": (("play", "classic", "--dice", "hand"), b""),
    "at the last correction": (("play", "lucky-seven", "--dice", "hand"), b"1 1\n"),
    "in the tray": (("play", "tray"), b"throw\n"),
}


@pytest.mark.parametrize(("arguments", "typed"), AT_PROMPTS.values(), ids=AT_PROMPTS)
def test_the_end_of_input_ends_the_game_in_order(arguments: tuple[str, ...], typed: bytes) -> None:
    ended = piped(*arguments, typed=typed)
    assert (ended.code, ended.refusal) == (0, "")
    if arguments == ("play",):
        assert ended.lines[-1] == "Goodbye."
    elif typed == b"1 1\n":
        assert ended.lines[-2:] == ["Your turn ends with 7.", f"{AGAIN_OR_CORRECT} "]
    elif typed != b"1 5\n8":
        begun = any(line.startswith(("You threw", "In the tray")) for line in ended.lines)
        assert (ended.lines[-1] == KEPT) == begun, "what was begun is kept, and nothing else"
        left = ended.lines[-1 - begun - (arguments[1:2] == ("tray",)) :]
        assert any(line.startswith("You leave ") for line in left)


@pytest.mark.parametrize("arguments", [(*GAME,), (*GAME, "--plain"), ("play", "--plain")])
def test_ctrl_d_ends_the_game_in_order(arguments: tuple[str, ...]) -> None:
    with Terminal(*arguments) as terminal:
        terminal.press("\x04")
        assert terminal.code == 0
        assert terminal.spoken[0] in ("You leave with 45 still up.", "Goodbye.")


@pytest.mark.parametrize("shown", [["--plain"], [], ["--keys"]], ids=["plain", "picture", "keys"])
def test_the_first_ctrl_c_keeps_the_game_and_the_second_ends_it(shown: list[str]) -> None:
    with Terminal(*GAME, *shown) as terminal:
        terminal.half_type("1")
        line = os.dup(terminal.child.child_fd)
        said = terminal.press("\x03")
        assert said == ["Interrupted. Type end or press Ctrl-C again to stop."]
        asked = terminal.press("b") if "--keys" in shown else terminal.type("b")
        assert asked == ["1 to 9 are up."]
        assert terminal.press("\x03") == said, "an answer in between starts the count anew"
        assert terminal.press("\x03") == ["You leave with 45 still up.", KEPT]
        assert terminal.code == 0
        assert_restored(line)


def assert_restored(line: int) -> None:
    """Compare the mode of a terminal with that of a shell, and close it."""
    wanted = termios.ECHO | termios.ICANON
    assert termios.tcgetattr(line)[3] & wanted == wanted
    os.close(line)


@pytest.mark.parametrize("answer", ["n", "q", "\x04"])
def test_after_the_end_of_a_game_the_program_stops_and_adds_nothing(answer: str) -> None:
    with Terminal("play", "lucky-seven", "--seed", "no seven") as terminal:
        assert terminal.prompt == AGAIN
        said = terminal.press(answer) if answer == "\x04" else terminal.type(answer)
        assert (terminal.code, [line for line in said if line]) == (0, [])


def states_of(group: int) -> Iterator[str]:
    """How each process of a group stands: T is stopped."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, its_group, *_ = path.read_text().rpartition(")")[2].split()
            if int(its_group) == group:
                yield state


@pytest.mark.skipif(shutil.which("bash") is None, reason="job control is tested with bash")
@pytest.mark.skipif(shutil.which("make") is None, reason="the game is started by make")
@pytest.mark.parametrize("options", ["", "--keys"])
def test_ctrl_z_under_make_and_back_as_often_as_one_likes(tmp_path: Path, options: str) -> None:
    """The shell continues all that make has started, at any moment."""
    game = " ".join(f"'{word}'" for word in command(*GAME))
    (tmp_path / "Makefile").write_text(f"play:\n\t@{game} {options}\n")
    shell = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
    with Terminal(program=shell, changes={"PS1": "shell: "}, columns=200) as terminal:
        terminal.type(f"make -f '{tmp_path}/Makefile' play")
        for _ in range(5):
            assert terminal.prompt == "Which tiles?"
            job = os.tcgetpgrp(terminal.child.child_fd)
            while set(states_of(job)) != {"S"}:  # it waits for a key
                os.sched_yield()
            terminal.press("\x1a")
            assert terminal.prompt == "shell:"
            while set(states_of(job)) != {"T"}:  # the shell asks as soon as make has stopped
                os.sched_yield()
            terminal.type("fg")
            assert "Traceback" not in terminal.raw
        terminal.type("d")
        assert "The dice show 2 and 4, 6." in terminal.spoken


@pytest.mark.parametrize("line", ["$SHUTBOX games | head -1", "$SHUTBOX legal tray | head -1"])
def test_a_reader_that_has_seen_enough_is_no_error(line: str) -> None:
    ended = in_shell(line)
    assert (ended.code, ended.refusal, len(ended.lines)) == (0, "", 1)


@pytest.mark.parametrize("arguments", [GAME, ("games",)])
def test_a_pipe_that_nobody_reads_is_no_error(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command(*arguments),
        input=b"1 5\nb\nb\n",
        stdout=writer,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=PATIENCE,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_closed_input_is_the_end_of_input() -> None:
    ended = in_shell("$SHUTBOX play classic --seed pub <&-")
    assert (ended.code, ended.refusal) == (0, "")
    assert ended.lines[-2:] == ["You leave with 45 still up.", KEPT]


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
TITLE = "Gr\u00fc\u00dfe \u2684"


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [("play", ASCII), ("rules --json", ASCII), ("rules", {"PYTHONIOENCODING": "latin-1"})],
)
def test_a_terminal_for_few_letters_gets_a_title_in_others(
    arguments: str, changes: dict[str, str | None], tmp_path: Path
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(f'[mine]\ntitle = "{TITLE}"\ntiles = "1-3"\n', encoding="utf-8")
    name, *option = arguments.split()
    ended = piped(name, str(mine), *option, typed="\u00fc\n".encode(), changes=changes)
    assert (ended.code, ended.refusal) == (0, "")
    assert ended.out
    if option:
        assert json.loads(ended.out.decode("ascii"))["title"] == TITLE


@pytest.mark.parametrize("arguments", ["play \u00fc.toml", "rules \u2684", "legal classic:\u00bd"])
def test_a_terminal_for_ascii_only_gets_its_refusals(arguments: str) -> None:
    ended = piped(*arguments.split(), changes=ASCII)
    assert ended.code == 1
    assert ended.err.isascii()
    assert ended.refusal.startswith("shutbox: ")
    assert ended.refusal.count("\n") == 1


@pytest.mark.parametrize("options", [[], ["--keys"]])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_killed_game_leaves_the_terminal_as_it_was(name: str, options: list[str]) -> None:
    with Terminal(*GAME, *options) as terminal:
        number = getattr(signal, name)
        terminal.listens()
        line = os.dup(terminal.child.child_fd)
        assert not termios.tcgetattr(line)[3] & termios.ICANON, "a line is being edited"
        terminal.child.kill(number)
        terminal.read()
        assert terminal.code == -number
        assert_restored(line)
