"""A generated language that reveals code which parses a sentence or glues sentences together.

Every template is marked («...»), its letters are replaced, it is a third longer, names stand
between right-to-left marks, and there are three plural forms. A program must behave in it as in
English, or else it has parsed a sentence. A letter outside the marks, or a plain English letter,
comes from no template.
"""

import json
import re
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from babel.messages.catalog import Catalog
from translations import collected

LANGUAGE = "qps"
"""The language code of pseudo-languages."""
PLURALS = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2)"

OPEN, CLOSE = "«", "»"
RIGHT_TO_LEFT, END = "\N{RIGHT-TO-LEFT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
NAMES = {
    *("name", "names", "player", "players", "winner", "winners", "leader", "leaders"),
    *("who", "actor", "owner", "seat_name"),
}
"""The facts that are names of people."""

_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒĝĥíĵķļɱñóƥɋŕšťúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĻⱮÑÓƤɊŔŠŤÚṼŴẊÝŽ",
)
_FIELD = re.compile(r"(\{[^{}]*\}|%[rs]\b)")


def in_pseudo(template: str) -> str:
    """Return a template in the pseudo-language.

    >>> print(in_pseudo("{number} chips"))
    «{number} çĥíƥš··»
    """
    parts = _FIELD.split(template)
    for place, part in enumerate(parts):
        if place % 2 == 0:
            parts[place] = part.translate(_LETTERS)
        elif part[1:-1] in NAMES:
            parts[place] = f"{RIGHT_TO_LEFT}{part}{END}"
    longer = "·" * (sum(map(len, parts[::2])) // 3)
    return f"{OPEN}{''.join(parts)}{longer}{CLOSE}"


@cache
def templates() -> Catalog:
    """Return every template of the source, collected once in a process: it takes seconds."""
    return collected()


@cache
def translations() -> Path:
    """Return a folder with the pseudo-language, made once in a run."""
    lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=utf-8\\n"']
    lines += [f'"Plural-Forms: {PLURALS};\\n"']
    for message in templates():
        lines += ["", *([f"msgctxt {quoted(message.context)}"] if message.context else ())]
        if isinstance(message.id, tuple):
            one, many = message.id
            forms = (in_pseudo(one), in_pseudo(many), in_pseudo(f"{many}²"))
            lines += [f"msgid {quoted(one)}", f"msgid_plural {quoted(many)}"]
            lines += [f"msgstr[{number}] {quoted(form)}" for number, form in enumerate(forms)]
        elif isinstance(message.id, str) and message.id:
            lines += [f"msgid {quoted(message.id)}", f"msgstr {quoted(in_pseudo(message.id))}"]
    folder = Path(mkdtemp())
    (folder / f"{LANGUAGE}.po").write_text("\n".join(lines), encoding="utf-8")
    return folder


def quoted(text: str) -> str:
    """Return a text quoted as in a .po file."""
    return json.dumps(text, ensure_ascii=False)


def environment() -> dict[str, str]:
    """Return the environment in which a process speaks the pseudo-language."""
    return {"SHUTBOX_LANGUAGE": LANGUAGE, "SHUTBOX_TRANSLATIONS": str(translations())}


def outside(text: str) -> str:
    """Return the parts of a text outside the marks, which come from no template."""
    while text != (text := re.sub(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}", "", text)):
        pass
    return text


def english(text: str) -> set[str]:
    """Return the words in English letters: names, notation, and text that lacks a template."""
    return set(re.findall(r"[A-Za-z]{3,}", text))
