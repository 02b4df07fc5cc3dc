"""The line-mode terminal: words first, a picture besides them for those who can see it."""

from shutbox.term.console import Console, Stopped
from shutbox.term.menu import pick_game
from shutbox.term.replay import watch
from shutbox.term.session import Session

__all__ = ["Console", "Session", "Stopped", "pick_game", "watch"]
