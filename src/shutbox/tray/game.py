"""The tray as a game that need never end: throw, hold, free, add and remove dice."""

import re
from functools import cached_property

from shutbox.dice import MOST_DICE, MOST_SIDES, Dice, Roll
from shutbox.errors import Ambiguous, IllegalChoice, IllegalRoll, NotUnderstood
from shutbox.game import Choose, Over, RuleCard, Throw
from shutbox.scene import Scene
from shutbox.tray import scene
from shutbox.tray.position import Change, Die, Position, Verb, read_position, write_position
from shutbox.words import listed, shown

_TYPED = re.compile(r"([a-z]+)?\s*(?:d([0-9]{1,4}))?\s*-?\s*([0-9]{1,4})?")
_FORMS = "throw, hold 5, free 5, add d20 or remove 5"


class Tray:
    """A tray that begins with these dice.

    >>> tray = Tray("tray", "Dice Tray", Dice.parse("2d6"))
    >>> position = tray.rolled(tray.start(), Roll((3, 5)))
    >>> position = tray.chosen(position, tray.parse_choice(position, "hold 5"))
    >>> tray.position_id(position)
    'd6-3.d6-5h'

    Choices stand in canonical order: throw, hold, free, remove (lowest die first), add.
    """

    longest: int | None = None
    scoring = None

    def __init__(self, name: str, title: str, dice: Dice) -> None:
        self.name = name
        self.title = title
        self.dice = dice

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    def start(self) -> Position:
        """Every die is about to be thrown."""
        return Position(tuple(map(Die, self.dice.sides)), throwing=True)

    def awaits(self, position: Position) -> Throw | Choose[Change] | Over:
        """A throw of the dice that are not held, or whatever is done next."""
        if position.throwing:
            return Throw(Dice(tuple(die.sides for die in position.free)))
        held = {Die(die.sides, die.face) for die in position.dice if die.held}
        free = {Die(die.sides, die.face) for die in position.free}
        changes = [Change(Verb.THROW)] if free else []
        changes += (Change(Verb.HOLD, die) for die in sorted(free) if die.face)
        changes += (Change(Verb.FREE, die) for die in sorted(held))
        if len(position.dice) > 1:
            changes += (Change(Verb.REMOVE, die) for die in sorted(free | held))
        if len(position.dice) < MOST_DICE:
            changes += self._additions
        return Choose(tuple(changes))

    @cached_property
    def _additions(self) -> tuple[Change, ...]:
        return tuple(Change(Verb.ADD, Die(sides)) for sides in range(2, MOST_SIDES + 1))

    def rolled(self, position: Position, roll: Roll) -> Position:
        """The dice that were not held show the roll."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Throw):
            raise IllegalRoll(f"the roll {roll} comes when no throw is due", position)
        try:
            awaited.dice.check(roll)
        except IllegalRoll as error:
            raise IllegalRoll(str(error), position) from None
        held = [die for die in position.dice if die.held]
        thrown = map(Die, awaited.dice.sides, roll.pips)
        return Position(tuple(sorted([*held, *thrown])))

    def chosen(self, position: Position, choice: Change) -> Position:
        """One thing is done; of equal dice it does not matter which."""
        awaited = self.awaits(position)
        if not isinstance(awaited, Choose) or choice not in awaited.choices:
            raise IllegalChoice(self._refusal(position, choice), position)
        dice = list(position.dice)
        match choice:
            case Change(Verb.THROW):
                return Position(position.dice, throwing=True)
            case Change(Verb.ADD, Die() as die):
                dice.append(die)
            case Change(verb, Die() as die):
                held = Die(die.sides, die.face, held=True)
                leaving = held if verb is Verb.FREE or die not in dice else die
                dice.remove(leaving)
                if verb is not Verb.REMOVE:
                    dice.append(held if verb is Verb.HOLD else die)
        return Position(tuple(sorted(dice)))

    def _refusal(self, position: Position, choice: Change) -> str:
        if position.throwing:
            return "the dice are being thrown; nothing can be chosen"
        if choice.verb is Verb.ADD:
            if len(position.dice) >= MOST_DICE:
                return f"the tray is full; it holds at most {MOST_DICE} dice"
            return f"{self.choice_text(choice)!r} is not open; dice have 2 to {MOST_SIDES} sides"
        if choice.verb is Verb.THROW:
            return "every die is held; free one before you throw"
        if choice.verb is Verb.REMOVE and len(position.dice) == 1:
            return "the last die stays in the tray"
        which = {Verb.HOLD: "free", Verb.FREE: "held"}.get(choice.verb, "here")
        return f"no such die is {which}: {choice.die}; the dice are {scene.lying(position)}"

    def position_id(self, position: Position) -> str:
        """Such as `d6-3.d6-5h.d20-17`, and `/2d` where two are about to be thrown."""
        return write_position(position)

    def position_at(self, id: str) -> Position:
        """The position of such a text."""
        return read_position(id)

    def choice_text(self, choice: Change) -> str:
        """`throw`, `hold d6-5`, `free d6-5`, `add d20`, `remove d6-5`."""
        return choice.verb.value if choice.die is None else f"{choice.verb.value} {choice.die}"

    def parse_choice(self, position: Position, text: str) -> Change:
        """Verbs may be cut short and kinds left out where only one die fits: `h 5`.

        A number alone holds a free die that shows it.
        """
        match = _TYPED.fullmatch(text.strip().lower()) if len(text) <= 100 else None
        if match is None or not any(match.groups()):
            raise NotUnderstood(f"{shown(text)} is not understood; type {_FORMS}")
        word, sides, face = match[1], int(match[2] or 0), int(match[3] or 0)
        verb = self._verb(word or "hold", text)
        if verb is Verb.ADD and not sides:
            sides, face = face or 6, 0
        if self._says_too_much(verb, sides, face):
            raise NotUnderstood(f"{shown(text)} is not understood; type {_FORMS}")
        if verb in (Verb.THROW, Verb.ADD):
            choice = Change(verb, Die(sides) if verb is Verb.ADD else None)
        else:
            choice = self._meant(position, verb, sides, face, text)
        awaited = self.awaits(position)
        if not isinstance(awaited, Choose) or choice not in awaited.choices:
            raise IllegalChoice(self._refusal(position, choice), position)
        return choice

    @staticmethod
    def _verb(word: str, text: str) -> Verb:
        for verb in Verb:
            if verb.value.startswith(word):
                return verb
        raise NotUnderstood(f"{shown(text)} is not understood; type {_FORMS}")

    @staticmethod
    def _says_too_much(verb: Verb, sides: int, face: int) -> bool:
        return bool((verb is Verb.THROW and (sides or face)) or (verb is Verb.ADD and face))

    def _meant(self, position: Position, verb: Verb, sides: int, face: int, text: str) -> Change:
        """The one change that fits the kind and the face typed, either of which may be left out."""
        awaited = self.awaits(position)
        open_changes = awaited.choices if isinstance(awaited, Choose) else ()
        fitting = [
            change
            for change in open_changes
            if change.verb is verb
            and change.die is not None
            and sides in (0, change.die.sides)
            and (face == change.die.face or (not face and (not sides or not change.die.face)))
        ]
        if len(fitting) > 1:
            readings = tuple(map(self.choice_text, fitting))
            raise Ambiguous(
                f"{shown(text)} can mean {listed(readings, last='or')}; say which", readings
            )
        return fitting[0] if fitting else Change(verb, Die(sides or 6, face))

    def scene(self, position: Position) -> Scene:
        """The dice, and what can be done."""
        return scene.scene(self, position)

    def card(self) -> RuleCard:
        """What the tray is for."""
        return RuleCard(self.title, scene.card_lines(self.dice), {"dice": str(self.dice)})
