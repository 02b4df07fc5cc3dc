"""The dice tray: dice alone, to use with any other game."""

from shutbox.games.tray.game import TRAYS, DiceTray
from shutbox.games.tray.position import Change, Die, TrayPosition, Verb
