"""Records as text, and the user's folder of records."""

from shutbox.record.header import Header, Source
from shutbox.record.record import Fault, Find, Reading, Writer, read, to_bytes, to_json
