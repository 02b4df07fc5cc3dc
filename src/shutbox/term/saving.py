"""The storage of a game at the terminal: its record on the disk, and the envelope of its dice."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shutbox.engine.english import command, listed, shown
from shutbox.engine.errors import NotKept, ShutboxError
from shutbox.engine.game import Over
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.play import Prepared
from shutbox.engine.sealed_dice import envelope_words
from shutbox.record.folder import Journal, Store, record_words_first
from shutbox.table import Table
from shutbox.table.setup import Sitting
from shutbox.term.console import Console

NOT_SAVED = gettext_noop("Play on; this game is not being saved.")
_ROW = 4  # words of the envelope in a line


@dataclass(eq=False)
class Saving:
    """A keeper of a game's record. If the record cannot be created, the game is played unsaved.

    If a later write fails, the player is asked, so that no saved game is lost unnoticed. If the
    dice are sealed, it shows their envelope, and takes the player's word.
    """

    console: Console
    sitting: Sitting
    table: Table[Any, Any]
    journal: Journal | None  # None: the game is not saved, or its record is closed
    brief: bool = False  # whether not to announce that the envelope is open

    @classmethod
    def begin(cls, console: Console, sitting: Sitting, table: Table[Any, Any]) -> "Saving":
        """Return a Saving for a new game; if records cannot be kept, say so, and save nothing."""
        journal = None
        try:
            journal = Store().begin(sitting.header, sitting.envelope)
        except NotKept as error:
            console.refuse(error)
            console.say(gettext(NOT_SAVED))
        return cls(console, sitting, table, journal)

    def save(self, prepared: Prepared[Any, Any]) -> None:
        """Save an event before it is applied; if that fails, ask whether to try again.

        Raises Stopped if the answer is "end". Without a record yet, say that the game is unsaved.
        """
        while (journal := self.journal) is not None:
            try:
                journal.append(prepared)
                return
            except NotKept as error:
                self.console.refuse(error)
            if journal.path is None:
                self.console.say(gettext(NOT_SAVED))
                self.journal = None
                return
            ask = gettext("Enter tries again, no goes on without saving, end stops:")
            helps = [gettext("Press Enter to try again, or type no or end.")]
            while answer := self.console.answer(ask, helps=helps):
                if answer.lower() == "no":
                    self.close(over=False)
                    return
                self.console.say(gettext("{text} is not understood.", text=shown(answer)))

    def close(self, *, over: bool) -> None:
        """Close the record, and save no more; if the game is not `over`, say how to continue it."""
        journal, self.journal = self.journal, None
        if journal is None:
            return
        journal.close()
        if over or journal.path is None:
            return
        which = journal.path if journal.id is None else journal.id
        if not journal.path.exists():
            self.console.say(
                gettext("{record} is no longer on the disk.", record=record_words_first(which))
            )
            return
        resumes = command(f"resume {journal.id or journal.path}")
        self.console.say(gettext("The game is saved: {command} continues it.", command=resumes))

    def announce(self) -> None:
        """Print, not aloud, that the dice are sealed; or if their seed is not here, no longer.

        That they are is news only before the first game of the folder.
        """
        if self.sitting.envelope is None:
            line = gettext("The seed of this game is not here: its dice are no longer sealed.")
        elif self.has_records():
            return
        else:
            line = gettext("The dice are sealed; ?dice shows the envelope.")
        self.console.say(line, aloud=False)

    @staticmethod
    def has_records() -> bool:
        """Return whether the user has played before; True if the folder cannot be read."""
        with suppress(ShutboxError):
            return Store().newest() is not None
        return True

    def open_envelope(self) -> None:
        """Open the envelope after the game, if here and closed; store it; say how to check it."""
        if self.table.dice_open or self.sitting.envelope is None:
            return
        self.table.dice_open = True
        if self.journal is None or self.journal.path is None:
            return
        try:
            self.journal.open_envelope(self.sitting.envelope)
        except NotKept as error:
            self.console.refuse(error)
            return
        check = command(f"check {self.journal.id or self.journal.path}")
        says = gettext("The envelope is open; {command} checks every throw.", command=check)
        if not self.brief:
            self.console.say(says, aloud=False)

    def show_envelope(self) -> None:
        """Say the envelope, the ticket and the words; after a game, first open the envelope."""
        if isinstance(self.table.awaits, Over):
            self.open_envelope()
        self.console.say(*self._envelope_lines())

    def set_word(self, text: str) -> None:
        """Take the player's word, and show the envelope.

        Once the game has begun, say that its words stay. Raises NotUnderstood for an unfit word.
        """
        if self.table.version or self.sitting.envelope is None:
            self.console.say(
                gettext(
                    "The game has begun, so its words stay. Give your word before the next game."
                )
            )
            return
        self.sitting = self.sitting.with_envelope(text)
        self.table.cup = self.sitting.table().cup
        if self.journal is not None:  # it has no event yet, so a new one replaces it
            self.journal = Saving.begin(self.console, self.sitting, self.table).journal
        self.show_envelope()

    def _envelope_lines(self) -> Iterator[str]:
        """Yield the sentences that say the envelope, the words, and the seed once it is open."""
        header, contents = self.sitting.header, self.sitting.envelope
        seal = header.dice.seal
        assert seal is not None  # without one, no command shows it
        yield gettext("The envelope of these dice is twelve words:")
        words = [f"{number} {word}" for number, word in enumerate(envelope_words(seal.envelope), 1)]
        for place in range(0, len(words), _ROW):
            yield gettext("{words}.", words=", ".join(words[place : place + _ROW]))
        given = contents.words if contents else ()
        ticket = seal.envelope.hex() + (contents.words_text if contents else "")
        yield gettext("The ticket: {ticket}", ticket=ticket)
        for word in given:
            if word is not None:
                yield gettext("Your word: {word}.", word=shown(word))
        if without := [n for n, word in zip(header.names, given, strict=False) if word is None]:
            yield gettext("Without a word: {names}.", names=listed(without))
        if self.table.version:
            # Translators: the dice come of two halves: the envelope and the word.
            yield gettext(
                "The program on this device made both halves. Keep the twelve words if you want to "
                "check it later."
            )
        else:
            yield gettext("To use a word of your own, type ?word and the word.")
            yield gettext(
                "The program on this device made both halves. Type your own word, or write the "
                "twelve words down, if that matters to you."
            )
        if self.table.dice_open and contents is not None:
            yield gettext("The envelope is open. The seed: {digits}", digits=contents.seed.hex())
