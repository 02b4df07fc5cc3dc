"""Advice during play in sentences and in figures: hints, and the judgement of a choice."""

from collections.abc import Sequence
from typing import Any

from shutbox.engine.english import capital, number_word
from shutbox.engine.errors import NothingDue, TooLarge
from shutbox.engine.game import Choose, Game, Over
from shutbox.engine.messages import gettext, language, ngettext, pgettext
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.ranking import (
    Advice,
    AdviceFigures,
    ChoiceFigures,
    ChoiceJudged,
    ranked_words,
    why_words,
)
from shutbox.solving.review.report import Unit, grade_of
from shutbox.solving.value_text import aim_words, at_table, cost_words, is_chance, value_phrase

LEVELS = ("off", "legal", "ranked", "explained")  # of detail in a hint
MOST_RANKED = 5  # choices a hint lists; the others are only counted


class Coach:
    """An adviser on the positions of one game or match, which answers in sentences.

    >>> from shutbox.table.lookup import find_position
    >>> game, here = find_position("classic:1.3.4.9/1+3")
    >>> coach = Coach(game)
    >>> coach.hint(here, "ranked")[1]
    '4: expected score 9.9; shuts the box 5.8 %; the next throw ends the turn 63.9 % of the time.'
    >>> coach.best_and_why(here)[0]
    '4 shuts the box 6 times in 100. Next best, 1 and 3: 3 times.'
    >>> coach.best(here, "ranked")
    'Best is 4: expected score 9.9.'
    >>> coach.judge(here, "4")[0]
    'Best.'

    `limits` are the keyword arguments of `Adviser`. Methods take positions of the game, not texts.
    """

    def __init__(self, game: Game[Any, Any], **limits: Any) -> None:
        self.game = game
        self._adviser = Adviser(game, **limits)
        self._known: tuple[object, Advice | str] = None, ""  # by position and language

    def hint(
        self, position: Any, level: str, players: Sequence[str] | None = None
    ) -> tuple[str, ...]:
        """Return a hint in sentences, never empty; `level` is one of LEVELS, but not "off".

        `players` are the names at this table, if they differ from those of the game.
        """
        awaited = self.game.awaits(position)
        if isinstance(awaited, Over):
            return (gettext("The game is over; there is nothing to choose."),)
        if not isinstance(awaited, Choose):
            return (gettext("There is nothing to choose before the next throw."),)
        if level == "legal":
            return (self.game.scene(position).legal,)
        answer = self._advice(position)
        if isinstance(answer, Advice):
            return self._hint_lines(answer, level, players)
        return (answer or gettext("There is no advice on this question."),)

    def best_and_why(self, position: Any) -> tuple[str, ...]:
        """Return the best choice and why in sentences; () if all are equal or none are ranked."""
        answer = self._ranked(position)
        return (answer.why,) if answer is not None and answer.why else ()

    def best(self, position: Any, level: str) -> str:
        """Return a sentence with the best choice; "" if `hint` ranks none (as at level "legal")."""
        answer = self._ranked(position, level)
        if answer is None:
            return ""
        value = value_phrase(answer.aim, answer.best.value, self.game.card(), at_table)
        return gettext("Best is {choice}: {worth}.", choice=answer.best.says, worth=value)

    def figures(self, position: Any, level: str, most: int) -> AdviceFigures | None:
        """Return up to `most` choices as numbers; None if `hint` would rank none, as at "legal".

        Only at level "explained" they come with reasons.
        """
        answer, scoring = self._ranked(position, level), self.game.scoring
        if answer is None or scoring is None:
            return None
        chance, explains = is_chance(answer.aim), level == "explained"
        choices = (
            ChoiceFigures(
                *(c.text, c.says, float(c.value), float(c.cost)),
                *(None if c.shut is None else float(c.shut), not c.cost),
                why=why_words(answer.ranked, answer.aim, self.game, c.text) if explains else "",
            )
            for c in answer.ranked[:most]
        )
        return AdviceFigures(
            aim=answer.aim,
            chance=chance,
            low_is_good=scoring.low_is_good and not chance,
            shuts=self.game.card().shuts,
            choices=tuple(choices),
            more=max(0, len(answer.ranked) - most),
        )

    def prepare_judging(self, position: Any) -> str:
        """Compute the advice at a position, and cache it for `judge` until the next position.

        Return "" with advice, or if no choice of a turn is due; otherwise why there is none.
        """
        answer = self._advice(position)
        return "" if isinstance(answer, Advice) else answer

    def judge(self, position: Any, text: str) -> tuple[()] | tuple[str, ChoiceJudged]:
        """Return what a choice cost, in a sentence and in figures; () if forced or not ranked.

        Raises NotUnderstood unless `text` is the notation of one of the choices.
        """
        answer = self._ranked(position)
        if answer is None or len(answer.ranked) == 1:
            return ()
        best, cost = answer.best, answer.of(text).cost
        unit = Unit.SHARE if is_chance(answer.aim) else Unit.POINTS
        figures = ChoiceJudged(float(cost), best.text, grade_of(cost, unit).value, unit.value)
        if not cost:
            return pgettext("verdict on a choice", "Best."), figures
        lost = cost_words(answer.aim, cost, self.game.card(), at_table)
        says = gettext("That costs {cost}; best was {choice}.", cost=lost, choice=best.says)
        return says, figures

    def _ranked(self, position: Any, level: str = "ranked") -> Advice | None:
        """Return the advice; None if no choice is due, or none is ranked (as at level "legal")."""
        due = level != "legal" and isinstance(self.game.awaits(position), Choose)
        answer = self._advice(position) if due else ""
        return answer if isinstance(answer, Advice) else None

    def _advice(self, position: Any) -> Advice | str:
        """Return advice, or the sentence why there is none; "" if no choice of a turn is due."""
        key = position, language()
        if self._known[0] != key:
            try:
                self._known = key, self._adviser.advise(position)
            except TooLarge as error:
                self._known = key, _takes_too_long(error)
            except NothingDue:
                self._known = key, ""
        return self._known[1]

    def _hint_lines(
        self, answer: Advice, level: str, players: Sequence[str] | None
    ) -> tuple[str, ...]:
        card = self.game.card()
        aim = capital(aim_words(answer.aim, card))
        if answer.aim == "win" and answer.standing is not None:
            aim = answer.standing.words(players)
        lines = [gettext("{aim}, the best choice first.", aim=aim)] * (len(answer.ranked) > 1)
        lines += (
            ranked_words(answer.aim, option, card, at_table)
            for option in answer.ranked[:MOST_RANKED]
        )
        more = len(answer.ranked) - MOST_RANKED
        if more > 0:
            many = capital(number_word(more))
            left = ngettext(
                "{count} more choice is left.", "{count} more choices are left.", more, count=many
            )
            lines.append(left)
        if level == "explained" and answer.why:
            lines.append(answer.why)
        return tuple(lines)


def _takes_too_long(error: TooLarge) -> str:
    """Return sentences on why `error` leaves no hint, and what the player can do, if anything."""
    if not error.costly:
        return gettext("There are no hints in this game.")
    if error.extra:
        return gettext(
            "A hint would take too long now; ask again later in the turn. "
            "In a clone of shutbox, pip install '.[{extra}]' makes hints faster.",
            extra=error.extra,
        )
    return gettext("A hint would take too long now; ask again later in the turn.")
