"""Reading the translations of a language, a `.po` file as editors for translators write it.

It is read as it is, so that a bare checkout speaks every language without a tool that compiles it.
"""

import re
from gettext import GNUTranslations
from io import BytesIO
from struct import pack

_FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d+\])? +"(.*)"')
_MORE = re.compile(r'"(.*)"')
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_MAGIC = 0x950412DE


def read_translations(text: str) -> GNUTranslations:
    r"""Return the translations of a `.po` file; what is fuzzy or not translated is left out.

    Raises ValueError for a text that is no such file, with the line and its number. The number is 1
    and stands alone if there is no head, which names the plural forms.

    >>> head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    >>> read_translations(f'{head}\nmsgid "Shut"\nmsgstr "Zu"').gettext("Shut")
    'Zu'
    """
    entries: dict[str, str] = {}
    for fields in _entries(text):
        forms = fields.get("msgstr", [""])
        is_head = fields["msgid"] == [""]  # which editors mark as fuzzy, too
        if all(forms) and (is_head or "fuzzy" not in fields):
            plural = [fields["msgid_plural"][0]] if "msgid_plural" in fields else []
            key = "\0".join([fields["msgid"][0], *plural])
            context = f"{fields['msgctxt'][0]}\4" if "msgctxt" in fields else ""
            entries[context + key] = "\0".join(forms)
    if not entries.get(""):
        raise ValueError("1")
    return GNUTranslations(BytesIO(_compile(entries)))


def _entries(text: str) -> "list[dict[str, list[str]]]":
    """Return the fields of each entry: its forms under `msgstr`, and `fuzzy` if it is."""
    entries: list[dict[str, list[str]]] = []
    fields: dict[str, list[str]] = {}
    last: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            if "msgstr" in fields:
                fields = {}
            if line.startswith("#,") and "fuzzy" in line:
                fields["fuzzy"] = []
        elif match := _FIELD.fullmatch(line):
            if "msgstr" in fields and match[1] != "msgstr":
                fields = {}
            if match[1] == "msgid":
                entries.append(fields)
            last = fields.setdefault(match[1], [])
            last.append(_unescape(match[2]))
        elif (match := _MORE.fullmatch(line)) and last:
            last[-1] += _unescape(match[1])
        else:
            raise ValueError(f"{number}: {line}")
    return entries


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES.get(match[1], match[1]), text)


def _compile(entries: dict[str, str]) -> bytes:
    """Return entries as the file that `GNUTranslations` reads.

    Source: GNU gettext, "The Format of GNU MO Files": a head, two tables of lengths and places,
    and the texts, each ended by a zero byte; the originals are sorted.
    """
    pairs = sorted((key.encode(), value.encode()) for key, value in entries.items())
    place = begins = 28 + 16 * len(pairs)
    tables, texts = list[bytes](), list[bytes]()
    for side in range(2):
        for pair in pairs:
            tables.append(pack("<II", len(pair[side]), place))
            texts.append(pair[side] + b"\0")
            place += len(texts[-1])
    head = (_MAGIC, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, begins)
    return b"".join([pack("<7I", *head), *tables, *texts])
