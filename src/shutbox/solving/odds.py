"""The odds of a game from a position on: its value, its scores, and the next throw."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, overload

from shutbox.engine.english import capital, figure, localized, percent, safe_text
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Choose, Game, Placed, RuleCard, Throw, position_text
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.scene import Kind, State
from shutbox.match import Match
from shutbox.match.standing import Ended
from shutbox.output.results import Column, Result, Row
from shutbox.solving.fold import check_has_values
from shutbox.solving.objectives import MEAN, SHUT, WORST_SHUT, Aim, aim_named
from shutbox.solving.options import Number, Option, Ranking
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.solution import Chances, Solution, by_score, chance_to_shut, variance
from shutbox.solving.solvers import solve_from
from shutbox.solving.value_text import aim_words, value_phrase
from shutbox.table.lookup import find_position

if TYPE_CHECKING:
    from shutbox.solving.equity.last_round import Outlook

MOST_LINES = 50  # of scores or first throws; more of them are only summarised


@dataclass(frozen=True, slots=True)
class NextRoll:
    """A roll (or total) of the next throw, with its chance, its value, and the choices after it."""

    roll: str  # the roll, or only its total if all rolls of a total are alike
    chance: Fraction
    value: Number
    choices: Ranking[Any]  # the choices after it, best first; can be empty

    @property
    def best(self) -> Option[Any] | None:
        """The best choice; None where there is none."""
        return self.choices[0] if self.choices else None


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Result):
    """The odds of one player from a position on. Its rows are the next throws."""

    COLUMNS = (Column("roll"), Column("chance", float), Column("value", float), Column("best"))

    game: str
    aim: str
    position: str  # full text
    more_is_better: bool
    value: Number  # under best play for the aim: an expected score, or a probability
    chances: Chances | None
    """The probability of each end: its score, and whether the box is shut. None if the box is so
    large that only its values are computed; then `mean` is known only if the aim is the mean."""
    throws: Number | None  # the expected number of throws; None without `chances`
    openings: tuple[NextRoll, ...]
    """The next throw by its rolls or totals, ascending, with the best number of dice if there is a
    choice. Empty if dice lie or the turn is over."""
    card: RuleCard = field(compare=False)

    @property
    def title(self) -> str:
        """The title of the game with the aim: "Classic, played to beat 8"."""
        aim = aim_words(self.aim, self.card)
        return gettext("{title}, played {aim}", title=self.card.title, aim=aim)

    def report(self) -> dict[str, Any]:
        """Return the odds as a dict, in which numbers can be fractions; see `docs/data.md`."""
        names = ("game", "aim", "position", "value", "mean", "shut", "distribution", "throws")
        openings = []
        for opening in self.openings:
            facts = {"roll": opening.roll, "probability": opening.chance, "value": opening.value}
            rows = [{"choice": o.text, "value": o.value, "cost": o.cost} for o in opening.choices]
            openings.append({**facts, "best": rows[0] if rows else None, "choices": rows})
        return {**{name: getattr(self, name) for name in names}, "openings": openings}

    def _summary(self) -> str:
        shut = "" if self.shut is None or self.aim == SHUT.name else f", shut = {figure(self.shut)}"
        return f"{self.position}, {self.aim} = {figure(self.value)}{shut}"

    def _rows(self) -> Iterator[Row]:
        return ((o.roll, float(o.chance), float(o.value), str(o.best or "")) for o in self.openings)

    @property
    def distribution(self) -> dict[int, Number]:
        """The probability of each final score, the scores ascending; empty without `chances`."""
        return by_score(self.chances or {})

    @property
    def mean(self) -> Number | None:
        """The expected score; None if only the value of another aim is known."""
        if self.chances is None:
            return self.value if self.aim == MEAN.name else None
        return sum((score * p for score, p in self.distribution.items()), start=Fraction(0))

    @property
    def variance(self) -> Number | None:
        """The variance of the score, in squared points; None without `chances`."""
        return variance(self.distribution) if self.chances else None

    @property
    def shut(self) -> Number | None:
        """The chance to shut the box, or to complete the crew; None if it is not known."""
        if self.chances is None:
            return self.value if self.aim in (SHUT.name, WORST_SHUT.name) else None
        return chance_to_shut(self.chances)


@overload
def odds(place: Match[Any, Any], *where: Any, **how: Any) -> "Outlook": ...
@overload
def odds(
    place: Game[Any, Any] | Placed | str,
    position: Any = ...,
    aim: Aim | str | None = ...,
    *,
    exact: bool = ...,
    anyway: bool = ...,
    progress: Progress | None = ...,
) -> Odds: ...
def odds(
    place: Game[Any, Any] | Placed | str,
    position: Any = None,
    aim: Aim | str | None = None,
    *,
    exact: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
) -> "Odds | Outlook":
    """Return the odds of one player in a game, from its start or from a position on.

    >>> import shutbox
    >>> shutbox.odds("six", aim="shut")
    Odds(six:1.2.3.4.5.6, shut = 0.0746)
    >>> shutbox.odds("six[seats=3]")
    Outlook(0.3329, 0.3333, 0.3338)

    `place` and `position` are as in `shutbox.at`; the other arguments are as in `shutbox.solve`.
    Without an aim it is the mean. For a match it is the Outlook of all seats, and the aim is "win",
    also without one, or "chips". Raises NotUnderstood for an unknown aim, and for several rounds in
    `exact` fractions; TooLarge for a game without scores or end or beyond the limits; NotInstalled
    for several rounds without NumPy; and what `shutbox.at` raises.
    """
    game, position = find_position(place, position)
    if isinstance(game, Match):
        named = "win" if aim is None else safe_text(getattr(aim, "name", aim), str)
        return _odds_of_match(game, position, named, exact, anyway, progress_meant(progress))
    check_has_values(game)
    how = {"exact": exact, "anyway": anyway}
    aim = MEAN if aim is None else aim_named(aim, game)
    return odds_of(solve_from(game, position, aim, progress_meant(progress), **how), position)


def _odds_of_match(
    match: Match[Any, Any], position: Any, aim: str, exact: bool, anyway: bool, progress: Progress
) -> "Outlook":
    from shutbox.solving.equity.last_round import LastRound
    from shutbox.solving.equity.last_round_limits import check_last_round, seconds_of_last_round
    from shutbox.solving.equity.match_value import Equity

    if aim not in ("win", "chips"):
        raise NotUnderstood("in a match everybody plays to win: the aim is win or chips")
    if aim == "chips" and not match.format.stake:
        raise NotUnderstood("the aim is chips, and nobody plays for any; add a stake to the format")
    standing, format = match.settled(position).position, match.format
    # Equity knows neither chips nor a match of one seat; LastRound solves both exactly.
    is_plain = aim == "win" and len(match.players) > 1 and not format.stake
    is_early = seconds_of_last_round(match) == inf or standing.round < format.most_rounds
    if is_plain and is_early and not isinstance(standing.doing, Ended):
        if exact:
            raise NotUnderstood("a match is solved in exact fractions in its last round only")
        return Equity(match, anyway=anyway, progress=progress).outlook(position)
    check_last_round(match, anyway=anyway)
    return LastRound(match, aim, progress).outlook(position)


def odds_of(solution: Solution[Any, Any], position: Any) -> Odds:
    """Return the odds from a position on, for the solution's aim. Raises as `Solution.value`."""
    game = solution.game
    ends = solution.turn_ends(position) if solution.tells_chances else None
    return Odds(
        game=game.name,
        aim=solution.aim.name,
        position=position_text(game, position),
        more_is_better=solution.more,
        value=solution.value(position),
        chances=ends and ends.chances,
        throws=ends and ends.throws,
        openings=tuple(_merge_by_total(list(_openings(solution, position)))),
        card=game.card(),
    )


def _openings(solution: Solution[Any, Any], position: Any) -> Iterator[tuple[int, NextRoll]]:
    """Yield each roll's total and NextRoll, with the best dice; nothing if no throw is next."""
    game = solution.game
    awaited = game.awaits(position)
    dice = (piece.state for piece in game.scene(position).pieces if piece.kind is Kind.DIE)
    if isinstance(awaited, Choose) and State.LYING not in dice:
        # A choice before the throw can only be about which dice to throw: take the best.
        yield from _openings(solution, game.chosen(position, solution.options(position).choice))
    if not isinstance(awaited, Throw):
        return
    for roll, weight in awaited.dice.outcomes():
        after = game.rolled(position, roll)
        chance = Fraction(weight, awaited.dice.total_weight)
        chooses = isinstance(game.awaits(after), Choose)
        choices = solution.ranked(after) if chooses else Ranking[Any]()
        yield roll.total, NextRoll(str(roll), chance, solution.value(after), choices)


def _merge_by_total(openings: list[tuple[int, NextRoll]]) -> Iterable[NextRoll]:
    """Return a NextRoll for each total; for each roll if the rolls of a total differ in value."""
    totals: dict[int, list[NextRoll]] = {}
    for total, opening in openings:
        totals.setdefault(total, []).append(opening)
    if any(len({(o.value, o.choices) for o in alike}) > 1 for alike in totals.values()):
        return (opening for _, opening in openings)
    return (
        replace(alike[0], roll=str(total), chance=sum((o.chance for o in alike), start=Fraction(0)))
        for total, alike in sorted(totals.items())
    )


# In sentences


def odds_lines(odds: Odds, *, exact: bool) -> Iterator[str]:
    """Yield sentences on the odds of one player; with `exact`, numbers also as fractions."""

    def with_exact(rounded: str, number: Number) -> str:
        both = {"rounded": rounded, "exact": number}
        return gettext("{rounded}; exactly {exact}", **both) if exact else rounded

    card = odds.card
    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(odds.aim, card))
    yield gettext("Position: {position}.", position=odds.position)
    if odds.aim.startswith("beat:"):
        value = capital(value_phrase(odds.aim, odds.value, card))
        value = gettext("{worth}, a tie counting half", worth=value)
        yield gettext("{worth}.", worth=with_exact(value, odds.value))
    if odds.mean is not None:
        yield gettext(
            "Expected score: {score}.", score=with_exact(localized(figure(odds.mean)), odds.mean)
        )
    if odds.shut is not None:
        chance = with_exact(percent(odds.shut), odds.shut)
        yield gettext("Chance that it {shuts}: {chance}.", shuts=card.shuts, chance=chance)
    if odds.throws is None:
        yield gettext(
            "Final scores are left out for so large a box; they would take as much memory again."
        )
    else:
        throws = with_exact(localized(figure(odds.throws)), odds.throws)
        yield gettext("Expected throws: {throws}.", throws=throws)
        yield from _score_lines(odds.distribution, exact=exact)
    yield from _opening_lines(odds)


def _score_lines(distribution: dict[int, Number], *, exact: bool) -> Iterator[str]:
    """Yield the chance of each score; of many, the first scores that reach each tenth of all."""
    if len(distribution) <= MOST_LINES or exact:
        yield pgettext("heading", "Final scores:")
        for score, chance in distribution.items():
            facts = {"score": score, "chance": percent(chance), "exact": chance}
            if exact:
                yield gettext("{score}: {chance}, {exact}.", **facts)
            else:
                yield gettext("{score}: {chance}.", **facts)
        return
    yield gettext("Final scores, from low to high:")
    reached: Number = Fraction(0)
    tenths = 0
    for score, chance in distribution.items():
        reached += chance
        if tenths < int(10 * reached) and tenths < 9:
            tenths = int(10 * reached)
            yield gettext("{score} or less: {chance}.", score=score, chance=percent(reached))


def _opening_lines(odds: Odds) -> Iterator[str]:
    if not odds.openings:
        return
    if len(odds.openings) <= MOST_LINES:
        yield gettext("After the next throw:")
        yield from (_opening_line(odds, opening) for opening in odds.openings)
    by_value = sorted(odds.openings, key=lambda o: o.value, reverse=odds.more_is_better)
    yield gettext("Best throw: {opening}", opening=_opening_line(odds, by_value[0]))
    yield gettext("Worst throw: {opening}", opening=_opening_line(odds, by_value[-1]))


def _opening_line(odds: Odds, opening: NextRoll) -> str:
    facts = {
        "roll": opening.roll,
        "chance": percent(opening.chance),
        "worth": value_phrase(odds.aim, opening.value, odds.card),
    }
    if not opening.best:
        return gettext("{roll} ({chance}): {worth}.", **facts)
    return gettext("{roll} ({chance}): {worth}, best {choice}.", **facts, choice=opening.best)
