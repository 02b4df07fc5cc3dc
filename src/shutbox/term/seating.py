"""What is asked before a match: whom one plays, who else, and on which terms."""

import re
from dataclasses import dataclass, replace
from typing import Any

from shutbox.bots import CHARACTERS, bots_of, read_players
from shutbox.english import listed, number_word, shown
from shutbox.errors import BadName, ShutboxError
from shutbox.game import Game
from shutbox.lookup import find_any, is_match
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.seats import COMPUTER, MOST_SEATS, Seat, unnamed
from shutbox.table.setup import game_for
from shutbox.term.console import Console, Stopped
from shutbox.term.menu import FIRST, pick_one
from shutbox.typed_text import ENDING_WORDS, typed_words

_RIVAL = CHARACTERS[len(CHARACTERS) // 2]  # who plays where nobody says which computer player
_THE_COMPUTER = ("the computer", "a computer")
_AND = re.compile(r"\s*,?\s+and\s+|\s*&\s*|\s*,\s*", re.IGNORECASE)


def players_text(typed: str) -> str:
    """Who plays, as people type it, as the list that `read_players` reads.

    >>> players_text("Rosie and the computer"), players_text("Ann, Bob and Nell")
    ('Rosie,computer:hobbs', 'Ann,Bob,computer:nell')
    >>> players_text("3")
    'Player 1,Player 2,Player 3'
    """
    text = typed.strip()
    if re.fullmatch("[0-9]{1,2}", text) and 1 <= int(text) <= MOST_SEATS:
        return ",".join(unnamed(int(text)))
    return ",".join(map(_player, _AND.split(text)))


def _player(part: str) -> str:
    word = part.strip().casefold()
    if word in _THE_COMPUTER:
        return f"{COMPUTER}:{_RIVAL.id}"
    known = (f"{COMPUTER}:{one.id}" for one in CHARACTERS if word == one.name.casefold())
    return next(known, part)


def ask_rival(console: Console) -> str:
    """Which computer player one plays against, as a player of a list. Raises Stopped."""
    lines = [
        gettext(
            "{number}: {name}, {strength}. {about}",
            number=number,
            name=one.name,
            strength=one.strength,
            about=gettext(one.about),
        )
        for number, one in enumerate(CHARACTERS, start=1)
    ]
    ask = gettext("Who do you want to play? Enter takes {name}:", name=_RIVAL.name)
    place = pick_one(console, lines, [one.name for one in CHARACTERS], ask)
    return f"{COMPUTER}:{(_RIVAL if place is None else CHARACTERS[place]).id}"


def ask_name(console: Console) -> str:
    """What the player is called. Raises Stopped."""
    ask = gettext("What is your name? Enter takes Player:")
    while name := _answer(console, ask):
        try:
            read_players(name)
            return name
        except BadName as error:
            console.refuse(error)
    return "Player"


def ask_players(
    console: Console, name: str, format: str | None, default: str
) -> tuple[Game[Any, Any], tuple[Seat, ...]]:
    """A match and who plays it, asked until they can; Enter takes `default`. Raises Stopped."""
    ask = gettext(
        "Who plays? Type names, such as Rosie and the computer; Enter takes {players}:",
        players=listed(seat.name for seat in read_players(default)),
    )
    while True:
        answer = _answer(console, ask)
        try:
            seats = read_players(players_text(answer or default))
            bots_of(seats)
            return game_for(name, seats, format), seats
        except ShutboxError as error:
            console.refuse(error)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What is agreed before a match."""

    name: str = FIRST
    rounds: int = 1
    chips: int = 0
    begins: str = "1"  # the number of a seat, or high-roll

    @property
    def format(self) -> str | None:
        """The atoms of a format; None where the name is that of a match, which has its own."""
        if is_match(self.name):
            return None
        return f"rounds={self.rounds},stake={self.chips},begins={self.begins}"


_BY_THROW = ("dice", "the dice", "high-roll", "high roll", "highest throw", "the highest throw")
_TOPICS = {
    "round": ("rounds", gettext_noop("How many rounds?")),
    "chip": ("chips", gettext_noop("How many chips does each player put in a round? 0 is none:")),
    "stake": ("chips", gettext_noop("How many chips does each player put in a round? 0 is none:")),
    "begin": ("begins", gettext_noop("Who begins? Type a name, or dice for the highest throw:")),
    "game": ("name", gettext_noop("Which game?")),
}


def ask_terms(console: Console, seats: tuple[Seat, ...]) -> Game[Any, Any]:
    """The match that these agree on: its terms are told, and changed as asked. Raises Stopped."""
    terms = _Terms()
    ask = gettext("Enter plays. To change it, type rounds, chips, begins or game:")
    while True:
        game = game_for(terms.name, seats, terms.format)
        console.say(_told(terms, game, seats))
        while answer := _answer(console, ask):
            if new := _changed(console, terms, answer, seats):
                terms = new
                break
        else:
            return game


def _told(terms: _Terms, game: Game[Any, Any], seats: tuple[Seat, ...]) -> str:
    title = game.card().title
    if terms.format is None:
        return gettext("{title}.", title=title)
    rounds = ngettext("{word} round", "{word} rounds", terms.rounds, word=number_word(terms.rounds))
    chips = gettext("no chips")
    if terms.chips:
        chips = ngettext("{number} chip a round", "{number} chips a round", terms.chips)
    facts = {"title": find_any(terms.name).card().title, "rounds": rounds, "chips": chips}
    if terms.begins == "high-roll":
        return gettext("{title}, {rounds}, {chips}; the highest throw begins.", **facts)
    first = seats[int(terms.begins) - 1].name
    return gettext("{title}, {rounds}, {chips}; {first} begins.", first=first, **facts)


def _changed(
    console: Console, terms: _Terms, answer: str, seats: tuple[Seat, ...]
) -> _Terms | None:
    """The terms once an answer has changed them; None where it cannot."""
    topic = next((one for one in _TOPICS if re.search(rf"\b{one}", answer.casefold())), "")
    value = re.sub(rf"\b{topic}\w*", "", answer, flags=re.IGNORECASE).strip() if topic else answer
    field, ask = _TOPICS.get(topic, ("begins" if _first(answer, seats) else "name", ""))
    if not value:
        value = _answer(console, gettext(ask))
    new: Any = value if field == "name" else _first(value, seats)
    if field in ("rounds", "chips"):
        new = _number(value)
    if new is None:
        console.say(gettext("{text} is not understood.", text=shown(value)))
        return None
    try:
        changed = replace(terms, **{field: new})
        game_for(changed.name, seats, changed.format)
        return changed
    except ShutboxError as error:
        console.refuse(error)
        return None


def _number(text: str) -> int | None:
    """A number as it is typed, in digits or as a word; no and none are 0."""
    words = [word for word in typed_words(text) if word not in ("a", "each", "per", "of")]
    word = words[0] if len(words) == 1 else ""
    if word in ("no", "none"):
        return 0
    return int(word) if re.fullmatch("[0-9]{1,6}", word) else None


def _first(text: str, seats: tuple[Seat, ...]) -> str | None:
    """Who begins, as a format says it: the number of a seat, or a throw that decides."""
    word = text.strip().casefold()
    if word in _BY_THROW:
        return "high-roll"
    found = (str(place) for place, seat in enumerate(seats, 1) if seat.name.casefold() == word)
    return next(found, None)


def _answer(console: Console, ask: str) -> str:
    """What is typed. Raises Stopped where that is a word that ends."""
    answer = console.ask(ask).strip()
    if answer.casefold() in ENDING_WORDS:
        raise Stopped
    return answer
