"""What the parts of a phrase such as "me and two computers, 3 rounds, Bob begins" say.

A phrase is split at commas into parts, and a part at words such as "and" into items. An item is one
of those in `terms.toml`, a game, or the name of a player. A part with an item that is none of these
is not understood. Nobody becomes a player by accident: unless a list has only commas, a name with a
word in it that can mean something else is no name.
"""

import re
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

from shutbox.engine.errors import BadName, NotUnderstood
from shutbox.engine.seats import COMPUTER, MOST_SEATS
from shutbox.engine.typed_text import in_ascii, plain_title
from shutbox.match.format import ATOMS, MOST_WINS
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.characters import RIVAL
from shutbox.table.lookup import games_by_title
from shutbox.table.vocabulary import no_names, numbers, pattern, vocabulary

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
    """The meaning of one item: a key of `terms.toml` or of a format, and its value."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class PhrasePart:
    """A part of a phrase, which stands between two commas."""

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
    """Return the parts of a phrase, in order; `goes_on` says that players are known already.

    Raises BadName for a comma without a name beside it, and NotUnderstood for an even "best of".
    """
    texts = _split(text, _COMMA)
    if not all(texts) and texts[1:]:
        raise BadName("a name is missing beside the comma; type names such as Ann, Bob")
    parts = [_split_part(part) for part in texts]
    # A list has only commas, at least one, unless it adds a player to those who are known.
    is_list = all(
        opens != "opposes" and not others and _is_listed(first) for opens, (first, *others) in parts
    )
    if is_list and not (goes_on and parts[0][0] == "adds"):
        is_list = bool(parts[1:]) and not all(_known(first) for _, (first,) in parts)
    return [
        PhrasePart(typed, opens, _read_items(items, in_list=is_list))
        for typed, (opens, items) in zip(texts, parts, strict=True)
    ]


def names_removed(text: str) -> list[str]:
    """Return the names after a word such as `without` that begins a text; none without one."""
    begun = pattern("{without} (.+)").fullmatch(text)
    return _split(begun[1], pattern(_AND)) if begun else []


def means_me(text: str) -> bool:
    """Whether a text stands for the person at the keyboard: `me`, `I`."""
    return pattern(vocabulary()["says"]["me="]).fullmatch(text.casefold()) is not None


def means_computers(text: str) -> bool:
    """Whether a text stands for all computer players: `the computer`, `bots`."""
    return pattern("you|(the |){bots}").fullmatch(in_ascii(text)) is not None


def _mask(text: str) -> str:
    """Return a text with other letters for what is one item in spite of its signs and words."""
    return pattern("{whole}").sub(lambda item: "x" * len(item[0]), text)


def _split(text: str, at: "re.Pattern[str]") -> list[str]:
    """Return the pieces of a text between the places that match `at`."""
    pieces, begin = list[str](), 0
    for separator in at.finditer(_mask(text)):
        pieces.append(text[begin : separator.start()].strip())
        begin = separator.end()
    return [*pieces, text[begin:].strip()]


def _split_part(text: str) -> tuple[str | None, list[str]]:
    """Return what opens a part, as in `PhrasePart`, and its items as typed."""
    opening = pattern(_OPENS).match(_mask(text))
    rest = text[opening.end() :] if opening else text
    return opening.lastgroup if opening else None, _split(rest, pattern(_AND))


def _read_items(texts: list[str], *, in_list: bool) -> tuple[Item, ...] | None:
    """Read the items of a part; None if one says nothing. In a list of players a name is a name."""
    items = list[Item]()
    for text in texts:
        item = _known(text)
        if in_list:
            item = item if item and item.key in _LISTED else Item("name", text)
        elif item is None and (begins := pattern("(.{1,40}?) {begins}").fullmatch(in_ascii(text))):
            item = Item("beginner", begins[1])
        elif item is None and _is_name(text):
            item = Item("name", text)
        if item is None:
            return None
        items.append(item)
    return tuple(items)


# One item


def _known(item: str) -> Item | None:
    """Return what an item says, in notation or in words; None if it can only be a name."""
    if _GAME.fullmatch(item):
        return Item("game", item)
    plain = in_ascii(item)
    name, sign, kind = (word.strip() for word in plain.casefold().partition("="))
    if re.match(rf"{COMPUTER}(?::|$)", kind or name):
        return Item("seat", item if sign else plain)
    words = _SIGN.sub(" ", plain).casefold()
    key, _, value = words.partition(" ")
    if sign and key in ATOMS:
        return Item(key, value) if re.fullmatch(r"[\w.-]+", value) else None
    return _known_words(words) or (Item("seat", item) if sign else None)


def _known_words(words: str) -> Item | None:
    """Return what an item in words says: a character, a game, a row of `terms.toml`, or an atom."""
    key, _, value = words.partition(" ")
    if words in _BOTS:
        return Item("bot", f"{COMPUTER}:{_BOTS[words]}")
    if game := _find_title(words) or (value if key == "game" else ""):
        return Item("game", game)
    for means, says in vocabulary()["says"].items():
        if said := pattern(says).fullmatch(words):
            return _meant(means, said)
    with suppress(NotUnderstood, KeyError):
        ATOMS[key].read(value)
        return Item(key, value)
    return None


def _find_title(words: str) -> str:
    """Return the name of the game with this title, also after "game"; empty if there is none."""
    for title in (words, re.sub(r"^game\s+|\s+(?:game|rules)$", "", words)):
        name = games_by_title().get(plain_title(title), "")
        if name and not re.fullmatch("[0-9]{1,2}", title):
            return name
    return ""


def _meant(means: str, said: "re.Match[str]") -> Item | None:
    """Return the item of a row of `terms.toml`; None for no computers. Raises NotUnderstood."""
    key, _, value = means.partition("=")
    word = next(filter(None, said.groups()), "a").casefold()
    number = numbers().get(word) or (1 if word in ("a", "an") else int(word))
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
    if re.fullmatch("player [0-9]{1,2}", item, re.IGNORECASE):
        return True
    words = item.split()
    if not 0 < len(words) <= 3 - item.islower() or re.search("[<>*!?=:]", item):
        return False
    for word in words:
        if word in vocabulary()["alone"] or word.casefold() in no_names() or _DIGITS.match(word):
            return False
        if words[1:] and _known(word):
            return False
    if pattern(vocabulary()["joins"]).search(item):
        return False
    return not get_close_matches(item.casefold(), (COMPUTER, f"{COMPUTER}s", *_BOTS), 1, _CLOSE)


def _is_listed(item: str) -> bool:
    """Whether an item of a list that has only commas is a player. A single word always is one."""
    known, words = _known(item), item.casefold().split()
    if known is not None and known.key in _LISTED:
        return True
    if not words[1:]:
        return not (item.strip("-").isdigit() or (known and re.search("[:=0-9]", item)))
    counts = words[0] in numbers() or _DIGITS.match(words[0])
    return not (known or counts or no_names() & {*words})
