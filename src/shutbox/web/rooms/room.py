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
from shutbox.engine.play import Applied, Chosen, Corrected, Prepared, Rolled, TookBack
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
from shutbox.web.rooms.table_view import LogLine, OwnWords, ThrownView, move_view

WATCHERS = -1  # the number of the watch link, in place of a seat
OPENER = -2  # the number of the opener's key
INVITATION = -3  # the number of the key that opens any free seat

MOVES = {Rolled: "throw", Chosen: "choose", TookBack: "take-back", Corrected: "correct"}
_ASIDE = ("renew", "leave", "say", "name", "dice")  # events that the other players do not wait for
_SAYS: dict[type[events.RoomEvent], str] = {  # the sentences of events; others have none, or more
    events.Said: gettext_noop("{name}: {phrase}."),
    events.Entered: gettext_noop("{name} is here."),
    events.Named: gettext_noop("{name} is the new name of a player."),
    events.StoodIn: gettext_noop("{name} is away: a computer player takes over."),
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
    named: bool  # whether `name` was given, rather than made from the number of the seat
    computer: str  # the kind of computer player that plays here; empty for a person
    taken: bool
    left: bool = False
    again: bool | None = None  # whether the player wants another game; None before an answer
    phrase: str = ""  # the key of the phrase that the player has said since the last throw

    @property
    def is_present(self) -> bool:
        """Whether nobody has left the seat or been replaced at it; True for a free seat, too."""
        return not self.left and self.computer == self.plan.computer


Said = dict[str, Any]  # the fields `says`, `brief` and `own` of an event, those that it has
Tell = Callable[[], Said]  # a function that returns them in the current language


class Room:
    """A room: seats, links and games. A new one is empty; `apply` adds the events of its log."""

    opened: events.Opened  # the settings with which it was opened; an empty room has none

    def __init__(self, id: str) -> None:
        self.id = id
        self.event_count = 0  # how many events there are
        self.last_activity = 0.0  # seconds since 1970 of the last event that others waited for
        self.is_of_day = False  # whether this is a try at the box of a day: the same dice for all
        self.day = ""  # the UTC day whose dice it has, as YYYY-MM-DD, if it is of a day
        self.seats: list[SeatState] = []
        self.people: tuple[int, ...] = ()  # the seats that were planned for people
        self.links: dict[int, int] = {}  # by seat or number below 0: how often its link has changed
        self.game_number = 0  # the number of the current game, from 1; 0 before the first
        self.sitting: Sitting | None = None
        self.dice: SealedGame | None = None  # of this game; None if its dice are not sealed
        self.table: Table[Any, Any] | None = None
        self.rounds: tuple[RoundResult, ...] = ()  # the rounds of this game that are over
        self.last_throw: tuple[int, tuple[ThrownView, ...]] = 0, ()
        """The version of the game right after its last throw or correction, and its dice."""
        self.given_up = False
        self.wins: list[int] = []  # the games won by each seat before this one, in one evening
        self.closed = False  # by the host of the server
        self.phase: Literal["waiting", "playing", "over", "ended"] = "waiting"
        """`waiting` before a game; `ended` if it was given up, or the room closed."""
        self.turn: tuple[int, int] | None = None
        """The number of the game and the seat of the person who is due; None if no person is."""
        self.computer_due = False
        """Whether a computer player must move; not if people throw for it, or after MOST_EVENTS."""
        self.prepared: list[tuple[events.Played, Prepared[Any, Any]]] = []
        """The moves of the last command as it prepared them, so that no text is read again."""
        self.log: list[LogLine] = []  # each in the language in which it was applied
        self._tell: list[Tell] = []  # for each event, by its number - 1
        self._lines: dict[tuple[str, int], LogLine] = {}  # by language and number
        self._narrator: Narrator[Any, Any] | None = None
        self._cards: dict[str, RuleCard] = {}  # by language

    def apply(self, number: int, at: float, event: events.RoomEvent) -> LogLine:
        """Apply the next event, with its number and time; return its entry in the current language.

        Raises BadRecord if it cannot come next, NotAllowed before a game, and what the game raises.
        """
        facts: dict[str, Any] = {"number": number, "room": self.id}
        if number != self.event_count + 1:
            says = gettext_noop("event {number} of room {room} stands where event {due} should be")
            raise BadRecord(says, due=self.event_count + 1, **facts)
        if not self.seats and not isinstance(event, events.Opened):
            raise BadRecord("the log of room {room} does not begin with its opening", **facts)
        seat = getattr(event, "seat", WATCHERS)
        if self.seats and seat not in self.links:
            says = gettext_noop("event {number} of room {room} is about a seat that does not exist")
            raise BadRecord(says, **facts)
        with blaming(self.opened.game if self.seats else None):
            if isinstance(event, events.Played):
                line, tell = self._play(number, event)
            else:
                kind, tell = events.WORDS[type(event)], self._arrange(event, seat)
                line = LogLine(number, kind, seat if seat >= 0 else None, **tell())
            if self.closed or self.given_up:
                self.phase = "ended"
            elif self.table is not None:
                self.phase = "over" if isinstance(self.table.awaits, Over) else "playing"
            self.turn, self.computer_due = None, False
            if self.table is not None and self.phase == "playing":
                if not self.seats[due := self.table.due or 0].computer:
                    self.turn = self.game_number, due
                self.computer_due = self.table.bot_due and number < limits.MOST_EVENTS
        self.event_count = number
        if line.kind == "open" and self.is_of_day:
            self.day = self.opened.day or day_of(at)
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
            self._lines[key] = replace(self.log[number - 1], **self._tell[number - 1]())
        return self._lines[key]

    def _arrange(self, event: events.RoomEvent, seat: int) -> Tell:
        """Apply an event that is no move; return a function that gives its sentences, if any."""
        says = _SAYS.get(type(event), "")
        state: Any = self.seats[seat] if seat >= 0 else None
        match event:
            case events.Opened():
                self._open(event)
            case events.Begun(header=header):
                return self._begin(header)
            case events.Named(name=name):
                says = says if state.named else ""  # a first name is no news
                self._rename(seat, name)
            case events.Diced():
                self._seal(event)
            case events.Entered(name=name):
                self._take(seat, name)
            case events.StoodIn(computer=kind):
                if not state.taken:
                    says = gettext_noop("{name}, a computer player, sits down.")
                    self._take(seat, self.display_name(seat, kind))
                state.computer = kind
                self._set_bots()
            case events.Left():
                state.left = True
            case events.CameBack():
                state.left, state.computer = False, state.plan.computer
                self._set_bots()
            case events.RematchAnswer(again=wants):
                says = gettext_noop("{name} wants another.")
                if not wants:  # a refusal answers all who have asked
                    says = gettext_noop("{name} does not want another game.")
                    self._forget_answers()
                state.again = wants
            case events.Said(phrase=phrase):
                state.phrase = phrase
            case events.GivenUp():
                self.given_up = True
            case events.Renewed():
                self.links[seat] += 1
                self.links[INVITATION] += seat in self.free  # it leads to the free seats
            case events.Closed():
                self.closed = True

        def tell() -> Said:
            # The name that somebody took stays; all other sentences have the player's name of now.
            name = event.name if isinstance(event, events.Named) else state and state.name
            words = events.words_of(event.phrase) if isinstance(event, events.Said) else ""
            return {"says": (gettext(says, name=name, phrase=words),) if says else ()}

        return tell

    def _open(self, opened: events.Opened) -> None:
        self.opened, self.is_of_day = opened, opened.dice in ("day", "date")
        self.seats = [
            SeatState(plan, plan.name, is_name(plan.name, seat), plan.computer, not plan.by_link)
            for seat, plan in enumerate(opened.seats)
        ]
        self.people = tuple(seat for seat, state in enumerate(self.seats) if not state.computer)
        self.wins = [0] * len(self.seats)
        self.links = dict.fromkeys((*range(len(self.seats)), WATCHERS, OPENER, INVITATION), 0)

    def _take(self, seat: int, name: str) -> None:
        """Seat a player at a free seat."""
        self.seats[seat].taken = True
        # The link is used up: guests with it come too late, and a person here gets another.
        self.links[seat] += 1
        self._call(seat, name)

    def _call(self, seat: int, name: str) -> None:
        self.seats[seat].name, self.seats[seat].named = name, is_name(name, seat)

    def _forget_answers(self) -> None:
        for state in self.seats:
            state.again = None

    def _rename(self, seat: int, name: str) -> None:
        """Rename a seat, also in the game and in earlier sentences."""
        self._call(seat, name)
        if self.table is not None and self.sitting is not None and self._narrator is not None:
            header, narrator, before = self.sitting.header, self._narrator, self.table
            narrator.players = tuple(state.name for state in self.seats)
            seats = zip(header.players, narrator.players, strict=True)
            players = tuple(replace(player, name=new) for player, new in seats)
            self.sitting = Sitting.of(replace(header, players=players))
            self.table = self.sitting.table(before.log, bots=before.bots)
            self.table.cup, self.table.opened = before.cup, before.opened
            narrator.game = self.table.game
            narrator.begin(self.table.position)  # so that the names alone are no news
        self._lines.clear()
        self._cards.clear()

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

    def _begin(self, header: str) -> Tell:
        self.wins = self.score
        self._forget_answers()
        self.sitting = Sitting.of(read_header(Lines(BytesIO(header.encode()))))
        table = self.table = self.sitting.table()
        self._set_bots()
        if self.game_number:  # the envelope of the first game comes before its beginning
            self.dice = None
        self._close_cup()
        if challenge := self.opened.challenge:
            table.cup = read_challenge(challenge).cup
        self.game_number += 1
        self._cards, self.rounds, self.last_throw, self.given_up = {}, (), (0, ()), False
        names = [seat.name for seat in self.seats]
        narrator = self._narrator = Narrator(table.game, names, own=())
        return lambda: {"says": narrator.begin(table.start)}

    def _set_bots(self) -> None:
        """Give the table, if there is one, the computer players that the seats have now."""
        if self.table is not None:
            bots, kinds = self.table.bots, [state.computer for state in self.seats]
            self.table.bots = {s: bots.get(s) or bot(kind) for s, kind in enumerate(kinds) if kind}

    def _play(self, number: int, played: events.Played) -> tuple[LogLine, Tell]:
        table, narrator = self.playing(), self._narrator
        assert narrator is not None  # it is made with the table
        before, scene = table.position, table.scene
        prepared = next((move for event, move in self.prepared if event is played), None)
        if prepared is None:
            sealed = self.dice is not None
            prepared = table.prepare(event_of(table.game, before, played.deed, sealed=sealed))
        if prepared.seat != played.seat:
            raise BadRecord(
                "an event of seat {seat} stands where seat {due} should play",
                seat=played.seat,
                due=prepared.seat,
            )
        applied, event = table.apply(prepared), prepared.event
        move = move_view(table, applied, scene)
        if move.thrown:
            self.last_throw = table.version, move.thrown
            for state in self.seats:
                state.phrase = ""
        if isinstance(table.game, Match):
            # Only the last step changes, and that step may have ended a round.
            if isinstance(event, TookBack | Corrected) and table.game.settled(before).result:
                self.rounds = self.rounds[:-1]
            result = table.game.settled(table.position).result
            if result is not None and not isinstance(event, TookBack):
                self.rounds = (*self.rounds, result)
        said = _narrated(narrator, applied, table.scene)
        line = LogLine(number, MOVES[type(event)], played.seat, move=move, **said)
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
    def free(self) -> tuple[int, ...]:
        """The numbers, from 0, of the seats that are not taken yet."""
        return tuple(seat for seat, state in enumerate(self.seats) if not state.taken)

    def seats_with(self, taken: int | None, name: str, kind: str = "") -> list[Seat]:
        """Return the seats as they were planned, with one `taken` under a name, by any computer."""
        seats = [Seat(state.name, state.plan.computer) for state in self.seats]
        if taken is not None:
            seats[taken] = Seat(name, kind)
        return seats

    def others(self, mine: Collection[int]) -> tuple[int, ...]:
        """Return the seats where people are present, except the caller's seats `mine`."""
        states = ((seat, self.seats[seat]) for seat in self.people if seat not in mine)
        return tuple(seat for seat, s in states if s.taken and not s.computer and not s.left)

    @property
    def rule_card(self) -> RuleCard:
        """The rules in play, in the current language."""
        if (spoken := language()) not in self._cards:
            self._cards[spoken] = self.game.card()
        return self._cards[spoken]

    @property
    def game(self) -> Game[Any, Any]:
        """The game in play, or the first, once all sit. Raises as `game_of_seats`."""
        if self.table is not None:
            return self.table.game
        seats = [Seat(state.name, state.computer) for state in self.seats]
        return game_of_seats(self.opened.game, seats, self.opened.format)

    def display_name(self, seat: int, kind: str) -> str:
        """Return a name unlike those at other seats, for a computer player of `kind` at `seat`."""
        return display_name(kind, [state.name for n, state in enumerate(self.seats) if n != seat])

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
    """Return the sentences of a move in the current language; `scene` is the one after it."""
    scene = scene or narrator.game.scene(applied.after)
    ears = [(length, own) for own in (False, True) for length in (Length.NORMAL, Length.BRIEF)]
    says, brief, *own = narrator.after_at(applied, scene, ears)
    return {
        "says": says,
        "brief": brief if brief != says else None,
        "own": OwnWords(*own) if own != [says, brief] else None,
    }


def replayed(id: str, history: Iterable[events.Numbered]) -> Room:
    """Return the room `id` after all events of its `history`. Raises what `Room.apply` raises."""
    room = Room(id)
    for numbered in history:
        room.apply(*numbered)
    return room
