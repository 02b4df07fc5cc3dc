"""The records of a user, kept in a folder of files."""

from shutbox.store.store import (
    VARIABLE,
    Journal,
    Store,
    Which,
    data_folder,
    named,
    read_file,
    read_lines,
)

__all__ = [
    "VARIABLE", "Journal", "Store", "Which", "data_folder", "named", "read_file", "read_lines",
]  # fmt: skip
