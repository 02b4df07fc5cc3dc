"""Records at a terminal: what is saved, how it is announced, and how a left game continues."""

import json
import re
import resource
import signal
import sys
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from commands import ran
from kill.heard import opening
from shutbox import Over
from shutbox.engine.cups import SeededCup, wrong_rolls
from shutbox.record import Reading, read
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from terminal.driver import AGAIN, AGAIN_OR_BACK, Terminal
from terminal.player import answer, offered

GAME = ("play", "classic", "--seed", "a")
PUB = ("play", "pub", "--players", "Ann,Robo=computer:fixed:7,computer:fixed", "--seed", "a")
ROUNDS = (*PUB, "--format", "rounds=3,purse=4")
FULL = "Enter tries again, no goes on without saving, end stops:"
KEPT = "The game is saved: shutbox resume {0} continues it."


def record(id: int = 1) -> Reading[Any, Any]:
    """A record of this test's own folder."""
    return Store().read(id, game_of)


def path_of(id: int = 1) -> Path:
    """The file of a record of this test's own folder."""
    return Store().path(id)


@cache
def unbroken(arguments: tuple[str, ...]) -> bytes:
    """The record of a game of first offers, played to its end without a break."""
    with TemporaryDirectory() as folder:
        with Terminal(*arguments, "--plain", changes={"SHUTBOX_DATA": folder}) as terminal:
            answer(terminal)
            terminal.type("no")
            assert terminal.code == 0
        return (Path(folder) / "1.shutbox").read_bytes()


def whole(arguments: tuple[str, ...]) -> Reading[Any, Any]:
    """What is in that record."""
    reading = read(BytesIO(unbroken(arguments)), game_of)
    assert is_over(reading)
    return reading


def keep(arguments: tuple[str, ...], id: int = 1) -> Reading[Any, Any]:
    """The same, as a record of this test's own folder."""
    path_of(id).write_bytes(unbroken(arguments))
    return record(id)


def leave(*arguments: str, after: int = 3) -> Reading[Any, Any]:
    """A game that is left by `end` after so many answers; its record."""
    with Terminal(*arguments, "--plain") as terminal:
        answer(terminal, after)
        terminal.type("end")
        assert terminal.code == 0
    return record(Store().newest() or 0)


def finish(terminal: Terminal) -> None:
    """Play to the end with first offers, and leave."""
    answer(terminal)
    assert terminal.heard.endswith((AGAIN, AGAIN_OR_BACK))
    assert [line for line in terminal.type("no") if line] == []
    assert terminal.code == 0


def is_over(reading: Reading[Any, Any]) -> bool:
    return isinstance(reading.game.awaits(reading.play.position), Over)


# How a game goes on that was left


def _hang_up(terminal: Terminal) -> None:
    terminal.listens()
    terminal.child.close(force=True)


def _terminate(terminal: Terminal) -> None:
    terminal.listens()
    terminal.child.kill(signal.SIGTERM)
    terminal.read()
    assert terminal.code == -signal.SIGTERM


LEAVINGS: dict[str, Callable[[Terminal], object]] = {
    "end": lambda terminal: terminal.type("end"),
    "a terminal that is closed": _hang_up,
    "SIGTERM": _terminate,
}
"""`tests/kill` has SIGKILL, at any moment."""


@pytest.mark.parametrize("leaving", LEAVINGS.values(), ids=LEAVINGS)
def test_a_game_that_was_left_goes_on_with_the_very_dice(
    leaving: Callable[[Terminal], object],
) -> None:
    unleft = whole(ROUNDS)
    with Terminal(*ROUNDS, "--plain", columns=200) as terminal:
        answer(terminal, 4)
        question = terminal.prompt
        leaving(terminal)
    left = record()
    assert (left.fault, left.torn) == (None, False)
    assert left.play.log == unleft.play.log[: left.play.version]
    with Terminal("resume", "--plain", columns=200) as terminal:
        assert terminal.spoken[0] == f"Game 1, begun {left.header.begun}."
        assert terminal.spoken[1:] == opening(left.game, left.play.log, resumed=True, own={0})
        assert terminal.prompt == question
        finish(terminal)
    assert record().play.log == unleft.play.log
    assert record().header.dice == unleft.header.dice
    assert not list(wrong_rolls(SeededCup("a"), unleft.game, record().play.log))


def test_resume_takes_a_number_a_file_or_the_newest_that_is_not_over(tmp_path: Path) -> None:
    leave(*GAME)
    leave(*PUB)
    keep(GAME, 3)
    path_of(4).write_bytes(b"no record\n")
    begun = f"begun {record(1).header.begun}."
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_bytes(path_of(1).read_bytes())
    for which, says in (
        ((), f"Game 2, begun {record(2).header.begun}."),
        (("1",), f"Game 1, {begun}"),
        ((str(path_of(1)),), f"{path_of(1)}, {begun}"),
        ((str(elsewhere),), f"{elsewhere}, {begun}"),
    ):
        with Terminal("resume", *which, "--plain", columns=400) as terminal:
            skipped, first = terminal.spoken[0], terminal.spoken[not which]
            assert which or skipped.startswith(f"shutbox: game 4 ({path_of(4)}) cannot be read: ")
            assert first == says
            terminal.type("end")


def test_a_second_program_is_told_that_the_game_is_being_played() -> None:
    with Terminal(*PUB, "--plain") as terminal:
        answer(terminal, 2)
        for name in ((), ("1",), (str(path_of()),)):
            ended = ran("resume", *name)
            assert (ended.code, ended.out) == (1, "")
            assert ended.err.endswith("is being played by another program\n")
            assert ended.err.count("\n") == 1
        assert ran("show", "1").code == ran("check", "1").code == 0
        leave(*GAME)
        assert ran("resume").lines[0].startswith("Game 2, begun "), "the next that is free"
        answer(terminal)
        terminal.type("no")
    assert is_over(record(1))
    assert record(1).fault is None


# What is damaged


def test_a_damaged_record_stays_as_it_is_and_goes_on_as_a_new_game() -> None:
    leave(*GAME, after=5)
    before, data = record().play.log, path_of().read_bytes()
    lines = data.splitlines(keepends=True)
    lines[10] = lines[10].replace(b"throws", b"thr0ws").replace(b"chooses", b"choses")
    damaged = b"".join(lines)
    path_of().write_bytes(damaged)
    ended = ran("check")
    assert (ended.code, ended.err) == (1, "")
    assert ended.lines[0] == "Game 1: three events in order."
    assert ended.lines[1].startswith("Line 11: ")
    assert json.loads(ran("check", "--json").out)["sound"] is False
    for command in ("show", "replay"):
        assert any("Game 1 is damaged at line 11: " in line for line in ran(command).lines)
    [row] = ran("games", "--mine").lines
    assert row.endswith("not over yet; damaged after that.")
    assert "line 11: " in ran("export").err
    with Terminal("resume", "--plain") as terminal:
        assert terminal.spoken[1].startswith("It is damaged at line 11: ")
        assert terminal.spoken[2] == (
            "It stays as it is; what comes before that continues as a new game."
        )
        terminal.type(offered(terminal)[0])
        assert terminal.type("end")[-1] == KEPT.format(2)
    assert path_of(1).read_bytes() == damaged
    assert record(2).fault is None
    assert record(2).play.log[:3] == before[:3]
    assert path_of(2).read_bytes().startswith(b"".join(lines[:10]))


# What the disk refuses


def test_a_game_that_cannot_be_kept_is_played_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    nowhere = {"SHUTBOX_DATA": str(file / "folder")}
    with Terminal(*PUB, "--plain", changes=nowhere) as terminal:
        said = [line for line in terminal.spoken if re.search("kept|saved", line)]
        assert said == [
            "Move 1 is not kept: Not a directory.",
            "Play on; this game is not being saved.",
        ]
        answer(terminal)
        assert terminal.heard.endswith(AGAIN)
        once = [line for line in terminal.said if re.search("kept|saved", line)]
        assert once == said, "it is said once"
        assert any("kept" in line for line in terminal.type("")), "and once for each game"


LIMITED = """
import resource, sys
sys.dont_write_bytecode = True
from shutbox.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (%d, resource.RLIM_INFINITY))
sys.exit(main())
"""
"""A program whose files cannot grow beyond a size, as on a full disk."""


def on_a_full_disk(*arguments: str, size: int) -> Terminal:
    """A game that is played until the disk refuses."""
    program = [sys.executable, "-c", LIMITED % size, *arguments, "--plain"]
    terminal = Terminal(program=program, columns=200)
    while terminal.prompt != FULL:
        assert answer(terminal, 1), "the disk has never refused"
    return terminal


def test_a_full_disk_is_told_and_nothing_is_lost() -> None:
    with on_a_full_disk(*ROUNDS, size=330) as terminal:
        kept, data = record(), path_of().read_bytes()
        refusal = f"Move {kept.play.version + 1} is not kept in {path_of()}: File too large."
        assert terminal.spoken[-1] == refusal
        assert (kept.fault, kept.torn) == (None, False)
        for again in ("", "what", "b"):
            says = f"'{again}' is not understood." if again else refusal
            assert terminal.type(again)[-1] == says
            assert terminal.prompt == FULL
            assert path_of().read_bytes() == data
        assert terminal.press("\x03") == ["Interrupted. Type end or press Ctrl-C again to stop."]
        room = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(terminal.child.pid, resource.RLIMIT_FSIZE, room)
        terminal.type("")
        assert terminal.prompt != FULL
        answer(terminal)
        terminal.type("no")
        assert terminal.code == 0
    assert record().play.log == whole(ROUNDS).play.log


@pytest.mark.parametrize("answer", [" NO ", "end"])
def test_a_game_on_a_full_disk_goes_on_unkept_or_later(answer: str) -> None:
    with on_a_full_disk(*ROUNDS, size=360) as terminal:
        data, kept = path_of().read_bytes(), record().play.log
        assert KEPT.format(1) in terminal.type(answer)
        if answer == " NO ":
            finish(terminal)
        assert terminal.code == 0
    assert path_of().read_bytes() == data
    with Terminal("resume", "--plain") as terminal:
        finish(terminal)
    assert is_over(record())
    assert record().play.log[: len(kept)] == kept
