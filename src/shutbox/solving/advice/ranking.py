"""The ranked choices of a position, with the facts that speak for the best one."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.engine.english import capital, figure, percent
from shutbox.engine.game import Choose, Game, Over, RuleCard, Throw, position_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import find_named
from shutbox.match.game import turn_at
from shutbox.match.scoreboard import Scoreboard
from shutbox.output.results import Column, Result, Row
from shutbox.solving.options import Number, Option
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import Solutions
from shutbox.solving.value_text import at_table, cost_only, is_chance, value_phrase

LEAST_APART = 0.01  # chances to shut the box that differ by less do not tell two choices apart


@dataclass(frozen=True, slots=True, repr=False)
class Ranked(Option[Any]):
    """An `Option` with more results of the choice under best play for the aim."""

    says: str  # its spoken name
    shut: Number | None  # the chance to shut the box, or complete the crew; None: nobody knows
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
    why: str  # the best and the next best, compared in sentences; empty if no choice is worse
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
        figures = options.values[place], options.costs[place], options.choices[place]
        more = solution.shut(here), _ends(solution, here), _keeps(solution, here)
        ranked.append(Ranked(offer.text, *figures, offer.says, *more))
    order = tuple(sorted(ranked, key=lambda choice: choice.cost))
    aim = solution.aim.name
    why = why_words(order, aim, game)
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
    if aim not in ("shut", "worst-shut") and ranked.shut is not None:
        facts.append(gettext("{shuts} {value}", shuts=card.shuts, value=percent(ranked.shut)))
    if ranked.ends is not None:
        facts.append(
            gettext("the next throw ends the turn {value} of the time", value=percent(ranked.ends))
        )
    return gettext("{choice}: {facts}.", choice=capital(ranked.says), facts="; ".join(facts))


# What the best choice does, and the other one, by the aim. "mean" is the points "left"
# or "scored", unless the chance to shut tells the two apart. Choices in games that are scored
# are words such as "throw again", which no verb follows; nor does one follow "two dice".
_DOES = {
    "shut": gettext_noop("{best} {shuts} {value} in 100."),
    "worst-shut": gettext_noop("{best} {shuts} {value} in 100."),
    "words": gettext_noop("{best}: {shut} {value} in 100."),
    "beat": gettext_noop("{best} beats {score} {value} in 100."),
    "win": gettext_noop("{best} wins {value} in 100."),
    "chips": gettext_noop("{best} is worth {value} chips on average."),
    "left": gettext_noop("{best} leaves {value} on average."),
    "scored": gettext_noop("{best}: {value} on average."),
    "": gettext_noop("{best} is worth {value} on average."),
}
_OTHER = {
    "next": gettext_noop("Next best, {other}: {value}."),
    "named": gettext_noop("{name} chose {other}: {value}."),
    "shut": gettext_noop("Yours, {other}, {shuts_it} {value}."),
    "worst-shut": gettext_noop("Yours, {other}, {shuts_it} {value}."),
    "beat": gettext_noop("Yours, {other}, beats it {value}."),
    "win": gettext_noop("Yours, {other}, wins {value}."),
    "left": gettext_noop("Yours, {other}, leaves {value}."),
    "scored": gettext_noop("Yours, {other}: {value}."),
    "words": gettext_noop("Yours, {other}: {value}."),
    "": gettext_noop("Yours, {other}, is worth {value}."),
}


@dataclass(frozen=True, slots=True)
class Compared:
    """The best choice and another one, by what tells them apart most plainly."""

    best: Ranked
    other: Ranked
    values: tuple[Number, Number]  # of the best choice, and of the other
    chance: bool  # whether these are chances from 0 to 1, otherwise points or chips
    says: str  # both in two short sentences


def times(chance: Number, digits: int = 0) -> str:
    """Return how often in 100 times something happens, with decimals if `digits` is not 0.

    >>> times(0.1401), times(0.0098), times(0.004), times(0.004, 1), times(0)
    ('14 times', 'once', 'less than once', '0.4 times', '0 times')
    """
    number = f"{100 * float(chance):.{digits}f}"
    if chance and not float(number):
        return gettext("less than once")
    if number == "100" and chance < 1:
        return gettext("more than 99 times")
    return ngettext("once", "{number} times", 2 if digits else int(number), number=number)


def compared(
    ranked: Sequence[Ranked],
    aim: str,
    game: Game[Any, Any],
    text: str | None = None,
    named: Callable[[str], str] = str,
    player: str = "",
) -> Compared | None:
    """Compare the best choice with the one that was chosen, whose `text` this is.

    A best one is compared with the next worse one, and so is None. The result is None if no choice
    is worse. `named` marks the names of the choices in the sentences, and `player` is who chose, if
    it was not the reader.
    """
    chosen = next((one for one in ranked if one.text == text), ranked[0])
    best = ranked[0] if chosen.cost else chosen
    other = chosen if chosen.cost else next((one for one in ranked if one.cost), None)
    if other is None:
        return None
    kind, _, score = aim.partition(":")
    values, chance, card = (best.value, other.value), is_chance(aim), game.card()
    if kind in ("mean", "row"):
        low = game.scoring is None or game.scoring.low_is_good
        kind, shut = "left" if low else "scored", (best.shut or 0, other.shut or 0)
        if low and shut[0] - shut[1] >= LEAST_APART:
            kind, values, chance = "shut", shut, True
    both = [at_table(value) for value in values]
    if chance:
        tries = ([times(value, digits) for value in values] for digits in range(9))
        both = next((pair for pair in tries if pair[0] != pair[1]), both)
    elif both[0] == both[1]:
        both = [figure(value) for value in values]
    facts = {"shuts": card.shuts, "shuts_it": card.shuts_it, "shut": card.shut, "score": score}
    facts |= {"name": player, "best": named(capital(best.says)), "other": named(other.says)}
    if kind == "shut" and not best.says[:1].isdigit():
        kind = "words"
    of_other = ("named" if player else kind) if other is chosen else "next"
    first, second = _DOES.get(kind, _DOES[""]), _OTHER.get(of_other, _OTHER[""])
    says = gettext(first, **facts, value=both[0]), gettext(second, **facts, value=both[1])
    return Compared(best, other, values, chance, " ".join(says))


def why_words(
    ranked: Sequence[Ranked], aim: str, game: Game[Any, Any], text: str | None = None
) -> str:
    """Return the sentences of `compared`; empty if no choice is worse than another."""
    found = compared(ranked, aim, game, text)
    return "" if found is None else found.says


def chosen_words(
    solutions: Solutions, game: Game[Any, Any], position: Any, text: str, player: str = ""
) -> str:
    """Return a choice, compared with the best, in sentences; "" outside a turn or if none is worse.

    `player` is who made it, if not the reader.
    """
    if (turn := turn_at(game, position)) is None:
        return ""
    found = advice(solutions.at(*turn), turn[1])
    told = compared(found.ranked, found.aim, turn[0], text, player=player)
    return told.says if told else ""


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """One choice as numbers, with its results under best play."""

    text: str  # the choice in notation
    says: str  # its spoken name
    value: float  # an expected score, or a probability, by the aim
    cost: float  # compared with the best choice: 0 or more
    shut: float | None  # the chance to shut the box, or complete the crew; None: nobody knows
    best: bool  # whether no choice is better
    why: str = ""  # it and the best, or the next best, in sentences; empty unless it is wanted


@dataclass(frozen=True, slots=True)
class AdviceFigures:
    """The choices of a position as numbers, best first."""

    aim: str  # mean, win or shut
    chance: bool  # whether values are chances from 0 to 1, otherwise points
    low_is_good: bool  # whether lower values are better
    shuts: str  # the event whose chance is `shut`, such as "shuts the box"
    choices: tuple[ChoiceFigures, ...]  # the best choices, best first
    more: int  # the number of further choices that are not listed


@dataclass(frozen=True, slots=True)
class ChoiceJudged:
    """The judgement of a choice that a player made, as figures."""

    cost: float  # compared with the best choice: 0 or more, in the unit
    best: str  # the text of the best choice
    grade: str  # `best`, `good`, `inaccuracy`, `mistake` or `blunder`, as in a review
    unit: str  # `points` of the expected score, or `share` for chances from 0 to 1
