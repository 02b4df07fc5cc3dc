"""The run of one play: what happened, where it stands, and what may still be taken back.

The log only grows. Taking back and correcting are events like the others, so a log replays to
the same position for ever, and its length is a version number that never repeats.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeAlias

from shutbox.dice import Roll
from shutbox.errors import CannotTakeBack
from shutbox.game import C, Choose, Game, P, Throw


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

    An event that the game refuses raises the game's error, and nothing has happened.
    """

    def __init__(
        self,
        game: Game[P, C],
        events: Iterable[Event[C]] = (),
    ) -> None:
        self.game = game
        self.position = game.start()
        self._log: list[Event[C]] = []
        # The last throw and the choices that stand since, each with the position before it.
        self._standing: list[tuple[Rolled | Chosen[C], P]] = []
        for event in events:
            self.happen(event)

    @property
    def log(self) -> tuple[Event[C], ...]:
        """Everything that happened, in order."""
        return tuple(self._log)

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
        match self._standing[-1:]:
            case [(Rolled(typed=True), before)]:
                awaited = self.game.awaits(before)
                return awaited if isinstance(awaited, Throw) else None
        return None

    @property
    def taker_back(self) -> int | None:
        """The seat that may take back its choice; None if the last thing was a throw."""
        match self._standing[-1:]:
            case [(Chosen(), before)]:
                awaited = self.game.awaits(before)
                return awaited.seat if isinstance(awaited, Choose) else None
        return None

    def happen(self, event: Event[C]) -> None:
        """Let one event happen, or raise and change nothing.

        Raises IllegalRoll, IllegalChoice, and CannotTakeBack: nobody goes back past a throw,
        so nobody fishes for dice.
        """
        match event:
            case Rolled(roll=roll):
                self._stand(event, self.position, self.game.rolled(self.position, roll))
            case Chosen(choice=choice):
                self._stand(event, self.position, self.game.chosen(self.position, choice))
            case TookBack():
                if self.taker_back is None:
                    raise CannotTakeBack("there is no choice to take back since the last throw")
                self.position = self._standing.pop()[1]
            case Corrected(roll=roll):
                if self.correctable is None:
                    raise CannotTakeBack(
                        "only dice that were typed in are corrected, before the choice"
                    )
                before = self._standing[-1][1]
                after = self.game.rolled(before, roll)
                self._standing.pop()
                self._stand(Rolled(roll, typed=True), before, after)
        self._log.append(event)

    def _stand(self, event: Rolled | Chosen[C], before: P, after: P) -> None:
        if isinstance(event, Rolled):
            self._standing.clear()  # nobody goes back past a throw
        self._standing.append((event, before))
        self.position = after
