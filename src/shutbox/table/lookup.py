"""Matches by name: games of the catalogue combined with formats, and presets.

A match is its game with its seats and format in square brackets: `classic[seats=3,rounds=5]`. A
preset has a name of its own, such as `pub`; overrides in round brackets after it apply to its game.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from shutbox.engine.cups import HandCup, NumberedCup, SealedCup, SecretCup, SeededCup, wrong_rolls
from shutbox.engine.dice import Cup
from shutbox.engine.english import counted, safe_text, shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood, UnknownGame
from shutbox.engine.game import Game, Placed, check_game, position_meant
from shutbox.engine.messages import cached, gettext
from shutbox.engine.names import clean_name, default_names
from shutbox.engine.sealed_dice import OpenEnvelope
from shutbox.engine.seats import DEFAULT_KIND, MOST_SEATS, Seat, check_seats
from shutbox.engine.typed_text import (
    bounded,
    check_type,
    in_ascii,
    parse_name,
    plain_title,
    title_to_name,
    titles,
    write_name,
)
from shutbox.games.catalogue import catalogue, find, is_path, names_by_title
from shutbox.match import Format, Match, preset_of, presets
from shutbox.record import Header, Reading, Source

LONGEST = 10_000  # characters of a text with a position
_MATCH = re.compile(r"(.*)\[([^\[\]]*)\]", re.DOTALL)

AnyGame: TypeAlias = Game[Any, Any]
AnyMatch: TypeAlias = Match[Any, Any]
Players: TypeAlias = int | str | Sequence[str]  # their number, a text with commas, or their names


def is_match(text: str) -> bool:
    """Whether a text names a match: a preset, or a game with a format in square brackets.

    >>> is_match("pub"), is_match("classic[rounds=2]"), is_match("classic")
    (True, True, False)

    Raises BadFormat for a wrong format in brackets, NotUnderstood for no string or one too long.
    """
    return _read(bounded(text, LONGEST)).format is not None


def match_of(text: str | AnyGame, players: Players, format: str | Format = "") -> AnyMatch:
    """Return the match of a game or a preset for these `players`, given as in `names_meant`.

    >>> match_of("pub", ["Ann", "Bob"], "stake=2").name
    'classic[seats=2,rounds=1,shut=wins,stake=2]'

    `text` can also be a game or match object, or name a format in square brackets. The keys in
    `format` override those of the text or match, which override the preset's. Raises what `find`
    and `names_meant` raise, and BadFormat, also if the `seats` in the text do not fit the players.
    """
    named = _read(text)
    names = names_meant(players)
    if named.seats not in (None, len(names)):
        problem = counted(
            "seats: {seats}, and one player is named",
            "seats: {seats}, and {number} players are named",
            len(names),
            seats=named.seats,
        )
        raise BadFormat("format", (problem,))
    return Match(game_meant(named.game), Format.parse(safe_text(format, str), named.format), names)


class _Named(NamedTuple):
    """The parts of a game or a match that is given as a text or as an object."""

    game: Any  # a game, or text that is not looked up yet; of a preset, the preset's
    format: Format | None = None  # None: it names no match
    seats: int | None = None  # None: it does not say how many


def _read(text: str | AnyGame) -> _Named:
    """Split a text, or a match. Raises BadFormat for wrong brackets, NotUnderstood if too long."""
    if isinstance(text, Match):
        return _Named(text.game, text.format)
    if not isinstance(text, str):
        return _Named(text)
    in_brackets = _MATCH.fullmatch(bounded(text, LONGEST).strip())
    name, atoms = in_brackets.groups() if in_brackets else (text, None)
    game, format = _preset(name) or (name, None)
    if atoms is None:
        return _Named(game, format)
    seats, rest = None, []
    for part in in_ascii(atoms).split(","):
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if key != "seats":
            rest.append(part)
        elif re.fullmatch("[0-9]{1,2}", value) and 1 <= int(value) <= MOST_SEATS:
            seats = int(value)
        else:
            facts = {"value": shown(value), "most": MOST_SEATS}
            problem = gettext("seats: {value} is not allowed; it is 1 to {most}", **facts)
            raise BadFormat("format", (problem,))
    return _Named(game, Format.parse(",".join(filter(str.strip, rest)), format), seats)


@cached
def _presets_by_title() -> dict[str, str]:
    return {
        plain_title(known): preset.name
        for preset in presets().values()
        for known in (*titles(preset.title), preset.also, preset.title, preset.name)
        if known
    }


@cached
def games_by_title() -> dict[str, str]:
    """Map every title and name of built-in games and presets, as a `plain_title`, to its name."""
    return {**names_by_title(), **_presets_by_title()}


def _preset(name: str) -> tuple[str, Format] | None:
    """Return a preset's game, with the overrides in `name`, and its format; None for no preset."""
    try:
        base, options = parse_name(title_to_name(name, _presets_by_title()))
    except NotUnderstood:
        return None
    if (preset := presets().get(base)) is None:
        return None
    game, own = parse_name(preset.game)
    return write_name(game, {**own, **options}), preset.format


def game_of(header: Header) -> AnyGame:
    """Return the game of a record, or the match with the names of its players.

    A box from a file is recorded by its rules. The name of a file raises UnknownGame, so that no
    record can make this program read a file. Also raises what `find` raises, and BadFormat.
    """
    check_type(header, Header)
    if is_path(header.game):
        raise UnknownGame(
            "a record names its game, and no file such as {file}", file=shown(header.game)
        )
    try:
        game = find(header.game)
    except UnknownGame:
        package = header.package.partition(" ")[0]
        if not package:
            raise
        raise UnknownGame("this record needs the package {package}", package=package) from None
    if not header.format:
        return game
    return Match(game, Format.parse(header.format), header.names)


def cup_of(source: Source, envelope: OpenEnvelope | None = None) -> Cup:
    """Return a cup for the source of dice in a record: its seed, its date, or its opened envelope.

    For dice thrown by hand, and for those of a day or a challenge, whose seed is not in a record,
    it is a HandCup. For the system's dice, and sealed ones without `envelope`, it is a SecretCup,
    whose throws are new.
    """
    check_type(source, Source)
    if source.seal is not None and envelope is not None:
        return SealedCup(source.seal.gid, envelope.seed, envelope.words_digest)
    if source.tells_dice:
        return NumberedCup(source.day) if source.day else SeededCup(source.seed)
    return HandCup() if source.kind in ("hand", "day", "challenge") else SecretCup()


def wrong_dice(reading: Reading[Any, Any]) -> tuple[int, ...]:
    """Return the event numbers, from 1, of the throws that a record's seed or date did not make.

    Empty without these, or while it is sealed. Throws after `reading.last_sealed` are not checked.
    """
    if not reading.header.dice.tells_dice and reading.opening is None:
        return ()
    cup, play = cup_of(reading.header.dice, reading.opening), reading.play
    return tuple(wrong_rolls(cup, reading.game, play.log[: reading.last_sealed], play.start))


def names_meant(players: Players) -> tuple[str, ...]:
    """Return the names of players, given as a number, a text with commas, or a list of names.

    >>> names_meant(2), names_meant("Ann, Bob")
    (('Player 1', 'Player 2'), ('Ann', 'Bob'))

    Raises BadName for other objects, or names that cannot play together; `Match` checks how many.
    """
    if isinstance(players, int) and not isinstance(players, bool):
        return tuple(default_names(min(players, 100 * MOST_SEATS)))  # `Match` refuses so many
    names = players.split(",") if isinstance(players, str) else players
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise BadName(
            "{players} are not players; give their number, or their names such as ['Ann', 'Bob']",
            players=shown(safe_text(players)),
        )
    cleaned = tuple(map(clean_name, names))
    if len(cleaned) <= MOST_SEATS:
        check_seats([Seat(name, DEFAULT_KIND) for name in cleaned])
    return cleaned


def game_meant(game: Any) -> AnyGame:
    """Return the game or match that a text or an object means. Raises what `find_any` raises."""
    if isinstance(game, str):
        return find_any(game)
    check_game(game)
    named: AnyGame = game
    return named


def find_any(text: str | AnyGame, format: str | Format = "") -> AnyGame:
    """Return the game with this name; with a format, or for a preset, return a match.

    >>> find_any("classic").name, find_any("pub[seats=3]").name
    ('classic', 'classic[seats=3,rounds=1,shut=wins,stake=1]')
    >>> find_any("Knockout").name
    'classic[seats=2,limit=45]'

    The players of a match are called Player 1, Player 2 and so on; there are two, or as many as
    `seats` or `purse` give. A game or a match can be given instead of its name. Raises what
    `match_of` raises.
    """
    if not isinstance(text, str) and not format:
        return game_meant(text)
    if isinstance(text, Match):
        return match_of(text, text.players, format)
    game, own, seats = _read(text)
    if own is None and not format:
        return find(game)
    preset = preset_of(game, own) if own else None
    purses = len(Format.parse(safe_text(format, str), own).purse)
    players = seats or max(preset.seats if preset else 2, purses)
    return match_of(text, default_names(players), format)


def find_position(text: Any, position: Any = None) -> tuple[AnyGame, Any]:
    """Return the game or match, and the position, of a `position_text`; a name means its start.

    >>> match, position = find_position("lucky-seven[seats=2]:1;0;0;0=7,0;t1;7")
    >>> match.scene(position).answers[2].says
    'Player 2 to play.'

    A view, a table or a game can be given instead. `position` is as in `position_meant`, by default
    that of `text`. Raises NotUnderstood for a text that ends with a colon, and what `find_any`,
    `position_meant` and `Game.position_at` raise.
    """
    if isinstance(text, Placed):
        return text.game, position_meant(text.game, position, text.position)
    name, colon, id = [""] * 3
    if isinstance(text, str):  # the name can be that of a file, so it stays as it is
        name, colon, id = bounded(text, LONGEST).replace("\uff1a", ":").rpartition(":")
    if not colon or is_path(text) or is_match(text):
        game = game_meant(text)
        return game, position_meant(game, position)
    if not id.strip():
        raise NotUnderstood("{text} ends with a colon; the position is missing", text=shown(text))
    game = find_any(name)
    return game, position_meant(game, position, game.position_at(id))


def difference(name: str) -> str:
    """Return a few words on what distinguishes a game or a preset: `One tile a throw`.

    A game without such words in the catalogue has those of `own_rule`. Raises what `find` raises.
    """
    if preset := presets().get(name):
        return gettext(preset.differs)
    differs = next((entry.differs for entry in catalogue() if entry.name == name), "")
    return gettext(differs) if differs else own_rule(name).removesuffix(".")


def own_rule(name: str) -> str:
    """Return the first rule of a game that is not a rule of Classic; if all are, its first.

    >>> own_rule("thai-style")
    'Always throw two six-sided dice.'
    """
    known, card = find("classic").card().lines, find(name).card()
    own = (line for line in card.lines if line not in known and line != card.example)
    return next(own, card.lines[0])
