"""The presets: matches with a name of their own, such as `pub`, as listed in `presets.toml`."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from shutbox.engine.typed_text import titles
from shutbox.match.format import Format


@dataclass(frozen=True, slots=True)
class Preset:
    """A named match, such as `pub`: a game and a format."""

    name: str
    title: str
    source: str  # the source of its rules, as lettered in docs/games.md
    differs: str  # the match in a few words, a template for gettext
    game: str  # the name of the game that is played
    format: Format
    also: str = ""  # another name that finds it, used in its source; empty if there is none
    lasts: str = ""  # a last sentence, such as how long it takes, a template for gettext; or empty
    seats: int = 2  # how many play if no number is given

    @property
    def shown_title(self) -> str:
        """The title in the language in use."""
        return titles(self.title)[0]


@cache
def presets() -> dict[str, Preset]:
    """Return every preset by its name, in the order in which they are listed.

    >>> presets()["pub"].game, presets()["pub"].format
    ('classic', Format.parse('rounds=1,shut=wins,stake=1'))
    """
    text = Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    return {
        name: Preset(name, **{**stanza, "format": Format.parse(stanza["format"])})
        for name, stanza in tomllib.loads(text).items()
    }


def preset_of(game: str, format: Format | str) -> Preset | None:
    """Return the preset with this game and `format.lasting`, or None.

    A preset for one round with a stake also has other stakes and more rounds. Raises BadFormat for
    a text that is no format.

    >>> preset_of("classic", Format.parse("shut=wins,begins=2,rounds=5,stake=2")).title
    'Pub Game'
    """
    format = Format.parse(str(format)).lasting
    for preset in presets().values():
        known, for_stake = format, preset.format.stake and format.stake
        if for_stake and preset.format.rounds == 1 and format.rounds:
            known = replace(format, rounds=1, stake=preset.format.stake)
        if preset.game == game and preset.format == known:
            return preset
    return None
