"""The sealed dice of a game in a room; docs/dice.md has their steps and hashes.

Each client keeps the envelope, and then gives a word. The first throw seals the dice with the words
that have come. After the game the envelope is opened. Before that, no event contains the seed.

Then the players can challenge others to throw the same dice. The link of a challenge holds all of
it, so that it opens at any server and without one: the seed, the numbers of the player's own
throws, and the player's choices. It has no names, and of the words only their hash.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, Self

from shutbox.engine.cups import SealedCup, fresh_dice
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import BadRecord, NotUnderstood, OutOfDate, ShutboxError
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.play import Chosen, Event, Play, Rolled
from shutbox.engine.sealed_dice import OpenEnvelope, Seal, envelope_of, read_opening, seal_over
from shutbox.engine.seats import Seat
from shutbox.match import Match
from shutbox.match.game import turn_at, turns_of_throw
from shutbox.table.setup import game_of_seats
from shutbox.web.errors import FASTER
from shutbox.web.limits import LONGEST_CHALLENGE
from shutbox.web.rooms.events import Diced

_LARGEST_UNPACKED = 40_000  # bytes of a challenge's lines
_MOST_THROWS = 1_000_000  # numbers of throws are below this

Texts = tuple[str | None, ...]


class ClosedCup:
    """The cup of sealed dice whose seed is not known here: every throw raises OutOfDate."""

    def throw(self, dice: Dice) -> Roll:
        """Raise OutOfDate: the game has changed since its seed was put into the cup."""
        raise OutOfDate(FASTER)


@dataclass
class SealView:
    """The sealed dice of a game, as everybody sees them; all hashes in hexadecimal digits."""

    gid: str  # the id of the game
    envelope: str  # the hash of the envelope with the seed
    words: tuple[str, ...]  # the envelope in twelve words
    given: tuple[bool, ...]  # by seat, whether a word has come
    state: Literal["words", "sealed", "open"] = "words"  # the current step
    seal: str = ""  # the hash of the seal; empty before it


@dataclass
class SealedGame(SealView):
    """The sealed dice of a game on their way from the envelope to its opening, step by step."""

    word_texts: Texts = ()  # the words that have come, by seat
    names: tuple[str, str] = "", ""  # the game and the format, as in a record
    opening: OpenEnvelope | None = field(default=None, repr=False)

    @property
    def seal_of_words(self) -> Seal:
        """The seal that the words so far would make."""
        gid, envelope = bytes.fromhex(self.gid), bytes.fromhex(self.envelope)
        return Seal(gid, envelope, seal_over(gid, envelope, self.word_texts, *self.names))

    def apply(self, event: Diced) -> None:
        """Apply any step but `envelope`. Raises BadRecord for a wrong seal or malformed opening."""
        match event.step:
            case "word":
                texts = list(self.word_texts)
                texts[event.seat] = event.text
                self.word_texts = tuple(texts)
                self.given = tuple(text is not None for text in texts)
            case "seal":
                if self.seal_of_words.digest.hex() != event.text:
                    raise BadRecord("the seal is not over these words")
                self.state, self.seal = "sealed", event.text
            case "open":
                self.opening = read_opening(event.text, len(self.word_texts))
                self.state = "open"


def new_envelope() -> tuple[Diced, tuple[str, str]]:
    """Return the first event of new sealed dice, and the pair (game id, secret seed), in hex."""
    gid, opening = fresh_dice(())
    step = Diced("envelope", f"{gid.hex()} {envelope_of(gid, opening.seed).hex()}")
    return step, (gid.hex(), opening.seed.hex())


@dataclass(frozen=True, slots=True)
class Challenge:
    """One player's throws and choices in a finished sealed game, which others can try to beat."""

    gid: bytes  # the number of the sealed game, 16 random bytes
    seed: bytes = field(repr=False)
    words: bytes  # W, the hash of the players' words
    game: str  # in the notation of names
    position: str  # where the game began, in its own notation; empty for its usual start
    turns: int  # the number of the player's turns
    throws: tuple[int, ...]  # the numbers, from 1, of the player's own throws in that game
    choices: tuple[str, ...]  # the player's choices, as the game writes them

    @classmethod
    def of(
        cls, play: Play[Any, Any], game: str, seat: int, gid: bytes, opening: OpenEnvelope
    ) -> Self:
        """Return the challenge of a seat in a finished play of the box `game`. Takes a while.

        Raises NotUnderstood if the seat's turns do not fit into a link, and what `replay` raises.
        """
        own = [*_own_steps(play, seat)]
        throws = tuple(number for number, event, _ in own if isinstance(event, Rolled))
        chosen = ((of, event) for _, event, (of, _) in own if isinstance(event, Chosen))
        choices = tuple(of.choice_text(event.choice) for of, event in chosen)
        is_match = isinstance(play.game, Match)  # if not, all of it is one turn
        turns = sum(at == of.start() for _, _, (of, at) in own) if is_match else 1
        position = play.game.position_id(play.start) if play.start != play.game.start() else ""
        words = opening.words_digest
        challenge = cls(gid, opening.seed, words, game, position, turns, throws, choices)
        challenge.replay()
        if len(challenge.text) > LONGEST_CHALLENGE:
            raise NotUnderstood("this game is too long for a link")
        return challenge

    @property
    def text(self) -> str:
        """The challenge in its link, in base64url; `read_challenge` reads it back."""
        numbers = " ".join(map(str, self.throws))
        lines = [self.game, self.position, str(self.turns), numbers, *self.choices]
        packed = zlib.compress("\n".join(lines).encode(), 9)
        return urlsafe_b64encode(self.gid + self.seed + self.words + packed).decode().rstrip("=")

    @property
    def format(self) -> str | None:
        """The format in which one player plays these turns: `rounds=3`; None for a single turn."""
        return f"rounds={self.turns}" if self.turns > 1 else None

    @property
    def solo_game(self) -> Game[Any, Any]:
        """The game that a challenged player plays alone. Raises what `game_of_seats` raises."""
        return game_of_seats(self.game, [Seat("Challenger")], self.format)

    @property
    def cup(self) -> SealedCup:
        """A new cup, which repeats the player's own throws, and then goes on with the same seed."""
        return SealedCup(self.gid, self.seed, self.words, numbers=self.throws)

    def replay(self) -> Play[Any, Any]:
        """Replay the player's turns as a game alone, and return it. Takes a while.

        Raises NotUnderstood unless exactly these throws and choices lead to its end, and what
        `game_of_seats` and `position_at` raise.
        """
        game, cup, choices = self.solo_game, self.cup, [*self.choices]
        play = Play(game, start=game.position_at(self.position) if self.position else None)
        with suppress(ShutboxError):  # for a wrong choice, before which the play then ends
            while not isinstance(play.awaits, Over):
                match play.awaits:
                    case Throw(dice=dice) if play.throws < len(self.throws):
                        play.happen(Rolled(cup.throw(dice)))
                    case Choose() if choices:
                        play.happen(Chosen(game.parse_choice(play.position, choices.pop(0))))
                    case _:
                        break
        if isinstance(play.awaits, Over) and not choices:
            return play
        raise NotUnderstood("these turns cannot be played alone")


def _own_steps(play: Play[Any, Any], seat: int) -> Iterator[tuple[int, Event[Any], Any]]:
    """Yield each step of a seat's turns: the throws so far, its event, and `turn_at` before it."""
    throw_number = 0
    for step in play.steps:
        throw_number += isinstance(step.event, Rolled)
        awaited, turn = play.game.awaits(step.before), turn_at(play.game, step.before)
        counts_for = turns_of_throw(play.game, step.before)
        if turn and not isinstance(awaited, Over) and seat in (awaited.seat, *counts_for):
            yield throw_number, step.event, turn


def read_challenge(text: str) -> Challenge:
    """Return the challenge in a link, playable or not. Raises NotUnderstood for any other text."""
    with suppress(ValueError, zlib.error):
        if len(text) <= LONGEST_CHALLENGE:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            gid, seed, words, packed = data[:16], data[16:48], data[48:80], data[80:]
            unpacking = zlib.decompressobj()
            lines = unpacking.decompress(packed, _LARGEST_UNPACKED).decode().split("\n")
            game, position, turns, numbers, *choices = lines
            throws = tuple(map(int, numbers.split()))
            in_order = all(before < after for before, after in pairwise((0, *throws, _MOST_THROWS)))
            is_whole = unpacking.eof and len(words) == 32
            if is_whole and throws and in_order and int(turns) > 0:
                return Challenge(gid, seed, words, game, position, int(turns), throws, (*choices,))
    raise NotUnderstood("this link is no challenge; ask for it again")
