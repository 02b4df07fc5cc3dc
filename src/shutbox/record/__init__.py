"""Plays written down, line by line, to be read again for ever. `docs/record.md` has the format."""

from shutbox.record.dice_source import Source
from shutbox.record.header import Header
from shutbox.record.json_format import LARGEST_JSON, from_json, read_json, to_json
from shutbox.record.reader import Fault, Find, Reading, read
from shutbox.record.writer import Writer, written

__all__ = [
    "LARGEST_JSON", "Fault", "Find", "Header", "Reading", "Source", "Writer", "from_json", "read",
    "read_json", "to_json", "written",
]  # fmt: skip
