"""Records at a terminal: what is saved, how it is announced, and how a left game continues."""

import re
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import ran
from shutbox import Over
from shutbox.engine.cups import SeededCup, wrong_rolls
from shutbox.record import Reading
from shutbox.record.folder import Store
from terminal.driver import AGAIN, AGAIN_OR_BACK, Terminal
from terminal.player import answer, offered, record

GAME = ("play", "classic", "--seed", "a")
PUB = ("play", "pub", "--players", "Ann,Robo=computer:fixed:7,computer:fixed", "--seed", "a")
ROUNDS = (*PUB, "--format", "rounds=3,purse=4")
FULL = "Enter tries again, no goes on without saving, end stops:"
KEPT = "The game is saved: shutbox resume {0} continues it."


def path_of(id: int = 1) -> Path:
    """The file of a record of this test's own folder."""
    return Store().path(id)


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


def is_whole(reading: Reading[Any, Any]) -> bool:
    """Whether a record of a game with the seed `a` is over, and lacks nothing."""
    over = isinstance(reading.game.awaits(reading.play.position), Over)
    log = reading.play.log
    return over and not reading.fault and not list(wrong_rolls(SeededCup("a"), reading.game, log))


def test_resume_takes_a_number_a_file_or_the_newest_that_is_not_over(tmp_path: Path) -> None:
    leave(*GAME)
    leave(*PUB)
    with Terminal("play", "lucky-seven", "--seed", "a", "--plain") as terminal:
        finish(terminal)
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
        leave(*GAME)
        assert ran("resume").lines[0].startswith("Game 2, begun "), "the next that is free"
        finish(terminal)
    assert is_whole(record(1))


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
    for command in ("show", "replay"):
        assert any("Game 1 is damaged at line 11: " in line for line in ran(command).lines)
    [row] = ran("games", "--mine").lines
    assert row.endswith("not over yet; damaged after that.")
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
        finish(terminal)
    assert is_whole(record())


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
    assert is_whole(record())
    assert record().play.log[: len(kept)] == kept
