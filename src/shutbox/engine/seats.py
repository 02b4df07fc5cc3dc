"""Seats: player names that cannot be confused, and lists of seats as people type them.

A name is spoken, shown in a column and stored in a record, so it is cleaned first. Two names are
compared by how they look: in lower and upper case, without accents, spaces and punctuation, each
letter as the Latin one it resembles. The kinds of computer players are not known here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from unicodedata import category, combining, normalize
from unicodedata import name as named

from shutbox.engine.english import BLANKS, EMOJI, listed, replace_hidden, shown
from shutbox.engine.errors import BadName
from shutbox.engine.messages import gettext, gettext_noop, ngettext

MOST_SEATS = 12
COMPUTER = "computer"
DEFAULT_KIND = "fewest"

LONGEST_NAME = 24  # letters, as `letters_in` counts them
MOST_CHARACTERS = 8 * LONGEST_NAME  # a family of emoji has seven
# Patterns are compiled at first use, so that a game starts faster.
_KIND = r"[a-z0-9.-]+(:[^,]+)?"
_SPACES = r"[^\S\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+"  # white space within a line
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # phones add them to emoji
# Line ends, and invisible characters that programs leave around a text that is copied.
_AROUND = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029"
_AROUND += "\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff" + BLANKS
_JOINED = f"{EMOJI}(?:[\U0001f3fb-\U0001f3ff\U000e0030-\U000e007f]|\u200d{EMOJI})*"
_PARTS = f"[\U0001f1e6-\U0001f1ff]{{2}}|{_JOINED}"  # flags, and emoji with skin, hair or a family
_ALPHABETS = {"ARMENIAN", "CHEROKEE", "CYRILLIC", "GREEK", "LATIN"}  # they share letter shapes
_PAIRS = (  # a character, then the Latin letter that it looks like
    # Latin letters and digits, and apostrophes that count among the letters.
    "0o1lIlOoil|l\xd8o\xf8o\u0110D\u0111d\u0126H\u0127h\u0131l\u0141L\u0142l\u0251a\u0261g\u02b9'"
    "\u02bb'\u02bc'\u02bd'\u02be'\u02bf'\u02c8'"
    # Greek capitals and small letters, in the order of the alphabet.
    "\u0391A\u0392B\u0395E\u0396Z\u0397H\u0399l\u039aK\u039cM\u039dN\u039fo\u03a1P\u03a4T\u03a5Y"
    "\u03a7X\u03b1a\u03b3y\u03b5e\u03b7n\u03b9l\u03bak\u03bdv\u03bfo\u03c1p\u03c5u\u03c7x\u03c9w"
    "\u03f3j"
    # Cyrillic capitals and small letters, then those of fewer languages.
    "\u0410A\u0412B\u0415E\u041aK\u041cM\u041dH\u041eo\u0420P\u0421C\u0422T\u0423Y\u0425X\u0430a"
    "\u0435e\u043ak\u043eo\u0440p\u0441c\u0443y\u0445x\u044cb\u0405S\u0406l\u0408J\u0455s\u0456l"
    "\u0458j\u0475v\u04afy\u04bbh\u04c0l\u04cfl\u0501d\u051bq\u051dw"
)
_LOOKS_LIKE = dict(zip(map(ord, _PAIRS[::2]), _PAIRS[1::2], strict=True))


def clean(text: str) -> str:
    """Return a text in the form of a clean name (see `read_name`), even if it is not valid."""
    plain = re.sub(_SPACES, " ", re.sub(_SELECTORS, "", text))
    name = plain.strip(_AROUND)
    if name.endswith("\u0d4d") and f"{name}\u200d" in plain:
        name += "\u200d"  # the final consonant of many Malayalam names
    # Normalizing a long run of combining marks takes very long.
    return normalize("NFC", name) if len(name) <= MOST_CHARACTERS else name


def letters_in(name: str) -> int:
    """Return how many letters people count in a name: an emoji of several parts is one.

    >>> letters_in("Zoe\u0308"), letters_in("\U0001f468\u200d\U0001f469\u200d\U0001f467")
    (3, 1)
    """
    return sum(category(sign)[0] not in "MC" for sign in re.sub(_PARTS, "-", name))


def looks(name: str) -> set[str]:
    """Return simple forms of a name: as is, lower, upper case; names that look alike share one."""
    # Class 8 is the voicing of Japanese syllables. Vowel signs, of class 0, are kept too.
    parts = (c for c in normalize("NFKD", name) if combining(c) in (0, 8) and category(c) != "Me")
    bare = "".join(parts)
    views = (view.translate(_LOOKS_LIKE) for view in (bare, bare.casefold(), bare.upper()))
    # Flags such as that of Wales differ in their tags alone.
    return {
        "".join(c for c in v if category(c)[0] in "LMN" or category(c) == "So" or c > "\U000e0000")
        for v in views
    }


def name_faults(name: str) -> Iterator[str]:
    """Yield a sentence for everything wrong with a name."""
    if name and not replace_hidden(name[:MOST_CHARACTERS], lambda _: "").strip():
        yield gettext("a name has at least one letter, digit or emoji")
        return
    number = letters_in(name)
    if number > LONGEST_NAME or len(name) > MOST_CHARACTERS or not name:
        facts = {"most": LONGEST_NAME, "number": number, "name": shown(name, LONGEST_NAME)}
        yield gettext("a name has 1 to {most} letters, not {number}: {name}", **facts)
    if not 1 <= len(name) <= MOST_CHARACTERS:
        return
    plain = replace_hidden(name, lambda _: "")
    quoted = shown(plain)
    if plain != name:
        yield gettext("a name has no invisible characters; type {name} by hand", name=quoted)
    emoji = any(category(c) == "So" for c in "".join(re.findall(EMOJI, name)))
    if not emoji and not any(c.isalnum() and category(c) != "Lm" for c in name):
        yield gettext("a name has at least one letter, digit or emoji, unlike {name}", name=quoted)
    # Spacing marks do not pile up, and some Indian and Burmese syllables have several.
    marks = {"Mn": "^", "Me": "^", "Mc": "_", "Zs": " "}
    kinds = "".join(marks.get(category(c), "-") for c in normalize("NFD", name))
    if re.search(r"(\A| )[\^_]|\^{3}", kinds):
        yield gettext(
            "a letter has at most two marks, and every mark a letter: {name}", name=quoted
        )
    if re.search(r'[,=:#"\\]', name):
        yield gettext(
            'a name cannot have , = : # " and \\, which have a meaning: {name}', name=quoted
        )
    letters = (part for c in name if c.isalpha() for part in normalize("NFKD", c))
    scripts = {named(letter, "").partition(" ")[0] for letter in letters} & _ALPHABETS
    if len(scripts) > 1:
        facts = {"alphabets": listed(sorted(map(str.capitalize, scripts))), "name": quoted}
        yield gettext("a name is of one alphabet, not of {alphabets}: {name}", **facts)
    if (right := clean(name)) != name:
        facts = {"name": ascii(name), "clean": shown(right)}
        yield gettext("{name} is not written as a name is; write {clean}", **facts)


def unnamed(number: int) -> list[str]:
    """Return `number` names for players without one, from Player 1 on, never translated."""
    return [f"Player {seat + 1}" for seat in range(number)]


def is_name(name: str, seat: int) -> bool:
    """Whether a name says who plays: not `Player`, nor, for seat 1, `Player 2` as in `unnamed`."""
    return name not in ("Player", unnamed(seat + 1)[-1])


def seat_meant(seat: int | str, names: Sequence[str]) -> int:
    """Return the number, from 0, of a seat given by number or name. Raises BadName for others."""
    if isinstance(seat, str) and seat in names:
        return names.index(seat)
    if isinstance(seat, int) and 0 <= seat < len(names):
        return seat
    says = ngettext(
        "{seat} is no seat; write 0, or the name: {names}",
        "{seat} is no seat; write 0 to {last}, or a name: {names}",
        len(names),
        seat=shown(seat),
        last=len(names) - 1,
        names=listed(names),
    )
    raise BadName(says)


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a game. `str` gives a text such as `Ann` or `Robo=computer:fixed:7`."""

    name: str  # already cleaned
    computer: str = ""  # the kind of computer player, such as fewest or fixed:7; empty: a person

    def __str__(self) -> str:
        """Return the text that `read_seats` reads back."""
        return f"{self.name}={COMPUTER}:{self.computer}" if self.computer else self.name


def read_name(text: str) -> str:
    """Return the clean name of a person: in Unicode NFC, with single spaces, and none around it.

    >>> read_name("  Mary   Ann ")
    'Mary Ann'

    Variants of emoji, and marks at the ends, are removed. Raises BadName, which lists every fault.
    """
    name = clean(text)
    _refuse(_seat_faults(Seat(name)))
    return name


def read_seats(text: str) -> tuple[Seat, ...]:
    """Read a list of seats: `NAME`, `computer`, `computer:KIND`, `NAME=computer:KIND`.

    >>> print(*read_seats("Ann, Robo=computer:fixed:7, computer"), sep=", ")
    Ann, Robo=computer:fixed:7, Computer=computer:fewest

    Computer players without a name are called Computer, or Computer 1, Computer 2 and so on. Raises
    BadName, which lists every fault of all seats, or of the first MOST_SEATS.
    """
    parts = text.split(",") if text.strip() else []
    read: list[tuple[str | None, str]] = []
    faults: list[str] = []
    for part in parts[:MOST_SEATS]:
        name, sign, player = part.partition("=")
        if (kind := _read_computer(part)) is not None:
            read.append((None, kind))
        elif not sign:
            read.append((clean(part), ""))
        elif (kind := _read_computer(player)) is not None:
            read.append((clean(name), kind))
        else:
            faults += _seat_faults(Seat(clean(name), DEFAULT_KIND))
            says = gettext_noop("after = comes computer or computer:KIND, not {player}")
            faults.append(gettext(says, player=shown(player)))
    given = [name for name, _ in read if name is not None]
    numbered = (f"Computer {place}" for place in count(1))
    wanted = chain(["Computer"], numbered) if len(read) - len(given) == 1 else numbered
    free = free_names(wanted, given)
    seats = tuple(Seat(next(free) if name is None else name, kind) for name, kind in read)
    _refuse(chain(faults, _list_faults(seats, len(parts))))
    return seats


def check_seats(seats: Sequence[Seat]) -> None:
    """Raise BadName, which lists every fault, unless these seats can play one game."""
    _refuse(_list_faults(seats, len(seats)))


def _read_computer(text: str) -> str | None:
    """Return the kind of computer player, even an invalid one; None if it is not a computer."""
    word, *kind = (piece.strip() for piece in text.split(":", 2))
    if word.lower() != COMPUTER:
        return None
    # A colon with nothing after it is no valid kind, but it does not mean a person either.
    return ":".join([kind[0].lower(), *kind[1:]]) or ":" if kind else DEFAULT_KIND


def free_names(wanted: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Return those of the `wanted` names that look like none of `names`."""
    taken = set().union(*(looks(name) for name in names if len(name) <= MOST_CHARACTERS))
    return (name for name in wanted if taken.isdisjoint(looks(name)))


def _list_faults(seats: Sequence[Seat], number: int) -> Iterator[str]:
    """Yield a sentence for every fault of a game with `number` seats, of which these are filled."""
    if not 1 <= number <= MOST_SEATS:
        yield gettext(
            "a game has 1 to {most} players, not {number}", most=MOST_SEATS, number=number
        )
    before: dict[str, str] = {}
    for seat in seats[:MOST_SEATS]:
        faults = list(_seat_faults(seat))
        yield from faults
        seen = set() if faults else looks(seat.name)
        if alike := next((before[look] for look in before if look in seen), None):
            one, two = shown(alike), shown(seat.name)
            says = gettext_noop("{first} and {second} are too alike for one game")
            if alike == seat.name:
                says = gettext_noop("two players are called {first}; give one of them another name")
            yield gettext(says, first=one, second=two)
        before |= dict.fromkeys(seen - before.keys(), seat.name)


def _seat_faults(seat: Seat) -> Iterator[str]:
    """Yield a sentence for everything wrong with one seat."""
    name, kind = seat.name, seat.computer
    yield from name_faults(name)
    word = re.sub(r"[\s\d]+$", "", name)  # Computer 2 is the second one without a name
    if not kind and len(name) <= MOST_CHARACTERS and not looks(COMPUTER).isdisjoint(looks(word)):
        says = gettext_noop("a person is not called {word}, the word for computer players: {name}")
        yield gettext(says, word=COMPUTER, name=shown(name))
    as_read = _read_computer(f"{COMPUTER}:{kind}")
    if kind and not (re.fullmatch(_KIND, kind) and kind.isprintable() and kind == as_read):
        quoted = shown(kind)
        yield gettext(
            "a kind of computer player is a word such as fewest or fixed:7, not {kind}", kind=quoted
        )


def _refuse(faults: Iterable[str]) -> None:
    if sentences := "; ".join(dict.fromkeys(faults)):
        raise BadName(sentences)
