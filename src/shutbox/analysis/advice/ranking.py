"""The ranked choices of a position, with the facts that speak for the best one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.analysis.wording import cost_only, is_chance, value_only, value_phrase
from shutbox.english import capital, figure, listed, percent
from shutbox.game import Choose, Over, RuleCard, Scoring, Throw, position_text
from shutbox.match.scoreboard import Scoreboard
from shutbox.messages import gettext, gettext_noop
from shutbox.results import Column, Result, Row
from shutbox.scene import Kind, State
from shutbox.solver.options import Number
from shutbox.solver.solution import Solution

MOST_NAMED = 5  # tiles left up that a sentence can name


@dataclass(frozen=True, slots=True)
class Ranked:
    """One choice, with its results under best play for the aim."""

    text: str  # the choice in notation
    says: str  # its spoken name
    value: Number
    cost: Number  # compared with the best choice: 0 or more
    shut: Number  # the chance to shut the box, or to complete the crew
    ends: Number | None  # the chance that the next throw ends the turn; None if no throw follows
    keeps: tuple[str, ...]  # the tiles that stay up; empty if the turn is over then


NUMBERS = ("value", "cost", "shut", "ends")


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Result):
    """The choices of a position, best first."""

    COLUMNS = (Column("choice"), *(Column(name, float) for name in NUMBERS))

    position: str  # full text
    aim: str
    ranked: tuple[Ranked, ...]  # the best first; of equally good ones the first in canonical order
    why: str  # the reason for the best, a sentence; empty if no choice is worse
    standing: Scoreboard | None = None
    """The totals of the match at the position; None if totals do not decide."""

    @property
    def best(self) -> Ranked:
        """The best choice."""
        return self.ranked[0]

    def _summary(self) -> str:
        values = (f"{one.text}: {figure(one.value)}" for one in self.ranked)
        return f"{self.position}, {self.aim}, {'; '.join(values)}"

    def _rows(self) -> Iterator[Row]:
        for one in self.ranked:
            numbers = (getattr(one, name) for name in NUMBERS)
            yield one.text, *(None if number is None else float(number) for number in numbers)

    def of(self, text: str) -> Ranked:
        """Return the choice with this text in notation. Raises KeyError if there is none."""
        return {ranked.text: ranked for ranked in self.ranked}[text]

    def report(self) -> dict[str, Any]:
        """Return the advice as a value for `json.dumps`."""
        choices = [
            {"choice": one.text, "says": one.says}
            | dict(zip(NUMBERS, numbers, strict=True))
            | {"keeps": list(one.keeps)}
            for one, (_, *numbers) in zip(self.ranked, self.rows(), strict=True)
        ]
        return {
            "position": self.position,
            "aim": self.aim,
            "choices": choices,
            "why": self.why,
            "standing": None if self.standing is None else self.standing.report(),
        }


def advice(solution: Solution[Any, Any], position: Any) -> Advice:
    """Return the ranked choices of a position.

    Raises NothingDue if no choice is due.
    """
    game = solution.game
    options = solution.options(position)
    ranked = []
    for place, offer in enumerate(game.scene(position).offers):
        here = solution.after(position, options.choices[place])
        figures = options.values[place], options.costs[place], solution.shut(here)
        ends, keeps = _ends(solution, here), _keeps(solution, here)
        ranked.append(Ranked(offer.text, offer.says, *figures, ends, keeps))
    order = tuple(sorted(ranked, key=lambda choice: choice.cost))
    aim = solution.aim.name
    why = why_words(order, aim, game.card())
    return Advice(position_text(game, position), aim, order, why)


def why_of(ranked: Sequence[Ranked]) -> "Why":
    """Return the comparison of the first of the ranked choices with the first worse one."""
    return Why(ranked[0], next((other for other in ranked if other.cost), None))


def _ends(solution: Solution[Any, Any], after: Any) -> Number | None:
    here = after
    while isinstance(solution.game.awaits(here), Choose):
        here = solution.game.chosen(here, solution.options(here).choice)
    return solution.ends(after) if isinstance(solution.game.awaits(here), Throw) else None


def _keeps(solution: Solution[Any, Any], after: Any) -> tuple[str, ...]:
    """Return the spoken names of the tiles that are up at a position; empty if the turn is over."""
    if isinstance(solution.game.awaits(after), Over):
        return ()
    tiles = [p for p in solution.game.scene(after).pieces if p.kind is Kind.TILE]
    rows = gettext_noop("{tiles} in front"), gettext_noop("{tiles} behind")
    in_rows = any(tile.row for tile in tiles)
    return tuple(
        gettext(rows[tile.row > 0], tiles=tile.number) if in_rows else str(tile.number)
        for tile in tiles
        if tile.state is not State.DOWN
    )


def ranked_words(
    aim: str, ranked: Ranked, card: RuleCard, written: Callable[[Number], str] = figure
) -> str:
    """Return one choice with its value, cost and risk in a sentence.

    `aim` is the name of the aim, and `written` formats points.
    """
    value = value_phrase(aim, ranked.value, card, written)
    if ranked.cost:
        cost = cost_only(aim, ranked.cost, written)
        value = gettext("{worth}, costs {cost}", worth=value, cost=cost)
    facts = [value]
    if aim not in ("shut", "worst-shut"):
        facts.append(gettext("{shuts} {value}", shuts=card.shuts, value=percent(ranked.shut)))
    if ranked.ends is not None:
        facts.append(
            gettext("the next throw ends the turn {value} of the time", value=percent(ranked.ends))
        )
    return gettext("{choice}: {facts}.", choice=capital(ranked.says), facts="; ".join(facts))


@dataclass(frozen=True, slots=True)
class Why:
    """A comparison of the best choice with the next one that is worse."""

    best: Ranked
    other: Ranked | None  # None if there is no worse choice

    @property
    def safer(self) -> bool | None:
        """Whether the best is stuck less often on the next throw; None if no difference shows."""
        return None if self.other is None else _less(self.best.ends, self.other.ends)

    @property
    def shuts_more(self) -> bool | None:
        """Whether the best shuts the box more often; None if both look the same."""
        return None if self.other is None else _less(self.other.shut, self.best.shut)


def _less(one: Number | None, other: Number | None) -> bool | None:
    """Whether a chance is less than another; None if one is missing, or they look the same."""
    if one is None or other is None or percent(one) == percent(other):
        return None
    return one < other


def why_words(
    ranked: Sequence[Ranked], aim: str, card: RuleCard, written: Callable[[Number], str] = figure
) -> str:
    """Compare the best choice with the first worse one in a sentence; empty if there is none."""
    why = why_of(ranked)
    best, other = why.best, why.other
    if other is None:
        return ""
    facts = []
    if why.safer is not None:
        values = {"value": percent(best.ends or 0), "other": percent(other.ends or 0)}
        stuck = gettext("stuck on the next throw {value} of the time instead of {other}", **values)
        facts.append((why.safer is (aim != "worst-shut"), stuck))
    if why.shuts_more is not None and aim == "mean":
        values = {"value": percent(best.shut), "other": percent(other.shut)}
        shuts = gettext(
            "{shuts} {value} of the time instead of {other}", shuts=card.shuts, **values
        )
        facts.append((why.shuts_more, shuts))
    speaks = [fact for good, fact in facts if good]
    although = [fact for good, fact in facts if not good]
    if not speaks or aim not in ("mean", "shut", "worst-shut"):
        if written(best.value) == written(other.value):
            written = figure  # the difference is only in digits that are usually not shown
        worth = value_phrase(aim, best.value, card, written)
        less = value_only(aim, other.value, written)
        speaks.append(gettext("{worth} instead of {other}", worth=worth, other=less))
    said = {"facts": "; ".join(speaks), "other": other.says, "although": "".join(although[:1])}
    said["best"] = capital(best.says)
    if 0 < len(best.keeps) <= MOST_NAMED and best.keeps != other.keeps:
        said["tiles"] = listed(best.keeps)
        if although:
            return gettext(
                "{best}, not {other}, keeps {tiles} up: {facts}; although {although}.", **said
            )
        return gettext("{best}, not {other}, keeps {tiles} up: {facts}.", **said)
    if although:
        return gettext("{best}, not {other}: {facts}; although {although}.", **said)
    return gettext("{best}, not {other}: {facts}.", **said)


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """One choice as numbers, with its results under best play."""

    text: str  # the choice in notation
    says: str  # its spoken name
    value: float  # an expected score, or a probability, by the aim
    cost: float  # compared with the best choice: 0 or more
    shut: float  # the chance to shut the box, or to complete the crew
    best: bool  # whether no choice is better


@dataclass(frozen=True, slots=True)
class AdviceFigures:
    """The choices of a position as numbers, best first."""

    aim: str  # mean, win, shut or another aim of docs/odds.md
    chance: bool  # whether values are chances from 0 to 1, otherwise points
    low_is_good: bool  # whether lower values are better
    shuts: str  # the event whose chance is `shut`, such as "shuts the box"
    choices: tuple[ChoiceFigures, ...]  # the best choices, best first
    more: int  # the number of further choices that are not listed
    why: str = ""  # the reason for the best, a sentence; empty unless it is wanted


def figures(advice: Advice, scoring: Scoring, card: RuleCard, most: int) -> AdviceFigures:
    """Return the `most` best choices of some advice as numbers."""
    chance = is_chance(advice.aim)
    return AdviceFigures(
        aim=advice.aim,
        chance=chance,
        # Hints are never for "worst-shut", but the aim exists.
        low_is_good=advice.aim == "worst-shut" or (scoring.low_is_good and not chance),
        shuts=card.shuts,
        choices=tuple(
            ChoiceFigures(c.text, c.says, float(c.value), float(c.cost), float(c.shut), not c.cost)
            for c in advice.ranked[:most]
        ),
        more=max(0, len(advice.ranked) - most),
    )
