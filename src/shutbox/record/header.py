"""The header of a record: what was played, when, by whom, and where the dice came from.

What its lines say is checked here as text and no more: whether there is such a game is for others
to know. The names were checked when the game was played, by rules that may get stricter; a record
must open for ever, so only what its own lines need is asked of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shutbox.english import shown
from shutbox.errors import BadRecord
from shutbox.messages import gettext
from shutbox.player_names import LONGEST_NAME
from shutbox.record.checked_lines import checked, code_of, ended
from shutbox.record.dice_source import Source
from shutbox.seats import MOST_SEATS, Seat

VERSION = 1
"""The version of the format that this program writes, and the newest that it reads."""

_BEGUN = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]) "
    r"([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60) UTC"
)
_MARKS = re.compile(r'[,=:#"\\]')


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Everything about a play but what happened. Raises BadRecord for what cannot be written.

    >>> header = Header(
    ...     program="shutbox 0.1.0", begun="2026-11-21 12:00:05 UTC", game="classic",
    ...     players=(Seat("Ann"), Seat("Robo", "most")),
    ... )
    >>> print(bytes(header).decode(), end="")
    shutbox record 1
    program shutbox 0.1.0
    begun 2026-11-21 12:00:05 UTC
    game classic
    player Ann
    player Robo=computer:most
    dice system
    begin #b361bf17
    """

    program: str
    """What wrote the record, and its version."""
    begun: str
    """When the play began, such as 2026-11-21 12:00:05 UTC."""
    game: str
    """The game in the notation of names."""
    format: str = ""
    """The format of a match, in its own notation; empty: a single turn."""
    players: tuple[Seat, ...]
    """Who sits where, by seat."""
    dice: Source = Source()

    def __post_init__(self) -> None:
        checked(gettext("the program"), self.program)
        check_begun(self.begun)
        checked(gettext("the game"), self.game)
        if self.format:
            checked(gettext("the format"), self.format)
        check_players(self.players)
        for line in self._lines():
            ended(line)

    def _lines(self) -> Iterator[str]:
        yield f"shutbox record {VERSION}"
        yield f"program {self.program}"
        yield f"begun {self.begun}"
        yield f"game {self.game}"
        if self.format:
            yield f"format {self.format}"
        yield from (f"player {seat}" for seat in self.players)
        yield f"dice {self.dice}"

    @property
    def code(self) -> str:
        """The check code of the header, which the codes of its events are made with."""
        return code_of(b"".join(map(ended, self._lines())))

    def __bytes__(self) -> bytes:
        """The header as a record begins with it, the line `begin` included."""
        return b"".join(map(ended, [*self._lines(), f"begin #{self.code}"]))


def check_begun(text: str) -> None:
    """Raise BadRecord unless the text is a time."""
    if not _BEGUN.fullmatch(text):
        raise BadRecord("{text} is no time such as 2026-11-21 12:00:05 UTC", text=shown(text))


def check_players(players: Sequence[Seat]) -> None:
    """Raise BadRecord unless each player has a line, and each name is one player's."""
    if not 1 <= len(players) <= MOST_SEATS:
        raise BadRecord(
            "{number} players; a record has 1 to {most}", number=len(players), most=MOST_SEATS
        )
    for seat in players:
        checked(gettext("the name"), seat.name)
        if len(seat.name) > LONGEST_NAME or _MARKS.search(seat.name):
            raise BadRecord(
                '{name} is no name; it has at most {most} characters and none of , = : # " \\',
                name=shown(seat.name),
                most=LONGEST_NAME,
            )
        if seat.computer:
            checked(gettext("the kind of computer player"), seat.computer)
    names = [seat.name for seat in players]
    if len(set(names)) < len(names):
        raise BadRecord("two players are called {name}", name=shown(names[-1]))
