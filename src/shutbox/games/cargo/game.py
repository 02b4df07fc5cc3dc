"""Cargo as a game: throw, bank what the roll allows, then accept the cargo or throw it again.

Banking is not a choice. It never hurts the player, so it happens with the roll. The functions below
the class `Cargo` make the scene of a position.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from math import comb, prod
from pathlib import Path

from shutbox.engine.dice import Dice, Roll, throw_words
from shutbox.engine.english import capital, counted, listed, shown
from shutbox.engine.errors import IllegalChoice
from shutbox.engine.game import (
    Awaited,
    Choose,
    Over,
    RuleCard,
    Scoring,
    Throw,
    check_roll,
    legal,
    not_a_choice,
    open_choices,
    reads_positions,
    score_text,
)
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.scene import THROW_AGAIN, Offer, Piece, Scene, die_piece
from shutbox.engine.typed_text import bounded
from shutbox.games.cargo.rules import (
    ABOARD,
    CREW,
    LONGEST_TEXT,
    READERS,
    SIDES,
    TYPING,
    Accept,
    CargoPosition,
    CargoRules,
    Choice,
    Hold,
    ThrowAgain,
    card_lines,
    mistakes,
    read_choice,
    read_position,
    read_typed,
)
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
            most_rolls=self.rules.dice.different,
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
        positions = rolls * comb(len(self.rules.dice) + SIDES - 1, SIDES - 1) * 4
        if self.rules.hold is Hold.EACH:
            kinds = [comb(number + SIDES - 1, SIDES - 1) for number in range(cargo + 1)]
            positions += rolls * sum(map(prod, zip(kinds, reversed(kinds), strict=True)))
            positions += rolls * kinds[-1] * 2**cargo
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
            raise refused(position, choices, choice)
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
            raise refused(position, choices, choice, text)
        return choice

    def scene(self, position: CargoPosition) -> Scene:
        """Return the scene at a position: the dice, the crew aboard, and the choices."""
        return scene(self.awaits(position), position)

    def card(self) -> RuleCard:
        """Return the rules in sentences."""
        lines, typing = card_lines(self.rules), gettext(TYPING[self.rules.hold])
        options = CARGOES.options(self.rules)
        shuts, shut = gettext("completes the crew"), gettext("the crew complete")
        again = pgettext("goal", "completes it")
        return RuleCard(self.title, lines, typing, options, shuts=shuts, shuts_it=again, shut=shut)

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
"""The family of the games of Cargo."""


# The scene


def refused(
    position: CargoPosition, choices: Sequence[Choice], choice: object, text: str = ""
) -> IllegalChoice:
    """Return the error that refuses `choice`, typed as `text`; it is none of the open `choices`."""
    if not isinstance(choice, Accept | ThrowAgain):
        return not_a_choice(choice, position)
    # The choice to throw all dice again is the last in canonical order.
    facts = {"choice": shown(text or choice), "most": choices[-1]}
    if len(choices) > 2:
        return IllegalChoice(
            "{choice} is not a choice here; type accept, or {most} or fewer of them",
            position,
            **facts,
        )
    return IllegalChoice("{choice} is not a choice here; type accept or {most}", position, **facts)


def scene(awaited: Awaited[Choice], position: CargoPosition) -> Scene:
    """Return the scene at a position of Cargo; `awaited` is what the position awaits."""
    aboard, cargo = position.now
    choices = awaited.choices if isinstance(awaited, Choose) else ()
    offers = tuple(_offer(choice, cargo) for choice in choices)
    points = sum(cargo) if aboard == len(CREW) else 0
    score = score_text(awaited, points)
    parts, ask = _board(aboard, position.left), _ask(offers)
    board = " ".join(parts)
    says = list(_sentences(position, awaited, aboard, cargo))
    if isinstance(awaited, Over):
        says.append(score)
    elif position.aboard < len(CREW):
        says.append(board)
    elif position.roll is not None:  # the crew has been aboard before this throw
        says.append(parts[-1])
    own = says.copy()
    if position.roll is not None and position.aboard < len(CREW):
        own[0] = gettext("You threw {pips}.", pips=listed(position.roll.pips))
    return Scene(
        says=tuple(map(capital, says)),
        own=tuple(map(capital, own)),
        dice=_dice(position, awaited),
        board=board,
        score=capital(score),
        legal=legal(awaited, offers),
        pieces=_pieces(position, awaited, aboard, cargo),
        offers=offers,
        ask=capital(ask),
        says_by=says[0] if position.roll is not None else "",
        ask_by=ask,
        score_by=score,
        points=points,
        sums=position.aboard == len(CREW),
        rolls_left=position.left,
    )


def _ask(offers: tuple[Offer, ...]) -> str:
    if len(offers) > 2:
        return gettext("accept the cargo, or throw which dice again?")
    return gettext("accept the cargo, or throw again?") if offers else ""


def _offer(choice: Choice, cargo: tuple[int, ...]) -> Offer:
    text = str(choice)
    if isinstance(choice, Accept):
        says = gettext("accept {number}", number=sum(cargo))
        done, clause = gettext("The cargo is accepted."), gettext("accepts the cargo.")
        return Offer(text, says, done, kind="accept", done_by=clause)
    dice = list(choice.pips or cargo)
    says = gettext("throw the cargo again")
    if choice.pips:
        says = gettext("throw {pips} again", pips=listed(dice))
    taken = []
    for index, face in enumerate(cargo):
        if face in dice:
            dice.remove(face)
            taken.append(f"cargo {index}")
    number = len(taken)
    done = counted("Throwing one die again.", "Throwing {number} dice again.", number)
    clause = counted("throws one die again.", "throws {number} dice again.", number)
    return Offer(text, says, done, tuple(taken), THROW_AGAIN, number, clause)


def _sentences(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> Iterator[str]:
    """Yield clauses on the roll, if any: its pips, the crew banked, the cargo or who is missing."""
    if position.roll is None:
        return
    if position.aboard < len(CREW):
        yield gettext("threw {pips}.", pips=listed(position.roll.pips))
    if (came := CREW[position.aboard : aboard]) and isinstance(awaited, Over):
        named = _named(came)
        yield ngettext("{members} is banked.", "{members} are banked.", len(came), members=named)
    over, missing = isinstance(awaited, Over), CREW[aboard:]
    if not missing:  # at the end the score says the total
        pips = listed(cargo) if over else throw_words(cargo, sum(cargo))
        yield gettext("the cargo is {pips}.", pips=pips)
    elif over:
        yield ngettext(
            "no throws are left, and {members} is missing.",
            "no throws are left, and {members} are missing.",
            len(missing),
            members=_named(missing),
        )


def _named(members: Sequence[tuple[int, str, str]]) -> str:
    return listed(pgettext("member of the crew", named) for *_, named in members)


def _board(aboard: int, left: int) -> list[str]:
    there, missing = CREW[:aboard], CREW[aboard:]
    if not there:
        says = [gettext("Nothing is aboard.")]
    elif not missing:
        says = [gettext("Ship, captain and crew are aboard.")]
    else:
        facts = {"there": _named(there), "missing": _named(missing)}
        says = [gettext("Aboard: {there}. Still missing: {missing}.", **facts)]
    if left or missing:
        says.append(counted("one throw left.", "{number} throws left.", left))
    return [*map(capital, says)]


def _dice(position: CargoPosition, awaited: Awaited[Choice]) -> str:
    if position.roll is not None:
        return gettext("The dice show {pips}.", pips=listed(position.roll.pips))
    number = len(awaited.dice) if isinstance(awaited, Throw) else 0
    says = capital(counted("one die to throw.", "{number} dice to throw.", number))
    if not position.kept:
        return says
    return " ".join([says, gettext("Kept: {pips}.", pips=listed(position.kept))])


def _pieces(
    position: CargoPosition, awaited: Awaited[Choice], aboard: int, cargo: tuple[int, ...]
) -> tuple[Piece, ...]:
    crew = (
        die_piece(name, pgettext("piece on the table", name), SIDES, face, held=True)
        for face, name, _ in CREW[:aboard]
    )
    held, label = position.roll is None, pgettext("piece on the table", "cargo die")
    lying = (die_piece(f"cargo {i}", label, SIDES, face, held=held) for i, face in enumerate(cargo))
    number = len(awaited.dice) if isinstance(awaited, Throw) and held else 0
    label = pgettext("piece on the table", "die")
    return (*crew, *lying, *(die_piece(f"hand {i}", label, SIDES) for i in range(number)))
