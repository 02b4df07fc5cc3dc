"""The tray in the catalogue."""

from collections.abc import Mapping

from shutbox.dice import Dice
from shutbox.english import shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.game_names import title_with, write_name
from shutbox.games.family import Entry
from shutbox.games.tray.game import Tray

_ENTRY = Entry("tray", "Dice Tray", "C")
_DICE = Dice.parse("2d6")


class Trays:
    """The family of one."""

    def entries(self) -> tuple[Entry, ...]:
        """The tray."""
        return (_ENTRY,)

    def find(self, name: str, options: Mapping[str, str]) -> Tray:
        """A tray that begins with other dice: `tray(dice=2d6+1d20)`."""
        problems = [
            f"{shown(key)} is not an option; it is dice" for key in options if key != "dice"
        ]
        dice = _DICE
        try:
            dice = Dice.parse(options.get("dice", str(_DICE)))
        except NotUnderstood as error:
            problems.append(f"dice: {error}")
        if problems:
            raise BadVariant(write_name(name, options), tuple(problems))
        differing = {} if dice == _DICE else {"dice": str(dice)}
        return Tray(write_name(name, differing), title_with(_ENTRY.title, differing), dice)
