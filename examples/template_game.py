"""Three Throws: a small but complete game, to copy when you begin your own.

Throw one die, at most three times. After a throw you may keep it: the score is its pips. The third
throw always counts. docs/own-game.md explains this file. Run `python examples/template_game.py` to
play it.
"""

import re
from dataclasses import dataclass

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import capital, number_word, shown
from shutbox.engine.errors import IllegalChoice, ImpossiblePosition, NotUnderstood
from shutbox.engine.game import (
    Awaited,
    Choose,
    Over,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    open_choices,
)
from shutbox.engine.game_text import legal_text
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.scene import Kind, Offer, Piece, Scene, State
from shutbox.games.traits import Cost, Traits

THROWS = 3
DIE = Dice.parse("1d6")
KEEP, AGAIN = "keep", "again"  # choices: any frozen, hashable values; strings will do


@dataclass(frozen=True, slots=True)
class Position:
    """A position: only what the rules need to continue, without history, names or display."""

    left: int
    """The number of throws left. Keeping the die sets it to 0."""
    roll: Roll | None = None
    """The die on the table, or None before a throw."""


@dataclass(frozen=True)
class ThreeThrows:
    """The game. It is immutable: everything that changes is in the position."""

    name = "three-throws"
    longest = 2 * THROWS - 1  # events: a choice after each throw but the last
    scoring = Scoring(best=6, worst=1)
    # Facts about the game that solvers and the server need.
    traits = Traits(most_choices=2, cost=lambda position: Cost(39, 1e-4, 20_000))

    def start(self) -> Position:
        """Return the first position."""
        return Position(THROWS)

    def awaits(self, position: Position) -> Awaited[str]:
        """Return what must happen next: a throw, a choice, or nothing.

        Players and solvers use only this.
        """
        if position.roll is None:
            return Throw(DIE)
        if position.left:
            return Choose((KEEP, AGAIN))
        return Over((position.roll.total,), shut=position.roll.total == 6)

    def rolled(self, position: Position, roll: Roll) -> Position:
        """Return the position after a throw. The given position does not change."""
        check_roll(self.awaits(position), position, roll)
        return Position(position.left - 1, roll)

    def chosen(self, position: Position, choice: str) -> Position:
        """Return the position after a choice."""
        if choice not in open_choices(self.awaits(position), position):
            raise IllegalChoice(_not_open(choice), position)
        return Position(0, position.roll) if choice == KEEP else Position(position.left)

    def position_id(self, position: Position) -> str:
        """Return the position as text: `3` (before a throw), `2/5` (5 thrown), `0/5` (5 kept)."""
        return f"{position.left}/{position.roll}" if position.roll else f"{position.left}"

    def position_at(self, id: str) -> Position:
        """Parse a position. The text is untrusted, so limit it, and report all problems at once."""
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
        """Return the text of a choice, here the choice itself."""
        return choice

    def parse_choice(self, position: Position, text: str) -> str:
        """Parse a choice. Its first letters are enough."""
        word = text.strip().lower()
        for choice in open_choices(self.awaits(position), position):
            if word and choice.startswith(word):
                return choice
        problem = gettext("{text} is not understood; type keep or again", text=shown(text))
        raise NotUnderstood(problem)

    def scene(self, position: Position) -> Scene:
        """Return the scene: complete sentences first, then the pieces. See docs/hearing.md.

        Each sentence is one template, so that it can be translated as a whole.
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
            legal=legal_text(awaited, offers),
            pieces=(die,) if roll else (),
            offers=offers,
            ask=gettext("Keep it, or throw again?") if offers else "",
        )

    def card(self) -> RuleCard:
        """Return the rules in sentences, how to type a choice, and the options (none)."""
        throws = gettext("Throw one die, at most {most} times.", most=number_word(THROWS))
        lines = (throws, gettext("Keep a throw and it is your score."))
        return RuleCard("Three Throws", lines, gettext("Type keep or again."), options={})


def _not_open(choice: str) -> str:
    return gettext("{choice} is not open; type keep or again", choice=shown(str(choice)))


if __name__ == "__main__":
    from shutbox import Table
    from shutbox.engine.cups import SecretCup
    from shutbox.term import Console, Session

    console = Console()
    while Session(Table(ThreeThrows(), SecretCup()), console).run():
        pass  # until the player stops
