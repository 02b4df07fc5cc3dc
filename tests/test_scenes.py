"""The facts of a scene, beside its words: what programs read instead of the words."""

import random

import pytest

from shutbox import catalogue, find
from shutbox.cups import SeededCup
from shutbox.english import dice_words
from shutbox.game import Choose, Throw
from shutbox.games.catalogue import find_position
from shutbox.scene import Kind, Scene, State


def scenes(name: str, plays: int = 8, events: int = 60) -> list[Scene]:
    """Scenes of some plays, chosen at random."""
    game, cup, choose = find(name), SeededCup("scenes"), random.Random(1)
    found = []
    for _ in range(plays):
        position = game.start()
        for _ in range(events):
            found.append(game.scene(position))
            match game.awaits(position):
                case Throw(dice=dice):
                    position = game.rolled(position, cup.throw(dice))
                case Choose(choices=choices):
                    position = game.chosen(position, choose.choice(choices))
                case _:
                    break
    return found


@pytest.mark.parametrize("name", [*(entry.name for entry in catalogue()), "cargo(hold=each)"])
def test_facts_say_what_the_words_say(name: str) -> None:
    for scene in scenes(name):
        for piece in scene.pieces:
            assert piece.face == ("" if piece.number is None else str(piece.number))
            assert piece.number is not None or piece.state is State.IN_HAND
            assert piece.kind is Kind.DIE or piece.label.startswith(f"tile {piece.number}")
        for offer in scene.offers:
            assert offer.kind
            match offer.kind:
                case "cover" | "throw-again":
                    assert offer.count == len(offer.takes) > 0
                case "dice":
                    assert offer.count
                    assert offer.says == dice_words(offer.count)
                case "throw":
                    assert offer.count
                case "accept" | "hold" | "free" | "remove" | "add":
                    assert offer.count is None


@pytest.mark.parametrize(
    ("position", "question", "says"),
    [
        ("classic:1-9/1+6", "ask", "Which tiles go down?"),
        ("thai-style:1-9/1+6", "ask", "Which tile goes down?"),
        ("classic:1-9/1+6", "dice", "The dice show 1 and 6, 7 in all."),
        ("six:1-6/4", "dice", "The die shows 4."),
        ("double-shutter", "board", "Up: 1 to 9 in front; nine are hidden."),
    ],
)
def test_one_and_many_are_told_apart(position: str, question: str, says: str) -> None:
    game, at = find_position(position)
    assert getattr(game.scene(at), question) == says


def test_a_die_without_a_face_is_removed_by_its_kind() -> None:
    tray = find("tray")
    offers = tray.scene(tray.position_at("d6-3.d8")).offers
    assert {o.done for o in offers if o.kind == "remove"} == {"A d8 is removed.", "3 is removed."}
