"""Cargo as a game: throw, bank what the roll allows, then accept the cargo or throw it again.

Banking is not a choice. It never hurts the player, so it happens with the roll.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from math import comb, prod
from pathlib import Path

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import (
    Awaited,
    Choose,
    Over,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    open_choices,
    reads_positions,
    refusal_of_non_choice,
)
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.scene import Scene
from shutbox.engine.typed_text import bounded, own_word
from shutbox.games.cargo.position import (
    ABOARD,
    LONGEST_TEXT,
    Accept,
    CargoPosition,
    Choice,
    ThrowAgain,
    read_choice,
    read_position,
    read_typed,
)
from shutbox.games.cargo.rules import (
    CREW,
    READERS,
    SIDES,
    TYPING,
    CargoRules,
    Hold,
    card_lines,
    find_problems,
)
from shutbox.games.cargo.scene import scene
from shutbox.games.family import Stanzas
from shutbox.games.traits import Cost, Encoding, Feature, Traits, Typed

_throw = cache(lambda number: Throw(Dice.of(number, SIDES)))  # made once, for every position


@reads_positions("canonical")
@dataclass(frozen=True, repr=False)
class Cargo:
    """The game of Cargo (ship, captain, crew) under one set of rules.

    >>> cargo = Cargo("cargo", "Cargo", CargoRules())
    >>> position = cargo.rolled(cargo.start(), Roll((1, 2, 3, 4, 5, 6)))
    >>> [cargo.choice_text(choice) for choice in cargo.awaits(position).choices]
    ['accept', 'throw']

    Choices are in canonical order: accept, then fewest dice thrown again, lowest faces first.
    """

    name: str
    title: str = field(compare=False)
    rules: CargoRules = field(hash=False)

    def __repr__(self) -> str:
        return f"find({self.name!r})"

    @property
    def traits(self) -> Traits:
        """The facts for solvers, which ignore dice that go back into the cup (see `canonical`)."""
        each = self.rules.hold is Hold.EACH
        return Traits(
            most_choices=2**self.rules.cargo if each else 2,
            most_rolls=self.rules.dice.roll_count,
            most_positions=self._cost.positions,
            cost=lambda position: self._cost,
            canonical=self.canonical,
            encoding=self.encoding,
            lasting=True,
            waits=True,
            typed=Typed(
                gettext_noop("What is aboard, and how many throws are left? Enter begins a turn:"),
                gettext_noop("Type such as ship and captain, 3; or press Enter."),
                partial(read_typed, self.rules),
            ),
        )

    @property
    def _cost(self) -> Cost:
        """The cost of solving from the start, also given for later positions, which cost less."""
        cargo, rolls = self.rules.cargo, self.rules.rolls
        # Each number of rolls left, with 0 to 3 of the crew aboard, and each set of faces of all
        # dice: as many sets as there are ways to put equal dice into six heaps.
        positions = rolls * comb(len(self.rules.dice) + SIDES - 1, SIDES - 1) * (len(CREW) + 1)
        if self.rules.hold is Hold.EACH:
            kinds = [comb(number + SIDES - 1, SIDES - 1) for number in range(cargo + 1)]
            # The faces of some kept cargo dice with those of the others, and the cargo before a
            # choice, of which each of `2**cargo` selections can be thrown again.
            positions += rolls * sum(map(prod, zip(kinds, reversed(kinds), strict=True)))
            positions += rolls * kinds[-1] * 2**cargo
        # A position takes about 8 microseconds, and 300 bytes.
        return Cost(positions, positions * 8e-6, positions * 300)

    @property
    def longest(self) -> int:
        """An upper bound on the events of a turn: a choice is counted after every roll."""
        return 2 * self.rules.rolls

    @property
    def scoring(self) -> Scoring:
        """The range of scores: best is a six on each cargo die, worst is 0 without a crew."""
        return Scoring(best=SIDES * self.rules.cargo, worst=0)

    def start(self) -> CargoPosition:
        """Return the position with nothing aboard and all rolls left."""
        return CargoPosition(0, self.rules.rolls)

    def awaits(self, position: CargoPosition) -> Awaited[Choice]:
        """Return a throw, a choice once the crew is complete, or Over: accepted or no roll left."""
        if position.roll is None:
            return _throw(len(self.rules.dice) - position.aboard - len(position.kept))
        aboard, cargo = position.now
        complete = aboard == len(CREW)
        if not position.left:
            return Over((sum(cargo) if complete else 0,), shut=complete)
        if not complete:
            return _throw(len(cargo))
        if self.rules.hold is Hold.TOGETHER:
            return Choose((Accept(), ThrowAgain(())))
        numbers = range(1, len(cargo) + 1)
        some = (pips for number in numbers for pips in sorted(set(combinations(cargo, number))))
        return Choose((Accept(), *map(ThrowAgain, some)))

    def rolled(self, position: CargoPosition, roll: Roll) -> CargoPosition:
        """Return the position with this roll beside the kept cargo dice. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        kept = position.kept
        lying = Roll(tuple(sorted(kept + roll.pips))) if kept else roll
        return CargoPosition(position.now[0], position.left - 1, lying)

    def chosen(self, position: CargoPosition, choice: Choice) -> CargoPosition:
        """Return the position after a choice; accepting ends the turn. Raises IllegalChoice."""
        choices = open_choices(self.awaits(position), position)
        if choice not in choices:
            raise refusal(position, choices, choice)
        _, cargo = position.now
        if isinstance(choice, Accept):
            return CargoPosition(len(CREW), 0, Roll(cargo))
        kept = list(cargo) if choice.pips else []
        for face in choice.pips:
            kept.remove(face)
        return CargoPosition(len(CREW), position.left, kept=tuple(kept))

    def canonical(self, position: CargoPosition) -> CargoPosition:
        """Return the simplest position with the same future: dice that go back do not matter.

        >>> cargo = Cargo("cargo", "Cargo", CargoRules())
        >>> cargo.canonical(cargo.position_at("-/4/1+1+2+3+4+6"))
        CargoPosition(aboard=1, left=4, roll=None, kept=())
        """
        if position.roll is None:
            return position
        aboard, cargo = position.now
        if aboard < len(CREW) and position.left > 0:
            return CargoPosition(aboard, position.left)
        return CargoPosition(aboard, position.left, Roll(cargo))

    def position_id(self, position: CargoPosition) -> str:
        """Return crew, rolls left and dice: `-/5`, `6.5/3/1+2+4+4` or `6.5.4/2/6/2d` (a 6 kept)."""
        parts = [ABOARD[position.aboard], str(position.left)]
        if position.roll is not None:
            parts.append(str(position.roll))
        elif position.kept:
            thrown = self.rules.cargo - len(position.kept)
            parts += ["+".join(map(str, position.kept)), f"{thrown}d"]
        return "/".join(parts)

    def position_at(self, id: str) -> CargoPosition:
        """Parse a `position_id`. Raises NotUnderstood and ImpossiblePosition."""
        return read_position(self.rules, id)

    def choice_text(self, choice: Choice) -> str:
        """Return `accept` or `throw`, or `throw 1 3` if single dice can be held."""
        return str(choice)

    def parse_choice(self, position: CargoPosition, text: str) -> Choice:
        """Parse `a`, `th 1 3`, or `throw` for all cargo. Raises NotUnderstood and IllegalChoice."""
        choices = open_choices(self.awaits(position), position)
        if bounded(text, LONGEST_TEXT).casefold().split() == ["accept", str(sum(position.now[1]))]:
            return Accept()  # one of the choices at every position with choices
        choice = read_choice(text, position.now[1])
        if choice == ThrowAgain(()) and choice not in choices:
            choice = choices[-1]  # all dice: the last in canonical order
        if choice not in choices:
            raise refusal(position, choices, choice, text)
        return choice

    def scene(self, position: CargoPosition) -> Scene:
        """Return the scene at a position: the dice, the crew aboard, and the choices."""
        return scene(self.awaits(position), position)

    def card(self) -> RuleCard:
        """Return the rules in sentences."""
        lines, typing = card_lines(self.rules), gettext(TYPING[self.rules.hold])
        options = CARGOES.options(self.rules)
        # Translators: of dice that are a crew, where others say "shuts the box", "the box shut".
        shuts, shut = gettext("completes the crew"), gettext("the crew complete")
        # Translators: where other games say "shuts it"; it is the crew.
        shuts_it = pgettext("goal", "completes it")
        title = CARGOES.title(self.name, self.title, self.rules)
        return RuleCard(title, lines, typing, options, shuts=shuts, shuts_it=shuts_it, shut=shut)

    def encoding(self) -> Encoding:
        """Return the encoding, in which the dice on the table, and the kept dice, are ascending.

        A choice has a 1 in `accept`, or the number of dice of each face that are thrown again. To
        throw again under `Hold.TOGETHER`, where that means all dice, is all zeros.

        >>> cargo = Cargo("cargo", "Cargo", CargoRules())
        >>> [feature.name for feature in cargo.encoding().position]
        ['aboard', 'left', 'die_1', 'die_2', 'die_3', 'die_4', 'die_5', 'die_6']
        >>> cargo.encoding().of_position(cargo.position_at("6/4/1+2+2+4+5"))
        (1, 4, 1, 2, 2, 4, 5, 0)
        """
        rules = self.rules
        dice = (Feature(f"die_{n}", SIDES) for n in range(1, len(rules.dice) + 1))
        stay = (Feature(f"kept_{n}", SIDES) for n in range(1, self._most_kept + 1))
        thrown = (Feature(f"throw_{face}", rules.cargo) for face in range(1, SIDES + 1))
        position = (Feature("aboard", len(CREW)), Feature("left", rules.rolls), *dice, *stay)
        choice = (Feature("accept", 1), *thrown)
        return Encoding(position, choice, self._of_position, self._of_choice)

    @property
    def _most_kept(self) -> int:
        """The most cargo dice that stay when others are thrown, an upper bound."""
        return self.rules.cargo if self.rules.hold is Hold.EACH else 0

    def _of_position(self, position: CargoPosition) -> tuple[int, ...]:
        """Return a position as numbers: dice not on the table and places not in use are 0."""
        pips = () if position.roll is None else position.roll.pips
        dice = (*pips, *(0,) * (len(self.rules.dice) - len(pips)))
        stay = (*position.kept, *(0,) * (self._most_kept - len(position.kept)))
        return (position.aboard, position.left, *dice, *stay)

    def _of_choice(self, choice: Choice) -> tuple[int, ...]:
        """Return a choice as numbers: 1 in `accept`, or the dice of each face thrown again."""
        if isinstance(choice, Accept):
            return (1, *(0,) * SIDES)
        return (0, *(choice.pips.count(face) for face in range(1, SIDES + 1)))


def refusal(
    position: CargoPosition, choices: Sequence[Choice], choice: object, text: str = ""
) -> IllegalChoice:
    """Return the error that refuses `choice`, typed as `text`; it is none of the open `choices`."""
    if not isinstance(choice, Accept | ThrowAgain):
        return refusal_of_non_choice(choice, position)
    # The choice to throw all dice again is the last in canonical order.
    most = " ".join(map(own_word, str(choices[-1]).split()))
    facts = {"choice": shown(text or choice), "most": most}
    # Translators: {most} is a choice to type, such as throw 1 3.
    return IllegalChoice("{choice} is not a choice here; type accept or {most}", position, **facts)


CARGOES = Stanzas(
    file=Path(__file__).with_name("games.toml"),
    plain=CargoRules(),
    readers=READERS,
    find_problems=find_problems,
    make=Cargo,
    group=lambda source: "Cargo",
)
"""The family of the games of Cargo."""
