"""A room: its seats, and the games played there, rebuilt by replaying the room's log."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from typing import Any, Literal

from shutbox.engine.cups import SealedCup
from shutbox.engine.errors import BadRecord, blaming
from shutbox.engine.game import Game, Over, RuleCard, Throw
from shutbox.engine.messages import gettext, gettext_noop, language
from shutbox.engine.names import is_chosen_name
from shutbox.engine.narrator import Narrator
from shutbox.engine.play import Chosen, Corrected, Prepared, Rolled, TookBack
from shutbox.engine.sealed_dice import digest_words, envelope_words
from shutbox.engine.seats import Seat
from shutbox.match import Match, RoundResult
from shutbox.record import Source, to_bytes
from shutbox.record.header import read_header
from shutbox.record.lines import Lines, event_of
from shutbox.table import Table
from shutbox.table.bots import bot
from shutbox.table.characters import display_name
from shutbox.table.setup import Sitting, game_of_seats, with_win
from shutbox.table.today import day_of
from shutbox.web import limits
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import events
from shutbox.web.rooms.log_line import (
    LogLine,
    MakeSentences,
    RoomLog,
    Sentences,
    ThrownView,
    move_sentences,
    move_view,
)
from shutbox.web.rooms.sealing import ClosedCup, SealedGame, read_challenge

WATCHERS = -1  # the number of the watch link, in place of a seat
OPENER = -2  # the number of the opener's key
INVITATION = -3  # the number of the key that opens any free seat

MOVES = {Rolled: "throw", Chosen: "choose", TookBack: "take-back", Corrected: "correct"}
_ASIDE = ("renew", "leave", "say", "name", "dice")  # events that the other players do not wait for
_TEMPLATES: dict[type[events.RoomEvent], str] = {
    events.Said: gettext_noop("{name}: {phrase}."),
    events.Entered: gettext_noop("{name} is here."),
    events.Named: gettext_noop("{name} is the new name of a player."),
    events.StoodIn: gettext_noop("{name} is away: a computer player takes over."),
    events.Left: gettext_noop("{name} has left the table."),
    events.CameBack: gettext_noop("{name} is back."),
    events.RematchAnswer: gettext_noop("{name} wants another."),
    events.GivenUp: gettext_noop("The game ends here, without a winner."),
    events.Closed: gettext_noop("The host of this server has closed this table."),
}
"""The sentences of events; others have none, or more."""
_EVENING = 6 * 3600.0  # a pause of so many seconds before a game resets the count of wins


@dataclass(slots=True)
class SeatState:
    """One seat of a room: what the opener planned for it, and who plays there now."""

    plan: events.Planned  # the name, computer player or link that the opener chose
    name: str  # of the player who sits or will sit here
    named: bool  # whether `name` was given, rather than made from the number of the seat
    computer: str  # the kind of computer player that plays here; empty for a person
    taken: bool  # False while the seat waits for a guest
    left: bool = False  # whether the player has left, and not come back
    wants_rematch: bool | None = None  # None before the player has answered
    phrase: str = ""  # the key of the phrase that the player has said since the last throw

    @property
    def is_present(self) -> bool:
        """Whether nobody has left the seat or been replaced at it; True for a free seat, too."""
        return not self.left and self.computer == self.plan.computer


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
        self.sitting: Sitting | None = None  # the setup of this game; None before the first
        self.dice: SealedGame | None = None  # of this game; None if its dice are not sealed
        self.table: Table[Any, Any] | None = None  # of this game; None before the first
        self.rounds: tuple[RoundResult, ...] = ()  # the rounds of this game that are over
        self.last_throw: tuple[int, tuple[ThrownView, ...]] = 0, ()
        """The version of the game right after its last throw or correction, and its dice."""
        self.given_up = False  # whether this game was ended without a winner
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
        self.log = RoomLog()
        self._narrator: Narrator[Any, Any] | None = None
        self._cards: dict[str, RuleCard] = {}  # by language

    def apply(self, number: int, at: float, event: events.RoomEvent) -> LogLine:
        """Apply the next event, with its number and time; return its entry in the current language.

        Raises BadRecord if it cannot come next, NotAllowed before a game, and what the game raises.
        """
        seat = seat_of(event)
        self._check(number, event, seat)
        with blaming(self.opened.game if self.seats else None):
            line, make_sentences = self._change(number, event, seat)
            self._update_turn(number)
        self.event_count = number
        if line.kind == "open" and self.is_of_day:
            self.day = self.opened.day or day_of(at)
        if line.kind == "begin" and at - self.last_activity > _EVENING:
            self.wins = [0] * len(self.seats)
        if line.kind not in _ASIDE:
            self.last_activity = at
        self.log.add(line, make_sentences)
        return line

    def _check(self, number: int, event: events.RoomEvent, seat: int) -> None:
        """Raise BadRecord unless an event can come next; a move is checked when it is played."""
        if number != self.event_count + 1:
            says = gettext_noop("event {number} of room {room} stands where event {due} should be")
        elif not self.seats and not isinstance(event, events.Opened):
            says = gettext_noop("the log of room {room} does not begin with its opening")
        elif self.seats and seat not in self.links:
            says = gettext_noop("event {number} of room {room} is about a seat that does not exist")
        else:
            return
        raise BadRecord(says, number=number, room=self.id, due=self.event_count + 1)

    def _change(
        self, number: int, event: events.RoomEvent, seat: int
    ) -> tuple[LogLine, MakeSentences]:
        """Apply an event; return its entry, and the function that makes its sentences again."""
        match event:
            case events.Played():
                return self._play(number, event)
            case events.Begun(header=header):
                make_sentences = self._begin(header)
            case _:
                # The template depends on the room before the event: a first name is no news. The
                # names in the sentence are those after it, so it is made below.
                template = self._choose_template(event, seat)
                self._apply_other(event, seat)
                make_sentences = partial(self._fill_template, event, seat, template)
        kind = events.WORDS[type(event)]
        line = LogLine(number, kind, seat if seat >= 0 else None, **make_sentences())
        return line, make_sentences

    def _update_turn(self, number: int) -> None:
        """Set the phase of the room, and who must act after event `number`."""
        if self.closed or self.given_up:
            self.phase = "ended"
        elif self.table is not None:
            self.phase = "over" if isinstance(self.table.awaits, Over) else "playing"
        self.turn, self.computer_due = None, False
        if self.table is not None and self.phase == "playing":
            due = self.table.due or 0
            if not self.seats[due].computer:
                self.turn = self.game_number, due
            self.computer_due = self.table.bot_due and number < limits.MOST_EVENTS

    def _choose_template(self, event: events.RoomEvent, seat: int) -> str:
        """Return the template of an event's sentence, chosen before the event is applied."""
        match event:
            case events.Named() if not self.seats[seat].named:
                return ""  # a first name is no news
            case events.StoodIn() if not self.seats[seat].taken:
                return gettext_noop("{name}, a computer player, sits down.")
            case events.RematchAnswer(again=False):
                return gettext_noop("{name} does not want another game.")
        return _TEMPLATES.get(type(event), "")

    def _fill_template(self, event: events.RoomEvent, seat: int, template: str) -> Sentences:
        """Return the sentence of an event that is no move, in the current language."""
        if not template:
            return {"says": ()}
        # The name that a player took stays; all other sentences have the player's name of now.
        renamed = event.name if isinstance(event, events.Named) else ""
        name = renamed or (self.seats[seat].name if seat >= 0 else "")
        phrase = events.phrase_words(event.phrase) if isinstance(event, events.Said) else ""
        return {"says": (gettext(template, name=name, phrase=phrase),)}

    def _apply_other(self, event: events.RoomEvent, seat: int) -> None:
        """Apply an event that is neither a move nor the beginning of a game."""
        match event:
            case events.Opened():
                self._open(event)
            case events.Diced():
                self._apply_dice(event)
            case events.GivenUp():
                self.given_up = True
            case events.Closed():
                self.closed = True
            case events.Renewed():
                self.links[seat] += 1
                self.links[INVITATION] += seat in self.free  # it leads to the free seats
            case events.Entered(name=name):
                self._seat_player(seat, name)
            case events.Named(name=name):
                self._rename(seat, name)
            case events.StoodIn(computer=kind):
                if not self.seats[seat].taken:
                    self._seat_player(seat, self.display_name(seat, kind))
                self.seats[seat].computer = kind
                self._set_bots()
            case events.Left():
                self.seats[seat].left = True
            case events.CameBack():
                state = self.seats[seat]
                state.left, state.computer = False, state.plan.computer
                self._set_bots()
            case events.RematchAnswer(again=wants):
                if not wants:  # a refusal answers all who have asked
                    self._forget_answers()
                self.seats[seat].wants_rematch = wants
            case events.Said(phrase=phrase):
                self.seats[seat].phrase = phrase

    def _open(self, plan: events.Opened) -> None:
        self.opened, self.is_of_day = plan, plan.dice in ("day", "date")
        self.seats = [
            SeatState(p, p.name, is_chosen_name(p.name, seat), p.computer, not p.by_link)
            for seat, p in enumerate(plan.seats)
        ]
        self.people = tuple(seat for seat, state in enumerate(self.seats) if not state.computer)
        self.wins = [0] * len(self.seats)
        self.links = dict.fromkeys((*range(len(self.seats)), WATCHERS, OPENER, INVITATION), 0)

    def _seat_player(self, seat: int, name: str) -> None:
        self.seats[seat].taken = True
        # The link is used up: guests with it come too late, and a person here gets another.
        self.links[seat] += 1
        self._set_name(seat, name)

    def _set_name(self, seat: int, name: str) -> None:
        self.seats[seat].name = name
        self.seats[seat].named = is_chosen_name(name, seat)

    def _forget_answers(self) -> None:
        for state in self.seats:
            state.wants_rematch = None

    def _rename(self, seat: int, name: str) -> None:
        """Rename a seat, also in the game and in earlier sentences."""
        self._set_name(seat, name)
        if self.table is not None and self.sitting is not None and self._narrator is not None:
            header, narrator, before = self.sitting.header, self._narrator, self.table
            narrator.players = tuple(state.name for state in self.seats)
            seats = zip(header.players, narrator.players, strict=True)
            players = tuple(replace(player, name=new) for player, new in seats)
            self.sitting = Sitting.of_header(replace(header, players=players))
            self.table = self.sitting.table(before.log, bots=before.bots)
            # The dice go on: the cup may hold the seed of sealed dice already.
            self.table.cup, self.table.dice_open = before.cup, before.dice_open
            narrator.game = self.table.game
            narrator.begin(self.table.position)  # so that the names alone are no news
        self.log.forget_sentences()
        self._cards.clear()

    # Sealed dice. The cup of a game is closed once both its envelope and its table are there, and
    # these come in one of two orders. The envelope of the first game comes with the opening of the
    # room, so `_begin` closes the cup. A later game begins before its envelope: `_begin` forgets
    # the dice of the game before, and `_apply_dice` closes the cup. The words, the seal and the
    # opening follow.

    def _apply_dice(self, event: events.Diced) -> None:
        """Apply a step of sealed dice, also to the table and its header if there is a game."""
        if event.step == "envelope":
            (gid, envelope), seats = event.text.split(), len(self.seats)
            words = envelope_words(bytes.fromhex(envelope))
            given, nobody = (False,) * seats, (None,) * seats
            self.dice = SealedGame(gid, envelope, words, given, word_texts=nobody)
            self._close_cup()
        elif self.dice:
            self.dice.apply(event)
        if self.sitting and self.table and self.dice:
            self.table.dice_open = self.dice.state == "open"
            if isinstance(self.table.cup, SealedCup):
                self.table.cup.words = digest_words(self.dice.word_texts)
            if event.step == "seal":
                dice = Source("sealed", seal=self.dice.seal_of_words)
                header = replace(self.sitting.header, dice=dice)
                self.sitting = replace(self.sitting, header=header)

    def _close_cup(self) -> None:
        """Give the table a cup that waits for the seed, if table and envelope are both there."""
        if self.sitting and self.table and self.dice:
            self.dice.names = self.sitting.header.game, self.sitting.header.format
            self.table.cup = ClosedCup()

    def _begin(self, header: str) -> MakeSentences:
        """Begin a game by the header of its record; return what makes the sentences for it."""
        self.wins = self.score
        self._forget_answers()
        self.sitting = Sitting.of_header(read_header(Lines(BytesIO(header.encode()))))
        table = self.table = self.sitting.table()
        self._set_bots()
        if self.game_number:
            self.dice = None  # those of the game before
        self._close_cup()
        if challenge := self.opened.challenge:
            table.cup = read_challenge(challenge).cup
        self.game_number += 1
        self._cards, self.rounds, self.last_throw, self.given_up = {}, (), (0, ()), False
        names = [seat.name for seat in self.seats]
        narrator = self._narrator = Narrator(table.game, names, own=(), late=range(len(names)))
        return lambda: {"says": narrator.begin(table.start)}

    def _set_bots(self) -> None:
        """Give the table, if there is one, the computer players that the seats have now."""
        if self.table is not None:
            bots, kinds = self.table.bots, [state.computer for state in self.seats]
            self.table.bots = {s: bots.get(s) or bot(kind) for s, kind in enumerate(kinds) if kind}

    def _play(self, number: int, played: events.Played) -> tuple[LogLine, MakeSentences]:
        """Play a move; return its entry, and the function that makes its sentences again."""
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
        sentences = move_sentences(narrator, applied, table.scene)
        line = LogLine(number, MOVES[type(event)], played.seat, move=move, **sentences)
        # Its offer has sentences in this language.
        return line, partial(move_sentences, narrator, replace(applied, offer=None))

    def playing(self) -> Table[Any, Any]:
        """Return the table of the current game. Raises NotAllowed before the first game begins."""
        if self.table is None:
            raise NotAllowed("the game has not begun; a seat is still free")
        return self.table

    @property
    def record(self) -> bytes:
        """The record of the current game so far. Raises NotAllowed before the first game begins."""
        table, sitting = self.playing(), self.sitting
        assert sitting is not None  # it came with the table
        opening = self.dice.opening if self.dice else None
        return to_bytes(sitting.header, sitting.game, table.log, opening)

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
    def word_seats(self) -> tuple[int, ...]:
        """The seats that add words to sealed dice: one of the opener's, then all of the guests."""
        people = [n for n, seat in enumerate(self.seats) if seat.taken and not seat.computer]
        guests = tuple(seat for seat in people if self.seats[seat].plan.by_link)
        return (*[seat for seat in people if seat not in guests][:1], *guests)

    @property
    def missing_words(self) -> tuple[int, ...]:
        """The seats whose words for sealed dice have not come; none once the dice are sealed."""
        if self.dice is None or self.dice.state != "words":
            return ()
        return tuple(seat for seat in self.word_seats if not self.dice.given[seat])

    @property
    def needs_seal(self) -> bool:
        """Whether the throw that is due waits for the words and the seed of sealed dice."""
        if self.table is None or self.phase != "playing":
            return False
        return isinstance(self.table.cup, ClosedCup) and isinstance(self.table.awaits, Throw)

    @property
    def needs_opening(self) -> bool:
        """Whether a game is over and its envelope (the seed) must open; never in a closed room."""
        is_sealed = self.dice is not None and self.dice.state == "sealed"
        return is_sealed and self.phase in ("over", "ended") and not self.closed


def seat_of(subject: Any) -> int:
    """Return the seat that an event or a request is about, or WATCHERS if it is about none."""
    return getattr(subject, "seat", WATCHERS)


def replay_room(id: str, history: Iterable[events.Numbered]) -> Room:
    """Return the room `id` after all events of its `history`. Raises what `Room.apply` raises."""
    room = Room(id)
    for numbered in history:
        room.apply(*numbered)
    return room
