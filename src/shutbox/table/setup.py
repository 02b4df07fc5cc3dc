"""The setup of a game: its players, its dice, and the next game of the same players.

Every front end uses the same setup: the seats and the name of the game become a game and the
header of its record, from which both can be rebuilt.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shutbox.bots import bots_of, check_bots
from shutbox.cups import fresh_dice, rethrow
from shutbox.errors import BadRecord, TooLarge
from shutbox.game import Awaited, Game, Over
from shutbox.games.catalogue import find, package_of
from shutbox.lookup import cup_of, game_of, is_match, match_of
from shutbox.match import GOALS, Match
from shutbox.messages import gettext, pgettext
from shutbox.play import Event
from shutbox.player import Player
from shutbox.record import Header, Source
from shutbox.record.header import LONGEST_SEED
from shutbox.scene import Answer
from shutbox.sealed_dice import OpenEnvelope, fit_word, seal_of
from shutbox.seats import Seat, check_seats
from shutbox.table import Table


@dataclass(frozen=True)
class Sitting:
    """One game with its players and its dice, from which a table is made.

    >>> from shutbox.seats import read_seats
    >>> begun = "2026-11-21 12:00:05 UTC"
    >>> seats = read_seats("Ann, Robo=computer:most")
    >>> game = game_for("pub", seats)
    >>> sitting = Sitting.begin(game, seats, Source(), program="shutbox 0.1.0", begun=begun)
    >>> sitting.header.format, sorted(sitting.table().bots)
    ('rounds=1,shut=wins,stake=1', [1])
    """

    game: Game[Any, Any]
    header: Header  # the header of its record
    opened: OpenEnvelope | None = field(default=None, repr=False)
    """The envelope of sealed dice; None for other dice, and if it is not here."""
    wins: tuple[int, ...] = ()  # the games won by each seat before this one; empty: none

    @classmethod
    def begin(
        cls,
        game: Game[Any, Any],
        seats: Sequence[Seat],
        dice: Source,
        *,
        program: str,
        begun: str,
        position: str = "",
    ) -> "Sitting":
        """Return the setup of a first game, in which nothing has happened yet.

        `program` includes its version, as in `shutbox 0.1.0`, and `begun` is a time in UTC, as in
        `2026-11-21 12:00:05 UTC`; `position` is where the play begins, if not at the start.
        Raises BadName for seats that cannot play one game, such as two that look alike, and
        BadRecord for a header that no record can have.
        """
        check_seats(seats)
        of, format = (game.game, str(game.format)) if isinstance(game, Match) else (game, "")
        what = {"game": of.name, "package": package_of(of.name)}
        what |= {"format": format, "position": position}
        players = tuple(seats)
        header = Header(program=program, begun=begun, **what, players=players, dice=dice)
        return cls(game, header)

    @classmethod
    def of(cls, header: Header) -> "Sitting":
        """Return the setup that a header describes. Raises what `game_of` raises."""
        return cls(game_of(header), header)

    def table(
        self, log: Sequence[Event[Any]] = (), *, bots: Mapping[int, Player[Any, Any]] | None = None
    ) -> Table[Any, Any]:
        """Return a table for these players, at the start of the game or after a log.

        `bots` are the computer players by seat: those of the game before can reuse what they have
        computed, and None makes new ones. Raises BadRecord if the dice of the log do not follow
        from the seed, and what `Header.start`, `Play.prepare` and `bots_of` raise.
        """
        dice, start = self.header.dice, self.header.start(self.game)
        cup, known = cup_of(dice, self.opened), dice.kind == "seed" or self.opened
        if known and (number := rethrow(cup, self.game, log, start)) is not None:
            raise BadRecord("the dice of event {number} are not those of its seed", number=number)
        bots = bots_of(self.header.players) if bots is None else bots
        return Table(self.game, cup, log, bots=bots, start=start)

    def again(self, position: Any, *, program: str, begun: str) -> "Sitting":
        """Return the next game of the same players, after one that ended at `position`.

        After a match, this is its `rematch`: the start passes on, and players keep their chips.
        Each winner has one more win, and no player has if the game is not over. A single turn that
        began at a given position begins there again. A seed counts on, from `pub` to `pub 2`.
        `program` and `begun` are those of the next game, as in `begin`.
        """
        game = self.game.rematch(position) if isinstance(self.game, Match) else self.game
        wins = self.wins_after(position)
        dice = _next(self.header.dice)
        position = "" if isinstance(game, Match) else self.header.position
        about = {"program": program, "begun": begun, "position": position}
        if dice.kind == "sealed":
            sitting = Sitting.begin(game, self.header.players, Source(), **about).sealed()
        else:
            sitting = Sitting.begin(game, self.header.players, dice, **about)
        return replace(sitting, wins=wins)

    def wins_after(self, position: Any) -> tuple[int, ...]:
        """Return the games won by each seat, with this one if it is over at `position`."""
        return with_win(self.wins or (0,) * len(self.header.players), self.game.awaits(position))

    def sealed(self, word: str | None = None) -> "Sitting":
        """Return this game with a fresh envelope, or with the same one and another `word`.

        The word replaces that of the person with the lowest seat; it is ignored if the game has no
        envelope yet. The seal changes, so call this only before the first event. Raises
        NotUnderstood for a word that `fit_word` refuses.
        """
        header, opened = self.header, self.opened
        if header.dice.seal is None or opened is None or word is None:
            gid, opened = fresh_dice(header.players)
        else:
            gid, fit = header.dice.seal.gid, fit_word(word)
            words = (None if one is None else fit for one in opened.words)
            opened = replace(opened, words=tuple(words))
        dice = Source("sealed", seal=seal_of(gid, opened, header.game, header.format))
        return replace(self, header=replace(header, dice=dice), opened=opened)


def with_win(wins: Sequence[int], awaited: Awaited[Any]) -> tuple[int, ...]:
    """Return the games won by each seat, with the one that is over; others do not count."""
    winners = awaited.winners if isinstance(awaited, Over) else ()
    return tuple(won + (seat in winners) for seat, won in enumerate(wins))


def evening_words(names: Sequence[str], wins: Sequence[int]) -> str:
    """Return the games that each player has won in a row of games, as a sentence.

    >>> evening_words(["Ann", "Bob"], [2, 1])
    'Games won this evening: Ann 2; Bob 1.'
    """
    each = (gettext("{name} {number}", name=n, number=w) for n, w in zip(names, wins, strict=True))
    told = pgettext("list separator", "; ").join(each)
    return gettext("Games won this evening: {games}.", games=told)


def answers_of_evening(table: Table[Any, Any], wins: Sequence[int]) -> Iterator[Answer]:
    """Yield the answers of the scene; what every player needs ends with the games of the evening.

    `wins` are the games won by each seat, with this one once it is over.
    """
    game = table.game
    for answer in table.scene.answers:
        if answer.key == GOALS and isinstance(game, Match) and any(wins):
            evening = evening_words(game.players, wins)
            answer = replace(answer, says=f"{answer.says} {evening}")
        yield answer


def game_for(name: str, seats: Sequence[Seat], format: str | None = None) -> Game[Any, Any]:
    """Return a match if `name` is one, or if there is a format or a second seat; else the game.

    Raises what `match_of` and `playable` raise.
    """
    return playable(game_of_seats(name, seats, format), seats)


def game_of_seats(name: str, seats: Sequence[Seat], format: str | None) -> Game[Any, Any]:
    """Return the game of `game_for`, playable or not. Raises what `match_of` raises."""
    if format is None and len(seats) == 1 and not is_match(name):
        return find(name)
    return match_of(name, [seat.name for seat in seats], format or "")


def playable(game: Game[Any, Any], seats: Sequence[Seat]) -> Game[Any, Any]:
    """Return the game if these seats can play it.

    Raises TooLarge if a computer player cannot solve it, or if only computer players would play a
    game that need never end; and BadName for an unknown kind of computer player.
    """
    check_bots(bots_of(seats), game)
    if game.longest is None and all(seat.computer for seat in seats):
        name = game.name
        raise TooLarge("{game} need never end, so no computer player plays it alone", game=name)
    return game


def _next(source: Source) -> Source:
    """Return the source of the next game's dice: a seed counts on, from `pub` to `pub 2`.

    So the seed in a record belongs to that record alone.
    """
    if source.kind != "seed":
        return source
    counted = re.fullmatch(r"(.*) ([1-9][0-9]{0,8})", source.seed, re.DOTALL)
    text, number = (counted[1], int(counted[2])) if counted else (source.seed, 1)
    ending = f" {number + 1}"
    return Source("seed", text[: LONGEST_SEED - len(ending)] + ending)
