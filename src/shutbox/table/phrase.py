"""What the parts of a phrase such as "me and two computers, 3 rounds, Bob begins" say.

A phrase is split at commas into parts, and a part at words such as "and" into items. An item is one
of those in `terms.toml`, a game, or the name of a player. A part with an item that is none of these
is not understood. Nobody becomes a player by accident: unless a list has only commas, a name with a
word in it that can mean something else is no name.
"""

import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from shutbox.engine.errors import BadName, NotUnderstood
from shutbox.engine.messages import cached, pgettext
from shutbox.engine.seats import COMPUTER, MOST_SEATS
from shutbox.engine.typed_text import NUMBER_WORDS, in_ascii, own_words, plain_title
from shutbox.match.format import ATOMS, MOST_WINS
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.characters import RIVAL
from shutbox.table.lookup import games_by_title

_BOTS = {bot.name.casefold(): bot.id for bot in CHARACTERS}
_CLOSE = 0.82  # how alike one of these and a word that is hardly a name are, from 0 to 1
_LISTED = {"me", "bot", "seat"}  # keys of items that are no names, even between commas
_PLAYERS = {*_LISTED, "name", "people"}  # keys of items that say who plays
_OPENS = (
    "(?P<adds>(?:{and}|{add}) |[&+\uff0b] ?)|(?:{players}) ?[:\uff1a] ?"
    "|(?:let's )?(?P<opposes>(?:(?:{play}|{against}) )+)"
)
_COMMA = re.compile("(?<![0-9]),|,(?![0-9]{3})|[;\uff0c\u3001\u060c\uff1b]")
_AND = r"(?<!(?u:\S))(?:{and}|{against})(?!(?u:\S))|[&+\uff0b]"
_GAME = re.compile(r"[\w.-]+(?:\([^()]*\)|\[[^][]*\])+|\S+\.toml(?:#[\w-]+)?", re.IGNORECASE)
_DIGITS = re.compile("[-d]?[0-9]")
_SIGN = re.compile(r"\s*[:=]\s*")


class Item(NamedTuple):
    """What one item says: a key of `terms.toml` or of a format, and its value."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """What stands between two commas of a phrase."""

    text: str  # as typed
    opens: str | None  # "adds" if it begins with a word such as "and", "opposes" with "against"
    items: tuple[Item, ...] | None  # None if it is not understood

    @property
    def keys(self) -> set[str]:
        """The keys of the items; none if the part is not understood."""
        return {item.key for item in self.items or ()}

    @property
    def players(self) -> tuple[Item, ...]:
        """The items that say who plays; none if the part is not understood."""
        return tuple(item for item in self.items or () if item.key in _PLAYERS)


def read_phrase(text: str, *, goes_on: bool) -> list[PhrasePart]:
    """Return the parts of a phrase; `goes_on` says that players are known already.

    Raises BadName for a comma without a name beside it, and NotUnderstood for an even "best of".
    """
    texts, at = _split(text, _COMMA), _pattern(_AND)
    if not all(texts) and texts[1:]:
        raise BadName("a name is missing beside the comma; type names such as Ann, Bob")
    openings = [_opening(part) for part in texts]
    pairs = zip(texts, openings, strict=True)
    items = [_split(part[opening.end() if opening else 0 :], at) for part, opening in pairs]
    opens = [opening.lastgroup if opening else None for opening in openings]
    is_list = all(not others and _is_listed(first) for first, *others in items)
    if is_list and not (goes_on and opens[0] == "adds"):
        is_list = bool(texts[1:]) and not all(_known(first) for (first,) in items)
    parts = list[PhrasePart]()
    for part, word, its in zip(texts, opens, items, strict=True):
        read = [_item(item, in_list=is_list) for item in its]
        known = tuple(item for item in read if item is not None)
        parts.append(PhrasePart(part, word, None if None in read else known))
    return parts


def split_at_and(text: str) -> list[str]:
    """Return the pieces of a typed text between `and`, `plus`, `against`, `&` and `+`."""
    return _split(text, _pattern(_AND))


def names_to_remove(text: str) -> str:
    """Return what follows a word such as `without` that begins a text; else ""."""
    begun = _pattern("{without} (.+)").fullmatch(text)
    return begun[1] if begun else ""


def means_me(text: str) -> bool:
    """Whether a text stands for the person at the keyboard: `me`, `I`."""
    return _pattern(_vocabulary()["says"]["me="]).fullmatch(text.casefold()) is not None


def means_computers(text: str) -> bool:
    """Whether a text stands for all computer players: `the computer`, `bots`."""
    return _pattern("you|(the |){bots}").fullmatch(in_ascii(text)) is not None


@cache
def _vocabulary() -> dict[str, Any]:
    words = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
    return words | {key: {*words[key].split()} for key in ("no_names", "alone")}


@cached
def _no_names() -> frozenset[str]:
    """Return the words that are in no name, with those that the language in use reads."""
    known = _vocabulary()
    patterns = (*known["words"].values(), *known["says"].values())
    own = " ".join(own for text in patterns if (own := pgettext("typed", text)) != text)
    words = re.findall(r"[^\W\d_]+", own)
    return frozenset((*known["no_names"], *words, *own_words(), *NUMBER_WORDS, *ATOMS))


def _in_use(pattern: str) -> str:
    """Return a pattern, and beside it those of the language in use, which have commas between."""
    own = pgettext("typed", pattern)
    with suppress(re.error):  # of a translation that is no pattern
        alternatives = re.sub(r"\s*,\s*", "|", own)
        re.compile(alternatives)
        return pattern if own == pattern else f"{pattern}|{alternatives}"
    return pattern


@cached
def _numbers() -> dict[str, int]:
    """Return the number of each word for one, in English and in the language in use."""
    known = {*NUMBER_WORDS, *own_words()}
    return {
        word: number for word in known if (number := NUMBER_WORDS.get(own_words().get(word, word)))
    }


@cached
def _pattern(text: str) -> "re.Pattern[str]":
    """Compile a pattern of `terms.toml`."""
    pattern = _in_use(text)
    for key, words in _vocabulary()["words"].items():
        pattern = pattern.replace(f"{{{key}}}", f"(?:{_in_use(words)})")
    number = f"(-?[0-9]+|an?|{'|'.join(sorted(_numbers(), key=len, reverse=True))})"
    pattern = pattern.replace("{n} ", rf"{number}[\s-]*").replace("{n}", number)
    return re.compile(pattern.replace(" ", r"(?:\s+|(?<=\w)-)"), re.IGNORECASE | re.ASCII)


def _mask(text: str) -> str:
    """Return a text with other letters for what is one item in spite of its signs and words."""
    return _pattern("{whole}").sub(lambda item: "x" * len(item[0]), text)


def _split(text: str, at: "re.Pattern[str]") -> list[str]:
    """Return the pieces of a text between the places that match `at`."""
    pieces, begin = list[str](), 0
    for separator in at.finditer(_mask(text)):
        pieces.append(text[begin : separator.start()].strip())
        begin = separator.end()
    return [*pieces, text[begin:].strip()]


def _opening(text: str) -> "re.Match[str] | None":
    """Return what opens a part, such as "and" or "play"; None in "play cargo", which is a game."""
    opening = _pattern(_OPENS).match(_mask(text))
    return opening if opening and (opening["adds"] or not _known(text)) else None


# One item


def _item(text: str, *, in_list: bool) -> Item | None:
    """Return what an item says; None if it says nothing. In a list of players a name is a name."""
    known = _known(text)
    if in_list:
        return known if known and known.key in _LISTED else Item("name", text)
    if known is None and (begins := _pattern("(.{1,40}?) {begins}").fullmatch(in_ascii(text))):
        return Item("beginner", begins[1])
    return known or (Item("name", text) if _is_name(text) else None)


def _known(item: str) -> Item | None:
    """Return what an item says; None if it can only be a name."""
    if _GAME.fullmatch(item):
        return Item("game", item)
    typed, item = item, in_ascii(item)
    name, sign, kind = (word.strip() for word in item.casefold().partition("="))
    if re.match(rf"{COMPUTER}(?::|$)", kind or name):
        return Item("seat", typed if sign else item)
    words = _SIGN.sub(" ", item).casefold()
    key, _, value = words.partition(" ")
    if sign and key in ATOMS:
        return Item(key, value) if re.fullmatch(r"[\w.-]+", value) else None
    if words in _BOTS:
        return Item("bot", f"{COMPUTER}:{_BOTS[words]}")
    if game := _find_title(words) or (value if key == "game" else ""):
        return Item("game", game)
    for means, says in _vocabulary()["says"].items():
        if said := _pattern(says).fullmatch(words):
            return _meant(means, said)
    with suppress(NotUnderstood, KeyError):
        ATOMS[key].read(value)
        return Item(key, value)
    return Item("seat", typed) if sign else None


def _find_title(words: str) -> str:
    """Return the name of the game with this title, also after "play"; empty if there is none."""
    opens = _pattern("game |(?:let's )?{play} ").match(words)
    for title in (words, re.sub(r"\s+(?:game|rules)$", "", words[opens.end() if opens else 0 :])):
        name = games_by_title().get(plain_title(title), "")
        if name and not re.fullmatch("[0-9]{1,2}", title):
            return name
    return ""


def _meant(means: str, said: "re.Match[str]") -> Item | None:
    """Return the item of a row of `terms.toml`; None for no computers. Raises NotUnderstood."""
    key, _, value = means.partition("=")
    word = next(filter(None, said.groups()), "a").casefold()
    number = _numbers().get(word) or (1 if word in ("a", "an") else int(word))
    if key == "bot":
        id = value or (RIVAL.id if number == 1 else "")
        seats = [f"{COMPUTER}{id and ':'}{id}"] * min(number, MOST_SEATS + 1)
        return Item(key, ",".join(seats)) if seats else None
    if key == "best":
        if number % 2 and 0 < number < 2 * MOST_WINS:
            return Item("wins", str((number + 1) // 2))
        raise NotUnderstood(
            "after best of comes an odd number, 1 to {most}; or type rounds, such as 4 rounds",
            most=2 * MOST_WINS - 1,
        )
    if key == "first":
        key = "to" if number > MOST_WINS else "wins"
    return Item(key, value.replace("{n}", str(number)))


def _is_name(item: str) -> bool:
    """Whether an item that does not stand between commas alone can be the name of a person."""
    words, vocabulary = item.split(), _vocabulary()
    if re.fullmatch("player [0-9]{1,2}", item, re.IGNORECASE):
        return True
    for word in words:
        known = words[1:] and _known(word)
        if (
            word in vocabulary["alone"]
            or word.casefold() in _no_names()
            or _DIGITS.match(word)
            or known
        ):
            return False
    if _pattern(vocabulary["joins"]).search(item):
        return False
    close = get_close_matches(item.casefold(), (COMPUTER, f"{COMPUTER}s", *_BOTS), 1, _CLOSE)
    return 0 < len(words) <= 3 - item.islower() and not (close or re.search("[<>*!?=:]", item))


def _is_listed(item: str) -> bool:
    """Whether an item of a list that has only commas is a player. A single word always is one."""
    known, words = _known(item), item.casefold().split()
    if known is not None and known.key in _LISTED:
        return True
    if not words[1:]:
        return not (item.strip("-").isdigit() or (known and re.search("[:=0-9]", item)))
    counts = words[0] in _numbers() or _DIGITS.match(words[0])
    return not (known or counts or _no_names() & {*words})
