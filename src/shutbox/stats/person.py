"""What one person has done, added up game by game."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from shutbox.game import Game
from shutbox.stats.events import Finished
from shutbox.stats.report import Matches, PlayerStats, Scores


def in_a_row(good: Iterable[bool]) -> int:
    """The most good ones one after the other.

    >>> in_a_row([True, True, False, True])
    2
    """
    return max((sum(run) for _, run in groupby(good)), default=0)


@dataclass(slots=True)
class Person:
    """What is known of a person so far."""

    name: str
    _won: list[bool] = field(default_factory=list)
    _shut: list[bool] = field(default_factory=list)
    _matches: dict[str, list[tuple[bool, bool]]] = field(default_factory=dict)
    _scores: dict[str, list[int]] = field(default_factory=dict)
    _best: dict[str, Callable[[list[int]], int]] = field(default_factory=dict)

    def played(self, title: str, seat: int, winners: tuple[int, ...]) -> None:
        """A match is finished."""
        won = seat in winners
        self._won.append(won)
        self._matches.setdefault(title, []).append((won, won and len(winners) > 1))

    def finished(self, game: Game[Any, Any], turn: Finished) -> None:
        """A turn of the game is finished."""
        self._shut.append(turn.shut)
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
            in_a_row(self._won),
            tuple(
                Scores(game, len(scores), sum(scores), self._best[game](scores))
                for game, scores in self._scores.items()
            ),
            len(self._shut),
            sum(self._shut),
            in_a_row(self._shut),
        )
