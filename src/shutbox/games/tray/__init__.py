"""The dice tray: just dice, to help any other game."""

from shutbox.games.tray.game import TRAYS, Tray
from shutbox.games.tray.position import Change, Die, TrayPosition, Verb

__all__ = ["TRAYS", "Change", "Die", "Tray", "TrayPosition", "Verb"]
