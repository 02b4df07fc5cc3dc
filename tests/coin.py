"""A tiny but correct game, for tests of code that works with any game.

A coin shows 1 or 2. After the first throw, the player keeps the number or throws once more. The
last number is the score, and a 2 is the aim of the turn.

    throw -> 1 or 2 -> keep: that is the score
                    -> again: throw -> 1 or 2: that is the score
"""

from dataclasses import dataclass

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NotUnderstood
from shutbox.engine.game import Choose, Over, RuleCard, Scoring, Throw
from shutbox.engine.scene import Kind, Offer, Piece, Scene, State
from shutbox.games.traits import Cost, Traits

COIN = Dice((2,))
KEEP, AGAIN = "keep", "again"
OFFERS = {
    KEEP: Offer(KEEP, "keep", "Kept.", ("coin",)),
    AGAIN: Offer(AGAIN, "again", "Once more."),
}


@dataclass(frozen=True)
class Place:
    """A position of the coin game."""

    face: int = 0
    """The face shown, or 0 before a throw."""
    throws: int = 0
    """The number of throws made."""
    kept: bool = False


class Coin:
    """The game, in which a high score is good."""

    name = "coin"
    longest: int | None = 3
    scoring: Scoring | None = Scoring(best=2, worst=1)
    traits = Traits(most_choices=2, cost=lambda position: Cost(6, 1e-5, 2400))

    def start(self) -> Place:
        return Place()

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        if not position.face:
            return Throw(COIN)
        if position.throws == 2 or position.kept:
            return Over((position.face,), shut=position.face == 2)
        return Choose((KEEP, AGAIN))

    def rolled(self, position: Place, roll: Roll) -> Place:
        if position.face:
            raise IllegalRoll("no throw is due", position)
        try:
            COIN.check(roll)
        except IllegalRoll as error:
            raise IllegalRoll(str(error), position) from None
        return Place(roll.total, position.throws + 1)

    def chosen(self, position: Place, choice: str) -> Place:
        awaited = self.awaits(position)
        if not isinstance(awaited, Choose) or choice not in awaited.choices:
            raise IllegalChoice(f"{choice} is not open", position)
        return Place(position.face, 1, kept=True) if choice == KEEP else Place(0, 1)

    def position_id(self, position: Place) -> str:
        return f"{position.face}.{position.throws}{'k' * position.kept}"

    def position_at(self, id: str) -> Place:
        for face in range(3):
            for throws in range(3):
                for kept in (False, True):
                    if self.position_id(Place(face, throws, kept)) == id:
                        return Place(face, throws, kept)
        raise NotUnderstood(f"{id!r} is no position of the coin")

    def choice_text(self, choice: str) -> str:
        return choice

    def parse_choice(self, position: Place, text: str) -> str:
        awaited = self.awaits(position)
        if text not in (KEEP, AGAIN):
            raise NotUnderstood(f"{text!r} is neither keep nor again")
        if not isinstance(awaited, Choose):
            raise IllegalChoice("nothing can be chosen", position)
        return text

    def scene(self, position: Place) -> Scene:
        awaited = self.awaits(position)
        choices = awaited.choices if isinstance(awaited, Choose) else ()
        open_now = bool(choices)
        return Scene(
            says=(f"The coin shows {position.face}.",) if position.face else (),
            dice="The coin lies there.",
            board="There is one coin.",
            score=f"Score so far {position.face}.",
            legal="Keep or throw again." if open_now else "Nothing to choose.",
            pieces=(Piece("coin", Kind.DIE, str(position.face or ""), State.LYING, "coin"),),
            offers=tuple(OFFERS[choice] for choice in choices),
            ask="Keep it?" if open_now else "",
            default=KEEP if open_now else None,
            enter="Enter keeps it" if open_now else "",
        )

    def card(self) -> RuleCard:
        return RuleCard("Coin", ("Throw a coin, once or twice.",), "Type keep or again.", {})
