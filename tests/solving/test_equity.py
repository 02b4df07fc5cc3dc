"""Matches solved in every round: compared with the match itself played out.

Values are compared with the exact solver on the match protocol. If a match can go on indefinitely,
the reference is `MatchRules.ended` and the graph of a turn: each reachable standing has the value
of the first of its best choices, one step on. There is only one such solution.
"""

import multiprocessing
import os
import random
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin, Place
from nightly import one_in
from shutbox.engine.errors import NotInstalled, NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Game, Over, Scoring, Throw
from shutbox.match import Format, Match, presets
from shutbox.match.standing import Contest, Ended, Standing, Turn
from shutbox.solving import WIN, Aim, ExactSolver, GraphSolution
from shutbox.table.lookup import find_any, match_of
from truth import Everybody

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")

from shutbox.solving import columns, compiled  # noqa: E402
from shutbox.solving.advice.adviser import Adviser  # noqa: E402
from shutbox.solving.equity import sweep  # noqa: E402
from shutbox.solving.equity.cost import check_whole, cost_of_whole, whole_turn, work_of  # noqa: E402
from shutbox.solving.equity.fairness import fair as fair_rules  # noqa: E402
from shutbox.solving.equity.last_round import LastRound  # noqa: E402
from shutbox.solving.equity.match_value import NEAR as SLACK  # noqa: E402
from shutbox.solving.equity.match_value import Equity  # noqa: E402
from shutbox.solving.equity.numbering import Numbering  # noqa: E402
from shutbox.solving.solvers import graph_of_turn  # noqa: E402

FOUR = ("Ann", "Bob", "Cy", "Di")
PLAYERS, ABC = FOUR[:2], FOUR[:3]
DOCS = Path(__file__).parents[2] / "docs"
LOW = (
    "two-dice(tiles=1-3,dice=1d4)",
    "classic(tiles=1-3,dice=2d2)",
    "two-dice(tiles=1.2.4,dice=1d4)",
    "win-at-three(tiles=2.3,dice=1d3)",
    "lucky-seven",
)
HIGH = ("covered(tiles=1-3,dice=1d4,fewer=never)", "covered(tiles=1-3,dice=2d2)", "coin")
ORDERS = ("seats", "rotate", "winner")
NEAR = 1e-11


class LowCoin(Coin):
    """The coin, where low is good: a 1 is what the turn is for, and counts."""

    name = "low coin"
    scoring = Scoring(best=1, worst=2)

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        awaited = super().awaits(position)
        return Over(awaited.scores, not awaited.shut) if isinstance(awaited, Over) else awaited


def game_of(name: str) -> Game[Any, Any]:
    return {"coin": Coin, "low coin": LowCoin}.get(name, lambda: shutbox.find(name))()


def drawn(
    number: int, games: tuple[str, ...] = LOW + HIGH, *, rounds: bool, seats: int = 2
) -> list[tuple[str, str]]:
    """So many pairs of a game and a format; with `rounds` such that the exact solver can do."""
    cup = random.Random(f"matches {number} {rounds} {seats}")
    found: list[tuple[str, str]] = []
    while len(found) < number:
        game = cup.choice(games)
        total = "limit" if game in (*LOW, "low coin") else "target"
        most = 7 if seats == 2 else 4
        ends = [f"{total}={cup.randint(2, most)}", "until=shut", f"wins={cup.randint(1, 2)}"]
        atoms = {
            "order": cup.choice(ORDERS),
            "shut": cup.choice(("scores", "wins")),
            "end": cup.choice(("complete", "stop")),
            "ties": cup.choice(("share", "carry") if rounds else ("share", "throw-off")),
            "begins": cup.choice((1, seats) if rounds else (1, seats, "high-roll")),
        }
        if rounds:
            # A throw-off takes more events than Python goes deep; so do many rounds.
            ends.append("")
            many = (1, 2, 2, 3) if game in ("coin", "lucky-seven") else (1, 2)
            atoms["rounds"] = cup.choice(many) if seats == 2 else 2
        every = [cup.choice(ends), *(f"{key}={value}" for key, value in atoms.items())]
        format = ",".join(filter(None, every))
        if (game, format) not in found:
            found.append((game, format))
    return found


def seated(game: str, format: str, players: tuple[str, ...] = ABC) -> Match[Any, Any]:
    return Match(game_of(game), Format.parse(format), players)


def solved(game: str, format: str) -> Equity:
    return Equity(seated(game, format, PLAYERS))


def named(name: str) -> Match[Any, Any]:
    match = find_any(name)
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize(("game", "format"), one_in(12, drawn(200, rounds=True), drawn=True))
def test_a_match_of_rounds_is_worth_what_the_exact_solver_says(game: str, format: str) -> None:
    equity = solved(game, format)
    exact = ExactSolver(equity.match, WIN)
    assert equity.share() == pytest.approx(float(exact.value()), abs=NEAR)
    standings = [*Steps(equity.match).ways()]
    for here in random.Random(format).sample(standings, min(30, len(standings))):
        assert equity.share(here) == pytest.approx(float(exact.value(here)), abs=NEAR), here


# Values that are known from elsewhere, and what must hold of all


def test_what_was_solved_is_read_from_its_file(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share = solved("six", "limit=30").share()

    def never(*arguments: object) -> None:
        raise AssertionError("it is in its file")

    with monkeypatch.context() as patched:
        patched.setattr(sweep, "Sweep", never)
        # Who begins is not what makes a standing worth something.
        assert solved("six", "limit=30,begins=2").share(seat=1) == share
        with pytest.raises(AssertionError, match="in its file"):
            solved("six", "limit=31")
    [file] = Path(os.environ["SHUTBOX_CACHE"]).rglob("match-six*")
    content = bytearray(file.read_bytes())
    content[-9] ^= 1
    file.write_bytes(content)
    assert solved("six", "limit=30").share() == share


# With and without numba


def values_of(name: str) -> Any:
    return sweep.Sweep(*whole_turn(named(name)), columns, float(SLACK)).values


@pytest.mark.parametrize("name", ["race-200", "six[seats=2,limit=20]", "cargo-night"])
def test_numpy_alone_finds_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, turn = whole_turn(named(name))
    worths = np.random.default_rng(13).random((3, turn.ends, 130))
    found = [columns.evaluate(turn, worths[:rows], 1e-11) for rows in (1, 2, 3)]
    whole = None if name == "race-200" else values_of(name)
    monkeypatch.setattr(columns, "COMPILED", False)
    for rows, one in enumerate(found, start=1):
        assert columns.evaluate(turn, worths[:rows], 1e-11) == pytest.approx(one)
        assert one[0] == pytest.approx(found[0][0])
    if whole is not None:
        assert values_of(name) == pytest.approx(whole, nan_ok=True)


def test_of_choices_that_are_nearly_as_good_the_first_is_made() -> None:
    graph = [(), (), (), (0, 1, 2), (3, 2)], [(), (), (), (), (1, 1)]
    flat = columns.flatten(*graph, [0, 1, 2], 4)
    others = np.array([[0.1], [0.2], [0.4]]) * np.ones(40)
    for worths, first in (
        ([0.5, 0.5 + 1e-12, 0.5 + 2e-12], 0.1),
        ([0.4, 0.5 - 1e-12, 0.5], 0.2),
        ([0.4, 0.5 - 1e-10, 0.5], 0.4),
    ):
        worth = np.array([np.array(worths)[:, None] * np.ones(40), others])
        for evaluate in (columns.evaluate, columns._evaluate_plainly):
            found = evaluate(flat, worth, NEAR)
            assert found[0] == pytest.approx((max(worths) + worths[2]) / 2, abs=0)
            assert found[1] == pytest.approx((first + 0.4) / 2)


@pytest.mark.parametrize(("part", "is_first"), [(10**13, True), (99, False)])
def test_a_turn_is_followed_by_the_first_of_choices_that_are_nearly_as_good(
    part: int, is_first: bool
) -> None:
    game = shutbox.find("six")
    turns = graph_of_turn(game, game.start())
    aim = Aim("near", lambda over: Fraction(over.scores[0], part), lambda scoring, seat: True)
    solution = GraphSolution(game, aim, turns)
    solution.near = Fraction(1, 10**11)
    nodes = zip(turns.graph.children, turns.graph.weights, strict=True)
    taken = [
        (children[0],) == solution.policy_graph.children[node]
        for node, (children, weights) in enumerate(nodes)
        if children and not weights
    ]
    assert all(taken) is is_first


@pytest.mark.filterwarnings("ignore:.*multi-threaded")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_process_that_was_forked_has_threads_of_its_own() -> None:
    _, turn = whole_turn(named("race-200"))
    worths = np.random.default_rng(13).random((1, turn.ends, 4 * columns.WIDTH))
    asked = turn, worths, 0.0
    values = columns.evaluate(*asked)
    child = multiprocessing.get_context("fork").Process(target=columns.evaluate, args=asked)
    child.start()
    child.join(60)
    child.kill()
    assert child.exitcode == 0
    assert columns.evaluate(*asked) == pytest.approx(values)


# What is refused


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("six[seats=1]", "for two players or more, and without chips"),
        ("pub[seats=2,rounds=3]", "for two players or more, and without chips"),
        ("classic(tiles=1-4,dice=1d3)[seats=2,until=shut]", "come nearer"),
    ],
)
def test_who_plays_alone_for_chips_or_for_ever_is_refused(name: str, says: str) -> None:
    with pytest.raises(TooLarge, match=says):
        Equity(named(name))


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "import_columns", lambda: None)
    with pytest.raises(NotInstalled, match="NumPy, which is not installed") as missing:
        check_whole(named("race-500"))
    assert (missing.value.code, missing.value.extra) == ("not-installed", "fast")


# What it is used for

BEHIND = "6;0;0;103,132;t0;1.3.4.9/1+3"


def test_advice_before_the_last_round_is_for_the_win() -> None:
    match = named("race-200")
    here = match.position_at(BEHIND)
    found = Adviser(match).advise(here)
    equity = Equity(match)
    assert found.aim == "win"
    assert equity.best(here).text == found.best.text
    for one in found.ranked:
        after = match.chosen(here, match.parse_choice(here, one.text))
        assert float(one.value) == pytest.approx(equity.share(after), abs=NEAR)
        assert float(one.cost) == pytest.approx(equity.share(here) - equity.share(after), abs=NEAR)
    # A file takes no time. Without being told to, and where it would take too long, it is
    # for the score.
    assert Adviser(match, seconds=0.1).advise(here).aim == "win"
    assert Adviser(match, every_round=False).advise(here).aim == "mean"
    longer = named("covered[seats=2,target=201,end=stop]")
    assert Adviser(longer, seconds=0.1).advise(here).aim == "mean"


# What the docs say


def test_the_docs_show_the_shares_of_many_standings() -> None:
    page = (DOCS / "odds.md").read_text(encoding="utf-8")
    grids = re.findall(r"^```text\n( +[\d ]+\n.*?)^```$", page, re.MULTILINE | re.DOTALL)
    knockout, cargo_night = ([line.split() for line in grid.splitlines()] for grid in grids)
    equity, race = Equity(named("knockout")), Equity(named("cargo-night"))
    for mine, *shares in knockout[1:]:
        places = [f"2;0;0;{mine},{theirs};t0;1-9" for theirs in knockout[0]]
        assert shares == [f"{100 * equity.share(place):.1f}" for place in places]
    start = race.match.game.position_id(race.match.game.start())
    for lead, *shares in cargo_night[1:]:
        totals = f"{max(0, int(lead))},{max(0, -int(lead))}"
        rounds = (1, 2, 3) if int(lead) == 0 else (2, 3)
        places = [f"{round};0;0;{totals};t0;{start}" for round in rounds]
        assert shares == [f"{100 * race.share(place):.1f}" for place in places]


@pytest.mark.parametrize("name", one_in(4, presets()))
def test_the_docs_know_what_it_is_worth_to_begin_a_match_with_a_name(name: str) -> None:
    match = match_of(name, ["Ann", "Bob"])
    if match.rules.rows:
        share = Equity(match).shares[0]
    elif match.format.most_rounds == 1:  # for chips, too
        share = float(shutbox.odds(match).shares[0])
    else:
        first = match.format.first
        begun = Match(match.game, replace(match.format, begins=first + 1), match.players)
        share = Equity(begun).share(seat=first)
    page = (DOCS / "odds.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `{name}` \| .* \| {100 * share:.1f} % \|$", page, re.MULTILINE)


# Every standing against the ones that follow it


class Steps:
    """What is worth what one step further on, by the rules, at every standing of a match."""

    def __init__(self, match: Match[Any, Any]) -> None:
        self.match = match
        turns = graph_of_turn(match.game, match.game.start())
        self.graph = turns.graph
        root = turns.find(match.game.start())
        assert root is not None
        self.root = root
        self.seats = len(match.players)

    def _plain(self, here: Standing[Any]) -> Standing[Any]:
        """The same in the first round, if rounds are not counted; totals, if they are not."""
        format = self.match.format
        if format.rounds is not None:
            return here
        if format.until is not None:
            here = replace(here, tallies=tuple(replace(one, total=0) for one in here.tallies))
        return replace(here, round=1)

    def follow(self, here: Standing[Any]) -> list[tuple[float, Any]]:
        """What a place leads to: everybody's shares, or standings, with their chances."""
        match here.doing:
            case Ended(winners=winners):
                shares = [(seat in winners) / len(winners) for seat in range(self.seats)]
                return [(1.0, shares)]
            case Contest(among=among) as contest:
                dice = self.match.rules.dice
                low, high = (dice.read("+".join([pip] * len(dice))) for pip in "12")
                found = []
                for winner in range(len(among)):
                    rolls = tuple(high if place == winner else low for place in range(len(among)))
                    won = replace(here, doing=replace(contest, rolls=rolls))
                    after = self.match.settled(won).position
                    found += [(c / len(among), one) for c, one in self.follow(after)]
                return found
        return [(1.0, self._plain(here))]

    def ways(self) -> dict[Standing[Any], dict[int, list[tuple[float, Any]]]]:
        """What every standing leads to, by the end of its turn."""
        found: dict[Standing[Any], dict[int, list[tuple[float, Any]]]] = {}
        start = self.match.settled(self.match.start()).position
        waiting = [one for _, one in self.follow(start)]
        while waiting:
            here = waiting.pop()
            if isinstance(here, Standing) and here not in found:
                found[here] = ways = {}
                for node, (score, shut) in self.graph.ends.items():
                    after = self.match.rules.after_turn(here, Over((score,), shut)).position
                    ways[node] = self.follow(after)
                    waiting += [one for _, one in ways[node]]
        return found

    def worth(
        self, here: Standing[Any], ends: dict[int, list[tuple[float, Any]]], equity: Equity
    ) -> list[float]:
        """Everybody's share at a standing, from what its ends are said to be worth."""
        assert isinstance(here.doing, Turn)
        due, every = here.doing.seat, range(self.seats)
        values: list[list[float]] = []
        nodes = zip(self.graph.children, self.graph.weights, strict=True)
        for node, (children, weights) in enumerate(nodes):
            if weights:
                falls = list(zip(weights, (values[child] for child in children), strict=True))
                values.append([sum(w * v[s] for w, v in falls) / self.graph.total for s in every])
            elif children:
                best = max(values[child][due] for child in children)
                first = next(child for child in children if values[child][due] >= best - NEAR)
                values.append(values[first])
            else:
                known = [
                    (c, equity.outlook(one).shares if isinstance(one, Standing) else one)
                    for c, one in ends[node]
                ]
                values.append([sum(c * float(one[seat]) for c, one in known) for seat in every])
        return values[self.root]


MATCHES = [
    *one_in(12, [(*one, 2) for one in drawn(80, rounds=False)], drawn=True),
    *one_in(
        20,
        [(*one, 3) for one in drawn(40, (*LOW, *HIGH, "low coin"), rounds=False, seats=3)],
        drawn=True,
    ),
    *one_in(40, [(*one, 3) for one in drawn(40, rounds=True, seats=3)], drawn=True),
    ("coin", "target=3,end=stop,order=winner,ties=throw-off", 4),
    ("coin", "wins=2,order=winner", 4),
    ("lucky-seven", "limit=9,order=rotate", 4),
    ("lucky-seven", "rounds=2,order=winner,ties=throw-off", 4),
    ("low coin", "limit=3,shut=wins,order=winner,end=stop", 4),
    ("coin", "wins=2,rounds=3,shut=wins,end=stop", 4),
    ("lucky-seven", "rounds=3,until=shut", 4),
    ("lucky-seven", "rounds=2,limit=9,order=rotate", 3),
    (HIGH[1], "target=7,shut=wins,order=winner,end=stop", 3),
]


@pytest.mark.parametrize(("game", "format", "seats"), MATCHES)
def test_each_share_is_what_the_rules_make_of_the_others(
    game: str, format: str, seats: int
) -> None:
    """One step on from every standing: there is one such solution."""
    match = seated(game, format, FOUR[:seats])
    equity, steps = Equity(match), Steps(match)
    for here, ends in steps.ways().items():
        shares = list(equity.outlook(here).shares)
        near = NEAR if seats == 2 else 1e-10
        assert shares == pytest.approx(steps.worth(here, ends, equity), abs=near), here


def numbering_of(match: Match[Any, Any]) -> Numbering:
    return whole_turn(match)[0]


# What must hold of all


def test_of_choices_as_good_to_a_player_the_first_is_made_whatever_it_is_to_others() -> None:
    # Bob has lost already: what he does is all the same to him.
    match = named("six[seats=3,rounds=2]")
    equity = Equity(match)
    here = match.position_at("2;0;0;0=0*,20,14;t1;1.2.3.4.5.6/6")
    awaited = match.awaits(here)
    assert isinstance(awaited, Choose)
    worth = [equity.share(match.chosen(here, choice), 1) for choice in awaited.choices]
    assert len(worth) > 1
    assert set(worth) == {0.0}
    assert equity.best(here).choice == awaited.choices[0]


@pytest.mark.parametrize(
    ("game", "format"),
    [
        ("lucky-seven", "limit=12,order=winner,ties=throw-off"),
        ("cargo", "target=20,end=stop"),
        ("lucky-seven", "until=shut,shut=wins,order=rotate"),
    ],
)
def test_standings_that_lead_back_take_few_steps(
    game: str, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With wrong slopes they would be found all the same, but by hundreds of steps.
    monkeypatch.setattr(sweep, "MOST_NEWTON_STEPS", 8)
    monkeypatch.setattr(sweep, "MOST_VALUE_ITERATIONS", 0)
    assert 0 < Equity(seated(game, format)).share() < 1


def test_one_round_is_solved_in_whole_fractions() -> None:
    match = named("lucky-seven[seats=5,shut=wins]")
    exact = LastRound(match).outlook().shares
    assert Equity(match).outlook().shares == exact
    assert sum(exact) == 1


def test_what_cannot_come_up_is_refused() -> None:
    equity = Equity(named("six[seats=3,limit=9]"))
    with pytest.raises(NotUnderstood, match="comes to this"):
        equity.share(equity.match.position_at("9;0;0;8,8s,3;t0;1.2.3.4.5.6"))


def test_what_takes_too_long_is_refused_by_a_formula() -> None:
    for name in ("race-500[seats=3]", "knockout[seats=5]", "markers-five[seats=5]"):
        with pytest.raises(TooLarge, match="standings takes about") as found:
            check_whole(named(name))
        assert found.value.costly
    assert cost_of_whole(named("markers-five[seats=3]")).seconds < 60
    # What can be kept of a round of twelve is more than can be listed.
    for format in ("until=shut,ties=throw-off", "rounds=2,order=winner,ties=throw-off"):
        with pytest.raises(TooLarge, match="standings takes about"):
            check_whole(named(f"cargo[seats=12,{format}]"))


@pytest.mark.parametrize("players", [PLAYERS, ABC])
def test_the_estimate_counts_what_is_there(players: tuple[str, ...]) -> None:
    seats = len(players)
    with_rounds, without = (drawn(20, LOW, rounds=each, seats=seats) for each in (True, False))
    for game, format in (*with_rounds, *without):
        numbering = numbering_of(seated(game, format, players))
        work = work_of(numbering)
        assert work.standings == sum(map(numbering.count_possible, numbering.states))
        assert work.memory >= 8 * numbering.value_count
        turns = [history.turns for history in numbering.memory.histories]
        assert all(
            turns.count(t) <= numbering.memory.most_histories(t) for t in range(len(players))
        )
        if numbering.memory.counts_rounds:
            for state in numbering.states:
                found = sum(totals.shape[1] for totals in numbering.batches_of_totals(state, 1000))
                assert found == numbering.count_possible(state)


# Fair matches


def test_fair_matches_are_told_for_every_order() -> None:
    found = fair_rules("lucky-seven", 3, "rounds=2,shut=wins,stake=2,purse=9")
    orders = ["", ",order=winner", ",order=rotate"]
    assert [fair.match for fair in found] == [
        *(f"lucky-seven[seats=3,rounds=2,shut=wins{order}]" for order in orders),
        "lucky-seven[seats=3,rounds=2,shut=wins,begins=high-roll]",
    ]
    for fair in found:
        shares, _ = Everybody(named(fair.match.replace("high-roll", "1"))).hopes()
        even = sum(shares) / 3
        wanted = [even] * 3 if "high-roll" in fair.match else shares
        assert list(fair.shares) == pytest.approx(list(map(float, wanted)), abs=NEAR)
        assert fair.gains == tuple(3 * share - 1 for share in fair.shares)
        assert fair.payouts == ()
    assert found[0].apart > found[2].apart > found[3].apart


@pytest.mark.parametrize(
    ("game", "format", "matches"),
    [
        ("six", "limit=9,order=rotate", ["limit=9,order=rotate", "limit=9,order=rotate,begins=h"]),
        ("six[seats=2,limit=9,begins=2]", "order=seats", ["limit=9,begins=2"]),
        ("six[seats=2,order=winner,rounds=2]", None, ["rounds=2,order=w", "rounds=2,order=w"]),
        ("six", "rounds=1,limit=9", ["rounds=1,limit=9"] * 4),
    ],
)
def test_what_is_named_is_not_compared(game: str, format: str | None, matches: list[str]) -> None:
    found = fair_rules(game, 2, format)
    assert len(found) == len(matches)
    for fair, begins in zip(found, matches, strict=True):
        assert fair.match.startswith(f"six[seats=2,{begins}")
