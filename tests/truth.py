"""Values computed slowly from the protocol alone, as a reference for the analysis.

Nothing here imports a solver. A game is played in every possible way, each position once, and the
results are added up in exact fractions.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from shutbox import Choose, Game, Over, Throw
from shutbox.match import Match
from shutbox.match.standing import Contest

Weighed = list[tuple[Any, Fraction]]
Chances = dict[tuple[int, bool], Fraction]


_Game: Any = object


class Remembered(_Game):  # type: ignore[misc]
    """A game with cached answers, so that it can be solved for several aims."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.awaits = cache(game.awaits)
        self.rolled = cache(game.rolled)
        self.chosen = cache(game.chosen)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


def falls(game: Game[Any, Any], position: Any) -> Weighed:
    """Return the positions after the next throw, with their probabilities."""
    awaited = game.awaits(position)
    assert isinstance(awaited, Throw)
    return [
        (game.rolled(position, roll), Fraction(weight, awaited.dice.total_weight))
        for roll, weight in awaited.dice.outcomes()
    ]


def places(game: Game[Any, Any], start: Any = None) -> Iterator[Any]:
    """Yield every reachable position once, always in the same order."""
    first = game.start() if start is None else start
    seen, waiting = {first}, [first]
    while waiting:
        here = waiting.pop()
        yield here
        match game.awaits(here):
            case Throw(dice=dice):
                after = [game.rolled(here, roll) for roll, _ in dice.outcomes()]
            case Choose(choices=choices):
                after = [game.chosen(here, choice) for choice in choices]
            case Over():
                after = []
        waiting += [place for place in dict.fromkeys(after) if place not in seen]
        seen.update(after)


Outcome = tuple[Fraction, Fraction, Fraction, Fraction]
"""The expected score, the chance to shut the box, and the expected throws and decisions."""


class PolicyValues:
    """The results of a game in which every choice is the one that `best` picks.

    Without `best`, every choice is as likely as the others; then only `numbers` can be asked for.
    """

    def __init__(self, game: Game[Any, Any], best: Callable[[Any], Any] | None) -> None:
        self.game = game
        self.best = best or (lambda here: None)
        self._is_random = best is None
        self._numbers: dict[Any, Outcome] = {}
        self._chances: dict[Any, Chances] = {}

    def numbers(self, here: Any) -> Outcome:
        if here not in self._numbers:
            match self.game.awaits(here):
                case Over(scores=scores, shut=shut):
                    found = Fraction(scores[0]), Fraction(shut), Fraction(0), Fraction(0)
                case Choose(choices=choices):
                    picked = choices if self._is_random else (self.best(here),)
                    share = Fraction(1, len(picked))
                    after = [(self.game.chosen(here, choice), share) for choice in picked]
                    found = self._mean(after, decisions=len(choices) > 1)
                case Throw():
                    found = self._mean(falls(self.game, here), throws=1)
            self._numbers[here] = found
        return self._numbers[here]

    def _mean(self, after: Weighed, throws: int = 0, decisions: int = 0) -> Outcome:
        score, shut, more_throws, more_decisions = (
            sum(column, Fraction(0))
            for column in zip(
                *([part * n for n in self.numbers(there)] for there, part in after), strict=True
            )
        )
        return score, shut, throws + more_throws, decisions + more_decisions

    def chances(self, here: Any) -> Chances:
        """Return the probability of each end."""
        if here not in self._chances:
            found: Chances = {}
            match self.game.awaits(here):
                case Over(scores=scores, shut=shut):
                    found[scores[0], shut] = Fraction(1)
                case Choose():
                    found = self.chances(self.game.chosen(here, self.best(here)))
                case Throw():
                    for after, part in falls(self.game, here):
                        for end, chance in self.chances(after).items():
                            found[end] = found.get(end, Fraction(0)) + part * chance
            self._chances[here] = found
        return self._chances[here]

    def thrown_from(self, here: Any) -> Any:
        """Return the position before the next throw, or at the end of the game."""
        while isinstance(self.game.awaits(here), Choose):
            here = self.game.chosen(here, self.best(here))
        return here

    def ends(self, here: Any) -> Fraction:
        """Return the chance that the next throw ends the game. 0 if no throw follows."""
        there = self.thrown_from(here)
        if isinstance(self.game.awaits(there), Over):
            return Fraction(0)
        return sum(
            (
                part
                for after, part in falls(self.game, there)
                if isinstance(self.game.awaits(after), Over)
            ),
            Fraction(0),
        )


# Matches

Hopes = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""Each seat's share of the win, and each seat's chips."""


class Everybody:
    """A match in which every seat makes its own best choice."""

    def __init__(self, match: "Match[Any, Any]", aim: str = "win") -> None:
        self.match = match
        self._own = ("win", "chips").index(aim)
        self.known: dict[Any, Hopes] = {}
        self._contests: dict[Any, Hopes] = {}

    def hopes(self, here: Any = None) -> Hopes:
        position = self.match.start() if here is None else here
        if position not in self.known:
            self.known[position] = self._hopes(position)
        return self.known[position]

    def best(self, position: Any) -> Any:
        awaited = self.match.awaits(position)
        assert isinstance(awaited, Choose)
        hopes = [self.hopes(self.match.chosen(position, c))[self._own] for c in awaited.choices]
        mine = [own[awaited.seat] for own in hopes]
        return awaited.choices[mine.index(max(mine))]

    def _hopes(self, here: Any) -> Hopes:
        match self.match.awaits(here):
            case Over(winners=winners):
                shares = tuple(
                    Fraction(seat in winners, len(winners))
                    for seat in range(len(self.match.players))
                )
                tallies = self.match.settled(here).position.tallies
                return shares, tuple(Fraction(tally.chips) for tally in tallies)
            case Choose():
                return self.hopes(self.match.chosen(here, self.best(here)))
            case Throw(dice=dice):
                settled = self.match.settled(here).position
                if isinstance(settled.doing, Contest):
                    return self._contest(settled)
                return mixed(
                    (Fraction(weight, dice.total_weight), self.hopes(self.match.rolled(here, roll)))
                    for roll, weight in dice.outcomes()
                )

    def _contest(self, here: Any) -> Hopes:
        """Return the hopes before a throw-off. If all tied seats tie again, it starts again.

        The number of repetitions does not matter, so the limit of a hundred is ignored.
        """
        assert isinstance(here.doing, Contest)
        begun = replace(here, doing=replace(here.doing, repeats=0))
        if begun in self._contests:
            return self._contests[begun]
        dice = self.match.rules.dice
        missing = len(here.doing.among) - len(here.doing.rolls)
        again, decided = Fraction(0), []
        for falls in product(dice.outcomes(), repeat=missing):
            chance, rolls = Fraction(1), list(here.doing.rolls)
            for roll, weight in falls:
                chance *= Fraction(weight, dice.total_weight)
                rolls.append(roll)
            after = self.match.settled(
                replace(here, doing=replace(here.doing, rolls=tuple(rolls), repeats=0))
            ).position
            if (
                isinstance(after.doing, Contest)
                and after.doing.about is here.doing.about
                and after.doing.among == here.doing.among
                and not here.doing.rolls
            ):
                again += chance
            else:
                decided.append((chance, after))
        found = mixed((chance / (1 - again), self.hopes(after)) for chance, after in decided)
        self._contests[begun] = found
        return found


def mixed(weighed: Iterator[tuple[Fraction, Hopes]]) -> Hopes:
    parts = list(weighed)
    assert sum(chance for chance, _ in parts) == 1
    seats = range(len(parts[0][1][0]))
    shares, chips = (
        tuple(sum((c * hopes[which][seat] for c, hopes in parts), Fraction(0)) for seat in seats)
        for which in (0, 1)
    )
    return shares, chips
