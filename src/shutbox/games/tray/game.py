"""The tray as a game that need never end: throw, hold, free, add and remove dice."""

from dataclasses import dataclass, field
from typing import ClassVar

from shutbox.dice import MOST_DICE, MOST_SIDES, Dice, Roll
from shutbox.game import Awaited, Choose, RuleCard, Scoring, Throw, check_roll, open_choices
from shutbox.games.traits import Traits
from shutbox.games.tray import scene
from shutbox.games.tray.position import (
    Change,
    Die,
    TrayPosition,
    Verb,
    read_choice,
    read_position,
    write_position,
)
from shutbox.games.tray.several import several
from shutbox.messages import gettext
from shutbox.scene import Scene
from shutbox.typed_text import dice_text

_ADDITIONS = tuple(Change(Verb.ADD, Die(sides)) for sides in range(2, MOST_SIDES + 1))


@dataclass(frozen=True, repr=False)
class Tray:
    """A tray that begins with these dice.

    >>> tray = Tray("tray", "Dice Tray", Dice.parse("2d6"))
    >>> position = tray.rolled(tray.start(), Roll((3, 5)))
    >>> position = tray.chosen(position, tray.parse_choice(position, "hold 5"))
    >>> tray.position_id(position)
    'd6-3.d6-5h'

    Choices stand in canonical order: throw, hold, free, remove (lowest die first), add.
    """

    name: str
    title: str = field(compare=False)
    dice: Dice = field(hash=False)
    longest: ClassVar[int | None] = None
    scoring: ClassVar[Scoring | None] = None
    traits: ClassVar[Traits] = Traits(
        most_choices=1 + 2 * MOST_DICE + MOST_SIDES - 1, several=several
    )
    """A throw, one thing and its removal for each die, and every die that can be added."""

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    def start(self) -> TrayPosition:
        """Every die is about to be thrown."""
        return TrayPosition(tuple(map(Die, self.dice.sides)), throwing=True)

    def awaits(self, position: TrayPosition) -> Awaited[Change]:
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
            changes += _ADDITIONS
        return Choose(tuple(changes))

    def rolled(self, position: TrayPosition, roll: Roll) -> TrayPosition:
        """The dice that were not held show the roll, each kind ascending in its places."""
        check_roll(self.awaits(position), position, roll)
        kinds = sorted(die.sides for die in position.free)  # the order of a roll
        faces: dict[int, list[int]] = {sides: [] for sides in kinds}
        for sides, face in zip(kinds, roll.pips, strict=True):
            faces[sides].append(face)
        thrown = (
            die if die.held else Die(die.sides, faces[die.sides].pop(0)) for die in position.dice
        )
        return TrayPosition(tuple(thrown))

    def chosen(self, position: TrayPosition, choice: Change) -> TrayPosition:
        """One thing is done; of equal dice to the first."""
        choices = open_choices(self.awaits(position), position)
        if choice not in choices:
            raise scene.refused(position, choice)
        dice = list(position.dice)
        match choice:
            case Change(Verb.THROW):
                thrown = (die if die.held else Die(die.sides) for die in position.dice)
                return TrayPosition(tuple(thrown), throwing=True)
            case Change(Verb.ADD, Die() as die):
                dice.append(die)
            case Change(verb, Die() as die):
                held = Die(die.sides, die.face, held=True)
                leaving = held if verb is Verb.FREE or die not in dice else die
                place = dice.index(leaving)
                dice[place : place + 1] = (
                    [] if verb is Verb.REMOVE else [held if verb is Verb.HOLD else die]
                )
        return TrayPosition(tuple(dice))

    def position_id(self, position: TrayPosition) -> str:
        """Such as `d6-3.d6-5h.d20-17`, and `/2d` where two are about to be thrown."""
        return write_position(position)

    def position_at(self, id: str) -> TrayPosition:
        """The position of such a text."""
        return read_position(id)

    def choice_text(self, choice: Change) -> str:
        """`throw`, `hold d6-5`, `free d6-5`, `add d20`, `remove d6-5`."""
        return str(choice)

    def parse_choice(self, position: TrayPosition, text: str) -> Change:
        """Verbs may be cut short and kinds left out where only one die fits: `h 5`.

        A number alone holds a free die that shows it.
        """
        choices = open_choices(self.awaits(position), position)
        if " ".join(text.casefold().split()) == f"throw {dice_text(len(position.free))}":
            text = "throw"
        choice = read_choice(text, choices)
        if choice not in choices:
            raise scene.refused(position, choice)
        return choice

    def scene(self, position: TrayPosition) -> Scene:
        """The dice, and what can be done."""
        return scene.scene(self.awaits(position), position)

    def card(self) -> RuleCard:
        """What the tray is for."""
        lines = (
            gettext("The tray begins with {dice}.", dice=self.dice.words),
            gettext(
                "Hold any dice by their faces, throw the rest, and free them again; you hear the "
                "total."
            ),
            gettext(
                "Add dice of 2 to {sides} sides, up to {most} dice, or remove any but the last.",
                sides=MOST_SIDES,
                most=MOST_DICE,
            ),
            gettext("There is no score and no end."),
        )
        typing = gettext(
            "Type throw, hold 5, free 5, add d20 or remove 5; several at once are hold 5 6, "
            "hold all, free all or add 2d6. Enter throws."
        )
        return RuleCard(self.title, lines, typing, {"dice": str(self.dice)})
