"""A play as it is told: what is said at the start, and then after each event.

Whoever watches a play hears the same, in a terminal, on a page, or years later from a record.
"""

from collections.abc import Iterator, Sequence
from typing import Generic

from shutbox.game import C, Choose, Game, P
from shutbox.play import Chosen, Corrected, Event, Play, Rolled, TookBack
from shutbox.scene import Scene
from shutbox.telling import News

_SAY_WHO = ("threw", "buys", "sits", "leaves")
"""After a player's name, what a match says of him; a box speaks of tiles, and `1` may be both."""


class Narrator(Generic[P, C]):
    """Tells one play of `game` by these players, event after event.

    >>> from shutbox import Roll, Rolled, find
    >>> narrator = Narrator(find("classic"), ["Ann"])
    >>> narrator.begin()
    ('Classic.', '1 to 9 are up.')
    >>> classic = find("classic")
    >>> before = classic.start()
    >>> narrator.after(before, Rolled(Roll((1, 2))), 0, classic.rolled(before, Roll((1, 2))))
    ('Threw 1 and 2, 3 in all.',)
    """

    def __init__(
        self, game: Game[P, C], players: Sequence[str], *, names_throws: bool = False
    ) -> None:
        """`names_throws`: of several players it is told who threw, for those who do not see it."""
        self.game = game
        self.players = tuple(players)
        self._names_throws = names_throws and len(self.players) > 1
        self._news = News()

    def begin(self) -> tuple[str, ...]:
        """What is said at the start."""
        return (f"{self.game.card().title}.", *self._stands(self.game.start(), None))

    def after(
        self,
        before: P,
        event: Event[C],
        seat: int,
        after: P,
        *,
        scene_before: Scene | None = None,
        scene: Scene | None = None,
    ) -> tuple[str, ...]:
        """What is said once this seat's event has led from one position to another.

        `scene_before` and `scene` are those of the two positions, where they are at hand.
        """
        says = self._stands(after, scene)
        if self._names_throws and isinstance(event, Rolled) and says:
            says = (self._by(seat, says[0]), *says[1:])
        return (*self._done(before, event, seat, scene_before), *says)

    def _by(self, seat: int, sentence: str) -> str:
        """A sentence about what somebody does, with the name of who does it."""
        name = self.players[seat]
        if sentence.startswith(tuple(f"{name} {verb} " for verb in _SAY_WHO)):
            return sentence
        return f"{name}: {sentence[:1].lower()}{sentence[1:]}"

    def _stands(self, position: P, scene: Scene | None) -> tuple[str, ...]:
        scene = scene or self.game.scene(position)
        return (*scene.says, *self._news.of(scene))

    def _done(self, before: P, event: Event[C], seat: int, scene: Scene | None) -> Iterator[str]:
        """What somebody did; of a throw the scene says what fell."""
        name = self.players[seat]
        match event:
            case Chosen(choice=choice):
                awaited = self.game.awaits(before)
                assert isinstance(awaited, Choose)  # the event has happened
                offers = (scene or self.game.scene(before)).offers
                yield self._by(seat, offers[awaited.choices.index(choice)].done)
            case TookBack():
                yield f"{name} takes the choice back."
            case Corrected():
                yield f"{name} corrects the dice."


def told(
    game: Game[P, C], log: Sequence[Event[C]], players: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """What is said at the start, and then after each event of a log."""
    play, narrator = Play(game), Narrator(game, players)
    yield narrator.begin()
    for event in log:
        before, seat = play.position, play.actor(event)
        play.happen(event)
        yield narrator.after(before, event, seat or 0, play.position)
