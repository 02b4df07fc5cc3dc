"""Statistics of a user's records: games, wins, mean scores, and whether the dice are fair.

They are collected from one record at a time, without keeping it in memory. A throw cannot be taken
back, so every roll counts. A correction replaces the roll that it corrects, and a turn has not
ended if the choice that ended it was taken back.
"""

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import exp, fsum, isqrt, lgamma, log
from pathlib import Path
from statistics import fmean
from typing import Any

from shutbox.engine.english import capital, decimal, listed, tenths
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Game, Over, Scoring, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.play import Rolled
from shutbox.match import Match, turn_game
from shutbox.match.standing import TurnResult
from shutbox.output.results import Column, Result
from shutbox.record import Reading
from shutbox.record.folder import Store, no_games
from shutbox.table.lookup import find_any, game_of

SOURCES = {  # of dice, in the order of a report, with the sentence about them
    "system": gettext_noop("Dice of the operating system, d{sides}: {number} thrown."),
    "sealed": gettext_noop("Sealed dice, d{sides}: {number} thrown."),
    "seed": gettext_noop("Dice from seeds, d{sides}: {number} thrown."),
    "day": gettext_noop("Dice of the boxes of the day, d{sides}: {number} thrown."),
    "hand": gettext_noop("Real dice, d{sides}: {number} thrown."),
}
_REACH = 12  # square roots of the number of dice
FEWEST = 3  # earlier scores with which a score is compared
BEYOND = 0.01  # the highest chance that fair dice put any face of a report outside its band


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of one person in the finished turns of one game."""

    game: str
    turns: int  # at least 1
    mean: float
    best: int  # the lowest score where low is good, or else the highest


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """The results of one person, identified by the name as it is written."""

    name: str
    matches: int  # the finished matches with others
    won: int  # those that were won, alone or shared
    turns: int  # the finished turns
    shut: int  # the turns that shut the box, or completed the crew
    scores: tuple[Scores, ...]  # in the order in which the first turn of each was finished


@dataclass(frozen=True, slots=True)
class Faces:
    """The counts of the faces that dice from one source, with equal sides, have shown."""

    source: str  # one of SOURCES, see `record.Source`
    counts: tuple[int, ...]  # how many dice have shown each face, from 1
    low: int
    high: int
    """In at least 99 of 100 reports like this, fair dice keep the counts of all faces in all groups
    within their `low` and `high`."""

    @property
    def unusual_faces(self) -> tuple[int, ...]:
        """The faces with unusual counts: below `low` or above `high`.

        >>> Faces("system", counts=(5, 21), low=6, high=20).unusual_faces
        (1, 2)
        """
        faces = enumerate(self.counts, start=1)
        return tuple(face for face, count in faces if not self.low <= count <= self.high)


@dataclass(frozen=True, slots=True, repr=False)
class Stats(Result):
    """The statistics of records whose dice could not be known before.

    Its rows are scores by person and game.
    """

    COLUMNS = (
        *(Column("player"), Column("game"), Column("turns", int)),
        *(Column("mean", float), Column("best", int)),
    )

    finished: int  # the number of games that are over
    unfinished: int  # of games that can be resumed, and of damaged ones whose end is lost
    unreadable: tuple[str, ...]  # the refusals of records that are not counted above
    players: tuple[PlayerStats, ...]  # by their first games, then by seat
    dice: tuple[Faces, ...]  # in the order of SOURCES, and within a source by sides

    def rows(self) -> Iterator[tuple[object, ...]]:
        """Yield a row for each person and game under COLUMNS.

        >>> ann = PlayerStats("Ann", 0, 0, turns=2, shut=0, scores=(Scores("six", 2, 9.5, 4),))
        >>> list(Stats(1, 0, (), (ann,), ()).rows())
        [('Ann', 'six', 2, 9.5, 4)]
        """
        for player in self.players:
            for scores in player.scores:
                yield player.name, scores.game, scores.turns, scores.mean, scores.best

    def _summary(self) -> str:
        games = self.finished + self.unfinished
        dice, names = sum(sum(faces.counts) for faces in self.dice), (p.name for p in self.players)
        return f"{games} games, {dice:,} dice: {listed(names) or 'nobody'}"


def stats(*, folder: Path | str | None = None) -> Stats:
    """Return the statistics of the user's own games, or of the records in a folder; see `gather`.

    Raises UnknownRecord for a folder that cannot be read, and what `Store` raises.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     stats(folder=folder)
    Stats(0 games, 0 dice: nobody)
    """
    store = Store(folder)
    return gather(game for _, game in store.each(store.ids(), game_of))


@dataclass(slots=True)
class _Person:
    """A counter of one person's matches, turns and scores."""

    matches: int = 0
    won: int = 0
    turns: int = 0
    shut: int = 0
    scores: dict[str, tuple[Scoring, list[int]]] = field(default_factory=dict)  # by game

    def stats(self, name: str) -> PlayerStats:
        scores = (
            Scores(game, len(scores), fmean(scores), scoring.best_of(scores))
            for game, (scoring, scores) in self.scores.items()
        )
        return PlayerStats(name, self.matches, self.won, self.turns, self.shut, tuple(scores))


def gather(records: Iterable[Reading[Any, Any] | ShutboxError]) -> Stats:
    """Return the statistics of records; one that cannot be read is given as its refusal.

    A damaged record counts up to its fault, a torn one up to its last whole line. Challenges do not
    count, since their dice are known. Of games from a given position, only the game and its dice
    count. A person is a name as it is written; computer players are not persons, but their dice
    count.

    >>> gather([ShutboxError("game 1 cannot be read")]).unreadable
    ('game 1 cannot be read',)
    """
    finished = unfinished = 0
    unreadable: list[str] = []
    people: defaultdict[str, _Person] = defaultdict(_Person)
    faces: defaultdict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for reading in records:
        if isinstance(reading, ShutboxError):
            unreadable.append("; ".join(str(reading).splitlines()))
            continue
        header = reading.header
        if header.dice.kind in ("challenge", "date"):  # its dice could be known before
            continue
        finished += reading.over is not None
        unfinished += reading.over is None
        _count_faces(reading, faces)
        seats = enumerate(header.players)
        seated = {seat: people[player.name] for seat, player in seats if not player.computer}
        if not header.position:  # turns from a given position are easier or harder than others
            _count_results(reading, seated)
    return Stats(
        finished,
        unfinished,
        tuple(unreadable),
        tuple(person.stats(name) for name, person in people.items()),
        tuple(_with_bands(faces)),
    )


def _count_faces(
    reading: Reading[Any, Any], faces: defaultdict[tuple[str, int], Counter[int]]
) -> None:
    """Count the faces of all dice of a record by their source and their sides."""
    for step in reading.play.steps:
        # Only sealed dice can change their source: after the seal ends, the system throws.
        as_begun = reading.last_sealed is None or step.number <= reading.last_sealed
        source = reading.header.dice.kind if as_begun else "system"
        match reading.game.awaits(step.before), step.event:
            case Throw(dice=dice), Rolled(roll=roll):
                for sides, face in zip(dice.sides, roll.pips, strict=True):
                    faces[source, sides][face] += 1


def _count_results(reading: Reading[Any, Any], seated: dict[int, _Person]) -> None:
    """Count the match and the turns of a record for the persons in its seats."""
    game, over = reading.game, reading.over
    turn = turn_game(game)
    if isinstance(game, Match) and over is not None and len(game.players) > 1:
        for seat, person in seated.items():
            person.matches += 1
            person.won += seat in over.winners
    for step in reading.play.steps:
        for ended in ended_turns(game, step.after):
            if ended.seat in seated:
                person = seated[ended.seat]
                person.turns += 1
                person.shut += ended.shut
                if (scoring := turn.scoring) is not None:
                    person.scores.setdefault(turn.name, (scoring, []))[1].append(ended.score)


def _with_bands(faces: dict[tuple[str, int], Counter[int]]) -> Iterator[Faces]:
    """Yield the counted faces in order, each group with its band."""
    order = [*SOURCES]
    groups = sorted(faces, key=lambda group: (order.index(group[0]), group[1]))
    beyond = BEYOND / max(1, sum(sides for _, sides in groups))
    for source, sides in groups:
        counts = tuple(faces[source, sides][face] for face in range(1, sides + 1))
        yield Faces(source, counts, *usual_range(sum(counts), sides, beyond))


def ended_turns(game: Game[Any, Any], position: Any) -> Sequence[TurnResult]:
    """Return the results of the turns that the last event before a position has ended, in order.

    In a game that is no match, there is one for each seat once the game is over.
    """
    if isinstance(game, Match):
        return game.settled(position).turns
    if not isinstance(over := game.awaits(position), Over):
        return ()
    return [TurnResult(seat, score, over.shut) for seat, score in enumerate(over.scores)]


def usual_range(dice: int, sides: int, beyond: float) -> tuple[int, int]:
    """Return the lowest and the highest usual count of one face among this many fair dice.

    The band is the narrowest for which a lower count has a probability of at most `beyond / 2`, and
    so has a higher count. `beyond` lies between 10 ** -20 and 1.

    >>> usual_range(600, 6, 0.01), usual_range(2, 6, 0.01)
    ((77, 124), (0, 2))
    """
    reach = isqrt(_REACH**2 * (dice + 10))  # what is further from the mean weighs nothing
    lowest, highest = max(0, dice // sides - reach), min(dice, dice // sides + reach)
    # The weights of the binomial distribution, as logarithms, so that nothing overflows.
    logs = [
        (dice - count) * log(sides - 1) - lgamma(count + 1) - lgamma(dice - count + 1)
        for count in range(lowest, highest + 1)
    ]
    most = max(logs)
    weights = [exp(each - most) for each in logs]
    cut = beyond / 2 * fsum(weights) * (1 + 1e-9)  # an equal weight counts, rounded or not
    below, above = (bisect(list(accumulate(each)), cut) for each in (weights, weights[::-1]))
    return lowest + below, highest - above


# In sentences


def compare_with_earlier(
    game: Game[Any, Any], score: int, name: str, earlier: Iterable[Reading[Any, Any]]
) -> Iterator[str]:
    """Yield one sentence that compares a score with earlier solo scores of `name` in this game.

    `earlier` are records in any order, without the new one; only finished games from the start
    count. With fewer than FEWEST, or in a game without scores, yield none.
    """
    scores = [
        ended.score
        for reading in earlier
        if reading.game == game and reading.header.names == (name,) and reading.over is not None
        if reading.play.start == game.start()
        for ended in ended_turns(game, reading.play.position)
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


def stats_sentences(stats: Stats) -> Iterator[str]:
    """Yield sentences on the games, on each person, and on the dice, with any unusual counts.

    >>> list(stats_sentences(gather([])))
    ['No games yet; shutbox play starts one.']
    """
    if number := stats.finished + stats.unfinished:
        yield ngettext(
            "{number} game is saved: {finished} finished, {unfinished} unfinished.",
            "{number} games are saved: {finished} finished, {unfinished} unfinished.",
            number,
            finished=stats.finished,
            unfinished=stats.unfinished,
        )
    elif not stats.unreadable:
        yield no_games()
    yield from (gettext("{reason}.", reason=capital(reason)) for reason in stats.unreadable)
    for player in stats.players:
        yield from _player_sentences(player)
    for faces in stats.dice:
        yield from _faces_sentences(faces)
    if any(faces.unusual_faces for faces in stats.dice):
        yield gettext(
            "With fair dice, all counts stay within these bounds at least 99 times in 100."
        )
    elif stats.dice:
        yield gettext("Every face has come up about as often as it should.")


def _player_sentences(player: PlayerStats) -> Iterator[str]:
    name = player.name
    if player.matches:
        yield ngettext(
            "{name} has won {won} of {number} match.",
            "{name} has won {won} of {number} matches.",
            player.matches,
            name=name,
            won=player.won,
        )
    if player.turns:
        yield ngettext(
            "{name} has shut the box, or completed the crew, in {shut} of {number} turn.",
            "{name} has shut the box, or completed the crew, in {shut} of {number} turns.",
            player.turns,
            name=name,
            shut=player.shut,
        )
    for scores in player.scores:
        # Translators: the best: the best score of these turns.
        yield ngettext(
            "{name} averages {mean} over {number} turn of {game}; the best is {best}.",
            "{name} averages {mean} over {number} turns of {game}; the best is {best}.",
            scores.turns,
            name=name,
            mean=decimal(scores.mean),
            game=find_any(scores.game).card().title,
            best=scores.best,
        )


def _faces_sentences(faces: Faces) -> Iterator[str]:
    dice = sum(faces.counts)
    yield gettext(SOURCES[faces.source], sides=len(faces.counts), number=dice)
    for face in faces.unusual_faces:
        yield ngettext(
            "Face {face} came up {number} time in {dice}; with fair dice, {low} to {high} times.",
            "Face {face} came up {number} times in {dice}; with fair dice, {low} to {high} times.",
            faces.counts[face - 1],
            face=face,
            dice=dice,
            low=faces.low,
            high=faces.high,
        )
