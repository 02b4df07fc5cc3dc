"""Every game conforms to the protocol: the catalogue, options, and random boxes.

The conformance kit does the work. Texts are also tested: a name finds its game, `repr` is code that
rebuilds the value, and choices are in the documented order. The random boxes come from fixed seeds.
A failure prints the name of its game.
"""

import random
import sys
from typing import Any

import pytest

import shutbox
from nightly import one_in
from records import positions
from shutbox import Choose, Throw, match
from shutbox.engine.scene import Kind
from shutbox.engine.typed_text import NUMBER_WORDS, read_numbers
from shutbox.games.box.rule_tables import CoverRule, Fewer, ScoreRule
from shutbox.match import Match, presets
from shutbox.match.format import TurnLength
from shutbox.table.lookup import find_any
from shutbox.testing import check
from variants import random_name

CATALOGUE = [entry.name for entry in shutbox.catalogue()]

OPTIONS = [
    *("cargo(hold=each)", "cargo(dice=4d6)", "cargo(dice=10d6)", "cargo(rolls=1)"),
    *("cargo(rolls=10)", "ship-captain-crew(dice=6d6,rolls=4,hold=each)"),
    *("tray(dice=2d6+1d20)", "tray(dice=1d2)", "tray(dice=20d100)", "tray(dice=19d6+1d100)"),
]

WHOLE = TurnLength.WHOLE
MATCHES = [f"{name}[seats=3]" for name in presets()]
ROWS = [f"{name}[seats=3]" for name, one in presets().items() if one.format.turns is not WHOLE]
"""Matches with one throw each."""

RANDOM = 216
"""How many random boxes are played."""
PER_TEST = 12


def batch(first: int) -> list[str]:
    return [random_name(random.Random(seed)) for seed in range(first, first + PER_TEST)]


@pytest.mark.parametrize("name", [*CATALOGUE, *one_in(3, OPTIONS), *ROWS])
def test_listed_games_keep_the_protocol(name: str) -> None:
    assert check(find_any(name), plays=3, most_events=40) > 1


@pytest.mark.parametrize("first", one_in(3, range(0, RANDOM, PER_TEST), drawn=True))
def test_random_boxes_keep_the_protocol(first: int) -> None:
    for name in batch(first):
        assert check(shutbox.find(name), plays=5) > 1, name


def test_a_name_says_only_what_differs() -> None:
    assert shutbox.find("classic(fewer=may-top,score=sum)").name == "classic"
    assert shutbox.find("classic(tiles=1.2.3.4.5.6.7.8.9)").name == "classic"
    assert shutbox.find("Classic( Score = DIGITS )").name == "classic(score=digits)"
    assert shutbox.find("cargo(hold=together,rolls=5)").name == "cargo"
    assert shutbox.find("tray(dice=d6+d6)").name == "tray"


@pytest.mark.parametrize("name", [*CATALOGUE, *OPTIONS, *MATCHES, *batch(1000)])
def test_repr_is_code_that_rebuilds_the_value(name: str) -> None:
    game: Any = find_any(name)
    turn = game.game if isinstance(game, Match) else game
    names = {**vars(shutbox), **vars(match), **vars(sys.modules[type(turn.start()).__module__])}
    again = eval(repr(game), names)
    assert (again.name, again.card()) == (game.name, game.card())
    for position in positions(game, plays=1):
        assert eval(repr(position), names) == position
        awaited = game.awaits(position)
        if isinstance(awaited, Throw):
            roll = awaited.dice.read([1] * len(awaited.dice))
            assert eval(repr((awaited.dice, roll)), names) == (awaited.dice, roll)
        elif isinstance(awaited, Choose):
            choices = awaited.choices[:20]
            assert eval(repr(choices), names) == choices


BOXES = [name for name in CATALOGUE if "tiles" in shutbox.find(name).card().options]


@pytest.mark.parametrize("name", [*BOXES, *batch(2000), *batch(3000)])
def test_choices_of_a_box_stand_in_canonical_order(name: str) -> None:
    """Fewest dice first; fewest tiles first, then the highest tile, of equal ones the first."""
    game = shutbox.find(name)
    places = [piece.key for piece in game.scene(game.start()).pieces if piece.kind is Kind.TILE]

    def rank(text: str) -> tuple[int, list[tuple[int, int]]]:
        if text.endswith(("die", "dice")):
            return NUMBER_WORDS[text.split()[0]], []
        tiles = [(-int(tile.removeprefix("b")), places.index(tile)) for tile in text.split()]
        return len(tiles), sorted(tiles)

    for position in positions(game):
        awaited = game.awaits(position)
        if isinstance(awaited, Choose):
            texts = [game.choice_text(choice) for choice in awaited.choices]
            assert texts == sorted(texts, key=rank)


def test_random_boxes_have_their_names_and_meet_every_rule_and_every_limit() -> None:
    found: set[str] = set()
    plain = shutbox.find("two-dice").card().options
    for first in range(0, RANDOM, PER_TEST):
        for name in batch(first):
            game = shutbox.find(name)
            again, options = shutbox.find(game.name), game.card().options
            assert (game.name, again.name, again.card()) == (name, name, game.card())
            found |= {f"{key}={options[key]}" for key in ("fewer", "cover", "score")}
            found |= {key for key in options if options[key] != plain[key]}
            tiles = read_numbers(options["tiles"]) + read_numbers(options["behind"])
            sides = shutbox.Dice.parse(options["dice"]).sides
            found |= {"30 tiles"} if len(tiles) == 30 else set()
            found |= {"a tile above 900"} if max(tiles) > 900 else set()
            found |= {"12 dice"} if len(sides) == 12 else set()
            found |= {"100 sides"} if max(sides) == 100 else set()
    valued = {"fewer": Fewer, "cover": CoverRule, "score": ScoreRule}
    assert found == {
        *(f"{key}={rule.value}" for key, rules in valued.items() for rule in rules),
        *plain,
        *("30 tiles", "a tile above 900", "12 dice", "100 sides"),
    }
