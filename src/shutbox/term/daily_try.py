"""The one try at the box of a day: which days the user has played, and how a try went."""

from collections.abc import Sequence
from typing import Any

from shutbox.engine.errors import UnknownGame
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.play import Event
from shutbox.record import Header, Reading, to_bytes
from shutbox.record.folder import Store, Which
from shutbox.solving.known_dice import exact_play
from shutbox.table import today
from shutbox.table.lookup import AnyGame, game_of
from shutbox.term.console import Console

AnyReading = Reading[Any, Any]


def tries() -> dict[str, tuple[Which, AnyReading]]:
    """Return, by date, the record number and content of the user's latest try, finished or not.

    Raises NotKept for a user without a home, and UnknownRecord for an unreadable folder.
    """

    def game_of_day(header: Header) -> AnyGame:
        if header.dice.kind != "date":
            raise UnknownGame("this is not the box of a day")  # its events are not read
        return game_of(header)

    readings = Store().each(Store().ids(), game_of_day)
    return {each.header.dice.day: (id, each) for id, each in readings if isinstance(each, Reading)}


def say_try(console: Console, header: Header, game: AnyGame, log: Sequence[Event[Any]]) -> None:
    """Say the result of a try at the box of a day that is over, and print the line to paste.

    Raises as `tries`.
    """
    box = today.day_by_date(header.dice.day)
    finish, moves = today.finish_of(to_bytes(header, game, log))
    perfect = exact_play(game, box.rolls)
    played = [day for day, (_, reading) in tries().items() if reading.over is not None]
    streak = today.streak_of([*played, box.day], box.day).days
    number, skills = today.box_number(box.day), today.skills_of(moves)
    paste, spoken = today.share_texts(number, finish.score, skills, by_date=True)
    console.say(
        gettext("Perfect play with the same dice: {score}.", score=perfect.score),
        *[ngettext("{number} day in a row.", "{number} days in a row.", streak)] * (streak > 1),
        spoken,
    )
    console.say(*paste.splitlines(), aloud=False)
