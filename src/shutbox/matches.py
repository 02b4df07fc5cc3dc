"""Every match there is, by name: where the catalogue's games, formats and presets meet.

A match is written as its game and, in square brackets, its seats and its format:
`classic[seats=3,rounds=5]`. A preset has a name of its own, such as `pub`; what is put in its
round brackets overrides its game.
"""

import re
from collections.abc import Sequence
from typing import Any

from shutbox.catalogue import find, find_position
from shutbox.errors import BadFormat, NotUnderstood
from shutbox.game import Game
from shutbox.match import Format, Match, Preset, presets
from shutbox.names import parse_name, write_name
from shutbox.record import Header, Source
from shutbox.seats import MOST_SEATS, Seat
from shutbox.words import counted, shown

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


def is_match(text: str) -> bool:
    """Whether a text names a match: a preset, or a game with a format in square brackets.

    >>> is_match("pub"), is_match("classic[rounds=2]"), is_match("classic")
    (True, True, False)
    """
    return _MATCH.fullmatch(text.strip()) is not None or find_preset(text) is not None


def match_of(text: str, players: Sequence[str], format: str = "") -> Match[Any, Any]:
    """The match of a game, a preset, or either with a format, played by these.

    >>> match_of("pub", ["Ann", "Bob"], "stake=2").name
    'classic[seats=2,rounds=1,shut=wins,stake=2]'

    The atoms of `format` go over those of the text, and these over the preset's. Raises what
    `find` raises, and BadFormat.
    """
    name, seats, _ = _split(text)
    if seats not in (None, len(players)):
        problem = f"seats: {seats}, and {counted(len(players), 'player is', 'players are')} named"
        raise BadFormat("format", (problem,))
    found = find_preset(name)
    game, title = (find(name), "") if found is None else (found[1], found[0].title)
    return Match(game, _format(text, format), players, title=title)


def _format(text: str, format: str) -> Format:
    """The format that a text has, with the atoms of `format` over it."""
    name, _, own = _split(text)
    found = find_preset(name)
    base = Format.parse(own, None if found is None else found[0].format)
    return Format.parse(format, base)


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


def header_of(
    game: Game[Any, Any], seats: Sequence[Seat], source: Source, *, program: str, begun: str
) -> Header:
    """The header of a new record, from which `game_of` makes the game again.

    `program` has its version, as in `shutbox 0.1.0`, and `begun` is when, in UTC, as in
    `2026-11-21 12:00:05 UTC`.
    """
    of, format = (game.game, str(game.format)) if isinstance(game, Match) else (game, "")
    return Header(
        program=program,
        begun=begun,
        game=of.name,
        format=format,
        players=tuple(seats),
        dice=source,
    )


def find_any(text: str, format: str = "") -> Game[Any, Any]:
    """The game of a name; the match of a preset, or of a name with a format.

    >>> find_any("classic").name, find_any("pub[seats=3]").name
    ('classic', 'classic[seats=3,rounds=1,shut=wins,stake=1]')

    Its players are called Player 1, Player 2 and so on; there are two, or as many as `seats` or
    `purse` say. Raises what `find` raises, and BadFormat.
    """
    if not format and not is_match(text):
        return find(text)
    seats = _split(text)[1] or max(2, len(_format(text, format).purse))
    return match_of(text, [f"Player {seat + 1}" for seat in range(seats)], format)


def find_any_position(text: str) -> tuple[Game[Any, Any], Any]:
    """The game or match and the position of a full text; a game alone stands for its start.

    >>> match, position = find_any_position("lucky-seven[seats=2]:1;0;0;0=7,0;t1;7")
    >>> match.scene(position).answers[3].says
    'It is the turn of Player 2.'

    Raises what `find_any` and `find_position` raise.
    """
    name, colon, id = text.partition("]:")
    if colon:
        match = find_any(f"{name}]")
        return match, match.position_at(id)
    if is_match(text):
        match = find_any(text)
        return match, match.start()
    return find_position(text)


def _split(text: str) -> tuple[str, int | None, str]:
    """The name in front of square brackets, the seats in them, and the rest of the format."""
    match = _MATCH.fullmatch(text.strip())
    if match is None:
        return text, None, ""
    seats, rest = None, []
    for part in match[2].split(","):
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if key != "seats":
            rest.append(part)
        elif re.fullmatch("[0-9]{1,2}", value) and 1 <= int(value) <= MOST_SEATS:
            seats = int(value)
        else:
            problem = f"seats: {shown(value)} is not allowed; it is 1 to {MOST_SEATS}"
            raise BadFormat("format", (problem,))
    return match[1], seats, ",".join(filter(str.strip, rest))
