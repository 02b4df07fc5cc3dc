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
from shutbox.engine.messages import gettext
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
    in_own_words,
    read_choice,
    read_position,
    refusal,
)
from shutbox.games.tray.scene import scene

_LINE = re.compile(r"([a-z]+)((?: [0-9]{0,2}d[0-9]{1,4}(?:-[0-9]{1,4})?| [0-9]{1,2})+| all)")
_DICE = re.compile("([0-9]{1,2}) (?:die|dices?)")
_KIND_AND_FACE = re.compile(r"[a-z]+ d[0-9]+ [0-9]+")  # of a single die


def split_line(position: TrayPosition, text: str) -> tuple[str, ...]:
    """Return, each as text, the changes that a line about several dice means; () for other lines.

    >>> tray = TrayPosition((Die(6, 3), Die(6, 5), Die(20, 17, held=True)))
    >>> split_line(tray, "hold 5 and 3"), split_line(tray, "hold all")
    (('hold 5', 'hold 3'), ('hold d6-3', 'hold d6-5'))
    >>> split_line(tray, "add 2d6+1d20")
    ('add d6', 'add d6', 'add d20')
    >>> split_line(tray, "hold 5"), split_line(tray, "free d20 17")
    ((), ())
    >>> split_line(tray, "6 dice"), split_line(tray, "one die")
    (('add d6', 'add d6', 'add d6'), ('remove d6-3', 'remove d6-5'))

    `6 dice` sets the number of dice: held dice and then the first ones stay, and new dice have six
    sides. A die that is held already is not held again. Raises IllegalChoice if `hold all` or
    `free all` fits no die, or if the tray already has this number.
    """
    line = in_own_words(text)
    if count := _DICE.fullmatch(line):
        return _to_reach(position, int(count[1]))
    match = _LINE.fullmatch(line)
    if match is None or _KIND_AND_FACE.fullmatch(line):
        return ()
    verb = next((verb for verb in Verb if verb.value.startswith(match[1])), Verb.THROW)
    if verb is Verb.THROW:
        return ()
    holds_or_frees = verb in (Verb.HOLD, Verb.FREE)
    if match[2] == " all":
        if not holds_or_frees:
            return ()
        changing = position.free if verb is Verb.HOLD else position.held
        dice = [die for die in changing if die.face]
        if not dice:
            raise refusal(position, Change(verb))
        return tuple(f"{verb.value} {Die(die.sides, die.face)}" for die in dice)
    words = match[2].split()
    return _change_each(verb, _not_yet(position, verb, words) if holds_or_frees else words)


def _not_yet(position: TrayPosition, verb: Verb, typed: list[str]) -> list[str]:
    """Return the typed dice without those that are already held, for HOLD, or free, for FREE.

    A face is left out if only dice in the wanted state show it. If no die would remain, return all
    that were typed, so that the first one is refused.
    """
    wanted, others = position.held, position.free
    if verb is Verb.FREE:
        wanted, others = others, wanted
    already = {str(die.face) for die in wanted} - {str(die.face) for die in others}
    return [word for word in typed if word not in already] or typed


def _to_reach(position: TrayPosition, number: int) -> tuple[str, ...]:
    """Return the text of each change that makes the tray have `number` dice (see `split_line`)."""
    if number == len(position.dice):
        says = counted("the tray has one die already", "the tray has {number} dice already", number)
        raise IllegalChoice(says, position)
    dice = position.dice
    last = sorted(range(len(dice)), key=lambda place: (dice[place].held, -place))
    places = sorted(last[: max(0, len(dice) - number)])
    gone = (Change(Verb.REMOVE, Die(dice[place].sides, dice[place].face)) for place in places)
    come = [Change(Verb.ADD, Die(6))] * (min(number, MOST_DICE + 1) - len(position.dice))
    return tuple(map(str, (*gone, *come)))


def _change_each(verb: Verb, typed: list[str]) -> tuple[str, ...]:
    """Return the change of each typed die as text, such as `add d6` twice for `2d6`.

    Return () for a single die that stands for one change already: the line itself is its text.
    """
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
class DiceTray:
    """The dice tray as a game without a score or an end; it begins with `dice`.

    >>> tray = DiceTray("tray", "Dice Tray", Dice.parse("2d6"))
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
        most_choices=1 + 2 * MOST_DICE + MOST_SIDES - 1, split_line=split_line
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
            raise refusal(position, choice)
        dice = list(position.dice)
        match choice:
            case Change(Verb.THROW):
                thrown = (die if die.held else Die(die.sides) for die in position.dice)
                return TrayPosition(tuple(thrown), throwing=True)
            case Change(Verb.ADD, Die() as die):
                dice.append(die)
            case Change(Verb.HOLD, Die() as die):
                dice[dice.index(die)] = Die(die.sides, die.face, held=True)
            case Change(Verb.FREE, Die() as die):
                dice[dice.index(Die(die.sides, die.face, held=True))] = die
            case Change(Verb.REMOVE, Die() as die):
                dice.remove(die if die in dice else Die(die.sides, die.face, held=True))
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
        # The offer to throw is shown with this text, so players type it, too.
        label = f"throw {dice_text(len(position.free))}"
        if " ".join(bounded(text, LONGEST_LINE).casefold().split()) == label:
            text = "throw"
        choice = read_choice(text, choices)
        if choice not in choices:
            raise refusal(position, choice)
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
        title = TRAYS.title(self.name, self.title, TrayRules(self.dice))
        return RuleCard(title, lines, typing, {"dice": str(self.dice)})


class TrayRules(NamedTuple):
    """The dice with which a tray begins: `tray(dice=2d6+1d20)`."""

    dice: Dice = Dice.of(2, 6)


TRAYS = Stanzas(
    file=Path(__file__).with_name("games.toml"),
    plain=TrayRules(),
    readers={"dice": Dice.parse},
    find_problems=lambda values: (),
    make=lambda name, title, rules: DiceTray(name, title, rules.dice),
    group=lambda source: "Dice tray",
)
"""The family of the tray, with one game."""
