"""Matches by name: games of the catalogue combined with formats, and presets.

A match is written as its game and, in square brackets, its seats and its format:
`classic[seats=3,rounds=5]`. A preset has a name of its own, such as `pub`; overrides in round
brackets after that apply to its game.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from shutbox.cups import HandCup, SecretCup, SeededCup, follow
from shutbox.dice import Cup
from shutbox.english import number_word, shown
from shutbox.errors import BadFormat, NotUnderstood, UnknownGame
from shutbox.game import Game
from shutbox.games.catalogue import catalogue, find, find_position, is_file
from shutbox.match import Format, Match, Preset, presets
from shutbox.messages import gettext, ngettext
from shutbox.record import Header, Reading, Source
from shutbox.seats import MOST_SEATS, unnamed
from shutbox.typed_text import parse_name, plain_title, with_name, write_name

_MATCH = re.compile(r"(.*)\[([^\[\]]*)\]", re.DOTALL)


def is_match(text: str) -> bool:
    """Whether a text names a match: a preset, or a game with a format in square brackets.

    >>> is_match("pub"), is_match("classic[rounds=2]"), is_match("classic")
    (True, True, False)

    Raises BadFormat for a wrong format in brackets.
    """
    return _read(text)[1] is not None


def match_of(text: str, players: Sequence[str], format: str = "") -> Match[Any, Any]:
    """Return the match of a game or a preset, either with or without a format, for these players.

    >>> match_of("pub", ["Ann", "Bob"], "stake=2").name
    'classic[seats=2,rounds=1,shut=wins,stake=2]'

    The atoms of `format` override those of the text, which override the preset's. Raises what
    `find` raises, and BadFormat, also if the text has seats for another number of players.
    """
    game, own, seats = _read(text)
    there = len(players)
    if seats not in (None, there):
        problem = ngettext(
            "seats: {seats}, and {players} player is named",
            "seats: {seats}, and {players} players are named",
            there,
            seats=seats,
            players=number_word(there),
        )
        raise BadFormat("format", (problem,))
    return Match(find(game), Format.parse(format, own), players)


def _read(text: str) -> tuple[str, Format | None, int | None]:
    """Return the name of the game in a text, not looked up; its format and seats, if given."""
    in_brackets = _MATCH.fullmatch(text.strip())
    name, atoms = (in_brackets[1], in_brackets[2]) if in_brackets else (text, "")
    game, format = _preset(name) or (name, None)
    if in_brackets is None:
        return game, format, None
    seats, rest = None, []
    for part in atoms.split(","):
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if key != "seats":
            rest.append(part)
        elif re.fullmatch("[0-9]{1,2}", value) and 1 <= int(value) <= MOST_SEATS:
            seats = int(value)
        else:
            facts = {"value": shown(value), "most": MOST_SEATS}
            problem = gettext("seats: {value} is not allowed; it is 1 to {most}", **facts)
            raise BadFormat("format", (problem,))
    return game, Format.parse(",".join(filter(str.strip, rest)), format), seats


@cache
def _presets_by_title() -> dict[str, str]:
    return {
        plain_title(known): one.name
        for one in presets().values()
        for known in (one.also, one.title, one.name)
        if known
    }


def _preset(name: str) -> tuple[str, Format] | None:
    """Return the game and the format of a preset, or None; overrides in `name` go to the game."""
    try:
        base, options = parse_name(with_name(name, _presets_by_title()))
    except NotUnderstood:
        return None
    if (preset := presets().get(base)) is None:
        return None
    game, own = parse_name(preset.game)
    return write_name(game, {**own, **options}), preset.format


def game_of(header: Header) -> Game[Any, Any]:
    """Return the game of a record, or the match with the names of its players.

    A box from a file is recorded by its rules. The name of a file raises UnknownGame, so that a
    record from elsewhere cannot make this program read a file. Also raises what `find` raises,
    and BadFormat.
    """
    if is_file(header.game):
        raise UnknownGame(
            "a record names its game, and no file such as {name}", name=shown(header.game)
        )
    game = find(header.game)
    if not header.format:
        return game
    return Match(game, Format.parse(header.format), header.names)


def cup_of(source: Source) -> Cup:
    """Return a cup for the source of dice in a record.

    Only the server that has the seed of a day can throw its dice; elsewhere they are typed in.
    """
    if source.kind == "seed":
        return SeededCup(source.seed)
    return HandCup() if source.kind in ("hand", "day") else SecretCup()


def wrong_dice(reading: Reading[Any, Any]) -> int | None:
    """Return the number of the first event of a record whose dice do not match its seed.

    Return None if all match, and if the dice do not come from a seed.
    """
    if reading.header.dice.kind != "seed":
        return None
    play = reading.play
    return follow(cup_of(reading.header.dice), reading.game, play.log, play.start)


def find_any(text: str, format: str = "") -> Game[Any, Any]:
    """Return the game of a name, or the match of a preset or of a name with a format.

    >>> find_any("classic").name, find_any("pub[seats=3]").name
    ('classic', 'classic[seats=3,rounds=1,shut=wins,stake=1]')
    >>> find_any("Knockout").name
    'classic[seats=2,limit=45]'

    The players of a match are called Player 1, Player 2 and so on; there are two, or as many as
    `seats` or `purse` give. Raises what `find` raises, and BadFormat.
    """
    game, own, seats = _read(text)
    if own is None and not format:
        return find(game)
    purses = len(Format.parse(format, own).purse)
    return match_of(text, unnamed(seats or max(2, purses)), format)


def find_any_position(text: str) -> tuple[Game[Any, Any], Any]:
    """Return the game or match, and the position, of a `position_text`; a name means its start.

    >>> match, position = find_any_position("lucky-seven[seats=2]:1;0;0;0=7,0;t1;7")
    >>> match.scene(position).answers[3].says
    "Player 2's turn."

    Raises what `find_any` and `find_position` raise.
    """
    name, colon, id = text.rpartition(":")
    if colon and is_match(name):
        match = find_any(name)
        return match, match.position_at(id)
    if is_match(text):
        match = find_any(text)
        return match, match.start()
    return find_position(text)


def difference(name: str) -> str:
    """Return a few words on what distinguishes a game of the catalogue, or a preset.

    The words come from the catalogue. A game without them there is described by its first rule
    that Classic does not have.

    >>> difference("thai-style"), difference("pub")
    ('One tile a throw', 'One round for the pot')

    Raises what `find` raises.
    """
    if preset := presets().get(name):
        return gettext(preset.differs)
    differs = next((entry.differs for entry in catalogue() if entry.name == name), "")
    return gettext(differs) if differs else own_rule(name).removesuffix(".")


def own_rule(name: str) -> str:
    """Return the first rule of a game that Classic does not have, or else its first rule.

    >>> own_rule("thai-style")
    'Always throw two six-sided dice.'
    """
    known, card = find("classic").card().lines, find(name).card()
    own = (line for line in card.lines if line not in known and line != card.example)
    return next(own, card.lines[0])


def rounds_of(preset: Preset) -> str:
    """Return how the match of a preset ends and what a round costs, without its game.

    >>> rounds_of(presets()["markers-five"])
    'There are 5 rounds; the lowest total wins.'
    """
    return Match(find(preset.game), preset.format).brief()
