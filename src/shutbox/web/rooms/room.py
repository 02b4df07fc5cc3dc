"""A room: who sits where, and the games they play there, as the replay of the room's log.

It knows no network, no disk and no clock: the same events, read again, lead to the same room.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

from shutbox.bots import bot
from shutbox.bots.characters import called
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

WATCHERS = -1  # the number under which the watch link is kept, where seats have theirs
HOST = -2  # the number under which the key of the opener is kept
INVITATION = -3  # the number of the key that opens whichever seat is free

_KINDS = {Rolled: "throw", Chosen: "choose", TookBack: "take-back", Corrected: "correct"}
_ASIDE = ("renew", "leave")  # the kinds of events that nobody has waited for


@dataclass(slots=True)
class SeatState:
    """One seat now."""

    plan: events.Planned
    name: str
    taken: bool
    left: bool = False
    stand_in: str = ""
    """The computer player that goes on for the player of the seat."""

    @property
    def is_there(self) -> bool:
        """Whether the player of the seat plays, and has not left."""
        return not self.left and not self.stand_in

    @property
    def computer(self) -> str:
        """The computer player that plays here, if one does."""
        return self.plan.computer or self.stand_in


@dataclass
class Happened:
    """One event of a room."""

    kind: str
    seat: int | None
    says: tuple[str, ...]
    move: MoveView | None = None
    """The same in figures; None of what is no throw and no choice."""
    brief: tuple[str, ...] | None = None
    """The same to those who want to hear least; None where it is no shorter."""


@dataclass(kw_only=True)
class LogLine(Happened):
    """What was said when one event happened."""

    number: int


class Room:
    """The room of this id, before anything has happened in it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0  # how many events there are
        self.opened_at = 0.0  # seconds since 1970
        self.at = 0.0  # seconds since 1970 when somebody last did what others waited for
        self.plan: events.Opened | None = None
        self.seats: list[SeatState] = []
        self.links: dict[int, int] = {}  # how often each was made anew, also of those below 0
        self.game = 0  # the number of the game that is played, from 1; 0: none has begun
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
        """Let an event happen; what everybody hears of it. Raises BadRecord, and what games say."""
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
        """Let anything but an event of the game happen; what is said of it."""
        match event:
            case events.Opened():
                self.plan = event
                self.seats = [SeatState(p, p.name, taken=not p.by_link) for p in event.seats]
                self.links = dict.fromkeys((*range(len(self.seats)), WATCHERS, HOST, INVITATION), 0)
            case events.Entered(seat=seat, name=name):
                # The link has done its work: who comes with it now comes too late, and
                # the player here has a link of their own.
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
                    state.name = self.called(seat, kind)
                    says = gettext("{name}, a computer player, sits down.", name=state.name)
                    self.links[seat] += 1  # nobody is to come by its link any more
                state.taken, state.stand_in = True, kind
                self._set_bots()
                return (says,)
            case events.GivenUp():
                self.given_up = True
                return (gettext("The game ends here; nobody has won it."),)
            case events.Renewed(seat=seat):
                self.links[seat] += 1
                # No event of its own: earlier releases read the log, too.
                self.links[INVITATION] += seat in self.free
            case events.Closed():
                self.closed = True
                return (gettext("The host of this server has closed this table."),)
        return ()

    def _begin(self, header: str) -> tuple[str, ...]:
        self.sitting = Sitting.of(read_header(Lines(BytesIO(header.encode()))))
        self.table = self.sitting.table()
        # Earlier releases called a player who took a free seat as the seat was called.
        for state, player in zip(self.seats, self.sitting.header.players, strict=False):
            state.name = player.name
        self._set_bots()
        self.game += 1
        self._card, self.rounds, self.given_up = None, (), False
        self._narrator = Narrator(self.sitting.game, [seat.name for seat in self.seats])
        return self._narrator.begin(self.table.start)

    def _set_bots(self) -> None:
        """Let the computer players of the seats be those of the table."""
        if self.table is None:
            return
        for seat, state in enumerate(self.seats):
            if not state.computer:
                self.table.bots.pop(seat, None)
            elif seat not in self.table.bots:
                self.table.bots[seat] = bot(state.computer)

    def _play(self, played: events.Played) -> Happened:
        table, narrator = self.playing(), self._narrator
        assert narrator is not None  # it came with the table
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
            # Only the last step changes, which may have ended a round.
            if isinstance(event, TookBack | Corrected) and table.game.settled(before).result:
                self.rounds = self.rounds[:-1]
            result = table.game.settled(table.position).result
            if result is not None and not isinstance(event, TookBack):
                self.rounds = (*self.rounds, result)
        says, brief = narrator.after_at(applied, table.scene, (Length.NORMAL, Length.BRIEF))
        shorter = brief if brief != says else None
        return Happened(_KINDS[type(event)], played.seat, says, move, shorter)

    def playing(self) -> Table[Any, Any]:
        """The table of the game that is played. Raises NotAllowed before there is one."""
        if self.table is None:
            raise NotAllowed("the game has not begun; a seat is still free")
        return self.table

    # Where it stands

    @property
    def phase(self) -> Literal["waiting", "playing", "over", "ended"]:
        """What the room is doing."""
        if self.closed or self.given_up:
            return "ended"
        if self.table is None:
            return "waiting"
        return "over" if isinstance(self.table.awaits, Over) else "playing"

    @property
    def opened(self) -> events.Opened:
        """What was settled when the room was opened."""
        if self.plan is None:
            raise BadRecord("the log of room {room} does not begin with its opening", room=self.id)
        return self.plan

    @property
    def is_of_day(self) -> bool:
        """Whether this is a try at the box of a day."""
        return self.opened.dice == "day"

    @property
    def day(self) -> str:
        """The day on which the room was opened, in UTC."""
        return day_of(self.opened_at)

    @property
    def free(self) -> tuple[int, ...]:
        """The seats that nobody has taken yet."""
        return tuple(seat for seat, state in enumerate(self.seats) if not state.taken)

    def is_kept(self, seat: int) -> bool:
        """Whether the host has named somebody for a seat."""
        return self.seats[seat].plan.name not in ("Player", unnamed(seat + 1)[-1])

    @property
    def rule_card(self) -> RuleCard:
        """The rules in play."""
        if self._card is None:
            self._card = self.plays.card()
        return self._card

    @property
    def plays(self) -> Game[Any, Any]:
        """What is played, or will be once everybody is there."""
        if self.table is not None:
            return self.table.game
        seats = [Seat(state.name, state.computer) for state in self.seats]
        return game_of_seats(self.opened.game, seats, self.opened.format)

    def called(self, seat: int, kind: str) -> str:
        """The name of a computer player of this kind who takes a free seat."""
        return called(kind, [state.name for n, state in enumerate(self.seats) if n != seat])

    @property
    def computer_due(self) -> bool:
        """Whether a computer player is to act: to throw, but real dice, or to choose."""
        if self.phase != "playing" or self.number >= limits.MOST_EVENTS:
            return False
        return self.playing().bot_due

    def away(self, now: float, mine: Collection[int] = ()) -> tuple[int, ...]:
        """The seats of people who have left, or who keep the others waiting too long.

        Nobody waits for themselves: `mine` are left out, but at a table where nobody else sits.
        """
        people = {seat for seat, s in enumerate(self.seats) if s.taken and not s.plan.computer}
        if people <= set(mine):
            mine = ()
        late = self.phase == "playing" and now - self.at >= limits.AWAY_SECONDS
        due = self.playing().due if late else None
        others = [(seat, self.seats[seat]) for seat in sorted(people - set(mine))]
        return tuple(seat for seat, s in others if not s.stand_in and (s.left or seat == due))


def replayed(id: str, history: Iterable[events.Numbered]) -> Room:
    """The room that its events lead to. Raises BadRecord, and what games say."""
    room = Room(id)
    for one in history:
        room.apply(*one)
    return room
