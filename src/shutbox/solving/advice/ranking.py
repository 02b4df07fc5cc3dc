"""The ranked choices of a position, with the facts that speak for the best one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.engine.english import capital, figure, listed, percent
from shutbox.engine.game import Choose, Over, RuleCard, Throw, position_text
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import find_named
from shutbox.match.scoreboard import Scoreboard
from shutbox.output.results import Column, Result, Row
from shutbox.solving.options import Number
from shutbox.solving.solution import Solution
from shutbox.solving.value_text import cost_only, value_only, value_phrase

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
    keeps: tuple[str, ...]  # the spoken names of the tiles left up; empty if that ends the turn


NUMBERS = ("value", "cost", "shut", "ends")


@dataclass(frozen=True, slots=True, repr=False)
class Advice(Result):
    """Advice at a position: its choices, best first, and why the first is the best."""

    COLUMNS = (Column("choice"), *(Column(name, float) for name in NUMBERS))

    position: str  # full text
    aim: str
    ranked: tuple[Ranked, ...]  # the best first; of equally good ones the first in canonical order
    why: str  # the reason for the best, a sentence; empty if no choice is worse
    standing: Scoreboard | None = None  # the totals of the match; None if they do not decide

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
        """Return the choice with this text in notation. Raises NotUnderstood for other texts."""
        return find_named(text, {ranked.text: ranked for ranked in self.ranked})

    def report(self) -> dict[str, Any]:
        """Return the advice as a dict for `json.dumps`, best first; see `docs/json.md`."""
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
    """Rank all choices at a position of a solved game. Raises NothingDue if no choice is due."""
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
    """Return one choice with its value, cost and risk in a sentence; `written` formats points."""
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


def looks_less(one: Number | None, other: Number | None) -> bool | None:
    """Whether `one` is the smaller chance; None if one is missing or the percentages look alike."""
    if one is None or other is None or percent(one) == percent(other):
        return None
    return one < other


def why_words(
    ranked: Sequence[Ranked], aim: str, card: RuleCard, written: Callable[[Number], str] = figure
) -> str:
    """Return a sentence on why the best choice beats the next worse one; empty if none is worse."""
    best, other = ranked[0], next((one for one in ranked if one.cost), None)
    if other is None:
        return ""
    facts = []
    if (safer := looks_less(best.ends, other.ends)) is not None:
        values = {"value": percent(best.ends or 0), "other": percent(other.ends or 0)}
        stuck = gettext("stuck on the next throw {value} of the time instead of {other}", **values)
        facts.append((safer is (aim != "worst-shut"), stuck))
    if aim == "mean" and (shuts_more := looks_less(other.shut, best.shut)) is not None:
        values = {"value": percent(best.shut), "other": percent(other.shut)}
        shuts = gettext(
            "{shuts} {value} of the time instead of {other}", shuts=card.shuts, **values
        )
        facts.append((shuts_more, shuts))
    speaks = [fact for good, fact in facts if good]
    although = [fact for good, fact in facts if not good]
    if not speaks or aim not in ("mean", "shut", "worst-shut"):
        if written(best.value) == written(other.value):
            written = figure  # the difference is only in digits that are usually not shown
        worth = value_phrase(aim, best.value, card, written)
        less = value_only(aim, other.value, written)
        speaks.append(gettext("{worth} instead of {other}", worth=worth, other=less))
    said = {"best": capital(best.says), "other": other.says, "facts": "; ".join(speaks)}
    said["although"] = "".join(although[:1])
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

    aim: str  # mean, win or shut
    chance: bool  # whether values are chances from 0 to 1, otherwise points
    low_is_good: bool  # whether lower values are better
    shuts: str  # the event whose chance is `shut`, such as "shuts the box"
    choices: tuple[ChoiceFigures, ...]  # the best choices, best first
    more: int  # the number of further choices that are not listed
    why: str = ""  # the reason for the best, a sentence; empty unless it is wanted


@dataclass(frozen=True, slots=True)
class ChoiceJudged:
    """The judgement of a choice that a player made, as figures."""

    cost: float  # compared with the best choice: 0 or more, in the unit
    best: str  # the text of the best choice
    grade: str  # `best`, `good`, `inaccuracy`, `mistake` or `blunder`, as in a review
    unit: str  # `points` of the expected score, or `share` for chances from 0 to 1
