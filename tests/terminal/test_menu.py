"""The menu of games."""

import pytest

from shutbox import catalogue
from shutbox.match import presets
from terminal.driver import Terminal

ELEVEN = (
    *("classic", "two-to-go", "three-to-go", "three-down-extreme", "against-all-odds"),
    *("even-stevens", "full-house", "digital", "thai-style", "the-300", "2012"),
)
"""The games of source A, in its order."""


def menu() -> Terminal:
    return Terminal("play", "--plain", "--seed", "menu")


def test_the_menu_lists_every_game_and_the_eleven_of_source_a_first() -> None:
    titles = {entry.name: entry.title for entry in catalogue()}
    with menu() as terminal:
        *eleven, more, several = terminal.spoken
        assert eleven == [
            f"{number}: {titles[name]}." for number, name in enumerate(ELEVEN, start=1)
        ]
        numbered = [f"{number}: {title}" for number, title in enumerate(titles.values(), start=1)]
        assert more == f"More games: {'; '.join(numbered[len(ELEVEN) :])}."
        matches = [
            f"{number}: {preset.title}"
            for number, preset in enumerate(presets().values(), start=len(titles) + 1)
        ]
        assert several == f"Matches for several players: {'; '.join(matches)}."


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ("", "Classic"),
        ("   ", "Classic"),
        ("1", "Classic"),
        ("11", "2012"),
        ("2012", "2012"),
        ("012", "Two Dice"),
        (str(len(catalogue())), catalogue()[-1].title),
        (" Thai-Style ", "Thai Style"),
        ("classic(fewer=must-top)", "Classic with fewer must-top"),
        ("cargo( hold = each )", "Cargo with hold each"),
    ],
)
def test_an_answer_to_the_menu(answer: str, title: str) -> None:
    with menu() as terminal:
        assert terminal.type(answer)[0] == f"{title}. Type ? for help."


def test_nonsense_is_answered_and_the_menu_asks_again() -> None:
    nonsense = ("0", "-1", "99", "9" * 3000, "klassic", "?", "classic(", "classic(fewer=x)")
    with menu() as terminal:
        prompt = terminal.prompt
        for answer in (*nonsense, "\uff11", "\u0661", "\U0001f3b2", "./nothing.toml", "/", "a/b"):
            said = terminal.type(answer)
            assert said
            assert all(line.endswith(".") for line in said)
            assert terminal.prompt == prompt
        assert terminal.type("")[0] == "Classic. Type ? for help."


@pytest.mark.parametrize("answer", ["end", "quit", "exit"])
def test_the_menu_can_be_left(answer: str) -> None:
    with menu() as terminal:
        terminal.type(answer)
        assert (terminal.code, terminal.spoken) == (0, ["Goodbye."])
