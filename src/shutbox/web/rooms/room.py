"""A room: its seats, and the games played there, rebuilt by replaying the room's log."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any, Literal

from shutbox.engine.cups import SealedCup
from shutbox.engine.errors import BadRecord, blaming
from shutbox.engine.game import Game, Over, RuleCard, Throw
from shutbox.engine.messages import gettext, gettext_noop, language
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Applied, Chosen, Corrected, Rolled, TookBack
from shutbox.engine.scene import Scene
from shutbox.engine.sealed_dice import digest_of, envelope_words
from shutbox.engine.seats import Seat, is_name
from shutbox.match import Match, RoundResult
from shutbox.record import Source
from shutbox.record.header import read_header
from shutbox.record.lines import Lines, event_of
from shutbox.table import Table
from shutbox.table.bots import bot, display_name
from shutbox.table.setup import Sitting, game_of_seats, with_win
from shutbox.web import limits
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import events
from shutbox.web.rooms.days import day_of
from shutbox.web.rooms.sealing import ClosedCup, SealedGame, read_challenge
from shutbox.web.rooms.table_view import LogLine, move_view

WATCHERS = -1  # the number of the watch link, in place of a seat
OPENER = -2  # the number of the opener's key
INVITATION = -3  # the number of the key that opens any free seat

MOVES = {Rolled: "throw", Chosen: "choose", TookBack: "take-back", Corrected: "correct"}
_ASIDE = ("renew", "leave", "say", "name", "dice")  # events that the other players do not wait for
_SAYS: dict[type[events.RoomEvent], str] = {  # the events that always say the same
    events.Entered: gettext_noop("{name} sits down."),
    events.Left: gettext_noop("{name} has left the table."),
    events.CameBack: gettext_noop("{name} is back."),
    events.GivenUp: gettext_noop("The game ends here, without a winner."),
    events.Closed: gettext_noop("The host of this server has closed this table."),
}
_EVENING = 6 * 3600.0  # a pause of so many seconds before a game resets the count of wins


@dataclass(slots=True)
class SeatState:
    """One seat of a room: what the opener planned for it, and who plays there now."""

    plan: events.Planned
    name: str
    taken: bool
    left: bool = False
    stand_in: str = ""  # the kind of computer player that has taken over; empty if none
    again: bool | None = None  # whether the player wants another game; None before an answer

    @property
    def is_present(self) -> bool:
        """Whether nobody has left the seat or been replaced at it; True for a free seat, too."""
        return not self.left and not self.stand_in

    @property
    def computer(self) -> str:
        """The kind of computer player that plays here; empty for a person."""
        return self.plan.computer or self.stand_in


Said = tuple[tuple[str, ...], tuple[str, ...] | None]  # the fields `says` and `brief` of an event
Tell = Callable[[], Said]  # a function that returns them in the current language


class Room:
    """A room: seats, links and games. A new one is empty; `apply` adds the events of its log."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.event_count = 0  # how many events there are
        self.opened_at = 0.0  # seconds since 1970
        self.last_activity = 0.0  # seconds since 1970 of the last event that others waited for
        self.plan: events.Opened | None = None
        self.seats: list[SeatState] = []
        self.links: dict[int, int] = {}  # by seat or number below 0: how often its link has changed
        self.game_number = 0  # the number of the current game, from 1; 0 before the first
        self.sitting: Sitting | None = None
        self.dice: SealedGame | None = None  # of this game; None if its dice are not sealed
        self.table: Table[Any, Any] | None = None
        self.rounds: tuple[RoundResult, ...] = ()  # the rounds of this game that are over
        self.given_up = False
        self.wins: list[int] = []  # the games won by each seat before this one, in one evening
        self.closed = False  # by the host of the server
        self.phase: Literal["waiting", "playing", "over", "ended"] = "waiting"
        """`waiting` before a game; `ended` if it was given up, or the room closed."""
        self.log: list[LogLine] = []  # each in the language in which it was applied
        self._tell: list[Tell] = []  # for each event, by its number - 1
        self._lines: dict[tuple[str, int], LogLine] = {}  # by language and number
        self._narrator: Narrator[Any, Any] | None = None
        self._cards: dict[str, RuleCard] = {}  # by language

    def apply(self, number: int, at: float, event: events.RoomEvent) -> LogLine:
        """Apply the next event, with its number and time; return its entry in the current language.

        Raises BadRecord if it cannot come next, NotAllowed before a game, and what the game raises.
        """
        if number != self.event_count + 1:
            raise BadRecord(
                "event {number} of room {room} stands where event {due} should be",
                number=number,
                room=self.id,
                due=self.event_count + 1,
            )
        seat = getattr(event, "seat", None)
        if seat is not None and seat not in self.links:
            raise BadRecord(
                "event {number} of room {room} is about a seat that does not exist",
                number=number,
                room=self.id,
            )
        with blaming(self.plan.game if self.plan else None):
            line, tell = self._happen(event)
            if self.closed or self.given_up:
                self.phase = "ended"
            elif self.table is not None:
                self.phase = "over" if isinstance(self.table.awaits, Over) else "playing"
        self.event_count = number
        if line.kind == "open":
            self.opened_at = at
        if line.kind == "begin" and at - self.last_activity > _EVENING:
            self.wins = [0] * len(self.seats)
        if line.kind not in _ASIDE:
            self.last_activity = at
        self._lines[language(), number] = line
        self.log.append(line)
        self._tell.append(tell)
        return line

    def line(self, number: int) -> LogLine:
        """Return the log's entry of event `number` in the current language."""
        if (key := (language(), number)) not in self._lines:
            says, brief = self._tell[number - 1]()
            self._lines[key] = replace(self.log[number - 1], says=says, brief=brief)
        return self._lines[key]

    def _happen(self, event: events.RoomEvent) -> tuple[LogLine, Tell]:
        if isinstance(event, events.Played):
            return self._play(event)
        kind, seat = events.WORDS[type(event)], getattr(event, "seat", WATCHERS)
        says, of_seat = self._arrange(event), seat if seat >= 0 else None
        return LogLine(kind, of_seat, says(), number=self.event_count + 1), lambda: (says(), None)

    def _arrange(self, event: events.RoomEvent) -> Callable[[], tuple[str, ...]]:
        """Apply an event that is no move; return a function that gives its sentences, if any."""
        seat, says = getattr(event, "seat", WATCHERS), _SAYS.get(type(event), "")
        state: Any = self.seats[seat] if seat >= 0 else None
        match event:
            case events.Opened():
                self.plan = event
                self.seats = [SeatState(p, p.name, taken=not p.by_link) for p in event.seats]
                self.wins = [0] * len(self.seats)
                others = WATCHERS, OPENER, INVITATION
                self.links = dict.fromkeys((*range(len(self.seats)), *others), 0)
            case events.Begun(header=header):
                return self._begin(header)
            case events.Named(name=name):
                return self._rename(seat, name)
            case events.Said(phrase=phrase):
                return lambda: (
                    gettext("{name}: “{phrase}”", name=state.name, phrase=events.words_of(phrase)),
                )
            case events.Diced():
                self._seal(event)
            case events.Entered(name=name):
                # The link is used up: guests with it come too late, and this player gets another.
                state.name, state.taken = name, True
                self.links[seat] += 1
            case events.StoodIn(computer=kind):
                says = gettext_noop("{name} is away: a computer player takes over.")
                if not state.taken:
                    state.name = self.display_name(seat, kind)
                    says = gettext_noop("{name}, a computer player, sits down.")
                    self.links[seat] += 1  # the old link must not seat a guest any more
                state.taken, state.stand_in = True, kind
                self._set_bots()
            case events.Left():
                state.left = True
            case events.CameBack():
                state.left, state.stand_in = False, ""
                self._set_bots()
            case events.RematchAnswer(again=True):
                state.again, says = True, gettext_noop("{name} wants another game.")
            case events.RematchAnswer():
                for other in self.seats:  # a refusal answers all who have asked
                    other.again = None
                state.again, says = False, gettext_noop("{name} does not want another game.")
            case events.GivenUp():
                self.given_up = True
            case events.Renewed():
                self.links[seat] += 1
                self.links[INVITATION] += seat in self.free  # it leads to the free seats
            case events.Closed():
                self.closed = True
        return lambda: (gettext(says, name=state.name if state else ""),) if says else ()

    def _rename(self, seat: int, name: str) -> Callable[[], tuple[str, ...]]:
        """Rename a seat, also in earlier sentences; return as `_arrange`: () for its first name."""
        first = not is_name(self.seats[seat].name, seat)
        self.seats[seat].name = name
        if self.table is not None and self.sitting is not None and self._narrator is not None:
            header, narrator = self.sitting.header, self._narrator
            narrator.players = tuple(state.name for state in self.seats)
            seats = zip(header.players, narrator.players, strict=True)
            players = tuple(replace(player, name=one) for player, one in seats)
            self.sitting = Sitting.of(replace(header, players=players))
            cup, opened = self.table.cup, self.table.opened
            self.table = self.sitting.table(self.table.log, bots=self.table.bots)
            self.table.cup, self.table.opened = cup, opened
            narrator.game = self.table.game
            narrator.begin(self.table.position)  # so that the names alone are no news
        self._lines.clear()
        self._cards.clear()
        return lambda: () if first else (gettext("{name} is the new name of a player.", name=name),)

    def _seal(self, event: events.Diced) -> None:
        if event.step == "envelope":
            (gid, envelope), seats = event.text.split(), len(self.seats)
            words = envelope_words(bytes.fromhex(envelope))
            given, nobody = (False,) * seats, (None,) * seats
            self.dice = SealedGame(gid, envelope, words, given, word_texts=nobody)
            self._close_cup()
        elif self.dice:
            self.dice.apply(event)
        if self.sitting and self.table and self.dice:
            self.table.opened = self.dice.state == "open"
            if isinstance(self.table.cup, SealedCup):
                self.table.cup.words = digest_of(self.dice.word_texts)
            if event.step == "seal":
                dice = Source("sealed", seal=self.dice.made)
                header = replace(self.sitting.header, dice=dice)
                self.sitting = replace(self.sitting, header=header)

    def _close_cup(self) -> None:
        if self.sitting and self.table and self.dice:
            self.dice.names = self.sitting.header.game, self.sitting.header.format
            self.table.cup = ClosedCup()

    def _begin(self, header: str) -> Callable[[], tuple[str, ...]]:
        self.wins = self.score
        for state in self.seats:
            state.again = None
        self.sitting = Sitting.of(read_header(Lines(BytesIO(header.encode()))))
        self.table = self.sitting.table()
        self._set_bots()
        if self.game_number:  # the envelope of the first game comes before its beginning
            self.dice = None
        self._close_cup()
        if challenge := self.opened.challenge:
            self.table.cup = read_challenge(challenge).cup
        self.game_number += 1
        self._cards, self.rounds, self.given_up = {}, (), False
        self._narrator = Narrator(self.sitting.game, [seat.name for seat in self.seats])
        return partial(self._narrator.begin, self.table.start)

    def _set_bots(self) -> None:
        """Give the table, if there is one, the computer players that the seats have now."""
        if self.table is None:
            return
        for seat, state in enumerate(self.seats):
            if not state.computer:
                self.table.bots.pop(seat, None)
            elif seat not in self.table.bots:
                self.table.bots[seat] = bot(state.computer)

    def _play(self, played: events.Played) -> tuple[LogLine, Tell]:
        table, narrator = self.playing(), self._narrator
        assert narrator is not None  # it is made with the table
        sealed = self.dice is not None
        event = event_of(table.game, table.position, played.deed, sealed=sealed)
        prepared = table.prepare(event)
        if prepared.seat != played.seat:
            raise BadRecord(
                "an event of seat {seat} stands where seat {due} should play",
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
        says, brief = _narrated(narrator, applied, table.scene)
        found = MOVES[type(event)], played.seat, says, move, brief
        line = LogLine(*found, number=self.event_count + 1)
        # Its offer has sentences in this language.
        return line, partial(_narrated, narrator, replace(applied, offer=None))

    def playing(self) -> Table[Any, Any]:
        """Return the table of the current game. Raises NotAllowed before the first game begins."""
        if self.table is None:
            raise NotAllowed("the game has not begun; a seat is still free")
        return self.table

    @property
    def score(self) -> list[int]:
        """The number of games that each seat has won since a pause of 6 hours before a game.

        The current game counts once it is over. A lone player wins none.
        """
        if self.table is None or self.given_up or not self.seats[1:]:
            return self.wins
        return [*with_win(self.wins, self.table.awaits)]

    @property
    def opened(self) -> events.Opened:
        """The settings with which the room was opened. Raises BadRecord in an empty room."""
        if self.plan is None:
            raise BadRecord("the log of room {room} does not begin with its opening", room=self.id)
        return self.plan

    @property
    def turn(self) -> tuple[int, int] | None:
        """The number of the game and the seat of the person who is due; None if no person is."""
        seat = self.table.due if self.table and self.phase == "playing" else None
        return None if seat is None or self.seats[seat].computer else (self.game_number, seat)

    @property
    def is_of_day(self) -> bool:
        """Whether this is a try at the box of a day: the same dice for all. Raises as `opened`."""
        return self.opened.dice == "day"

    @property
    def day(self) -> str:
        """The UTC day on which the room was opened, as YYYY-MM-DD."""
        return day_of(self.opened_at)

    @property
    def free(self) -> tuple[int, ...]:
        """The numbers, from 0, of the seats that are not taken yet."""
        return tuple(seat for seat, state in enumerate(self.seats) if not state.taken)

    def is_reserved(self, seat: int) -> bool:
        """Whether the opener gave a seat a name, which reserves it for a guest of that name."""
        return is_name(self.seats[seat].plan.name, seat)

    def others(self, mine: Collection[int]) -> tuple[int, ...]:
        """Return the seats where people are present, except the caller's seats `mine`."""
        people = (n for n, s in enumerate(self.seats) if s.taken and not s.computer and not s.left)
        return tuple(seat for seat in people if seat not in mine)

    @property
    def rule_card(self) -> RuleCard:
        """The rules in play, in the current language."""
        if (spoken := language()) not in self._cards:
            self._cards[spoken] = self.game.card()
        return self._cards[spoken]

    @property
    def game(self) -> Game[Any, Any]:
        """The game in play, or the first, once all sit. Raises as `opened` and `game_of_seats`."""
        if self.table is not None:
            return self.table.game
        seats = [Seat(state.name, state.computer) for state in self.seats]
        return game_of_seats(self.opened.game, seats, self.opened.format)

    def display_name(self, seat: int, kind: str) -> str:
        """Return a name unlike those at other seats, for a computer player of `kind` at `seat`."""
        return display_name(kind, [state.name for n, state in enumerate(self.seats) if n != seat])

    @property
    def computer_due(self) -> bool:
        """Whether a computer player must move; not if people throw for it, or after MOST_EVENTS."""
        is_open = self.phase == "playing" and self.event_count < limits.MOST_EVENTS
        return is_open and self.playing().bot_due

    @property
    def clients(self) -> tuple[int, ...]:
        """The seats that add words to sealed dice: the first of the opener's, then each guest's."""
        people = [n for n, seat in enumerate(self.seats) if seat.taken and not seat.computer]
        guests = tuple(seat for seat in people if self.seats[seat].plan.by_link)
        return (*[seat for seat in people if seat not in guests][:1], *guests)

    @property
    def to_seal(self) -> bool:
        """Whether the throw that is due waits for the words and the seed of sealed dice."""
        if self.table is None or self.phase != "playing":
            return False
        return isinstance(self.table.cup, ClosedCup) and isinstance(self.table.awaits, Throw)

    @property
    def to_open(self) -> bool:
        """Whether a game is over and its envelope (the seed) must open; never in a closed room."""
        is_sealed = self.dice is not None and self.dice.state == "sealed"
        return is_sealed and self.phase in ("over", "ended") and not self.closed


def _narrated(
    narrator: Narrator[Any, Any], applied: Applied[Any, Any], scene: Scene | None = None
) -> Said:
    """Return `says` and `brief` of a move in the current language; `scene` is the one after it."""
    scene = scene or narrator.game.scene(applied.after)
    says, brief = narrator.after_at(applied, scene, (Length.NORMAL, Length.BRIEF))
    return says, brief if brief != says else None


def replayed(id: str, history: Iterable[events.Numbered]) -> Room:
    """Return the room `id` after all events of its `history`. Raises what `Room.apply` raises."""
    room = Room(id)
    for one in history:
        room.apply(*one)
    return room
