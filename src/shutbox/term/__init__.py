"""The line-mode terminal: words first, and beside them a picture for players who can see it."""

from shutbox.term.commands import Wish
from shutbox.term.console import Console, GoesBack, Stopped
from shutbox.term.session import Session

__all__ = ["Console", "GoesBack", "Session", "Stopped", "Wish"]
