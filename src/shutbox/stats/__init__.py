"""Statistics of a user's records: games, wins, scores, and whether the dice are fair.

They are collected from one record at a time, without keeping it in memory. A throw cannot be taken
back, so every roll counts. A correction replaces the roll that it corrects, and a turn has not
ended if the choice that ended it was taken back.
"""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from pathlib import Path
from statistics import fmean
from typing import Any

from shutbox.english import decimal, listed, shown, tenths
from shutbox.errors import BadName, NotUnderstood, ShutboxError
from shutbox.game import Game, Over, Scoring, Throw, position_text
from shutbox.lookup import game_of
from shutbox.match import Match, title_of
from shutbox.match.game import begins_turn, turn_at
from shutbox.messages import gettext
from shutbox.play import Chosen, Corrected, Play, Rolled, TookBack
from shutbox.record import Reading
from shutbox.record.lines import event_text_of
from shutbox.results import Column
from shutbox.stats.report import (
    Faces,
    Games,
    Matches,
    PlayerStats,
    Scores,
    Stats,
    as_json,
    sentences,
)
from shutbox.store import Store

__all__ = ["as_json", "gather", "sentences", "stats_of"]

SOURCES = ("system", "sealed", "seed", "day", "hand")  # of dice, in the order of a report
TOO_SMALL = 1e-30  # a weight that is negligible beside the likeliest count, which has 1
FEWEST = 3  # earlier scores needed for a comparison
BEYOND = 0.01  # the highest chance that fair dice put any face of a report outside its band


def gather(
    records: Iterable[tuple[int, Reading[Any, Any] | None]], player: str | None = None
) -> Stats:
    """Return the statistics of records, given as (number, reading or None if unreadable).

    A damaged record counts up to its fault, a torn one up to its last whole line. Challenges do not
    count, since their dice are known. Of games from a given position, only the game and its dice
    count. A person is a name as it is written; computer players are not persons, but their dice
    count. With `player`, only this person's games count, and only the dice thrown from that seat.
    Raises BadName, with a list of all persons, if there is no such person.

    >>> gather([(1, None)]).games
    Games(finished=0, unfinished=0, endless=0, damaged=(), unreadable=(1,))
    """
    gathering = _Gathering(player)
    for id, reading in records:
        gathering.add(id, reading)
    if player is not None and player not in gathering.names:
        facts = {"player": shown(player), "names": listed(gathering.names)}
        if not gathering.names:
            raise BadName(
                "{player} has played no game that is kept; nobody has played yet", **facts
            )
        raise BadName(
            "{player} has played no game that is kept; those who have played are {names}", **facts
        )
    return gathering.stats()


def stats_of(player: str | None = None, *, folder: Path | str | None = None) -> Stats:
    """Return the statistics of the user's own games, or of the records in a folder; see `gather`.

    Raises NotUnderstood for a player that is not a text, and what `gather` and `Store` raise.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     stats_of(folder=folder)
    Stats(0 games, 0 dice: nobody)
    """
    if not isinstance(player, str | None):
        raise NotUnderstood("{player} is not the name of a player", player=shown(repr(player)))
    return gather(stored_games(Store(None if folder is None else Path(folder))), player)


def stored_games(store: Store) -> Iterator[tuple[int, Reading[Any, Any] | None]]:
    """Yield each record's number, ascending, and content, None if unreadable. Raises as `ids`."""
    for id in store.ids():
        try:
            yield id, store.read(id, game_of)
        except ShutboxError:
            yield id, None


def _in_a_row(good: Iterable[bool]) -> int:
    """Return the length of the longest run of true values."""
    return max((sum(run) for _, run in groupby(good)), default=0)


@dataclass(slots=True)
class _Person:
    """A counter of one person's wins, finished turns and scores."""

    _won: list[bool] = field(default_factory=list)
    _shut: list[bool] = field(default_factory=list)
    _matches: dict[str, list[tuple[bool, bool]]] = field(default_factory=dict)  # (won, shared)
    _scores: dict[str, tuple[Scoring, list[int]]] = field(default_factory=dict)

    def played(self, title: str, seat: int, winners: tuple[int, ...]) -> None:
        won = seat in winners
        self._won.append(won)
        self._matches.setdefault(title, []).append((won, won and len(winners) > 1))

    def finished(self, game: Game[Any, Any], score: int, shut: bool) -> None:
        self._shut.append(shut)
        game = game.game if isinstance(game, Match) else game
        if game.scoring is not None:
            self._scores.setdefault(game.name, (game.scoring, []))[1].append(score)

    def player(self, name: str) -> PlayerStats:
        return PlayerStats(
            name,
            tuple(
                Matches(title, len(ends), sum(w for w, _ in ends), sum(s for _, s in ends))
                for title, ends in self._matches.items()
            ),
            _in_a_row(self._won),
            len(self._shut),
            sum(self._shut),
            _in_a_row(self._shut),
            tuple(
                Scores(game, len(scores), sum(scores), scoring.best_of(scores))
                for game, (scoring, scores) in self._scores.items()
            ),
        )


class _Gathering:
    """A counter to which `gather` adds records; with `player`, only this person's games count."""

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.names: dict[str, None] = {}  # every person, in the order of their first games
        self._people: defaultdict[str, _Person] = defaultdict(_Person)
        self._ends = {"finished": 0, "unfinished": 0, "endless": 0}
        self._damaged: list[int] = []
        self._unreadable: list[int] = []
        self._faces: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)

    def add(self, id: int, reading: Reading[Any, Any] | None) -> None:
        if reading is None:
            self._unreadable.append(id)
            return
        players = reading.header.players
        seats = {seat: who.name for seat, who in enumerate(players) if not who.computer}
        self.names |= dict.fromkeys(seats.values())
        if self.player is not None:
            seats = {seat: name for seat, name in seats.items() if name == self.player}
            if not seats:
                return
        if reading.header.dice.kind == "challenge":  # its dice were known before
            return
        if reading.fault is not None:
            self._damaged.append(id)
        people = {seat: self._people[name] for seat, name in seats.items()}
        self._add_steps(reading, people)
        game, over = reading.game, reading.over
        if over is None:
            self._ends["endless" if game.longest is None else "unfinished"] += 1
            return
        self._ends["finished"] += 1
        if isinstance(game, Match) and len(game.players) > 1 and not reading.header.position:
            for seat, person in people.items():
                person.played(named(game), seat, over.winners)

    def _add_steps(self, reading: Reading[Any, Any], people: dict[int, _Person]) -> None:
        game, all_seats, sealed_to = reading.game, self.player is None, reading.sealed_to
        for step in reading.play.steps:
            source = reading.header.dice.kind
            if sealed_to is not None and step.number > sealed_to:
                source = "system"
            match game.awaits(step.before), step.event:
                case Throw(seat=seat, dice=dice), Rolled(roll=roll) if all_seats or seat in people:
                    for sides, face in zip(dice.sides, roll.pips, strict=True):
                        self._faces[source, sides][face] += 1
            for seat, score, shut in ended(game, step.after):
                # A turn from a given position is practice: easier or harder than the others.
                if seat in people and not reading.header.position:
                    people[seat].finished(game, score, shut)

    def stats(self) -> Stats:
        groups = sorted(self._faces, key=lambda group: (SOURCES.index(group[0]), group[1]))
        beyond = BEYOND / max(1, sum(sides for _, sides in groups))
        dice = []
        for source, sides in groups:
            counts = tuple(self._faces[source, sides][face] for face in range(1, sides + 1))
            dice.append(Faces(source, counts, *band(sum(counts), sides, beyond)))
        return Stats(
            Games(**self._ends, damaged=tuple(self._damaged), unreadable=tuple(self._unreadable)),
            self.player,
            tuple(person.player(name) for name, person in self._people.items()),
            tuple(dice),
        )


def ended(game: Game[Any, Any], position: Any) -> Iterator[tuple[int, int, bool]]:
    """Yield (seat, score, shut) of a match turn just ended, or of each seat of a game now over."""
    if isinstance(game, Match):
        if (turn := game.settled(position).turn) is not None:
            yield turn.seat, turn.score, turn.shut
    elif isinstance(over := game.awaits(position), Over):
        yield from ((seat, score, over.shut) for seat, score in enumerate(over.scores))


def compare_with_earlier(
    game: Game[Any, Any], score: int, name: str, earlier: Iterable[Reading[Any, Any]]
) -> Iterator[str]:
    """Yield one sentence that compares a score with earlier solo scores of `name` in this game.

    Only finished games from the start count. With fewer than FEWEST, or no scoring, yield none.
    """
    scores = [
        each
        for reading in earlier
        if reading.game == game and reading.header.names == (name,) and reading.over is not None
        if reading.play.start == game.start()
        for _, each, _ in ended(game, reading.play.position)
    ]
    scoring = game.scoring
    if len(scores) < FEWEST or scoring is None:
        return
    best, mean = scoring.best_of(scores), fmean(scores)
    apart = abs(score - mean)
    facts = {"best": best, "mean": decimal(mean), "apart": decimal(apart)}
    if scoring.better(score, best):
        yield gettext("Your best so far! Before it was {best}.", **facts)
    elif not tenths(apart):
        yield gettext("That is just your average.")
    elif scoring.better(score, mean):
        yield gettext("That is {apart} better than your average of {mean}.", **facts)
    else:
        yield gettext("Your average is {mean}.", **facts)


def named(match: Match[Any, Any]) -> str:
    """Return the name of matches like this: a preset's title, or text such as `classic[rounds=2]`.

    It ignores which seat begins and what chips the players have, since a rematch changes both.
    """
    name, format = match.game.name, match.format
    return title_of(name, format) or f"{name}[{format.lasting}]"


def band(dice: int, sides: int, beyond: float) -> tuple[int, int]:
    """Return the lowest and the highest usual count of one face among this many fair dice.

    The band is the narrowest for which a lower count has a probability of at most `beyond / 2`, and
    so has a higher count. `beyond` lies between 10 ** -20 and 1. The weights of the binomial
    distribution are computed from the likeliest count outwards, so that nothing overflows.
    """
    mode = (dice + 1) // sides
    up = list(_tail(dice, mode, 1, sides - 1))
    down = list(_tail(dice, dice - mode, sides - 1, 1))
    weights = [*reversed(down), 1.0, *up]  # the likeliest has 1
    cut = beyond / 2 * sum(sorted(weights))
    low, high = (bisect(list(accumulate(each)), cut) for each in (weights, weights[::-1]))
    return mode - len(down) + low, mode + len(up) - high


def _tail(dice: int, count: int, odds: int, others: int) -> Iterator[float]:
    """Yield the binomial weight of `count + 1`, `count + 2` and so on, if that of `count` is 1.

    `odds` to `others` are the odds that a die counts. The first negligible weight is the last.
    """
    weight = 1.0
    while count < dice and weight > TOO_SMALL:
        weight *= (dice - count) * odds / ((count + 1) * others)
        count += 1
        yield weight


COLUMNS = (
    *(Column(name) for name in ("record", "begun", "title", "game", "format")),
    *(Column("number", int), Column("turn", int), Column("seat", int)),
    *(Column(name) for name in ("player", "computer", "kind", "dice", "choice", "position")),
    *(Column("stands", bool), Column("score", int), Column("shut", bool)),
)
"""The columns of `event_rows`, which docs/data.md describes. Seats count from 0, as in JSON."""


def event_rows(reading: Reading[Any, Any], *, record: str = "") -> Iterator[tuple[object, ...]]:
    """Yield a row, under COLUMNS, for each event before a fault; `record` names the record."""
    header, game = reading.header, reading.game
    same = (record, header.begun, game.card().title, header.game, header.format or None)
    standing = {step.number for step in reading.play.steps}
    play = Play(game, start=reading.play.start)
    counts = [0]  # how many turns have begun: before each event that stands, and after the last
    for event in reading.play.log:
        before = play.position
        if isinstance(event, Rolled | Chosen):
            counts.append(counts[-1] + begins_turn(play, before))
        # Taking back and correcting belong to the turn of the event that they undo.
        at = before if isinstance(event, Rolled | Chosen) else play.steps[-1].before
        turn = None if game.longest is None or turn_at(game, at) is None else counts[-1]
        text = event_text_of(game, event)
        applied = play.apply(play.prepare(event))
        if isinstance(event, TookBack):
            counts.pop()
        ends = () if isinstance(event, TookBack) else ended(game, applied.after)
        end = next(((score, shut) for _, score, shut in ends), (None, None))
        who = header.players[applied.seat]
        yield (
            *(*same, applied.number, turn, applied.seat, who.name, who.computer or None),
            text.verb.key,
            text.what if isinstance(event, Rolled | Corrected) else None,
            text.what if isinstance(event, Chosen) else None,
            *(position_text(game, before), applied.number in standing, *end),
        )
