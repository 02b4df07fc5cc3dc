"""The catalogue: every game, found by name. To add a family of games, add it to `FAMILIES`."""

from functools import cache
from pathlib import Path
from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import NotUnderstood, UnknownGame
from shutbox.game import Game
from shutbox.games.box import BOXES, box_from_file
from shutbox.games.cargo import CARGOES
from shutbox.games.family import Entry, Family
from shutbox.games.tray import TRAYS
from shutbox.messages import gettext
from shutbox.typed_text import parse_name, plain_title, with_name

FAMILIES: tuple[Family, ...] = (BOXES, CARGOES, TRAYS)


def on_the_console(name: str) -> str:
    """Return the note on the game `name` for players of the talking console, or "" without one.

    >>> on_the_console("tray(dice=6d6)")
    'The talking console calls this Dices.'
    """
    game = name.partition("[")[0]
    says = next((one.console for one in catalogue() if game in one.also.values()), "")
    return gettext(says) if says else ""


@cache
def _by_name() -> dict[str, tuple[Entry, Family]]:
    return {entry.name: (entry, family) for family in FAMILIES for entry in family.entries()}


@cache
def _by_title() -> dict[str, str]:
    others = {plain_title(other): game for e in catalogue() for other, game in e.also.items()}
    return others | {plain_title(known): e.name for e in catalogue() for known in (e.title, e.name)}


def catalogue() -> tuple[Entry, ...]:
    """Return the entry of every game, in the order in which the games are listed.

    >>> [entry.name for entry in catalogue()][:3]
    ['classic', 'two-to-go', 'three-to-go']
    """
    return tuple(entry for entry, _ in _by_name().values())


def find(text: str) -> Game[Any, Any]:
    """Return the game with this name or title, possibly with overrides, or of a TOML file.

    >>> find("classic(fewer=must-top)").name
    'classic(fewer=must-top)'
    >>> find("Thai Style").name
    'thai-style'

    A path (see `is_file`) is a file of boxes, and `file.toml#id` the box of its stanza `[id]`.
    Raises NotUnderstood for text that cannot be a name, UnknownGame, and BadVariant.
    """
    if is_file(text):
        path, _, id = text.partition("#")
        return box_from_file(Path(path), id)
    name, options = parse_name(with_name(text, _by_title()))
    if name in _by_name():
        return _by_name()[name][1].find(name, options)
    # Imported here: it takes longer to import than a game takes to start.
    from difflib import get_close_matches

    near = get_close_matches(name, _by_name(), n=3)
    facts: dict[str, Any] = {"name": shown(name), "nearest": listed(near, last="or")}
    if near:
        raise UnknownGame("{name} is not in the catalogue; try {nearest}", **facts)
    raise UnknownGame("{name} is not in the catalogue", unlike=True, **facts)


def is_file(text: str) -> bool:
    """Whether `find` reads a text as a path: it ends in `.toml`, or has a slash and no colon."""
    path = text.partition("#")[0]
    return path.endswith(".toml") or (":" not in path and ("/" in path or "\\" in path))


def find_position(text: str) -> tuple[Game[Any, Any], Any]:
    """Return the game and the position of a text `game:position`; a game alone means its start.

    >>> game, position = find_position("classic:1.5.9/2+2")
    >>> game.awaits(position)
    Over(scores=(15,), shut=False, winners=())

    Raises what `find` raises, and ImpossiblePosition.
    """
    name, colon, id = text.rpartition(":")
    if not colon or text.endswith(".toml"):
        game = find(text)
        return game, game.start()
    if not id.strip():
        raise NotUnderstood("{text} ends with a colon; the position is missing", text=shown(text))
    game = find(name)
    return game, game.position_at(id)
