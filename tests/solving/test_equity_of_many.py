"""Matches of several players, solved in every round: compared with the match itself.

The arithmetic after a turn is compared with `MatchRules.ended`, for two seats, too.

The reference is `MatchRules.ended` and the graph of a turn: each reachable standing has the value
of the first of its best choices, one step on. For the smallest games the reference is the protocol,
in exact fractions.
"""

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from nightly import one_in
from shutbox.cli.main import main
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Over
from shutbox.games.catalogue import find
from shutbox.match import Format, Match, Order, presets
from shutbox.match.format import TurnLength
from shutbox.match.standing import Contest, Ended, Standing, Turn
from shutbox.solving.graph_solution import GraphSolution
from shutbox.solving.objectives import Aim
from shutbox.table.lookup import match_of
from truth import Everybody

np = pytest.importorskip("numpy", reason="NumPy is not installed: make tools")

import test_equity  # noqa: E402
from test_equity import (  # noqa: E402
    HIGH,
    LOW,
    ORDERS,
    PLAYERS,
    game_of,
    named,
    turns_that_begin,
)

from shutbox.solving import columns  # noqa: E402
from shutbox.solving.equity import sweep  # noqa: E402
from shutbox.solving.equity.cost import (  # noqa: E402
    check_whole,
    cost_of_whole,
    whole_turn,
    work_of,
)
from shutbox.solving.equity.fairness import fair as fair_rules  # noqa: E402
from shutbox.solving.equity.fairness import fairest_order, share_of_first  # noqa: E402
from shutbox.solving.equity.match_value import Equity, match_solver  # noqa: E402
from shutbox.solving.equity.numbering import Numbering  # noqa: E402
from shutbox.solving.equity.successors import Successors  # noqa: E402
from shutbox.solving.solvers import graph_of_turn  # noqa: E402

NEAR = 1e-11
FOUR = ("Ann", "Bob", "Cy", "Di")
ABC = FOUR[:3]
SCORED = ("coin", *HIGH)

# Formats in which a turn leads on in all the ways there are

FORMATS = {
    "covered": ("target=60", "target=60,end=stop", "target=50,shut=wins,order=winner,end=stop"),
    "cargo": ("target=40,order=winner,ties=throw-off", "rounds=3,order=winner", "until=shut"),
    "classic": ("limit=45,end=stop", "limit=60,shut=wins,order=rotate", "rounds=2,limit=30"),
    "six": ("wins=2", "wins=2,order=winner,ties=throw-off", "wins=2,rounds=3,shut=wins,end=stop"),
    "win-at-three": ("until=shut,order=winner", "rounds=3,until=shut", "rounds=1,until=shut"),
    "low coin": ("limit=4,shut=wins,end=stop", "limit=4,shut=wins", "until=shut", "limit=3"),
    "parlour": ("rounds=3,order=winner,ties=throw-off,shut=wins", "limit=45,shut=wins,end=stop"),
}
NAMED = [
    (preset.game, str(replace(preset.format, stake=0)))
    for preset in presets().values()
    if preset.format.turns is TurnLength.WHOLE
]
FOLLOWED = [*NAMED, *((game, text) for game, texts in FORMATS.items() for text in texts)]


def drawn(number: int, games: tuple[str, ...], *, rounds: bool) -> list[tuple[str, str]]:
    """So many pairs of a game and a format; with `rounds` those that surely end."""
    cup = random.Random(f"rings {number} {rounds}")
    found: list[tuple[str, str]] = []
    while len(found) < number:
        game = cup.choice(games)
        total = "target" if game in SCORED else "limit"
        ends = [f"{total}={cup.randint(2, 4)}", "until=shut", f"wins={cup.randint(1, 2)}"]
        atoms = {
            "order": cup.choice(ORDERS),
            "shut": cup.choice(("scores", "wins")),
            "end": cup.choice(("complete", "stop")),
            "ties": cup.choice(("share", "carry") if rounds else ("share", "throw-off")),
            "begins": cup.choice((1, 2, 3) if rounds else (1, 3, "high-roll")),
        }
        if rounds:
            ends.append("")
            atoms["rounds"] = 2
        every = [cup.choice(ends), *(f"{key}={value}" for key, value in atoms.items())]
        format = ",".join(filter(None, every))
        if (game, format) not in found:
            found.append((game, format))
    return found


def seated(game: str, format: str, players: tuple[str, ...] = ABC) -> Match[Any, Any]:
    return Match(game_of(game), Format.parse(format), players)


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
    *one_in(12, [(*one, 2) for one in test_equity.drawn(80, exact=False)], drawn=True),
    *one_in(
        20,
        [(*one, 3) for one in drawn(40, (*LOW, *HIGH, "low coin"), rounds=False)],
        drawn=True,
    ),
    *one_in(40, [(*one, 3) for one in drawn(40, (*LOW, *HIGH), rounds=True)], drawn=True),
    ("coin", "target=3,end=stop,order=winner,ties=throw-off", 4),
    ("coin", "wins=2,order=winner", 4),
    ("lucky-seven", "limit=9,order=rotate", 4),
    ("lucky-seven", "rounds=2,order=winner,ties=throw-off", 4),
    ("low coin", "limit=3,shut=wins,order=winner,end=stop", 4),
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


# What follows from a turn, in arithmetic


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(("game", "format"), FOLLOWED)
def test_what_follows_from_an_end_is_what_the_match_says(
    game: str, format: str, seats: int
) -> None:
    match = seated(game, format, FOUR[:seats])
    numbering = numbering_of(match)
    successors = Successors(numbering)
    steps = Steps(match)

    def drawn_share(number: int) -> float:
        """What a number is worth, if all are drawn."""
        return random.Random(number).random()

    def worth(here: Standing[Any]) -> list[float]:
        hopes = [0.0] * seats
        for chance, one in steps.follow(here):
            shares = one
            if isinstance(one, Standing):
                located = numbering.locate(one)
                assert located is not None, one
                number = numbering.number(located)
                assert number is not None, one
                shares = [0.0] * seats
                for row, seat in enumerate(located.seats):
                    shares[seat] = drawn_share(number + row * numbering.size(located.state))
            hopes = [hope + chance * share for hope, share in zip(hopes, shares, strict=True)]
        return hopes

    begun = list(turns_that_begin(match, 25))
    together: dict[Any, list[tuple[Standing[Any], list[int], list[int]]]] = {}
    for here in begun:
        located = numbering.locate(here)
        assert located is not None
        state, totals, order = located
        ring = [*order[len(order) - state.due :], *order[: len(order) - state.due]]
        together.setdefault(state, []).append((here, totals, ring))
    every_end = range(len(numbering.memory.ends))
    for state, known in together.items():
        asked = np.array([totals for _, totals, _ in known]).T
        found = np.zeros((len(every_end), len(known), state.players))
        for result in successors.after(state, asked, every_end):
            shares = result.sure.copy()
            for group in result.onward:
                for place, row in enumerate(group.rows):
                    if row is not None:
                        there = group.numbers + row * numbering.size(group.state)
                        shares[place, group.cases] += group.share * np.array(
                            list(map(drawn_share, there.tolist()))
                        )
            found[result.ends] = shares.reshape(state.players, len(result.ends), -1).transpose(
                1, 2, 0
            )
        for row, (score, shut) in enumerate(numbering.memory.ends):
            for column, (here, _, ring) in enumerate(known):
                end = match.rules.after_turn(here, Over((score,), shut)).position
                wanted = worth(end)
                assert found[row, column] == pytest.approx([wanted[seat] for seat in ring]), (
                    here,
                    score,
                )
                assert sum(wanted[seat] for seat in range(seats) if seat not in ring) == 0


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


def test_the_kernel_takes_the_first_of_choices_that_are_nearly_as_good() -> None:
    graph = [(), (), (), (0, 1, 2), (3, 2)], [(), (), (), (), (1, 1)]
    flat = columns.flatten(*graph, [0, 1, 2], 4)
    others = np.array([[0.1], [0.2], [0.4]]) * np.ones(40)
    for worths, first in (
        ([0.5, 0.5, 0.5], 0.1),
        ([0.5, 0.5 + 1e-12, 0.5 + 2e-12], 0.1),
        ([0.4, 0.5 - 1e-12, 0.5], 0.2),
        ([0.4, 0.5 - 1e-10, 0.5], 0.4),
    ):
        worth = np.array([np.array(worths)[:, None] * np.ones(40), others])
        for evaluate in (columns.evaluate, columns._plain):
            found = evaluate(flat, worth, NEAR)
            assert found[0] == pytest.approx((max(worths) + worths[2]) / 2, abs=0)
            assert found[1] == pytest.approx((first + 0.4) / 2)


@pytest.mark.parametrize(
    ("game", "format"),
    [
        ("six", "limit=9"),
        ("lucky-seven", "limit=12,order=winner,ties=throw-off"),
        ("cargo", "target=20,end=stop"),
        ("lucky-seven", "until=shut,shut=wins,order=rotate"),
        ("six", "until=shut,order=winner"),
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
    equity = Equity(match)
    exact = match_solver(match, match.start()).outlook().shares
    assert equity.outlook().shares == exact
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
    for game, format in (*drawn(20, LOW, rounds=True), *drawn(20, LOW, rounds=False)):
        if len(players) == 2:
            format = format.replace("begins=3", "begins=2")
        numbering = numbering_of(seated(game, format, players))
        work, _, _ = work_of(numbering)
        assert work.positions == sum(map(numbering.count_possible, numbering.states))
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


def test_fair_says_which_order_is_the_fairest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fair", "lucky-seven[seats=3,rounds=2,shut=wins]"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 4 * 4 + 1
    assert "stakes a match." in said[1]
    assert said[-1].startswith("Fairest without a throw for the start: Lucky Seven, three players,")


@pytest.mark.parametrize("begins", ["1", "2", "high-roll"])
def test_the_stake_of_whoever_begins_is_what_is_expected_of_a_race(begins: str) -> None:
    race = match_of("covered(tiles=1-4,dice=1d4)", 2, f"target=20,end=stop,begins={begins}")
    share = share_of_first(race)
    assert share == fair_rules(race.game, 2, "target=20,end=stop")[0].shares[0]
    assert fairest_order(race) is Order.WINNER


@pytest.mark.parametrize(
    ("slope", "first"), [(Fraction(1, 10**13), True), (Fraction(1, 99), False)]
)
def test_a_turn_is_followed_by_the_first_of_choices_that_are_nearly_as_good(
    slope: Fraction, first: bool
) -> None:
    game = find("six")
    turns = graph_of_turn(game, game.start())

    def payoff(over: Over) -> Fraction:
        return over.scores[0] * slope

    solution = GraphSolution(game, Aim("near", payoff, lambda scoring, seat: True), turns)
    solution.near = Fraction(1, 10**11)
    taken = [
        (children[0],) == solution.policy_graph.children[node]
        for node, children in enumerate(turns.graph.children)
        if children and not turns.graph.weights[node]
    ]
    assert len(taken) > 50
    assert all(taken) is first
