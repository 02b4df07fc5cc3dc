"""Windows: everything except the server works without Unix features.

No Windows is available here. `windows.py` hides what it lacks. On Windows a program also writes to
a pipe in the encoding of its country. Reading a file in that encoding raises a warning here.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from installing import run_program

ALONE = (sys.executable, "-W", "error", "-X", "warn_default_encoding", "-c")
EVERY = """
import windows; windows.hide()
import importlib, pkgutil, shutbox
def names(package):
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if module.name not in ("shutbox.web", "shutbox.rl", "shutbox.__main__"):
            yield module.name
            if module.ispkg:
                yield from names(importlib.import_module(module.name))
def runs(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("numba", "numpy"):  # what the extras bring may not be here
            raise
print(sum(bool(runs(name)) for name in names(shutbox)))
"""
COMMAND = """
import sys, windows; windows.hide()
from shutbox.cli import output; output.PATIENCE = 600  # no line of progress on a slow machine
from shutbox.cli.main import main; sys.exit(main(sys.argv[1:]))
"""


LATER = (
    *("games --mine", "replay 2", "review 2", "stats", "check", "export --all"),
    *("advise classic:1-9/3+5", "odds six"),
)
"""Commands that are run once two games are kept."""


def alone(code: str, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run code in a Python of its own."""
    here = (Path(__file__).parent,)
    return run_program(*ALONE, code, *arguments, typed=typed, paths=here, encoding="cp1252")


def test_everything_but_the_server_is_imported() -> None:
    done = alone(EVERY)
    assert not done.stderr
    assert int(done.stdout) > 100


def test_a_game_is_played_kept_resumed_and_looked_at_and_what_is_asked_is_answered() -> None:
    begun = alone(COMMAND, "play", "six", "--seed", "windows", typed="\n5\nend\n")
    assert not begun.stderr
    assert "The game is saved: " in begun.stdout
    resumed = alone(COMMAND, "resume", typed="b\nend\n")
    assert not resumed.stderr
    assert "All but 5 are up." in resumed.stdout
    ended = alone(COMMAND, "play", "pub", "--players", "computer,computer:most", "--seed", "w")
    assert (ended.returncode, ended.stderr) == (0, "")
    for command in LATER:
        done = alone(COMMAND, *command.split())
        assert (done.returncode, done.stderr) == (0, ""), command
        assert done.stdout


@pytest.mark.parametrize("command", ["serve", "admin list"])
def test_the_server_says_in_one_sentence_that_it_needs_unix(command: str) -> None:
    done = alone(COMMAND, *command.split())
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "the server needs Unix" in done.stderr
