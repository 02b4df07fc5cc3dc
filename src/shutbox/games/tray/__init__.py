"""The dice tray: just dice, to help any other game."""

from shutbox.games.tray.family import Trays
from shutbox.games.tray.game import Tray
from shutbox.games.tray.position import Change, Die, TrayPosition, Verb

__all__ = ["Change", "Die", "Tray", "TrayPosition", "Trays", "Verb"]
