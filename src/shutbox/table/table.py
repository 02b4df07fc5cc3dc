"""The table: a game being played with a cup, between a front end and the rules.

It knows whose turn it is, refuses events out of turn, and has the log, but no network, clock, disk
or screen. A caller that stores events first prepares one, which changes
nothing, then stores it, and then applies it.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from shutbox.engine.cups import HandCup, SealedCup, cup_meant
from shutbox.engine.dice import Cup, Roll
from shutbox.engine.english import capital, listed, shown
from shutbox.engine.errors import (
    CannotTakeBack,
    IllegalChoice,
    IllegalRoll,
    NotUnderstood,
    NotYourTurn,
)
from shutbox.engine.game import (
    C,
    Choose,
    Game,
    P,
    Throw,
    open_choices,
    position_text,
    refusal_of_non_choice,
)
from shutbox.engine.messages import gettext, language
from shutbox.engine.play import (
    Applied,
    Chosen,
    Corrected,
    Event,
    Play,
    Player,
    Prepared,
    Rolled,
    TookBack,
    ask_player,
)
from shutbox.engine.scene import THROW_AGAIN, Offer, Scene
from shutbox.games.traits import traits_of

if TYPE_CHECKING:
    from shutbox.solving.options import Option
    from shutbox.table.bots import AnyPlayer

# By seat, or one for every seat.
Bots: TypeAlias = "Mapping[int, AnyPlayer] | Mapping[str, AnyPlayer] | AnyPlayer | None"
AnyCup = Cup | str | int | None  # a cup or its seed; None: the system's dice

_THROWS = ("dice", THROW_AGAIN)  # the kinds of offers that a throw follows


class Table(Play[P, C]):
    """A play with a cup that throws its dice, in which each seat acts only in its turn.

    >>> from shutbox import find
    >>> from shutbox.engine.cups import ScriptCup
    >>> table = Table(find("classic"), ScriptCup(["3+5"]))
    >>> table.throw()
    Roll((3, 5))
    >>> table.choose("1 7").done
    '1 and 7 go down.'
    >>> table.text, table.version
    ('classic:2.3.4.5.6.8.9', 2)
    >>> table.take_back()
    >>> table.text, table.version
    ('classic:1.2.3.4.5.6.7.8.9/3+5', 3)

    Each of these prepares and applies in one step. A caller that stores events does so in between:

    >>> prepared = table.prepare_choice("8")
    >>> prepared.number, prepared.seat, prepared.offer.says, table.version
    (4, 0, '8', 3)
    >>> table.apply(prepared).offer.done, table.version
    ('8 goes down.', 4)

    The player who is due acts. A caller that acts for one player gives the `seat`, by number or
    name: every method that takes it raises NotYourTurn, or BadName if `seat` is no name here. A
    refusal changes nothing.

    It has `game`, `position` and `start`, the `cup` and the number of its `throws`, the `bots` by
    seat, and `dice_open`, whether the envelope of sealed dice is open.
    """

    @overload
    def __init__(
        self: "Table[Any, Any]",
        game: str,
        cup: AnyCup = ...,
        log: Iterable[Event[Any]] = ...,
        *,
        bots: Bots = ...,
        start: Any = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        game: Game[P, C],
        cup: AnyCup = ...,
        log: Iterable[Event[C]] = ...,
        *,
        bots: Bots = ...,
        start: Any = ...,
    ) -> None: ...
    def __init__(
        self,
        game: Any,
        cup: AnyCup = None,
        log: Iterable[Event[Any]] = (),
        *,
        bots: Bots = None,
        start: Any = None,
    ) -> None:
        """Set up a table at the start of `game`, or at `start`, and replay `log` from there.

        The game, the position and the computer players can be given as text, and the cup by a
        seed; without a cup the dice are those of the system. `bots` is a player, a function or
        the name of a player, for every seat, or maps the number or name of a seat to one; it
        chooses when `bot_chooses` is called. Raises what `find_position`, `cup_meant` and
        `as_player` raise, BadName for an unknown seat (its number is checked only in a match),
        NotUnderstood for other `bots`, and what `Play.prepare` raises for the log.
        """
        if isinstance(game, str) or start is not None or not hasattr(game, "position_id"):
            from shutbox.table.lookup import find_position  # slow to import, and few tables need it

            game, start = find_position(game, start)
        super().__init__(game, log, start=start)
        self.cup = cup_meant(cup)
        self.bots = _bots_by_seat(game, bots)
        self.dice_open = False  # whether the envelope of sealed dice is; then nothing goes back
        self._thrown: Prepared[P, C] | None = None  # the last throw that was prepared
        # The last scene by language: one with many offers is slow to make, and often needed.
        self._scenes: dict[str, tuple[P, Scene]] = {}

    @property
    def text(self) -> str:
        """The text of the position, which begins with the name of the game."""
        return position_text(self.game, self.position)

    @property
    def scene(self) -> Scene:
        """The scene of the position, in the language that is set."""
        known = self._scenes.get(language())
        if known is None or known[0] != self.position:
            known = self._scenes[language()] = self.position, self.game.scene(self.position)
        return known[1]

    @property
    def dice_text(self) -> str:
        """The answer to: what do the dice show? If a game draws no dice, it is the last throw."""
        if self.scene.draws_dice:
            return self.scene.dice
        thrown = (event for event in reversed(self.log) if isinstance(event, Rolled | Corrected))
        if (last := next(thrown, None)) is None:
            return self.scene.dice
        return capital(gettext("threw {pips}.", pips=listed(last.roll.pips)))

    @property
    def taker_back(self) -> int | None:
        """The seat that can take back the last step; None if that is not a person's choice.

        Also None once the envelope of sealed dice is open.
        """
        return None if self.dice_open or self.last_chooser in self.bots else self.last_chooser

    @property
    def bot_due(self) -> bool:
        """Whether it is a computer player's turn, and no person throws the dice for it."""
        by_hand = isinstance(self.cup, HandCup) and isinstance(self.awaits, Throw)
        return self.due in self.bots and not by_hand

    def prepare(self, event: Event[C]) -> Prepared[P, C]:
        """Prepare any event, of any seat; a choice gets its offer. Raises as `Play.prepare`."""
        prepared = super().prepare(event)
        awaited = self.awaits
        if not isinstance(event, Chosen) or not isinstance(awaited, Choose):
            return prepared
        return replace(prepared, offer=self.scene.offers[awaited.choices.index(event.choice)])

    def throw(self, *, seat: int | str | None = None) -> Roll:
        """Throw the dice that are due. Raises IllegalRoll if none are, and what the cup raises."""
        event = self.apply(self.prepare_throw(seat=seat)).event
        assert isinstance(event, Rolled)  # that was prepared
        return event.roll

    def prepare_throw(self, *, seat: int | str | None = None) -> Prepared[P, C]:
        """Return the throw that is due, prepared. Raises as `throw`.

        Until an event happens, preparing again returns the same dice: the cup is thrown once, so
        that a caller cannot discard a roll to get another. But a HandCup shows the next roll.
        """
        awaited = self.awaits
        self._acting_seat(self.due, seat)
        if not isinstance(awaited, Throw):
            raise IllegalRoll("no throw is due", self.position)
        if isinstance(self.cup, HandCup):
            return self.prepare(Rolled(self.cup.throw(awaited.dice), typed=True))
        # A throw with this number has been prepared, but not applied: it stands.
        if self._thrown is None or self._thrown.number != self.version + 1:
            if isinstance(self.cup, SealedCup):
                self.cup.thrown = self.throws  # a throw that was not stored does not count
            self._thrown = self.prepare(Rolled(self.cup.throw(awaited.dice)))
        return self._thrown

    def choose(self, text: "C | Option[C] | str", *, seat: int | str | None = None) -> Offer:
        """Make a choice, given as itself or as text, and return the offer that was taken.

        Raises NotUnderstood or Ambiguous for the text, IllegalChoice for a choice that is not open,
        and NotYourTurn also for a computer player's seat.
        """
        return _taken(self.apply(self.prepare_choice(text, seat=seat)))

    def prepare_choice(
        self, text: "C | Option[C] | str", *, seat: int | str | None = None
    ) -> Prepared[P, C]:
        """Prepare the event of `choose`, to be applied later. Raises the same errors."""
        seat = self._acting_seat(self.due, seat)
        if seat in self.bots:
            raise NotYourTurn(
                "seat {seat} is a computer player's, which chooses for itself", seat=seat
            )
        choice, _ = read_choice(self.game, self.position, self.scene, text)
        return self.prepare(Chosen(choice))

    def prepare_line(
        self, text: str, *, seat: int | str | None = None, rolls: bool = False
    ) -> list[Prepared[P, C]]:
        """Prepare all events of a typed line: one choice, or several in a row.

        With `rolls`, the line can also be the roll that follows the choice of a number of dice.

        >>> from shutbox import find
        >>> from shutbox.engine.cups import ScriptCup
        >>> table = Table(find("tray(dice=3d6)"), ScriptCup(["2+4+4"]))
        >>> table.throw().pips
        (2, 4, 4)
        >>> [table.apply(prepared).offer.done for prepared in table.prepare_line("hold 4 4")]
        ['4 is held.', '4 is held.']

        Raises what `prepare_choice` raises for any of them.
        """
        is_offer = any(text == offer.text for offer in self.scene.offers)
        split_line = None if is_offer else traits_of(self.game).split_line
        parts = split_line(self.position, text) if split_line else ()
        first, *rest = parts or (text,)
        try:
            prepared = [self.prepare_choice(first, seat=seat)]
        except (NotUnderstood, IllegalChoice):
            throws = self._throws_after_choice(text) if rolls else []
            if len(throws) != 1:
                raise
            return throws[0]
        for part in rest:
            before = prepared[-1].after
            choice, offer = read_choice(self.game, before, self.game.scene(before), part)
            following = self.prepare_next(prepared[-1], Chosen(choice))
            prepared.append(replace(following, offer=offer))
        return prepared

    def _throws_after_choice(self, text: str) -> list[list[Prepared[P, C]]]:
        """Return each choice of dice whose throw can be the roll `text`, prepared with that throw.

        [] if no choice of dice is due.
        """
        throws: list[list[Prepared[P, C]]] = []
        awaited = self.awaits
        for choice in awaited.choices if isinstance(awaited, Choose) else ():
            chosen = self.prepare(Chosen(choice))
            due = self.game.awaits(chosen.after)
            if chosen.offer and chosen.offer.kind in _THROWS and isinstance(due, Throw):
                with suppress(NotUnderstood, IllegalRoll):
                    thrown = Rolled(due.dice.read(text), typed=True)
                    throws.append([chosen, self.prepare_next(chosen, thrown)])
        return throws

    def bot_chooses(self) -> Offer:
        """Let the computer player whose turn it is choose, and return the offer that it took.

        It sees the position and its choices, but no future dice. Raises what the player raises, and
        IllegalChoice if no computer player has to choose, or if it picks a choice not offered.
        """
        return _taken(self.apply(self.prepare_bot_choice()))

    def prepare_bot(self) -> Prepared[P, C]:
        """Prepare a bot's throw or choice. Raises their errors; IllegalChoice unless `bot_due`."""
        if self.bot_due and isinstance(self.awaits, Throw):
            return self.prepare_throw()
        return self.prepare_bot_choice()

    def prepare_bot_choice(self) -> Prepared[P, C]:
        """Prepare the event of `bot_chooses`, which can take a while. Raises the same errors."""
        awaited = self.awaits
        if not isinstance(awaited, Choose) or awaited.seat not in self.bots:
            raise IllegalChoice("no computer player is to choose", self.position)
        bot = self.bots[awaited.seat]
        return self.prepare(Chosen(ask_player(bot, self.game, self.position, awaited.choices)))

    def take_back(self, *, seat: int | str | None = None) -> None:
        """Take back the last choice, as the player who made it.

        Raises CannotTakeBack if the last step is not a person's choice, or the envelope is open.
        """
        self.apply(self.prepare_take_back(seat=seat))

    def prepare_take_back(self, *, seat: int | str | None = None) -> Prepared[P, C]:
        """Prepare the event of `take_back`, to be applied later. Raises the same errors."""
        self._acting_seat(self.taker_back, seat)
        if self.dice_open:
            raise CannotTakeBack("the envelope of the dice is open; nothing goes back any more")
        if self.last_chooser in self.bots:
            raise CannotTakeBack("the last choice was a computer player's; only your own goes back")
        return super().prepare(TookBack())

    def correct(self, text: str, *, seat: int | str | None = None) -> None:
        """Replace the roll that was just typed in with the roll in `text`.

        Raises CannotTakeBack if the last step is not such a roll, and what `Dice.read` raises.
        """
        self.apply(self.prepare_correction(text, seat=seat))

    def prepare_correction(self, text: str, *, seat: int | str | None = None) -> Prepared[P, C]:
        """Prepare the event of `correct`, to be applied later. Raises the same errors."""
        throw = self.correctable
        self._acting_seat(throw.seat if throw else None, seat)
        return super().prepare(Corrected(self._to_correct().dice.read(text)))

    def _acting_seat(self, owner: int | None, seat: int | str | None) -> int:
        """Return the number of the seat that acts, by default `owner`'s or 0.

        Raises BadName, and NotYourTurn if another than `owner` is given.
        """
        if seat is None:
            return 0 if owner is None else owner
        if isinstance(seat, str):
            # Slow to import, and front ends give numbers.
            from shutbox.engine.seats import seat_number

            seat = seat_number(seat, _names(self.game))
        if owner is not None and seat != owner:
            facts = {"seat": seat, "due": owner}
            raise NotYourTurn("seat {seat} cannot act; it is the turn of seat {due}", **facts)
        return seat


def _bots_by_seat(game: Game[P, C], bots: Any) -> dict[int, Player[Any, Any]]:
    """Return the computer players that `bots` means, as in `Table`, by number of seat."""
    if isinstance(bots, str) or callable(bots) or hasattr(bots, "pick"):
        bots = dict.fromkeys(range(len(_names(game))), bots)
    if not bots:
        return {}
    from shutbox.engine.seats import seat_number  # slow to import
    from shutbox.table.bots import as_player

    if not isinstance(bots, Mapping):
        raise NotUnderstood(
            "{bots} are not computer players by seat; write such as {{1: 'perfect'}}",
            bots=shown(repr(bots)),
        )
    is_match = hasattr(game, "players")  # another game does not say how many seats it has
    by_seat: dict[int, Player[Any, Any]] = {}
    for seat, player in bots.items():
        is_known = isinstance(seat, int) and not is_match
        by_seat[seat if is_known else seat_number(seat, _names(game))] = as_player(player)
    return by_seat


def _names(game: Game[P, C]) -> Sequence[str]:
    """Return the names by seat; outside a match there is one name."""
    names: Sequence[str] = getattr(game, "players", ("Player 1",))
    return names


def read_choice(game: Game[P, C], position: P, scene: Scene, given: Any) -> tuple[C, Offer]:
    """Return the open choice that `given` means, and its offer.

    A text is that of an offer, or its spoken words, such as `9 in front`, or one that the game's
    `parse_choice` reads; any other object is a choice, or has one in its attribute `choice`. Raises
    NotUnderstood or Ambiguous for a text, and IllegalChoice for a choice that is not open.
    """
    choices = open_choices(game.awaits(position), position)
    if isinstance(given, str):
        typed = " ".join(given.casefold().split())
        for choice, offer in zip(choices, scene.offers, strict=True):
            if given == offer.text or offer.says.casefold() == typed:
                return choice, offer
        choice = game.parse_choice(position, given)
    else:
        choice = getattr(given, "choice", given)
        if choice not in choices:
            raise refusal_of_non_choice(choice, position)
    return choice, scene.offers[choices.index(choice)]


def _taken(applied: Applied[P, C]) -> Offer:
    assert applied.offer is not None  # it was a choice
    return applied.offer
