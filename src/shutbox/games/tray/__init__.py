"""The dice tray: dice alone, to use with any other game."""

from shutbox.games.tray.game import TRAYS, Tray
from shutbox.games.tray.position import Change, Die, TrayPosition, Verb
