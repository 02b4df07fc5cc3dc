"""A room: its seats, and the games played there, rebuilt by replaying the room's log.

It uses no network, disk or clock: replaying the same events gives the same room.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

from shutbox.bots import bot
from shutbox.bots.characters import display_name
from shutbox.errors import BadRecord
from shutbox.game import Game, Over, RuleCard
from shutbox.match import Match, RoundResult
from shutbox.messages import gettext
from shutbox.narrator import Length, Narrator
from shutbox.play import Chosen, Corrected, Rolled, TookBack
from shutbox.record.checked_lines import Lines
from shutbox.record.event_text import event_of, read_event_text
from shutbox.record.header import read_header
from shutbox.seats import Seat, unnamed
from shutbox.table import Table
from shutbox.table.setup import Sitting, game_of_seats
from shutbox.web import limits
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import events
from shutbox.web.rooms.days import day_of
from shutbox.web.rooms.table_view import MoveView, move_view

WATCHERS = -1  # the number of the watch link, in place of a seat
HOST = -2  # the number of the opener's key
INVITATION = -3  # the number of the key that opens any free seat

_KINDS = {Rolled: "throw", Chosen: "choose", TookBack: "take-back", Corrected: "correct"}
_ASIDE = ("renew", "leave")  # the kinds of events that the other players do not wait for


@dataclass(slots=True)
class SeatState:
    """The current state of one seat."""

    plan: events.Planned
    name: str
    taken: bool
    left: bool = False
    stand_in: str = ""
    """The kind of computer player that has taken over the seat; empty if none has."""

    @property
    def is_there(self) -> bool:
        """Whether the seat's player has neither left nor been replaced."""
        return not self.left and not self.stand_in

    @property
    def computer(self) -> str:
        """The kind of computer player that plays here; empty for a person."""
        return self.plan.computer or self.stand_in


@dataclass
class Happened:
    """One event of a room, as its listeners get it."""

    kind: str
    seat: int | None
    says: tuple[str, ...]
    move: MoveView | None = None
    """The move in figures; None for events outside the game."""
    brief: tuple[str, ...] | None = None
    """The sentences of `says` for brief narration; None if they are the same."""


@dataclass(kw_only=True)
class LogLine(Happened):
    """One entry of a room's log."""

    number: int


class Room:
    """A room, built by applying its events one by one; a new one is empty."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0  # how many events there are
        self.opened_at = 0.0  # seconds since 1970
        self.at = 0.0  # seconds since 1970 of the last event that other players waited for
        self.plan: events.Opened | None = None
        self.seats: list[SeatState] = []
        self.links: dict[int, int] = {}  # changes of each link, by seat or number below 0
        self.game = 0  # the number of the current game, from 1; 0 before the first
        self.sitting: Sitting | None = None
        self.table: Table[Any, Any] | None = None
        self.rounds: tuple[RoundResult, ...] = ()  # the rounds of this game that are over
        self.given_up = False
        self.closed = False  # by the host of the server
        self.log: list[LogLine] = []
        self._narrator: Narrator[Any, Any] | None = None
        self._card: RuleCard | None = None

    # Reading the log

    def apply(self, number: int, at: float, event: events.RoomEvent) -> LogLine:
        """Apply the next event, add its entry to `log` and return that.

        `number` must be the next, and `at` is its time. Raises BadRecord and the game's errors.
        """
        if number != self.number + 1:
            raise BadRecord(
                "event {number} of room {room} comes where {due} is due",
                number=number,
                room=self.id,
                due=self.number + 1,
            )
        try:
            found = self._happen(event)
        except LookupError:
            raise BadRecord(
                "event {number} of room {room} is of a seat it has not got",
                number=number,
                room=self.id,
            ) from None
        self.number = number
        if found.kind == "open":
            self.opened_at = at
        if found.kind not in _ASIDE:
            self.at = at
        line = LogLine(**vars(found), number=number)
        self.log.append(line)
        return self.log[-1]

    def _happen(self, event: events.RoomEvent) -> Happened:
        if isinstance(event, events.Played):
            return self._play(event)
        seat: int | None = getattr(event, "seat", None)
        of_seat = seat if seat is not None and seat >= 0 else None
        return Happened(events.WORDS[type(event)], of_seat, self._arrange(event))

    def _arrange(self, event: events.RoomEvent) -> tuple[str, ...]:
        """Apply an event from outside the game and return the sentences about it."""
        match event:
            case events.Opened():
                self.plan = event
                self.seats = [SeatState(p, p.name, taken=not p.by_link) for p in event.seats]
                self.links = dict.fromkeys((*range(len(self.seats)), WATCHERS, HOST, INVITATION), 0)
            case events.Entered(seat=seat, name=name):
                # The link is used up: later guests with it come too late, and the player
                # here gets another link.
                self.seats[seat].name, self.seats[seat].taken = name, True
                self.links[seat] += 1
                return (gettext("{name} sits down.", name=name),)
            case events.Begun(header=header):
                return self._begin(header)
            case events.Left(seat=seat):
                state = self.seats[seat]
                state.left = True
                return (gettext("{name} has left the table.", name=state.name),)
            case events.CameBack(seat=seat):
                state = self.seats[seat]
                state.left, state.stand_in = False, ""
                self._set_bots()
                return (gettext("{name} is back.", name=state.name),)
            case events.StoodIn(seat=seat, computer=kind):
                state = self.seats[seat]
                says = gettext("A computer player takes over for {name}.", name=state.name)
                if not state.taken:
                    state.name = self.display_name(seat, kind)
                    says = gettext("{name}, a computer player, sits down.", name=state.name)
                    self.links[seat] += 1  # the old link must not seat a guest any more
                state.taken, state.stand_in = True, kind
                self._set_bots()
                return (says,)
            case events.GivenUp():
                self.given_up = True
                return (gettext("The game ends here; nobody has won it."),)
            case events.Renewed(seat=seat):
                self.links[seat] += 1
                # This has no event of its own, since earlier releases read the log, too.
                self.links[INVITATION] += seat in self.free
            case events.Closed():
                self.closed = True
                return (gettext("The host of this server has closed this table."),)
        return ()

    def _begin(self, header: str) -> tuple[str, ...]:
        self.sitting = Sitting.of(read_header(Lines(BytesIO(header.encode()))))
        self.table = self.sitting.table()
        # In earlier releases, a player who took a free seat had the name of the seat.
        for state, player in zip(self.seats, self.sitting.header.players, strict=False):
            state.name = player.name
        self._set_bots()
        self.game += 1
        self._card, self.rounds, self.given_up = None, (), False
        self._narrator = Narrator(self.sitting.game, [seat.name for seat in self.seats])
        return self._narrator.begin(self.table.start)

    def _set_bots(self) -> None:
        """Give the table the computer players of the seats."""
        if self.table is None:
            return
        for seat, state in enumerate(self.seats):
            if not state.computer:
                self.table.bots.pop(seat, None)
            elif seat not in self.table.bots:
                self.table.bots[seat] = bot(state.computer)

    def _play(self, played: events.Played) -> Happened:
        table, narrator = self.playing(), self._narrator
        assert narrator is not None  # it is made with the table
        event = event_of(table.game, table.position, read_event_text(played.deed))
        prepared = table.prepare(event)
        if prepared.seat != played.seat:
            raise BadRecord(
                "an event of seat {seat} comes where seat {due} is due",
                seat=played.seat,
                due=prepared.seat,
            )
        before, scene = table.position, table.scene
        applied = table.apply(prepared)
        move = move_view(table, applied, scene)
        if isinstance(table.game, Match):
            # Only the last step changes, and that step may have ended a round.
            if isinstance(event, TookBack | Corrected) and table.game.settled(before).result:
                self.rounds = self.rounds[:-1]
            result = table.game.settled(table.position).result
            if result is not None and not isinstance(event, TookBack):
                self.rounds = (*self.rounds, result)
        says, brief = narrator.after_at(applied, table.scene, (Length.NORMAL, Length.BRIEF))
        shorter = brief if brief != says else None
        return Happened(_KINDS[type(event)], played.seat, says, move, shorter)

    def playing(self) -> Table[Any, Any]:
        """Return the table of the current game. Raises NotAllowed before the first one."""
        if self.table is None:
            raise NotAllowed("the game has not begun; a seat is still free")
        return self.table

    # Where it stands

    @property
    def phase(self) -> Literal["waiting", "playing", "over", "ended"]:
        """The phase of the room; `ended` if the room was closed or the game was given up."""
        if self.closed or self.given_up:
            return "ended"
        if self.table is None:
            return "waiting"
        return "over" if isinstance(self.table.awaits, Over) else "playing"

    @property
    def opened(self) -> events.Opened:
        """The settings with which the room was opened. Raises BadRecord if there are none."""
        if self.plan is None:
            raise BadRecord("the log of room {room} does not begin with its opening", room=self.id)
        return self.plan

    @property
    def is_of_day(self) -> bool:
        """Whether this is a try at the box of a day."""
        return self.opened.dice == "day"

    @property
    def day(self) -> str:
        """The UTC day on which the room was opened."""
        return day_of(self.opened_at)

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that are not taken yet."""
        return tuple(seat for seat, state in enumerate(self.seats) if not state.taken)

    def is_reserved(self, seat: int) -> bool:
        """Whether the opener gave a seat a name of its own, which reserves it for that guest."""
        return self.seats[seat].plan.name not in ("Player", unnamed(seat + 1)[-1])

    @property
    def rule_card(self) -> RuleCard:
        """The rules in play."""
        if self._card is None:
            self._card = self.plays.card()
        return self._card

    @property
    def plays(self) -> Game[Any, Any]:
        """The game in play, or the one that begins once all seats are taken."""
        if self.table is not None:
            return self.table.game
        seats = [Seat(state.name, state.computer) for state in self.seats]
        return game_of_seats(self.opened.game, seats, self.opened.format)

    def display_name(self, seat: int, kind: str) -> str:
        """Return the name under which a computer player of this kind takes a free seat."""
        return display_name(kind, [state.name for n, state in enumerate(self.seats) if n != seat])

    @property
    def computer_due(self) -> bool:
        """Whether a computer player must act now: choose, or throw dice that are not real.

        False once the room has `MOST_EVENTS` events.
        """
        if self.phase != "playing" or self.number >= limits.MOST_EVENTS:
            return False
        return self.playing().bot_due

    def away(self, now: float, mine: Collection[int] = ()) -> tuple[int, ...]:
        """Return the seats of people who have left, or keep the others waiting too long.

        Replaced people do not count, nor do the caller's seats `mine` if other people sit here.
        """
        people = {seat for seat, s in enumerate(self.seats) if s.taken and not s.plan.computer}
        if people <= set(mine):
            mine = ()
        late = self.phase == "playing" and now - self.at >= limits.AWAY_SECONDS
        due = self.playing().due if late else None
        others = [(seat, self.seats[seat]) for seat in sorted(people - set(mine))]
        return tuple(seat for seat, s in others if not s.stand_in and (s.left or seat == due))


def replayed(id: str, history: Iterable[events.Numbered]) -> Room:
    """Return the room `id` as all its events leave it. Raises BadRecord and the game's errors."""
    room = Room(id)
    for one in history:
        room.apply(*one)
    return room
