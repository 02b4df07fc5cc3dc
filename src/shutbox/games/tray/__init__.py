"""The dice tray: just dice, to help any other game."""

from shutbox.games.tray.family import Trays
from shutbox.games.tray.game import Tray
from shutbox.games.tray.position import Change, Die, Position, Verb

__all__ = ["Change", "Die", "Position", "Tray", "Trays", "Verb"]
