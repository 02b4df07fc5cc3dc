"""Golden transcripts: the terminal's text in --plain mode for commands and typed lines.

A transcript is its own script. A line after `$` is a command, and what stands after the mark is
typed at that place. For a new one write just these lines, each below the other, and run

    python -m pytest tests/terminal --golden

which writes all that was said between them; review the diff. Each is short enough to be read:
on three screens of 24 lines.
"""

import re
import shlex
from pathlib import Path

from terminal.driver import Terminal

FOLDER = Path(__file__).with_name("transcripts")
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))
MOST_LINES = 72
TYPED = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}"  # the mark before what is typed
_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+")
NOON = "2026-11-21 12:00:05 UTC"  # the time of every game in a transcript


def path_of(name: str) -> Path:
    """Return the path of a transcript."""
    return FOLDER / f"{name}.txt"


def commands(name: str) -> list[tuple[list[str], list[str]]]:
    """Return the arguments of each command of a transcript, and the lines typed into it."""
    found: list[tuple[list[str], list[str]]] = []
    for line in path_of(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("$ shutbox "):
            found.append((shlex.split(line)[2:], []))
        elif TYPED in line:
            found[-1][1].append(line.partition(TYPED)[2])
    return found


def transcript(name: str) -> str:
    """Return the text on the terminal, with the exit code of each command."""
    return "".join(_told(name, *command) for command in commands(name))


def _told(name: str, arguments: list[str], lines: list[str]) -> str:
    with Terminal(*arguments) as terminal:
        shown = ""
        for line in lines:
            assert terminal.prompt, f"{name} had ended before {line!r}:\n{terminal.text}"
            shown += terminal.text[len(shown.replace(TYPED, "")) :] + TYPED
            terminal.type(line)
        assert terminal.code is not None, f"{name} does not end:\n{terminal.text}"
        shown += terminal.text[len(shown.replace(TYPED, "")) :]
        shown = "".join(f"{line.rstrip()}\n" for line in shown.splitlines())
    return (
        f"$ {shlex.join(['shutbox', *arguments])}\n{_TIME.sub(NOON, shown)}exit {terminal.code}\n"
    )
