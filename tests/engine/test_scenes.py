"""The facts of a scene, which programs read instead of its words."""

import re

import pytest

from records import positions
from shutbox import catalogue, find
from shutbox.engine.cups import SeededCup
from shutbox.engine.english import dice_words
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import Over, Throw
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.engine.scene import Kind, Piece, State
from shutbox.match import Match
from shutbox.match.game import begins_turn
from shutbox.table.lookup import find_any, find_position

THAI = "1 is neither one of the dice 2+6 nor their total 8. Try 8, 6 or 2"


@pytest.mark.parametrize("name", [*(entry.name for entry in catalogue()), "cargo(hold=each)"])
def test_facts_say_what_the_words_say_and_all_that_is_legal_is_told(name: str) -> None:
    game = find(name)
    for position in positions(game, plays=8):
        scene = game.scene(position)
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
        if scene.offers and name != "tray":
            told = re.split(
                "; |[.] (?:Also |[A-Z]\\w+ tiles: )",
                scene.legal.removesuffix(".").partition(": ")[2],
            )
            assert told == [offer.says for offer in scene.offers]


@pytest.mark.parametrize(
    ("position", "typed", "says"),
    [
        (
            "classic:1-9/2+6",
            "6",
            "6 does not make 8. Try 8, 1 and 7, or 2 and 6; there are six in all",
        ),
        ("thai-style:1-9/2+6", "1", THAI),
        ("classic:1.2.4.5/3+4", "4", "4 does not make 7. Try 2 and 5; or 1, 2 and 4"),
    ],
)
def test_a_refusal_gives_three_choices_and_says_how_many_there_are(
    position: str, typed: str, says: str
) -> None:
    """It does so in a turn and in a match, and names no key: pages and programs have none."""
    game, at = find_position(position)
    match = find_any(f"{game.name}[seats=2]")
    of_match = match.position_at(f"1;0;0;0,0;t0;{position.partition(':')[2]}")
    for play, here in ((game, at), (match, of_match)):
        with pytest.raises(IllegalChoice) as refused:
            play.parse_choice(here, typed)
        assert str(refused.value) == says
        assert refused.value.position == here
        assert refused.value.choices == tuple(offer.says for offer in play.scene(here).offers)


@pytest.mark.parametrize(
    "name", ["classic[seats=4]", "knockout", "parlour-night", "cargo-night", "lucky-seven-night"]
)
def test_a_turn_of_a_match_begins_on_its_own_board(name: str) -> None:
    match = find_any(name)
    assert isinstance(match, Match)
    own = match.game.scene(match.game.start()).pieces
    play, cup = Play(match), SeededCup("own board")
    left: list[tuple[Piece, ...]] = []
    while len(left) < 4 and not isinstance(awaited := play.awaits, Over):
        scene = match.scene(play.position)
        if begins_turn(play, play.position):
            assert scene.pieces == own
            left.append(scene.left)
        else:
            assert scene.left == ()
        assert scene.lying == (scene.left or scene.pieces)
        if isinstance(awaited, Throw):
            play.happen(Rolled(cup.throw(awaited.dice)))
        else:
            play.happen(Chosen(awaited.choices[0]))
    thrown = [[piece for piece in pieces if piece.state is State.LYING] for pieces in left]
    assert len(left) == 4
    assert all(thrown[1:])  # the dice that ended the turn before


def test_one_and_many_are_told_apart() -> None:
    game, here = find_position("thai-style:1-9/1+6")
    assert game.scene(here).ask == "Which tile?"
    game, here = find_position("six:1-6/4")
    assert game.scene(here).dice == "The die shows 4."
    tray, here = find_position("tray:d6-3.d8")
    removed = {o.done for o in tray.scene(here).offers if o.kind == "remove"}
    assert removed == {"A d8 is removed.", "3 is removed."}
