"""The reader of wishes such as "me and two computers, 3 rounds, 2 chips, highest throw begins".

No other module reads players, games and the terms of a match in people's own words. A text is
split at commas into parts, and a part at words such as "and" into items. An item is one of those
in `terms.toml`, a game, or the name of a player. A part with an item that is none of these is not
understood: it is returned as typed, and nothing in it counts.
"""

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.seats import COMPUTER, MOST_SEATS, looks, unnamed
from shutbox.engine.typed_text import (
    NUMBER_WORDS,
    in_ascii,
    parse_name,
    plain_title,
    split,
    write_name,
)
from shutbox.match import Match
from shutbox.match.format import ATOMS, MOST_WINS
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.bots import RIVAL, read_players
from shutbox.table.lookup import find_any, games_by_title
from shutbox.table.setup import UNNAMED, Terms

LONGEST = 400  # characters of a text that is read
_BOTS = {one.name.casefold(): one.id for one in CHARACTERS}
_CLOSE = 0.82  # how alike one of these and a word that is hardly a name are, from 0 to 1
_ENDS = {"to", *(key for key, atom in ATOMS.items() if atom.ends)}  # keys that end a match
_OVERRIDES = ("tiles", "dice", "fewer", "cover")  # keys of a game, not of its format
_LISTED = {"me", "bot", "seat"}  # keys of items that are no names, even between commas
_PLAYERS = {*_LISTED, "name", "people"}  # keys of items that say who plays
_AGAINST = r"(?:vs?\.?|versus|against)"
_OPENS = re.compile(
    rf"(?P<adds>(?:and|plus|add)\s+|[&+\uff0b]\s*)|(?:players|names|seats)\s*[:\uff1a]\s*"
    rf"|(?:let's\s+)?(?P<opposes>(?:(?:play|{_AGAINST})\s+)+)",
    re.IGNORECASE,
)
_COMMA = re.compile("(?<![0-9]),|,(?![0-9]{3})|[;\uff0c\u3001\u060c\uff1b]")
_AND = re.compile(rf"(?<!\S)(?:and|plus|{_AGAINST})(?!\S)|[&+\uff0b]", re.IGNORECASE)
_GAME = re.compile(r"[\w.-]+(?:\([^()]*\)|\[[^][]*\])+|\S+\.toml(?:#[\w-]+)?", re.IGNORECASE)
_GONE = re.compile(r"(?:without|remove|drop)\s+(.+)", re.IGNORECASE)
_DIGITS = re.compile("[-d]?[0-9]")
_SIGN = re.compile(r"\s*[:=]\s*")
_Item = tuple[str, str]  # a key and its value


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
    return _Reader(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"), before).terms()


def terms_typed(game: str | None, players: str | None, format: str) -> tuple[Terms, bool]:
    """Return the terms of a command line, and whether any of them is in words, not in notation.

    Raises what `read_terms` raises, NotUnderstood for words that are not understood or contradict
    what stands before them, and BadFormat for notation that does; `game` is not checked.
    """
    terms, in_words = Terms(game=game or ""), False
    if players is not None:
        terms, in_words = _read_after(terms, players, "--players", "Ann, 2 computers"), True
        with suppress(BadName):
            in_words = terms != Terms(read_players(players), terms.game)
    if format and all("=" in part for part in filter(str.strip, in_ascii(format).split(","))):
        malformed = gettext_noop("{part} is not understood; write key=value")
        atoms, problems = split(format, malformed, twice := gettext_noop("{key} is given twice"))
        for key in (key for key, value in atoms.items() if terms.atoms.get(key, value) != value):
            problems.append(gettext(twice, key=key))
        if problems:
            raise BadFormat("format", tuple(problems))
        return replace(terms, atoms={**terms.atoms, **atoms}), in_words
    if not format:
        return terms, in_words
    return _read_after(terms, format, "--format", "3 rounds, 2 chips"), True


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


@cache
def _vocabulary() -> dict[str, Any]:
    words = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
    return words | {key: {*words[key].split()} for key in ("no_names", "alone")}


@cache
def _pattern(text: str) -> "re.Pattern[str]":
    """Compile a pattern of `terms.toml`."""
    for key in ("begins", "bots"):
        text = text.replace(f"{{{key}}}", _vocabulary()[key])
    number = f"(-?[0-9]+|an?|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
    text = text.replace("{n} ", rf"{number}[\s-]*").replace("{n}", number)
    return re.compile(text.replace(" ", r"(?:\s+|(?<=\w)-)"), re.IGNORECASE | re.ASCII)


def _masked(text: str) -> str:
    """Return a text with other letters for what is one item in spite of its signs and words."""
    return _pattern("|".join(_vocabulary()["whole"])).sub(lambda found: "x" * len(found[0]), text)


def _split(text: str, at: "re.Pattern[str]") -> list[str]:
    """Return the pieces of a text between the places that match `at`."""
    cuts = [found.span() for found in at.finditer(_masked(text))]
    begins, ends = [0, *(end for _, end in cuts)], [*(begin for begin, _ in cuts), len(text)]
    return [text[begin:end].strip() for begin, end in zip(begins, ends, strict=True)]


def _opening(text: str) -> "re.Match[str] | None":
    """Return what opens a part, such as "and" or "play"; None in "play cargo", which is a game."""
    found = _OPENS.match(_masked(text))
    return found if found and (found["adds"] or not _known(text)) else None


def _known(item: str) -> _Item | None:
    """Return what an item says, as a key and its value; None if it can only be a name."""
    if _GAME.fullmatch(item):
        return "game", item
    typed, item = item, in_ascii(item)
    name, sign, kind = (word.strip() for word in item.casefold().partition("="))
    if re.match(rf"{COMPUTER}(?::|$)", kind or name):
        return "seat", typed if sign else item
    key, _, value = (words := _SIGN.sub(" ", item).casefold()).partition(" ")
    if sign and key in {*ATOMS, *_OVERRIDES}:
        return (key, value) if re.fullmatch(r"[\w.-]+", value) else None
    if words in _BOTS:
        return "bot", f"{COMPUTER}:{_BOTS[words]}"
    opens = _pattern("game |(?:let's )?play ").match(words)
    for title in (words, re.sub(r"\s+(?:game|rules)$", "", words[opens.end() if opens else 0 :])):
        name = games_by_title().get(plain_title(title), "")
        if name and not re.fullmatch("[0-9]{1,2}", title):
            return "game", name
    if key == "game" and value:
        return "game", value
    for means, says in _vocabulary()["says"].items():
        if found := _pattern(says).fullmatch(words):
            return _meant(means, found)
    with suppress(NotUnderstood, KeyError):
        ATOMS[key].read(value)
        return key, value
    return ("seat", typed) if sign else None


def _meant(means: str, found: "re.Match[str]") -> _Item | None:
    """Return the item of a row of `terms.toml` that matched. Raises NotUnderstood."""
    key, _, value = means.partition("=")
    word = next(filter(None, found.groups()), "a").casefold()
    number = NUMBER_WORDS.get(word) or (1 if word in ("a", "an") else int(word))
    if key == "bot":
        id = value or (RIVAL.id if number == 1 else "")
        seats = [f"{COMPUTER}{id and ':'}{id}"] * min(number, MOST_SEATS + 1)
        return (key, ",".join(seats)) if seats else None
    if key == "best":
        if number % 2 and 0 < number < 2 * MOST_WINS:
            return "wins", str((number + 1) // 2)
        raise NotUnderstood(
            "after best of comes an odd number, 1 to {most}; or type rounds, such as 4 rounds",
            most=2 * MOST_WINS - 1,
        )
    if key == "first":
        key = "to" if number > MOST_WINS else "wins"
    return key, value.replace("{n}", str(number))


def _is_name(item: str) -> bool:
    """Whether an item that does not stand between commas alone can be the name of a person."""
    words, vocabulary = item.split(), _vocabulary()
    if re.fullmatch("player [0-9]{1,2}", item, re.IGNORECASE):
        return True
    odd = vocabulary["no_names"] | NUMBER_WORDS.keys() | ATOMS.keys()
    for word in words:
        known = words[1:] and _known(word)
        if word in vocabulary["alone"] or word.casefold() in odd or _DIGITS.match(word) or known:
            return False
    if _pattern(vocabulary["joins"]).search(item):
        return False
    close = get_close_matches(item.casefold(), (COMPUTER, f"{COMPUTER}s", *_BOTS), 1, _CLOSE)
    return 0 < len(words) <= 3 - item.islower() and not (close or re.search("[<>*!?=:]", item))


def _is_listed(item: str) -> bool:
    """Whether an item of a list that has only commas is a player. A single word always is one."""
    known, words = _known(item), item.casefold().split()
    if known is not None and known[0] in _LISTED:
        return True
    if not words[1:]:
        return not (item.strip("-").isdigit() or (known and re.search("[:=0-9]", item)))
    counts = words[0] in NUMBER_WORDS or _DIGITS.match(words[0])
    return not (known or counts or {*words} & _vocabulary()["no_names"])


def _item(item: str, *, listed: bool) -> _Item | None:
    """Return what an item says; None if it says nothing. If `listed`, a name is a name."""
    known = _known(item)
    if listed and not (known and known[0] in _LISTED):
        return "name", item
    if known is None and (found := _pattern("(.{1,40}?) {begins}").fullmatch(in_ascii(item))):
        return "who", found[1]
    return known or (("name", item) if _is_name(item) else None)


def _players(items: list[_Item] | None) -> list[_Item]:
    """Return the items that say who plays; none if a part is not understood."""
    return [item for item in items or () if item[0] in _PLAYERS]


class _Reader:
    """A reader of one text, used once."""

    def __init__(self, text: str, before: Terms) -> None:
        self.text, self.before, self.seats = text, before, before.seats
        self.values: dict[str, str] = {}
        self.parts: dict[str, str] = {}  # the last part with each key, as typed
        self.unread: list[str] = []

    def terms(self, *, closed: bool = False) -> Terms:
        """Read the text and return the terms. If `closed`, no part changes the players."""
        parts = list(self._parts())
        lead = next((opened for _, opened, items in parts if _players(items)), None)
        adds = bool(self.seats and lead and lead["adds"])
        if adds and self.mine:
            self.values["me"] = ""
        lists = [_players(items) for _, _, items in parts if _players(items)]
        keys = [key for key, _ in chain(*lists)]
        if self.seats:
            closed = closed or (not adds and len(lists) < 2)
        elif keys == ["name"]:  # as likely a word for something else
            closed = any(items is None or "who" in dict(items) for _, _, items in parts)
        players, first = list[_Item](), list[tuple[str, str]]()
        for part, _, items in parts:
            here = dict(items or ())
            self.parts |= dict.fromkeys(here, part)
            if items is None and self.seats and (gone := _GONE.fullmatch(part)):
                self._remove(gone[1], part)
            elif (
                items is None
                or (_players(items) and (closed or "who" in here))
                or ("people" in here and {"me", "name"} & {*keys})
                or not self._agrees(items)
            ):
                self.unread.append(part)
            else:
                players += _players(items)
                first += [(who, part) for key, who in items if key == "who"]
        self._seat(players, adds=adds, opposes=bool(lead and lead["opposes"]))
        for who, part in first:
            place = str(next(iter(self._places(who)), ""))
            if not place or self.values.setdefault("begins", place) != place:
                self.unread.append(part)
        if self.before.seats and self.unread and not (adds or closed):
            return _Reader(self.text, self.before).terms(closed=True)
        return self._merged()

    def _parts(self) -> Iterator[tuple[str, "re.Match[str] | None", list[_Item] | None]]:
        """Yield the parts of the text, each with what opens it, and its items or None if unread.

        Raises BadName for a lone comma.
        """
        texts = _split(self.text, _COMMA)
        if not all(texts) and texts[1:]:
            raise BadName("a name is missing beside the comma; type names such as Ann, Bob")
        opened = [_opening(text) for text in texts]
        rests = [t[found.end() if found else 0 :] for t, found in zip(texts, opened, strict=True)]
        items = [_split(rest, _AND) for rest in rests]
        listed = all(not rest and _is_listed(first) for first, *rest in items)
        if not (self.seats and opened[0] and opened[0]["adds"]):
            listed = listed and bool(texts[1:]) and not all(_known(first) for (first,) in items)
        for text, found, its in zip(texts, opened, items, strict=True):
            read = [_item(one, listed=listed) for one in its]
            yield text, found, None if None in read else [one for one in read if one is not None]

    def _agrees(self, items: list[_Item]) -> bool:
        """Set the values of a part and return True; set none if one of them has another value."""
        new = dict(self.values)
        for key, value in items:
            if key in ("name", "bot", "seat", "who"):
                continue
            if (key == "me" and key in new) or new.setdefault(key, value) != value:
                return False
        self.values = new
        return True

    def _seat(self, players: list[_Item], *, adds: bool, opposes: bool) -> None:
        """Seat those only counted, the players listed and, if implied, the one at the keyboard."""
        if players == [("seat", COMPUTER)]:
            players = [("bot", f"{COMPUTER}:{RIVAL.id}")]
        people = self.values.pop("people", None)
        has_me = self.values.pop("me", None) is not None
        texts = [""] * min(int(people or 0), MOST_SEATS + 1)  # "" is a person without a name
        implied = players and not (adds or has_me or people)
        if implied and (opposes or [key for key, _ in players] == ["bot"]):
            texts.append(self.mine)
        for key, value in players:
            if key != "people":
                texts += [self.mine] if key == "me" else value.split(",")
        if people is None and not texts:
            return
        before = self.seats if adds else ()
        if not 0 < len(before) + len(texts) <= MOST_SEATS:
            raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
        one, taken = [UNNAMED] * (texts.count("") == 1), [seat.name for seat in before]
        free = (name for name in chain(one, unnamed(2 * MOST_SEATS)) if name not in taken)
        self.seats = read_players(",".join([*map(str, before), *(t or next(free) for t in texts)]))

    def _remove(self, who: str, part: str) -> None:
        """Remove players by name, or all computer players; `part` is unread if that cannot be."""
        gone = [self._places(name) for name in _split(who, _AND)]
        left = [seat for n, seat in enumerate(self.seats, 1) if n not in chain(*gone)]
        if all(gone) and left:
            self.seats = tuple(left)
        else:
            self.unread.append(part)

    @property
    def mine(self) -> str:
        """The name of the person at the keyboard; "" if several people play."""
        people = [seat.name for seat in self.seats if not seat.computer]
        return next((n for n in people if not people[1:] or n in (UNNAMED, *unnamed(1))), "")

    def _places(self, who: str) -> list[int]:
        """Return the places, from 1, of the seats that a name, `me` or `the computer` means."""
        name = self.mine if who.casefold() in ("me", "i") else who
        places = [n for n, seat in enumerate(self.seats, 1) if looks(seat.name) & looks(name)]
        if not places and _pattern("you|(the |){bots}").fullmatch(in_ascii(who)):
            places = [n for n, seat in enumerate(self.seats, 1) if seat.computer]
        return places

    def _merged(self) -> Terms:
        """Return the terms of `before` with the changes that this text makes."""
        new, before, atoms = self.values, self.before, dict(self.before.atoms)
        by_hand = new.pop("hand", None) is not None or before.by_hand
        game = new.pop("game", before.game)
        overrides = {key: new.pop(key) for key in _OVERRIDES if key in new}
        match = find_any(game) if game != before.game else None
        own = match.format.options if isinstance(match, Match) else {}
        if _ENDS & new.keys() or own.keys() & _ENDS - {"rounds"}:
            atoms = {key: value for key, value in atoms.items() if key not in _ENDS}
        begins = atoms.pop("begins", "")
        if begins.isdigit() and int(begins) <= len(before.seats):
            # The same player begins, wherever the seat is now.
            places = self._places(before.seats[int(begins) - 1].name)
            begins = str(places[0]) if places else ""
        atoms |= {"begins": begins} if begins else {}
        for key, value in new.items():
            atom = ATOMS.get(key)
            number = int(value) if re.fullmatch("-?[0-9]+", value) else None
            if atom and number is not None and not atom.least <= number <= atom.most:
                text = shown(self.parts.get(key, value))
                raise NotUnderstood("{text} is out of bounds: {about}", text=text, about=atom.says)
        atoms |= new
        if new.get("stake") == "0":  # nobody pays for points, either
            atoms.pop("pays", None)
        terms = Terms(self.seats, game, atoms, by_hand)
        if overrides:
            base, options = parse_name(terms.name)
            terms = replace(terms, game=write_name(base, {**options, **overrides}))
            try:
                find_any(terms.game)
            except ShutboxError:
                title, text = find_any(base).card().title, shown(self.parts[[*overrides][-1]])
                raise NotUnderstood(
                    "{title} cannot be played with {text}", title=title, text=text
                ) from None
        return replace(terms, unread=tuple(self.unread))
