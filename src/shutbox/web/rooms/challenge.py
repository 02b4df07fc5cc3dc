"""Challenges: the dice of a finished sealed game, which other players can throw again.

The link of a challenge holds all of it, so that it opens at any server and without one: the seed,
the numbers of the player's own throws, and the player's choices. It has no names and no words.
"""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

from shutbox.cups import SealedCup
from shutbox.errors import NotUnderstood, ShutboxError
from shutbox.game import Choose, Game, Over, Throw
from shutbox.match.game import turn_at
from shutbox.play import Chosen, Play, Rolled
from shutbox.sealed_dice import OpenEnvelope
from shutbox.seats import Seat
from shutbox.table.setup import game_of_seats
from shutbox.web.limits import LONGEST_CHALLENGE

_LARGEST = 40_000  # bytes of its lines
_MOST = 1_000_000  # a number of a throw
_HASHES = 16, 48, 80  # where gid, seed and W end


@dataclass(frozen=True, slots=True)
class Challenge:
    """The dice of one player in a finished sealed game, and how that player played them."""

    gid: bytes
    seed: bytes = field(repr=False)
    words: bytes  # W, the hash of the words
    game: str  # in the notation of names
    position: str  # where the game began, in its own notation; empty for its usual start
    turns: int  # the number of the player's turns
    throws: tuple[int, ...]
    """The numbers, from 1, that the player's own throws had among all throws of that game."""
    choices: tuple[str, ...]
    """The player's choices, as the game writes them."""

    @classmethod
    def of(
        cls, play: Play[Any, Any], game: str, seat: int, gid: bytes, opened: OpenEnvelope
    ) -> Self:
        """Return the challenge of a seat in a finished play of the box `game`. Takes a while.

        Raises NotUnderstood if its turns cannot be played alone, or do not fit into a link.
        """
        turns, number, throws, choices = 0, 0, list[int](), list[str]()
        for step in play.steps:
            number += isinstance(step.event, Rolled)
            awaited, turn = play.game.awaits(step.before), turn_at(play.game, step.before)
            if turn is None or isinstance(awaited, Over) or awaited.seat != seat:
                continue
            of, at = turn
            turns = turns + (at == of.start()) if of is not play.game else 1
            match step.event:
                case Rolled():
                    throws.append(number)
                case Chosen(choice=choice):
                    choices.append(of.choice_text(choice))
        begins = play.start != play.game.start()
        about = game, play.game.position_id(play.start) if begins else "", turns
        found = cls(gid, opened.seed, opened.digest, *about, tuple(throws), tuple(choices))
        found.played()
        if len(found.text) > LONGEST_CHALLENGE:
            raise NotUnderstood("this game is too long for a link")
        return found

    @property
    def text(self) -> str:
        """The challenge in its link, in base64url; `read_challenge` reads it back."""
        numbers = " ".join(map(str, self.throws))
        lines = [self.game, self.position, str(self.turns), numbers, *self.choices]
        packed = zlib.compress("\n".join(lines).encode(), 9)
        return urlsafe_b64encode(self.gid + self.seed + self.words + packed).decode().rstrip("=")

    @property
    def format(self) -> str | None:
        """The format in which one player plays these turns; None for a single turn."""
        return f"rounds={self.turns}" if self.turns > 1 else None

    @property
    def plays(self) -> Game[Any, Any]:
        """The game that a challenged player plays alone. Raises what `game_of_seats` raises."""
        return game_of_seats(self.game, [Seat("Challenger")], self.format)

    @property
    def cup(self) -> SealedCup:
        """The cup that throws the player's own throws, and later ones of the same seed."""
        return SealedCup(self.gid, self.seed, self.words, numbers=self.throws)

    def played(self) -> Play[Any, Any]:
        """Return the player's own game, played alone. Takes a while.

        Raises NotUnderstood if these throws and choices do not lead to its end, and what
        `game_of_seats` and `position_at` raise.
        """
        game, cup, choices = self.plays, self.cup, iter(self.choices)
        play = Play(game, start=game.position_at(self.position) if self.position else None)
        with suppress(ShutboxError, StopIteration):
            while not isinstance(play.awaits, Over):
                match play.awaits:
                    case Throw(dice=dice) if play.throws < len(self.throws):
                        play.happen(Rolled(cup.throw(dice)))
                    case Choose():
                        play.happen(Chosen(game.parse_choice(play.position, next(choices))))
                    case _:
                        break
            if isinstance(play.awaits, Over) and not [*choices]:
                return play
        raise NotUnderstood("these turns cannot be played alone")


def read_challenge(text: str) -> Challenge:
    """Return the challenge in a link. Raises NotUnderstood.

    Only its form is checked here: whether it can be played, `Challenge.played` finds out.
    """
    with suppress(ValueError, zlib.error):
        if len(text) <= LONGEST_CHALLENGE:
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            gid, seed, words = (data[a:b] for a, b in zip((0, *_HASHES), _HASHES, strict=False))
            unpacking = zlib.decompressobj()
            lines = unpacking.decompress(data[_HASHES[-1] :], _LARGEST).decode().split("\n")
            game, position, turns, numbers, *choices = lines
            throws = tuple(map(int, numbers.split()))
            in_order = [*throws] == sorted({*throws}) and 0 < min(throws) <= max(throws) < _MOST
            if in_order and int(turns) > 0 and unpacking.eof and words[31:]:
                return Challenge(gid, seed, words, game, position, int(turns), throws, (*choices,))
    raise NotUnderstood("this link is no challenge; ask for it again")
