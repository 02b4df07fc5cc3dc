"""From records to what they say together: each is walked through once, and forgotten.

Nobody goes back past a throw, so dice that fell stay fallen; a correction replaces the dice it
corrects, and a turn that ended with a choice that was taken back has not ended.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import BadName
from shutbox.game import Game, Over, Scoring, Throw
from shutbox.match import Match, title_of
from shutbox.play import Rolled
from shutbox.record import Reading
from shutbox.stats.report import Faces, Games, Matches, PlayerStats, Scores, Stats

SOURCES = ("system", "seed", "day", "hand")  # where dice come from, in the order they are told in
TOO_SMALL = 1e-30  # the weight of a count that does not matter beside the likeliest
BEYOND = 0.01  # how often chance alone puts any face of a report outside its band, at most


def gather(
    records: Iterable[tuple[int, Reading[Any, Any] | None]], player: str | None = None
) -> Stats:
    """What these records say, which are given with their numbers; None: it cannot be read.

    A record that is damaged counts as far as it is sound, one that is torn like any unfinished
    one. A person is a name, as it is written; computer players are no persons, but their dice
    count. With `player`, only the games count in which this person sat, and the dice that were
    thrown from that seat. Raises BadName if there is no such person, with all there are.

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


def _in_a_row(good: Iterable[bool]) -> int:
    """The most good ones one after the other."""
    return max((sum(run) for _, run in groupby(good)), default=0)


@dataclass(slots=True)
class _Person:
    """What one person has done, added up game by game."""

    _won: list[bool] = field(default_factory=list)
    _shut: list[bool] = field(default_factory=list)
    _matches: dict[str, list[tuple[bool, bool]]] = field(default_factory=dict)
    _scores: dict[str, list[int]] = field(default_factory=dict)
    _scoring: dict[str, Scoring] = field(default_factory=dict)

    def played(self, title: str, seat: int, winners: tuple[int, ...]) -> None:
        won = seat in winners
        self._won.append(won)
        self._matches.setdefault(title, []).append((won, won and len(winners) > 1))

    def finished(self, game: Game[Any, Any], score: int, shut: bool) -> None:
        self._shut.append(shut)
        game = game.game if isinstance(game, Match) else game
        if game.scoring is not None:
            self._scores.setdefault(game.name, []).append(score)
            self._scoring[game.name] = game.scoring

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
                Scores(game, len(scores), sum(scores), self._scoring[game].best_of(scores))
                for game, scores in self._scores.items()
            ),
        )


class _Gathering:
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
        if reading.fault is not None:
            self._damaged.append(id)
        people = {seat: self._people[name] for seat, name in seats.items()}
        self._add_steps(reading, people)
        self._add_end(reading, people)

    def _add_steps(self, reading: Reading[Any, Any], people: dict[int, _Person]) -> None:
        game, everybody = reading.game, self.player is None
        for step in reading.play.steps:
            match game.awaits(step.before), step.event:
                case Throw(seat=seat, dice=dice), Rolled(roll=roll) if everybody or seat in people:
                    for sides, face in zip(dice.sides, roll.pips, strict=True):
                        self._faces[reading.header.dice.kind, sides][face] += 1
            for seat, score, shut in ended(game, step.after):
                # A turn from a position is easier or harder than the others: practice.
                if seat in people and not reading.header.position:
                    people[seat].finished(game, score, shut)

    def _add_end(self, reading: Reading[Any, Any], people: dict[int, _Person]) -> None:
        game, over = reading.game, reading.over
        if over is None:
            self._ends["endless" if game.longest is None else "unfinished"] += 1
            return
        self._ends["finished"] += 1
        if isinstance(game, Match) and len(game.players) > 1:
            for seat, person in people.items():
                person.played(named(game), seat, over.winners)

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
    """Seat, score and shut of each turn that has just come to an end: of a match one, or none."""
    if isinstance(game, Match):
        if (turn := game.settled(position).turn) is not None:
            yield turn.seat, turn.score, turn.shut
    elif isinstance(over := game.awaits(position), Over):
        yield from ((seat, score, over.shut) for seat, score in enumerate(over.scores))


def named(match: Match[Any, Any]) -> str:
    """What matches like this one are called: a preset's title, or the game and the format.

    Who throws first and the purses are left out: a rematch passes the start on, and everybody
    goes on with the chips that are there.

    >>> from shutbox import find
    >>> from shutbox.match import Format
    >>> named(Match(find("classic"), Format.parse("rounds=2")))
    'classic[rounds=2]'
    """
    name, format = match.game.name, match.format
    return title_of(name, format) or f"{name}[{format.lasting}]"


def band(dice: int, sides: int, beyond: float) -> tuple[int, int]:
    """How many of so many fair dice show one face, from the fewest to the most.

    >>> band(800, 6, 0.01)
    (107, 161)

    The weights of the counts of the binomial distribution are summed from the likeliest one
    outwards, each made from its neighbour, until they are too small to matter. So nothing
    overflows, no logarithm loses digits, and the work grows with the square root of the number of
    dice. The band is the narrowest for which fewer have a probability of at most `beyond / 2`, and
    more have too. `beyond` lies between 0 and 1, and above 10 ** -20.
    """
    counts, weights = _weights(dice, sides)
    cut = beyond / 2 * sum(sorted(weights))
    return counts[_reached(weights, cut)], counts[-1 - _reached(weights[::-1], cut)]


def _reached(weights: list[float], cut: float) -> int:
    """The first place up to which the weights sum to more than `cut`."""
    return next(place for place, total in enumerate(accumulate(weights)) if total > cut)


def _weights(dice: int, sides: int) -> tuple[range, list[float]]:
    """The counts that matter, ascending, and the weight of each; that of the likeliest is 1."""
    mode = (dice + 1) // sides
    up = list(_tail(dice, mode, 1, sides - 1))
    down = list(_tail(dice, dice - mode, sides - 1, 1))
    return range(mode - len(down), mode + len(up) + 1), [*reversed(down), 1.0, *up]


def _tail(dice: int, count: int, ways: int, others: int) -> Iterator[float]:
    """The weights of more than so many dice that fall in `ways`, not in `others`."""
    weight = 1.0
    while count < dice and weight > TOO_SMALL:
        weight *= (dice - count) * ways / ((count + 1) * others)
        count += 1
        yield weight
