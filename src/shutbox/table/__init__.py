"""The table where a game is played, and its setup."""

from shutbox.table.table import Table

__all__ = ["Table"]
