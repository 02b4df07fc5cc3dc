"""The terminal's words about a play, computed by the library from its record alone.

If the record lacks something that was said, or has something twice, the lines differ.
"""

from collections.abc import Iterator
from typing import Any

from shutbox import Choose, Game
from shutbox.engine.play import Chosen, Corrected, Event, Play, Rolled, TookBack
from shutbox.engine.scene import Answer, Scene
from shutbox.record import Reading


class News:
    """The answers of a scene that are not quiet and were not the same in the scene before."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, scene: Scene) -> list[Answer]:
        known, self._known = self._known, {one.key: one.says for one in scene.answers}
        loud = [one for one in scene.answers if not one.quiet]
        return [one for one in loud if known.get(one.key) != one.says or (scene.left and one.brief)]


def opening(game: Game[Any, Any], log: tuple[Event[Any], ...] = ()) -> list[str]:
    """Return the lines before the first event, or before a game continues after `log`."""
    play = Play(game, log)
    scene = game.scene(play.position)
    board = [scene.board] if log and scene.board not in scene.says else []
    title = f"{game.card().title}. Type ? for help."
    news = News().of(scene)
    first = [
        answer.says for answer in news if log and answer.brief
    ]  # the line with whose turn it is
    rest = [answer.says for answer in news if not (log and answer.brief)]
    if log:
        return [title, *rest, *first, *board, *scene.says]
    return [title, *game.card().beware, *scene.says, *rest]


def heard(game: Game[Any, Any], log: tuple[Event[Any], ...], since: int = 0) -> Iterator[list[str]]:
    """Yield the lines after each event from `since` on, for a program that began there."""
    play, news = Play(game, log[:since]), News()
    news.of(game.scene(play.position))
    names = getattr(game, "players", ())
    for event in log[since:]:
        before, actor = play.position, play.actor(event)
        assert actor is not None  # the event has happened
        name = names[actor] if len(names) > 1 else ""
        play.happen(event)
        scene = game.scene(play.position)
        says = list(scene.says)
        if name and isinstance(event, Rolled) and scene.says_by:
            says[0] = f"{name}: {scene.says_by}"
        if isinstance(event, Chosen) and scene.says_by:
            del says[0]
        changed = [answer.says for answer in news.of(scene)]
        yield [*_done(game, before, event, name), *says, *changed]


def _done(game: Game[Any, Any], before: Any, event: Event[Any], name: str) -> list[str]:
    match event:
        case Chosen(choice=choice):
            awaited = game.awaits(before)
            assert isinstance(awaited, Choose)  # the event has happened
            offer = game.scene(before).offers[awaited.choices.index(choice)]
            return [f"{name}: {offer.done_by}" if name and offer.done_by else offer.done]
        case TookBack():
            return [f"{name} takes the choice back." if name else "The choice is taken back."]
        case Corrected():
            return [f"{name} corrects the dice." if name else "The dice are corrected."]
    return []


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
