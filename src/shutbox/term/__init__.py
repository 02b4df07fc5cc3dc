"""The line-mode terminal: words first, and beside them a picture for players who can see it."""

from shutbox.term.console import Console, Stopped
from shutbox.term.session import Session, Wish

__all__ = ["Console", "Session", "Stopped", "Wish"]
