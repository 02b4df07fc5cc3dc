"""Advice on the best choice at any position of a game or a match during play, and its sentences.

Advice in a match maximises the share of the win if the last round, or all rounds to come where that
is needed, can be solved in time. Otherwise a turn is played for the expected score, or for shutting
the box in a match that goes on until a player does so.
"""

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Any

from shutbox.engine.english import capital, coded, number_word, shown
from shutbox.engine.errors import NothingDue, NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Placed, due, position_text
from shutbox.engine.messages import gettext, language, ngettext, pgettext
from shutbox.engine.seats import MOST_SEATS, unnamed
from shutbox.engine.typed_text import check_is
from shutbox.match import Format, Match, Order
from shutbox.match.format import Until
from shutbox.match.scoreboard import scoreboard_of_totals
from shutbox.match.standing import Turn
from shutbox.solving.advice.ranking import (
    Advice,
    AdviceFigures,
    ChoiceFigures,
    ChoiceJudged,
    advice,
    ranked_words,
    why_words,
)
from shutbox.solving.equity.last_round import (
    Answers,
    check_answers,
    facing,
    outlooks_are_stored,
    rounds_of_totals,
    seconds_of_answers,
)
from shutbox.solving.graph import Progress, no_progress, or_silent
from shutbox.solving.objectives import MEAN, NO_AIM, SHUT, Aim, aim_named
from shutbox.solving.review.report import Unit, grade_of
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import Solutions, is_stored, solve_once
from shutbox.solving.value_text import aim_words, at_table, cost_words, is_chance, value_phrase
from shutbox.table.lookup import find_position, match_of

LEVELS = ("off", "legal", "ranked", "explained")  # of detail in a hint
MOST_RANKED = 5  # choices a hint lists; the others are only counted
HINT_SECONDS = 3.0  # a hint in a match is for the win only if it takes no longer (estimated)


def seconds_to_win(game: Game[Any, Any]) -> float:
    """Estimate the seconds to solve the last round of a match for the win.

    Infinite if that is impossible: also for a single game, and for a lone player, who always wins.
    """
    return seconds_of_answers(game) if isinstance(game, Match) and game.players[1:] else inf


def wins_in_time(match: "Match[Any, Any]", seconds: float) -> bool:
    """Whether an `Adviser` with `every_round` plays this match for the win, at least at its end."""
    with suppress(TooLarge):
        return seconds_to_win(match) <= seconds or _is_whole_in_time(match, seconds)
    return False


def _is_whole_in_time(match: "Match[Any, Any]", seconds: float) -> bool:
    """Whether all rounds are solved in these estimated seconds, or are in a file."""
    from shutbox.solving.equity.cost import check_whole, cost_of_whole
    from shutbox.solving.equity.match_value import are_stored

    with suppress(TooLarge):
        if cost_of_whole(match).seconds <= seconds:
            return True
        check_whole(match)  # beyond the limits, do not look for a file
        return are_stored(match)
    return False


def advice_is_stored(game: Game[Any, Any], *, seconds: float = HINT_SECONDS) -> bool:
    """Whether the file that an `Adviser` with these `seconds` reads exists; it is not opened."""
    if not isinstance(game, Match):
        return is_stored(game)
    if seconds_to_win(game) <= seconds:
        return outlooks_are_stored(game)
    return is_stored(game.game, _aim_of_turns(game.format))


def _aim_of_turns(format: Format) -> Aim:
    """Return the aim of a turn in an unsolved match: SHUT if a shut box decides it, else MEAN."""
    # If a number of rounds also ends the match, the totals count most.
    totals = format.rounds is not None and rounds_of_totals(format)
    return SHUT if format.until is Until.SHUT and not totals else MEAN


class Adviser:
    """An adviser on the positions of one game or match, which caches its solutions.

    >>> from shutbox.table.lookup import find_any
    >>> match = find_any("six[seats=2]")
    >>> adviser = Adviser(match)
    >>> found = adviser.advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    >>> found.aim, [choice.text for choice in found.ranked]
    ('win', ['3', '1 2'])

    A match is played for the win if it can be solved in an estimated time of `seconds`, otherwise
    turn by turn for the score, or to shut the box if that ends it; a single game for the score.
    With one throw each that is the score of the own row, and the aim is called "row".
    `every_round` lets a match be solved before its last round; what is in a file takes no time.
    `whole` solves a turn from its start if the limits allow, not only the rest of it. Methods raise
    TooLarge if a game cannot be solved, and NothingDue if no choice is due. They keep slow
    solutions in files of the user's cache.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        seconds: float = HINT_SECONDS,
        every_round: bool = False,
        whole: bool = True,
        progress: Progress = no_progress,
    ) -> None:
        self.game = game
        self.inner = game.game if isinstance(game, Match) else game  # the game of a single turn
        self._seconds, self._every_round, self._progress = seconds, every_round, progress
        self._turn: tuple[object, Solution[Any, Any]] | None = None
        self._solved = partial(Solutions(progress=progress).at, self.inner, whole=whole)

    def advise(self, position: Any) -> Advice:
        """Return the ranked choices of a position."""
        solution, here = self.solution(position)
        text = position_text(self.game, position)
        standing = scoreboard_of_totals(self.game, position)
        found = replace(advice(solution, here), position=text, standing=standing)
        by_row = found.aim == MEAN.name and isinstance(self.game, Match) and self.game.rules.rows
        return replace(found, aim="row") if by_row else found

    def best(self, position: Any) -> Any:
        """Return the best choice of a position."""
        solution, here = self.solution(position)
        return solution.options(here).choice

    def solution(self, position: Any) -> tuple[Solution[Any, Any], Any]:
        """Return the solution of the turn under way, and the position within that turn.

        Raises NothingDue if no turn of the match is under way.
        """
        if not isinstance(self.game, Match):
            return self._solved(position), position
        here = self.game.settled(position).position
        if not isinstance(here.doing, Turn):
            id = self.game.position_id(position)
            raise NothingDue("no turn lies at {position}", position=id)
        at = here.doing.at
        last = here.round >= self.game.format.most_rounds
        answers = (self._answers if last else None) or self._equity
        if answers is None:
            return self._solved(at, _aim_of_turns(self.game.format)), at
        turn = replace(here, doing=replace(here.doing, at=self.inner.start()))
        if self._turn is None or self._turn[0] != turn or not self._turn[1].holds(at):
            answers.load(make=not self.game.rules.thrown(here))  # the first turn needs all outlooks
            self._turn = turn, answers.turn(here)
        return self._turn[1], at

    @cached_property
    def _answers(self) -> Answers | None:
        """The match solved in its last round; None if it cannot be solved in time."""
        seconds = seconds_to_win(self.game)
        if seconds == inf or seconds > self._seconds:
            return None
        assert isinstance(self.game, Match)  # only matches are won
        return Answers(self.game, progress=self._progress)

    @cached_property
    def _equity(self) -> Answers | None:
        """The match solved in every round; None if that is not allowed or takes too long."""
        match = self.game
        if not isinstance(match, Match) or not (self._every_round or match.rules.rows):
            return None
        if not _is_whole_in_time(match, self._seconds):
            return None
        from shutbox.solving.equity.match_value import Equity

        with suppress(TooLarge):  # it might never come nearer to its end
            return Equity(match, anyway=True, progress=self._progress)
        return None


def advise(
    place: Game[Any, Any] | Placed | str,
    position: Any = None,
    aim: Aim | str | None = None,
    *,
    to_beat: int | None = None,
    after: int = 0,
    format: str | None = None,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Advice:
    """Rank the choices of a position, and say why the best one is best.

    >>> import shutbox
    >>> shutbox.advise("classic:1-9/3+5").best.text
    '8'
    >>> shutbox.advise("classic", "1.3.4.9/1+3", "shut")
    Advice(classic:1.3.4.9/1+3, shut, 4: 0.0581; 1 3: 0.0278)

    `place` and `position` are as in `shutbox.at`. In a match all play to win, so `aim` is only
    for a single turn. Each of `to_beat` (the best score so far), `after` (the number of players
    still to come) and `format` makes it a match of one round.

    Raises NothingDue if no choice is due, or only one about chips; NotUnderstood for an unknown aim
    and for arguments that do not go together; TooLarge for a game without scores or beyond the
    limits (which `anyway` ignores); and what `shutbox.at` and, for `format`, `match_of` raise.
    Slow solutions are kept in files of the user's cache, and used again.
    """
    game, here = find_position(place, position)
    due(game, here)
    if (to_beat, after, format) != (None, 0, None):
        if isinstance(game, Match):
            raise NotUnderstood(
                "a score to beat, players after and a format: the position of a match has all of "
                "that in it"
            )
        game, here = _among_others(game, here, to_beat, after, format or "")
    if isinstance(game, Match):
        if aim is not None:
            raise NotUnderstood(NO_AIM)
        return _in_match(game, here, anyway, or_silent(progress))
    if game.scoring is None:
        raise TooLarge(
            "{game} has no score and can go on forever, so no choice is best", game=game.name
        )
    aim = MEAN if aim is None else aim_named(aim, game)
    return advice(solve_once(game, aim, or_silent(progress), here, anyway=anyway), here)


def _among_others(
    game: Game[Any, Any], position: Any, to_beat: int | None, after: int, format: str
) -> "tuple[Match[Any, Any], Any]":
    """Return a match of one round and the position in it at which the turn is played.

    `to_beat` and `after` are as in `advise`. Raises NotUnderstood for too many players, several
    rounds or an impossible score, and what `match_of` and `facing` raise.
    """
    till_here = 1 if to_beat is None else 2
    check_is(score := 0 if to_beat is None else to_beat, int)
    if after not in range(1 + (most := MOST_SEATS - till_here)):
        facts = {"number": shown(after), "most": most}
        raise NotUnderstood("{number} players cannot come after; 0 to {most} can", **facts)
    match = match_of(game, unnamed(till_here + after), format)
    low, high = match.rules.scores
    if not low <= score <= high and to_beat is not None:
        facts = {"score": coded(score), "low": low, "high": high}
        raise NotUnderstood("{score} is no score to beat; it is {low} to {high}", **facts)
    if match.format.most_rounds > 1 or match.rules.rows:
        raise NotUnderstood(
            "advice among others is about one round of whole turns; write rounds=1 and turns=whole"
        )
    # The arguments fix which players come before and after, so the seats play in order.
    match = Match(match.game, replace(match.format, order=Order.SEATS, begins=1), match.players)
    here = facing(match, to_beat, after)
    assert isinstance(here.doing, Turn)  # `facing` begins a turn
    return match, replace(here, doing=replace(here.doing, at=position))


def _in_match(match: "Match[Any, Any]", position: Any, anyway: bool, progress: Progress) -> Advice:
    """Return advice in a match, for the win if possible. Raises TooLarge and NothingDue."""
    # Imported here and above, since a single game and a match of one round do not need it.
    from shutbox.solving.equity.cost import check_whole
    from shutbox.solving.equity.match_value import needs_whole

    every_round = False
    if needs_whole(match, position):
        # Before its last round, a match too large to solve can be advised by the turn's score.
        for_score = seconds_of_answers(match) < inf or match.rules.rows is not None
        with suppress(TooLarge) if for_score else nullcontext():
            check_whole(match, anyway=anyway)
            every_round = True
    if not every_round and not match.rules.rows:
        check_answers(match, anyway=anyway)
    adviser = Adviser(match, seconds=inf, every_round=every_round, progress=progress)
    return adviser.advise(position)


class Coach:
    """An adviser on the positions of one game or match, which answers in sentences.

    >>> from shutbox.table.lookup import find_position
    >>> game, here = find_position("classic:1.3.4.9/1+3")
    >>> coach = Coach(game)
    >>> coach.hint(here, "ranked")[1]
    '4: expected score 9.9; shuts the box 5.8 %; the next throw ends the turn 63.9 % of the time.'
    >>> coach.first(here)[0]
    '4 shuts the box 6 times in 100. Next best, 1 and 3: 3 times.'
    >>> coach.best(here, "ranked")
    'Best is 4: expected score 9.9.'
    >>> coach.judge(here, "4")[0]
    'Best.'

    `limits` are the keyword arguments of `Adviser`.
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
        found = self._advice(position)
        if isinstance(found, Advice):
            return self._lines(found, level, players)
        return (found or gettext("There is no advice on this question."),)

    def first(self, position: Any) -> tuple[str, ...]:
        """Return the best choice and why in sentences; () if all are equal or none are ranked."""
        found = self._ranked(position)
        return (found.why,) if found is not None and found.why else ()

    def best(self, position: Any, level: str) -> str:
        """Return a sentence with the best choice; "" if `hint` ranks none (as at level "legal")."""
        found = self._ranked(position, level)
        if found is None:
            return ""
        value = value_phrase(found.aim, found.best.value, self.game.card(), at_table)
        return gettext("Best is {choice}: {worth}.", choice=found.best.says, worth=value)

    def figures(self, position: Any, level: str, most: int) -> AdviceFigures | None:
        """Return up to `most` choices as numbers; None if `hint` would rank none, as at "legal"."""
        found, scoring = self._ranked(position, level), self.game.scoring
        if found is None or scoring is None:
            return None
        chance, explains = is_chance(found.aim), level == "explained"
        choices = (
            ChoiceFigures(
                *(c.text, c.says, float(c.value), float(c.cost)),
                *(None if c.shut is None else float(c.shut), not c.cost),
                why=why_words(found.ranked, found.aim, self.game, c.text) if explains else "",
            )
            for c in found.ranked[:most]
        )
        return AdviceFigures(
            aim=found.aim,
            chance=chance,
            low_is_good=scoring.low_is_good and not chance,
            shuts=self.game.card().shuts,
            choices=tuple(choices),
            more=max(0, len(found.ranked) - most),
        )

    def watch(self, position: Any) -> str:
        """Compute the advice at a position, and cache it for `judge` until the next position.

        Return "" with advice, or if no choice of a turn is due; otherwise why there is none.
        """
        found = self._advice(position)
        return "" if isinstance(found, Advice) else found

    def judge(self, position: Any, text: str) -> tuple[()] | tuple[str, ChoiceJudged]:
        """Return what a choice cost, in a sentence and in figures; () if forced or not ranked.

        Raises NotUnderstood unless `text` is the notation of one of the choices.
        """
        found = self._ranked(position)
        if found is None or len(found.ranked) == 1:
            return ()
        best, cost = found.best, found.of(text).cost
        unit = Unit.SHARE if is_chance(found.aim) else Unit.POINTS
        figures = ChoiceJudged(float(cost), best.text, grade_of(cost, unit).value, unit.value)
        if not cost:
            return pgettext("verdict on a choice", "Best."), figures
        lost = cost_words(found.aim, cost, self.game.card(), at_table)
        says = gettext("That costs {cost}; best was {choice}.", cost=lost, choice=best.says)
        return says, figures

    def _ranked(self, position: Any, level: str = "ranked") -> Advice | None:
        """Return the advice; None if no choice is due, or none is ranked (as at level "legal")."""
        due = level != "legal" and isinstance(self.game.awaits(position), Choose)
        found = self._advice(position) if due else ""
        return found if isinstance(found, Advice) else None

    def _advice(self, position: Any) -> Advice | str:
        """Return advice, or the sentence why there is none; "" if no choice of a turn is due."""
        about = position, language()
        if self._known[0] != about:
            try:
                self._known = about, self._adviser.advise(position)
            except TooLarge as error:
                self._known = about, _takes_too_long(error)
            except NothingDue:
                self._known = about, ""
        return self._known[1]

    def _lines(self, found: Advice, level: str, players: Sequence[str] | None) -> tuple[str, ...]:
        card = self.game.card()
        aim = capital(aim_words(found.aim, card))
        if found.aim == "win" and found.standing is not None:
            aim = found.standing.words(players)
        lines = [gettext("{aim}, the best choice first.", aim=aim)] * (len(found.ranked) > 1)
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
            lines.append(found.why)
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
