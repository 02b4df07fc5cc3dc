"""The sealed dice of a game in a room; docs/dice.md has their steps and hashes.

Clients promise words. Once the promises are fixed, the words come, and the dice are sealed. After
the game the envelope is opened. The seed is never here before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Literal

from shutbox.cups import fresh_dice
from shutbox.dice import Dice, Roll
from shutbox.errors import BadRecord, OutOfDate
from shutbox.sealed_dice import (
    OpenEnvelope,
    Seal,
    envelope_of,
    read_opening,
    seal_over,
    seal_words,
)
from shutbox.web.rooms.events import Diced, RoomEvent

Texts = tuple[str | None, ...]

seal_words()  # read now: later, the file can be of another release


class ClosedCup:
    """The cup of sealed dice whose seed is not known here: every throw raises OutOfDate."""

    def throw(self, dice: Dice) -> Roll:
        """Raise OutOfDate: the game has changed since its seed was put into the cup."""
        raise OutOfDate("the table has moved on; look again")


@dataclass
class SealView:
    """The sealed dice of a game, as everybody sees them; all hashes in hexadecimal digits."""

    gid: str  # the id of the game
    envelope: str  # the hash of the envelope with the seed
    promises: Texts
    """The commitments to words, by seat."""
    state: Literal["promises", "words", "sealed", "open"] = "promises"  # what the dice wait for
    missing: tuple[int, ...] = ()
    """The seats whose promised words have not come, once all promises are fixed."""
    seal: str = ""  # the hash of the seal; empty before it
    words: tuple[str, ...] = ()
    """The seal in twelve words."""


@dataclass
class SealedGame(SealView):
    """The sealed dice of a game, as the events of its room leave them."""

    given: Texts = ()
    """The words that have come, by seat."""
    names: tuple[str, str] = "", ""
    """The game and the format, as in a record."""
    opened: OpenEnvelope | None = field(default=None, repr=False)

    @property
    def shown(self) -> SealView:
        """The part that everybody sees."""
        return SealView(*(getattr(self, one.name) for one in fields(SealView)))

    @property
    def made(self) -> Seal:
        """The seal over the words that have come."""
        gid, envelope = bytes.fromhex(self.gid), bytes.fromhex(self.envelope)
        promises = tuple(bytes.fromhex(one) if one else None for one in self.promises)
        digest = seal_over(gid, envelope, self.given, *self.names)
        return Seal(gid, envelope, promises, digest)

    def apply(self, event: Diced) -> None:
        """Apply a step after the first.

        Raises LookupError for a seat that does not exist, and BadRecord for a wrong seal.
        """
        match event.step:
            case "promise":
                self.promises = _put(self.promises, event)
            case "fix":
                self.state = "words"
                self.missing = tuple(seat for seat, one in enumerate(self.promises) if one)
            case "word":
                self.given = _put(self.given, event)
                self.missing = tuple(seat for seat in self.missing if seat != event.seat)
            case "seal":
                made, self.state, self.seal = self.made, "sealed", event.text
                self.words = made.words
                if made.digest.hex() != event.text:
                    raise BadRecord("the seal is not over these words")
            case "open":
                self.state, self.opened = "open", read_opening(event.text, len(self.given))

    def fixing(self) -> tuple[Diced, ...]:
        """Return the step that ends the promises; if there are none, also the one that seals."""
        text = " ".join(one or "-" for one in (self.envelope, *self.promises))
        return (Diced("fix", text), *(() if any(self.promises) else self.sealing()))

    def sealing(self) -> tuple[Diced, ...]:
        """Return the step that seals the dice with the words that have come."""
        return (Diced("seal", self.made.digest.hex()),)


def _put(texts: Texts, event: Diced) -> Texts:
    found = list(texts)
    found[event.seat] = event.text
    return tuple(found)


def new_envelope() -> tuple[Diced, bytes]:
    """Return the first step of sealed dice, with a new gid and envelope, and the seed in it."""
    gid, opened = fresh_dice(())
    return Diced("envelope", f"{gid.hex()} {envelope_of(gid, opened.seed).hex()}"), opened.seed


def gid_in(made: Iterable[RoomEvent]) -> str:
    """Return the gid of the new envelope among the events of a change; empty if there is none."""
    texts = (one.text for one in made if isinstance(one, Diced) and one.step == "envelope")
    return next(texts, "").partition(" ")[0]


def in_envelope(text: str, seats: int) -> SealedGame:
    """Return sealed dice after the first step, whose text has their gid and their envelope."""
    gid, envelope = text.split()
    return SealedGame(gid, envelope, (None,) * seats, given=(None,) * seats)
