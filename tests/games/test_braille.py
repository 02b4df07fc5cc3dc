"""Every spoken line of a game fits on a Braille display of 80 cells."""

from collections.abc import Iterator

import pytest

from nightly import one_in
from shutbox import Over, Table, Throw, catalogue, find
from shutbox.engine.cups import SeededCup
from shutbox.engine.narrator import Narrator
from shutbox.match import presets
from shutbox.table.lookup import match_of

CELLS = 80
PLAYERS = ("Bartholomew", "Computer 1", "Wilhelm")
SEEDS = 2
MOST = 400
"""The most events that are looked at of one game; a tray never ends."""
NAMES = [*(entry.name for entry in catalogue()), "cargo(hold=each)", "dices", *presets()]


def told(name: str, seed: str) -> Iterator[str]:
    """Every line that is told, and every question, while somebody plays."""
    people = PLAYERS if name in presets() else PLAYERS[:1]
    game = match_of(name, people) if name in presets() else find(name)
    table, narrator = Table(game, SeededCup(seed)), Narrator(game, people)
    yield from narrator.begin()
    for event in range(MOST):
        scene = table.scene
        yield from (scene.dice, scene.board, scene.score, f"{scene.ask} {scene.enter}:")
        if isinstance(table.awaits, Over):
            return
        if isinstance(table.awaits, Throw):
            prepared = table.prepare_throw(seat=table.due or 0)
        else:
            # In the tray the last offers add a hundred kinds of dice: a person adds few.
            offer = scene.offers[event % min(len(scene.offers), 5)]
            prepared = table.prepare_choice(offer.text, seat=table.due or 0)
        yield from narrator.after(table.apply(prepared), table.scene)


@pytest.mark.parametrize("name", one_in(8, NAMES))
def test_what_is_told_of_a_game_fits_into_a_line_of_braille(name: str) -> None:
    lines = {line for seed in range(SEEDS) for line in told(name, f"cells {seed}")}
    assert {line for line in lines if len(line) > CELLS} == set()
