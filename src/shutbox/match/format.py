"""How turns become a match: the atoms of a format as one value, with text both ways.

A format knows no game. What a game and a format cannot do together is said by `unplayable`,
before anybody has thrown.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from shutbox.english import Word, counted, listed, shown
from shutbox.errors import BadFormat, NotUnderstood
from shutbox.game import Scoring
from shutbox.seats import MOST_SEATS

MOST_ROUNDS = 1000
"""The most rounds of any match. One that has no winner by then is decided by the totals."""
MOST_CHIPS = 1_000_000
"""The most chips of a stake."""
MOST_IN_A_PURSE = 1_000_000_000_000
"""The most chips of a purse at the start."""
MOST_DIGITS = 100
"""The most digits of a target or a limit: the scores of `digits` are long numbers."""
MOST_BONUS = 10
"""The most stakes that a shut box takes besides the pot."""
STAKES_IN_A_PURSE = 20
"""The stakes in a purse whose size is not said."""
LONGEST_TEXT = 400
"""The most characters of a format."""


class Until(Word):
    """When a match that is not about rounds ends."""

    SHUT = "shut"
    """Once somebody shuts the box, who has then won."""


class WhenShut(Word):
    """What a shut box means for its round."""

    SCORES = "scores"
    """It is a score like others, and play goes on."""
    WINS = "wins"
    """It wins the round at once, and later players do not throw."""


class Begins(Word):
    """What decides who throws first in the first round, where no seat is named."""

    HIGH_ROLL = "high-roll"
    """Everybody throws once, and the highest begins; those tied for it throw again."""


class Order(Word):
    """Who throws first in the next round; the others follow clockwise."""

    SEATS = "seats"
    """Who began the first round."""
    WINNER = "winner"
    """Who has won a round."""
    ROTATE = "rotate"
    """The next player."""


class End(Word):
    """Whether a round goes on once the target or the limit is reached in it."""

    COMPLETE = "complete"
    STOP = "stop"


class Ties(Word):
    """What becomes of a pot, or of a match, that several have won."""

    SHARE = "share"
    CARRY = "carry"
    THROW_OFF = "throw-off"


@dataclass(frozen=True, slots=True)
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

    rounds: int | None = None
    """The most rounds; the best total wins once they are played. One, if nothing is said of when
    the match ends."""
    target: int | None = None
    """Who first reaches this total wins; where high is good."""
    limit: int | None = None
    """Whose total reaches this is out, and the last one in wins; where low is good."""
    until: Until | None = None
    """What else ends the match."""
    shut: WhenShut = WhenShut.SCORES
    order: Order = Order.SEATS
    begins: int | Begins = 1
    """The player who throws first in the first round, in the order of the seats, from 1; or that
    a throw decides it."""
    end: End = End.COMPLETE
    stake: int = 0
    """Chips that everybody puts into the pot for a round."""
    bonus: int = 1
    """How many stakes more everybody else pays who loses to a shut box: with 1 it takes double
    the stake in all."""
    ties: Ties = Ties.SHARE
    purse: tuple[int, ...] = ()
    """Chips at the start, one number for all or one for each seat; empty: 20 stakes."""

    def __post_init__(self) -> None:
        if (self.rounds, self.target, self.limit, self.until) == (None, None, None, None):
            object.__setattr__(self, "rounds", 1)
        if problems := tuple(_mistakes(self)):
            raise BadFormat("format", problems)

    @classmethod
    def parse(cls, text: str, base: "Format | None" = None) -> "Format":
        """The format of a text such as `rounds=5,begins=high-roll`, over the atoms of `base`.

        A key that says when the match ends replaces those of `base` that say so. Older texts say
        `order=high-roll` for `begins=high-roll,order=seats`. Raises BadFormat with every mistake
        at once.

        >>> Format.parse("rounds=5,order=high-roll")
        Format.parse('rounds=5,begins=high-roll')
        """
        options, problems = _split(text)
        values: dict[str, Any] = {}
        if base is not None:
            values = {field.name: getattr(base, field.name) for field in fields(base)}
        if _ENDS & options.keys():
            values.update(dict.fromkeys(_ENDS))
        own: dict[str, Any] = {}
        for key, value in options.items():
            try:
                own[key] = _read(key, value)
            except NotUnderstood as error:
                problems.append(str(error))
        if own.get("order") is Begins.HIGH_ROLL:
            if own.get("begins") not in (None, 1, Begins.HIGH_ROLL):
                problems.append("begins: with order=high-roll a throw decides who begins")
            own |= {"order": Order.SEATS, "begins": Begins.HIGH_ROLL}
        values |= own
        try:
            found = cls(**values)
        except BadFormat as error:
            problems += error.problems
        if problems:
            raise BadFormat("format", tuple(dict.fromkeys(problems)))
        return found

    @property
    def options(self) -> dict[str, str]:
        """Every atom that is not at its default, as text."""
        plain = {field.name: field.default for field in fields(self)}
        values = ((key, getattr(self, key)) for key in KEYS)
        return {key: _write(value) for key, value in values if value != plain[key]}

    def __str__(self) -> str:
        return ",".join(f"{key}={text}" for key, text in self.options.items())

    def __repr__(self) -> str:
        return f"Format.parse({str(self)!r})"

    @property
    def lasting(self) -> "Format":
        """The same without what a rematch changes: who throws first, and what the purses hold.

        >>> Format.parse("shut=wins,begins=2,stake=1,purse=19.21").lasting
        Format.parse('rounds=1,shut=wins,stake=1')
        """
        return replace(self, begins=self.begins if self.high_roll else 1, purse=())

    @property
    def high_roll(self) -> bool:
        """Whether a throw of everybody decides who throws first in the first round."""
        return self.begins is Begins.HIGH_ROLL

    @property
    def first(self) -> int:
        """The seat that throws first in the first round, from 0, where no throw decides it."""
        return self.begins - 1 if isinstance(self.begins, int) else 0

    @property
    def most_rounds(self) -> int:
        """The rounds after which the match ends in any case."""
        return MOST_ROUNDS if self.rounds is None else self.rounds

    @property
    def extra(self) -> int:
        """The chips that a loser pays to a shut box besides the stake."""
        return self.stake * self.bonus

    @property
    def needed(self) -> int:
        """The chips that a round may cost a player."""
        return self.stake + self.extra

    def purses(self, seats: int) -> tuple[int, ...]:
        """The chips of each seat at the start.

        >>> Format.parse("stake=2").purses(3)
        (40, 40, 40)
        """
        purse = self.purse or (STAKES_IN_A_PURSE * self.stake,)
        return purse if len(purse) == seats else purse * seats


def unplayable(format: Format, scoring: Scoring | None, seats: int) -> Iterator[str]:
    """Why so many seats cannot play a game of this scoring under a format, a sentence each.

    >>> list(unplayable(Format.parse("target=200"), Scoring(best=0, worst=45), 2))
    ['target: 200 is reached by adding up, and in this game low is good; use limit']
    """
    if scoring is None:
        yield "it has no score, so nobody can win it"
        return
    if format.target is not None and scoring.low_is_good:
        yield (
            f"target: {format.target} is reached by adding up, and in this game low is good; "
            "use limit"
        )
    if format.limit is not None and not scoring.low_is_good:
        yield (
            f"limit: whoever reaches {format.limit} is out, and in this game high is good; "
            "use target"
        )
    if 1 <= seats <= format.first:
        play = counted(seats, "player plays", "players play")
        yield f"begins: there is no player {format.begins}; {play}"
    if len(format.purse) not in (0, 1, seats):
        yield (
            f"purse: {counted(len(format.purse), 'number')} for {counted(seats, 'player')}; "
            "one for all, or one for each"
        )
    elif format.stake and seats < 2:
        yield "stake: nobody else plays; chips are for two players or more"
    elif format.stake and max(format.purses(seats)) < format.needed:
        more = f" and up to {format.extra} more for a shut box" if format.extra else ""
        yield (
            f"stake: {format.stake}{more} is more than any purse holds; the largest has "
            f"{max(format.purses(seats))}"
        )


def _mistakes(format: Format) -> Iterator[str]:
    ends = [key for key in ("target", "limit", "until") if getattr(format, key) is not None]
    if len(ends) > 1:
        yield f"{' and '.join(ends)}: only one of target, limit and until can end a match"
    for key, least, most in (
        ("rounds", 1, MOST_ROUNDS),
        ("target", 1, None),
        ("limit", 1, None),
        ("stake", 0, MOST_CHIPS),
        ("bonus", 0, MOST_BONUS),
    ):
        if (number := getattr(format, key)) is not None:
            yield from _out_of_bounds(key, number, least, most)
    if isinstance(format.begins, int):
        yield from _out_of_bounds("begins", format.begins, 1, MOST_SEATS)
    if not format.stake and (format.purse or format.bonus != 1):
        key = "purse" if format.purse else "bonus"
        yield f"{key}: without a stake nobody plays for chips"
    for chips in format.purse:
        yield from _out_of_bounds("purse", chips, 0, MOST_IN_A_PURSE)


def _out_of_bounds(key: str, number: int, least: int, most: int | None) -> Iterator[str]:
    if number < least or (most is not None and number > most):
        allowed = f"{least} to {most}" if most is not None else f"{least} or more"
        yield f"{key}: {shown(str(number))[1:-1]} is not allowed; it is {allowed}"


# Text


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """Keys and values, and what is wrong with the way they are written."""
    if len(text) > LONGEST_TEXT:
        return {}, [f"{shown(text)} is longer than {LONGEST_TEXT} characters"]
    options: dict[str, str] = {}
    problems = []
    for part in text.split(",") if text.strip() else []:
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if not key or not value:
            problems.append(f"{shown(part)} is not understood; write key=value")
        elif key in options:
            problems.append(f"{key} is given twice")
        else:
            options[key] = value
    return options, problems


W = TypeVar("W", bound=Word)


def _number(text: str) -> int:
    if not re.fullmatch("[0-9]+", text):
        raise NotUnderstood("is not a whole number")
    if len(text) > MOST_DIGITS:
        raise NotUnderstood(f"has more than {MOST_DIGITS} digits")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(_number(part) for part in text.split("."))


def _word(words: type[W]) -> Callable[[str], W]:
    def read(text: str) -> W:
        for word in words:
            if word.value == text:
                return word
        allowed = listed((word.value for word in words), last="or")
        raise NotUnderstood(f"is not known; write {allowed}")

    return read


def _begins(text: str) -> int | Begins:
    if text == Begins.HIGH_ROLL.value:
        return Begins.HIGH_ROLL
    if not re.fullmatch("[0-9]+", text):
        raise NotUnderstood("is not a whole number, nor high-roll")
    return _number(text)


def _order(text: str) -> Order | Begins:
    # Before there was begins=high-roll, it was a value of this atom.
    return Begins.HIGH_ROLL if text == Begins.HIGH_ROLL.value else _word(Order)(text)


KEYS: dict[str, Callable[[str], Any]] = {
    "rounds": _number,
    "target": _number,
    "limit": _number,
    "until": _word(Until),
    "shut": _word(WhenShut),
    "order": _order,
    "begins": _begins,
    "end": _word(End),
    "stake": _number,
    "bonus": _number,
    "ties": _word(Ties),
    "purse": _numbers,
}
"""The keys of a format in canonical order, and how their values are read."""

_ENDS = {"rounds", "target", "limit", "until"}


def _read(key: str, text: str) -> object:
    if key not in KEYS:
        raise NotUnderstood(f"{shown(key)} is not an atom of a format; they are {listed(KEYS)}")
    try:
        return KEYS[key](text)
    except NotUnderstood as error:
        raise NotUnderstood(f"{key}: {shown(text)} {error}") from None


def _write(value: object) -> str:
    if isinstance(value, Word):
        return str(value.value)
    return ".".join(map(str, value)) if isinstance(value, tuple) else str(value)
