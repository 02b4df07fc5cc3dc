"""A rule of thumb in words that a player can remember."""

from collections.abc import Iterator

from shutbox.analysis.equity.rule import Clause, Goal
from shutbox.analysis.equity.rule_of_thumb import RuleOfThumb
from shutbox.english import listed, number_word, percent
from shutbox.game import RuleCard
from shutbox.match import Format
from shutbox.messages import gettext, gettext_noop

_PLAY = {
    Goal.SCORE: gettext_noop("play for the best expected score"),
    Goal.SHUT: gettext_noop("play so that your turn {shuts} as often as it can"),
    Goal.REACH: gettext_noop("play to reach {end} in this turn"),
    Goal.STAY: gettext_noop("play to stay below {end} in this turn"),
    Goal.BEAT: gettext_noop("play to beat the other's total"),
}
_MINE = {
    Goal.REACH: gettext_noop("you need {points} or less"),
    Goal.STAY: gettext_noop("at most {points} points are left to your limit"),
}
_THEIRS = {
    Goal.REACH: gettext_noop("the other needs {points} or less"),
    Goal.STAY: gettext_noop("at most {points} points are left to the other's limit"),
}
_CAN = {
    Goal.REACH: gettext_noop("one turn can bring you to {end}"),
    Goal.STAY: gettext_noop("one turn can put you out"),
}


def rule_lines(found: RuleOfThumb, format: Format, card: RuleCard) -> Iterator[str]:
    """The rule, a sentence for each clause, and what it loses.

    >>> from shutbox.games.catalogue import find
    >>> rule = Clause(Goal.REACH, theirs=20), Clause(Goal.SCORE)
    >>> found = RuleOfThumb(rule, 0.001, 0.002)
    >>> for line in rule_lines(found, Format.parse("target=99"), find("covered").card()):
    ...     print(line)
    A rule of thumb:
    If one turn can bring you to 99 and the other needs 20 or less: play to reach 99 in this turn.
    Otherwise play for the best expected score.
    It loses 0.1 % of the win against the best answer to it.
    Playing every turn for the best expected score loses 0.2 %.
    """
    yield gettext("A rule of thumb:")
    for clause in found.rule:
        facts = {"shuts": card.shuts, "end": format.target or format.limit}
        play = gettext(_PLAY[clause.goal], **facts)
        conditions = list(_conditions(clause, format, card))
        if conditions:
            yield gettext("If {conditions}: {play}.", conditions=listed(conditions), play=play)
            continue
        says = gettext_noop("Otherwise {play}.")
        if clause is found.rule[0]:
            says = gettext_noop("Always {play}.")
        yield gettext(says, play=play)
        break  # no later clause is ever asked
    loss = percent(found.loss)
    yield gettext("It loses {loss} of the win against the best answer to it.", loss=loss)
    if found.rule[0].goal is not Goal.SCORE:
        loss = percent(found.score_loss)
        yield gettext("Playing every turn for the best expected score loses {loss}.", loss=loss)


def _conditions(clause: Clause, format: Format, card: RuleCard) -> Iterator[str]:
    goal, end = clause.goal, format.target or format.limit
    if clause.answers:
        yield gettext("the other {shuts} before you", shuts=card.shuts)
    if goal is Goal.BEAT:
        yield _ends(format)
    if clause.second is not None:
        second = gettext("you are second in the round")
        yield second if clause.second else gettext("you begin the round")
    if clause.left == 1:
        yield gettext("it is the last round")
    elif clause.left is not None:
        yield gettext("{rounds} rounds or fewer are left", rounds=number_word(clause.left))
    if clause.mine is not None:
        yield gettext(_MINE[goal], points=clause.mine)
    elif goal in _CAN:
        yield gettext(_CAN[goal], end=end)
    if clause.theirs is not None:
        yield gettext(_THEIRS[goal], points=clause.theirs)
    if clause.behind is not None:
        yield _behind(clause.behind)


def _ends(format: Format) -> str:
    end = format.target or format.limit
    if end is None:
        return gettext("your turn is the last of the match")
    if format.rounds is None:
        return gettext("the other has reached {end}", end=end)
    return gettext("your turn ends the match")


def _behind(points: int) -> str:
    if points > 0:
        return gettext("you are behind by {points} or more", points=points)
    if points == 0:
        return gettext("you are not ahead")
    return gettext("you are not ahead by more than {points}", points=-points)
