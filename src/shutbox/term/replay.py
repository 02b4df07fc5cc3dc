"""A record watched again: event by event, in the words that were said when it was played."""

import re
from collections.abc import Callable, Sequence
from itertools import chain

from shutbox.english import shown
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Piece
from shutbox.term.console import Console, Stopped

HELP = gettext_noop(
    "Enter goes on, b goes back, a number goes there, all goes to the end, end stops."
)


def watch(
    steps: Sequence[tuple[str, ...]],
    console: Console,
    pieces: Callable[[int], Sequence[Piece]] = lambda number: (),
) -> None:
    """Tell a play from its start, one event at a time where somebody is there to press Enter.

    `steps` are what is said at the start, and then after each event; `pieces` are what lies there
    after so many events, for the picture.
    """
    if not console.interactive:
        console.say(*chain.from_iterable(steps))
        return
    at, last = 0, len(steps) - 1

    def tell() -> None:
        console.say(*steps[at])
        console.draw(pieces(at))

    console.say(gettext(HELP))
    tell()
    while True:
        try:
            answer = console.answer(gettext("Event {at} of {last}:", at=at, last=last)).lower()
        except Stopped:
            console.say(gettext("The replay ends here."))
            return
        match answer:
            case "" if at == last:
                console.say(gettext("That was the last event."))
            case "b" if at == 0:
                console.say(gettext("That is the start."))
            case "" | "b":
                at += -1 if answer else 1
                tell()
            case "all":
                console.say(*chain.from_iterable(steps[at + 1 :]))
                at = last
            case "?" | "help":
                console.say(gettext(HELP))
            case _ if re.fullmatch("[0-9]{1,9}", answer) and int(answer) <= last:
                at = int(answer)
                tell()
            case _:
                facts = {"text": shown(answer), "last": last}
                console.say(gettext("{text} is not understood; events are 0 to {last}.", **facts))
