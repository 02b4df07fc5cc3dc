"""Cargo as a game: throw, bank what the roll allows, then accept the cargo or throw it again.

Banking is not a choice. It never hurts the player, so it happens with the roll.
"""

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import comb, prod
from pathlib import Path

from shutbox.dice import Dice, Roll
from shutbox.game import Awaited, Choose, Over, RuleCard, Scoring, Throw, check_roll, open_choices
from shutbox.games.cargo.position import (
    ABOARD,
    LONGEST_TEXT,
    Accept,
    CargoPosition,
    Choice,
    ThrowAgain,
    read_choice,
    read_position,
    refused,
    scene,
)
from shutbox.games.cargo.rules import (
    CREW,
    READERS,
    SIDES,
    TYPING,
    CargoRules,
    Hold,
    card_lines,
    mistakes,
)
from shutbox.games.family import Stanzas
from shutbox.games.traits import Cost, Encoding, Feature, SheetKind, Traits
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Scene
from shutbox.typed_text import bounded

_dice = cache(lambda number: Dice.of(number, SIDES))  # made once: every position asks for them


@dataclass(frozen=True, repr=False)
class Cargo:
    """The game with one set of rules.

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
        """The traits of Cargo. Solvers ignore dice that go back into the cup (see `alike`)."""
        each = self.rules.hold is Hold.EACH
        return Traits(
            most_choices=2**self.rules.cargo if each else 2,
            most_rolls=self.rules.dice.different,
            most_positions=self._cost.positions,
            cost=lambda position: self._cost,
            alike=self.alike,
            encoding=self.encoding,
            sheet=SheetKind.ACCEPT,
            lasting=True,
            waits=True,
        )

    @property
    def _cost(self) -> Cost:
        """The cost from the start, also given for later positions, which cost less."""
        cargo, rolls = self.rules.cargo, self.rules.rolls
        positions = rolls * comb(len(self.rules.dice) + SIDES - 1, SIDES - 1) * 4
        if self.rules.hold is Hold.EACH:
            kinds = [comb(number + SIDES - 1, SIDES - 1) for number in range(cargo + 1)]
            positions += rolls * sum(map(prod, zip(kinds, reversed(kinds), strict=True)))
            positions += rolls * kinds[-1] * 2**cargo
        return Cost(positions, positions * 8e-6, positions * 300)

    @property
    def longest(self) -> int:
        """The most events: a choice can follow each roll."""
        return 2 * self.rules.rolls

    @property
    def scoring(self) -> Scoring:
        """The range of scores, from a six on each cargo die to no crew."""
        return Scoring(best=SIDES * self.rules.cargo, worst=0)

    def start(self) -> CargoPosition:
        """Return the position with nothing aboard and all rolls left."""
        return CargoPosition(0, self.rules.rolls)

    def awaits(self, position: CargoPosition) -> Awaited[Choice]:
        """Return a throw until the crew is complete, then a choice after a roll; finally Over."""
        if position.roll is None:
            number = len(self.rules.dice) - position.aboard - len(position.kept)
            return Throw(_dice(number))
        aboard, cargo = position.now
        complete = aboard == len(CREW)
        if not position.left:
            return Over((sum(cargo) if complete else 0,), shut=complete)
        if not complete:
            return Throw(_dice(len(cargo)))
        if self.rules.hold is Hold.TOGETHER:
            return Choose((Accept(), ThrowAgain(())))
        numbers = range(1, len(cargo) + 1)
        some = (pips for number in numbers for pips in sorted(set(combinations(cargo, number))))
        return Choose((Accept(), *map(ThrowAgain, some)))

    def rolled(self, position: CargoPosition, roll: Roll) -> CargoPosition:
        """Return the position with this roll beside the kept cargo dice. Raises IllegalRoll."""
        check_roll(self.awaits(position), position, roll)
        aboard, _ = position.now
        lying = Roll(tuple(sorted(position.kept + roll.pips)))
        return CargoPosition(aboard, position.left - 1, lying)

    def chosen(self, position: CargoPosition, choice: Choice) -> CargoPosition:
        """Return the position after a choice. Accepting gives up the rolls that are left.

        Raises IllegalChoice.
        """
        choices = open_choices(self.awaits(position), position)
        if choice not in choices:
            raise refused(position, choices, choice)
        _, cargo = position.now
        if isinstance(choice, Accept):
            return CargoPosition(len(CREW), 0, Roll(cargo))
        kept = list(cargo) if choice.pips else []
        for face in choice.pips:
            kept.remove(face)
        return CargoPosition(len(CREW), position.left, kept=tuple(kept))

    def alike(self, position: CargoPosition) -> CargoPosition:
        """Return the simplest position with the same future: dice that go back do not matter.

        >>> cargo = Cargo("cargo", "Cargo", CargoRules())
        >>> cargo.alike(cargo.position_at("-/4/1+1+2+3+4+6"))
        CargoPosition(aboard=1, left=4, roll=None, kept=())
        """
        if position.roll is None:
            return position
        aboard, cargo = position.now
        goes_back = aboard < len(CREW) and position.left > 0
        return CargoPosition(aboard, position.left, None if goes_back else Roll(cargo))

    def position_id(self, position: CargoPosition) -> str:
        """Return a text such as `-/5`, `6.5/3/1+2+4+4` or `6.5.4/2/6/2d`."""
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
        """Parse a choice. Words can be shortened: `a`, `th 1 3`. Bare `throw` throws all cargo.

        Raises NotUnderstood and IllegalChoice.
        """
        choices = open_choices(self.awaits(position), position)
        if bounded(text, LONGEST_TEXT).casefold().split() == ["accept", str(sum(position.now[1]))]:
            return Accept()  # one of the choices at every position with choices
        choice = read_choice(text)
        if choice == ThrowAgain(()) and choice not in choices:
            choice = choices[-1]  # all dice: the last in canonical order
        if choice not in choices:
            raise refused(position, choices, choice)
        return choice

    def scene(self, position: CargoPosition) -> Scene:
        """Return the dice, the crew aboard, and the choice."""
        return scene(self.awaits(position), position)

    def card(self) -> RuleCard:
        """Return the rules in sentences."""
        lines, typing = card_lines(self.rules), gettext(TYPING[self.rules.hold])
        options = CARGOES.options(self.rules)
        shuts, shut = gettext("completes the crew"), gettext("the crew complete")
        return RuleCard(self.title, lines, typing, options, shuts=shuts, shut=shut)

    def encoding(self) -> Encoding:
        """Return the encoding of Cargo, with the dice on the table and the kept dice ascending.

        A choice has a 1 in `accept`, or the number of dice of each face that are thrown again. If
        all dice are thrown together, every number is 0.

        >>> cargo = Cargo("cargo", "Cargo", CargoRules())
        >>> [feature.name for feature in cargo.encoding().position]
        ['aboard', 'left', 'die_1', 'die_2', 'die_3', 'die_4', 'die_5', 'die_6']
        >>> cargo.encoding().of_position(cargo.position_at("6/4/1+2+2+4+5"))
        (1, 4, 1, 2, 2, 4, 5, 0)
        """
        rules = self.rules
        dice = (Feature(f"die_{n}", SIDES) for n in range(1, len(rules.dice) + 1))
        stay = (Feature(f"kept_{n}", SIDES) for n in range(1, self._most_kept + 1))
        again = (Feature(f"throw_{face}", rules.cargo) for face in range(1, SIDES + 1))
        position = (Feature("aboard", len(CREW)), Feature("left", rules.rolls), *dice, *stay)
        choice = (Feature("accept", 1), *again)
        return Encoding(position, choice, self._of_position, self._of_choice)

    @property
    def _most_kept(self) -> int:
        return self.rules.cargo if self.rules.hold is Hold.EACH else 0

    def _of_position(self, position: CargoPosition) -> tuple[int, ...]:
        pips = () if position.roll is None else position.roll.pips
        dice = (*pips, *(0,) * (len(self.rules.dice) - len(pips)))
        stay = (*position.kept, *(0,) * (self._most_kept - len(position.kept)))
        return (position.aboard, position.left, *dice, *stay)

    def _of_choice(self, choice: Choice) -> tuple[int, ...]:
        if isinstance(choice, Accept):
            return (1, *(0,) * SIDES)
        return (0, *(choice.pips.count(face) for face in range(1, SIDES + 1)))


CARGOES = Stanzas(
    Path(__file__).with_name("games.toml"),
    CargoRules(),
    READERS,
    mistakes,
    gettext_noop("{key} is not a rule of Cargo; the rules are {keys}"),
    Cargo,
    lambda source: "Cargo",
)
"""The family of Cargo and its traditional form."""
