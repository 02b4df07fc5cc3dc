"""The five computer players with names: who they are, how strong, and how they are seated."""

import re
from functools import partial
from pathlib import Path

import pytest

from shutbox import Choose, Position, find
from shutbox.engine.game import due_choices
from shutbox.engine.names import name_faults
from shutbox.engine.seats import Seat, read_seats
from shutbox.solving.comparison import compare
from shutbox.solving.strategy.fixed import CHARACTERS, character_of
from shutbox.table.bots import KINDS, as_player, bot
from shutbox.table.characters import read_players
from shutbox.table.lookup import find_position

PICKS = (
    ("most", "classic:1-9/3+5", "1 2 5"),
    ("fewest", "classic:1-9/3+5", "8"),
    ("highest", "classic:1-9/3+5", "8"),
    ("fixed:pub", "classic:1-9/3+5", "1 2 5"),
    ("fixed:b", "classic:1-9/3+5", "2 6"),
    ("careful", "classic:1.3.5.7.9/3+5", "3 5"),
    ("perfect", "classic:1.3.4.9/1+3", "4"),
    ("sheet", "against-all-odds:1.3.5.7.9/3+5", "3 5"),
)
"""What a kind takes at a position."""

FACES = Path(__file__).parents[2] / "src/shutbox/web/templates/_faces.html"


def test_each_has_a_strength_a_kind_a_face_and_a_name_of_its_own() -> None:
    assert [character.level for character in CHARACTERS] == [1, 2, 3, 4, 5]
    kinds = [character.kind for character in CHARACTERS]
    losses = [one.loss for one in map(compare("classic", players=kinds).strategy, kinds)]
    assert losses == sorted(losses, reverse=True)
    assert len({character.strength for character in CHARACTERS}) == len(CHARACTERS)
    faces = re.findall(r'<symbol id="face-(\w+)"', FACES.read_text())
    assert faces == [character.id for character in CHARACTERS]
    for character in CHARACTERS:
        assert character_of(character.kind) is character
        assert list(name_faults(character.name)) == []
        bot(character.kind)
        assert character.id not in KINDS


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("computer:pip", (Seat("Pip", "random"),)),
        ("Ann, Computer:HOBBS ", (Seat("Ann"), Seat("Hobbs", "careful"))),
        ("Robo = computer: nell", (Seat("Robo", "fewest"),)),
        ("Hobbs,computer:hobbs", (Seat("Hobbs"), Seat("Hobbs 2", "careful"))),
        (
            "computer:abacus,computer:abacus,computer",
            (Seat("Abacus", "perfect"), Seat("Abacus 2", "perfect"), Seat("Computer", "fewest")),
        ),
        ("computer:abacus,ABACUS 2", (Seat("Abacus", "perfect"), Seat("ABACUS 2"))),
        ("Nell,Robo=computer:fixed:7", (Seat("Nell"), Seat("Robo", "fixed:7"))),
    ],
)
def test_they_sit_down_by_their_names(text: str, seats: tuple[Seat, ...]) -> None:
    assert read_players(text) == seats
    assert read_seats(",".join(map(str, seats))) == seats


@pytest.mark.parametrize(("kind", "place", "text"), PICKS)
def test_what_each_kind_takes(kind: str, place: str, text: str) -> None:
    game, here = find_position(place)
    awaited = game.awaits(here)
    assert isinstance(awaited, Choose)
    assert game.choice_text(bot(kind).pick(game, here, awaited.choices)) == text


def test_a_method_and_a_callable_of_one_argument_get_the_position() -> None:
    class Caller:
        def first(self, position: Position) -> str:
            return position.choices[0]

        __call__ = first

    game = find("classic")
    start = game.position_at("1-9/3+5")
    choices = due_choices(game, start).choices
    ways = (Caller().first, Caller(), partial(Caller.first, Caller()), lambda *given: given[2][0])
    assert {as_player(way).pick(game, start, choices) for way in ways} == {choices[0]}
