"""The first screen, the list of all games, and the questions before a match."""

import os
import socket
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from shutbox import catalogue
from shutbox.cli.evening import Evening
from shutbox.cli.settings import PlaySettings
from shutbox.match import presets
from shutbox.table.lookup import difference
from shutbox.term import Wish
from shutbox.term.menu import MenuItem, Picked
from terminal.driver import SOURCE, Terminal
from terminal.pipe import piped

ELEVEN = (
    *("classic", "two-to-go", "three-to-go", "three-down-extreme", "against-all-odds"),
    *("even-stevens", "full-house", "digital", "thai-style", "the-300", "2012"),
)
"""The games of source A, in its order."""
ASK = "What would you like? Enter plays Classic:"
TERMS = "Enter starts; or say what to change:"


def menu(*arguments: str) -> Terminal:
    return Terminal(*(arguments or ("play",)), "--plain", "--seed", "menu")


def test_shutbox_alone_is_the_first_screen_at_a_terminal_and_help_in_a_pipe() -> None:
    with Terminal() as terminal:
        assert terminal.prompt == ASK
    assert piped().lines[0].startswith("usage: shutbox")


def test_more_games_lists_every_game_with_its_difference_in_three_screens() -> None:
    titles = {entry.name: entry.title for entry in catalogue()}
    titles |= {preset.name: preset.title for preset in presets().values()}
    told = [
        f"{number}: {title}. {difference(name)}."
        for number, (name, title) in enumerate(titles.items(), start=1)
    ]
    with menu() as terminal:
        boxes, more, matches = (terminal.type(answer) for answer in ("5", "", ""))
        assert [*boxes[1:], *more[1:], *matches[1:]] == told
        assert boxes[1:] == told[: len(ELEVEN)]
        assert [*titles][: len(ELEVEN)] == [*ELEVEN]
        assert max(map(len, (boxes, more, matches))) < 24, "each fits on a screen"
        assert terminal.type("")[0] == "Welcome to Shut the Box."
        for answer in ("12", "Two Dice"):
            terminal.type("more")
            assert terminal.type(answer)[0].startswith("Two Dice.")
            terminal.type("menu")


BELOW = (("7",), ("2", ""), ("3", ""), ("5", ""), ("pub",), ("to 200",))
"""What leads to each of the questions below the first screen."""


def test_every_question_below_the_first_screen_leads_back_to_it() -> None:
    with menu() as terminal:
        for first, answer in product(BELOW, ("q", "END", "back")):
            for typed in first:
                terminal.type(typed)
                assert terminal.prompt != ASK
            assert terminal.type(answer)[0] == "Welcome to Shut the Box."
        terminal.type("2")
        assert terminal.type("quit")[0] == "Goodbye."
        assert terminal.code == 0


def test_a_browser_is_served_until_ctrl_c_and_the_first_screen_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def serve(words: list[str]) -> int:
        asked.append(words)
        raise KeyboardInterrupt

    monkeypatch.setattr("shutbox.cli.main.run_command", serve)
    after = Evening(PlaySettings(plain=True)).do_picked(Picked(MenuItem.BROWSER))
    assert (after, asked) == (Wish.MENU, [["serve"]])


@pytest.mark.parametrize(
    ("own", "command"), [("make serve", "make serve"), (None, "pip install '.[web]'")]
)
def test_where_the_server_is_not_installed_one_command_brings_it(
    tmp_path: Path, own: str | None, command: str
) -> None:
    """In a checkout that is `make serve`, which make play says to the program."""
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')")
    path = f"{tmp_path}{os.pathsep}{SOURCE}"
    changes = {"SHUTBOX_TARGETS": own, "PYTHONPATH": path}
    with Terminal("play", "--plain", changes=changes) as terminal:
        [why, *_] = terminal.type("6")
        says = "The browser table is not installed here; to get it, quit and type"
        assert why == f"{says} {command}."
        assert terminal.prompt == ASK
    makefile = (SOURCE.parent / "Makefile").read_text(encoding="utf-8")
    assert "play resume: export SHUTBOX_TARGETS := make play resume games serve\n" in makefile


def test_where_nothing_can_be_served_a_sentence_says_why() -> None:
    with socket.socket() as taken:
        with suppress(OSError):  # somebody else has it
            taken.bind(("127.0.0.1", 8000))
            taken.listen()
        with menu() as terminal:
            [why] = terminal.type("6")[:1]
            assert "8000" in why
            assert why.endswith(".")
            assert terminal.prompt == ASK
