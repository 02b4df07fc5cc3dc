"""The run of one play: what happened, where it stands, and what may still be taken back.

The log only grows. Taking back and correcting are events like the others, so a log replays to
the same position for ever, and its length is a version number that never repeats.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from shutbox.dice import Roll
from shutbox.errors import CannotTakeBack
from shutbox.game import C, Choose, Game, Over, P, Throw


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice fell."""

    roll: Roll
    typed: bool = False
    """Whether a person read them out, and may have misread them."""


@dataclass(frozen=True, slots=True)
class Chosen(Generic[C]):
    """Somebody chose."""

    choice: C


@dataclass(frozen=True, slots=True)
class TookBack:
    """The last choice was taken back."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The last roll had been misread; this is what fell."""

    roll: Roll


Event: TypeAlias = Rolled | Chosen[C] | TookBack | Corrected
"""Anything that happens."""

Keep: TypeAlias = Callable[[int, int, Event[Any]], None]
"""Whoever keeps events: called with the number of the event, from 1, the seat that acts, and the
event, once it is found legal and before it has happened. If it raises, nothing happens."""


@dataclass(frozen=True, slots=True)
class Step(Generic[P, C]):
    """A throw or a choice that stands: not taken back, and if corrected then as it really was."""

    number: int
    """The number of the event in the log, from 1."""
    event: Rolled | Chosen[C]
    before: P
    after: P


class Play(Generic[P, C]):
    """A play of `game`, from its start through `events`.

    >>> from shutbox import Roll, find
    >>> classic = find("classic")
    >>> play = Play(classic, [Rolled(Roll((3, 5)))])
    >>> play.happen(Chosen(classic.parse_choice(play.position, "1 7")))
    >>> classic.position_id(play.position), len(play.log)
    ('2.3.4.5.6.8.9', 2)
    >>> play.happen(TookBack())
    >>> classic.position_id(play.position), len(play.log)
    ('1.2.3.4.5.6.7.8.9/3+5', 3)

    An event that the game refuses raises the game's error, and nothing has happened. `keep` is
    told of each event of `happen` before it has happened; not of the `events` at the start.
    """

    def __init__(
        self,
        game: Game[P, C],
        events: Iterable[Event[C]] = (),
        keep: Keep | None = None,
    ) -> None:
        self.game = game
        self.position = game.start()
        self._log: list[Event[C]] = []
        self._steps: list[Step[P, C]] = []
        self.keep: Keep | None = None
        for event in events:
            self.happen(event)
        self.keep = keep
        """Told of each event of `happen` before it has happened; may be changed."""

    @property
    def log(self) -> tuple[Event[C], ...]:
        """Everything that happened, in order."""
        return tuple(self._log)

    @property
    def steps(self) -> tuple[Step[P, C], ...]:
        """The throws and choices that stand, in order.

        >>> from shutbox import find
        >>> play = Play(find("classic"), [Rolled(Roll((3, 5)), True), Corrected(Roll((3, 6)))])
        >>> [(step.number, step.event) for step in play.steps]
        [(2, Rolled(roll=Roll((3, 6)), typed=True))]
        """
        return tuple(self._steps)

    def since(self, version: int) -> tuple[Event[C], ...]:
        """What has happened since that version."""
        return tuple(self._log[version:])

    @property
    def version(self) -> int:
        """How many events have happened."""
        return len(self._log)

    @property
    def correctable(self) -> Throw | None:
        """The throw whose dice were just typed in, if no choice has been made since."""
        match self._steps[-1:]:
            case [Step(event=Rolled(typed=True), before=before)]:
                awaited = self.game.awaits(before)
                return awaited if isinstance(awaited, Throw) else None
        return None

    @property
    def taker_back(self) -> int | None:
        """The seat that may take back its choice; None if the last thing was a throw."""
        match self._steps[-1:]:
            case [Step(event=Chosen(), before=before)]:
                awaited = self.game.awaits(before)
                return awaited.seat if isinstance(awaited, Choose) else None
        return None

    def actor(self, event: Event[C]) -> int | None:
        """The seat that such an event belongs to now; None where it cannot happen."""
        match event:
            case TookBack():
                return self.taker_back
            case Corrected():
                throw = self.correctable
                return None if throw is None else throw.seat
        awaited = self.game.awaits(self.position)
        return None if isinstance(awaited, Over) else awaited.seat

    def happen(self, event: Event[C]) -> None:
        """Let one event happen, or raise and change nothing.

        Raises IllegalRoll, IllegalChoice, and CannotTakeBack: nobody goes back past a throw,
        so nobody fishes for dice.
        """
        before, after = self._legal(event)
        number = self.version + 1
        if self.keep is not None:
            self.keep(number, self.actor(event) or 0, event)
        match event:
            case Rolled() | Chosen():
                self._steps.append(Step(number, event, before, after))
            case TookBack():
                self._steps.pop()
            case Corrected(roll=roll):
                self._steps[-1] = Step(number, Rolled(roll, typed=True), before, after)
        self.position = after
        self._log.append(event)

    def _legal(self, event: Event[C]) -> tuple[P, P]:
        """The position from which an event leads on, and the one to which; raises if it cannot."""
        here = self.position
        match event:
            case Rolled(roll=roll):
                return here, self.game.rolled(here, roll)
            case Chosen(choice=choice):
                return here, self.game.chosen(here, choice)
            case TookBack():
                if self.taker_back is None:
                    raise CannotTakeBack("there is no choice to take back since the last throw")
                return here, self._steps[-1].before
            case Corrected(roll=roll):
                if self.correctable is None:
                    raise CannotTakeBack(
                        "only dice that were typed in are corrected, before the choice"
                    )
                before = self._steps[-1].before
                return before, self.game.rolled(before, roll)


def actors(game: Game[P, C], log: Iterable[Event[C]]) -> Iterator[tuple[int, Event[C]]]:
    """Each event of a log with the seat that acts in it. Raises what `Play.happen` raises.

    >>> from shutbox import find
    >>> list(actors(find("classic"), [Rolled(Roll((3, 5)))]))
    [(0, Rolled(roll=Roll((3, 5)), typed=False))]
    """
    kept: list[tuple[int, Event[C]]] = []
    play = Play(game, keep=lambda number, seat, event: kept.append((seat, event)))
    for event in log:
        play.happen(event)
        yield kept.pop()
