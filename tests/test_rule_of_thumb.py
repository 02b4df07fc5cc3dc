"""Rules of thumb: what one loses is held against the match itself, played out every way.

There a player follows the clauses, read once more from the totals of the match, and the other one
takes the best of everything.
"""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import shutbox
from shutbox import Choose
from shutbox.analysis.equity.cost import cost_of_whole
from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.equity.rule import SCORE_ALWAYS, Clause, Goal, Rule
from shutbox.analysis.equity.rule_of_thumb import (
    RuleOfThumb,
    rule_of_thumb,
    shares_by_rule,
    value_of_rule,
)
from shutbox.analysis.equity.rule_wording import rule_lines
from shutbox.analysis.solvers.select import turns_of
from shutbox.cli.main import main
from shutbox.errors import TooLarge
from shutbox.lookup import find_any, match_of
from shutbox.match import Format, Match, Standing, Turn
from shutbox.solver import MEAN, SHUT, Aim, beat
from shutbox.solver.solution import GraphSolution
from slow import one_in
from truth import Everybody

np = pytest.importorskip("numpy", reason="NumPy is not installed: make extras")

from shutbox.analysis.equity.rule_ways import RuleTurns  # noqa: E402
from shutbox.analysis.equity.standings import Cells  # noqa: E402

NEAR = 1e-11
SCORE = Clause(Goal.SCORE)
HIGH = "covered(tiles=1-3,dice=1d4,fewer=never)"
LOW = "classic(tiles=1-3,dice=2d2)"
RULES: list[tuple[str, str, Rule]] = [
    (LOW, "rounds=2", (Clause(Goal.BEAT), SCORE)),
    (LOW, "rounds=2,order=winner", (Clause(Goal.SHUT, behind=-2, left=1), SCORE)),
    (LOW, "rounds=2,shut=wins", (Clause(Goal.SHUT, behind=0, second=True), SCORE)),
    (LOW, "rounds=2,until=shut", (Clause(Goal.SHUT, answers=True), Clause(Goal.BEAT), SCORE)),
    (LOW, "rounds=2,limit=5", (Clause(Goal.BEAT), Clause(Goal.STAY, mine=4), SCORE)),
    (LOW, "rounds=2,limit=5,end=stop", (Clause(Goal.STAY, theirs=4), SCORE)),
    (LOW, "rounds=1", (Clause(Goal.BEAT), Clause(Goal.SHUT))),
    (HIGH, "target=7,end=stop", (Clause(Goal.REACH), SCORE)),
    (HIGH, "target=7,end=stop", (Clause(Goal.REACH, mine=4, theirs=5), SCORE)),
    (HIGH, "target=7", (Clause(Goal.BEAT), Clause(Goal.REACH, theirs=4), SCORE)),
    (HIGH, "target=7,order=rotate,end=stop", (Clause(Goal.SHUT, behind=2), SCORE)),
    (HIGH, "rounds=2,target=7", (Clause(Goal.BEAT), Clause(Goal.SHUT, second=False), SCORE)),
]


def match_by(game: str, format: str) -> Match[Any, Any]:
    return match_of(game, ["Ann", "Bob"], format)


def solved(name: str) -> Equity:
    match = find_any(name)
    assert isinstance(match, Match)
    return Equity(match)


class ByRule(Everybody):
    """A match in which one seat follows a rule, and the other one answers it best."""

    def __init__(self, match: Match[Any, Any], rule: Rule, seat: int) -> None:
        super().__init__(match)
        self.rule, self.seat = rule, seat
        self.turns = turns_of(match.game, match.game.start())
        self.solution = cache(self._solution)

    def best(self, position: Any) -> Any:
        awaited = self.match.awaits(position)
        assert isinstance(awaited, Choose)
        if awaited.seat != self.seat:
            return super().best(position)
        here = self.match.settled(position).position
        assert isinstance(here.doing, Turn)
        return self.solution(*self.goal(here)).best(here.doing.at)

    def _solution(self, goal: Goal, mark: int) -> GraphSolution[Any, Any]:
        scoring = self.match.rules.scoring
        named = {Goal.SCORE: MEAN, Goal.SHUT: SHUT, Goal.BEAT: beat(mark, scoring)}
        if goal in named:
            aim = named[goal]
        elif goal is Goal.REACH:
            aim = Aim("reach", lambda over: int(over.scores[0] >= mark), lambda *_: True)
        else:
            aim = Aim("stay", lambda over: int(over.scores[0] < mark), lambda *_: True)
        return GraphSolution(self.match.game, aim, self.turns)

    def goal(self, here: Standing[Any]) -> tuple[Goal, int]:
        """What the first clause that fits says, and the number it is about."""
        format, low = self.match.format, self.match.rules.scoring.low_is_good
        my, other = here.tallies[self.seat], here.tallies[1 - self.seat]
        second, theirs = other.score is not None, other.total + (other.score or 0)
        end = format.target or format.limit or 0
        last = second and (here.round == format.rounds or (end > 0 and theirs >= end))
        worst = max(score for score, _ in self.turns.graph.ends.values())
        least = min(score for score, _ in self.turns.graph.ends.values())
        decides = format.until is not None and format.shut.value == "scores" and format.rounds != 1
        for clause in self.rule:
            need, wanted = end - my.total, theirs - my.total
            goal, mark = clause.goal, wanted if clause.goal is Goal.BEAT else need
            conditions = [
                clause.second in (None, second),
                not clause.answers or (second and other.shut and decides),
                clause.left is None or format.most_rounds - here.round + 1 <= clause.left,
                clause.mine is None or need <= clause.mine,
                clause.theirs is None or max(0, end - theirs) <= clause.theirs,
                clause.behind is None or (-wanted if low else wanted) >= clause.behind,
                goal is not Goal.BEAT or (last and least <= wanted <= worst),
                goal not in (Goal.REACH, Goal.STAY) or (not last and least < need <= worst),
            ]
            if all(conditions):
                return (goal, mark) if goal in (Goal.BEAT, Goal.REACH, Goal.STAY) else (goal, 0)
        return Goal.SCORE, 0


@pytest.mark.parametrize(("game", "format", "rule"), one_in(6, RULES))
def test_a_rule_is_worth_what_playing_it_out_comes_to(game: str, format: str, rule: Rule) -> None:
    match = match_by(game, format)
    equity = Equity(match)
    begins, second = shares_by_rule(equity, rule)
    played = [ByRule(match, rule, seat) for seat in (0, 1)]
    assert begins == pytest.approx(float(played[0].hopes()[0][0]), abs=NEAR)
    assert second == pytest.approx(float(played[1].hopes()[0][1]), abs=NEAR)
    asked = [by.solution.cache_info().currsize for by in played]
    assert max(asked) > 1, "no clause but one was ever followed"
    # The other could have played as in the solved match, so nobody gains by a rule.
    assert begins <= equity.share() + NEAR
    assert second <= equity.share(seat=1) + NEAR


@pytest.mark.parametrize(
    "name",
    ["lucky-seven[seats=2,limit=14]", "lucky-seven[seats=2,until=shut,order=winner]"],
)
def test_where_nothing_is_to_choose_a_rule_loses_nothing(name: str) -> None:
    equity = solved(name)
    assert shares_by_rule(equity, SCORE_ALWAYS) == pytest.approx(
        (equity.share(), equity.share(seat=1)), abs=NEAR
    )


def test_standings_that_lead_back_are_worth_what_many_steps_come_to() -> None:
    # A limit that two turns cannot pass alone is met by the same turns with rounds enough.
    rule = (Clause(Goal.BEAT), SCORE)
    loops = shares_by_rule(solved(f"{LOW}[seats=2,limit=4]"), rule)
    counted = shares_by_rule(solved(f"{LOW}[seats=2,limit=4,rounds=60]"), rule)
    assert loops == pytest.approx(counted, abs=1e-9)


@pytest.mark.parametrize(("name", "end"), [("knockout", 45), ("cargo[seats=2,target=40]", 40)])
def test_a_turn_ends_the_match_once_the_other_has_come_to_its_end(name: str, end: int) -> None:
    equity = solved(name)
    [first, second, *_] = equity.standings.kinds
    ways = RuleTurns(equity.match, equity.standings)
    cells = Cells(np.array([7, 7, 7]), np.array([end - 1, end, end + 1]))
    assert ways.facts(second, cells).ends.tolist() == [False, True, True]
    assert not ways.facts(first, cells).ends.any()
    assert ways.facts(second, cells).theirs.tolist() == [1, 0, 0]


# Which rule is best


def test_the_thresholds_are_the_best_there_are() -> None:
    equity = solved("covered(tiles=1-6,dice=2d4)[seats=2,target=45,end=stop]")
    found = rule_of_thumb(equity)
    assert found.rule[0].goal is Goal.REACH
    values = [
        value_of_rule(equity, (Clause(Goal.REACH, mine=mine, theirs=theirs), SCORE))
        for mine in (None, 10)
        for theirs in (None, 10, 15, 18, 21)
    ]
    assert 0.5 - found.loss >= max(values) - 2e-5
    assert found.loss < found.score_loss / 2


@pytest.mark.slow
def test_no_threshold_nearby_is_better_where_clauses_follow_one_another() -> None:
    equity = solved("parlour-night")
    beats, first, second, score = rule_of_thumb(equity).rule
    assert (first.second, second.second) == (False, True)
    value = value_of_rule(equity, (beats, first, second, score))
    for apart in (-4, -2, 2, 4):
        one = replace(first, behind=(first.behind or 0) + apart)
        other = replace(second, behind=(second.behind or 0) + apart)
        assert value_of_rule(equity, (beats, one, second, score)) <= value + 2e-5
        assert value_of_rule(equity, (beats, first, other, score)) <= value + 2e-5


@pytest.mark.parametrize(
    ("name", "goals"),
    one_in(
        3,
        [
            ("markers-five", [Goal.BEAT, Goal.SCORE]),
            ("race-200", [Goal.REACH, Goal.SCORE]),
            ("knockout", [Goal.BEAT, Goal.SCORE]),
            ("parlour-night", [Goal.BEAT, Goal.SHUT, Goal.SHUT, Goal.SCORE]),
            ("cargo-night", [Goal.BEAT, Goal.SCORE]),
            ("lucky-seven-night", [Goal.SCORE]),
        ],
    ),
)
def test_the_rules_of_matches_with_a_name(name: str, goals: list[Goal]) -> None:
    found = rule_of_thumb(solved(name))
    assert [clause.goal for clause in found.rule] == goals
    assert found.rule[-1] == SCORE
    assert 0 <= found.loss <= found.score_loss < 0.012
    if len(goals) > 1:
        assert found.loss < found.score_loss * 0.7
    assert RuleOfThumb.from_report(json.loads(json.dumps(found.report()))) == found


def test_a_rule_is_looked_for_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    equity = solved("six[seats=2,rounds=2]")
    module = "shutbox.analysis.equity.rule_of_thumb"
    there = cost_of_whole(equity.match).positions
    monkeypatch.setattr(f"{module}.MOST_STANDINGS", there - 1)
    with pytest.raises(TooLarge, match="looking for a rule of thumb") as refused:
        rule_of_thumb(equity)
    assert refused.value.costly
    assert rule_of_thumb(equity, anyway=True).rule[0].goal is Goal.BEAT
    monkeypatch.setattr(f"{module}.MOST_STANDINGS", there)
    assert rule_of_thumb(equity) == rule_of_thumb(equity, anyway=True)
    monkeypatch.setattr(f"{module}.MOST_SECONDS", 0)
    with pytest.raises(TooLarge, match="takes about"):
        rule_of_thumb(equity)


# In words


@pytest.mark.parametrize(
    ("clause", "format", "says"),
    [
        (Clause(Goal.BEAT), "rounds=5", "If your turn is the last of the match: play to beat"),
        (Clause(Goal.BEAT), "limit=45", "If the other has reached 45: play to beat the other's"),
        (Clause(Goal.BEAT), "rounds=3,limit=45", "If your turn ends the match: play to beat"),
        (
            Clause(Goal.STAY, mine=10, theirs=20),
            "limit=45",
            "If at most 10 points are left to your limit and at most 20 points are left to the "
            "other's limit: play to stay below 45 in this turn.",
        ),
        (Clause(Goal.STAY), "limit=45", "If one turn can put you out: play to stay below 45"),
        (Clause(Goal.SHUT, behind=0), "rounds=5", "If you are not ahead: play so that your turn"),
        (Clause(Goal.SHUT, behind=-7), "rounds=5", "If you are not ahead by more than 7: play"),
        (
            Clause(Goal.SHUT, behind=20, left=2, second=True),
            "rounds=5",
            "If you are second in the round, two rounds or fewer are left and you are behind by "
            "20 or more: play so that your turn shuts the box as often as it can.",
        ),
        (
            Clause(Goal.SHUT, left=1, second=False),
            "rounds=5",
            "If you begin the round and it is the last round: play so that",
        ),
        (
            Clause(Goal.SHUT, answers=True),
            "until=shut",
            "If the other shuts the box before you: play so that your turn shuts the box",
        ),
        (Clause(Goal.SHUT), "rounds=5", "Always play so that your turn shuts the box as often"),
    ],
)
def test_a_clause_in_words(clause: Clause, format: str, says: str) -> None:
    found = RuleOfThumb((clause, SCORE), 0.001, 0.0034)
    head, line, *rest = rule_lines(found, Format.parse(format), shutbox.find("classic").card())
    assert head == "A rule of thumb:"
    assert line.startswith(says)
    otherwise = ["Otherwise play for the best expected score."]
    assert rest == (otherwise if line.startswith("If") else []) + [
        "It loses 0.1 % of the win against the best answer to it.",
        "Playing every turn for the best expected score loses 0.34 %.",
    ]


def test_a_target_in_words() -> None:
    found = RuleOfThumb((Clause(Goal.REACH, mine=30), SCORE), 0.001, 0.002)
    lines = list(rule_lines(found, Format.parse("target=99"), shutbox.find("covered").card()))
    assert lines[1] == "If you need 30 or less: play to reach 99 in this turn."
    always = RuleOfThumb(SCORE_ALWAYS, 0.0, 0.0)
    lines = list(rule_lines(always, Format.parse("target=99"), shutbox.find("covered").card()))
    assert lines[1] == "Always play for the best expected score."
    assert len(lines) == 3


def test_the_command_has_the_rule_beside_the_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "six[seats=2,rounds=2]"
    found = rule_of_thumb(solved(name))
    assert main(("equity", name)) == 0
    assert capsys.readouterr().out.splitlines()[-5:] == list(
        rule_lines(found, Format.parse("rounds=2"), shutbox.find("six").card())
    )
    assert main(("equity", name, "--json")) == 0
    assert RuleOfThumb.from_report(json.loads(capsys.readouterr().out)["rule"]) == found
    monkeypatch.setattr("shutbox.analysis.equity.rule_of_thumb.MOST_STANDINGS", 1)
    assert main(("equity", name)) == 0
    said = capsys.readouterr().out.splitlines()[-1]
    assert said.startswith("There is no rule of thumb. ")
    assert "looking for a rule of thumb over" in said
    assert main(("equity", name, "--json")) == 0
    assert json.loads(capsys.readouterr().out)["rule"] is None
