"""A rule of thumb for a solved match: what each turn is played for, by how the match stands.

Its player knows a few turns by heart: for the best expected score, for the shut box, for one mark.
A rule says in a few clauses which of them is played; the first clause that fits counts. What the
player loses by that is worked out exactly, see `rule_value`; which numbers are best in the clauses
is worked out by `rule_search`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from shutbox.analysis.equity.match_cost import cost_of_whole, whole_turn
from shutbox.analysis.equity.rule import SCORE_ALWAYS, Clause, Rule
from shutbox.analysis.equity.whole_match import Equity
from shutbox.analysis.solvers.select import MOST_SECONDS, cost_of, in_words
from shutbox.errors import TooLarge
from shutbox.games.traits import Cost
from shutbox.match import Match
from shutbox.solver.graph import Progress, unheard

if TYPE_CHECKING:
    from shutbox.analysis.equity.standings import Cells, Floats, TurnKind

MOST_STANDINGS = 2_000_000  # of a match for which a rule is looked for: eight numbers of each
PASSES = 6  # times as long as solving the match: two rules, both players, and the search
MARKED_TURNS = 3  # turns for marks, for each end


@dataclass(frozen=True, slots=True)
class RuleOfThumb:
    """A rule, and what it loses exactly, as a share of the win.

    The other knows the rule and answers it as well as can be; against anybody else it loses no
    more. Either player begins as often, so that who plays perfectly has a half.
    """

    rule: Rule
    loss: float
    score_loss: float  # the loss of who plays every turn for the best expected score

    def report(self) -> dict[str, Any]:
        """What programs get, and a book holds."""
        clauses = [clause.report() for clause in self.rule]
        return {"clauses": clauses, "loss": self.loss, "score_loss": self.score_loss}

    @classmethod
    def from_report(cls, report: dict[str, Any]) -> Self:
        """The rule of a report."""
        rule = tuple(map(Clause.from_report, report["clauses"]))
        return cls(rule, report["loss"], report["score_loss"])


def rule_of_thumb(
    equity: Equity, *, anyway: bool = False, progress: Progress = unheard
) -> RuleOfThumb:
    """The best rule of the few that are looked at, and its loss.

    >>> from shutbox.lookup import find_any
    >>> found = rule_of_thumb(Equity(find_any("six[seats=2,rounds=2]")))
    >>> [clause.goal for clause in found.rule]
    [Goal.BEAT, Goal.SCORE]
    >>> round(found.loss, 5) < round(found.score_loss, 5)
    True

    The loss is within 1e-9 of the exact one. Raises TooLarge beyond the limits, unless `anyway`.
    """
    from shutbox.analysis.equity.rule_search import Searched

    _check(equity.match, anyway=anyway)
    rule, plain = Searched(equity).rule(), value_of_rule(equity, SCORE_ALWAYS, progress)
    value = plain if rule == SCORE_ALWAYS else value_of_rule(equity, rule, progress)
    if value <= plain:
        rule, value = SCORE_ALWAYS, plain
    return RuleOfThumb(rule, max(0.0, 0.5 - value), max(0.0, 0.5 - plain))


def value_of_rule(equity: Equity, rule: Rule, progress: Progress = unheard) -> float:
    """The share of the win of who plays by a rule, over both seats, against the best answer.

    >>> from shutbox.lookup import find_any
    >>> equity = Equity(find_any("six[seats=2,rounds=2]"))
    >>> round(value_of_rule(equity, SCORE_ALWAYS), 4)
    0.4998
    """
    begins, second = shares_by_rule(equity, rule, progress)
    return (begins + second) / 2


def shares_by_rule(equity: Equity, rule: Rule, progress: Progress = unheard) -> tuple[float, float]:
    """The shares of who plays by a rule and begins, and of who does and is second."""
    from shutbox.analysis.equity.rule_value import shares_by_turns
    from shutbox.analysis.equity.rule_ways import RuleTurns

    ways = RuleTurns(equity.match, whole_turn(equity.match)[0])

    def falls(kind: "TurnKind", cells: "Cells") -> "Floats":
        return ways.chances(ways.of_rule(rule, kind, cells))

    return shares_by_turns(equity, falls, progress)


def _check(match: "Match[Any, Any]", *, anyway: bool) -> None:
    """Raise TooLarge where looking for a rule is beyond the limits."""
    whole, turn = cost_of_whole(match), cost_of(match.game, match.game.start())
    ends = len(whole_turn(match)[0].ends)
    seconds = PASSES * whole.seconds + MARKED_TURNS * ends * turn.seconds
    if (seconds > MOST_SECONDS or whole.positions > MOST_STANDINGS) and not anyway:
        raise TooLarge(
            "{name}: looking for a rule of thumb over {standings:,} standings takes {cost}; at "
            "most {minutes} minutes and {most:,} standings are looked at",
            costly=True,
            name=match.name,
            standings=whole.positions,
            cost=in_words(Cost(whole.positions, seconds, PASSES * whole.memory)),
            minutes=MOST_SECONDS // 60,
            most=MOST_STANDINGS,
        )
