"""Every match there is, by name: where the catalogue's games, formats and presets meet.

A match is written as its game and, in square brackets, its seats and its format:
`classic[seats=3,rounds=5]`. A preset has a name of its own, such as `pub`; what is put in its
round brackets overrides its game.
"""

import re
from collections.abc import Sequence
from typing import Any

from shutbox.catalogue import find
from shutbox.errors import BadFormat, NotUnderstood
from shutbox.game import Game
from shutbox.match import Format, Match, Preset, presets
from shutbox.names import parse_name, write_name
from shutbox.record import Header
from shutbox.seats import MOST_SEATS
from shutbox.words import shown

_MATCH = re.compile(r"(.*)\[([^\[\]]*)\]", re.DOTALL)


def find_preset(text: str) -> tuple[Preset, Game[Any, Any]] | None:
    """The preset of a name, and its game with the overrides in brackets; None if it is none.

    >>> preset, game = find_preset("pub(fewer=must-top)")
    >>> game.name, str(preset.format)
    ('classic(fewer=must-top)', 'rounds=1,shut=wins,stake=1')
    """
    try:
        name, options = parse_name(text)
    except NotUnderstood:
        return None
    preset = presets().get(name)
    if preset is None:
        return None
    base, of_preset = parse_name(preset.game)
    return preset, find(write_name(base, {**of_preset, **options}))


def match_of(text: str, players: Sequence[str], format: str = "") -> Match[Any, Any]:
    """The match of a preset's or a game's name, with the atoms of `format` over its own.

    >>> match_of("pub", ["Ann", "Bob"], "stake=2").name
    'classic[seats=2,rounds=1,shut=wins,stake=2]'

    Raises what `find` raises, and BadFormat.
    """
    found = find_preset(text)
    if found is not None:
        preset, game = found
        return Match(game, Format.parse(format, preset.format), players, title=preset.title)
    return Match(find(text), Format.parse(format), players)


def game_of(header: Header) -> Game[Any, Any]:
    """What a record is a record of: a game, or a match with the names of its players.

    Raises what `find` raises, and BadFormat.
    """
    game = find(header.game)
    if not header.format:
        return game
    format = Format.parse(header.format)
    title = next(
        (p.title for p in presets().values() if (p.game, p.format) == (game.name, format)), ""
    )
    return Match(game, format, [seat.name for seat in header.players], title=title)


def find_any(text: str) -> Game[Any, Any]:
    """The game of a name, or the match of one with square brackets.

    >>> find_any("classic").name, find_any("pub[seats=3]").name
    ('classic', 'classic[seats=3,rounds=1,shut=wins,stake=1]')

    Raises what `find` raises, and BadFormat.
    """
    match = _MATCH.fullmatch(text.strip())
    if match is None:
        return find(text)
    seats, rest = 2, []
    for part in match[2].split(","):
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if key != "seats":
            rest.append(part)
        elif re.fullmatch("[0-9]{1,2}", value) and 1 <= int(value) <= MOST_SEATS:
            seats = int(value)
        else:
            problem = f"seats: {shown(value)} is not allowed; it is 1 to {MOST_SEATS}"
            raise BadFormat("format", (problem,))
    players = [f"Player {seat + 1}" for seat in range(seats)]
    return match_of(match[1], players, ",".join(filter(str.strip, rest)))
