"""A translator's file (.po) as the standard library's `gettext` wants it (.mo).

The program speaks from the very file that a translator edits: nothing has to be compiled. What is
marked fuzzy, or is not translated yet, is left out and stays English.
"""

import json
import re
import struct
from collections.abc import Iterator
from string import Formatter

_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr|msgstr\[\d\])\s+)?(".*")')


def compiled(text: str) -> bytes:
    r"""The bytes of the .mo file.

    Raises ValueError, which names the line, where the text is no .po file, and where a translation
    has a field that its template has not.

    >>> from gettext import GNUTranslations
    >>> from io import BytesIO
    >>> po = 'msgid "{name} begins."\nmsgstr "{name} "\n"beginnt."'
    >>> GNUTranslations(BytesIO(compiled(po))).gettext("{name} begins.")
    '{name} beginnt.'
    """
    strings: list[bytes] = []
    translations: list[bytes] = []
    for entry in _entries(text):
        forms = _forms(entry)
        if all(forms) and forms:
            ids = [entry[key] for key in ("msgid", "msgid_plural") if key in entry]
            strings.append("\0".join(ids).encode())
            translations.append("\0".join(forms).encode())
    size = len(strings)
    lengths: list[int] = []
    place = 28 + 16 * size
    for string in strings + translations:
        lengths += len(string), place
        place += len(string) + 1
    head = struct.pack(f"<{7 + 4 * size}I", 0x950412DE, 0, size, 28, 28 + 8 * size, 0, 0, *lengths)
    return head + b"\0".join([*strings, *translations, b""])


def _entries(text: str) -> Iterator[dict[str, str]]:
    """The fields of each entry, unquoted. A fuzzy one is left out, but for the head of the file."""
    entry: dict[str, str] = {}
    start = 1
    field, fuzzy, next_fuzzy = "", False, False
    for number, line in enumerate([*text.splitlines(), 'msgid ""'], 1):
        if line.startswith("#") or not line.strip():
            next_fuzzy |= line.startswith("#,") and "fuzzy" in line
            continue
        read = _LINE.fullmatch(line.strip())
        if read is None or not (read[1] or field):
            raise ValueError(f"line {number}: {line}")
        if read[1] == "msgid":
            if entry and not (fuzzy and entry.get("msgid")):
                if not _fits(entry):
                    raise ValueError(f"line {start}: {entry['msgid']}")
                yield entry
            start = number
            entry, fuzzy, next_fuzzy = {}, next_fuzzy, False
        field = read[1] or field
        entry[field] = entry.get(field, "") + json.loads(read[2])


def _forms(entry: dict[str, str]) -> list[str]:
    """The translations of an entry, one for each form of a number."""
    return [entry[key] for key in sorted(entry) if key.startswith("msgstr")]


def _fits(entry: dict[str, str]) -> bool:
    """Whether each translation can be filled in with what fills in the template."""
    if not entry.get("msgid"):
        return True
    known: set[tuple[str | None, ...]] = (
        {("number", "", None)} if "msgid_plural" in entry else set()
    )
    known |= _fields(entry["msgid"]) | _fields(entry.get("msgid_plural", ""))
    try:
        return all(_fields(form) <= known for form in _forms(entry))
    except ValueError:  # a brace is open
        return False


def _fields(template: str) -> set[tuple[str | None, ...]]:
    """The fields in braces, each with its format."""
    return {field[1:] for field in Formatter().parse(template) if field[1] is not None}
