"""Names of players that cannot be confused.

A name is spoken, shown in a column and stored in a record, so it is cleaned first. Two names are
compared by how they look: in lower and upper case, without accents, spaces and punctuation, each
letter as the Latin one it resembles.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise
from unicodedata import category, combining, normalize

from shutbox.engine.english import BLANKS, EMOJI, listed, replace_hidden, shown
from shutbox.engine.messages import gettext

LONGEST_NAME = 24  # letters, as `letters_in` counts them
MOST_CHARACTERS = 8 * LONGEST_NAME  # a family of emoji has seven

# Patterns are compiled at first use, so that a game starts faster. A line end within a name is a
# fault; at its ends it is dropped, with the invisible characters that programs leave around a text
# that is copied.
_SPACES = r"[^\S\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+"  # without line ends
_SELECTORS = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"  # phones add them to emoji
_AROUND = " \t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029"
_AROUND += "\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff" + BLANKS
_JOINED = f"{EMOJI}(?:[\U0001f3fb-\U0001f3ff\U000e0030-\U000e007f]|\u200d{EMOJI})*"
# What counts as one letter: a flag, or an emoji with skin, hair or a family.
_ONE_LETTER = f"[\U0001f1e6-\U0001f1ff]{{2}}|{_JOINED}"
_ALPHABETS = {"ARMENIAN", "CHEROKEE", "CYRILLIC", "GREEK", "LATIN"}  # they share letter shapes
_PAIRS = (  # a character, then the Latin letter that it looks like
    # Latin letters and digits, and apostrophes that count among the letters.
    "0o,1l,Il,Oo,il,|l,\xd8o,\xf8o,\u0110D,\u0111d,\u0126H,\u0127h,\u0131l,\u0141L,\u0142l,"
    "\u0251a,\u0261g,\u02b9',\u02bb',\u02bc',\u02bd',\u02be',\u02bf',\u02c8',"
    # Greek capitals and small letters, in the order of the alphabet.
    "\u0391A,\u0392B,\u0395E,\u0396Z,\u0397H,\u0399l,\u039aK,\u039cM,\u039dN,\u039fo,\u03a1P,"
    "\u03a4T,\u03a5Y,\u03a7X,\u03b1a,\u03b3y,\u03b5e,\u03b7n,\u03b9l,\u03bak,\u03bdv,\u03bfo,"
    "\u03c1p,\u03c5u,\u03c7x,\u03c9w,\u03f3j,"
    # Cyrillic capitals and small letters, then those of fewer languages.
    "\u0410A,\u0412B,\u0415E,\u041aK,\u041cM,\u041dH,\u041eo,\u0420P,\u0421C,\u0422T,\u0423Y,"
    "\u0425X,\u0430a,\u0435e,\u043ak,\u043eo,\u0440p,\u0441c,\u0443y,\u0445x,\u044cb,\u0405S,"
    "\u0406l,\u0408J,\u0455s,\u0456l,\u0458j,\u0475v,\u04afy,\u04bbh,\u04c0l,\u04cfl,\u0501d,"
    "\u051bq,\u051dw"
)
_LOOKS_LIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split(",")}


def clean_name(text: str) -> str:
    """Return a text in the form of a clean name (see `read_name`), even if it is not valid."""
    plain = re.sub(_SPACES, " ", re.sub(_SELECTORS, "", text))
    name = plain.strip(_AROUND)
    if name.endswith("\u0d4d") and f"{name}\u200d" in plain:
        name += "\u200d"  # the final consonant of many Malayalam names
    # Normalizing a long run of combining marks takes very long, and such a name is refused anyway.
    return normalize("NFC", name) if len(name) <= MOST_CHARACTERS else name


def letters_in(name: str) -> int:
    """Return how many letters people count in a name: an emoji of several parts is one.

    >>> letters_in("Zoe\u0308"), letters_in("\U0001f468\u200d\U0001f469\u200d\U0001f467")
    (3, 1)
    """
    return sum(category(sign)[0] not in "MC" for sign in re.sub(_ONE_LETTER, "-", name))


def look_alikes(name: str) -> set[str]:
    """Return the forms by which a name is compared: two names look alike if they share one.

    There are up to three, as is and in lower and upper case: `I` is like `l`, but `i` is not.
    """
    # Class 8 is the voicing of Japanese syllables. Vowel signs, of class 0, are kept too.
    parts = (c for c in normalize("NFKD", name) if combining(c) in (0, 8) and category(c) != "Me")
    bare = "".join(parts)
    cases = bare, bare.casefold(), bare.upper()
    return {"".join(filter(_counts, case.translate(_LOOKS_LIKE))) for case in cases}


def are_alike(name: str, other: str) -> bool:
    """Whether two names look alike."""
    return not look_alikes(name).isdisjoint(look_alikes(other))


def _counts(sign: str) -> bool:
    """Whether two names can differ in a sign: a letter, mark, number or emoji, or a flag's tag."""
    return category(sign)[0] in "LMN" or category(sign) == "So" or sign > "\U000e0000"


def free_names(wanted: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Yield those of the `wanted` names, which can be endless, that look like none of `names`."""
    taken = set().union(*(look_alikes(name) for name in names if len(name) <= MOST_CHARACTERS))
    return (name for name in wanted if taken.isdisjoint(look_alikes(name)))


def name_faults(name: str) -> Iterator[str]:
    """Yield a sentence for each reason why a name is not valid as it is; none if it is."""
    if name and not replace_hidden(name[:MOST_CHARACTERS], lambda _: "").strip():
        yield gettext("a name has at least one letter, digit or emoji")
        return
    letters = letters_in(name)
    start = shown(name, LONGEST_NAME)
    if letters > LONGEST_NAME or not name:
        facts = {"most": LONGEST_NAME, "number": letters, "name": start}
        yield gettext("a name has 1 to {most} letters, not {number}: {name}", **facts)
    elif len(name) > MOST_CHARACTERS:
        facts = {"most": MOST_CHARACTERS, "number": len(name), "name": start}
        yield gettext(
            "a name has at most {most} characters with all its accents, not {number}: {name}",
            **facts,
        )
    if not 1 <= len(name) <= MOST_CHARACTERS:
        return
    visible = replace_hidden(name, lambda _: "")
    quoted = shown(visible)
    if visible != name:
        yield gettext("a name has no invisible characters; type {name} by hand", name=quoted)
    if not _has_letter(name):
        yield gettext("a name has at least one letter, digit or emoji, unlike {name}", name=quoted)
    if _has_stray_mark(name):
        yield gettext(
            "a letter has at most two marks, and every mark a letter: {name}", name=quoted
        )
    if re.search(r'[,=:#"\\]', name):
        yield gettext(
            'a name cannot have , = : # " and \\, which have a meaning: {name}', name=quoted
        )
    if len(alphabets := _alphabets(name)) > 1:
        facts = {"alphabets": listed(sorted(map(str.capitalize, alphabets))), "name": quoted}
        yield gettext("a name is of one alphabet, not of {alphabets}: {name}", **facts)
    if (cleaned := clean_name(name)) != name:
        facts = {"name": ascii(name), "clean": shown(cleaned)}  # else both can look the same
        yield gettext("{name} is not written as a name is; write {clean}", **facts)


def _has_letter(name: str) -> bool:
    """Whether a name has a letter, digit or emoji; modifier letters such as \u02b0 do not do."""
    if any(category(sign) == "So" for sign in "".join(re.findall(EMOJI, name))):
        return True
    return any(sign.isalnum() and category(sign) != "Lm" for sign in name)


def _has_stray_mark(name: str) -> bool:
    """Whether a mark has no letter before it, or is the third in a row.

    Spacing marks do not pile up, and some Indian and Burmese syllables have several of them.
    """
    kinds = ["Zs", *(category(sign) for sign in normalize("NFD", name))]
    if any(before == "Zs" and kind[0] == "M" for before, kind in pairwise(kinds)):
        return True
    threes = zip(kinds, kinds[1:], kinds[2:], strict=False)
    return any({*three} <= {"Mn", "Me"} for three in threes)


def _alphabets(name: str) -> set[str]:
    """Return those of _ALPHABETS that the letters of a name are of."""
    letters = (part for sign in name if sign.isalpha() for part in normalize("NFKD", sign))
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in letters} & _ALPHABETS


def default_name(seat: int) -> str:
    """Return the name of a player without one in this seat, from 0: `Player 1`; not translated."""
    return f"Player {seat + 1}"


def default_names(number: int) -> list[str]:
    """Return `number` names for players without one, from Player 1 on, never translated."""
    return [default_name(seat) for seat in range(number)]


def is_chosen_name(name: str, seat: int) -> bool:
    """Whether a name says who plays: not `Player`, nor the `default_name` of the seat."""
    return name not in ("Player", default_name(seat))
