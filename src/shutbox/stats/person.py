"""What one person has done, added up game by game."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from shutbox.game import Game
from shutbox.stats.events import Finished
from shutbox.stats.report import Matches, PlayerStats, Scores


@dataclass(slots=True)
class Streak:
    """Good things one after the other.

    >>> streak = Streak()
    >>> for good in (True, True, False, True):
    ...     streak.add(good)
    >>> streak.longest
    2
    """

    now: int = 0
    longest: int = 0

    def add(self, good: bool) -> None:
        """One more, good or not."""
        self.now = self.now + 1 if good else 0
        self.longest = max(self.longest, self.now)


@dataclass(slots=True)
class Person:
    """What is known of a person so far."""

    name: str
    won: Streak = field(default_factory=Streak)
    shut: Streak = field(default_factory=Streak)
    shuts: list[bool] = field(default_factory=list)
    _matches: dict[str, list[tuple[bool, bool]]] = field(default_factory=dict)
    _scores: dict[str, list[int]] = field(default_factory=dict)
    _best: dict[str, Callable[[list[int]], int]] = field(default_factory=dict)

    def played(self, title: str, seat: int, winners: tuple[int, ...]) -> None:
        """A match is finished."""
        won = seat in winners
        self.won.add(won)
        self._matches.setdefault(title, []).append((won, won and len(winners) > 1))

    def finished(self, game: Game[Any, Any], turn: Finished) -> None:
        """A turn of the game is finished."""
        self.shut.add(turn.shut)
        self.shuts.append(turn.shut)
        if game.scoring is not None:
            self._scores.setdefault(game.name, []).append(turn.score)
            self._best[game.name] = min if game.scoring.low_is_good else max

    def player(self) -> PlayerStats:
        """All of it."""
        return PlayerStats(
            self.name,
            tuple(
                Matches(title, len(ends), sum(w for w, _ in ends), sum(s for _, s in ends))
                for title, ends in self._matches.items()
            ),
            self.won.longest,
            tuple(
                Scores(game, len(scores), sum(scores), self._best[game](scores))
                for game, scores in self._scores.items()
            ),
            len(self.shuts),
            sum(self.shuts),
            self.shut.longest,
        )
