"""Matches that have a name: a game by its name, and a format. They are data, in presets.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shutbox.match.format import Format


@dataclass(frozen=True, slots=True)
class Preset:
    """One of them."""

    name: str
    title: str
    source: str  # where its rules are from, in the letters of docs/games.md
    differs: str  # what it is in a few words, a template for gettext
    game: str  # the name of the game that is played
    format: Format
    also: str = ""  # what its source calls it


@cache
def presets() -> dict[str, Preset]:
    """Every preset by its name, in the order in which they are listed.

    >>> presets()["pub"].game, presets()["pub"].format
    ('classic', Format.parse('rounds=1,shut=wins,stake=1'))
    """
    text = Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    return {
        name: Preset(name, **{**stanza, "format": Format.parse(stanza["format"])})
        for name, stanza in tomllib.loads(text).items()
    }


def title_of(game: str, format: Format) -> str:
    """The title of the preset that a game under a format is; empty if it is none.

    Who throws first and what the purses hold do not matter, since a rematch changes them.

    >>> title_of("classic", Format.parse("shut=wins,begins=2,stake=1,purse=19.21"))
    'Pub Game'
    """
    found = (preset for preset in presets().values() if preset.game == game)
    return next((preset.title for preset in found if preset.format == format.lasting), "")
