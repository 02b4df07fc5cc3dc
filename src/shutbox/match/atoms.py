"""The atoms of a format: the values of each key, their bounds, and the key's line in a form."""

import re
from dataclasses import dataclass
from math import inf

from shutbox.english import Word, shown
from shutbox.errors import NotUnderstood
from shutbox.messages import gettext, gettext_noop
from shutbox.seats import MOST_SEATS
from shutbox.typed_text import Reader, one_of

MOST_ROUNDS = 1000
"""The most rounds of any match. If it has no winner by then, the totals decide."""
MOST_CHIPS = 1_000_000  # the most chips of a stake
MOST_IN_A_PURSE = 1_000_000_000_000  # the most chips of a purse at the start
MOST_DIGITS = 100  # of a target or a limit; the score rule `digits` makes long numbers
MOST_BONUS = 10  # the most extra stakes that each loser pays for a shut box


class Until(Word):
    """The event that ends a match, other than rounds and totals."""

    SHUT = "shut"  # a player shuts the box, and so wins


class WhenShut(Word):
    """The effect of a shut box on its round."""

    SCORES = "scores"  # it is a score like others, and play goes on
    WINS = "wins"  # it wins the round at once, and later players do not throw


class Begins(Word):
    """The way to decide who throws first in the first round, if no seat is named."""

    HIGH_ROLL = "high-roll"  # all players throw once, the highest begins; tied players throw again


class Order(Word):
    """The player who throws first in the next round; the others follow clockwise."""

    SEATS = "seats"  # the player who began the first round
    WINNER = "winner"  # the winner of this round
    ROTATE = "rotate"  # the next player


class End(Word):
    """The moment when a target that was reached ends the match, or a limit puts a player out."""

    COMPLETE = "complete"  # the end of the round
    STOP = "stop"  # the end of the player's turn


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
        """The line that explains the key in a form.

        >>> ATOMS["bonus"].says
        'stakes more that a shut box takes from everybody else, 0 to 10'
        """
        return gettext(_SAYS[self.key], least=self.least, most=self.most)


def _number(text: str) -> int:
    return _digits(text, [text])[0]


def _numbers(text: str) -> tuple[int, ...]:
    return _digits(text, text.split("."))


def _digits(text: str, numbers: list[str]) -> tuple[int, ...]:
    if not all(re.fullmatch("[0-9]+", number) for number in numbers):
        raise NotUnderstood("{text} is not a whole number", text=shown(text))
    if max(map(len, numbers)) > MOST_DIGITS:
        facts = {"text": shown(text), "digits": MOST_DIGITS}
        raise NotUnderstood("{text} has more than {digits} digits", **facts)
    return tuple(map(int, numbers))


def _begins(text: str) -> int | Begins:
    if text == Begins.HIGH_ROLL.value:
        return Begins.HIGH_ROLL
    if not re.fullmatch("[0-9]+", text):
        raise NotUnderstood("{text} is not a whole number, nor high-roll", text=shown(text))
    return _number(text)


def _order(text: str) -> Order | Begins:
    # In older formats high-roll is a value of this atom, not of `begins`.
    return Begins.HIGH_ROLL if text == Begins.HIGH_ROLL.value else one_of(Order)(text)


_ATOMS = (
    Atom("rounds", _number, least=1, most=MOST_ROUNDS, ends=True),
    Atom("target", _number, least=1, ends=True),
    Atom("limit", _number, least=1, ends=True),
    Atom("until", one_of(Until), ends=True),
    Atom("shut", one_of(WhenShut)),
    Atom("order", _order),
    Atom("begins", _begins, least=1, most=MOST_SEATS),
    Atom("end", one_of(End)),
    Atom("stake", _number, most=MOST_CHIPS),
    Atom("bonus", _number, most=MOST_BONUS),
    Atom("ties", one_of(Ties)),
    Atom("purse", _numbers, most=MOST_IN_A_PURSE),
)
ATOMS = {atom.key: atom for atom in _ATOMS}  # every key, in the order in which they are written

_SAYS = {
    "rounds": gettext_noop("how many rounds, {least} to {most}; the best total wins"),
    "target": gettext_noop("a total: the first player to reach it wins; where high is good"),
    "limit": gettext_noop(
        "a total: a player who reaches it is out, and the last one in wins; where low is good"
    ),
    "until": gettext_noop("shut: until a player shuts the box and so wins"),
    "shut": gettext_noop(
        "wins: a shut box wins the round at once; scores: it is a score like others"
    ),
    "order": gettext_noop("who begins the next round: seats, winner or rotate"),
    "begins": gettext_noop("who begins the first round: a player, from {least}, or high-roll"),
    "end": gettext_noop("complete or stop: what happens to the round once the end is reached"),
    "stake": gettext_noop("chips that everybody puts into the pot for a round"),
    "bonus": gettext_noop(
        "stakes more that a shut box takes from everybody else, {least} to {most}"
    ),
    "ties": gettext_noop("share, carry or throw-off"),
    "purse": gettext_noop("chips to begin with, for all, or for each: 20.20.5"),
}
