"""The last round of a match, solved for all seats by backward induction, with all playing to win.

Each player maximises their own share of the win, knowing the score to beat and how later players
will play. So the last player is solved first.

Players tied in a contest of single throws are assumed to win it equally often. That ignores the
rule that after a hundred ties the first of them wins; with two d6 its chance is below 10 ** -90.

An *outlook* is what each seat can expect at a position. All advice on a match of one round needs
the same few hundred outlooks, and they take seconds to compute. So they are kept in a file of the
user's cache. In several rounds they depend on totals, which hardly ever repeat.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from operator import attrgetter, sub
from typing import Any

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import figure
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Over, Placed, position_meant
from shutbox.engine.messages import gettext
from shutbox.games.traits import traits_of
from shutbox.match import Match, WhenShut, full_title
from shutbox.match.standing import Contest, Ended, Opening, Standing, Tally, Turn, WithoutChips
from shutbox.output.results import Column, Result, Row
from shutbox.solving.cache import is_stored, read_or_make
from shutbox.solving.equity.last_round_limits import seconds_of_last_round
from shutbox.solving.graph import Ending
from shutbox.solving.graph_solution import GraphSolution, Turns
from shutbox.solving.objectives import Aim
from shutbox.solving.progress import Progress, no_progress
from shutbox.solving.solution import Chances
from shutbox.solving.solvers import graph_of_turn
from shutbox.solving.value_text import precise_percent, signed_chips

LONG = 0.03  # estimated seconds from which outlooks are kept
VERSION = 2  # of stored outlooks; raised whenever they can change

Place = Standing[Any]  # a position of a match


@dataclass(frozen=True, slots=True, repr=False)
class Outlook(Result):
    """What each seat can expect: its share of the win, and its final chips, less any it buys."""

    COLUMNS = (Column("seat", int), Column("share", float), Column("chips", float))

    shares: tuple[Fraction, ...]  # of the win; a tie of two counts 1/2; they sum to 1
    chips: tuple[Fraction, ...]  # the expected final purse, less any chips bought

    def _summary(self) -> str:
        return ", ".join(map(figure, self.shares))

    def _rows(self) -> Iterator[Row]:
        pairs = zip(self.shares, self.chips, strict=True)
        return ((seat, *map(float, pair)) for seat, pair in enumerate(pairs))

    def gains(self, match: Match[Any, Any]) -> tuple[Fraction, ...]:
        """Return each seat's expected gain in chips over the whole `match`; negative for a loss."""
        return tuple(map(sub, self.chips, match.rules.purses))


def never_comes(match: Match[Any, Any], standing: Place) -> NotUnderstood:
    """Return the refusal of a position that no play of a match comes to."""
    return NotUnderstood(
        "{position}: no match of {match} comes to this",
        position=match.position_id(standing),
        match=full_title(match),
    )


class LastRound:
    """A solver of the last round of a match, for all of its seats.

    >>> from shutbox.table.lookup import find_any
    >>> solver = LastRound(find_any("six[seats=2,shut=wins]"))
    >>> [round(float(share), 6) for share in solver.outlook().shares]
    [0.502437, 0.497563]

    The caller has called `check_last_round`, and asks for no position before the last round.
    """

    _near = GraphSolution.near  # values of ends that are no further apart are ties

    def __init__(
        self, match: Match[Any, Any], aim: str = "win", progress: Progress = no_progress
    ) -> None:
        """Prepare for the `aim` "win", or else "chips"."""
        self.match, self.aim = match, aim
        self._numbers_of: Callable[[Outlook], Sequence[Fraction]]
        self._numbers_of = attrgetter("shares" if aim == "win" else "chips")
        self._rules = match.rules
        self._turns = graph_of_turn(match.game, match.game.start())
        self._known: dict[Place, Outlook] = {}
        self._stored: dict[str, Outlook] = {}  # from the file, by the text of the position
        self._chances: dict[tuple[Fraction, ...], Chances] = {}
        self._progress = progress

    def load(self, *, make: bool) -> None:
        """Read the outlooks of a whole match of one round from its file.

        Without a file, compute all of them and write it if `make`; else do nothing, as for a match
        of which no file is kept.
        """
        file = _file_of_outlooks(self.match)
        if file is None or self._stored or not (make or is_stored(*file)):
            return
        data, _ = read_or_make(*file, self._every_outlook)
        for place, vectors in data.items():
            self._stored[place] = Outlook(*(tuple(map(Fraction, v)) for v in vectors))

    def _every_outlook(self) -> tuple[dict[str, list[list[str]]], bytes]:
        self.outlook()  # the start leads to all others
        known = self._known.items()
        return {
            self.match.position_id(place): [list(map(str, o.shares)), list(map(str, o.chips))]
            for place, o in known
        }, b""

    def outlook(self, position: Place | str | Placed | None = None) -> Outlook:
        """Return the outlook at a position, a text, or a `Position`; None is the start.

        Raises NotUnderstood for a view of another match or anything that is no position, and what
        `Game.position_at` raises for a text.
        """
        standing = position_meant(self.match, position)
        return self._outlook(self.match.settled(standing).position)

    def turn(self, position: Place) -> GraphSolution[Any, Any]:
        """Return the turn under way, which there must be, solved for the seat whose turn it is."""
        standing = self.match.settled(position_meant(self.match, position)).position
        assert isinstance(standing.doing, Turn)  # the caller has checked that a turn is under way
        turns = self._turns
        if not turns.holds(standing.doing.at):
            turns = graph_of_turn(self.match.game, standing.doing.at)
        after = self._outlooks_after(standing, set(turns.graph.ends.values()))
        return self._solve_turn(standing.doing.seat, after, turns)

    def _outlook(self, standing: Place) -> Outlook:
        """Return the outlook at a settled position: a player is due, or the match is over."""
        match standing.doing:
            case Ended(winners=winners):
                share = Fraction(1, len(winners))
                shares = tuple(share * (seat in winners) for seat in range(self._rules.seat_count))
                return Outlook(shares, tuple(Fraction(tally.chips) for tally in standing.tallies))
            case Opening():
                short = self._rules.seat_short_of_chips(standing)
                assert short is not None  # settled, so a question is open
                outlooks = (
                    self._outlook_of_answer(standing, short, answer) for answer in WithoutChips
                )
                return max(outlooks, key=lambda outlook: self._numbers_of(outlook)[short])
            case Contest() as contest:
                return self._of_contest(standing, contest)
            case Turn(at=at) if at != self.match.game.start():
                solution = self.turn(standing)
                after = self._outlooks_after(standing, solution.graph.ends.values())
                return self._mean_of_ends(after, solution.chances(at))
            case Turn(seat=seat):
                return self._of_whole_turn(standing, seat)

    def _outlook_of_answer(self, standing: Place, seat: int, answer: WithoutChips) -> Outlook:
        """Return the outlook after a seat's answer about chips; chips it buys are not gains."""
        outlook = self.outlook(self.match.chosen(standing, answer))
        chips = list(outlook.chips)
        chips[seat] -= self._rules.refill * (answer is WithoutChips.BUY)
        return replace(outlook, chips=tuple(chips))

    def _of_whole_turn(self, standing: Place, seat: int) -> Outlook:
        plain, seats = self._canonical(standing)
        if (known := self._known.get(plain)) is None:
            known = self._stored.get(self.match.position_id(plain))
            if known is None:
                after = self._outlooks_after(plain, self._turns.graph.ends.values())
                known = self._mean_of_ends(after, self._chances_of_ends(seat, after))
            self._known[plain] = known
            self._progress(len(self._known), 0)
        vectors = known.shares, known.chips
        return Outlook(*(tuple(vector[s] for s in seats) for vector in vectors))

    def _outlooks_after(self, standing: Place, ends: Iterable[Ending]) -> dict[Ending, Outlook]:
        """Return the outlook after each of these ends (score, shut) of the turn under way."""
        return {
            (score, shut): self._outlook(
                self._rules.after_turn(standing, Over((score,), shut)).position
            )
            for score, shut in ends
        }

    def _solve_turn(
        self, seat: int, after: dict[Ending, Outlook], turns: Turns[Any]
    ) -> GraphSolution[Any, Any]:
        """Return a turn solved for the seat that plays it, with these outlooks after its ends."""
        payoffs = {ending: self._numbers_of(outlook)[seat] for ending, outlook in after.items()}
        aim = Aim(self.aim, lambda over: payoffs[over.scores[0], over.shut], lambda _, seat: True)
        solution = GraphSolution(self.match.game, aim, turns)
        solution.near = self._near
        return solution

    def _chances_of_ends(self, seat: int, after: dict[Ending, Outlook]) -> Chances:
        """Return the chances of the ends of a whole turn, cached by the values of the ends."""
        key = tuple(self._numbers_of(outlook)[seat] for outlook in after.values())
        if key not in self._chances:
            solution = self._solve_turn(seat, after, self._turns)
            self._chances[key] = solution.chances(self.match.game.start())
        return self._chances[key]

    def _mean_of_ends(self, after: dict[Ending, Outlook], chances: Chances) -> Outlook:
        return _mean([(Fraction(chance), after[ending]) for ending, chance in chances.items()])

    def _canonical(self, standing: Place) -> tuple[Place, tuple[int, ...]]:
        """Return an equivalent simpler position, and for each seat of `standing` its seat there.

        Of the finished turns only the best scores matter, not how much worse the others are, unless
        losers pay for points.
        """
        rules, seats = self._rules, list(range(self._rules.seat_count))
        if self.match.format.by_points:  # then it matters
            return standing, tuple(seats)
        thrown = standing.finished
        tallies = list(standing.tallies)
        if rules.one_round:
            leading = rules.round_leaders(standing)
            for seat in {*thrown} - {*leading}:
                tallies[seat] = replace(tallies[seat], score=rules.scoring.worst)
        else:
            leading = self._plain_totals(standing, thrown, tallies)
        if self.match.format.stake or self.match.format.shut is WhenShut.DOUBLES:
            return replace(standing, tallies=tuple(tallies)), tuple(seats)
        # Without chips it does not matter which players are tied, nor how they got their scores.
        moved = list(tallies)
        leading_first = sorted(thrown, key=lambda seat: seat not in leading)
        for place, seat in zip(thrown, leading_first, strict=True):
            seats[seat] = place
            moved[place] = replace(tallies[seat], shut=False)
        return replace(standing, tallies=tuple(moved)), tuple(seats)

    def _plain_totals(self, standing: Place, thrown: list[int], tallies: list[Tally]) -> list[int]:
        """Simplify `tallies` in place where totals decide; return the leaders among `thrown`."""
        totals = {s: standing.tallies[s].total + (standing.tallies[s].score or 0) for s in thrown}
        best = self.match.scoring.best_of(totals.values()) if totals else 0
        worse = best + (1 if self.match.scoring.low_is_good else -1)
        for seat in thrown:
            total = best if totals[seat] == best else worse
            tallies[seat] = replace(tallies[seat], total=total, score=0)
        return [seat for seat in thrown if totals[seat] == best]

    def _of_contest(self, standing: Place, contest: Contest) -> Outlook:
        """Return the mean outlook after a contest of throws, over its possible winners."""
        lowest, highest = Roll((1,) * len(self._rules.dice)), Roll(self._rules.dice.sides)
        weighed = []
        for place, chance in enumerate(_chances_to_win(self._rules.dice, contest)):
            rolls = [lowest] * len(contest.among)
            rolls[place] = highest
            won = replace(standing, doing=replace(contest, rolls=tuple(rolls)))
            weighed.append((chance, self.outlook(won)))
        return _mean(weighed)


def outlooks_are_stored(match: Match[Any, Any]) -> bool:
    """Whether the file that `LastRound.load` reads exists; it is not opened."""
    file = _file_of_outlooks(match)
    return file is not None and is_stored(*file)


def _file_of_outlooks(match: Match[Any, Any]) -> tuple[str, str] | None:
    """Return what `read_or_make` needs for the outlooks of a match; None if they are not kept."""
    game = match.game
    lasting = traits_of(game).lasting and match.rules.one_round
    if not lasting or not LONG <= seconds_of_last_round(match) < inf:
        return None
    key = "outlooks", VERSION, match.name, game.card().options
    return f"outlooks-{game.name.partition('(')[0]}", json.dumps(key)


def _mean(weighed: Sequence[tuple[Fraction, Outlook]]) -> Outlook:
    """Return the mean of outlooks, given with their probabilities."""

    def mean_of(vector: Callable[[Outlook], Sequence[Fraction]]) -> tuple[Fraction, ...]:
        parts = ([chance * part for part in vector(outlook)] for chance, outlook in weighed)
        return tuple(sum(column, start=Fraction(0)) for column in zip(*parts, strict=True))

    return Outlook(mean_of(lambda o: o.shares), mean_of(lambda o: o.chips))


def _chances_to_win(dice: Dice, contest: Contest) -> list[Fraction]:
    """Return each player's chance to win a contest by the highest total; ties are split equally."""
    totals = Counter[int]()
    for roll, weight in dice.outcomes():
        totals[roll.total] += weight
    free = {total: Fraction(weight, dice.total_weight) for total, weight in totals.items()}
    thrown = [{roll.total: Fraction(1)} for roll in contest.rolls]
    totals_by_place = thrown + [free] * (len(contest.among) - len(thrown))
    none = Fraction(0)

    def wins(place: int, total: int) -> Fraction:
        """Return the chance of the player at `place` to win with this total; ties share the win."""
        tied = [Fraction(1)]  # by the number of others with the same total
        for chances in totals_by_place[:place] + totals_by_place[place + 1 :]:
            same = chances.get(total, none)
            less = sum((chance for other, chance in chances.items() if other < total), start=none)
            tied = [
                chance * less + fewer * same
                for chance, fewer in zip([*tied, none], [none, *tied], strict=True)
            ]
        return sum((c / (n + 1) for n, c in enumerate(tied)), start=none)

    return [
        sum((chance * wins(place, total) for total, chance in chances.items()), start=none)
        for place, chances in enumerate(totals_by_place)
    ]


# In sentences


def match_lines(
    match: Match[Any, Any], position: Any, aim: str, outlook: Outlook, *, exact: bool
) -> Iterator[str]:
    """Yield sentences on each player's share of the win, and on chips gained if there is a stake.

    All players play for `aim`, "win" or "chips"; with `exact`, shares are also given as fractions.
    """
    if aim == "win":
        yield gettext("{match}. All play to win.", match=full_title(match))
    else:
        yield gettext("{match}. All play to gain chips.", match=full_title(match))
    if position != match.start():
        yield gettext("Position: {position}.", position=match.position_id(position))
    gains = outlook.gains(match)
    for player, share, chips in zip(match.players, outlook.shares, gains, strict=True):
        line = gettext("{player}: wins {share}", player=player, share=precise_percent(share))
        if match.format.stake:
            line = gettext("{line}; expected chips {chips}", line=line, chips=signed_chips(chips))
        if exact:
            line = gettext("{rounded}; exactly {exact}", rounded=line, exact=share)
        yield gettext("{line}.", line=line)
