"""The reader of wishes such as "me and two computers, 3 rounds, 2 chips, highest throw begins".

No other module reads players, games and the terms of a match in people's own words. A text is
split at commas into parts, and a part at words such as "and" into items. An item is one of those
in `terms.toml`, a game, or the name of a player. A part with an item that is none of these is not
understood: it is returned as typed, and nothing in it counts.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat, looks, unnamed
from shutbox.engine.typed_text import (
    NUMBER_WORDS,
    in_ascii,
    parse_name,
    plain_title,
    split,
    title_to_name,
    write_name,
)
from shutbox.match import Match
from shutbox.match.format import ATOMS, MOST_WINS
from shutbox.table.bots import CHARACTERS, RIVAL, read_players
from shutbox.table.lookup import AnyMatch, find_any, games_by_title, is_match
from shutbox.table.setup import game_for

FIRST, RACE, KNOCKOUT = "classic", "race-200", "knockout"
"""The game if none is named: the first, and those with a total to reach, or not to reach."""
UNNAMED = "Player"  # the name of a person without one, if there is only one such person
LONGEST = 400  # characters of a text that is read
_MISSPELT = ("computer", "computers", *(one.name.casefold() for one in CHARACTERS))
_CLOSE = 0.82  # how alike one of these and a word that is hardly a name are, from 0 to 1
_LONGEST_SPAN = 3  # items of a title such as "Ship, Captain and Crew"
_MOST_WORDS = 16  # of an item without a name
_ENDS = {"to", *(key for key, atom in ATOMS.items() if atom.ends)}  # keys that end a match
_OVERRIDES = ("tiles", "dice", "fewer")  # keys of a game, not of its format
_PERSONS = {"me", "friends", "name"}  # keys of items that are single persons
_PLAYERS = {*_PERSONS, "people", "number", "bot", "seat"}  # keys of items that say who plays
_OPENS = re.compile(
    r"(?P<adds>(?:and|plus|add|also|[&+])\s+)"
    r"|(?:let's\s+)?(?P<opposes>(?:(?:play|against(?!\s+all\s+odds)|vs?\.?|versus)\s+)+)",
    re.IGNORECASE,
)
_IDLE = re.compile(r"\s+(?:please|thanks)$", re.IGNORECASE)
_ME = re.compile(r"(?:i'm|i am|my name is)\s+(.+)", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)|\[[^][]*\]")
_COMMA = "(?:(?<![0-9]),|,(?![0-9]{3})|[;\uff0c\u3001\u060c\uff1b])"
_BETWEEN = re.compile(
    rf"(?P<comma>{_COMMA})(?:\s*(?:and|plus|with|for|at|vs?\.?|versus|against)(?!\S))?"
    r"|(?P<colon>:(?=\s))|(?<!\S)(?:and|plus|vs?\.?|versus|against|plays)(?!\S)|[&+\uff0b]"
    r"|(?P<other>(?<!\S)(?:with|for|at|play|using)(?!\S))",
    re.IGNORECASE,
)
"""What stands between two items: a comma, a sign or word between players, or `other` words."""
_GAME = re.compile(r"[\w.-]+(?:\([^()]*\)|\[[^][]*\])+|\S+\.toml(?:#[\w-]+)?", re.IGNORECASE)
_GONE = re.compile(r"(?:without|remove|drop)\s+(.+)", re.IGNORECASE)
_Item = tuple[str, str]  # a key and its value
_Found = re.Match[str]


@dataclass(frozen=True)
class Terms:
    """The terms of a match, as far as people have said them: the players, the game, the format."""

    seats: tuple[Seat, ...] = ()  # empty: nobody was named
    game: str = ""  # the name of a game or a match; empty: none was named
    atoms: Mapping[str, str] = field(default_factory=dict)
    """The atoms of the format by key; `to` is a total to reach in any game."""
    by_hand: bool = False  # whether the players throw real dice and type in what they show
    unread: tuple[str, ...] = ()  # the parts that were not understood, as typed
    absent: tuple[str, ...] = ()  # names of people who do not play, in parts such as "Bob begins"

    @property
    def name(self) -> str:
        """The name of the game or match; if none was said, the one that the total means."""
        total = RACE if "to" in self.atoms else KNOCKOUT if "limit" in self.atoms else FIRST
        return self.game or total

    @property
    def format(self) -> str:
        """The text of `atoms` for a format; `to` becomes a target, or a limit where low is good."""
        atoms = dict(self.atoms)
        if total := atoms.pop("to", ""):
            found = find_any(self.name)
            scoring = (found.game if isinstance(found, Match) else found).scoring
            atoms["limit" if scoring and scoring.low_is_good else "target"] = total
        return ",".join(f"{key}={value}" for key, value in atoms.items())

    def playable(self) -> Game[Any, Any]:
        """Return game `name` for one player without `atoms`, else a match. Raises as `game_for`."""
        alone = len(self.seats) == 1 and not self.atoms
        return game_for(self.name, self.seats, None if alone else self.format)

    @property
    def race(self) -> AnyMatch | None:
        """A race of 2 to a total, no chips: it favours the first. Or None. Raises as `playable`."""
        if len(self.seats) == 2 and (self.atoms or is_match(self.name)):
            game = self.playable()
            if isinstance(game, Match) and game.format.target and not game.format.stake:
                return game
        return None


def read_terms(text: str, before: Terms | None = None, fixed: Mapping[str, str] = {}) -> Terms:
    """Return the terms of a text. What it does not say stays as in `before`.

    >>> read = read_terms("me and two computers, 3 rounds, 2 chips, highest throw begins")
    >>> print(*read.seats, read.format)
    Player Computer 1=computer:fewest Computer 2=computer:fewest rounds=3,stake=2,begins=high-roll
    >>> read_terms("Dave vs Hobbs, every 3 rules").unread
    ('every 3 rules',)

    The players of `before` change only by `and X`, `without X` or a new list with a comma. Another
    value for a key of `fixed`, such as `game`, is not understood. Raises what `read_players` and
    `find_any` raise for invalid names and games.
    """
    before = replace(before or Terms(), unread=(), absent=())
    if not text.strip():
        raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
    if len(text) > LONGEST:
        return replace(before, unread=(text,))
    return _Reader(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"), before, fixed).terms()


def terms_typed(game: str | None, players: str | None, format: str) -> tuple[Terms, bool]:
    """Return the terms of a command line, and whether any of them is in words, not in notation.

    Raises what `read_terms` raises, NotUnderstood for a part of `players` that is not understood,
    and BadFormat for one of `format`; `game` is not checked.
    """
    terms, problems = Terms(game=game or ""), list[str]()
    fixed = {"game": title_to_name(game, games_by_title())} if game else {}
    in_words = False
    if players is not None:
        terms = read_terms(players, terms, fixed)
        for part in (*terms.unread, *terms.absent):
            raise NotUnderstood(
                "--players: {text} is not understood; type names such as Ann, Bob, or words such "
                "as me and two computers",
                text=shown(part),
            )
        in_words = True
        with suppress(BadName):
            in_words = terms != Terms(read_players(players), terms.game)
    earlier = terms.atoms
    if "=" in format:
        malformed = gettext_noop("{part} is not understood; write key=value")
        atoms, problems = split(format, malformed, gettext_noop("{key} is given twice"))
        terms = replace(terms, atoms={**terms.atoms, **atoms})
    elif format:
        new, in_words = read_terms(format, terms, {**fixed, **terms.atoms}), True
        says = gettext_noop("{text} is not understood; type words such as 3 rounds, 2 chips")
        unread = (*new.unread, *new.absent, *([format] * (new.seats != terms.seats)))
        terms, problems = new, [gettext(says, text=shown(part)) for part in unread]
    for key in (key for key, value in earlier.items() if terms.atoms.get(key) != value):
        problems.append(gettext("{key} is given twice", key=key))
    if problems:
        raise BadFormat("format", tuple(problems))
    return terms, in_words


def _split(text: str, start: int = 0) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Return the items of a text from `start` on, and the gaps around them.

    A gap is its begin and end in the text, and the group of `_BETWEEN` that matched, or "".
    """
    masked = _BRACKETS.sub(lambda it: "x" * len(it[0]), text)
    gaps = [(*it.span(), it.lastgroup or "") for it in _BETWEEN.finditer(masked, start)]
    gaps = [(0, start, ""), *gaps, (len(text), len(text), "")]
    return [text[before[1] : after[0]].strip() for before, after in pairwise(gaps)], gaps


def _is_listed(item: str) -> bool:
    """Whether an item of a list that has only commas is a player. A single word always is one."""
    known = _known(item)
    if known is not None and known[0] in ("me", "bot", "seat"):
        return True
    one = len(item.split()) == 1
    return not item.strip("-").isdigit() if one else known is None and _is_name(item, listed=True)


def _is_name(item: str, *, listed: bool = False) -> bool:
    """Whether an item can be the name of a person; in a list with commas, also `Team 2`."""
    words = item.casefold().split()
    if re.fullmatch("player [0-9]{1,2}", item, re.IGNORECASE):
        return True
    faults = [*re.findall(r"[<>*!?=]", item), *({*words} & _vocabulary()["no_names"])]
    if not listed:
        faults += get_close_matches(item.casefold(), _MISSPELT, 1, _CLOSE)
        faults += {*words} & _vocabulary()["alone"] if words[1:] or item.islower() else ()
    for word in words[:-1] if listed else words:
        known = _known(word) if words[1:] else None
        said = known is not None and not (listed and known[0] == "game")
        if said or word in NUMBER_WORDS or re.match(r"-?[0-9]", word):
            faults.append(word)
    return 0 < len(words) <= 3 - item.islower() and not faults


@cache
def _vocabulary() -> dict[str, Any]:
    text = Path(__file__).with_name("terms.toml").read_text(encoding="utf-8")
    words = tomllib.loads(text)
    return words | {key: {*words[key].split()} for key in ("no_names", "alone")}


@cache
def _pattern(text: str) -> "re.Pattern[str]":
    """Compile a pattern of `terms.toml`."""
    number = f"(-?[0-9]{{1,9}}|an?|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
    levels = "|".join(_vocabulary()["levels"].values())
    text = text.replace("{begins}", _vocabulary()["begins"]).replace("{levels}", levels)
    text = text.replace("{n} ", rf"{number}[\s-]*").replace("{n}", number)
    return re.compile(text.replace(" ", r"(?:\s+|(?<=\w)-)"), re.IGNORECASE)


def _number(found: _Found) -> int:
    """Return the number that the matched words say, in digits or not; 1 if they say none."""
    named = found.re.groupindex.values()
    texts = (found[place] for place in range(1, found.re.groups + 1) if place not in named)
    word = next(filter(None, texts), "a").casefold()
    return NUMBER_WORDS.get(word) or (1 if word in ("a", "an") else int(word))


def _known(item: str) -> _Item | None:
    """Return what an item says, as a key and its value; None if it can only be a name."""
    if _GAME.fullmatch(item):
        return "game", item
    typed, item = item, in_ascii(item)
    key, sign, value = (word.strip() for word in item.casefold().partition("="))
    if sign and key in ATOMS:
        return (key, value) if re.fullmatch(r"[\w.-]+", value) else None
    if sign or key == COMPUTER or key.startswith(f"{COMPUTER}:"):
        return "seat", typed if "=" in typed else item
    if id := next((one.id for one in CHARACTERS if key == one.name.casefold()), ""):
        return "bot", f"{COMPUTER}:{id}"
    names, bare = games_by_title(), re.sub(r"^(?:game|play)\s+|\s+(?:game|rules)$", "", key)
    for title in (key, bare):
        if not re.fullmatch("[0-9]{1,2}", title) and (name := names.get(plain_title(title))):
            return "game", name
    if key.startswith("game "):
        return "game", item[5:].strip()
    for means, says in _vocabulary()["says"].items():
        if found := _pattern(says).fullmatch(item):
            key, _, value = means.partition("=")
            number = _number(found)
            if key in ("bot", "friends") and number < 1:
                return None
            if key == "bot":
                return (key, seats) if (seats := _computers(found)) else None
            if key == "best":
                if not number % 2 or not 0 < number < 2 * MOST_WINS:
                    raise NotUnderstood(
                        "after best of comes an odd number, 1 to {most}; or type rounds, such as "
                        "4 rounds",
                        most=2 * MOST_WINS - 1,
                    )
                return "wins", str((number + 1) // 2)
            if key == "first":
                key = "to" if number > MOST_WINS else "wins"
            return key, value.replace("{n}", str(number))
    return None


def _computers(found: _Found) -> str:
    """Return the seats, for `read_players`, that "two easy computers" means; "" for no number."""
    number, level = _number(found), (found["level"] or "").casefold()
    if bool(found["several"]) != (number > 1):
        return ""
    id = next((id for id, says in _vocabulary()["levels"].items() if level in says.split("|")), "")
    id = id or (RIVAL.id if number == 1 else "")
    return ",".join([f"{COMPUTER}{id and ':'}{id}"] * min(number, MOST_SEATS + 1))


def _said(words: list[str]) -> list[_Item] | None:
    """Return the items that words without a name say one after the other; None if they do not."""
    for end in range(len(words), 0, -1):
        first, others = _known(" ".join(words[:end])), words[end:]
        if first is not None and (others_said := _said(others) if others else []) is not None:
            return [first, *others_said]
    return None


def _items(item: str, *, listed: bool, single: bool) -> list[_Item] | None:
    """Return what an item says, or several with the words between them; None if it says nothing.

    `listed` items stand in a list that has only commas, where a name is a name.
    """
    item = _IDLE.sub("", item)
    known = _known(item)
    if listed and not (known and known[0] in ("me", "bot", "seat")):
        return [("name", item)]
    if not single:
        return [known] if known and known[0] not in _PLAYERS and "=" not in item else None
    if known is not None:
        return [known]
    words = item.split()
    if 1 < len(words) <= _MOST_WORDS and (said := _said(words)):
        return said
    if found := _pattern("(.{1,40}?) {begins}").fullmatch(item):
        who = _known(found[1])
        playing = who[0] in _PLAYERS if who else _is_name(found[1])
        return [("who", found[1])] if playing or found[1].casefold() == "you" else None
    me = _ME.fullmatch(item)
    name = me[1] if me else item
    return [("me" if me else "name", name)] if _is_name(name) else None


@dataclass(frozen=True)
class _Part:
    """The text between two commas."""

    text: str
    items: list[_Item] | None  # None: not understood

    @property
    def players(self) -> list[_Item]:
        """The items that say who plays."""
        return [item for item in self.items or () if item[0] in _PLAYERS]


class _Reader:
    """A reader of one text, used once."""

    def __init__(self, text: str, before: Terms, fixed: Mapping[str, str]) -> None:
        self.text, self.before, self.fixed = text, before, fixed
        self.seats, self.values = before.seats, dict(fixed)
        self.unread: list[str] = []
        self.absent: list[str] = []

    def terms(self, *, closed: bool = False) -> Terms:
        """Read the text and return the terms. If `closed`, no part changes the players."""
        opened = _OPENS.match(self.text)
        parts = list(self._parts(opened.end() if opened else 0))
        adds = opened is not None and opened["adds"] is not None
        if adds and self.mine:
            self.values["me"] = ""
        lists = [part.players for part in parts if part.players]
        keys = [key for key, _ in chain(*lists)]
        if self.seats:
            closed = closed or (not adds and len(lists) < 2)
        elif keys == ["name"]:  # as likely a word for something else
            closed = any(part.items is None for part in parts)
        taken = []
        for part in parts:
            here = {key for key, _ in part.items or ()}
            if part.items is None and self.seats and (gone := _GONE.fullmatch(part.text)):
                self._remove(gone[1], part.text)
            elif (
                part.items is None
                or (part.players and (closed or "who" in here))
                or ("number" in here and _PERSONS & {*keys})
                or not self._agrees(part.items)
            ):
                self.unread.append(part.text)
            else:
                taken.append(part)
        if self.before.seats and self.unread and not (adds or closed):
            return _Reader(self.text, self.before, self.fixed).terms(closed=True)
        opposes = bool(opened and opened["opposes"] and parts[0].players)
        self._seat([part.players for part in taken], adds=adds, opposes=opposes)
        for part in taken:
            for who in (value for key, value in part.items or () if key == "who"):
                self._begin(who, part.text)
        return self._merged()

    def _parts(self, start: int) -> Iterator[_Part]:
        """Yield the parts of the text from `start` on. Raises BadName for a lone comma."""
        items, gaps = _split(self.text, start)
        kinds = [kind for _, _, kind in gaps[1:-1]]
        if not all(items[n] and items[n + 1] for n, kind in enumerate(kinds) if kind == "comma"):
            raise BadName("a name is missing beside the comma; type names such as Ann, Bob")
        several = len(items) > 1 or start > 0 or "game" in self.fixed
        listed = several and {*kinds} <= {"comma"} and all(map(_is_listed, items))
        place = first = 0
        read: list[_Item] | None = []
        while place < len(items):
            longest = 1 if listed else _LONGEST_SPAN
            for after in range(min(len(items), place + longest), place, -1):
                item = self.text[gaps[place][1] : gaps[after][0]].strip()
                found = _items(item, listed=listed, single=after == place + 1)
                if found is not None and (gaps[place][2] != "other" or found[0][0] != "name"):
                    break
                found = [] if item == "" and after < len(items) else None  # it begins with "for"
            read = None if read is None or found is None else [*read, *found]
            place = after
            if place == len(items) or kinds[place - 1] in ("comma", "colon"):
                text = self.text[gaps[first][0] + (first > 0) : gaps[place][0]].strip()
                yield _Part(text, read)
                first, read = place, []

    def _agrees(self, items: list[_Item]) -> bool:
        """Set the values of a part and return True; set none if one of them has another value."""
        new, persons = dict(self.values), any(key in _PERSONS for key, _ in items)
        for key, value in items:
            if key in ("people", "number") and not persons:
                key = "total"
            elif key in _PLAYERS - {"me"} or key == "who":
                continue
            if (key == "me" and key in new) or new.setdefault(key, value) != value:
                return False
        self.values = new
        return True

    def _seat(self, lists: list[list[_Item]], *, adds: bool, opposes: bool) -> None:
        """Seat the players listed, those only counted and, if implied, the one at the keyboard."""
        has_me, total = "me" in self.values, self.values.pop("total", None)
        self.values.pop("me", None)
        listed: list[tuple[str, str]] = []  # keys, and texts for `read_players`; "" has no name
        for players in lists:
            persons = any(key in _PERSONS for key, _ in players)
            for key, value in players:
                if key == "friends" or (key == "people" and persons):
                    listed += [(key, "")] * min(int(value), MOST_SEATS + 1)
                elif key not in ("people", "number"):
                    listed += [(key, text) for text in value.split(",")]
        people = [text for key, text in listed if key not in ("bot", "seat")]
        groups = [key for players in lists for key, _ in players if key in ("bot", "seat")]
        alone = not any(people) and "seat" not in groups and (people or groups == ["bot"])
        if listed and (alone or opposes) and not (adds or has_me or total):
            listed.insert(0, ("me", ""))
        if total and len(people) > int(total):
            facts = {"total": total, "number": len(people)}
            raise BadName("you count {total} players, and name {number}", **facts)
        before = self.seats if adds else ()
        place = next((n for n, (key, _) in enumerate(listed) if key in groups), len(listed))
        others = int(total) - len(people) if total else 0
        listed[place:place] = [("people", "")] * min(others, MOST_SEATS + 1)
        if total is None and not listed:
            return
        if not 0 < len(before) + len(listed) <= MOST_SEATS:
            raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
        names = [seat.name for seat in before]
        texts = [text or (self.mine if key == "me" else "") for key, text in listed]
        one = [UNNAMED] * (texts.count("") == 1)
        free = (n for n in chain(one, unnamed(2 * MOST_SEATS)) if n not in names)
        named = (text or next(free) for text in texts)
        self.seats = read_players(",".join([*map(str, before), *named]))

    def _remove(self, who: str, part: str) -> None:
        """Remove players by name, or all computer players; or say that they do not play."""
        gone = [self._places(name) for name in _split(who)[0]]
        left = [seat for n, seat in enumerate(self.seats, 1) if not any(n in each for each in gone)]
        if all(gone) and left:
            self.seats = tuple(left)
        else:
            self._miss("" if all(gone) else who, part)

    def _miss(self, name: str, part: str) -> None:
        """Return `part` as not understood, or if it has a name, return that as of no player."""
        if self.seats and _is_name(name) and not _known(name):
            self.absent.append(name)
        else:
            self.unread.append(part)

    @property
    def mine(self) -> str:
        """The name of the person at the keyboard; "" if several people play."""
        people = [seat.name for seat in self.seats if not seat.computer]
        return next((n for n in people if not people[1:] or n in (UNNAMED, *unnamed(1))), "")

    def _places(self, who: str) -> list[int]:
        """Return the places, from 1, of the seats that a name, `me` or `the computer` means."""
        word = who.casefold().removeprefix("the ").removesuffix("s")
        name = self.mine if word in ("me", "i") else who
        places = [n for n, seat in enumerate(self.seats, 1) if looks(seat.name) & looks(name)]
        if not places and word in (COMPUTER, "you"):
            places = [n for n, seat in enumerate(self.seats, 1) if seat.computer]
        return places

    def _begin(self, who: str, part: str) -> None:
        """Set who begins."""
        if not (places := self._places(who)):
            self._miss(who, part)
        elif self.values.setdefault("begins", str(places[0])) != str(places[0]):
            self.unread.append(part)

    def _merged(self) -> Terms:
        """Return the terms of `before` with the changes that this text makes."""
        new = {key: value for key, value in self.values.items() if key not in self.fixed}
        before, atoms = self.before, dict(self.before.atoms)
        by_hand = "hand" in new or before.by_hand
        new.pop("hand", None)
        game = new.pop("game", before.game)
        overrides = {key: new.pop(key) for key in _OVERRIDES if key in new}
        match = find_any(game) if game != before.game else None
        own_end = isinstance(match, Match) and not {"wins", "target", "limit", "until"}.isdisjoint(
            match.format.options
        )
        if _ENDS & new.keys() or own_end:
            atoms = {key: value for key, value in atoms.items() if key not in _ENDS}
        begins = atoms.get("begins", "")
        if begins.isdigit() and int(begins) <= len(before.seats):
            # The same player begins, wherever the seat is now.
            places = self._places(before.seats[int(begins) - 1].name)
            atoms |= {"begins": str(places[0])} if places else {}
            if not places:
                del atoms["begins"]
        terms = Terms(self.seats, game, {**atoms, **new}, by_hand)
        if overrides:
            base, options = parse_name(terms.name)
            terms = replace(terms, game=write_name(base, {**options, **overrides}))
            find_any(terms.game)
        return replace(terms, unread=tuple(self.unread), absent=tuple(self.absent))
