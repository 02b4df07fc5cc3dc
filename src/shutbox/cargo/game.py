"""Cargo as a game: throw, bank what the roll allows, then accept the cargo or throw it again.

Banking is not a choice, since it is never against the player: it happens with the roll.
"""

import re
from functools import cached_property
from itertools import combinations

from shutbox.cargo import scene
from shutbox.cargo.position import (
    Accept,
    Choice,
    Position,
    ThrowAgain,
    banked,
    read_position,
    write_position,
)
from shutbox.cargo.rules import CREW, SIDES, Hold, Rules
from shutbox.dice import Dice, Roll
from shutbox.errors import IllegalChoice, IllegalRoll, NotUnderstood
from shutbox.game import Choose, Over, RuleCard, Scoring, Throw
from shutbox.scene import Scene
from shutbox.words import shown


class Cargo:
    """The game of one set of rules.

    >>> cargo = Cargo("cargo", "Cargo", Rules())
    >>> position = cargo.rolled(cargo.start(), Roll((1, 2, 3, 4, 5, 6)))
    >>> [cargo.choice_text(choice) for choice in cargo.awaits(position).choices]
    ['accept', 'throw']

    Choices stand in canonical order: accept, then fewest dice thrown again, lowest faces first.
    """

    def __init__(self, name: str, title: str, rules: Rules) -> None:
        self.name = name
        self.title = title
        self.rules = rules

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    @cached_property
    def longest(self) -> int:
        """Every roll may be followed by a choice."""
        return 2 * self.rules.rolls

    @cached_property
    def scoring(self) -> Scoring:
        """Every cargo die shows a six, down to no crew."""
        return Scoring(best=SIDES * self.rules.cargo, worst=0)

    def start(self) -> Position:
        """Nothing aboard, all rolls left."""
        return Position(0, self.rules.rolls)

    def awaits(self, position: Position) -> Throw | Choose[Choice] | Over:
        """Throws until the crew is complete; then the choice, while a roll is left."""
        if position.roll is None:
            return Throw(self._dice(len(self.rules.dice) - position.aboard - len(position.kept)))
        aboard, cargo = banked(position.aboard, position.roll)
        complete = aboard == len(CREW)
        if not position.left:
            return Over((sum(cargo) if complete else 0,), shut=complete)
        if not complete:
            return Throw(self._dice(len(cargo)))
        return Choose((Accept(), *self._throws(cargo)))

    def _throws(self, cargo: tuple[int, ...]) -> list[ThrowAgain]:
        if self.rules.hold is Hold.TOGETHER:
            return [ThrowAgain(())]
        return [
            ThrowAgain(pips)
            for number in range(1, len(cargo) + 1)
            for pips in sorted(set(combinations(cargo, number)))
        ]

    def _dice(self, number: int) -> Dice:
        return Dice.of(number, SIDES)

    def rolled(self, position: Position, roll: Roll) -> Position:
        """The roll lies there, with the cargo dice that were kept."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Throw):
            raise IllegalRoll(f"the roll {roll} comes when no throw is due", position)
        try:
            awaited.dice.check(roll)
        except IllegalRoll as error:
            raise IllegalRoll(str(error), position) from None
        aboard = position.aboard
        if position.roll is not None:
            aboard, _ = banked(aboard, position.roll)
        return Position(aboard, position.left - 1, Roll(tuple(sorted(position.kept + roll.pips))))

    def chosen(self, position: Position, choice: Choice) -> Position:
        """Accepting gives up the rolls that are left."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Choose) or choice not in awaited.choices:
            raise IllegalChoice(self._refusal(awaited, choice), position)
        assert position.roll is not None  # a choice is only asked for where dice lie
        _, cargo = banked(position.aboard, position.roll)
        if isinstance(choice, Accept):
            return Position(len(CREW), 0, Roll(cargo))
        kept = list(cargo) if choice.pips else []
        for face in choice.pips:
            kept.remove(face)
        return Position(len(CREW), position.left, kept=tuple(kept))

    def _refusal(self, awaited: Throw | Choose[Choice] | Over, choice: Choice) -> str:
        match awaited:
            case Over():
                return "the turn is over; nothing can be chosen"
            case Throw(dice=dice):
                return f"{dice.words} are to be thrown; nothing can be chosen"
            case Choose(choices=choices):
                open_now = ", ".join(self.choice_text(c) for c in choices[:8])
                return f"{self.choice_text(choice)!r} is not open here; open: {open_now}"

    def position_id(self, position: Position) -> str:
        """Such as `-/5`, `6.5/3/1+2+4+4`, `6.5.4/2/6/2d`."""
        return write_position(self.rules, position)

    def position_at(self, id: str) -> Position:
        """The position of such a text."""
        return read_position(self.rules, id)

    def choice_text(self, choice: Choice) -> str:
        """`accept`, `throw`, or with single dice held `throw 1 3`."""
        if isinstance(choice, Accept):
            return "accept"
        return " ".join(["throw", *map(str, choice.pips)])

    def parse_choice(self, position: Position, text: str) -> Choice:
        """Words may be cut short: `a`, `th 1 3`. Where dice can be held, bare `throw` is all."""
        awaited = self.awaits(position)
        match = re.fullmatch(r"([a-z]*)((?:[\s,+]*[1-9])*)", text.strip().lower()[:200])
        word = match[1] if match else ""
        pips = tuple(sorted(int(face) for face in re.findall("[0-9]", match[2]))) if match else ()
        if match is None or not (word or pips):
            raise NotUnderstood(f"{shown(text)} is not understood; type accept or throw")
        choice: Choice
        if word and "accept".startswith(word) and not pips:
            choice = Accept()
        elif "throw".startswith(word):
            choice = ThrowAgain(pips)
        else:
            raise NotUnderstood(f"{shown(text)} is not understood; type accept or throw")
        if not isinstance(awaited, Choose):
            raise IllegalChoice(self._refusal(awaited, choice), position)
        if choice == ThrowAgain(()) and choice not in awaited.choices:
            choice = awaited.choices[-1]  # all of them: the last in canonical order
        if choice not in awaited.choices:
            raise IllegalChoice(self._refusal(awaited, choice), position)
        return choice

    def scene(self, position: Position) -> Scene:
        """The dice, what is aboard, and the choice."""
        return scene.scene(self, position)

    def card(self) -> RuleCard:
        """The rules in sentences."""
        return RuleCard(self.title, scene.card_lines(self.rules), self.rules.options)
