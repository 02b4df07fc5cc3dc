"""The table, how people sit down at it, and what they call games and players."""

from shutbox.table.table import Table

__all__ = ["Table"]
