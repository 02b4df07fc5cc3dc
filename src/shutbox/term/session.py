"""The course of a game at a terminal: it says what happened, asks, and passes on the answer."""

from dataclasses import dataclass

from shutbox.engine.cups import HandCup
from shutbox.engine.dice import Dice
from shutbox.engine.english import capital, counted, listed, shown
from shutbox.engine.errors import IllegalRoll, NotUnderstood, ShutboxError
from shutbox.engine.game import Choose, Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.narrator import Length
from shutbox.engine.scene import by
from shutbox.engine.typed_text import ENDING_WORDS, in_ascii
from shutbox.games.traits import traits_of
from shutbox.match.game import begins_turn, turn_at
from shutbox.term.commands import AnyPrepared, Commands, Wish
from shutbox.term.console import Stopped
from shutbox.term.keys import ENTER

_AFTER = {
    **dict.fromkeys(("", "y", "yes", "again"), Wish.AGAIN),
    **dict.fromkeys(("m", "menu"), Wish.MENU),
    **dict.fromkeys(("n", "no", *ENDING_WORDS), Wish.QUIT),
}
_THROW = "throw"  # this word or its beginning throws where Enter does


@dataclass(kw_only=True, eq=False)
class Session(Commands):
    """One game played at one console by all the people who sit round it; `run` plays it."""

    def run(self) -> Wish:
        """Play until the end, or until a player stops, and return what the players want next."""
        says = gettext_noop("{title}.")
        if self.newcomer:
            says = gettext_noop("{title}. Type ? for help.")
        self.console.say(gettext(says, title=self.table.game.card().title))
        if self.seal is not None and self.length is not Length.BRIEF:
            self.seal.announce()
        if self.table.version:
            self.console.say(*self._narrator.resume(self.table.position))
        else:
            _, *begun = self._narrator.begin(self.table.start)
            self.console.say(*begun)
        try:
            while True:
                match self.table.awaits:
                    case _ if self.table.bot_due:
                        if not self._takes_back():
                            self._act(self._thought())
                    case Throw(dice=dice, seat=seat):
                        self._throw(dice, seat)
                    case Choose():
                        self._choose()
                    case Over():
                        if (after := self._after()) is not None:
                            return after
        except (Stopped, KeyboardInterrupt):
            if not isinstance(self.table.awaits, Over):
                scene = self.table.scene
                if scene.score_by:
                    self.console.say(gettext("You leave with {score}", score=scene.score_by))
                else:
                    self.console.say(gettext("You leave the game."), scene.score)
            return self._wish

    def _thought(self) -> AnyPrepared:
        """Prepare the event of the computer player due. Ctrl-C ends its thinking, not the game."""
        try:
            return self.table.prepare_bot()
        except KeyboardInterrupt:
            from shutbox.table.bots import bot  # only after Ctrl-C

            bots, due = self.table.bots, self.table.due
            hasty = [seat for seat, one in bots.items() if type(one) is type(bots[due or 0])]
            bots.update(dict.fromkeys(hasty, bot("careful")))
            names = listed(self.players[seat] for seat in hasty)
            says = ngettext(
                "{names} stops thinking, and looks one throw ahead from now on.",
                "{names} stop thinking, and look one throw ahead from now on.",
                len(hasty),
                names=names,
            )
            self.console.say(says)
            return self.table.prepare_bot()

    def _throw(self, dice: Dice, seat: int) -> None:
        cup, game, at = self.table.cup, self.table.game, self.table.position
        # At a terminal with pictures the first throw of a turn, or outside turns, waits for Enter.
        begins = self.console.interactive and self.console.draws
        begins = begins and (turn_at(game, at) is None or begins_turn(self.table, at))
        if begins:  # on a screen, the end of the turn before stays visible until the throw
            scene = self.table.scene
            self._draw(scene.lying if self.console.screen() is not None else scene.pieces)
        name = self.players[seat] if self.players[1:] and seat not in self._own else ""
        if isinstance(cup, HandCup):
            ask = gettext("throw {dice} and type what you see:", dice=dice)
            if len(dice.kinds) == 1:
                ask = counted(
                    "throw one die and type what you see:",
                    "throw {number} dice and type what you see:",
                    len(dice),
                )
            example = " ".join(str(min(sides, 3)) for sides in dice.sides)
            helps = gettext("Type what the dice show, such as {example}.", example=example)
            if (answer := self.ask(by(name, capital(ask), ask), helps)) is not None:
                self._try(self._throw_by_hand, cup, dice, answer, seat=seat)
        elif self._throws_again or (self.auto_throw and not begins):
            if not self._takes_back():
                self._act(self.table.prepare_throw(seat=seat))
        else:
            ask = counted("Enter throws one die:", "Enter throws {number} dice:", len(dice))
            helps = gettext("Press Enter to throw.")
            answer = self.ask(by(name, ask, ask), helps, throws=True)
            if answer is not None:
                self._throw_on(answer, helps, seat)

    def _throw_on(self, answer: str, helps: str, seat: int) -> None:
        """Throw on an answer that says so; in the tray, also on a choice of what is thrown."""
        several, word = traits_of(self.table.game).several, in_ascii(answer).lower()
        try:
            if _THROW.startswith(word) or word == "roll":
                self._try(self.table.prepare_throw, seat=seat)
            elif several and several(self.table.position, answer):  # which no throw can spoil
                self._try(self.table.prepare_throw, seat=seat)
                self._make(answer)
            else:
                self._not_understood(answer, helps)
        except ShutboxError as error:
            self.console.refuse(error)

    def _throw_by_hand(self, cup: HandCup, dice: Dice, text: str, seat: int) -> AnyPrepared:
        """Prepare a throw of the typed roll; a total is enough if all its rolls offer the same."""
        game, at = self.table.game, self.table.position
        try:
            roll = dice.read(text)
        except (NotUnderstood, IllegalRoll):
            rolls = [
                roll for roll, _ in dice.outcomes() if str(roll.total) == in_ascii(text).strip()
            ]
            if len({game.scene(game.rolled(at, roll)).offers for roll in rolls}) != 1:
                raise
            roll = rolls[0]
            self._say(
                gettext("Only the total counts here; {pips} stand for it.", pips=listed(roll.pips))
            )
        cup.show(roll)
        return self.table.prepare_throw(seat=seat)

    def _takes_back(self) -> bool:
        """Wait a moment before a throw without Enter; at `u`, take back, and return True."""
        seat = self.table.taker_back
        falls = isinstance(self.table.awaits, Throw) and not self._throws_again
        if seat is None or not falls or not self.pause:
            return False
        if (screen := self.console.screen()) is not None:
            screen.write(gettext("u takes the choice back"))
        if (typed := self.console.pressed(self.pause).casefold()) == "u":
            typed += self.console.pressed(ENTER)  # it must not answer the next question
        rest = typed.removeprefix("undo").removeprefix("u")
        self.console.type_ahead(rest)
        if rest != typed:
            self._try(self.table.prepare_take_back, seat=seat)
        return rest != typed

    def _choose(self) -> None:
        scene = self.table.scene
        self._draw(scene.pieces)
        advises = self.advises and self._hints and len(scene.offers) > 1
        if advises and self._advised != self.table.position:
            self._advised = self.table.position
            self._coach.hint()
        if self._coaches:
            self._coach.watch()
        ask = (self._own and scene.ask_alone) or scene.ask
        if scene.enter:
            ask = gettext("{question} {enter}:", question=ask, enter=scene.enter)
        helps = self.table.game.card().typing
        if not any(offer.takes for offer in scene.offers):
            offers = listed((offer.says for offer in scene.offers), last="or")
            helps = gettext("Type {offers}.", offers=offers)
        if (answer := self.ask(ask, helps, scene=scene)) is None:
            return
        self._make(answer or scene.default or "")

    def _make(self, text: str) -> None:
        """Make the choices of a typed line; if one is refused, make none, and say why."""
        try:
            rolls = isinstance(self.table.cup, HandCup)
            *before, last = self.table.prepare_line(text, seat=self.table.due or 0, rolls=rolls)
        except ShutboxError as error:
            self.console.refuse(error)
            return
        for prepared in before:
            self._act(prepared, whole=False)
        self._act(last)

    def _after(self) -> Wish | None:
        """Ask what the players want next, and return it; at a pipe, return QUIT without asking.

        None means: ask again, after a command or an answer that is not understood. A command can
        reopen the game: take back the last choice or, even at a pipe, correct typed dice.
        """
        self._draw(self.table.scene.pieces)
        self._sum_up()
        self._say_end()
        if self.once:
            return self.ends_to
        if not self.console.interactive and self.table.correctable is None:
            return Wish.QUIT
        also, key = "", ""
        if self.table.correctable is not None:
            also, key = gettext("c correct dice, "), "c"
        elif self.table.taker_back is not None:
            also, key = gettext("u take back, "), "u"
        ask = gettext("Play again? Enter is yes; v review, {also}m menu, q quit:", also=also)
        words = listed(f"v{key}mq", last="or")
        helps = gettext("Press Enter to play again, or type {words}.", words=words)
        known = _AFTER if self.players[1:] else {**_AFTER, "y": Wish.AGAIN}
        if (answer := self.ask(ask, helps, known)) is None:
            return None
        if (word := in_ascii(answer).lower()) not in known:
            self._not_understood(answer, helps)
            return None
        return self.ends_to if word == ENDING_WORDS[0] else known[word]

    def _not_understood(self, answer: str, helps: str) -> None:
        text = shown(answer)
        self.console.say(gettext("{text} is not understood. {helps}", text=text, helps=helps))

    def _say_end(self) -> None:
        """Report how a scored game went, once for each time it ends, and only at a terminal."""
        table = self.table
        unscored = table.game.scoring is None
        if unscored or not self.console.interactive or self._ended == table.version:
            return
        self._ended = table.version
        self.console.say(*self.afterwards())
        from shutbox.term.coach import say_verdict  # a game starts faster without it

        say_verdict(table, self.players, self.console, self._people)
