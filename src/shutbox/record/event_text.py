"""Events in words: a verb and its object.

Records in text and in JSON write an event with the same two words, such as `throws` and `3+5`. The
game defines the text of a choice; everything else is the same in every game.
"""

import re
from dataclasses import dataclass
from typing import Any

from shutbox.dice import Roll
from shutbox.english import Word, listed, shown
from shutbox.errors import BadRecord
from shutbox.game import C, Game, P, Throw
from shutbox.messages import gettext
from shutbox.play import Chosen, Corrected, Event, Rolled, TookBack
from shutbox.record.checked_lines import checked

_PIPS = re.compile(r"[1-9][0-9]{0,2}(\+[1-9][0-9]{0,2})*( of [0-9d+]{3,100})?")

BACK = "back"  # the word after `takes`
UNSEALED = "dice system"  # the line after which the dice of a sealed game are not sealed


class EventVerb(Word):
    """The verbs of events in a record."""

    THROWS = "throws"  # a roll of the program's dice: `throws 3+5`
    READS = "reads"  # a roll that a person threw and typed in: `reads 3+5`
    CHOOSES = "chooses"  # a choice, in the game's own text: `chooses 1 7`
    TAKES = "takes"  # the last choice is taken back: `takes back`
    CORRECTS = "corrects to"  # the right roll, after a wrong one was typed in: `corrects to 3+6`

    @property
    def key(self) -> str:
        """The verb in one word, which is its key in JSON."""
        return self.value.partition(" ")[0]


VERBS: dict[str, EventVerb] = {verb.key: verb for verb in EventVerb}  # the verbs by their keys


@dataclass(frozen=True, slots=True)
class EventText:
    """An event in words, unchecked against the rules. Raises BadRecord if no line can hold it.

    >>> str(EventText(EventVerb.CORRECTS, "3+6"))
    'corrects to 3+6'
    """

    verb: EventVerb
    what: str

    def __post_init__(self) -> None:
        checked(gettext("what is said after {verb}", verb=repr(self.verb.value)), self.what)
        if self.verb is EventVerb.TAKES:
            if self.what != BACK:
                what = shown(self.what)
                raise BadRecord("nobody takes {what}; takes {back}", what=what, back=repr(BACK))
        elif self.verb is not EventVerb.CHOOSES and not _PIPS.fullmatch(self.what):
            raise BadRecord("{text} is no roll; a record writes one as 3+5", text=shown(self.what))

    def __str__(self) -> str:
        return f"{self.verb.value} {self.what}"


def read_event_text(text: str) -> EventText:
    """Read an event in words, such as `throws 3+5`. Raises BadRecord for any other text."""
    verb = VERBS.get(text.partition(" ")[0])
    if verb is None or not text.startswith(f"{verb.value} "):
        verbs = (verb.value for verb in EventVerb)
        facts = {"text": shown(text), "verbs": listed(verbs, "or")}
        raise BadRecord("{text} says nothing that happens; {verbs} is wanted", **facts)
    return EventText(verb, text[len(verb.value) + 1 :])


def event_text_of(game: Game[Any, Any], event: Event[Any], before: Any = None) -> EventText:
    """Return an event of a game in words. Raises BadRecord if a line cannot hold them.

    `before` is the position before the event, for a record of sealed dice: there a throw says
    which dice fell unless all have six sides, so that it can be checked without the rules.
    """
    match event:
        case Rolled(roll=roll, typed=typed):
            of = "" if before is None else _of(game.awaits(before))
            return EventText(EventVerb.READS if typed else EventVerb.THROWS, f"{roll}{of}")
        case Chosen(choice=choice):
            return EventText(EventVerb.CHOOSES, game.choice_text(choice))
        case TookBack():
            return EventText(EventVerb.TAKES, BACK)
        case Corrected(roll=roll):
            return EventText(EventVerb.CORRECTS, str(roll))


def _of(awaited: object) -> str:
    """Return text such as ` of 2d8` if a throw is awaited and not all its dice have six sides."""
    six = not isinstance(awaited, Throw) or {*awaited.dice.sides} == {6}
    return "" if six or not isinstance(awaited, Throw) else f" of {awaited.dice}"


def event_of(game: Game[P, C], position: P, parsed: EventText, *, sealed: bool = False) -> Event[C]:
    """Return the event that the words mean at a position, not checked against the rules.

    `sealed` says whether the record has sealed dice.

    Raises BadRecord for a choice that is not written as the game itself writes it, and what
    `parse_choice` raises for a text that is no choice there.
    """
    match parsed.verb:
        case EventVerb.TAKES:
            return TookBack()
        case EventVerb.CHOOSES:
            choice = game.parse_choice(position, parsed.what)
            if (text := game.choice_text(choice)) != parsed.what:
                facts = {"choice": shown(parsed.what), "right": shown(text)}
                raise BadRecord("a record writes the choice {choice} as {right}", **facts)
            return Chosen(choice)
    pips, of, dice = parsed.what.partition(" of ")
    if of + dice != (_of(game.awaits(position)) if sealed else ""):
        raise BadRecord("{text} does not name the dice that are due", text=shown(parsed.what))
    if sealed and parsed.verb is not EventVerb.THROWS:
        raise BadRecord("sealed dice are not typed in")
    roll = Roll(tuple(map(int, pips.split("+"))))
    if parsed.verb is EventVerb.CORRECTS:
        return Corrected(roll)
    return Rolled(roll, typed=parsed.verb is EventVerb.READS)
