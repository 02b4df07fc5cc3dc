"""Extracts the sentences, titles and typed words of the data files, for `make messages`."""

import re
from collections.abc import Iterator
from typing import IO, Any

Found = tuple[int, str | None, str | tuple[str, str], list[str]]
"""The number of a line, the function for its text, the text with any context, and comments."""
_TOLD = re.compile(r'(?:differs|console|lasts|source(?=.*[a-z])) = "(.+)"')
_TITLE = re.compile(r'title = "(.+)"')
_TYPED = re.compile(r"""["\w={}-]+ = (["'])(.+)\1""")
_ABOUT_TITLES = "several names with semicolons: the first is shown, and all of them find the game"
_ABOUT_TYPED = "what people type, in lower case; several with commas. English is understood, too"
_ABOUT_PATTERNS = (
    f"{_ABOUT_TYPED}. | stands between alternatives, ? after what can be missing, and {{n}} for a "
    'number: for "{n} rounds?" you can write "{n} runde, {n} runden"'
)


def extract(file: IO[bytes], *_: Any, options: Any) -> Iterator[Found]:
    """Yield each template of a TOML file, as a Babel extractor."""
    table, about = "", list[str]()
    for number, line in enumerate(file.read().decode().splitlines(), start=1):
        table = line if line.startswith("[") else table
        if found := _TOLD.fullmatch(line):
            yield number, None, found[1], []
        elif found := _TITLE.fullmatch(line):
            yield number, "pgettext", ("title of a game", found[1]), [*about, _ABOUT_TITLES]
        elif table in ("[words]", "[says]") and (found := _TYPED.fullmatch(line)):
            yield number, "pgettext", ("typed", found[2]), [_ABOUT_PATTERNS]
        about = re.findall(r"# Translators: (.+)", line)


def extract_words(file: IO[bytes], *_: Any, options: Any) -> Iterator[Found]:
    """Yield each word of a file with one word a line, and any comment, as a Babel extractor."""
    for number, line in enumerate(file.read().decode().splitlines(), start=1):
        word, *about = re.split(r" +# ", line)
        yield number, "pgettext", ("typed", word), [*about, _ABOUT_TYPED]
