"""The games of Cargo in the catalogue."""

from collections.abc import Mapping
from dataclasses import replace

from shutbox.dice import Dice
from shutbox.errors import BadVariant
from shutbox.game_names import title_with, write_name
from shutbox.games.cargo.game import Cargo
from shutbox.games.cargo.rules import READERS, CargoRules
from shutbox.games.family import Entry, OtherName, Picture
from shutbox.messages import gettext_noop
from shutbox.options import read

_GROUP = gettext_noop("Cargo")
_ON_THE_CONSOLE = gettext_noop(
    "On the talking console, too, each roll waits for a key and F4 accepts."
)
_GAMES = {
    "cargo": (
        Entry(
            "cargo",
            "Cargo",
            "C",
            _GROUP,
            gettext_noop("Ship, captain, crew, then cargo"),
            Picture("-/0/1+2+4+5+6+6"),
            (OtherName("Cargo", "cargo", _ON_THE_CONSOLE),),
        ),
        CargoRules(),
    ),
    "ship-captain-crew": (
        Entry(
            "ship-captain-crew",
            "Ship, Captain, Crew",
            "tradition",
            _GROUP,
            gettext_noop("Five dice, three throws"),
            Picture("6/0/2+2+5+6"),
        ),
        CargoRules(dice=Dice.parse("5d6"), rolls=3),
    ),
}


class Cargoes:
    """The family of Cargo."""

    def entries(self) -> tuple[Entry, ...]:
        """Cargo and its traditional form."""
        return tuple(entry for entry, _ in _GAMES.values())

    def find(self, name: str, options: Mapping[str, str]) -> Cargo:
        """One of them, with some rules replaced."""
        entry, base = _GAMES[name]
        unknown = gettext_noop("{key} is not a rule of Cargo; the rules are {keys}")
        values, problems = read(options, READERS, unknown)
        try:
            rules = replace(base, **values)
        except BadVariant as error:
            problems += error.problems
        if problems:
            raise BadVariant(write_name(name, options), tuple(problems))
        differing = {k: v for k, v in rules.options.items() if v != base.options[k]}
        return Cargo(write_name(name, differing), title_with(entry.title, differing), rules)
