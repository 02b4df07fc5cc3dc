"""The seal of the dice at the terminal: one line before the game, and `?dice` at any time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from shutbox.english import listed, shown
from shutbox.game import Over
from shutbox.messages import gettext
from shutbox.table import Table
from shutbox.table.setup import Sitting
from shutbox.term.console import Console

_ROW = 4  # words of the seal in a line


@dataclass(eq=False)
class SealCard:
    """The seal of one game, and the player's word in it."""

    sitting: Sitting
    table: Table[Any, Any]
    console: Console
    reseal: Callable[[Sitting], None]
    """The function that gives the game's record another header."""
    open: Callable[[], None]
    """The function that opens the envelope, once the game is over."""

    def announce(self) -> None:
        """Print one line: the dice are sealed, or no longer sealed since the seed is missing.

        The voice stays silent here: it speaks of the seal only after `?dice`.
        """
        line = gettext("The dice are sealed; ?dice shows the seal.")
        if self.sitting.opened is None:
            line = gettext("The seed of this game is not here: its dice are no longer sealed.")
        self.console.say(line, aloud=False)

    def show(self) -> None:
        """Show the seal; after the game, open the envelope first."""
        if isinstance(self.table.awaits, Over):
            self.open()
        self.console.say(*self._lines())

    def set_word(self, text: str) -> None:
        """Put the player's word into the seal, and show it; an empty text only shows it.

        Once the game has begun, say that the seal stays. Raises NotUnderstood for an unfit word.
        """
        if not text:
            self.show()
            return
        if self.table.version or self.sitting.opened is None:
            self.console.say(gettext("The game has begun; its seal stays as it is."))
            return
        self.sitting = self.sitting.sealed(text)
        self.table.cup = self.sitting.table().cup
        self.reseal(self.sitting)
        self.show()

    def _lines(self) -> Iterator[str]:
        header, opened = self.sitting.header, self.sitting.opened
        seal = header.dice.seal
        assert seal is not None  # or there is no card
        yield gettext("The seal of these dice is twelve words:")
        words = [f"{number} {word}" for number, word in enumerate(seal.words, start=1)]
        for place in range(0, len(words), _ROW):
            yield gettext("{words}.", words=", ".join(words[place : place + _ROW]))
        yield gettext("In digits: {digits}", digits=seal.digest.hex())
        yield gettext("The envelope: {digits}", digits=seal.envelope.hex())
        for word in opened.words if opened else ():
            if word is not None:
                yield gettext("Your word: {word}.", word=shown(word))
        if without := [n for n, one in zip(header.names, seal.commitments, strict=True) if not one]:
            yield gettext("Without a word: {names}.", names=listed(without))
        if not self.table.version:
            yield gettext("To use a word of your own, type ?word and the word.")
        yield gettext(
            "The program on this device made both halves. Type your own word, or write the twelve "
            "words down, if that matters to you."
        )
        if self.table.opened and opened is not None:
            yield gettext("The envelope is open. The seed: {digits}", digits=opened.seed.hex())
