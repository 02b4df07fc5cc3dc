"""The records of a user, stored as files in a folder."""

from shutbox.store.store import (
    VARIABLE,
    Journal,
    Store,
    Which,
    data_folder,
    find_envelope,
    named,
    read_file,
    read_lines,
)

__all__ = [
    "VARIABLE", "Journal", "Store", "Which", "data_folder", "find_envelope", "named",
    "read_file", "read_lines",
]  # fmt: skip
