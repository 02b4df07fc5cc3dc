"""Sealed dice: a seed in a closed envelope, words of the players, and the seal over both.

A player keeps the envelope before giving a word. The seal alone proves nothing about the order.

`docs/dice.md` describes the scheme byte by byte. Everything here is a function of its arguments.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path

from shutbox.engine.english import shown
from shutbox.engine.errors import BadRecord, NotUnderstood
from shutbox.engine.messages import gettext
from shutbox.engine.seats import Seat

LONGEST_WORD = 64  # the most code points of a player's word
Words = Sequence[str | None]  # by seat; None for a seat without a word
_BITS = 132  # of the envelope in twelve words

_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SEAL = re.compile("sealed ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64})")
_WORD = re.compile(r' ([0-9]{1,2}) ("(?:[^"\\]|\\.)*")')
_OPENING = re.compile(rf"opening ([0-9a-f]{{64}})((?:{_WORD.pattern})*)")
_TICKET = re.compile(rf'([^"]*?)(?:{_WORD.pattern})?')


@dataclass(frozen=True, slots=True)
class OpenEnvelope:
    """The opened envelope of sealed dice: its seed of 32 bytes, and each seat's word or None."""

    seed: bytes = field(repr=False)  # not in `repr`, which ends up in logs and error reports
    words: tuple[str | None, ...]  # texts that players chose, to have a say in the dice

    @property
    def words_digest(self) -> bytes:
        """W, the hash of the words, from which every throw and the seal are computed."""
        return digest_words(self.words)

    @property
    def text(self) -> str:
        """The line of a record that opens the envelope, without its check code."""
        return f"opening {self.seed.hex()}" + self.words_text

    @property
    def words_text(self) -> str:
        """The words as in a record or a ticket: a space, the seat, a space and the word of each."""
        import json  # not needed to play

        words = ((s, json.dumps(word)) for s, word in enumerate(self.words) if word is not None)
        return "".join(f" {seat} {word}" for seat, word in words)


def read_opening(text: str, seats: int) -> OpenEnvelope:
    """Return the envelope in a text of `OpenEnvelope.text`, for a game with this many seats.

    A seat without a word in it gets None. Raises BadRecord for any other text.
    """
    import json

    words: list[str | None] = [None] * seats
    with suppress(ValueError, IndexError, NotUnderstood):
        if match := _OPENING.fullmatch(text):
            for seat, word in _WORD.findall(match[2]):
                words[int(seat)] = fit_word(json.loads(word))
            envelope = OpenEnvelope(bytes.fromhex(match[1]), tuple(words))
            if envelope.text == text:
                return envelope
    raise BadRecord("{text} opens no envelope of this game", text=shown(text))


@dataclass(frozen=True, slots=True)
class Seal:
    """The hashes that fix sealed dice, made with the first throw; `str` is as in a record."""

    gid: bytes  # the number of the game, 16 random bytes
    envelope: bytes  # E, the hash of `gid` and the seed
    digest: bytes  # S, the hash of the envelope, the words and the game

    def __str__(self) -> str:
        return " ".join(["sealed", self.gid.hex(), self.envelope.hex(), self.digest.hex()])


def read_seal(text: str) -> Seal:
    """Return the seal in a text of `str(seal)`. Raises BadRecord for any other text."""
    if match := _SEAL.fullmatch(text):
        return Seal(*map(bytes.fromhex, match.groups()))
    raise BadRecord("{text} is no seal of a record", text=shown(text))


@dataclass(frozen=True, slots=True)
class Ticket:
    """The proof that a player keeps from before the game: the envelope, and the player's word."""

    envelope: str  # the first 32 to 64 hex digits of E
    seat: int = -1  # of the word, from 0; -1 without a word
    word: str = ""

    def mismatches(self, envelope: bytes, open_envelope: OpenEnvelope | None) -> Iterator[str]:
        """Yield a clause for each part of the ticket that is wrong.

        Its envelope must be `envelope`, E; its word, once there is an `open_envelope`, its seat's.
        """
        if not envelope.hex().startswith(self.envelope):
            yield gettext("the envelope is not the one that you kept")
        words = open_envelope.words[self.seat : self.seat + 1] if open_envelope else ()
        if open_envelope and self.seat >= 0 and self.word not in words:
            yield gettext("your word is not in these dice")


def read_ticket(text: str) -> Ticket:
    """Return the ticket that a person kept: E and, if a word was given, its seat and the word.

    E is twelve words of the list, numbered or not, or 32 to 64 hex digits. The seat, from 0, and
    the word are written as in an opening: `0 "otter"`. Raises NotUnderstood.
    """
    import json

    match = _TICKET.fullmatch(text.strip())
    with suppress(ValueError):  # from a word that is not in the list, or from JSON
        if match and (digits := _envelope_digits(match[1].lower())):
            seat, word = (int(match[2]), json.loads(match[3])) if match[3] else (-1, "")
            return Ticket(digits, seat, fit_word(word))
    raise NotUnderstood(
        "{text} is no ticket; it begins with twelve words of the list, or 32 to 64 hex digits",
        text=shown(text),
    )


def _envelope_digits(text: str) -> str:
    """Return the hex digits of E in digits or words, "" if too few; ValueError: other words."""
    if re.fullmatch("[0-9a-f]{32,64}", digits := "".join(text.split())):
        return digits
    bits = "".join(f"{word_list().index(word):011b}" for word in re.findall("[a-z]+", text))
    return f"{int(bits, 2):033x}" if len(bits) == _BITS else ""


def envelope_words(envelope: bytes) -> tuple[str, ...]:
    """Return the envelope E for people: twelve words, the first 132 of its 256 bits."""
    bits = int.from_bytes(envelope, "big") >> 256 - _BITS
    return tuple(word_list()[bits >> place & 2047] for place in range(_BITS - 11, -1, -11))


@cache
def word_list() -> tuple[str, ...]:
    """Return the 2,048 words of envelopes: the English list of BIP 39, in its order."""
    return tuple(Path(__file__).with_name("dice_words.txt").read_text(encoding="ascii").split())


def fit_word(text: str) -> str:
    """Return a player's word in Unicode NFC.

    Raises NotUnderstood for over LONGEST_WORD characters, a control, surrogate or direction mark.
    """
    word = unicodedata.normalize("NFC", text)
    if len(word) > LONGEST_WORD:
        raise NotUnderstood("a word has at most {most} characters", most=LONGEST_WORD)
    if _BIDI.search(word) or any(unicodedata.category(c) in ("Cc", "Cs") for c in word):
        raise NotUnderstood("a word has no control characters and no marks of direction")
    return word


def tagged(tag: str, *parts: bytes) -> bytes:
    """Return H: the SHA-256 of `shutbox/dice/1/` + `tag` and the parts, each after its length."""
    from hashlib import sha256  # slow to import, and only sealed dice need it

    name = f"shutbox/dice/1/{tag}".encode()
    fields = b"".join(_u32(len(part)) + part for part in parts)
    return sha256(len(name).to_bytes(2, "big") + name + fields).digest()


def envelope_of(gid: bytes, seed: bytes) -> bytes:
    """Return E, the closed envelope: the hash of the game's number `gid` and its seed."""
    return tagged("envelope", gid, seed)


def digest_words(words: Words) -> bytes:
    """Return W, the hash of the words of all seats; None stands for a seat without a word."""
    parts = ((0, b"") if word is None else (1, word.encode()) for word in words)
    return tagged("words", *(_u32(s) + bytes([f]) + w for s, (f, w) in enumerate(parts)))


def seal_of(gid: bytes, open_envelope: OpenEnvelope, game: str, format: str) -> Seal:
    """Return the seal of a game with the number `gid`; `game` and `format` are as in its header."""
    envelope = envelope_of(gid, open_envelope.seed)
    return Seal(gid, envelope, seal_over(gid, envelope, open_envelope.words, game, format))


def seal_over(gid: bytes, envelope: bytes, words: Words, game: str, format: str) -> bytes:
    """Return S, the hash of `gid`, `envelope`, all words, game, format and the number of seats."""
    texts = (unicodedata.normalize("NFC", text).encode() for text in (game, format))
    return tagged("seal", gid, envelope, digest_words(words), *texts, _u32(len(words)))


def mismatches(
    seal: Seal, open_envelope: OpenEnvelope, game: str, format: str, players: Sequence[Seat]
) -> Iterator[str]:
    """Yield a clause for each part of an opened envelope that does not agree with the seal.

    `game`, `format` and `players` are as in a header. A computer player gives no word.
    """
    right = seal_of(seal.gid, open_envelope, game, format)
    if seal.envelope != right.envelope:
        yield gettext("the seed is not the one in the envelope")
    for player, word in zip(players, open_envelope.words, strict=True):
        if player.computer and word is not None:
            yield gettext("{name} is a computer player and has a word", name=player.name)
    if seal.digest != right.digest:
        yield gettext("the seal does not hold this envelope, these words and this game")


def throw_bytes(gid: bytes, seed: bytes, words_digest: bytes, number: int) -> Iterator[int]:
    """Yield without end the bytes for throw `number`, from 1; `words_digest` is W."""
    import hmac  # slow to import, and only sealed dice need it

    key = hmac.digest(seed, b"throw" + gid + _u32(number) + words_digest, "sha256")
    for block in count():
        yield from hmac.digest(key, _u32(block), "sha256")


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
