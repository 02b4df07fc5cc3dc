"""Records of plays, with a line for each event. `docs/record.md` describes the format."""

from shutbox.record.header import Header, Source
from shutbox.record.json_format import LARGEST_JSON, from_json, read_json, to_json
from shutbox.record.text_format import Fault, Find, Reading, Writer, read, written

__all__ = [
    "LARGEST_JSON", "Fault", "Find", "Header", "Reading", "Source", "Writer", "from_json", "read",
    "read_json", "to_json", "written",
]  # fmt: skip
