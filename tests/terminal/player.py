"""A player who knows nothing but what the program says: asks what is legal and types it."""

import re
from itertools import count, cycle

from terminal.driver import AGAIN, Terminal

_OFFERED = re.compile(r"(?:Legal|choices, the first \d+|covers, the first \d+): ([^.]*)\.")
_TILE = re.compile(r"(\d+)( behind)?")
_BETWEEN = (" ", ",", "+")
MOST_ANSWERS = 500
"""A game that takes more answers than this does not end."""


def offered(terminal: Terminal) -> list[str]:
    """What the program reads out when it is asked what is legal."""
    terminal.type("l")
    found = _OFFERED.search(terminal.heard)
    assert found, f"no answer to l: {terminal.heard!r}"
    return found[1].split("; ")


def typed(offer: str, between: str) -> str:
    """What a person types for an offer that was heard: `3 in front and 5 behind` is `3 b5`."""
    if offer.startswith("accept"):
        return "accept"
    if offer.startswith("throw"):
        return " ".join(["throw", *re.findall(r"\d", offer)])
    tiles = [f"b{number}" if behind else number for number, behind in _TILE.findall(offer)]
    return between.join(tiles) if tiles else offer


def play_to_the_end(terminal: Terminal) -> list[str]:
    """Answer every question until the game is over; the answers that moved the game on.

    Takes now the first offer, now another, and types Enter wherever the program says what Enter
    means.
    """
    answers: list[str] = []
    between = cycle(_BETWEEN)
    for turn in count():
        assert turn < MOST_ANSWERS, f"the game does not end:\n{terminal.shown}"
        if terminal.heard.endswith(AGAIN):
            return answers
        if "Enter means" in terminal.heard or "Enter throws" in terminal.heard:
            answers.append("")
        else:
            offers = offered(terminal)
            answers.append(typed(offers[turn % len(offers)], next(between)))
        terminal.type(answers[-1])
        assert terminal.code is None, f"the program ended in the middle:\n{terminal.shown}"
    raise AssertionError
