"""The words of `terms.toml` as compiled patterns, with those of the language in use beside them."""

import re
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from shutbox.engine.messages import cached, pgettext
from shutbox.engine.typed_text import NUMBER_WORDS, own_words
from shutbox.match.format import ATOMS


@cache
def vocabulary() -> dict[str, Any]:
    """Return the tables of `terms.toml`; its two lists of words as sets."""
    words = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
    return words | {key: {*words[key].split()} for key in ("no_names", "alone")}


@cached
def no_names() -> frozenset[str]:
    """Return the words that are in names only between commas, also those of the language in use."""
    known = vocabulary()
    patterns = (*known["words"].values(), *known["says"].values())
    own = " ".join(own for text in patterns if (own := pgettext("typed", text)) != text)
    words = re.findall(r"[^\W\d_]+", own)
    return frozenset((*known["no_names"], *words, *own_words(), *NUMBER_WORDS, *ATOMS))


@cached
def numbers() -> dict[str, int]:
    """Return the numbers by the words for them, in English and in the language in use."""
    known = {*NUMBER_WORDS, *own_words()}
    return {
        word: number for word in known if (number := NUMBER_WORDS.get(own_words().get(word, word)))
    }


@cached
def pattern(text: str) -> "re.Pattern[str]":
    """Compile a pattern as `terms.toml` writes them, such as `{n} rounds?`."""
    whole = _in_use(text)
    for key, words in vocabulary()["words"].items():
        whole = whole.replace(f"{{{key}}}", f"(?:{_in_use(words)})")
    number = f"(-?[0-9]+|an?|{'|'.join(sorted(numbers(), key=len, reverse=True))})"
    whole = whole.replace("{n} ", rf"{number}[\s-]*").replace("{n}", number)
    return re.compile(whole.replace(" ", r"(?:\s+|(?<=\w)-)"), re.IGNORECASE | re.ASCII)


def _in_use(text: str) -> str:
    """Return a pattern, and beside it those of the language in use, which have commas between."""
    own = pgettext("typed", text)
    with suppress(re.error):  # of a translation that is no pattern
        alternatives = re.sub(r"\s*,\s*", "|", own)
        re.compile(alternatives)
        return text if own == text else f"{text}|{alternatives}"
    return text
