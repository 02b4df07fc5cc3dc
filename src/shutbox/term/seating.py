"""The questions before a match: the opponent, the other players, and the terms."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from shutbox.bots import (
    CHARACTERS,
    RIVAL,
    bots_of,
    check_person,
    players_text,
    read_back,
    read_players,
)
from shutbox.english import listed, number_word, shown
from shutbox.errors import BadName, ShutboxError
from shutbox.game import Game
from shutbox.lookup import find_any
from shutbox.match import Format, Match
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.seats import COMPUTER, Seat, read_name
from shutbox.table.setup import game_for
from shutbox.term.console import Console
from shutbox.term.menu import FIRST, name_here, refuse_number
from shutbox.typed_text import typed_words


def ask_rival(console: Console) -> str:
    """Ask which character to play; return it as `read_players` reads it. Raises Stopped."""
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
    ask = gettext("Who do you want to play? Enter takes {name}:", name=RIVAL.name)
    console.say(*lines)
    known = {str(number): one for number, one in enumerate(CHARACTERS, start=1)}
    known |= {one.name.casefold(): one for one in CHARACTERS} | {"": RIVAL}
    while (answer := console.answer(ask).casefold()) not in known:
        refuse_number(console, answer, len(CHARACTERS))
    return f"{COMPUTER}:{known[answer].id}"


def ask_name(console: Console) -> str:
    """Ask for the player's name; Enter takes Player. Raises Stopped."""
    ask = gettext("What is your name? Enter takes Player:")
    while name := console.answer(ask):
        try:
            check_person(name)
            return read_name(name)
        except BadName as error:
            console.refuse(error)
    return "Player"


def ask_players(
    console: Console, name: str, format: str | None, default: str
) -> tuple[Game[Any, Any], tuple[Seat, ...]]:
    """Ask for players until they can play this game; return it with its seats. Raises Stopped.

    An empty answer takes the players of `default`, a text for `players_text`. `name` and
    `format` are those of `game_for`.
    """
    ask = gettext(
        "Who plays? Type names, such as Rosie and the computer; Enter takes {players}:",
        players=listed(seat.name for seat in read_players(default)),
    )
    while True:
        answer = console.answer(ask)
        try:
            seats = read_players(players_text(answer or default))
            bots_of(seats)
            game = game_for(name, seats, format)
        except ShutboxError as error:
            console.refuse(error)
        else:
            if answer:
                console.say(read_back(seats))
            return game, seats


_BY_THROW = ("dice", "the dice", "high-roll", "high roll", "highest throw", "the highest throw")
_CHIPS = gettext_noop("How many chips does each player put in a round? 0 is none:")
_TOPICS = {
    "round": ("rounds", gettext_noop("How many rounds?")),
    "chip": ("stake", _CHIPS),
    "stake": ("stake", _CHIPS),
    "begin": ("begins", gettext_noop("Who begins? Type a name, or dice for the highest throw:")),
    "game": ("game", gettext_noop("Which game?")),
}
"""For the beginning of a typed word: the term that it means, and the question about it."""

_Terms = Mapping[str, str]
"""The terms of a match: the name of a `game` or match, and atoms of a format by their keys."""


def _match_of(terms: _Terms, seats: tuple[Seat, ...]) -> Game[Any, Any]:
    atoms = (f"{key}={value}" for key, value in terms.items() if key != "game")
    return game_for(terms["game"], seats, ",".join(atoms))


def ask_terms(console: Console, seats: tuple[Seat, ...]) -> Game[Any, Any]:
    """Print the terms of a match, change them as asked, and return the match. Raises Stopped."""
    terms: _Terms = {"game": FIRST}
    ask = gettext("Enter plays. To change it, type rounds, chips, begins or game:")
    while True:
        game = _match_of(terms, seats)
        assert isinstance(game, Match)  # because a format was given
        console.say(*_told(find_any(terms["game"]), game, seats))
        while answer := console.answer(ask):
            if new := _changed(console, terms, answer, seats):
                terms = new
                break
        else:
            return game


def _told(named: Game[Any, Any], game: Match[Any, Any], seats: tuple[Seat, ...]) -> Iterator[str]:
    format = game.format
    facts = {"title": named.card().title, "first": seats[format.first].name}
    if isinstance(named, Match):
        other_rounds = named.format.rounds not in (1, format.rounds)
        if other_rounds or _ends(named.format) != _ends(format):
            facts["title"] = game.game.card().title
        yield gettext("{title}.", **facts)
        yield game.brief()
        if format.high_roll:
            yield gettext("The highest throw begins.")
        else:
            yield gettext("{first} begins.", **facts)
        return
    facts["rounds"] = _rounds(format.most_rounds)
    facts["chips"] = gettext("no chips")
    if format.stake:
        facts["chips"] = ngettext("{number} chip a round", "{number} chips a round", format.stake)
    if format.high_roll:
        yield gettext("{title}, {rounds}, {chips}; the highest throw begins.", **facts)
    else:
        yield gettext("{title}, {rounds}, {chips}; {first} begins.", **facts)


def _rounds(number: int) -> str:
    return ngettext("{word} round", "{word} rounds", number, word=number_word(number))


def _ends(format: Format) -> tuple[object, ...]:
    """Return the conditions, besides rounds, that end a match."""
    return format.target, format.limit, format.until


def _changed(
    console: Console, terms: _Terms, answer: str, seats: tuple[Seat, ...]
) -> _Terms | None:
    """Return the terms as an answer changes them; None if it is refused."""
    topic, begins = "", _first(answer, seats) is not None
    if not begins and not _is_game(answer):  # "the short game" is a game; "game pub" asks for one
        topic = next((one for one in _TOPICS if re.search(rf"\b{one}", answer.casefold())), "")
    value = re.sub(rf"\b{topic}\w*", "", answer, flags=re.IGNORECASE).strip() if topic else answer
    about, ask = _TOPICS.get(topic, ("begins" if begins else "game", ""))
    if not value:
        value = console.answer(gettext(ask))
    new = name_here(value) if about == "game" else _first(value, seats)
    if about in ("rounds", "stake"):
        new = _number(value)
    if new is None:
        console.say(gettext("{text} is not understood.", text=shown(value)))
        return None
    try:
        changed = {**terms, about: new}
        named, rounds = find_any(changed["game"]), None
        if about == "game" and isinstance(named, Match) and any(_ends(named.format)):
            rounds = changed.pop("rounds", None)
        _match_of(changed, seats)
        if rounds is not None:
            facts = {"title": named.card().title, "rounds": _rounds(int(rounds))}
            console.say(gettext("{title} ends in its own way, not after {rounds}.", **facts))
        return changed
    except ShutboxError as error:
        console.refuse(error)
        return None


def _is_game(text: str) -> bool:
    try:
        find_any(name_here(text))
    except ShutboxError:
        return False
    return True


def _number(text: str) -> str | None:
    """Return the digits of a number typed in digits or as a word (no and none are 0), or None."""
    words = [word for word in typed_words(text) if word not in ("a", "each", "per", "of")]
    word = words[0] if len(words) == 1 else ""
    if word in ("no", "none"):
        return "0"
    return str(int(word)) if re.fullmatch("[0-9]{1,6}", word) else None


def _first(text: str, seats: tuple[Seat, ...]) -> str | None:
    """Return who begins, as formats say it: a seat number or `high-roll`; None otherwise."""
    word = text.strip().casefold()
    if word in _BY_THROW:
        return "high-roll"
    found = (str(place) for place, seat in enumerate(seats, 1) if seat.name.casefold() == word)
    return next(found, None)
