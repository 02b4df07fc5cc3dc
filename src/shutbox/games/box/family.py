"""The boxes of the catalogue, and boxes from files of one's own."""

from pathlib import Path
from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import UnknownGame
from shutbox.game_names import write_name
from shutbox.games.box.game import Box
from shutbox.games.box.variant import Variant
from shutbox.games.box.variant_text import options, overridden
from shutbox.games.family import Stanzas
from shutbox.messages import gettext_noop

PLAIN = "two-dice"
"""The box of the catalogue whose rules are the defaults: boxes from files are named after it."""


def _group(source: str) -> str:
    """The group of the menu; boxes of source A come first."""
    boxes, more = gettext_noop("Boxes"), gettext_noop("More boxes")
    return boxes if source[:2] == "A " else more


BOXES = Stanzas(
    Path(__file__).with_name("variants.toml"), Variant(), overridden, options, Box, _group
)
"""The family of boxes."""


def box_from_file(path: Path, id: str = "") -> Box:
    """A box of a TOML file; `id` names the stanza where the file has several.

    The game keeps the title of its stanza, and its name says all its rules, so that whatever is
    written down about it can be read without the file. Raises UnknownGame and BadVariant.
    """
    stanzas = {stanza.id: stanza for stanza in BOXES.read_file(path)}
    if not id and len(stanzas) == 1:
        [id] = stanzas
    if id not in stanzas:
        facts: dict[str, Any] = {"file": path.name, "stanzas": listed(stanzas), "id": shown(id)}
        if id:
            raise UnknownGame("{id} is not in the file; {file} has {stanzas}", **facts)
        facts["first"] = next(iter(stanzas))
        raise UnknownGame("{file} has {stanzas}; say which, such as {file}#{first}", **facts)
    rules = stanzas[id].rules
    name = write_name(PLAIN, BOXES.differences(rules, BOXES.plain))
    return Box(name, stanzas[id].title, rules)
