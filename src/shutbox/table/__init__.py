"""The table: a game that is played, and how people sit down to it."""

from shutbox.table.table import Table

__all__ = ["Table"]
