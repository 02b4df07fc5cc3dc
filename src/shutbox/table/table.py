"""The table: a game being played with a cup, between a front end and the rules.

It knows whose turn it is, refuses events out of turn or out of date, and has the log. It uses no
network, clock, disk or screen.

A caller that stores events first prepares one, which checks it and changes nothing. It then stores
the event, and then applies it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from shutbox.cups import HandCup
from shutbox.dice import Cup, Roll
from shutbox.errors import CannotTakeBack, IllegalChoice, IllegalRoll, NotYourTurn, OutOfDate
from shutbox.game import C, Choose, Game, P, Throw, open_choices, position_text
from shutbox.games.traits import traits_of
from shutbox.play import Applied, Chosen, Corrected, Event, Play, Prepared, Rolled, TookBack
from shutbox.player import Player, picked
from shutbox.scene import Offer, Scene


class Table(Play[P, C]):
    """A play with a cup, in which each seat acts in its turn.

    >>> from shutbox import ScriptCup, find
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

    `seat` is the seat that acts, and `version`, if given, is the version that the caller last saw.
    If they are wrong, NotYourTurn or OutOfDate is raised. A refusal leaves the table unchanged.
    """

    def __init__(
        self,
        game: Game[P, C],
        cup: Cup,
        log: Iterable[Event[C]] = (),
        *,
        bots: Mapping[int, Player[P, C]] | None = None,
        start: P | None = None,
    ) -> None:
        """Set up a table at the start of `game`, or at `start`, and replay `log` from there.

        `bots` choose for their seats when `bot_chooses` is called.
        """
        super().__init__(game, log, start=start)
        self.cup = cup
        self.bots = dict(bots or {})
        self._thrown: Prepared[P, C] | None = None
        # Cached, since a scene with thousands of offers is slow to make and often needed.
        self._scene: tuple[P, Scene] | None = None

    @property
    def text(self) -> str:
        """The position as full text, with the name of the game."""
        return position_text(self.game, self.position)

    @property
    def scene(self) -> Scene:
        """The scene of the position."""
        if self._scene is None or self._scene[0] != self.position:
            self._scene = self.position, self.game.scene(self.position)
        return self._scene[1]

    @property
    def taker_back(self) -> int | None:
        """The seat that can take back the last choice; None unless the last step is a choice.

        Also None if a computer player chose, since players take back only their own choices.
        """
        return None if self._chooser in self.bots else self._chooser

    def prepare(self, event: Event[C]) -> Prepared[P, C]:
        """Prepare an event of any seat, such as one of a log. Raises what `Play.prepare` raises."""
        prepared = super().prepare(event)
        awaited = self.awaits
        if not isinstance(event, Chosen) or not isinstance(awaited, Choose):
            return prepared
        return replace(prepared, offer=self.scene.offers[awaited.choices.index(event.choice)])

    def throw(self, *, seat: int = 0, version: int | None = None) -> Roll:
        """Throw the dice that are due. Raises IllegalRoll if none are, and what the cup raises."""
        event = self.apply(self.prepare_throw(seat=seat, version=version)).event
        assert isinstance(event, Rolled)  # that was prepared
        return event.roll

    def prepare_throw(self, *, seat: int = 0, version: int | None = None) -> Prepared[P, C]:
        """Throw the cup, and prepare the event of `throw`. Raises the same errors.

        Until an event happens, preparing again returns the same dice, so that a caller cannot
        discard a roll to get another. A HandCup returns each roll shown only once.
        """
        awaited = self.awaits
        self._check(self.due, seat, version)
        if not isinstance(awaited, Throw):
            raise IllegalRoll("no throw is due", self.position)
        if isinstance(self.cup, HandCup):
            return super().prepare(Rolled(self.cup.throw(awaited.dice), typed=True))
        if self._thrown is None or self._thrown.number != self.version + 1:
            self._thrown = super().prepare(Rolled(self.cup.throw(awaited.dice)))
        return self._thrown

    def choose(self, text: str, *, seat: int = 0, version: int | None = None) -> Offer:
        """Make the choice that the text means, and return the offer that was taken.

        Raises NotUnderstood, Ambiguous and IllegalChoice.
        """
        return _taken(self.apply(self.prepare_choice(text, seat=seat, version=version)))

    def prepare_choice(
        self, text: str, *, seat: int = 0, version: int | None = None
    ) -> Prepared[P, C]:
        """Prepare the event of `choose`. Raises the same errors."""
        self._check(self.due, seat, version)
        if seat in self.bots:
            raise NotYourTurn(
                "seat {seat} is a computer player's, which chooses for itself", seat=seat
            )
        choice, offer = meant(self.game, self.position, self.scene, text)
        return replace(super().prepare(Chosen(choice)), offer=offer)

    def prepare_line(
        self, text: str, *, seat: int = 0, version: int | None = None
    ) -> list[Prepared[P, C]]:
        """Prepare all events of a typed line: one choice, or several in a row.

        >>> from shutbox import ScriptCup, find
        >>> table = Table(find("tray(dice=3d6)"), ScriptCup(["2+4+4"]))
        >>> table.throw().pips
        (2, 4, 4)
        >>> [table.apply(one).offer.done for one in table.prepare_line("hold 4 4")]
        ['4 is held.', '4 is held.']

        Raises what `prepare_choice` raises for any of them.
        """
        several = traits_of(self.game).several
        first, *rest = (several(self.position, text) if several else ()) or (text,)
        prepared = [self.prepare_choice(first, seat=seat, version=version)]
        for typed in rest:
            number, before = prepared[-1].number + 1, prepared[-1].after
            choice, offer = meant(self.game, before, self.game.scene(before), typed)
            after = self.game.chosen(before, choice)
            prepared.append(Prepared(self.game, number, seat, Chosen(choice), before, after, offer))
        return prepared

    def bot_chooses(self) -> Offer:
        """Let the computer player on turn choose, and return the offer that it took.

        It sees the position and its choices, but no future dice. Raises IllegalChoice if no
        computer player has to choose.
        """
        return _taken(self.apply(self.prepare_bot_choice()))

    def prepare_bot(self) -> Prepared[P, C]:
        """Prepare the throw or choice of the bot on turn. Raises IllegalChoice unless `bot_due`."""
        if self.bot_due and isinstance(self.awaits, Throw):
            return self.prepare_throw(seat=self.due or 0)
        return self.prepare_bot_choice()

    def prepare_bot_choice(self) -> Prepared[P, C]:
        """Prepare the event of `bot_chooses`, which can take a while. Raises the same errors."""
        awaited = self.awaits
        if not isinstance(awaited, Choose) or awaited.seat not in self.bots:
            raise IllegalChoice("no computer player is to choose", self.position)
        bot = self.bots[awaited.seat]
        return self.prepare(Chosen(picked(bot, self.game, self.position, awaited.choices)))

    def take_back(self, *, seat: int = 0, version: int | None = None) -> None:
        """Take back the last choice. Raises CannotTakeBack after a throw or a computer's choice."""
        self.apply(self.prepare_take_back(seat=seat, version=version))

    def prepare_take_back(self, *, seat: int = 0, version: int | None = None) -> Prepared[P, C]:
        """Prepare the event of `take_back`. Raises the same errors."""
        self._check(self.taker_back, seat, version)
        if self._chooser in self.bots:
            raise CannotTakeBack("the last choice was a computer player's; only your own goes back")
        return super().prepare(TookBack())

    def correct(self, text: str, *, seat: int = 0, version: int | None = None) -> None:
        """Replace the roll that was just typed in by the correct one.

        Raises CannotTakeBack for any other roll, NotUnderstood and IllegalRoll.
        """
        self.apply(self.prepare_correction(text, seat=seat, version=version))

    def prepare_correction(
        self, text: str, *, seat: int = 0, version: int | None = None
    ) -> Prepared[P, C]:
        """Prepare the event of `correct`. Raises the same errors."""
        throw = self.correctable
        self._check(throw.seat if throw else None, seat, version)
        return super().prepare(Corrected(self._to_correct().dice.read(text)))

    @property
    def bot_due(self) -> bool:
        """Whether a computer player must act: choose, or throw dice that no person throws."""
        by_hand = isinstance(self.cup, HandCup) and isinstance(self.awaits, Throw)
        return self.due in self.bots and not by_hand

    def _check(self, owner: int | None, seat: int, version: int | None) -> None:
        # The version first: on an old view of the table, a wrong seat is not the caller's mistake.
        if version is not None and version != self.version:
            facts = {"version": version, "now": self.version}
            raise OutOfDate("version {version} is out of date; the table is at {now}", **facts)
        if owner is not None and seat != owner:
            facts = {"seat": seat, "owner": owner}
            raise NotYourTurn("seat {seat} cannot act; it is the turn of seat {owner}", **facts)


def meant(game: Game[P, C], position: P, scene: Scene, text: str) -> tuple[C, Offer]:
    """Return the choice that a text means, and its offer.

    The text is the spoken words of an offer, or one that the game's `parse_choice` reads.

    >>> from shutbox import find
    >>> two_rows = find("double-shutter")
    >>> here = two_rows.position_at("1-9.b1-9/4+5")
    >>> choice, offer = meant(two_rows, here, two_rows.scene(here), "9 in front")
    >>> two_rows.choice_text(choice), offer.done
    ('9', '9 in front goes down.')

    Raises NotUnderstood, Ambiguous and IllegalChoice.
    """
    choices = open_choices(game.awaits(position), position)
    said = " ".join(text.casefold().split())
    for choice, offer in zip(choices, scene.offers, strict=True):
        if offer.says.casefold() == said:
            return choice, offer
    choice = game.parse_choice(position, text)
    return choice, scene.offers[choices.index(choice)]


def _taken(applied: Applied[P, C]) -> Offer:
    assert applied.offer is not None  # it was a choice
    return applied.offer
