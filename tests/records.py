"""Plays and their records, for tests that write or read records."""

import functools
import random
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from coin import COIN, Coin, Place
from shutbox import Choose, Dice, Game, Over, Roll, Throw, find
from shutbox.engine.play import Chosen, Corrected, Event, Play, Prepared, Rolled, TookBack
from shutbox.engine.seats import Seat
from shutbox.record import Header, Reading, Source, read, to_bytes
from shutbox.record.folder import Journal
from shutbox.table import lookup

ANN, ROBO = Seat("Ann"), Seat("Robo", "fixed:7")
SYSTEM = Source()


class Passed(Coin):
    """The coin game for two: the second throw is the other player's."""

    name = "passed"

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        awaited = super().awaits(position)
        return Throw(COIN, seat=position.throws) if isinstance(awaited, Throw) else awaited


@functools.cache
def game_named(name: str) -> Game[Any, Any]:
    return Passed() if name == "passed" else find(name)


def game_of(header: Header) -> Game[Any, Any]:
    return lookup.game_of(header) if header.format else game_named(header.game)


def header(game: str = "classic", *players: Seat, dice: Source = SYSTEM, **more: str) -> Header:
    fields = {"program": "shutbox 0.1.0", "begun": "2026-11-21 12:00:05 UTC"} | more
    return Header(game=game, players=players or (ANN,), dice=dice, **fields)


def reading(data: bytes) -> Reading[Any, Any]:
    return read(BytesIO(data), game_of)


def a_roll(dice: Dice, chance: random.Random) -> Roll:
    return dice.read([chance.randint(1, sides) for sides in dice.sides])


def random_play(
    game: Game[Any, Any], seed: int, most_events: int = 60, *, start: Any = None
) -> Play[Any, Any]:
    """Return a play with both kinds of dice, choices taken back, and corrected dice."""
    chance = random.Random(seed)
    play = Play(game, start=start)
    while play.version < most_events:
        event: Event[Any]
        match game.awaits(play.position):
            case _ if play.last_chooser is not None and chance.random() < 0.2:
                event = TookBack()
            case _ if play.correctable is not None and chance.random() < 0.3:
                event = Corrected(a_roll(play.correctable.dice, chance))
            case Throw(dice=dice):
                event = Rolled(a_roll(dice, chance), typed=chance.random() < 0.5)
            case Choose(choices=choices):
                event = Chosen(chance.choice(choices))
            case _:
                break
        play.happen(event)
    return play


def positions(game: Game[Any, Any], plays: int = 3, most_events: int = 60) -> Iterator[Any]:
    """Yield the positions of some random plays."""
    for seed in range(plays):
        play = random_play(game, seed, most_events)
        yield from (*(step.before for step in play.steps), play.position)


def short_record() -> tuple[bytes, tuple[Event[Any], ...]]:
    """Return a record with each kind of event, and its events."""
    game = game_named("classic")
    play = Play(game, [Rolled(Roll((3, 5)))])
    for text in ("1 7", "back", "8"):
        taken = text == "back"
        play.happen(TookBack() if taken else Chosen(game.parse_choice(play.position, text)))
    play.happen(Rolled(Roll((1, 2)), typed=True))
    play.happen(Corrected(Roll((1, 3))))
    play.happen(Chosen(game.parse_choice(play.position, "1 3")))
    zoe = header("classic", Seat("Zo\xeb"), dice=Source("seed", "pub"))
    return to_bytes(zoe, game, play.log), play.log


def ends(data: bytes) -> list[int]:
    """Return the offset after the line feed of each line of a record."""
    return [place + 1 for place, byte in enumerate(data) if byte == ord("\n")]


def prepared(
    number: int, event: Event[Any], *, seat: int = 0, game: Game[Any, Any] | None = None
) -> Prepared[Any, Any]:
    """An event, of classic by default, that no play has prepared, so without positions."""
    return Prepared(game or game_named("classic"), number, seat, event, None, None)


def happen(play: Play[Any, Any], journal: Journal, event: Event[Any]) -> None:
    """Prepare an event, save it, and apply it."""
    act = play.prepare(event)
    journal.append(act)
    play.apply(act)
