"""Three throws: a tiny game, complete on the protocol, to copy when you begin your own.

Throw one die, at most three times. After a throw you may keep it: the score is its pips. The
third throw counts as it falls. docs/own-game.md walks through this file. Run it to play it:
`python examples/template_game.py`.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from shutbox.dice import Dice, Roll
from shutbox.english import capital, number_word, shown
from shutbox.errors import IllegalChoice, ImpossiblePosition, NotUnderstood
from shutbox.game import (
    Awaited,
    Choose,
    Over,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    legal,
    open_choices,
)
from shutbox.games.traits import Cost, Traits
from shutbox.messages import gettext, ngettext
from shutbox.scene import Kind, Offer, Piece, Scene, State

THROWS = 3
DIE = Dice.parse("1d6")
KEEP, AGAIN = "keep", "again"  # choices: any frozen, hashable values; here texts will do


@dataclass(frozen=True, slots=True)
class Position:
    """Only what the rules need to go on: no history, no names, nothing about the screen."""

    left: int
    """How many throws are left; keeping the die gives up the rest."""
    roll: Roll | None = None
    """The die that lies there; None: a throw is due."""


@dataclass(frozen=True)
class ThreeThrows:
    """The game, a value: it holds nothing that changes, all of that is in the position."""

    name: ClassVar[str] = "three-throws"
    longest: ClassVar[int | None] = 2 * THROWS - 1  # events: a choice after every throw but one
    scoring: ClassVar[Scoring | None] = Scoring(best=6, worst=1)
    # What it says of itself, so that it may be solved, and played where others play too.
    traits: ClassVar = Traits(most_choices=2, cost=lambda position: Cost(39, 1e-4, 20_000))

    def start(self) -> Position:
        """All throws left."""
        return Position(THROWS)

    def awaits(self, position: Position) -> Awaited[str]:
        """The heart of a game: whoever plays, draws or solves it asks this and nothing else."""
        if position.roll is None:
            return Throw(DIE)
        if position.left:
            return Choose((KEEP, AGAIN))
        return Over((position.roll.total,), shut=position.roll.total == 6)

    def rolled(self, position: Position, roll: Roll) -> Position:
        """The position after a throw; the one that was given does not change."""
        check_roll(self.awaits(position), position, roll)
        return Position(position.left - 1, roll)

    def chosen(self, position: Position, choice: str) -> Position:
        """The position after a choice."""
        if choice not in open_choices(self.awaits(position), position):
            raise IllegalChoice(_not_open(choice), position)
        return Position(0, position.roll) if choice == KEEP else Position(position.left)

    def position_id(self, position: Position) -> str:
        """Such as `3` (a throw is due), `2/5` (a 5 lies there), `0/5` (it stays)."""
        return f"{position.left}/{position.roll}" if position.roll else f"{position.left}"

    def position_at(self, id: str) -> Position:
        """The way back. Text comes from anywhere: bound it, and say every reason at once."""
        match = re.fullmatch("([0-9])(?:/([0-9]))?", id)
        if match is None:
            problem = gettext("{text} is not a position; write such as 3 or 2/5", text=shown(id))
            raise NotUnderstood(problem)
        left, roll = int(match[1]), Roll((int(match[2]),)) if match[2] else None
        reasons = []
        if not 0 <= left <= THROWS - bool(roll) or (left == 0 and roll is None):
            reasons.append(gettext("{left} throws cannot be left here", left=left))
        if roll and not 1 <= roll.total <= 6:
            reasons.append(gettext("a die of 6 sides shows 1 to 6, not {face}", face=roll))
        if reasons:
            raise ImpossiblePosition(shown(id), tuple(reasons))
        return Position(left, roll)

    def choice_text(self, choice: str) -> str:
        """The choice is its text already."""
        return choice

    def parse_choice(self, position: Position, text: str) -> str:
        """The first letters are enough."""
        word = text.strip().lower()
        for choice in open_choices(self.awaits(position), position):
            if word and choice.startswith(word):
                return choice
        problem = gettext("{text} is not understood; type keep or again", text=shown(text))
        raise NotUnderstood(problem)

    def scene(self, position: Position) -> Scene:
        """Words first, each a complete sentence; then the pieces. See docs/hearing.md.

        Every sentence is one template, which another language has for its own.
        """
        awaited, roll = self.awaits(position), position.roll
        count = capital(number_word(position.left))
        left = ngettext("{count} throw left.", "{count} throws left.", position.left, count=count)
        shows = gettext("No die lies there.")
        score = gettext("No score yet.")
        if roll:
            shows = gettext("The die shows {roll}.", roll=roll)
        if isinstance(awaited, Over):
            score = gettext("Score {score}.", score=roll)
        done = gettext("The {roll} is kept.", roll=roll)
        keep = Offer(KEEP, gettext("keep it"), done, takes=("die",), kind="keep")
        done = gettext("The die is thrown again.")
        again = Offer(AGAIN, gettext("throw again"), done, ("die",), "throw", 1)
        offers = (keep, again) if isinstance(awaited, Choose) else ()
        number = roll.total if roll else None
        die = Piece("die", Kind.DIE, str(roll), State.LYING, gettext("die"), sides=6, number=number)
        return Scene(
            says=(shows, left if offers else score) if roll else (),
            dice=shows,
            board=left,
            score=score,
            legal=legal(awaited, offers),
            pieces=(die,) if roll else (),
            offers=offers,
            ask=gettext("Keep it, or throw again?") if offers else "",
        )

    def card(self) -> RuleCard:
        """The rules in sentences, how a choice is typed, and the options: none."""
        throws = gettext("Throw one die, at most {most} times.", most=number_word(THROWS))
        lines = (throws, gettext("Keep a throw and it is your score."))
        return RuleCard("Three Throws", lines, gettext("Type keep or again."), options={})


def _not_open(choice: str) -> str:
    return gettext("{choice} is not open; type keep or again", choice=shown(str(choice)))


if __name__ == "__main__":
    from shutbox import SecretCup, Table
    from shutbox.term import Console, Session

    console = Console()
    while Session(Table(ThreeThrows(), SecretCup()), console).run():
        pass  # until the player has had enough
