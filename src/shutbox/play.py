"""The run of one play: what happened, where it stands, and what may still be taken back.

An event is prepared: found legal, while nothing changes. Where it is kept is the caller's; then it
is applied, and what happened can be told.

The log only grows. Taking back and correcting are events like the others, so a log replays to
the same position for ever, and its length is a version number that never repeats.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias

from shutbox.dice import Roll
from shutbox.errors import CannotTakeBack, OutOfDate
from shutbox.game import Awaited, C, Choose, Game, Over, P, Throw
from shutbox.scene import Offer


@dataclass(frozen=True, slots=True)
class Rolled:
    """Dice fell."""

    roll: Roll
    typed: bool = False  # whether a person read them out, and may have misread them


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


Event: TypeAlias = Rolled | Chosen[C] | TookBack | Corrected  # anything that happens


@dataclass(frozen=True, slots=True)
class Prepared(Generic[P, C]):
    """An event that is legal where a play stands, and has not happened yet."""

    game: Game[P, C]
    number: int  # that the event will have in the log, from 1
    seat: int  # that acts
    event: Event[C]
    before: P  # where the play stands
    after: P  # where the event leads
    offer: Offer | None = None  # that is taken; None of what is no choice, and without a table


class Applied(Prepared[P, C]):
    """An event that has happened: what a narrator tells."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Step(Generic[P, C]):
    """A throw or a choice that stands: not taken back, and if corrected then as it really was."""

    number: int  # of the event in the log, from 1
    event: Rolled | Chosen[C]
    before: P
    after: P


class Play(Generic[P, C]):
    """A play of `game`, from its start, or from the position `start`, through `events`.

    >>> from shutbox import Roll, find
    >>> classic = find("classic")
    >>> play = Play(classic, [Rolled(Roll((3, 5)))])
    >>> play.happen(Chosen(classic.parse_choice(play.position, "1 7")))
    >>> classic.position_id(play.position), len(play.log)
    ('2.3.4.5.6.8.9', 2)
    >>> play.happen(TookBack())
    >>> classic.position_id(play.position), len(play.log)
    ('1.2.3.4.5.6.7.8.9/3+5', 3)

    `happen` prepares and applies in one. Who keeps events does so between the two:

    >>> prepared = play.prepare(Chosen(classic.parse_choice(play.position, "8")))
    >>> prepared.number, prepared.seat, play.version
    (4, 0, 3)
    >>> play.apply(prepared).number, play.version
    (4, 4)

    An event that the game refuses raises the game's error, and nothing has happened.
    """

    def __init__(
        self, game: Game[P, C], events: Iterable[Event[C]] = (), *, start: P | None = None
    ) -> None:
        self.game = game
        self.start = game.start() if start is None else start  # where it began
        self.position = self.start
        self._log: list[Event[C]] = []
        self._steps: list[Step[P, C]] = []
        for event in events:
            self.happen(event)

    def _repr_svg_(self) -> str:
        """The board as a notebook shows it."""
        from shutbox.picture import svg  # nobody else needs it

        return svg(self.game.scene(self.position))

    @property
    def log(self) -> tuple[Event[C], ...]:
        """Everything that happened, in order."""
        return tuple(self._log)

    @property
    def steps(self) -> tuple[Step[P, C], ...]:
        """The throws and choices that stand, in order."""
        return tuple(self._steps)

    def since(self, version: int) -> tuple[Event[C], ...]:
        """What has happened since that version."""
        return tuple(self._log[version:])

    @property
    def version(self) -> int:
        """How many events have happened; it never falls and never repeats."""
        return len(self._log)

    @property
    def awaits(self) -> Awaited[C]:
        """What the game waits for."""
        return self.game.awaits(self.position)

    @property
    def due(self) -> int | None:
        """The seat that is to act; None where the game is over."""
        awaited = self.awaits
        return None if isinstance(awaited, Over) else awaited.seat

    @property
    def correctable(self) -> Throw | None:
        """The throw just made, where a person typed in what fell and may have erred."""
        match self._steps[-1:]:
            case [Step(event=Rolled(typed=True), before=before)]:
                awaited = self.game.awaits(before)
                return awaited if isinstance(awaited, Throw) else None
        return None

    @property
    def taker_back(self) -> int | None:
        """The seat that may take back its choice; None if the last thing was a throw."""
        return self._chooser

    @property
    def _chooser(self) -> int | None:
        """The seat whose choice was the last thing, whoever may take it back."""
        match self._steps[-1:]:
            case [Step(event=Chosen(), before=before)]:
                awaited = self.game.awaits(before)
                return awaited.seat if isinstance(awaited, Choose) else None
        return None

    def _to_correct(self) -> Throw:
        if (throw := self.correctable) is None:
            raise CannotTakeBack("only dice that were typed in are corrected, before the choice")
        return throw

    def actor(self, event: Event[C]) -> int | None:
        """The seat that such an event belongs to now; None where it cannot happen."""
        match event:
            case TookBack():
                return self._chooser
            case Corrected():
                return throw.seat if (throw := self.correctable) else None
        return self.due

    def prepare(self, event: Event[C]) -> Prepared[P, C]:
        """Find one event legal; nothing changes.

        Raises IllegalRoll, IllegalChoice, and CannotTakeBack: nobody goes back past a throw,
        so nobody fishes for dice.
        """
        after = self._after(event)
        number, seat = self.version + 1, self.actor(event) or 0
        return Prepared(self.game, number, seat, event, self.position, after)

    def apply(self, prepared: Prepared[P, C]) -> Applied[P, C]:
        """Let happen what this play has prepared; what happened.

        Raises OutOfDate where something else has happened since, and changes nothing.
        """
        found = prepared.game, prepared.number, prepared.before
        if found != (self.game, self.version + 1, self.position):
            facts = {"number": prepared.number, "version": self.version}
            raise OutOfDate(
                "event {number} was prepared before the play moved on to {version}", **facts
            )
        it = prepared
        self._let(it.event, it.after)
        return Applied(it.game, it.number, it.seat, it.event, it.before, it.after, it.offer)

    def happen(self, event: Event[C]) -> None:
        """Let one event happen, or raise what `prepare` raises and change nothing."""
        self._let(event, self._after(event))

    def _let(self, event: Event[C], after: P) -> None:
        number = self.version + 1
        match event:
            case Rolled() | Chosen():
                self._steps.append(Step(number, event, self.position, after))
            case TookBack():
                self._steps.pop()
            case Corrected(roll=roll):
                before = self._steps[-1].before
                self._steps[-1] = Step(number, Rolled(roll, typed=True), before, after)
        self.position = after
        self._log.append(event)

    def _after(self, event: Event[C]) -> P:
        """The position that an event leads to; raises where it cannot happen."""
        match event:
            case Rolled(roll=roll):
                return self.game.rolled(self.position, roll)
            case Chosen(choice=choice):
                return self.game.chosen(self.position, choice)
            case TookBack():
                if self._chooser is None:
                    raise CannotTakeBack("there is nothing to take back since the last throw")
                return self._steps[-1].before
            case Corrected(roll=roll):
                self._to_correct()
                return self.game.rolled(self._steps[-1].before, roll)


def actors(
    game: Game[P, C], log: Iterable[Event[C]], start: P | None = None
) -> Iterator[tuple[int, Event[C]]]:
    """Each event of a log with the seat that acts in it. Raises what `Play.prepare` raises."""
    play = Play(game, start=start)
    for event in log:
        yield play.apply(play.prepare(event)).seat, event
