"""The terminal's words about a play, computed by the library from its record alone.

If the record lacks something that was said, or has something twice, the lines differ.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from shutbox import Choose, Game
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import Chosen, Corrected, Event, Play, Rolled, TookBack, replay_log
from shutbox.match import Match
from shutbox.record import Reading


def _names(game: Game[Any, Any]) -> Sequence[str]:
    names: Sequence[str] = getattr(game, "players", ())
    return names


def opening(
    game: Game[Any, Any],
    log: tuple[Event[Any], ...] = (),
    *,
    resumed: bool = False,
    own: Collection[int] = (),
) -> list[str]:
    """Return the lines before the first event, or before a game continues after `log`.

    `own` is the seat of the only person.
    """
    narrator, title = Narrator(game, _names(game), own=own), game.card().title
    title = f"{title}: {game.reminder()}." if isinstance(game, Match) else f"{title}."
    first = title if resumed else f"{title} Type ? for help."
    if log:
        return [first, *narrator.resume(Play(game, log).position)]
    return [first, *narrator.begin()[1:]]


def heard(
    game: Game[Any, Any], log: tuple[Event[Any], ...], since: int = 0, own: Collection[int] = ()
) -> Iterator[list[str]]:
    """Yield the lines after each event from `since` on, for a program that began there.

    `own` is the seat of the only person. Events of which nothing is said are left out.
    """
    narrator = Narrator(game, _names(game), own=own)
    narrator.begin(Play(game, log[:since]).position)
    applied = list(replay_log(game, log))
    yield from (lines for one in applied[since:] if (lines := list(narrator.after(one))))


def answers(reading: Reading[Any, Any]) -> list[str]:
    """Return what people typed for the events of a record, in order.

    These are the words of an offer, `u`, or the dice of a real throw. Automatic throws and the
    choices of computer players are left out.
    """
    computers = {seat for seat, who in enumerate(reading.header.players) if who.computer}
    found: list[str] = []
    play = Play(reading.game)
    for event in reading.play.log:
        awaited, actor = play.game.awaits(play.position), play.actor(event)
        match event:
            case Chosen(choice=choice) if actor not in computers:
                assert isinstance(awaited, Choose)  # the event has happened
                offers = play.game.scene(play.position).offers
                found.append(offers[awaited.choices.index(choice)].says)
            case TookBack():
                found.append("u")
            case Rolled(roll=roll, typed=True) | Corrected(roll=roll):
                found.append(str(roll))
        play.happen(event)
    return found
