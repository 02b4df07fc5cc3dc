"""The setup of a game: its terms, its players, its dice, and the next game of the same players.

Every front end uses the same setup: the seats and the name of the game become a game and the
header of its record, from which the game and its players can be rebuilt.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shutbox.engine.cups import fresh_dice, wrong_rolls
from shutbox.engine.english import joined_clauses
from shutbox.engine.errors import BadRecord, TooLarge
from shutbox.engine.game import Awaited, Game, Over
from shutbox.engine.messages import gettext
from shutbox.engine.play import Event, Player
from shutbox.engine.scene import AskableFact
from shutbox.engine.sealed_dice import OpenEnvelope, fit_word, seal_of
from shutbox.engine.seats import Seat, check_seats
from shutbox.games.catalogue import find, package_of
from shutbox.match import GOALS, TO_BEAT, Match, turn_game
from shutbox.record import Header, Source
from shutbox.record.header import LONGEST_SEED
from shutbox.table import Table
from shutbox.table.bots import Perfect, bots_of
from shutbox.table.lookup import cup_of, find_any, game_of, is_match, match_of

FIRST, RACE, KNOCKOUT = "classic", "race-200", "knockout"
"""The game if none is named: the first, and those with a total to reach, or not to reach."""
ROWS = {"throw": "family", "common": "head-to-head"}  # the same for turns of one throw
UNNAMED = "Player"  # the name of a person without one, if there is only one such person


@dataclass(frozen=True)
class Terms:
    """The terms of a match, as far as people have said them: the players, the game, the format."""

    seats: tuple[Seat, ...] = ()  # empty: nobody was named
    game: str = ""  # the name of a game or a match; empty: none was named
    atoms: Mapping[str, str] = field(default_factory=dict)
    """The atoms of the format by key; `to` is a total to reach in any game."""
    by_hand: bool = False  # whether the players throw real dice and type in what they show
    unread: tuple[str, ...] = ()  # the parts that were not understood, as typed

    @property
    def name(self) -> str:
        """The name of the game or match; if none was said, the default that `atoms` call for."""
        if self.game:
            return self.game
        if "to" in self.atoms:
            return RACE
        if "limit" in self.atoms:
            return KNOCKOUT
        return ROWS.get(self.atoms.get("turns", ""), FIRST)

    @property
    def format(self) -> str:
        """The text of `atoms` for a format; `to` becomes a target, or a limit where low is good."""
        atoms = dict(self.atoms)
        if total := atoms.pop("to", ""):
            scoring = turn_game(find_any(self.name)).scoring
            atoms["limit" if scoring and scoring.low_is_good else "target"] = total
        return ",".join(f"{key}={value}" for key, value in atoms.items())

    def find_game(self) -> Game[Any, Any]:
        """Return game `name` for one player without `atoms`, else a match.

        Raises as `game_of_seats` and `check_playable`.
        """
        alone = len(self.seats) == 1 and not self.atoms
        game = game_of_seats(self.name, self.seats, None if alone else self.format)
        return check_playable(game, self.seats)


@dataclass(frozen=True)
class Sitting:
    """The setup of one game: its rules, players and dice, from which a table is made."""

    game: Game[Any, Any]
    header: Header  # the header of its record
    envelope: OpenEnvelope | None = field(default=None, repr=False)
    """The envelope of sealed dice; None for other dice, or if it is stored elsewhere or lost."""
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
        Raises BadName for seats that cannot play together, such as two names that look alike, and
        BadRecord if a record cannot hold the header.
        """
        check_seats(seats)
        name, format = turn_game(game).name, str(game.format) if isinstance(game, Match) else ""
        start = {"game": name, "package": package_of(name), "format": format, "position": position}
        players = tuple(seats)
        header = Header(program=program, begun=begun, **start, players=players, dice=dice)
        return cls(game, header)

    @classmethod
    def of_header(cls, header: Header) -> "Sitting":
        """Return the setup that a header describes, with no envelope. Raises as `game_of`."""
        return cls(game_of(header), header)

    def table(
        self, log: Sequence[Event[Any]] = (), *, bots: Mapping[int, Player[Any, Any]] | None = None
    ) -> Table[Any, Any]:
        """Return a new table for these players, where the play begins, or with `log` replayed.

        `bots` are the computer players by seat: those of an earlier game can reuse what they have
        computed, and None makes new ones. Raises BadRecord if the dice of the log do not follow
        from the seed or the date, and what `Header.start`, `Play.prepare` and `bots_of` raise.
        """
        dice, start = self.header.dice, self.header.start(self.game)
        cup, is_known = cup_of(dice, self.envelope), dice.tells_dice or self.envelope
        for number in wrong_rolls(cup, self.game, log, start) if is_known else ():
            raise BadRecord("the dice of event {number} are not those of its seed", number=number)
        bots = bots_of(self.header.players) if bots is None else bots
        return Table(self.game, cup, log, bots=bots, start=start)

    def next_game(self, position: Any, *, program: str, begun: str) -> "Sitting":
        """Return the next game of the same players, after one that ended or was left at `position`.

        After a match, this is its `rematch`; a single turn begins where this one began. If this
        game is over, each winner gets one more win. A seed counts on, from `pub` to `pub 2`, and
        sealed dice get a new envelope. `program` and `begun` are as in `begin`.
        """
        game, dice = self.game, _next(self.header.dice)
        facts = {"program": program, "begun": begun, "position": self.header.position}
        if isinstance(game, Match):
            game, facts["position"] = game.rematch(position), ""
        plain = Source() if dice.kind == "sealed" else dice
        sitting = Sitting.begin(game, self.header.players, plain, **facts)
        sitting = sitting.with_envelope() if dice.kind == "sealed" else sitting
        return replace(sitting, wins=self.games_won(position))

    def games_won(self, position: Any) -> tuple[int, ...]:
        """Return the games won by each seat, with this one if it is over at `position`."""
        return with_win(self.wins or (0,) * len(self.header.players), self.game.awaits(position))

    def with_envelope(self, word: str | None = None) -> "Sitting":
        """Return this game with a fresh envelope; or with the same one, but another `word` in it.

        The word replaces that of the person with the lowest seat. A game without an envelope gets a
        fresh one without the word. The seal changes, so call this only before the first event.
        Raises NotUnderstood for a word that `fit_word` refuses.
        """
        header, envelope = self.header, self.envelope
        if header.dice.seal is None or envelope is None or word is None:
            gid, envelope = fresh_dice(header.players)
        else:
            gid, fit = header.dice.seal.gid, fit_word(word)
            words = (None if given is None else fit for given in envelope.words)
            envelope = replace(envelope, words=tuple(words))
        dice = Source("sealed", seal=seal_of(gid, envelope, header.game, header.format))
        return replace(self, header=replace(header, dice=dice), envelope=envelope)


def with_win(wins: Sequence[int], awaited: Awaited[Any]) -> tuple[int, ...]:
    """Return the games won by each seat: one more for each winner if `awaited` is an Over."""
    winners = awaited.winners if isinstance(awaited, Over) else ()
    return tuple(won + (seat in winners) for seat, won in enumerate(wins))


def wins_sentence(names: Sequence[str], wins: Sequence[int]) -> str:
    """Return a sentence on how many games each player has won in a series; both are by seat.

    >>> wins_sentence(["Ann", "Bob"], [2, 1])
    'Games won this evening: Ann 2; Bob 1.'
    """
    each = (gettext("{name} {number}", name=n, number=w) for n, w in zip(names, wins, strict=True))
    told = joined_clauses(each)
    return gettext("Games won this evening: {games}.", games=told)


def answers_with_wins(table: Table[Any, Any], wins: Sequence[int]) -> tuple[AskableFact, ...]:
    """Return the answers of a table's scene, unchanged outside a match or if all `wins` are 0.

    Else the games won by each seat end the answer GOALS, or TO_BEAT if there is no GOALS. `wins`
    include this game once it is over.
    """
    answers = table.scene.answers
    if not any(wins) or not isinstance(table.game, Match):
        return answers
    evening = wins_sentence(table.game.players, wins)
    told = GOALS if any(answer.key == GOALS for answer in answers) else TO_BEAT
    return tuple(replace(a, says=f"{a.says} {evening}") if a.key == told else a for a in answers)


def game_of_seats(name: str, seats: Sequence[Seat], format: str | None = None) -> Game[Any, Any]:
    """Return the game `name` if it is no match, has one seat and no `format`; else a match.

    An empty `format` makes a match; None does not. Whether these seats can play it, only
    `check_playable` says. Raises as `match_of`.
    """
    if format is None and len(seats) == 1 and not is_match(name):
        return find(name)
    return match_of(name, [seat.name for seat in seats], format or "")


def check_playable(game: Game[Any, Any], seats: Sequence[Seat]) -> Game[Any, Any]:
    """Return the game if these seats can play it.

    Raises TooLarge if a computer player cannot solve it, or if only computer players would play a
    game that can go on forever; and BadName for an unknown kind of computer player.
    """
    for player in bots_of(seats).values():
        if isinstance(player, Perfect):
            player.check(game)
    if game.longest is None and all(seat.computer for seat in seats):
        name = game.name
        raise TooLarge("{game} can go on forever, so no computer player plays it alone", game=name)
    return game


def _next(source: Source) -> Source:
    """Return the next game's source of dice: the same, but a seed counts on, `pub` to `pub 2`."""
    if source.kind != "seed":
        return source
    counted = re.fullmatch(r"(.*) ([1-9][0-9]{0,8})", source.seed, re.DOTALL)
    text, number = (counted[1], int(counted[2])) if counted else (source.seed, 1)
    ending = f" {number + 1}"
    return Source("seed", text[: LONGEST_SEED - len(ending)] + ending)
