"""The course of a game at a terminal: it asks for throws and choices, and passes them on."""

import re
from dataclasses import dataclass

from shutbox.engine.cups import HandCup
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import capital, counted, listed, shown
from shutbox.engine.errors import IllegalRoll, NotUnderstood, ShutboxError, TooLarge
from shutbox.engine.game import Choose, Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.narrator import Length
from shutbox.engine.scene import by
from shutbox.engine.typed_text import ENDING_WORDS, in_ascii, typed_line
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.match.game import begins_turn, turn_at
from shutbox.term.commands import Commands, Wish
from shutbox.term.console import Stopped
from shutbox.term.keys import ENTER_SECONDS
from shutbox.term.reporter import AnyPrepared
from shutbox.term.speech import LOOK

_NEXT_WISHES = {
    **dict.fromkeys(("", "yes", "again"), Wish.AGAIN),
    **dict.fromkeys(("m", "menu"), Wish.MENU),
    **dict.fromkeys(("n", "no", *ENDING_WORDS), Wish.QUIT),
}
"""The wishes by what can be typed once a game is over."""


@dataclass(kw_only=True, eq=False)
class Session(Commands):
    """One game played at one console by all the people who sit round it; `run` plays it.

    Commands has the fields, what can be typed at any question, and how to ask one; the reporter
    says and draws what happens. Here is in which order that goes.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self._advised: object = None  # the position of the last hint given unasked
        self._ended: int | None = None  # the version of the table whose end was reported

    def run(self) -> Wish:
        """Play until the end, or until a player stops, and return what the players want next."""
        self._announce()
        try:
            while (wish := self._play_on()) is None:
                pass
        except (Stopped, KeyboardInterrupt):
            self._say_leaving()
            return self.wish
        return wish

    def _play_on(self) -> Wish | None:
        """Let the game go on by a throw or a choice; once it is over, return the next wish."""
        if self.table.bot_due:
            if not self._wait_for_undo():
                self.reporter.apply(self._prepare_bot())
            return None
        match self.table.awaits:
            case Throw(dice=dice, seat=seat):
                self._throw(dice, seat)
            case Choose(seat=seat):
                self._choose(seat)
            case Over():
                return self._ask_what_next()
        return None

    def _announce(self) -> None:
        """Say which game begins or goes on, and how it stands."""
        game = self.table.game
        title = game.card().title
        if isinstance(game, Match) and self.several:  # "Pub Game: the lowest score wins"
            title = by(title, title, game.reminder())
        says = gettext_noop("{title}.")
        if self.newcomer:
            says = gettext_noop("{title}. Type ? for help.")
        self.console.say(gettext(says, title=title))
        if self.seal is not None and self.length is not Length.BRIEF:
            self.seal.announce()
        if self.table.log:
            self.console.say(*self.reporter.narrator.resume(self.table.position))
        else:
            _, *begun = self.reporter.narrator.begin(self.table.start)  # the title is said already
            self.console.say(*begun)

    def _say_leaving(self) -> None:
        """Say how a game stands that a player leaves; nothing if it is over."""
        scene = self.table.scene
        if isinstance(self.table.awaits, Over):
            return
        if scene.score_by:
            # Translators: {score} is a sentence, such as "45 still up." or "7 so far.".
            self.console.say(gettext("You leave with {score}", score=scene.score_by))
        else:
            self.console.say(gettext("You leave the game."), scene.score)

    def _prepare_bot(self) -> AnyPrepared:
        """Prepare the event of the computer player due. Ctrl-C ends its thinking, not the game."""
        try:
            return self.table.prepare_bot()
        except KeyboardInterrupt:
            from shutbox.table.bots import bot  # only after Ctrl-C

            bots, due = self.table.bots, self.table.due
            assert due is not None  # a computer player is due
            slow = [seat for seat, player in bots.items() if type(player) is type(bots[due])]
            bots.update(dict.fromkeys(slow, bot("careful")))
            names = listed(self.players[seat] for seat in slow)
            says = ngettext(
                "{names} stops thinking, and looks one throw ahead from now on.",
                "{names} stop thinking, and look one throw ahead from now on.",
                len(slow),
                names=names,
            )
            self.console.say(says)
            return self.table.prepare_bot()

    def _throw(self, dice: Dice, seat: int) -> None:
        """Throw the dice that are due: typed in, at Enter, or by themselves after a pause."""
        table, reporter = self.table, self.reporter
        # At a terminal with pictures the first throw of a turn, or outside turns, waits for Enter.
        with_pictures = self.console.interactive and self.console.draws
        outside = turn_at(table.game, table.position) is None
        waits = with_pictures and (outside or begins_turn(table, table.position))
        if waits:  # on a screen, the end of the turn before stays visible until the throw
            in_place = self.console.screen() is not None
            reporter.draw(table.scene.lying if in_place else table.scene.pieces)
        name = self.players[seat] if self.several and seat not in reporter.own else ""
        if isinstance(table.cup, HandCup):
            self._ask_for_roll(table.cup, dice, name, seat)
        elif reporter.throws_again or (self.auto_throw and not waits):
            if not self._wait_for_undo():
                reporter.apply(table.prepare_throw(seat=seat))
        else:
            self._ask_for_enter(dice, name, seat)

    def _ask_for_roll(self, cup: HandCup, dice: Dice, name: str, seat: int) -> None:
        """Ask a player, by name if it is not empty, what the dice show, and throw that."""
        if len(dice.kinds) == 1:
            ask = counted(
                "throw one die and type what you see:",
                "throw {number} dice and type what you see:",
                len(dice),
            )
        else:
            ask = gettext("throw {dice} and type what you see:", dice=dice)
        example = " ".join(str(min(sides, 3)) for sides in dice.sides)
        helps = gettext("Type what the dice show, such as {example}.", example=example)
        answer = self.ask(by(name, capital(ask), ask), helps)
        if answer is None:
            return
        try:
            roll = dice.read(answer)
        except (NotUnderstood, IllegalRoll) as error:
            total_roll = self._roll_of_total(dice, answer)
            if total_roll is None:
                self.console.refuse(error)
                return
            roll, pips = total_roll, listed(total_roll.pips)
            self.console.say(gettext("Only the total counts here; {pips} stand for it.", pips=pips))
        cup.show(roll)
        self.attempt(self.table.prepare_throw, seat=seat)

    def _roll_of_total(self, dice: Dice, text: str) -> Roll | None:
        """Return a roll with the typed total if all rolls with it offer the same; None if not.

        Also None for dice with too many rolls to compare.
        """
        game, position = self.table.game, self.table.position
        total = in_ascii(text).strip()
        try:
            rolls = [roll for roll, _ in dice.outcomes() if str(roll.total) == total]
        except TooLarge:
            return None
        offers = {game.scene(game.rolled(position, roll)).offers for roll in rolls}
        return rolls[0] if len(offers) == 1 else None

    def _ask_for_enter(self, dice: Dice, name: str, seat: int) -> None:
        """Ask a player, by name if it is not empty, to throw with Enter, and throw.

        In the tray, the answer can also be the choice of what is thrown, and of what follows.
        """
        ask = counted("Enter throws one die:", "Enter throws {number} dice:", len(dice))
        helps = gettext("Press Enter to throw.")
        answer = self.ask(by(name, ask, ask), helps, throws=True)
        if answer is None:
            return
        word, split_line = typed_line(answer), traits_of(self.table.game).split_line
        try:
            if "throw".startswith(word) or word == "roll":  # Enter alone is a beginning, too
                self.attempt(self.table.prepare_throw, seat=seat)
            elif split_line and split_line(self.table.position, answer):  # valid after any throw
                self.attempt(self.table.prepare_throw, seat=seat)
                self._make_choices(answer, seat)
            else:
                self._say_not_understood(answer, helps)
        except ShutboxError as error:
            self.console.refuse(error)

    def _wait_for_undo(self) -> bool:
        """Before dice fall, wait for the voice and a moment; return whether `u` was typed.

        That takes back the last choice, or says why it cannot. What else is typed begins the next
        answer.
        """
        seat = self.table.taker_back
        falls = isinstance(self.table.awaits, Throw) and not self.reporter.throws_again
        if seat is None or not falls or not self.pause:
            return False
        if (screen := self.console.screen()) is not None:
            # Translators: a note while the program waits: press the key u.
            screen.write(gettext("u takes the choice back"))  # not a line, since it is soon over
        typed = ""
        while self.console.speech.speaks and not typed:
            typed = self.console.wait_for_keys(LOOK)
        typed = typed or self.console.wait_for_keys(self.pause)
        if typed in ("u", "U"):
            # Enter must not answer the next question.
            typed += self.console.wait_for_keys(ENTER_SECONDS)
        undo = re.match("u(ndo)?", typed, re.IGNORECASE)
        self.console.type_ahead(typed[undo.end() :] if undo else typed)
        if undo:
            self.attempt(self.table.prepare_take_back, seat=seat)
        return undo is not None

    def _choose(self, seat: int) -> None:
        """Give the hint that is wanted unasked, ask for a choice, and make it."""
        scene = self.table.scene
        self.reporter.draw(scene.pieces)
        wants_hint = self.advises and self.gives_hints and len(scene.offers) > 1
        if wants_hint and self._advised != self.table.position:
            self._advised = self.table.position
            self.spoken_coach.hint()
        if self.judges:
            self.spoken_coach.prepare_judging()
        ask = (self.reporter.own and scene.ask_alone) or scene.ask
        if scene.enter:
            # Translators: {enter} is such as "Press Enter to cover it".
            ask = gettext("{question} {enter}:", question=ask, enter=scene.enter)
        if scene.enter and len(scene.offers) < 2:
            helps = gettext("{words}.", words=scene.enter)
        elif any(offer.takes for offer in scene.offers):
            helps = self.table.game.card().typing
        else:
            offers = listed((offer.says for offer in scene.offers), last="or")
            helps = gettext("Type {offers}.", offers=offers)
        anew = turn_at(self.table.game, self.table.position) is None  # a question about chips
        answer = self.ask(ask, helps, scene=scene, anew=anew)
        if answer is not None:
            self._make_choices(answer or scene.default or "", seat)

    def _make_choices(self, text: str, seat: int) -> None:
        """Make the choices of a typed line; if one is refused, make none, and say why.

        Of several choices, all but the last are told by their first sentence only.
        """
        try:
            rolls = isinstance(self.table.cup, HandCup)
            *before, last = self.table.prepare_line(text, seat=seat, rolls=rolls)
        except ShutboxError as error:
            self.console.refuse(error)
            return
        for prepared in before:
            self.reporter.apply(prepared, whole=False)
        self.reporter.apply(last)

    def _ask_what_next(self) -> Wish | None:
        """Ask what the players want next, and return it; at a pipe, return QUIT without asking.

        None means: ask again, after a command or an answer that is not understood. A command can
        reopen the game: take back the last choice or, even at a pipe, correct typed dice.
        """
        self.reporter.draw(self.table.scene.pieces)
        self.reporter.sum_up()
        self._say_end()
        if self.once:
            return self.ends_to
        if not self.console.interactive and self.table.correctable is None:
            return Wish.QUIT
        if self.table.correctable is not None:
            # Translators: stands for {also}, before "m menu": keep the comma and the space.
            key, also = "c", gettext("c correct dice, ")
        elif self.table.taker_back is not None:
            # Translators: stands for {also}, before "m menu": keep the comma and the space.
            key, also = "u", gettext("u take back, ")
        else:
            key, also = "", ""
        # Translators: {also} is "c correct dice, ", "u take back, " or empty.
        ask = gettext("Play again? Enter is yes; v review, {also}m menu, q quit:", also=also)
        words = listed(f"v{key}mq", last="or")
        helps = gettext("Press Enter to play again, or type {words}.", words=words)
        wishes = {**_NEXT_WISHES, ENDING_WORDS[0]: self.ends_to}
        if not self.several:  # among several, y says how the others stand
            wishes["y"] = Wish.AGAIN
        answer = self.ask(ask, helps, wishes)
        if answer is None:
            return None
        wish = wishes.get(typed_line(answer))
        if wish is None:
            self._say_not_understood(answer, helps)
        return wish

    def _say_not_understood(self, answer: str, helps: str) -> None:
        text = shown(answer)
        self.console.say(gettext("{text} is not understood. {helps}", text=text, helps=helps))

    def _say_end(self) -> None:
        """Report how a scored game went, once for each time it ends, and only at a terminal."""
        table = self.table
        is_told = self._ended == table.version
        if table.game.scoring is None or not self.console.interactive or is_told:
            return
        self._ended = table.version
        self.console.say(*self.lines_after_game())
        from shutbox.term.coach import say_verdict  # a game starts faster without it

        say_verdict(table, self.players, self.console, self.reporter.people)
