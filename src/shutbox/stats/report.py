"""What is found out: plain values, which others put into words or into JSON."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Games:
    """The games that are kept."""

    finished: int
    unfinished: int  # those that can be resumed, and damaged ones whose end is lost
    endless: int  # those that have no end, such as the dice tray
    damaged: tuple[int, ...]  # the numbers of those of the above that are damaged
    unreadable: tuple[int, ...]  # the numbers of those that cannot be read, not counted above

    @property
    def read(self) -> int:
        """All that could be read."""
        return self.finished + self.unfinished + self.endless


@dataclass(frozen=True, slots=True)
class Matches:
    """The finished matches of one format that somebody played against others."""

    title: str  # of a preset, or the game and its format, such as `classic[rounds=2]`
    played: int
    won: int  # shared ones counted
    shared: int  # those of the won that others have won too


@dataclass(frozen=True, slots=True)
class Scores:
    """The finished turns of one game that somebody played."""

    game: str
    turns: int  # at least 1
    total: int  # the scores of all turns together
    best: int  # the lowest score where low is good, or else the highest

    @property
    def mean(self) -> str:
        """The mean score, to one decimal; halves of that away from zero.

        >>> Scores("classic", turns=4, total=41, best=0).mean
        '10.3'
        """
        tenths = (20 * abs(self.total) + self.turns) // (2 * self.turns)
        sign = "-" if self.total < 0 and tenths else ""
        return f"{sign}{tenths // 10}.{tenths % 10}"


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """One person: everything under one name, as it is written."""

    name: str
    matches: tuple[Matches, ...]  # in the order in which the first of each was played
    won_in_a_row: int
    """The most finished matches won one after the other, in the order of the records. A shared
    one counts as won."""
    scores: tuple[Scores, ...]  # in the order in which the first turn of each was finished
    turns: int  # the finished turns, those of games without scores counted
    shut: int  # those of them that shut the box, or completed the crew
    shut_in_a_row: int  # the most of these one after the other


@dataclass(frozen=True, slots=True)
class Faces:
    """The dice of one kind from one source."""

    source: str  # `system`, `seed`, `day` or `hand`
    counts: tuple[int, ...]  # how many dice have shown each face, from 1
    low: int
    high: int
    """Chance shows every face of every group so often, `low` to `high` times, in 99 of 100
    reports like this."""

    @property
    def sides(self) -> int:
        """The sides of each of these dice."""
        return len(self.counts)

    @property
    def dice(self) -> int:
        """How many have fallen."""
        return sum(self.counts)

    @property
    def outside(self) -> tuple[int, ...]:
        """The faces that chance shows so rarely or so often only now and then.

        >>> Faces("system", counts=(5, 21), low=6, high=20).outside
        (1, 2)
        """
        faces = enumerate(self.counts, start=1)
        return tuple(face for face, count in faces if not self.low <= count <= self.high)


@dataclass(frozen=True, slots=True)
class Stats:
    """Everything."""

    games: Games
    player: str | None  # the only person it is about; None: all
    players: tuple[PlayerStats, ...]  # in the order of their first games, and there by seat
    dice: tuple[Faces, ...]  # by source: system, seed, day, hand; and there by sides, ascending
