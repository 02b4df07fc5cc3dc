"""A player who knows only what the program says: asks what is legal and repeats an offer."""

import re
from itertools import count
from typing import Any

from shutbox.record import Reading
from shutbox.record.folder import Store
from shutbox.table.lookup import game_of
from terminal.driver import AGAIN, AGAIN_OR_BACK, AGAIN_OR_CORRECT, Terminal

_OFFERED = re.compile(
    r"(?:Choices|One tile|[A-Z][a-z]+ tiles): (.*?)\. (?!Also |[A-Z][a-z]+ tiles: )"
)
_ENTER_CHOOSES = re.compile(r"Enter (?:to cover (?:it|them)|throws [a-z ]+):\Z")
MOST_ANSWERS = 500  # a game that takes more answers than this never ends


def offered(terminal: Terminal) -> list[str]:
    """Return the offers that the program lists when it is asked what is legal."""
    terminal.type("l")
    found = _OFFERED.search(terminal.heard)
    assert found, f"no answer to l: {terminal.heard!r}"
    return re.split("; |[.] (?:Also |[A-Z][a-z]+ tiles: )", found[1])


def enter_chooses(terminal: Terminal) -> bool:
    """Whether the program says that Enter alone makes a choice."""
    return _ENTER_CHOOSES.search(terminal.heard) is not None


def play_to_the_end(terminal: Terminal) -> list[str]:
    """Answer every question until the game is over, and return the answers that advanced it.

    Takes the first offer or another one, in the words of the program, and types Enter whenever the
    program says what Enter does.
    """
    answers: list[str] = []
    for turn in count():
        assert turn < MOST_ANSWERS, f"the game does not end:\n{terminal.shown}"
        if terminal.heard.endswith((AGAIN, AGAIN_OR_BACK, AGAIN_OR_CORRECT)):
            return answers
        if enter_chooses(terminal):
            answers.append("")
        else:
            offers = offered(terminal)
            answers.append(offers[turn % len(offers)])
        terminal.type(answers[-1])
        assert terminal.code is None, f"the program ended in the middle:\n{terminal.shown}"
    raise AssertionError


def answer(terminal: Terminal, most: int = 1000) -> int:
    """Take the first offer, and throw on Enter, to the end or so many times; return how often."""
    for answered in range(most):
        if terminal.heard.endswith((AGAIN, AGAIN_OR_BACK)) or not terminal.prompt:
            return answered
        terminal.type("" if "nter throws" in terminal.prompt else offered(terminal)[0])
    return most


def record(id: int = 1) -> Reading[Any, Any]:
    """Return a record of the test's own folder, the first without a number."""
    return Store().read(id, game_of)
