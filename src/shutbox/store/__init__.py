"""The records of a user, kept in a folder of files."""

from shutbox.store.folder import VARIABLE, data_folder
from shutbox.store.journal import Journal
from shutbox.store.store import Store, read_file

__all__ = ["VARIABLE", "Journal", "Store", "data_folder", "read_file"]
