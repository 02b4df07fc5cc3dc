"""The boxes of the catalogue, and boxes from files of one's own."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import UnknownGame
from shutbox.game_names import title_with, write_name
from shutbox.games.box.game import Box
from shutbox.games.box.variant import Variant
from shutbox.games.box.variant_text import Stanza, differences, overridden, read_file
from shutbox.games.family import Entry, OtherName, Picture
from shutbox.messages import gettext_noop

PLAIN = "two-dice"
"""The box of the catalogue whose rules are the defaults: boxes from files are named after it."""


@cache
def _catalogue() -> dict[str, Stanza]:
    return {stanza.id: stanza for stanza in read_file(Path(__file__).with_name("variants.toml"))}


class Boxes:
    """The family of boxes."""

    def entries(self) -> tuple[Entry, ...]:
        """The stanzas of variants.toml, in its order."""
        return tuple(map(_entry, _catalogue().values()))

    def find(self, name: str, options: Mapping[str, str]) -> Box:
        """A box of the catalogue, with some rules replaced."""
        stanza = _catalogue()[name]
        if not options:
            return Box(name, stanza.title, stanza.variant)
        variant = overridden(stanza.variant, options, write_name(name, options))
        changes = differences(variant, stanza.variant)  # what really differs
        return Box(write_name(name, changes), title_with(stanza.title, changes), variant)


def _entry(stanza: Stanza) -> Entry:
    """Return the stanza as the catalogue lists it; boxes of source A come first in a menu."""
    words = stanza.words
    boxes, more = gettext_noop("Boxes"), gettext_noop("More boxes")
    group = boxes if words["source"][:2] == "A " else more
    picture = None
    if words["picture"]:
        picture = Picture(words["picture"], words["marked"], words["badge"])
    also = [title.strip() for title in words["also"].split(",") if title.strip()]
    others = tuple(OtherName(title, stanza.id, words["console"]) for title in also)
    return Entry(stanza.id, stanza.title, words["source"], group, words["differs"], picture, others)


def box_from_file(path: Path, id: str = "") -> Box:
    """A box of a TOML file; `id` names the stanza where the file has several.

    The game keeps the title of its stanza, and its name says all its rules, so that whatever is
    written down about it can be read without the file. Raises UnknownGame and BadVariant.
    """
    stanzas = {stanza.id: stanza for stanza in read_file(path)}
    if not id and len(stanzas) == 1:
        [id] = stanzas
    if id not in stanzas:
        facts: dict[str, Any] = {"file": path.name, "stanzas": listed(stanzas), "id": shown(id)}
        if id:
            raise UnknownGame("{id} is not in the file; {file} has {stanzas}", **facts)
        facts["first"] = next(iter(stanzas))
        raise UnknownGame("{file} has {stanzas}; say which, such as {file}#{first}", **facts)
    variant = stanzas[id].variant
    return Box(write_name(PLAIN, differences(variant, Variant())), stanzas[id].title, variant)
