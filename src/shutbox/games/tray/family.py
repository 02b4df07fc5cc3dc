"""The tray in the catalogue."""

from collections.abc import Mapping

from shutbox.dice import Dice
from shutbox.errors import BadVariant
from shutbox.game_names import title_with, write_name
from shutbox.games.family import Entry, OtherName, Picture
from shutbox.games.tray.game import Tray
from shutbox.messages import gettext_noop
from shutbox.options import read

_ENTRY = Entry(
    "tray",
    "Dice Tray",
    "C",
    gettext_noop("Dice tray"),
    gettext_noop("Dice alone: hold, throw, add"),
    Picture("d6-2.d6-6.d6-3"),
    (
        OtherName("Dices", "tray(dice=6d6)", gettext_noop("The talking console calls this Dices.")),
        OtherName("6 dice", "tray(dice=6d6)"),
    ),
)
_DICE = Dice.parse("2d6")


class Trays:
    """The family of one."""

    def entries(self) -> tuple[Entry, ...]:
        """The tray."""
        return (_ENTRY,)

    def find(self, name: str, options: Mapping[str, str]) -> Tray:
        """A tray that begins with other dice: `tray(dice=2d6+1d20)`."""
        unknown = gettext_noop("{key} is not an option; it is {keys}")
        values, problems = read(options, {"dice": Dice.parse}, unknown)
        if problems:
            raise BadVariant(write_name(name, options), tuple(problems))
        dice = values.get("dice", _DICE)
        differing = {} if dice == _DICE else {"dice": str(dice)}
        return Tray(write_name(name, differing), title_with(_ENTRY.title, differing), dice)
