"""The table: a game being played, with a cup, between a front end and the rules.

It knows whose turn it is, refuses what is out of turn or out of date, and has the log. It has
no socket, no clock, no disk and no screen.

Who keeps what happens asks the table to prepare an event, which is found legal or refused and
changes nothing; keeps it; and then has it applied.
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
    """One game at one table: a play with a cup, whose seats act each in its turn.

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

    Each of these prepares and applies in one. Who keeps events keeps them in between:

    >>> prepared = table.prepare_choice("8")
    >>> prepared.number, prepared.seat, prepared.offer.says, table.version
    (4, 0, '8', 3)
    >>> table.apply(prepared).offer.done, table.version
    ('8 goes down.', 4)

    `seat` says who acts, and `version`, where given, what the caller believes the version is:
    otherwise NotYourTurn and OutOfDate are raised. Every refusal leaves the table as it was.
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
        """A table at the start of `game`, or where `log` has led from there or from `start`.

        `bots` choose for their seats when `bot_chooses` asks them to.
        """
        super().__init__(game, log, start=start)
        self.cup = cup
        self.bots = dict(bots or {})
        self._thrown: Prepared[P, C] | None = None
        # A scene of thousands of offers takes a while to make, and is asked for often.
        self._scene: tuple[P, Scene] | None = None

    @property
    def text(self) -> str:
        """The position as full text."""
        return position_text(self.game, self.position)

    @property
    def scene(self) -> Scene:
        """What lies on the table."""
        if self._scene is None or self._scene[0] != self.position:
            self._scene = self.position, self.game.scene(self.position)
        return self._scene[1]

    @property
    def taker_back(self) -> int | None:
        """The seat that may take back the last choice; None if the last thing was a throw.

        None too where a computer player chose: nobody takes back what another has done.
        """
        return None if self._chooser in self.bots else self._chooser

    def prepare(self, event: Event[C]) -> Prepared[P, C]:
        """Prepare an event from elsewhere, such as a log. Raises what the game says to it."""
        prepared = super().prepare(event)
        awaited = self.awaits
        if not isinstance(event, Chosen) or not isinstance(awaited, Choose):
            return prepared
        return replace(prepared, offer=self.scene.offers[awaited.choices.index(event.choice)])

    def throw(self, *, seat: int = 0, version: int | None = None) -> Roll:
        """Throw the dice that are due. Raises IllegalRoll where none are."""
        event = self.apply(self.prepare_throw(seat=seat, version=version)).event
        assert isinstance(event, Rolled)  # that was prepared
        return event.roll

    def prepare_throw(self, *, seat: int = 0, version: int | None = None) -> Prepared[P, C]:
        """Throw the cup. Raises IllegalRoll where no dice are due.

        Until something happens, to prepare it again gives the same dice: nobody drops them to
        see others.
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
        """Make the choice that the text means; the offer that was taken.

        Raises NotUnderstood, Ambiguous and IllegalChoice.
        """
        return _taken(self.apply(self.prepare_choice(text, seat=seat, version=version)))

    def prepare_choice(
        self, text: str, *, seat: int = 0, version: int | None = None
    ) -> Prepared[P, C]:
        """Prepare what `choose` does. Raises what it raises."""
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
        """Prepare all that a typed line stands for: a choice, or several, one after the other.

        >>> from shutbox import ScriptCup, find
        >>> table = Table(find("tray(dice=3d6)"), ScriptCup(["2+4+4"]))
        >>> table.throw().pips
        (2, 4, 4)
        >>> [table.apply(one).offer.done for one in table.prepare_line("hold 4 4")]
        ['4 is held.', '4 is held.']

        Raises what `prepare_choice` raises of any of them.
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
        """Let the computer player who is due choose; the offer that it took.

        It sees the position and its choices, and no dice that have not fallen. Raises
        IllegalChoice where none of them is to choose.
        """
        return _taken(self.apply(self.prepare_bot_choice()))

    def prepare_bot(self) -> Prepared[P, C]:
        """The throw or the choice of the computer player who is due, see `bot_due`."""
        if self.bot_due and isinstance(self.awaits, Throw):
            return self.prepare_throw(seat=self.due or 0)
        return self.prepare_bot_choice()

    def prepare_bot_choice(self) -> Prepared[P, C]:
        """Prepare what `bot_chooses` does; it may think for a while. Raises what it raises."""
        awaited = self.awaits
        if not isinstance(awaited, Choose) or awaited.seat not in self.bots:
            raise IllegalChoice("no computer player is to choose", self.position)
        bot = self.bots[awaited.seat]
        return self.prepare(Chosen(picked(bot, self.game, self.position, awaited.choices)))

    def take_back(self, *, seat: int = 0, version: int | None = None) -> None:
        """Take back one's own last choice. Raises CannotTakeBack past a throw."""
        self.apply(self.prepare_take_back(seat=seat, version=version))

    def prepare_take_back(self, *, seat: int = 0, version: int | None = None) -> Prepared[P, C]:
        """Prepare what `take_back` does. Raises what it raises."""
        self._check(self.taker_back, seat, version)
        if self._chooser in self.bots:
            raise CannotTakeBack("the last choice was a computer player's; only your own goes back")
        return super().prepare(TookBack())

    def correct(self, text: str, *, seat: int = 0, version: int | None = None) -> None:
        """Replace the roll that was just typed in by what the dice really show.

        Raises CannotTakeBack for any other dice, NotUnderstood and IllegalRoll.
        """
        self.apply(self.prepare_correction(text, seat=seat, version=version))

    def prepare_correction(
        self, text: str, *, seat: int = 0, version: int | None = None
    ) -> Prepared[P, C]:
        """Prepare what `correct` does. Raises what it raises."""
        throw = self.correctable
        self._check(throw.seat if throw else None, seat, version)
        return super().prepare(Corrected(self._to_correct().dice.read(text)))

    @property
    def bot_due(self) -> bool:
        """Whether a computer player is to act: to choose, or to throw dice that no hand throws."""
        by_hand = isinstance(self.cup, HandCup) and isinstance(self.awaits, Throw)
        return self.due in self.bots and not by_hand

    def _check(self, owner: int | None, seat: int, version: int | None) -> None:
        # The version first: who acts on an old picture is not to blame for the seat.
        if version is not None and version != self.version:
            facts = {"version": version, "now": self.version}
            raise OutOfDate("version {version} is out of date; the table is at {now}", **facts)
        if owner is not None and seat != owner:
            facts = {"seat": seat, "owner": owner}
            raise NotYourTurn("seat {seat} cannot act; it is the turn of seat {owner}", **facts)


def meant(game: Game[P, C], position: P, scene: Scene, text: str) -> tuple[C, Offer]:
    """The choice that a person means, and its offer: the words of an offer, or what a game reads.

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
