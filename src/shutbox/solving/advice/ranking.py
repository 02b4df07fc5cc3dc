"""The ranked choices of a position, and the sentences that compare the best one with another."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.engine.english import capital, figure, joined_clauses, localized, percent
from shutbox.engine.game import Choose, Game, Over, RuleCard, Throw, position_text
from shutbox.engine.messages import gettext, gettext_noop, ngettext
from shutbox.engine.scene import Kind, State
from shutbox.engine.typed_text import find_named
from shutbox.match.scoreboard import Scoreboard
from shutbox.output.results import Column, Result, Row
from shutbox.solving.options import Number, Option
from shutbox.solving.solution import Solution
from shutbox.solving.value_text import at_table, cost_only, is_chance, value_phrase

LEAST_APART = 0.01  # chances to shut the box that differ by less do not tell two choices apart


@dataclass(frozen=True, slots=True, repr=False)
class Ranked(Option[Any]):
    """An `Option` with more results of the choice under best play for the aim."""

    says: str  # its spoken name
    shut: Number | None  # the chance to shut the box, or complete the crew; None: nobody knows
    ends: Number | None
    """The chance that the next throw ends the turn or, in a row of one's own, that no tile fits it.
    None if no throw follows."""
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
        values = (f"{option.text}: {figure(option.value)}" for option in self.ranked)
        return f"{self.position}, {self.aim}, {'; '.join(values)}"

    def _rows(self) -> Iterator[Row]:
        for option in self.ranked:
            numbers = (getattr(option, name) for name in NUMBERS)
            yield option.text, *(None if number is None else float(number) for number in numbers)

    def of(self, text: str) -> Ranked:
        """Return the choice with this text in notation. Raises NotUnderstood for other texts."""
        return find_named(text, {ranked.text: ranked for ranked in self.ranked})

    def report(self) -> dict[str, Any]:
        """Return the advice as a dict for `json.dumps`, best first; see `docs/data.md`."""
        choices = [
            {"choice": option.text, "says": option.says}
            | dict(zip(NUMBERS, numbers, strict=True))
            | {"keeps": list(option.keeps)}
            for option, (_, *numbers) in zip(self.ranked, self.rows(), strict=True)
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
    options, aim = solution.options(position), solution.aim.name
    ranked = []
    for index, offer in enumerate(game.scene(position).offers):  # in the order of the choices
        after = solution.after(position, options.choices[index])
        choice = Ranked(
            text=offer.text,
            value=options.values[index],
            cost=options.costs[index],
            choice=options.choices[index],
            says=offer.says,
            shut=solution.shut(after),
            ends=_ends(solution, after),
            keeps=_keeps(solution, after),
        )
        ranked.append(choice)
    best_first = tuple(sorted(ranked, key=lambda choice: choice.cost))
    why = why_words(best_first, aim, game)
    return Advice(position_text(game, position), aim, best_first, why)


def _ends(solution: Solution[Any, Any], after: Any) -> Number | None:
    """Return `Ranked.ends` of the choice that leads to `after`; choices before a throw are best."""
    at = after
    while isinstance(solution.game.awaits(at), Choose):
        at = solution.game.chosen(at, solution.options(at).choice)
    return solution.ends(after) if isinstance(solution.game.awaits(at), Throw) else None


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
    facts = joined_clauses([value, *risk_words(aim, ranked, card)])
    return gettext("{choice}: {facts}.", choice=capital(ranked.says), facts=facts)


def risk_words(aim: str, ranked: Ranked, card: RuleCard) -> Iterator[str]:
    """Yield the chances of a choice that are known, besides its value for the aim, as clauses."""
    if aim not in ("shut", "worst-shut") and ranked.shut is not None:
        yield gettext("{shuts} {value}", shuts=card.shuts, value=percent(ranked.shut))
    if ranked.ends is not None:
        # Translators: {value} is such as "53 %".
        ends = gettext_noop("the next throw ends the turn {value} of the time")
        if aim == "row":  # with one throw each, a player who is stuck is out or only passes
            ends = gettext_noop("no tile fits the next throw {value} of the time")
        yield gettext(ends, value=percent(ranked.ends))


# What the best choice does, and the other one, by `_measure`. No verb follows the choices of games
# that are scored, such as "throw again", nor "two dice": for these, "words" stands for "shut".
_DOES = {
    # Translators: {best} is a choice, such as "8" or "1 and 7", and {value} is such as "14 times".
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


def times_in_100(chance: Number, digits: int = 0) -> str:
    """Return how often in 100 times something happens, with decimals if `digits` is not 0.

    >>> [times_in_100(chance) for chance in (0.1401, 0.0098, 0.004, 0)], times_in_100(0.004, 1)
    (['14 times', 'once', 'less than once', '0 times'], '0.4 times')
    """
    number = f"{100 * float(chance):.{digits}f}"
    if chance and not float(number):
        return gettext("less than once")
    if number == "100" and chance < 1:
        return gettext("more than 99 times")
    # Translators: in 100 turns; stands for {value} in "{best} wins {value} in 100.".
    return ngettext("once", "{number} times", 2 if digits else int(number), number=number)


def compare_choices(
    ranked: Sequence[Ranked],
    aim: str,
    game: Game[Any, Any],
    text: str | None = None,
    named: Callable[[str], str] = str,
    player: str = "",
) -> Compared | None:
    """Compare the best choice with the one that was chosen, whose `text` this is.

    Without `text`, or if it is one of the best, the best is compared with the next worse choice.
    The result is None if no choice is worse. `named` returns the spoken name of a choice as it is
    to stand in the sentences. `player` is the name of the player who chose, "" for the reader.
    """
    chosen = next((option for option in ranked if option.text == text), ranked[0])
    if chosen.cost:
        best, other = ranked[0], chosen
    else:
        worse = next((option for option in ranked if option.cost), None)
        if worse is None:
            return None
        best, other = chosen, worse
    kind, values, chance = _measure(best, other, aim, game)
    card, score = game.card(), aim.partition(":")[2]
    facts = {"shuts": card.shuts, "shuts_it": card.shuts_it, "shut": card.shut, "score": score}
    facts |= {"name": player, "best": named(capital(best.says)), "other": named(other.says)}
    of_other = ("named" if player else kind) if other is chosen else "next"
    templates = _DOES.get(kind, _DOES[""]), _OTHER.get(of_other, _OTHER[""])
    texts = zip(templates, _texts_apart(values, chance), strict=True)
    says = " ".join(gettext(template, **facts, value=text) for template, text in texts)
    return Compared(best, other, values, chance, says)


def _measure(
    best: Ranked, other: Ranked, aim: str, game: Game[Any, Any]
) -> tuple[str, tuple[Number, Number], bool]:
    """Return what tells two choices apart: its key in `_DOES`, both values, and `Compared.chance`.

    It is the value for the aim. Where points left count, it is the chance to shut if that differs.
    """
    kind, values, chance = aim.partition(":")[0], (best.value, other.value), is_chance(aim)
    if kind in ("mean", "row"):
        low = game.scoring is None or game.scoring.low_is_good
        kind, shut = "left" if low else "scored", (best.shut or 0, other.shut or 0)
        if low and shut[0] - shut[1] >= LEAST_APART:
            kind, values, chance = "shut", shut, True
    if kind == "shut" and not best.says[:1].isdigit():
        kind = "words"
    return kind, values, chance


def _texts_apart(values: Sequence[Number], chance: bool) -> list[str]:
    """Return two values as text, with as many digits as tell them apart."""
    short = [at_table(value) for value in values]
    if chance:
        pairs = ([times_in_100(value, digits) for value in values] for digits in range(9))
        return next((pair for pair in pairs if pair[0] != pair[1]), short)
    return short if short[0] != short[1] else [localized(figure(value)) for value in values]


def why_words(
    ranked: Sequence[Ranked], aim: str, game: Game[Any, Any], text: str | None = None
) -> str:
    """Return the sentences of `compare_choices`; empty if no choice is worse than another."""
    pair = compare_choices(ranked, aim, game, text)
    return "" if pair is None else pair.says


def chosen_words(solution: Solution[Any, Any], position: Any, text: str, player: str = "") -> str:
    """Return the choice with this `text` in notation, compared with the best, in sentences.

    They are empty if no choice is worse. `player` is as in `compare_choices`. Raises NothingDue if
    no choice is due.
    """
    ranked = advice(solution, position).ranked
    pair = compare_choices(ranked, solution.aim.name, solution.game, text, player=player)
    return pair.says if pair else ""


# Figures for programs: shapes of answers of the API, whose document has their docstrings.


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
