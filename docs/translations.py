"""Collects the sentences of the program, and brings the file of every language up to date.

    python docs/translations.py [NEW]

`NEW` begins a language, such as `nl`. Prints the faults of each language, and what it lacks; exits
with status 1 if there are faults. `make messages` runs it.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from shutbox.engine.translations import read_translations
from shutbox.engine.typed_text import LETTERS, plain_title

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / "shutbox" / "translations"
ERRORS = ("src/shutbox/engine/errors.py", "src/shutbox/web/errors.py")
KEYWORDS = ("gettext_noop", "pgettext_noop:1c,2", "counted:1,2")
COMMENT = "Translators:"
"""How a comment begins that stands above a sentence, and that translators see."""
HEAD = "# Translations of shutbox: docs/translating.md says how they are made."
SHOWN = 20
"""The most sentences of one language that are printed."""
FIRST = ("term", "engine", "games", "match", "solving", "table", "output")
"""The folders whose sentences a player meets first."""
_FIELD = re.compile(r"\{[^{}]*\}|%[rs]\b|[{}]")
_FORMS = re.compile(r'^msgid_plural.*\n(?:".*\n)*((?:(?:msgstr\[\d+\] +)?".*"\n?)+)', re.MULTILINE)
_ONE_THING = {"dice": "die", "chips": "chip"}  # typed words that can have a translation in common
_TIMES = re.compile(rb'"(?:Project-Id|Report-|POT-|PO-|Last-T|Language-T|Generated-)[^"\n]*"\n')
"""Lines of a head that change without a change, or that name nobody."""


def collected() -> Catalog:
    """Return every template of the source. The first argument of an error is one, too."""
    named = r"^class (\w+)\((?!_Unplayable)"  # whose first argument is no sentence
    errors = re.findall(named, "\n".join(map(_text_of, ERRORS)), re.MULTILINE)
    extract = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract"]
    extract += ["--mapping", "pyproject.toml", "--add-location", "file"]
    extract += ["--add-comments", COMMENT, "--strip-comments", "--sort-by-file"]
    extract += [f"--keywords={name}" for name in (*KEYWORDS, *sorted(set(errors)))]
    paths = os.environ | {"PYTHONPATH": "docs"}  # of the extractor for TOML files
    with TemporaryDirectory() as folder:
        file = Path(folder) / "shutbox.pot"
        subprocess.run([*extract, "--output", file, "."], cwd=ROOT, env=paths, check=True)
        return read_po(BytesIO(file.read_bytes()))


def _text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def read(path: Path) -> Catalog:
    """Return the translations of a language."""
    with path.open("rb") as file:
        return read_po(file, path.stem)


def update(path: Path, templates: Catalog) -> Catalog:
    """Add new templates to the file of a language, which is begun if it does not exist yet.

    Raises ValueError, and leaves the file as it is, if a part of it would be lost.
    """
    if path.exists():
        _check_readable(path)
    catalogue = read(path) if path.exists() else Catalog(path.stem, header_comment=HEAD)
    catalogue.update(templates)
    catalogue.fuzzy = False
    for message in catalogue:
        if not message.fuzzy:  # what Babel reads of `#| msgid "before"` is a comment that begins so
            message.user_comments = [c for c in message.user_comments if not c.startswith("|")]
    text = BytesIO()
    write_po(text, catalogue, width=100, ignore_obsolete=True, include_previous=True)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(_TIMES.sub(b"", text.getvalue()))
    return read(path)


def _check_readable(path: Path) -> None:
    try:
        text = path.read_text(encoding="utf-8")
        read_translations(text)
    except ValueError as error:
        raise ValueError(f"{path.name}:{error}") from None
    wanted = int(re.findall(r"nplurals=\s*(\d+)", f"{text}nplurals=2")[0])
    for found in _FORMS.finditer(text):
        number = found[1].count("msgstr[")
        if number != wanted and re.search(r'"[^"\n]', found[1]):
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"{path.name}:{line}: {number} forms; the head says nplurals={wanted}")


def forms(text: object) -> tuple[str, ...]:
    """Return the forms of a template or a translation: one, or those of its plural."""
    return tuple(map(str, text)) if isinstance(text, list | tuple) else (str(text or ""),)


def is_whole(message: Message) -> bool:
    """Return whether a template is translated, and not only as a proposal."""
    return all(forms(message.string)) and not message.fuzzy


def faults(catalogue: Catalog) -> Iterator[str]:
    """Yield a sentence for each fault of a translation, with the file and the line."""
    meant: dict[tuple[str | None, str], str] = {}
    for message in catalogue:
        if message.id and not message.fuzzy:
            for fault in (*_brace_faults(message), *_word_faults(message, meant)):
                yield f"{catalogue.locale}.po:{message.lineno}: {fault}"


def _brace_faults(message: Message) -> Iterator[str]:
    """Yield what is wrong with the braces and forms of a translation.

    A form for one may leave out what the English form for one leaves out, or the number.
    """
    english, own = forms(message.id), forms(message.string)
    if any(own) and not all(own):
        yield f"a form of {english[0]!r} is empty; it stays English"
    known = {*_FIELD.findall(" ".join(english))}
    for place, form in enumerate(own):
        like, found = english[-1] if place else english[0], {*_FIELD.findall(form)}
        for field in sorted(found - known):
            yield f"{field} is not in {like!r}; it stays English"
        optional = {"{number}"} if message.pluralizable and not place else set()
        for field in sorted({*_FIELD.findall(like)} - optional - found) if form else ():
            yield f"{field} of {like!r} is missing; it is shown without this fact"


def _word_faults(message: Message, meant: dict[tuple[str | None, str], str]) -> Iterator[str]:
    """Yield what is wrong with words that people type; `meant` has the English of earlier ones."""
    english, own = str(message.id), str(message.string)
    is_title = message.context == "title of a game"
    if not is_title and not any(file.endswith("typed_words.txt") for file, _ in message.locations):
        try:
            re.compile(re.sub(r"\s*,\s*", "|", own) if message.context == "typed" else "")
        except re.error:
            yield f"{own!r} is no pattern; only English is understood"
        return
    words = (each.strip() for each in (*own.split(";" if is_title else ","), english))
    for word in filter(None, dict.fromkeys(words)):
        if not is_title and word != english and not LETTERS.fullmatch(word):
            yield f"{word!r} is not one word of letters; it is never understood"
        plain = plain_title(word) if is_title else word.lower()
        other = meant.setdefault((message.context, plain), english)
        if _ONE_THING.get(other, other) != _ONE_THING.get(english, english):
            yield f"{word!r} means both {other!r} and {english!r}; one is never understood"


def main(new: str = "") -> int:
    """Bring all languages up to date, print what each lacks, and return 1 if there are faults."""
    templates, status = collected(), 0
    paths = {*FOLDER.glob("*.po"), *([FOLDER / f"{new}.po"] if new else [])}
    for path in sorted(paths):
        try:
            catalogue = update(path, templates)
        except ValueError as error:
            print(f"{error}; correct it: the file is left as it is")
            status = 1
            continue
        for fault in faults(catalogue):
            print(fault)
            status = 1
        total, lacks = len(catalogue), [m for m in catalogue if m.id and not is_whole(m)]
        listed = f". The first {min(SHOWN, len(lacks))}:" if lacks else ""
        whole = 100 * (total - len(lacks)) // total
        print(f"{path.stem}: {whole} % of {total} sentences; {len(lacks)} stay English{listed}")
        for message in sorted(lacks, key=_rank)[:SHOWN]:
            note = " (fuzzy)" if message.fuzzy else ""
            print(f"    {path.name}:{message.lineno}: {forms(message.id)[0]}{note}")
    return status


def _rank(message: Message) -> tuple[bool, int]:
    """Return what to sort by so that proposals come first, then what a player meets first."""
    folders = {Path(file).parts[2] for file, _ in message.locations}
    return not message.fuzzy, min(map((*FIRST, *folders).index, folders))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
