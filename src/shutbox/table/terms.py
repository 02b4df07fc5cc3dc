"""The reader of phrases such as "me and two computers, best of 3, 2 chips, highest throw begins".

No other module reads players, games and the terms of a match in people's own words; `terms.toml`
lists the words. Every word of a phrase is used once: `_Reader.terms` says in which order, and why.
A part that is not understood is returned as such, so that a misread word never takes a seat.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from shutbox.engine.english import replace_hidden, shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat, clean, looks, unnamed
from shutbox.engine.typed_text import NUMBER_WORDS, parse_name, plain_title, split, write_name
from shutbox.match import Match
from shutbox.match.format import ATOMS
from shutbox.table.bots import CHARACTERS, RIVAL, read_players
from shutbox.table.lookup import AnyMatch, find_any, games_by_title, is_match
from shutbox.table.setup import game_for

FIRST, RACE = "classic", "race-200"  # the game if none is named, without and with a total
UNNAMED = "Player"  # the name of a person without one, if there is only one such person
LONGEST = 400  # characters of a phrase; the rest is not understood
OURS = {"shutthebox": FIRST}  # the catalogue means `two-dice` by this title, as a console does
_LEAST_TOTAL = 10  # "first to 3" means three rounds won, which no format counts
_LONGEST_TITLE = 6  # words
_CLOSE = 0.82  # how alike a misspelt word and the right one are at least, from 0 to 1
_ENDS = {"to", *(key for key, atom in ATOMS.items() if atom.ends)}  # keys that end a match
_ME, _BOT = "\x01", "\x02"  # begin an entry of a list that is not a name; no phrase has them
_GAME = re.compile(r"[\w-]+(?:\([^()]*\)|\[[^][]*\])+|\S+\.toml(?:#[\w-]+)?")
_ATOM = re.compile(rf"\b({'|'.join(ATOMS)})\s*=\s*([\w.-]+)", re.IGNORECASE)
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

    @property
    def name(self) -> str:
        """The name of the game or match; if none was said, race-200 with a total, else classic."""
        return self.game or (RACE if "to" in self.atoms else FIRST)

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


def read_terms(text: str, before: Terms | None = None) -> Terms:
    """Return the terms of a phrase. What it does not say stays as in `before`, except `unread`.

    >>> read = read_terms("me and two computers, best of 3, 2 chips, highest throw begins")
    >>> print(*read.seats, read.format)
    Player Computer 1=computer:fewest Computer 2=computer:fewest begins=high-roll,stake=2,rounds=3
    >>> read_terms("Dave vs Hobbs, every 3 rules").unread
    ('every 3 rules',)

    Players replace those of `before`, unless the text begins with a word such as "and". Raises what
    `read_players` and `find_any` raise for invalid names and games. `unread` has parts of `text`.
    """
    before = before or Terms()
    if not before.seats and is_list(text):
        return replace(before, seats=read_players(text), unread=())
    return _Reader(text, before).terms()


def terms_typed(game: str | None, players: str | None, format: str) -> tuple[Terms, bool]:
    """Return the terms of a command line, and whether any of them is a phrase.

    `players` and `format` can be phrases. Raises what `read_terms` raises, NotUnderstood for a part
    of `players` that is not understood, and BadFormat for one of `format`; `game` is not checked.
    """
    terms = Terms() if players is None else read_terms(players)
    for part in terms.unread:
        raise NotUnderstood("--players: {text} is not understood", text=shown(part))
    in_words, problems = players is not None and not is_list(players), list[str]()
    terms = terms if game is None else replace(terms, game=game)
    if "=" in format:
        malformed = gettext_noop("{part} is not understood; write key=value")
        atoms, problems = split(format, malformed, gettext_noop("{key} is given twice"))
        terms = replace(terms, atoms={**terms.atoms, **atoms})
    elif format:
        terms, in_words = read_terms(format, terms), True
        says = gettext_noop("{text} is not understood")
        problems = [gettext(says, text=shown(part)) for part in terms.unread]
    if problems:
        raise BadFormat("format", tuple(problems))
    return terms, in_words


def is_list(text: str) -> bool:
    """Whether to read a text as a list of players, `Ann, Bob=computer:most`, not as a phrase."""

    def is_plain(part: str) -> bool:
        if _is_notation(part):
            return part.partition("=")[0].strip() not in ATOMS
        try:
            return not part or _Reader(part, Terms()).terms() == Terms((Seat(clean(part)),))
        except _TooManyPlayers:
            return False
        except ShutboxError:
            return True

    parts = [part.strip() for part in text.split(",")]
    is_hidden = replace_hidden(text, lambda _: "") != text
    return len(parts) > MOST_SEATS or is_hidden or all(map(is_plain, parts))


def is_name(part: str) -> bool:
    """Whether a text, such as `Mary Ann`, can be the name of a person; `best off 3` cannot."""
    words = part.casefold().split()
    if re.fullmatch("player [0-9]{1,2}", part, re.IGNORECASE):
        return True
    odd = re.search(r"[()<>*!?]|\b[0-9]+\b", part)
    return 0 < len(words) <= 3 - part.islower() and not odd and not {*words} & _words("no_names")


def _is_notation(part: str) -> bool:
    return part.casefold().partition(":")[0] == COMPUTER or "=" in part.partition("(")[0]


@cache
def _vocabulary() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))


@cache
def _numbers() -> dict[str, int]:
    return {**NUMBER_WORDS, **_vocabulary()["numbers"]}


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(_vocabulary()["words"][key].split())


@cache
def _pattern(text: str) -> "re.Pattern[str]":
    """Compile a pattern of `terms.toml`, which matches whole words only."""
    numbers = "|".join(sorted(_numbers().keys() - {"a", "an", "of"}, key=len, reverse=True))
    number = f"([0-9]{{1,6}}|(?:(?:an?|{numbers}) )?hundred|(?:an? )?(?:{numbers})(?: of)?|an?)"
    levels = "|".join(_vocabulary()["levels"].values())
    for name, part in {**_vocabulary()["macros"], "levels": levels, "n": number}.items():
        text = text.replace(f"{{{name}}}", part)
    text = text.replace(" ", r"[\s-]+").replace("~", r"[\s-]*")
    return re.compile(rf"(?<![\w'])(?:{text})(?![\w'])", re.IGNORECASE)


def _phrase(key: str, table: str = "people") -> "re.Pattern[str]":
    return _pattern(_vocabulary()[table][key])


def _number(found: _Found) -> int | None:
    """Return the number that the matched words say, in digits or not; None if they say none."""
    named = found.re.groupindex.values()
    texts = (found[place] for place in range(1, found.re.groups + 1) if place not in named)
    if (text := next(filter(None, texts), None)) is None:
        return None
    number = 0
    for word in re.findall("[a-z]+|[0-9]+", text.casefold()):
        value = int(word) if word.isdigit() else _numbers()[word]
        number = (number or 1) * value if word in ("hundred", "dozen", "couple") else number + value
    return number


class _TooManyPlayers(BadName):
    """The phrase counts more players than a game has seats, so it is not the name of one."""


class _Reader:
    """A reader of one phrase, used once; `rest` is the part of the text that is not used yet."""

    def __init__(self, text: str, before: Terms) -> None:
        self.before, self.seats = before, before.seats
        self.values: dict[str, str] = {}
        self.unread = [text[LONGEST:]] if len(text) > LONGEST else []
        self.listed: list[str] = []  # names, "" without one, and entries after _ME and _BOT
        self.me = ""  # the name of the person at the keyboard, if it was said
        self.total = self.groups = 0  # people that were counted; descriptions of computer players
        plain = replace_hidden(text[:LONGEST], lambda _: " ")
        self.rest = plain.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")

    def terms(self) -> Terms:
        """Read the phrase and return the terms.

        Each step takes its words out of `rest`, so the order decides which step gets a word. The
        surest words go first, and the people last, because any word left can be a name.
        """
        # No part of `classic(tiles=1-12)` or `rounds=3` is a word of a sentence.
        self.rest = _GAME.sub(lambda it: self._set("game", it[0], it[0]), self.rest)
        atom = _ATOM.sub(lambda it: self._set(it[1].lower(), it[2].lower(), it[0]), self.rest)
        self.rest = re.sub(r"[^\W\d_]{5,}", self._spelt, atom)
        # The "and" in "I'm Sam and I want to play" adds no player.
        if me := clean(self._taken("named", " , " if self.seats else " me , ")):
            mine = (UNNAMED, *unnamed(1))
            self.seats = tuple(Seat(me) if s.name in mine else s for s in self.seats)
        self.me = me
        adds = _phrase("adds").match(self.rest) is not None
        # "2 chips" counts no people, and "highest throw begins" names no player who begins.
        for row in _vocabulary()["term"]:
            says = _pattern("|".join(row["says"]))
            self.rest = says.sub(self._setter(*row["means"].split("=")), self.rest)
        # "The computer begins" means a player who has a seat already, and adds no computer player.
        begins = [who for who in (self._taken("begins"), self._taken("begin_with")) if who]
        self.rest = _phrase("fillers", "words").sub(" ", self.rest)
        self.rest = _phrase("described").sub(self._described, self.rest)
        self._title()
        if begins and not self.seats and is_name(begins[0]) and begins[0] not in self.rest:
            self.rest = f"{begins[0]}, {self.rest}"  # a player who is only said to begin
        if opposes := _phrase("opposes").match(self.rest):
            self.rest = self.rest[opposes.end() :]
        for part in map(str.strip, self._parts(_pattern("play|playing").sub(" ", self.rest))):
            if self._trimmed(part) and not self._lists(self._trimmed(part), part):
                self.unread.append(part)
        self._seat(adds=adds, opposes=opposes is not None)
        for who in begins:
            self._begin(who)
        return self._merged()

    def _set(self, key: str, value: str, text: str) -> str:
        """Set a term, or if it has another value, put `text` in `unread`. Return a comma for it."""
        if self.values.setdefault(key, value) != value:
            self.unread.append(text.strip())
        return " , "

    def _setter(self, key: str, value: str) -> Callable[[_Found], str]:
        def set_term(found: _Found) -> str:
            number = _number(found) or 0
            if key == "to" and number < _LEAST_TOTAL:
                return found[0]
            return self._set(key, value.replace("{n}", str(number)), found[0])

        return set_term

    def _spelt(self, found: _Found) -> str:
        """Return a word, or the known word that it nearly is, unless it is a player's name."""
        word, known = found[0].casefold(), _words("misspelt")
        if word in known | _words("no_names") or self._places(word):
            return found[0]
        near = [one for one in known if abs(len(one) - len(word)) < 2]
        return next(iter(get_close_matches(word, near, 1, _CLOSE)), found[0])

    def _taken(self, key: str, instead: str = " , ") -> str:
        """Replace the first phrase of this key by `instead`; return its player, "" if none."""
        names = "|".join(re.escape(seat.name) for seat in self.seats) or COMPUTER
        says = _pattern(_vocabulary()["people"][key].replace("{known}", names))
        if (found := says.search(self.rest)) is None:
            return ""
        self.rest = f"{self.rest[: found.start()]}{instead}{self.rest[found.end() :]}"
        return found["who"]

    def _described(self, found: _Found) -> str:
        """Turn words such as "two easy computers" into a _BOT entry, or return them unchanged."""
        number, level = _number(found), (found["level"] or "").casefold()
        refused = re.search(
            r"\b(?:no|not|without|remove|drop)\s*$", self.rest[: found.start()], re.I
        )
        if refused or found[0].casefold() == COMPUTER or (found["s"] and number is None):
            return found[0]
        levels = _vocabulary()["levels"].items()
        id = next((id for id, says in levels if level in says.split("|")), "")
        id = id or (RIVAL.id if number in (None, 1) else "")
        return f" , {_BOT}{1 if number is None else number} {COMPUTER}{id and ':'}{id} , "

    def _title(self) -> None:
        """Take the longest title of a game or match out of `rest`, if any; set it as the game."""
        names, words = {**games_by_title(), **OURS}, list(re.finditer(r"[^\s,;]+", self.rest))
        for length in range(min(_LONGEST_TITLE, len(words)), 0, -1):
            for first, last in zip(words, words[length - 1 :], strict=False):
                before, after = self.rest[: first.start()], self.rest[last.end() :]
                title = plain_title(self.rest[first.start() : last.end()])
                beside = self._parts(before)[-1] + self._parts(after)[0]
                if title in names and not (title.isdigit() and self._trimmed(beside)):
                    self.rest = before + self._set("game", names[title], title) + after
                    return

    @staticmethod
    def _parts(text: str) -> list[str]:
        return re.split(_vocabulary()["words"]["between"], text, flags=re.IGNORECASE)

    @staticmethod
    def _trimmed(part: str) -> str:
        """Return a part without the words at its ends that say nothing."""
        edges = _phrase("edges", "words").pattern
        return re.sub(
            rf"(?i)^(?:\s*{edges}\s+)+|(?:\s+{edges}\s*)+$|^\s*{edges}\s*$", "", part
        ).strip()

    def _lists(self, part: str, whole: str) -> bool:
        """Add or remove players of `part`, the trimmed `whole`; return whether it is understood."""
        has_me = any(entry.startswith(_ME) for entry in self.listed)
        characters = {one.name.casefold(): one.id for one in CHARACTERS}
        number, entry = 1, part
        if id := characters.get(part.casefold()):
            entry, self.groups = f"{_BOT}{COMPUTER}:{id}", self.groups + 1
        elif part.startswith(_BOT):
            count, entry = part[1:].split()
            number, entry, self.groups = int(count), _BOT + entry, self.groups + 1
        elif _is_notation(part):
            entry, self.groups = _BOT + part, self.groups + 2  # notation names every player
        elif _phrase("me").fullmatch(part):
            number, entry = not has_me, _ME + self.me
        elif found := _phrase("of_us").fullmatch(part) or _phrase("count").fullmatch(part):
            number, entry = _number(found) or 0, ""
            if not has_me or _phrase("of_us").fullmatch(part):
                self.total, number = number, 0
        elif found := _phrase("gone").fullmatch(part):
            every = _phrase("computers").fullmatch(found["who"])
            gone = self._places(found["who"])
            left = [
                s for n, s in enumerate(self.seats, 1) if not (s.computer if every else n in gone)
            ]
            understood, self.seats = len(left) < len(self.seats), tuple(left)
            return understood
        elif found := _phrase("others").fullmatch(whole):
            number, entry = _number(found) or 1, found["name"] or ""
            if (found["s"] or found["t"]) and _number(found) is None:
                return False
        elif found := _phrase("counted").fullmatch(part):
            self.total = _number(found) or 0
            return self._lists(found["rest"], found["rest"])
        elif not is_name(part):
            return False
        self.listed += [entry] * min(number, MOST_SEATS + 1)
        return True

    def _seat(self, *, adds: bool, opposes: bool) -> None:
        """Seat the listed players, those only counted and, if implied, the one at the keyboard."""
        people = [entry for entry in self.listed if not entry.startswith(_BOT)]
        named = any(people)  # also if one is the person at the keyboard
        implied = ((people or self.groups == 1) and not named) or opposes
        if (
            self.listed
            and implied
            and not (adds or self.total or any(e[:1] == _ME for e in people))
        ):
            self.listed.insert(0, _ME + self.me)
        if self.total and len(people) > self.total:
            self.unread.append(str(self.total))
        before = self.seats if adds else ()
        unlisted = max(0, self.total - len(people))
        if len(before) + len(self.listed) + unlisted > MOST_SEATS:
            raise _TooManyPlayers(gettext_noop("a game has 1 to {most} players"), most=MOST_SEATS)
        place = next((n for n, e in enumerate(self.listed) if e[:1] == _BOT), len(self.listed))
        self.listed[place:place] = [""] * unlisted
        if not self.listed:
            return
        texts = [entry.lstrip(_ME + _BOT) for entry in self.listed]
        alone = [UNNAMED] * (texts.count("") == 1)
        free = (
            n for n in chain(alone, unnamed(2 * MOST_SEATS)) if n not in [s.name for s in before]
        )
        self.seats = read_players(",".join([*map(str, before), *(t or next(free) for t in texts)]))

    def _places(self, who: str) -> list[int]:
        """Return the places, from 1, of the seats with this name."""
        return [n for n, seat in enumerate(self.seats, 1) if looks(seat.name) & looks(who)]

    def _begin(self, who: str) -> None:
        """Set who begins, or add this to `unread` if that player has no seat."""
        word, places = who.casefold().removeprefix("the "), self._places(who)
        if not places and word in ("me", "i", "you", COMPUTER):
            is_me = word in ("me", "i")
            places = [n for n, seat in enumerate(self.seats, 1) if bool(seat.computer) != is_me]
        if places:
            self._set("begins", str(places[0]), who)
        else:
            self.unread.append(gettext("{name} begins", name=who))

    def _merged(self) -> Terms:
        """Return the terms of `before` with the changes that this phrase makes."""
        new, before = dict(self.values), self.before
        by_hand = new.pop("dice", "") == "hand" or before.by_hand
        if "knockout" in new:
            new |= {"game": "knockout", "limit": new.pop("knockout")}
        game = new.pop("game", before.game)
        if tiles := new.pop("tiles", ""):
            base, options = parse_name(game or FIRST)
            game = find_any(write_name(base, {**options, "tiles": f"1-{tiles}"})).name
        atoms = dict(before.atoms)
        match = find_any(game) if game != before.game else None
        own_end = isinstance(match, Match) and not {"target", "limit", "until"}.isdisjoint(
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
        return Terms(self.seats, game, {**atoms, **new}, by_hand, tuple(self.unread))
