"""The tray as a game without an end: throw, hold, free, add and remove dice.

A typed line can stand for several changes, which are made one after another.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple

from shutbox.engine.dice import MOST_DICE, MOST_SIDES, Dice, Roll, dice_meant
from shutbox.engine.english import counted
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import (
    Awaited,
    Choose,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    open_choices,
    reads_positions,
)
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.scene import Scene
from shutbox.engine.typed_text import bounded, dice_text
from shutbox.games.family import Stanzas
from shutbox.games.traits import Traits
from shutbox.games.tray.position import (
    LONGEST_LINE,
    Change,
    Die,
    TrayPosition,
    Verb,
    line_of,
    read_choice,
    read_position,
    refused,
    scene,
)

_LINE = re.compile(r"([a-z]+)((?: [0-9]{0,2}d[0-9]{1,4}(?:-[0-9]{1,4})?| [0-9]{1,2})+| all)")
_DICE = re.compile("([0-9]{1,2}) (?:die|dices?)")
_KIND_AND_FACE = re.compile(r"[a-z]+ d[0-9]+ [0-9]+")  # of a single die


def several(position: TrayPosition, text: str) -> tuple[str, ...]:
    """Return, each as text, the changes that a line about several dice means; () for other lines.

    >>> tray = TrayPosition((Die(6, 3), Die(6, 5), Die(20, 17, held=True)))
    >>> several(tray, "hold 5 and 3"), several(tray, "hold all")
    (('hold 5', 'hold 3'), ('hold d6-3', 'hold d6-5'))
    >>> several(tray, "add 2d6+1d20"), several(tray, "hold 5"), several(tray, "free d20 17")
    (('add d6', 'add d6', 'add d20'), (), ())
    >>> several(tray, "6 dice"), several(tray, "one die")
    (('add d6', 'add d6', 'add d6'), ('remove d6-3', 'remove d6-5'))

    `6 dice` sets the number of dice: held dice and then the first ones stay, and new dice have six
    sides. A die that is held already is not held again. Raises IllegalChoice if `hold all` or
    `free all` fits no die, or if the tray already has this number.
    """
    line = line_of(text)
    if count := _DICE.fullmatch(line):
        return _so_many(position, int(count[1]))
    match = _LINE.fullmatch(line)
    if match is None or _KIND_AND_FACE.fullmatch(line):
        return ()
    verb = next((verb for verb in Verb if verb.value.startswith(match[1])), Verb.THROW)
    if verb is Verb.THROW:
        return ()
    if match[2] == " all":
        held = {Verb.HOLD: False, Verb.FREE: True}.get(verb)
        dice = [d for d in position.dice if d.held == held and d.face]
        if held is not None and not dice:
            raise refused(position, Change(verb))
        return tuple(f"{verb.value} {Die(die.sides, die.face)}" for die in dice)
    typed, there = match[2].split(), {Verb.HOLD: True, Verb.FREE: False}.get(verb)
    faces = [{str(d.face) for d in position.dice if d.held == held} for held in (there, not there)]
    open_ = [one for one in typed if one not in faces[0] - faces[1]]
    return _each(verb, open_ if there is not None and open_ else typed)


def _so_many(position: TrayPosition, number: int) -> tuple[str, ...]:
    """Return the text of each change that makes the tray have `number` dice (see `several`)."""
    if number == len(position.dice):
        says = counted("the tray has one die already", "the tray has {number} dice already", number)
        raise IllegalChoice(says, position)
    dice = position.dice
    last = sorted(range(len(dice)), key=lambda place: (dice[place].held, -place))
    places = sorted(last[: max(0, len(dice) - number)])
    gone = (Change(Verb.REMOVE, Die(dice[place].sides, dice[place].face)) for place in places)
    come = [Change(Verb.ADD, Die(6))] * (min(number, MOST_DICE + 1) - len(position.dice))
    return tuple(map(str, (*gone, *come)))


def _each(verb: Verb, typed: list[str]) -> tuple[str, ...]:
    """Return each change as text, such as `add d6` twice for `2d6`; () if typed as one change."""
    dice: list[str] = []
    for die in typed:
        number, _, kind = die.partition("d")
        if verb is Verb.ADD and number and kind and "-" not in kind:
            # One die more than the tray holds is enough for a refusal.
            dice += [f"d{kind}"] * min(int(number), MOST_DICE + 1)
        else:
            dice.append(die)
    return tuple(f"{verb.value} {die}" for die in dice) if dice != typed or len(dice) > 1 else ()


_ADDITIONS = tuple(Change(Verb.ADD, Die(sides)) for sides in range(2, MOST_SIDES + 1))


@reads_positions()
@dataclass(frozen=True, repr=False)
class Tray:
    """The dice tray as a game without a score or an end; it begins with `dice`.

    >>> tray = Tray("tray", "Dice Tray", Dice.parse("2d6"))
    >>> position = tray.rolled(tray.start(), Roll((3, 5)))
    >>> position = tray.chosen(position, tray.parse_choice(position, "hold 5"))
    >>> tray.position_id(position)
    'd6-3.d6-5h'

    Choices are in canonical order: throw, hold, free, remove (lowest die first), add.
    """

    name: str
    title: str = field(compare=False)
    dice: Dice = field(hash=False)
    longest: ClassVar[int | None] = None
    scoring: ClassVar[Scoring | None] = None
    traits: ClassVar[Traits] = Traits(
        most_choices=1 + 2 * MOST_DICE + MOST_SIDES - 1, several=several
    )
    """`most_choices`: a throw, two changes a die (hold or free, remove), and each kind to add."""

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    def start(self) -> TrayPosition:
        """Return the tray with every die about to be thrown."""
        return TrayPosition(tuple(map(Die, dice_meant(self.dice).sides)), throwing=True)

    def awaits(self, position: TrayPosition) -> Awaited[Change]:
        """Return a throw of the dice that are not held, or a choice of changes; never Over."""
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
        """Return the tray with a roll on its free dice, each kind ascending. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        faces = defaultdict[int, list[int]](list)
        kinds = sorted(die.sides for die in position.free)  # the order of a roll
        for sides, face in zip(kinds, roll.pips, strict=True):
            faces[sides].append(face)
        each = (d if d.held else Die(d.sides, faces[d.sides].pop(0)) for d in position.dice)
        return TrayPosition(tuple(each))

    def chosen(self, position: TrayPosition, choice: Change) -> TrayPosition:
        """Return the tray after one change. Raises IllegalChoice.

        Of equal dice the first one changes; REMOVE takes a free die before an equal held one.
        """
        choices = open_choices(self.awaits(position), position)
        if choice not in choices:
            raise refused(position, choice)
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
        """Return a text such as `d6-3.d6-5h.d20-17`, with `/2d` if two are about to be thrown."""
        return str(position)

    def position_at(self, id: str) -> TrayPosition:
        """Parse a `position_id`. Raises NotUnderstood and ImpossiblePosition."""
        return read_position(id)

    def choice_text(self, choice: Change) -> str:
        """Return `throw`, or a text such as `hold d6-5`, `free d6-5`, `add d20`, `remove d6-5`."""
        return str(choice)

    def parse_choice(self, position: TrayPosition, text: str) -> Change:
        """Parse a change. Verbs can be shortened, and kinds left out if only one die fits: `h 5`.

        A number alone holds a free die that shows it. Raises NotUnderstood, Ambiguous (dice of
        several kinds fit) and IllegalChoice (it is not open, or the dice are due).
        """
        choices = open_choices(self.awaits(position), position)
        if (
            " ".join(bounded(text, LONGEST_LINE).casefold().split())
            == f"throw {dice_text(len(position.free))}"
        ):
            text = "throw"
        choice = read_choice(text, choices)
        if choice not in choices:
            raise refused(position, choice)
        return choice

    def scene(self, position: TrayPosition) -> Scene:
        """Return the scene of the dice, which offers the changes that can be made now."""
        return scene(self.awaits(position), position)

    def card(self) -> RuleCard:
        """Return the card, which says what the tray is for and how to use it."""
        lines = (
            gettext("The tray begins with these dice: {dice}.", dice=self.dice),
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


class TrayRules(NamedTuple):
    """The dice with which a tray begins: `tray(dice=2d6+1d20)`."""

    dice: Dice = Dice.of(2, 6)


TRAYS = Stanzas(
    Path(__file__).with_name("games.toml"),
    TrayRules(),
    {"dice": Dice.parse},
    lambda values: (),
    gettext_noop("{key} is not an option; it is {keys}"),
    lambda name, title, rules: Tray(name, title, rules.dice),
    lambda source: "Dice tray",
)
"""The family of the tray, with one game."""
