"""The records of a user, kept in a folder of files."""

from shutbox.store.folder import VARIABLE, data_folder
from shutbox.store.journal import Journal
from shutbox.store.store import Store, Which, named, read_file, read_lines

__all__ = [
    "VARIABLE",
    "Journal",
    "Store",
    "Which",
    "data_folder",
    "named",
    "read_file",
    "read_lines",
]
