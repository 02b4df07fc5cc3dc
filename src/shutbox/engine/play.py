"""The course of one play: its log, its position, taking back, and the players that pick choices.

An event is first prepared, which checks that it is legal, can then be stored, and is then applied.
The log only grows: taking back and correcting are events, too, so a log always replays to the same
position, and its length is a version number that never repeats.

A player picks choices: a person at a front end, a bot or a script. It sees a position and its
choices, never the cup, so it cannot see future dice.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias

from shutbox.engine.dice import Cup, Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import (
    CannotTakeBack,
    IllegalChoice,
    NotUnderstood,
    OutOfDate,
    TooLarge,
    blaming,
)
from shutbox.engine.game import (
    Awaited,
    C,
    Choose,
    Game,
    Over,
    P,
    Throw,
    check_game,
    circle_refusal,
    position_text,
)
from shutbox.engine.scene import Offer
from shutbox.engine.typed_text import check_type

_MOST_CACHED = 3  # answers of `awaits` of a play: for now, and a step or two before


@dataclass(frozen=True, slots=True)
class Rolled:
    """An event: the dice that were due have shown this roll."""

    roll: Roll
    typed: bool = False  # whether a person typed it in, who may have misread the dice


@dataclass(frozen=True, slots=True)
class Chosen(Generic[C]):
    """An event: the seat whose turn it is has made this choice."""

    choice: C


@dataclass(frozen=True, slots=True)
class TookBack:
    """An event: the last choice is withdrawn."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """An event: this roll replaces the last one, which a person had typed in wrongly."""

    roll: Roll


Event: TypeAlias = Rolled | Chosen[C] | TookBack | Corrected  # what can happen in a play


@dataclass(frozen=True, slots=True)
class Prepared(Generic[P, C]):
    """A legal event that has not happened yet, with the positions before and after it."""

    game: Game[P, C]
    number: int  # the number of the event in the log, from 1
    seat: int  # the seat that acts
    event: Event[C]
    before: P  # the position now
    after: P  # the position after the event
    offer: Offer | None = None  # the offer taken, if a table has prepared a choice; otherwise None


class Applied(Prepared[P, C]):
    """An event that has happened, with the positions before and after it, for a narrator."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Step(Generic[P, C]):
    """A throw or a choice that was not taken back; a corrected roll stands as corrected."""

    number: int  # of the event in the log, from 1; for a corrected roll, of the correction
    event: Rolled | Chosen[C]
    before: P
    after: P


class Play(Generic[P, C]):
    """The log and position of one play of `game`, from `start` or its start, through `events`.

    >>> from shutbox import Roll, find
    >>> classic = find("classic")
    >>> play = Play(classic, [Rolled(Roll((3, 5)))])
    >>> play.happen(Chosen(classic.parse_choice(play.position, "1 7")))
    >>> classic.position_id(play.position), len(play.log)
    ('2.3.4.5.6.8.9', 2)
    >>> play.happen(TookBack())
    >>> classic.position_id(play.position), len(play.log)
    ('1.2.3.4.5.6.7.8.9/3+5', 3)

    `happen` prepares and applies in one step. A caller that stores events does so in between:

    >>> prepared = play.prepare(Chosen(classic.parse_choice(play.position, "8")))
    >>> prepared.number, prepared.seat, play.version
    (4, 0, 3)
    >>> play.apply(prepared).number, play.version
    (4, 4)

    Raises NotUnderstood for an object that is not a game, and what `prepare` raises for `events`.
    """

    def __init__(
        self, game: Game[P, C], events: Iterable[Event[C]] = (), *, start: P | None = None
    ) -> None:
        check_game(game)
        self.game = game
        self.start = game.start() if start is None else start  # the position where it began
        self.position = self.start
        self._log: list[Event[C]] = []
        self._steps: list[Step[P, C]] = []
        self.throws = 0  # how many throws the log has
        self._awaited: list[tuple[P, Awaited[C]]] = []  # of the last positions asked, newest first
        check_type(events, Iterable)
        for event in events:
            self.happen(event)

    def __repr__(self) -> str:
        place = position_text(self.game, self.position)
        return f"{type(self).__name__}({place}, version {self.version})"

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows, as SVG text."""
        from shutbox.output.picture import svg  # only notebooks need it

        return svg(self.game.scene(self.position))

    @property
    def log(self) -> tuple[Event[C], ...]:
        """All events so far, in order."""
        return tuple(self._log)

    @property
    def steps(self) -> tuple[Step[P, C], ...]:
        """The throws and choices that were not taken back, in order, with corrected rolls."""
        return tuple(self._steps)

    @property
    def version(self) -> int:
        """The number of events so far; it never falls and never repeats."""
        return len(self._log)

    @property
    def awaits(self) -> Awaited[C]:
        """The throw, the choice or the end that the game awaits now."""
        return self.awaits_at(self.position)

    def awaits_at(self, position: P) -> Awaited[C]:
        """Return what the game awaits at a position of this play; cached for the latest ones."""
        for known, awaited in self._awaited:
            if known is position:
                return awaited
        awaited = self.game.awaits(position)
        self._awaited = [(position, awaited), *self._awaited[: _MOST_CACHED - 1]]
        return awaited

    @property
    def due(self) -> int | None:
        """The seat whose turn it is; None if the game is over."""
        awaited = self.awaits
        return None if isinstance(awaited, Over) else awaited.seat

    @property
    def correctable(self) -> Throw | None:
        """What the last step threw for, if its roll was typed in; otherwise None."""
        match self._steps[-1:]:
            case [Step(event=Rolled(typed=True), before=before)]:
                awaited = self.awaits_at(before)
                return awaited if isinstance(awaited, Throw) else None
        return None

    @property
    def last_chooser(self) -> int | None:
        """The seat whose choice is the last step; None if that is a throw, or there is none."""
        match self._steps[-1:]:
            case [Step(event=Chosen(), before=before)]:
                awaited = self.awaits_at(before)
                return awaited.seat if isinstance(awaited, Choose) else None
        return None

    def _to_correct(self) -> Throw:
        """Return the throw whose roll can be corrected. Raises CannotTakeBack."""
        if (throw := self.correctable) is None:
            raise CannotTakeBack("only dice that were typed in are corrected, before the choice")
        return throw

    def actor(self, event: Event[C]) -> int | None:
        """Return the seat that would act in this event now, legal or not; None if no seat could."""
        match event:
            case TookBack():
                return self.last_chooser
            case Corrected():
                return throw.seat if (throw := self.correctable) else None
        return self.due

    def prepare(self, event: Event[C]) -> Prepared[P, C]:
        """Check that an event is legal, and return it prepared; nothing changes.

        Raises IllegalRoll, IllegalChoice, CannotTakeBack, NotUnderstood for an object that is not
        an event, and PluginFailed. A throw cannot be taken back to get better dice.
        """
        after = self._after(event, self.position)
        number, seat = self.version + 1, self.actor(event) or 0
        return Prepared(self.game, number, seat, event, self.position, after)

    def prepare_next(self, prepared: Prepared[P, C], event: Rolled | Chosen[C]) -> Prepared[P, C]:
        """Prepare the event after one that is prepared, but not applied yet; nothing changes.

        Raises IllegalRoll, IllegalChoice, and PluginFailed.
        """
        before = prepared.after
        after, awaited = self._after(event, before), self.game.awaits(before)
        seat = prepared.seat if isinstance(awaited, Over) else awaited.seat
        return Prepared(self.game, prepared.number + 1, seat, event, before, after)

    def apply(self, prepared: Prepared[P, C]) -> Applied[P, C]:
        """Apply an event that this play has prepared, and return it.

        Raises OutOfDate for an event prepared for another game, number or position, NotUnderstood
        for an object that is not prepared.
        """
        if not isinstance(prepared, Prepared):
            raise NotUnderstood(
                "{event} is not prepared; apply takes what prepare returns",
                event=shown(repr(prepared)),
            )
        known = prepared.game, prepared.number, prepared.before
        if known != (self.game, self.version + 1, self.position):
            raise OutOfDate(
                "event {number} was prepared at {place}; event {due} is due, at {here}",
                number=prepared.number,
                place=position_text(prepared.game, prepared.before),
                due=self.version + 1,
                here=position_text(self.game, self.position),
            )
        self._append(prepared.event, prepared.after)
        return Applied(*(getattr(prepared, name) for name in Prepared.__slots__))

    def happen(self, event: Event[C]) -> None:
        """Prepare and apply one event. Raises what `prepare` raises, and then changes nothing."""
        self._append(event, self._after(event, self.position))

    def _append(self, event: Event[C], after: P) -> None:
        """Append a legal event to the log; `after` is the position after it."""
        number = self.version + 1
        self.throws += isinstance(event, Rolled)
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

    def _after(self, event: Event[C], position: P) -> P:
        """Return the position after an event at a position. Raises what `prepare` raises."""
        with blaming(self.game):
            match event:
                case Rolled(roll=roll):
                    return self.game.rolled(position, roll)
                case Chosen(choice=choice):
                    return self.game.chosen(position, choice)
                case TookBack():
                    if self.last_chooser is None:
                        raise CannotTakeBack("there is nothing to take back since the last throw")
                    return self._steps[-1].before
                case Corrected(roll=roll):
                    self._to_correct()
                    return self.game.rolled(self._steps[-1].before, roll)
        raise NotUnderstood(
            "{event} is not an event; events are Rolled, Chosen, TookBack and Corrected",
            event=shown(repr(event)),
        )


def replay_log(
    game: Game[P, C], log: Iterable[Event[C]], start: P | None = None
) -> Iterator[Applied[P, C]]:
    """Replay a log from `start` or the game's; yield each event applied. Raises as `Play` does."""
    play = Play(game, start=start)
    for event in log:
        yield play.apply(play.prepare(event))


# Players


class Player(Protocol[P, C]):
    """A player, who picks one of the choices of a position, the same one every time.

    A player whose choice varies has the attribute `deterministic = False`. If it picks every choice
    equally often, it also has `uniform = True`. Both are optional.
    """

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...], /) -> C:
        """Return one of `choices`."""


class FirstChoice:
    """A player that takes the first choice: in a box, fewest dice, or fewest and highest tiles."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the first choice."""
        return choices[0]


def ask_player(player: Player[P, C], game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
    """Return the player's choice. Raises IllegalChoice if it is not one of `choices`."""
    choice = player.pick(game, position, choices)
    if choice not in choices:
        quoted = repr(choice)
        raise IllegalChoice("{choice} is none of the choices offered", position, choice=quoted)
    return choice


def play_out(game: Game[P, C], player: Player[P, C], cup: Cup, position: P | None = None) -> Over:
    """Play from `position`, or the start, with the same player in every seat; return the end.

    Raises IllegalChoice for a choice that is not offered, TooLarge for a game that can go on
    forever or comes back to a position, and what the game, the cup and the player raise.
    """
    if game.longest is None:
        raise TooLarge("{game} can go on forever, so it cannot be played out", game=game.name)
    position = game.start() if position is None else position
    seen = set[P]()
    while position not in seen:
        seen.add(position)
        match game.awaits(position):
            case Throw(dice=dice):
                position = game.rolled(position, cup.throw(dice))
            case Choose(choices=choices):
                position = game.chosen(position, ask_player(player, game, position, choices))
            case over:
                return over
    raise circle_refusal(game, position)
