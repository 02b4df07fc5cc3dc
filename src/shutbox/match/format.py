"""The format of a match: its atoms (keys with values), as one object that can be written as text.

A format knows no game; `match/misfits.py` says whether a game can be played in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import inf
from typing import Any

from shutbox.engine.english import Word, listed, shortened, shown
from shutbox.engine.errors import BadFormat, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.seats import MOST_SEATS
from shutbox.engine.typed_text import (
    Reader,
    bounded,
    check_type,
    one_of,
    read_options,
    split_options,
    text_problems,
)

MOST_ROUNDS = 1000  # of any match; if it has no winner by then, the totals decide
MOST_WINS = 12  # of rounds that a player must win
MOST_CHIPS = 1_000_000  # the most chips of a stake
MOST_IN_A_PURSE = 1_000_000_000_000  # the most chips of a purse at the start
MOST_BONUS = 10  # the most extra stakes that each loser pays for a shut box


class Until(Word):
    """The event that ends a match, other than rounds and totals."""

    SHUT = "shut"  # a player shuts the box, and so wins


class WhenShut(Word):
    """The effect of a shut box on its round."""

    SCORES = "scores"  # it is a score like others, and play goes on
    WINS = "wins"  # it wins the round at once, and later players do not throw
    DOUBLES = "doubles"  # it is a score, and doubles those of all others in the round, once


class TurnLength(Word):
    """How far one player plays before the next one is due: a whole turn, or one throw."""

    WHOLE = "whole"  # throw and cover until stuck
    THROW = "throw"  # throw and cover once, in a row of one's own
    COMMON = "common"  # the same; after everybody's first throw, each one counts for all


class Stuck(Word):
    """What happens to a player with a row of one's own who cannot cover."""

    OUT = "out"  # what is up is the score of the round; the others go on
    PASSES = "passes"  # the player stays in; the round ends once all pass one after the other


class Begins(Word):
    """The way to decide who throws first in the first round, if no seat is named."""

    HIGH_ROLL = "high-roll"  # all players throw once, the highest begins; tied players throw again


class Order(Word):
    """The player who throws first in the next round; the others follow clockwise."""

    SEATS = "seats"  # the player who began the first round
    WINNER = "winner"  # the winner of this round
    ROTATE = "rotate"  # the next player clockwise who is still in the match


class End(Word):
    """The moment when a target that was reached ends the match, or a limit puts a player out."""

    COMPLETE = "complete"  # the end of the round
    STOP = "stop"  # the end of the player's turn


class Payment(Word):
    """What the winner of a round gets in chips."""

    POT = "pot"  # the stakes of all players, and more for a shut box
    DIFFERENCE = "difference"  # from every loser the stake for each point between their scores


class Ties(Word):
    """The way to settle a pot, or a match, that several players have won."""

    SHARE = "share"  # they share it; odd chips of a pot stay in it for the next round
    CARRY = "carry"  # the pot stays for the next round; a match is shared
    THROW_OFF = "throw-off"  # they throw once each, and the highest wins


@dataclass(frozen=True, slots=True)
class Atom:
    """One key of a format, such as `rounds`, with the rules for its values."""

    key: str
    read: Reader
    least: int = 0
    most: float = inf  # the bounds of its numbers, if it takes any
    ends: bool = False  # whether it says when the match ends

    @property
    def says(self) -> str:
        """The line that explains the key in a form."""
        return gettext(_SAYS[self.key], least=self.least, most=self.most)

    def allows(self, value: object) -> bool:
        """Whether a value is within the bounds, or no number."""
        return not isinstance(value, int) or self.least <= value <= self.most


def _number(text: str) -> int:
    return _digits(text, [text])[0]


def _numbers(text: str) -> tuple[int, ...]:
    return _digits(text, text.split("."))


def _digits(text: str, numbers: list[str]) -> tuple[int, ...]:
    if not all(re.fullmatch("[0-9]+", number) for number in numbers):
        raise NotUnderstood("{text} is not a whole number", text=shown(text))
    return tuple(map(int, numbers))


def _begins(text: str) -> int | Begins:
    return Begins.HIGH_ROLL if text == Begins.HIGH_ROLL.value else _number(text)


_ATOMS = (
    Atom("rounds", _number, least=1, most=MOST_ROUNDS, ends=True),
    Atom("wins", _number, least=1, most=MOST_WINS, ends=True),
    Atom("target", _number, least=1, ends=True),
    Atom("limit", _number, least=1, ends=True),
    Atom("until", one_of(Until), ends=True),
    Atom("turns", one_of(TurnLength)),
    Atom("stuck", one_of(Stuck)),
    Atom("shut", one_of(WhenShut)),
    Atom("order", one_of(Order)),
    Atom("begins", _begins, least=1, most=MOST_SEATS),
    Atom("end", one_of(End)),
    Atom("stake", _number, most=MOST_CHIPS),
    Atom("bonus", _number, most=MOST_BONUS),
    Atom("pays", one_of(Payment)),
    Atom("ties", one_of(Ties)),
    Atom("purse", _numbers, most=MOST_IN_A_PURSE),
)
ATOMS = {atom.key: atom for atom in _ATOMS}  # every key, in the order in which they are written

_SAYS = {
    # Translators: about a number to set: the first player to win this many rounds wins the match.
    "rounds": gettext_noop("how many rounds, {least} to {most}; the best total wins"),
    "wins": gettext_noop("the first player to win so many rounds wins, {least} to {most}"),
    # Translators: high is good: in games where a high score wins.
    "target": gettext_noop("a total: the first player to reach it wins; where high is good"),
    # Translators: low is good: in games where a low score wins.
    "limit": gettext_noop(
        "a total: a player who reaches it is out, and the last one in wins; where low is good"
    ),
    "until": gettext_noop("shut: until a player shuts the box and so wins"),
    "turns": gettext_noop(
        "whole: each player throws until stuck; throw: one throw each, everybody with a row; "
        "common: after the first one each throw counts for all"
    ),
    "stuck": gettext_noop("with one throw each: out, or passes and stays in"),
    "shut": gettext_noop(
        "wins: a shut box wins the round at once; scores: it is a score like others; doubles: and "
        "everybody else's score counts twice"
    ),
    "order": gettext_noop("who begins the next round: seats, winner or rotate"),
    "begins": gettext_noop("who begins the first round: a player, from {least}, or high-roll"),
    "end": gettext_noop("complete or stop: what happens to the round once the end is reached"),
    "stake": gettext_noop("chips that everybody puts into the pot for a round, at most {most}"),
    # Translators: how many more stakes each of the others pays if the winner shuts the box.
    "bonus": gettext_noop(
        "stakes more that a shut box takes from everybody else, {least} to {most}"
    ),
    "pays": gettext_noop(
        "pot: the winner takes all stakes; difference: each loser pays the stake for every point"
    ),
    "ties": gettext_noop("share, carry or throw-off"),
    "purse": gettext_noop("chips to begin with, for all, or for each: 20.20.5"),
}


STAKES_IN_A_PURSE = {Payment.POT: 20, Payment.DIFFERENCE: 100}
"""The stakes in a purse if the format does not give its size."""
LONGEST_TEXT = 400  # the most characters of a format


@dataclass(frozen=True)
class Format:
    """The format of a match. The defaults are one round without chips.

    >>> Format.parse("rounds=5,shut=wins,stake=1")
    Format.parse('rounds=5,shut=wins,stake=1')
    >>> Format()
    Format.parse('rounds=1')
    >>> Format.parse("until=shut").most_rounds
    1000

    Raises BadFormat with every mistake at once.
    """

    rounds: int | None = None  # the most; then the best total wins; 1 if no field ends the match
    wins: int | None = None  # once a player has won so many rounds, that player wins the match
    target: int | None = None  # once a total reaches it, the best total wins; only if high is good
    limit: int | None = None  # at this total a player is out; the last in wins; only if low is good
    until: Until | None = None  # another event that ends the match
    turns: TurnLength = TurnLength.WHOLE
    stuck: Stuck = Stuck.OUT
    shut: WhenShut = WhenShut.SCORES
    order: Order = Order.SEATS
    begins: int | Begins = 1  # who throws first in round 1, from 1 in seat order; or HIGH_ROLL
    end: End = End.COMPLETE
    stake: int = 0  # the chips that each player puts into the pot for a round, or pays for a point
    bonus: int = 1  # the extra stakes that each loser to a shut box pays; 1 doubles the stake
    pays: Payment = Payment.POT  # what the winner of a round gets; DIFFERENCE: a stake of 1 or more
    ties: Ties = Ties.SHARE
    purse: tuple[int, ...] = ()  # chips at the start, one number or one per seat; empty: 20 stakes

    def __post_init__(self) -> None:
        if all(getattr(self, key) is None for key, atom in ATOMS.items() if atom.ends):
            object.__setattr__(self, "rounds", 1)
        if self.by_points and not self.stake:
            object.__setattr__(self, "stake", 1)
        texts = text_problems({key: getattr(self, key) for key in ATOMS})
        if problems := tuple(texts or _mistakes(self)):
            raise BadFormat("format", problems)

    @classmethod
    def parse(cls, text: str, base: "Format | str | None" = None) -> "Format":
        """Parse a text such as `rounds=5,begins=high-roll`; keys not in it are as in `base`.

        Without `base`, which can be a text, they are the defaults. A key that says when the match
        ends (rounds, wins, target, limit, until) replaces all of these in `base`. Raises BadFormat
        with every mistake at once.

        >>> Format.parse("begins=high-roll, rounds=5")
        Format.parse('rounds=5,begins=high-roll')
        """
        try:
            text = bounded(text, LONGEST_TEXT)
        except NotUnderstood as error:
            raise BadFormat("format", (str(error),)) from None
        base = cls.parse(base) if isinstance(base, str) else base
        check_type(base := cls() if base is None else base, Format)
        options, problems = split_options(text)
        own, unread = read_options(options, {key: atom.read for key, atom in ATOMS.items()})
        problems += unread
        values: dict[str, Any] = {key: getattr(base, key) for key in ATOMS}
        if any(ATOMS[key].ends for key in options.keys() & ATOMS.keys()):
            values.update((key, None) for key, atom in ATOMS.items() if atom.ends)
        values |= own
        try:
            format = cls(**values)
        except BadFormat as error:
            problems += error.problems
        if problems:
            raise BadFormat("format", tuple(dict.fromkeys(problems)))
        return format

    @property
    def options(self) -> dict[str, str]:
        """The values that differ from their defaults, as text, by key, in the order of `ATOMS`."""
        plain = {field.name: field.default for field in fields(self)}
        values = ((key, getattr(self, key)) for key in ATOMS)
        return {key: _write(value) for key, value in values if value != plain[key]}

    def __str__(self) -> str:
        return ",".join(f"{key}={text}" for key, text in self.options.items())

    def __repr__(self) -> str:
        return f"Format.parse({str(self)!r})"

    @property
    def lasting(self) -> "Format":
        """This format without what a rematch changes: the first seat and the chips in the purses.

        >>> Format.parse("shut=wins,begins=2,stake=1,purse=19.21").lasting
        Format.parse('rounds=1,shut=wins,stake=1')
        """
        return replace(self, begins=self.begins if self.high_roll else 1, purse=())

    @property
    def length(self) -> str:
        """The length of the match in words, such as `First to 100` or `5 rounds`."""
        if self.wins is not None:
            return ngettext("First to win a round", "First to win {number} rounds", self.wins)
        if self.target is not None:
            return gettext("First to {number}", number=self.target)
        if self.limit is not None:
            return gettext("Knockout at {number}", number=self.limit)
        if self.until is not None:
            return gettext("Until the box is shut")
        number = self.most_rounds
        # Translators: the length of a match; stands alone.
        return ngettext("One round", "{number} rounds", number, number=number)

    @cached_property
    def counts_wins(self) -> bool:
        """Whether the totals of the match are rounds won, not sums of scores."""
        return self.wins is not None and self.rounds != 1

    @property
    def goal(self) -> int | None:
        """The total that wins the match: the target, or a number of rounds won; None if none."""
        return self.wins if self.counts_wins else self.target

    @property
    def has_rows(self) -> bool:
        """Whether the players throw once each, everybody in a row of their own."""
        return self.turns is not TurnLength.WHOLE

    @property
    def high_roll(self) -> bool:
        """Whether a throw of all players decides who throws first in the first round."""
        return self.begins is Begins.HIGH_ROLL

    @property
    def first(self) -> int:
        """The seat that throws first in the first round, from 0; also 0 if a throw decides it."""
        return self.begins - 1 if isinstance(self.begins, int) else 0

    @cached_property
    def most_rounds(self) -> int:
        """The number of rounds after which the match ends in any case."""
        return MOST_ROUNDS if self.rounds is None else self.rounds

    @property
    def by_points(self) -> bool:
        """Whether the losers of a round pay for the points between them and its winner."""
        return self.pays is Payment.DIFFERENCE

    @property
    def ante(self) -> int:
        """The chips that each player puts into the pot before a round."""
        return 0 if self.by_points else self.stake

    @property
    def extra(self) -> int:
        """The chips that a loser of a round pays for a shut box, in addition to the stake."""
        return self.ante * self.bonus

    @property
    def needed(self) -> int:
        """The chips without which a player is asked before a round, the most that it can cost.

        If losers pay for points, one stake is enough: a loser who has less than is due pays all.
        """
        return self.stake + self.extra

    def purses(self, seats: int) -> tuple[int, ...]:
        """Return the chips of each seat at the start, all 0 without a stake.

        >>> Format.parse("stake=2").purses(3)
        (40, 40, 40)
        """
        purse = self.purse or (STAKES_IN_A_PURSE[self.pays] * self.stake,)
        return purse if len(purse) == seats else purse * seats


def _mistakes(format: Format) -> Iterator[str]:
    ends = [key for key, atom in ATOMS.items() if atom.ends and getattr(format, key) is not None]
    if len(ends := [key for key in ends if key != "rounds"]) > 1:
        yield gettext(
            "{keys}: only one of wins, target, limit and until can end a match", keys=listed(ends)
        )
    for key, atom in ATOMS.items():
        value = getattr(format, key)
        numbers = value if isinstance(value, tuple) else (value,)
        yield from (_out_of_bounds(atom, number) for number in numbers if not atom.allows(number))
    if format.stuck is Stuck.PASSES and format.turns is not TurnLength.THROW:
        yield gettext("stuck: only with turns=throw can a player pass and stay in")
    if not format.stake and (format.purse or format.bonus != 1):
        key = "purse" if format.purse else "bonus"
        yield gettext("{key}: without a stake nobody plays for chips", key=key)
    elif format.by_points and format.bonus != 1:
        yield gettext("bonus: there is no pot for it if the losers pay for points")


def _out_of_bounds(atom: Atom, number: int) -> str:
    says = gettext_noop("{key}: {number} is not allowed; it is {least} to {most}")
    if atom.most == inf:
        says = gettext_noop("{key}: {number} is not allowed; it is {least} or more")
    facts = {"key": atom.key, "least": atom.least, "most": atom.most}
    return gettext(says, number=shortened(number), **facts)


def _write(value: object) -> str:
    if isinstance(value, Word):
        return str(value.value)
    return ".".join(map(str, value)) if isinstance(value, tuple) else str(value)
