"""The dice tray: just dice, to help any other game."""

from shutbox.tray.family import Trays
from shutbox.tray.game import Tray
from shutbox.tray.position import Change, Die, Position, Verb

__all__ = ["Change", "Die", "Position", "Tray", "Trays", "Verb"]
