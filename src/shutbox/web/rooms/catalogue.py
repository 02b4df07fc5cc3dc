"""The choices for a new table: games, presets and computer players."""

from dataclasses import dataclass

from shutbox import catalogue as games
from shutbox import find
from shutbox.bots import CHARACTERS, kinds
from shutbox.lookup import own_rule, rounds_of
from shutbox.match import presets
from shutbox.messages import cached, gettext


@dataclass(frozen=True, slots=True)
class GameView:
    """A game or a preset that a table can be opened with."""

    id: str  # the name that opens it
    title: str  # the name that people see
    about: str  # a rule of its own in a sentence


@dataclass(frozen=True, slots=True)
class KindView:
    """A kind of computer player."""

    id: str  # the name of the kind
    about: str  # what it does, in a few words


@dataclass(frozen=True, slots=True)
class CharacterView:
    """A computer player with a name and a face; `computer:ID` gives it a seat."""

    id: str  # the name that seats it
    name: str  # the name that people see
    kind: str  # the kind of computer player
    about: str  # how it plays, in a sentence
    strength: str
    """The strength in a word, such as Novice."""
    level: int
    """The strength from 1 to 5, the strongest."""
    loss: float
    """The points lost in a turn of Classic, compared with best play."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All choices for a new table."""

    games: tuple[GameView, ...]  # the games in the order of their list
    presets: tuple[GameView, ...]  # the matches with a name
    computers: tuple[KindView, ...]  # the kinds of computer players
    characters: tuple[CharacterView, ...]
    """Sorted by strength, the weakest first."""


@cached
def stand_ins() -> tuple[tuple[str, str], ...]:
    """Return the kinds that can take a seat, each with its label; named characters come first.

    >>> stand_ins()[0], stand_ins()[5]
    (('random', 'Pip: Novice'), ('most', 'Most'))
    """
    named = {
        one.kind: gettext("{name}: {strength}", name=one.name, strength=one.strength)
        for one in CHARACTERS
    }
    return (*named.items(), *((kind, kind.capitalize()) for kind in kinds() if kind not in named))


@cached
def catalogue() -> Catalogue:
    """Return all choices in the order in which they are listed.

    >>> catalogue().games[0].id, catalogue().presets[0].id
    ('classic', 'pub')
    """
    return Catalogue(
        games=tuple(GameView(entry.name, entry.title, own_rule(entry.name)) for entry in games()),
        presets=tuple(
            GameView(p.name, p.title, f"{find(p.game).card().title}. {rounds_of(p)}")
            for p in presets().values()
        ),
        computers=tuple(KindView(name, gettext(about)) for name, (_, about) in kinds().items()),
        characters=tuple(
            CharacterView(
                *(one.id, one.name, one.kind, gettext(one.about), one.strength),
                level=one.level,
                loss=float(one.loss),
            )
            for one in CHARACTERS
        ),
    )
