"""What can be chosen for a new table: games, presets, computer players."""

from dataclasses import dataclass
from functools import cache

from shutbox import catalogue as games
from shutbox import find
from shutbox.bots import CHARACTERS, KINDS
from shutbox.match import Match, Preset, presets
from shutbox.messages import gettext


@dataclass(frozen=True, slots=True)
class GameView:
    """A game that can be played."""

    id: str
    title: str
    about: str


@dataclass(frozen=True, slots=True)
class KindView:
    """A kind of computer player."""

    id: str
    about: str


@dataclass(frozen=True, slots=True)
class CharacterView:
    """A computer player with a name and a face; `computer:ID` sits it down."""

    id: str
    name: str
    kind: str
    about: str
    strength: str
    """In a word."""
    level: int
    """The same from 1 to 5."""
    loss: float
    """What it loses in a turn of Classic against best play, in points."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All that can be chosen."""

    games: tuple[GameView, ...]
    presets: tuple[GameView, ...]
    computers: tuple[KindView, ...]
    characters: tuple[CharacterView, ...]
    """The weakest first."""


@cache
def catalogue() -> Catalogue:
    """All of it, in the order in which it is listed.

    >>> catalogue().games[0].id, catalogue().presets[0].id
    ('classic', 'pub')
    """
    return Catalogue(
        games=tuple(GameView(entry.name, entry.title, _about(entry.name)) for entry in games()),
        presets=tuple(
            GameView(p.name, p.title, f"{find(p.game).card().title}. {about_rounds(p)}")
            for p in presets().values()
        ),
        computers=tuple(KindView(name, gettext(about)) for name, (_, about) in KINDS.items()),
        characters=tuple(
            CharacterView(
                *(one.id, one.name, one.kind, gettext(one.about), one.strength),
                level=one.level,
                loss=float(one.loss),
            )
            for one in CHARACTERS
        ),
    )


def _about(name: str) -> str:
    """What is different from Classic, in a sentence of the rules.

    >>> _about("thai-style")
    'Always throw two dice of six sides.'
    """
    known, card = find("classic").card().lines, find(name).card()
    own = (line for line in card.lines if line not in known and line != card.example)
    return next(own, card.lines[0])


def about_rounds(preset: Preset) -> str:
    """How a preset ends, and the chips, whatever is played.

    >>> about_rounds(presets()["markers-five"])
    'There are 5 rounds; the lowest total wins.'
    """
    return Match(find(preset.game), preset.format).brief()
