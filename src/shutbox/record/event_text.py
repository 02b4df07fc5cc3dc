"""An event in words: a verb, and what follows it.

Records in text and in JSON say an event with the same two words, `throws` and `3+5`. What a choice
is called is the game's to say; everything else is the same in every game.
"""

import re
from dataclasses import dataclass
from typing import Any

from shutbox.dice import Roll
from shutbox.english import Word, listed, shown
from shutbox.errors import BadRecord
from shutbox.game import C, Game, P
from shutbox.messages import gettext
from shutbox.play import Chosen, Corrected, Event, Rolled, TookBack
from shutbox.record.checked_lines import checked

_PIPS = re.compile(r"[1-9][0-9]{0,2}(\+[1-9][0-9]{0,2})*")

BACK = "back"
"""What is said of a choice taken back."""


class Verb(Word):
    """What can happen, as a record says it."""

    THROWS = "throws"
    """Dice fell: `throws 3+5`."""
    READS = "reads"
    """A person threw, and typed in what fell: `reads 3+5`."""
    CHOOSES = "chooses"
    """A choice, in the game's own text: `chooses 1 7`."""
    TAKES = "takes"
    """The last choice is taken back: `takes back`."""
    CORRECTS = "corrects to"
    """What was typed in was wrong, and this is what fell: `corrects to 3+6`."""

    @property
    def key(self) -> str:
        """The verb in one word, as JSON has it."""
        return self.value.partition(" ")[0]


VERBS: dict[str, Verb] = {verb.key: verb for verb in Verb}
"""The verbs by their one word."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An event in words; whether the rules allow it is not known here.

    >>> str(Deed(Verb.CORRECTS, "3+6"))
    'corrects to 3+6'
    """

    verb: Verb
    what: str

    def __post_init__(self) -> None:
        checked(gettext("what is said after {verb}", verb=repr(self.verb.value)), self.what)
        match self.verb:
            case Verb.TAKES if self.what != BACK:
                raise BadRecord(
                    gettext(
                        "nobody takes {what}; takes {back}", what=shown(self.what), back=repr(BACK)
                    )
                )
            case Verb.THROWS | Verb.READS | Verb.CORRECTS if not _PIPS.fullmatch(self.what):
                raise BadRecord(
                    gettext("{text} is no roll; a record writes one as 3+5", text=shown(self.what))
                )

    def __str__(self) -> str:
        return f"{self.verb.value} {self.what}"


def read_deed(text: str) -> Deed:
    """The deed of a text.

    >>> read_deed("takes back")
    Deed(verb=Verb.TAKES, what='back')

    Raises BadRecord.
    """
    verb = VERBS.get(text.partition(" ")[0])
    if verb is None or not text.startswith(f"{verb.value} "):
        verbs = listed((verb.value for verb in Verb), "or")
        raise BadRecord(
            gettext(
                "{text} says nothing that happens; {verbs} is wanted", text=shown(text), verbs=verbs
            )
        )
    return Deed(verb, text[len(verb.value) + 1 :])


def deed_of(game: Game[Any, Any], event: Event[Any]) -> Deed:
    """An event of a game, in words. Raises BadRecord if they cannot stand in a line."""
    match event:
        case Rolled(roll=roll, typed=typed):
            return Deed(Verb.READS if typed else Verb.THROWS, str(roll))
        case Chosen(choice=choice):
            return Deed(Verb.CHOOSES, game.choice_text(choice))
        case TookBack():
            return Deed(Verb.TAKES, BACK)
        case Corrected(roll=roll):
            return Deed(Verb.CORRECTS, str(roll))


def event_of(game: Game[P, C], position: P, deed: Deed) -> Event[C]:
    """The event that the words mean where the game stands.

    Raises BadRecord for a choice that is not written as the game itself writes it, and whatever
    the game says to a text that is no choice there.
    """
    match deed.verb:
        case Verb.TAKES:
            return TookBack()
        case Verb.CHOOSES:
            choice = game.parse_choice(position, deed.what)
            text = game.choice_text(choice)
            if text != deed.what:
                raise BadRecord(
                    gettext(
                        "a record writes the choice {choice} as {right}",
                        choice=shown(deed.what),
                        right=shown(text),
                    )
                )
            return Chosen(choice)
    roll = Roll(tuple(map(int, deed.what.split("+"))))
    if deed.verb is Verb.CORRECTS:
        return Corrected(roll)
    return Rolled(roll, typed=deed.verb is Verb.READS)
