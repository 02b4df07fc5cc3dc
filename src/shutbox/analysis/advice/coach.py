"""Hints before a choice, and its cost afterwards, in sentences for players at a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.advice.ranking import Advice, AdviceFigures, figures, ranked_words, why_words
from shutbox.analysis.review.grades import Unit, grade_of
from shutbox.analysis.wording import aim_words, at_table, cost_words, is_chance, value_phrase
from shutbox.english import capital, number_word
from shutbox.errors import TooLarge
from shutbox.game import Choose, Game, Over
from shutbox.messages import gettext, language, ngettext, pgettext

LEVELS = ("off", "legal", "ranked", "explained")  # of detail in a hint
MOST_RANKED = 5  # choices a hint lists; the others are only counted


@dataclass(frozen=True, slots=True)
class ChoiceJudged:
    """The judgement of a choice that a player made, as figures."""

    cost: float  # compared with the best choice: 0 or more, in the unit
    best: str  # the text of the best choice
    grade: str  # `best`, `good`, `inaccuracy`, `mistake` or `blunder`, as in a review
    unit: str  # `points` of the expected score, or `share` for chances from 0 to 1


class Coach:
    """An adviser on the positions of one game or match, which answers in sentences.

    >>> from shutbox.lookup import find_position
    >>> game, here = find_position("classic:1.3.4.9/1+3")
    >>> coach = Coach(game)
    >>> coach.hint(here, "ranked")[1]
    '4: expected score 9.9; shuts the box 5.8 %; the next throw ends the turn 63.9 % of the time.'
    >>> coach.first(here)[0], coach.best(here, "ranked")
    ('Best: 4.', 'Best is 4: expected score 9.9.')
    >>> coach.judge(here, "4")
    ('Best.',)

    `limits` are the keyword arguments of `Adviser`.
    """

    def __init__(self, game: Game[Any, Any], **limits: Any) -> None:
        self.game = game
        self._adviser = Adviser(game, **limits)
        self._known: tuple[object, Advice | str] | None = None  # by position and language

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
        found = self._advice(position)
        if isinstance(found, Advice):
            return self._lines(found, level, players)
        return (found or gettext("There is no advice on this question."),)

    def first(self, position: Any) -> tuple[str, ...]:
        """Return the best choice and the reason; empty if no choice is worse or none are ranked."""
        found = self._ranked(position)
        if found is None or not any(one.cost for one in found.ranked):
            return ()
        best = gettext("Best: {choice}.", choice=found.best.says)
        return best, self._why(found)

    def best(self, position: Any, level: str) -> str:
        """Return the best choice in a sentence; empty if a hint at this level would rank none."""
        found = self._ranked(position, level)
        if found is None:
            return ""
        value = value_phrase(found.aim, found.best.value, self.game.card(), at_table)
        return gettext("Best is {choice}: {worth}.", choice=found.best.says, worth=value)

    def figures(self, position: Any, level: str, most: int) -> AdviceFigures | None:
        """Return a hint as numbers, up to `most` choices; None if it ranks none (level "legal")."""
        found, scoring = self._ranked(position, level), self.game.scoring
        if found is None or scoring is None:
            return None
        shown = figures(found, scoring, self.game.card(), most)
        return replace(shown, why=found.why) if level == "explained" else shown

    def watch(self, position: Any) -> str:
        """Prepare advice on a choice that is about to be made, for `judge`.

        Returns a sentence that says why there is no advice here; "" if there is, or nothing is due.
        """
        found = self._advice(position)
        return "" if isinstance(found, Advice) else found

    def judge(self, position: Any, text: str) -> tuple[str, ...]:
        """Return what a choice cost, in a sentence; empty if it was forced or is not ranked.

        `text` is the choice in notation; for any other text this raises KeyError.
        """
        found = self._ranked(position)
        if found is None or len(found.ranked) == 1:
            return ()
        chosen = found.of(text)
        if not chosen.cost:
            return (pgettext("verdict on a choice", "Best."),)
        cost = cost_words(found.aim, chosen.cost, self.game.card(), at_table)
        best = found.best.says
        return (gettext("That costs {cost}; best was {choice}.", cost=cost, choice=best),)

    def judged(self, position: Any, text: str) -> ChoiceJudged | None:
        """Return the judgement on a choice as figures; None if `judge` says nothing."""
        found = self._ranked(position)
        if found is None or len(found.ranked) == 1:
            return None
        cost = float(found.of(text).cost)
        unit = Unit.SHARE if is_chance(found.aim) else Unit.POINTS
        return ChoiceJudged(cost, found.best.text, grade_of(cost, unit).value, unit.value)

    def _ranked(self, position: Any, level: str = "ranked") -> Advice | None:
        """Return the advice on a choice; None if none is due, or nothing is ranked."""
        due = level != "legal" and isinstance(self.game.awaits(position), Choose)
        found = self._advice(position) if due else ""
        return found if isinstance(found, Advice) else None

    def _advice(self, position: Any) -> Advice | str:
        """Return the advice on a position, or a sentence that says why there is none.

        The sentence is empty if no choice of a turn is due, as at a question about chips.
        """
        about = position, language()
        if self._known is None or self._known[0] != about:
            try:
                self._known = about, self._adviser.advise(position)
            except TooLarge as error:
                self._known = about, _takes_too_long(error)
            except ValueError:
                self._known = about, ""
        return self._known[1]

    def _lines(self, found: Advice, level: str, players: Sequence[str] | None) -> tuple[str, ...]:
        card = self.game.card()
        aim = capital(aim_words(found.aim, card))
        if found.aim == "win" and found.standing is not None:
            aim = found.standing.of(players).words()
        lines = [gettext("{aim}, the best choice first.", aim=aim)]
        lines += (
            ranked_words(found.aim, one, card, at_table) for one in found.ranked[:MOST_RANKED]
        )
        more = len(found.ranked) - MOST_RANKED
        if more > 0:
            many = capital(number_word(more))
            left = ngettext(
                "{count} more choice is left.", "{count} more choices are left.", more, count=many
            )
            lines.append(left)
        if level == "explained" and found.why:
            lines.append(self._why(found))
        return tuple(lines)

    def _why(self, found: Advice) -> str:
        return why_words(found.ranked, found.aim, self.game.card(), at_table)


def _takes_too_long(error: TooLarge) -> str:
    """Return the reason for having no hint in a sentence, and what the player can do."""
    if not error.costly:
        return gettext("There are no hints in this game.")
    if error.extra:
        return gettext(
            "A hint would take too long now; ask again later in the turn. "
            "pip install 'shutbox[{extra}]' makes hints faster.",
            extra=error.extra,
        )
    return gettext("A hint would take too long now; ask again later in the turn.")
