"""The reader of wishes such as "me and two computers, 3 rounds, 2 chips, highest throw begins".

No other module reads players, games and the terms of a match in people's own words. `phrase` says
what each part of a text says, and here the parts become terms. A part that is not understood, or
contradicts another, is returned as typed, and nothing in it counts.
"""

import re
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from itertools import chain

from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.names import are_alike, default_names
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat
from shutbox.engine.typed_text import in_ascii, split_options
from shutbox.match import Match
from shutbox.match.format import ATOMS
from shutbox.table.characters import RIVAL, read_players
from shutbox.table.lookup import find_any
from shutbox.table.phrase import (
    Item,
    PhrasePart,
    means_computers,
    means_me,
    names_to_remove,
    read_phrase,
    split_at_and,
)
from shutbox.table.setup import UNNAMED, Terms

LONGEST = 400  # characters of a text that is read
_ENDS = {"to", *(key for key, atom in ATOMS.items() if atom.ends)}  # keys that end a match
_OF_SEATS = {"name", "bot", "seat", "beginner"}  # keys that can be said twice


def read_terms(text: str, before: Terms | None = None) -> Terms:
    """Return the terms of a text. What it does not say stays as in `before`.

    >>> read = read_terms("me and two computers, 3 rounds, 2 chips, highest throw begins")
    >>> print(*read.seats, read.format)
    Player Computer 1=computer:fewest Computer 2=computer:fewest rounds=3,stake=2,begins=high-roll
    >>> read_terms("Dave vs Hobbs, every 3 rules").unread
    ('every 3 rules',)

    The players of `before` change only by `and X`, `without X` or a new list with a comma. Raises
    what `read_players` and `find` raise for invalid names and games.
    """
    before = replace(before or Terms(), unread=())
    if not text.strip():
        raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
    if len(text) > LONGEST:
        return replace(before, unread=(text,))
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    parts = read_phrase(text, goes_on=bool(before.seats))
    change = _change_of(parts, before.seats)
    terms = _Reader(before, parts, change).terms()
    if before.seats and terms.unread and change is _Change.REPLACE:
        # Known players are replaced only by a text that is understood as a whole.
        return _Reader(before, parts, _Change.NONE).terms()
    return terms


def read_typed_terms(game: str | None, players: str | None, format: str) -> tuple[Terms, bool]:
    """Return the terms of a command line, and whether any of them is in words, not in notation.

    Raises what `read_terms` raises, NotUnderstood for words that are not understood or contradict
    what stands before them, and BadFormat for notation that does; `game` is not checked.
    """
    terms, in_words = Terms(game=game or ""), False
    if players is not None:
        terms, in_words = _read_after(terms, players, "--players", "Ann, 2 computers"), True
        with suppress(BadName):
            in_words = terms != Terms(read_players(players), terms.game)
    if not all("=" in part for part in filter(str.strip, in_ascii(format).split(","))):
        return _read_after(terms, format, "--format", "3 rounds, 2 chips"), True
    atoms, problems = split_options(format)
    twice = (key for key, value in atoms.items() if terms.atoms.get(key, value) != value)
    problems += [gettext("{key} is given twice", key=key) for key in twice]
    if problems:
        raise BadFormat("format", tuple(problems))
    return replace(terms, atoms={**terms.atoms, **atoms}), in_words


def _read_after(before: Terms, text: str, option: str, example: str) -> Terms:
    """Return the terms of an option. Raises NotUnderstood, with an example of what can be read."""
    new = read_terms(text, before)
    says = gettext_noop("{option}: {text} contradicts what is given before it")
    if new.unread:
        says = gettext_noop("{option}: {text} is not understood; type words such as {example}")
    agrees = before.game in ("", new.game) and before.seats in ((), new.seats)
    if new.unread or not (agrees and new.atoms.items() >= before.atoms.items()):
        text = shown((*new.unread, text)[0])
        raise NotUnderstood(says, option=option, text=text, example=example)
    return new


class _Change(Enum):
    """How a text changes the players that are known."""

    NONE = auto()  # not at all: its parts with players are not understood
    ADD = auto()  # the players that it names join
    REPLACE = auto()  # it lists all players


def _change_of(parts: list[PhrasePart], seats: tuple[Seat, ...]) -> _Change:
    """Return how a phrase changes the players with `seats`, if all of it can be read."""
    lists = [part for part in parts if part.players]
    if seats and lists and lists[0].opens == "adds":
        return _Change.ADD
    if seats:
        return _Change.REPLACE if len(lists) > 1 else _Change.NONE
    # A single name beside what is not understood is as likely a word for something else.
    is_name = [item.key for part in lists for item in part.players] == ["name"]
    is_doubtful = any("beginner" in part.keys or not part.items for part in parts)
    return _Change.NONE if is_name and is_doubtful else _Change.REPLACE


class _Reader:
    """A reader of the parts of one text, used once."""

    def __init__(self, before: Terms, parts: list[PhrasePart], change: _Change) -> None:
        self.before, self.parts, self.change = before, parts, change
        self.seats = before.seats
        self.said: dict[str, str] = {}  # what the parts say, by the keys that can be said only once
        self.unread: list[str] = []

    def terms(self) -> Terms:
        """Return the terms of `before` as the parts change them."""
        if self.change is _Change.ADD and self.mine:
            self.said["me"] = ""  # so nobody can add me
        accepted = list[PhrasePart]()
        for part in self.parts:
            if part.items is None and self.seats and (gone := names_to_remove(part.text)):
                self._remove(gone, part.text)
            elif self._accept(part):
                accepted.append(part)
            else:
                self.unread.append(part.text)
        self._seat([part for part in accepted if part.players])
        for part in accepted:
            for name in (value for key, value in part.items or () if key == "beginner"):
                place = str(next(iter(self._places(name)), ""))
                if not place or self.said.setdefault("begins", place) != place:
                    self.unread.append(part.text)
        return self._merged()

    def _accept(self, part: PhrasePart) -> bool:
        """Note what a part says and return True; note nothing if it contradicts other parts.

        Raises NotUnderstood for a number that its atom does not allow.
        """
        if part.items is None or (
            part.players and (self.change is _Change.NONE or "beginner" in part.keys)
        ):
            return False
        if "people" in part.keys and any({"me", "name"} & other.keys for other in self.parts):
            return False
        said = dict(self.said)
        for key, value in part.items:
            if key in _OF_SEATS:
                continue
            if (key == "me" and key in said) or said.setdefault(key, value) != value:
                return False
            atom = ATOMS.get(key)
            is_number = re.fullmatch("-?[0-9]+", value)
            if atom and is_number and not atom.least <= int(value) <= atom.most:
                text = shown(part.text)
                raise NotUnderstood("{text} is out of bounds: {about}", text=text, about=atom.says)
        self.said = said
        return True

    def _seat(self, lists: list[PhrasePart]) -> None:
        """Seat people only counted, the players listed and, if implied, the one at the keyboard."""
        players = [item for part in lists for item in part.players]
        if players == [("seat", COMPUTER)]:
            players = [Item("bot", f"{COMPUTER}:{RIVAL.id}")]
        people = self.said.pop("people", None)
        has_me = self.said.pop("me", None) is not None
        texts = [""] * min(int(people or 0), MOST_SEATS + 1)  # "" is a person without a name
        implied = players and not (has_me or people or self.change is _Change.ADD)
        if implied and (lists[0].opens == "opposes" or [key for key, _ in players] == ["bot"]):
            texts.append(self.mine)
        for key, value in players:
            if key != "people":
                texts += [self.mine] if key == "me" else value.split(",")
        if not players:
            return
        before = self.seats if self.change is _Change.ADD else ()
        if not 0 < len(before) + len(texts) <= MOST_SEATS:
            raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
        alone = [UNNAMED] * (texts.count("") == 1)
        taken = [*texts, *(seat.name for seat in before)]
        free = (name for name in chain(alone, default_names(2 * MOST_SEATS)) if name not in taken)
        self.seats = read_players(",".join([*map(str, before), *(t or next(free) for t in texts)]))

    def _remove(self, names: str, part: str) -> None:
        """Remove players by name, or all computer players; `part` is unread if that cannot be."""
        gone = [self._places(name) for name in split_at_and(names)]
        left = [seat for n, seat in enumerate(self.seats, 1) if n not in chain(*gone)]
        if all(gone) and left:
            self.seats = tuple(left)
        else:
            self.unread.append(part)

    @property
    def mine(self) -> str:
        """The name of the person at the keyboard; "" if several people play."""
        people = [seat.name for seat in self.seats if not seat.computer]
        return next((n for n in people if not people[1:] or n in (UNNAMED, *default_names(1))), "")

    def _places(self, name: str) -> list[int]:
        """Return the places, from 1, of the seats that a name, `me` or `the computer` means."""
        name = self.mine if means_me(name) else name
        places = [n for n, seat in enumerate(self.seats, 1) if are_alike(seat.name, name)]
        if not places and means_computers(name):
            places = [n for n, seat in enumerate(self.seats, 1) if seat.computer]
        return places

    def _merged(self) -> Terms:
        """Return the terms of `before` with the changes that this text makes."""
        new, before, atoms = self.said, self.before, dict(self.before.atoms)
        by_hand = new.pop("hand", None) is not None or before.by_hand
        game = new.pop("game", before.game)
        match = find_any(game) if game != before.game else None
        own = match.format.options if isinstance(match, Match) else {}
        if _ENDS & new.keys() or own.keys() & _ENDS - {"rounds"}:
            atoms = {key: value for key, value in atoms.items() if key not in _ENDS}
        begins = atoms.pop("begins", "")
        if begins.isdecimal() and int(begins) <= len(before.seats):
            # The same player begins, wherever the seat is now.
            places = self._places(before.seats[int(begins) - 1].name)
            begins = str(places[0]) if places else ""
        atoms |= ({"begins": begins} if begins else {}) | new
        if new.get("stake") == "0":  # nobody pays for points, either
            atoms.pop("pays", None)
        return Terms(self.seats, game, atoms, by_hand, tuple(self.unread))
