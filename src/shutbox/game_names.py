"""The notation of game names: `classic`, `classic(fewer=must-top,dice=3d4)`.

A name and its overrides, and nothing about what they mean: each family of games reads its own.
"""

import re
from collections.abc import Mapping

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.messages import gettext, gettext_noop
from shutbox.options import split
from shutbox.typed_text import NUMBER_WORDS

LONGEST = 2000  # characters of a game name with its overrides

_WORDS = re.compile("|".join(["^the", "and", *sorted(NUMBER_WORDS, key=len, reverse=True)]))
"""What `plain_title` reads otherwise. Longer words come first: seventeen begins with seven."""
_NAME = re.compile(r"\s*([a-z0-9][a-z0-9-]{0,39})\s*(?:\((.*)\))?\s*", re.IGNORECASE)


def parse_name(text: str) -> tuple[str, dict[str, str]]:
    """The base name and the overrides, in lower case, as written.

    >>> parse_name("classic(fewer=must-top, dice=3d4)")
    ('classic', {'fewer': 'must-top', 'dice': '3d4'})

    Raises NotUnderstood for text of another form and for a key given twice.
    """
    match = _NAME.fullmatch(text) if len(text) <= LONGEST else None
    if match is None or not text.isascii():
        raise NotUnderstood(
            "{text} is not the name of a game; "
            "write a name such as classic, or classic(fewer=must-top)",
            text=shown(text),
        )
    options, problems = split(
        match[2] or "",
        gettext_noop("{part} is not an override; write key=value"),
        gettext_noop("{key} is overridden twice in {name}"),
        name=shown(text),
    )
    if problems:
        raise NotUnderstood(problems[0])
    return match[1].lower(), options


def write_name(base: str, options: Mapping[str, str]) -> str:
    """The name that `parse_name` reads back.

    >>> write_name("classic", {"fewer": "must-top"})
    'classic(fewer=must-top)'
    """
    overrides = ",".join(f"{key}={value}" for key, value in options.items())
    return f"{base}({overrides})" if options else base


def plain_title(title: str) -> str:
    """Return a title or a name as it is compared: letters and digits, in lower case.

    Numbers are digits. The first "the", and every "and", is left out.

    >>> plain_title("Ship, Captain and Crew") == plain_title("ship-captain-crew")
    True
    >>> plain_title("The Lucky Seven"), plain_title("2 To Go")
    ('lucky7', '2togo')
    """
    plain = "".join(sign for sign in title.casefold() if sign.isalnum())
    return _WORDS.sub(lambda word: str(NUMBER_WORDS.get(word[0], "")), plain)


def with_name(text: str, names: Mapping[str, str]) -> str:
    """The text with a name where it has a title; what is in brackets stays as it is.

    `names` are the names by their plain titles.

    >>> with_name("Thai Style (fewer=may-top)", {"thaistyle": "thai-style"})
    'thai-style(fewer=may-top)'
    """
    title, bracket, options = text.partition("(")
    name = names.get(plain_title(title)) if len(text) <= LONGEST else None
    return text if name is None else f"{name}{bracket}{options}"


def title_with(title: str, options: Mapping[str, str]) -> str:
    """The title of a game with overrides, such as `Classic with fewer must-top`."""
    changes = ", ".join(f"{key} {value}" for key, value in options.items())
    return gettext("{title} with {changes}", title=title, changes=changes) if options else title
