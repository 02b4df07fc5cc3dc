"""The solver in whole numbers: on graphs made by hand, and compared with the exact solver.

Toy graphs come first, with values that are easy to check. Then every turn solver is compared with
`ExactSolver` on random boxes and on all small games of the catalogue, for every aim: the value, the
choice among equal ones, and the results of play. All values are exact fractions, so they must be
equal, not close.
"""

import pickle
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

import shutbox
from coin import AGAIN, KEEP, Coin
from coin import Place as CoinPlace
from nightly import one_in
from shutbox import Choose, Over
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Scoring
from shutbox.games.box import Box
from shutbox.games.cargo import Cargo
from shutbox.match import Format, Match
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, GraphSolution, Unfolded, beat
from shutbox.solving.box.solver import BoxGraph
from shutbox.solving.graph import Builder, Graph
from shutbox.solving.solution import chances as chances_of
from shutbox.solving.solvers import cost_of, solve, turns_of
from shutbox.solving.strategy.following import policy_graph_of
from truth import PolicyValues, Remembered, all_worth, places
from variants import random_name

THIRD, HALF, QUARTER = Fraction(1, 3), Fraction(1, 2), Fraction(1, 4)


# Graphs made by hand


def two_ways() -> tuple[Graph, dict[str, int]]:
    """A throw of four sides to a choice, or to an end.

    root --3/4--> choice: safe (a 5), or risky: 1/3 to win (a 0), 2/3 to lose (a 9)
         --1/4--> lose
    """
    builder = Builder()
    nodes = {
        "win": builder.end(0, True),
        "lose": builder.end(9, False),
        "five": builder.end(5, False),
    }
    nodes["risky"] = builder.throw([(nodes["win"], 1), (nodes["lose"], 2)])
    nodes["choice"] = builder.choice((nodes["five"], nodes["risky"]), (7, 8))
    nodes["root"] = builder.throw([(nodes["choice"], 3), (nodes["lose"], 1)])
    return builder.graph(), nodes


def values_of(graph: Graph, worth: Callable[[int, bool], int], *, more: bool) -> list[Fraction]:
    worths = {node: worth(score, shut) for node, (score, shut) in graph.ends.items()}
    return [Fraction(value, graph.scale) for value in graph.solved(worths, more=more)]


def score_of(score: int, shut: bool) -> int:
    return score


def shut_of(score: int, shut: bool) -> int:
    return int(shut)


def test_the_values_of_a_graph_by_hand() -> None:
    graph, nodes = two_ways()
    assert (graph.total, graph.depth, graph.scale) == (12, 2, 144)
    low = values_of(graph, score_of, more=False)
    assert low[nodes["risky"]] == 6
    assert low[nodes["choice"]] == 5
    assert low[nodes["root"]] == Fraction(3, 4) * 5 + QUARTER * 9
    high = values_of(graph, score_of, more=True)
    assert high[nodes["choice"]] == 6
    assert high[nodes["root"]] == Fraction(3, 4) * 6 + QUARTER * 9
    assert values_of(graph, shut_of, more=True)[nodes["root"]] == QUARTER
    assert values_of(graph, shut_of, more=False)[nodes["root"]] == 0
    worths = {nodes["win"]: 0, nodes["lose"]: 9, nodes["five"]: 5}
    for more in (False, True):
        assert graph.best(graph.solved(worths, more=more), more=more) == {nodes["choice"]: more}


def test_of_equally_good_children_the_first_is_best() -> None:
    for more in (True, False):
        builder = Builder()
        ends = [builder.end(score, False) for score in (1, 2, 3, 4)]
        # Four ways to the same mean: 5/2; what is worth 2 and what is worth 3 are not tied.
        pairs = [(1, 4), (2, 3), (4, 1), (3, 2)]
        children = [builder.throw([(ends[a - 1], 1), (ends[b - 1], 1)]) for a, b in pairs]
        bad, good = builder.throw([(ends[0], 1)]), builder.throw([(ends[3], 1)])
        worse = good if not more else bad
        choice = builder.choice((worse, *children))
        graph = builder.graph()
        worths = {node: score for node, (score, _) in graph.ends.items()}
        assert graph.best(graph.solved(worths, more=more), more=more) == {choice: 1}


def test_throws_of_other_sizes_come_to_one_sum() -> None:
    builder = Builder()
    win, lose = builder.end(0, True), builder.end(1, False)
    coin = builder.throw([(win, 1), (lose, 1)])
    three = builder.throw([(coin, 1), (lose, 2)])
    ten = builder.throw([(three, 9), (win, 1)])
    graph = builder.graph()
    assert graph.total == 30
    assert graph.depth == 3
    assert {sum(weights) for weights in graph.weights if weights} == {30}
    assert values_of(graph, shut_of, more=True)[ten] == Fraction(9, 10) * THIRD * HALF + Fraction(
        1, 10
    )


def test_a_forced_choice_is_its_node_unless_that_is_an_end() -> None:
    builder = Builder()
    win, lose = builder.end(0, True), builder.end(1, False)
    throw = builder.throw([(win, 1), (lose, 1)])
    open_choice = builder.choice((throw, lose))
    assert builder.choice((throw,), (5,)) == throw
    assert builder.choice((open_choice,), (5,)) == open_choice
    behind = builder.choice((win,), (5,))
    assert behind not in (win, lose)
    # What a throw itself ends can be told from what is chosen after it.
    root = builder.throw([(behind, 1), (lose, 1)])
    graph = builder.graph()
    assert graph.children[behind] == (win,)
    assert graph.labels == {behind: (5,)}
    ended = [child for child in graph.children[root] if child in graph.ends]
    assert ended == [lose]


def test_how_often_nodes_are_reached_by_hand() -> None:
    graph, nodes = two_ways()
    with pytest.raises(ValueError, match="open"):
        graph.reached(nodes["root"])
    followed = graph.with_choices({nodes["choice"]: 1})
    often = [Fraction(count, followed.scale) for count in followed.reached(nodes["root"])]
    assert often[nodes["risky"]] == Fraction(3, 4)
    assert often[nodes["win"]] == QUARTER
    assert often[nodes["lose"]] == Fraction(3, 4)
    assert often[nodes["five"]] == 0
    assert chances_of(followed, followed.reached(nodes["root"])) == (
        {(0, True): QUARTER, (9, False): Fraction(3, 4)},
        1 + Fraction(3, 4),
    )
    # From further on, and the choice that is made is not the graph's own.
    assert chances_of(followed, followed.reached(nodes["choice"])) == (
        {(0, True): THIRD, (9, False): Fraction(2, 3)},
        1,
    )


# Against the exact solver

BY_NAME = (MEAN, SHUT, WORST_SHUT)


def aims_of(game: Any, *targets: int) -> Iterator[Aim]:
    yield from BY_NAME
    for target in targets:
        yield beat(target, game.scoring)


def scores_of(game: Any, chance: random.Random, number: int) -> list[int]:
    """Some scores that games end with, so that ties with them come up."""
    found = sorted(
        {over.scores[0] for place in places(game) if isinstance(over := game.awaits(place), Over)}
    )
    return chance.sample(found, min(number, len(found)))


def some(chance: random.Random, found: list[Any], number: int) -> list[Any]:
    return found if len(found) <= number else chance.sample(found, number)


def check_values(solution: Any, exact: ExactSolver[Any, Any], positions: list[Any]) -> None:
    """Value and choice at these positions, and chances that are worth the value."""
    game = exact.game
    assert isinstance(solution.value(positions[0]), Fraction)
    for position in positions:
        id = game.position_id(position)
        assert solution.holds(position), id
        assert solution.value(position) == exact.value(position), id
        if isinstance(game.awaits(position), Choose):
            assert solution.best(position).choice == exact.best(position), id
    for position in positions[:5]:
        check_chances(exact.aim, solution.chances(position)[0], exact.value(position))


def check_followed(
    solution: Any, followed: PolicyValues, positions: list[Any], *, whole: bool
) -> None:
    """What comes of the best choices from these positions; `whole`: each chance too."""
    for position in positions:
        id = followed.game.position_id(position)
        score, shut, throws = followed.numbers(position)
        assert solution.shut(position) == shut, id
        assert solution.ends(position) == followed.ends(position), id
        ends, thrown = solution.chances(position)
        assert thrown == throws, id
        assert sum(p for (_, is_shut), p in ends.items() if is_shut) == shut, id
        assert sum(score * p for (score, _), p in ends.items()) == score, id
        if whole:
            assert ends == followed.chances(position), id


def check_chances(aim: Aim, ends: dict[tuple[int, bool], Any], value: Fraction) -> None:
    """The chances sum to one, none of them is nothing, and they are worth the value."""
    assert sum(ends.values()) == 1
    assert all(chance > 0 for chance in ends.values())
    assert sum(p * aim.payoff(Over((score,), shut)) for (score, shut), p in ends.items()) == value


def small_boxes(number: int, seed: int) -> Iterator[Box]:
    """Random boxes with at most eight tiles up, that are solved by trying everything."""
    chance = random.Random(seed)
    while number:
        box = shutbox.find(random_name(chance))
        assert isinstance(box, Box)
        rules = box.rules
        if rules.start.bit_count() > 8 or sum(rules.variant.dice.sides) > 40:
            continue
        rolls = sum(len(rules.dice[n].outcomes()) for n in rules.dice_open(rules.start))
        if rolls << rules.start.bit_count() <= 1600:
            yield box
            number -= 1


BATCHES = range(8)


@pytest.mark.parametrize("batch", one_in(4, BATCHES, drawn=True))
def test_random_boxes_agree_with_the_exact_solver(batch: int) -> None:
    chance = random.Random(f"aims {batch}")
    for number, box in enumerate(small_boxes(25, seed=batch)):
        game = Remembered(box)
        graph = BoxGraph(box.packed(box.start()))
        unfolded = Unfolded(box, box.start())
        everywhere = list(places(game))
        mean, shut, worst_shut, beats = aims_of(box, *scores_of(game, chance, 1))
        for aim in (mean, (shut, worst_shut)[number % 2], beats):
            exact = ExactSolver(game, aim)
            quick = GraphSolution(box, aim, graph)
            slow = GraphSolution(box, aim, unfolded)
            here = [game.start(), *some(chance, everywhere, 8)]
            followed = PolicyValues(game, exact.best)
            try:
                check_values(quick, exact, here)
                check_followed(quick, followed, here, whole=True)
                check_values(slow, exact, here[:4])
                check_followed(slow, followed, here[:2], whole=True)
            except AssertionError as error:
                raise AssertionError(f"{box.name} for {aim.name}: {error}") from error


CATALOGUE = [
    entry.name
    for entry in shutbox.catalogue()
    if isinstance(game := shutbox.find(entry.name), Box) and game.rules.start.bit_count() <= 9
]

ODD = [
    "two-to-go(dice=2d4,tiles=1-7)",
    "two-dice(tiles=1-3.40)",
    "two-dice(tiles=40)",
    "two-dice(tiles=2.1.5.3,dice=3d2,fewer=may-any)",
    "two-dice(tiles=1-6,first=2.4,stop_first=7)",
    "two-dice(tiles=1-6,first=6.5,down=4,fewer=may-sum)",
    "two-dice(tiles=1-6,down=6,stop_on=3,score=covered)",
    "two-dice(tiles=1-5,dice=1d6,stop_on=1-6)",
    "double-shutter(tiles=1-3,behind=3-1,weights=1x6,shut_at=4,dice=2d4)",
    "double-shutter(tiles=1-4,behind=4-1,weights=1x8,dice=1d6,fewer=may-any)",
    "two-dice(tiles=20.1.2,behind=1-3,dice=1d6,fewer=may-top)",
    "two-dice(tiles=1-6,score=digits,cover=one,fewer=may-last)",
    "markers(tiles=1-7,fewer=may-any)",
    "cargo(dice=4d6,rolls=1)",
    "cargo(dice=4d6,rolls=3,hold=each)",
]


@pytest.mark.parametrize("name", one_in(4, [*CATALOGUE, *ODD]))
def test_a_game_agrees_with_the_exact_solver(name: str) -> None:
    box = shutbox.find(name)
    game = Remembered(box)
    chance = random.Random(name)
    everywhere = list(places(game))
    turns = turns_of(box, box.start())
    choices = [p for p in everywhere if isinstance(game.awaits(p), Choose)]
    small = len(everywhere) < 400
    aims = list(aims_of(box, *scores_of(game, chance, 1)))
    if len(everywhere) > 5000 and name not in ("classic", "continental", "covered"):
        # Each of the many boxes of nine tiles for two aims, and all of them for every aim.
        aims = [MEAN, aims[1 + CATALOGUE.index(name) % 3]]
    for aim in aims:
        solution, exact = GraphSolution(box, aim, turns), ExactSolver(game, aim)
        here = [game.start(), *some(chance, everywhere, 12), *some(chance, choices, 12)]
        check_values(solution, exact, here)
        # In larger games one aim is followed up, another one in each.
        if small or aim is aims[len(name) % len(aims)]:
            check_followed(solution, PolicyValues(game, exact.best), here, whole=small)


POSITIONS = [
    ("classic", "1.2/2d"),
    ("classic", "1.2/1d"),
    ("classic", "2.4.5/1+3"),
    ("classic", "-"),
    ("two-to-go", "1-9"),  # more than is up at the start
    ("two-to-go-pub", "1.3-9/2+6"),  # the 2 is down: no first throw any more
    ("two-dice(tiles=1-3.40)", "2.40/1+1"),
    ("double-shutter", "1.2.b7.b8"),
    ("double-shutter", "9.b1/5+5"),
    ("cargo", "6/1/1+2+4+4+5"),
    ("cargo", "6.5.4/2/1+3+6"),
    ("cargo(dice=5d6,rolls=3,hold=each)", "6.5.4/2/6/1d"),
    ("full-house", "1-4.12/3+3"),
]


@pytest.mark.parametrize(("name", "id"), POSITIONS)
def test_a_game_is_solved_from_any_position(name: str, id: str) -> None:
    game = shutbox.find(name)
    here = game.position_at(id)
    remembers = Remembered(game)
    everywhere = list(places(remembers, here))
    turns = turns_of(game, here)
    for aim in aims_of(game, 3, 8):
        solution, exact = GraphSolution(game, aim, turns), ExactSolver(remembers, aim)
        checked = [here, *some(random.Random(id), everywhere, 8)]
        check_values(solution, exact, checked)
        if len(everywhere) < 4000:
            check_followed(solution, PolicyValues(remembers, exact.best), checked, whole=False)


def test_what_cannot_come_up_is_not_held() -> None:
    two_to_go = shutbox.find("two-to-go")
    from_start = turns_of(two_to_go, two_to_go.start())
    assert not from_start.holds(two_to_go.position_at("1-9"))
    assert from_start.holds(two_to_go.position_at("1.3-9/2+6"))
    coin = Coin()
    assert Unfolded(coin, coin.start()).holds(CoinPlace(2, 1))
    assert not Unfolded(coin, CoinPlace(1, 1)).holds(CoinPlace(2, 1))


def test_the_graph_solves_the_coin() -> None:
    coin = Coin()
    turns = turns_of(coin, coin.start())
    game = Remembered(coin)
    for aim in aims_of(coin, 1, 2):
        solution, exact = GraphSolution(coin, aim, turns), ExactSolver(game, aim)
        check_values(solution, exact, list(places(game)))
        check_followed(solution, PolicyValues(game, exact.best), list(places(game)), whole=True)
    by_hand = GraphSolution(coin, MEAN, turns)
    assert by_hand.value(coin.start()) == Fraction(7, 4)
    assert by_hand.best(CoinPlace(1, 1)).choice == AGAIN
    assert by_hand.chances(coin.start()) == (
        {(1, False): QUARTER, (2, True): Fraction(3, 4)},
        Fraction(3, 2),
    )
    # Of two coins worth the same the first choice is made: it is kept.
    assert GraphSolution(coin, beat(0, Scoring(2, 1)), turns).best(CoinPlace(1, 1)).choice == KEEP


def test_what_never_ends_is_not_unfolded() -> None:
    tray = shutbox.find("tray")
    with pytest.raises(TooLarge, match="tray can go on forever"):
        Unfolded(tray, tray.start())
    with pytest.raises(TooLarge, match="tray can go on forever"):
        solve(tray, tray.start(), MEAN)
    # A play of thousands of events is more than Python goes deep.
    match = Match(shutbox.find("lucky-seven"), Format.parse("rounds=1000"), ["Ann"])
    with pytest.raises(TooLarge, match="plays of so many are not solved"):
        Unfolded(match, match.start())


@pytest.mark.parametrize("name", ["six", "markers(tiles=1-5)", "cargo(dice=4d6,rolls=2)", *ODD[:4]])
def test_choices_at_random_are_worth_the_mean_of_all(name: str) -> None:
    game = shutbox.find(name)
    # Here each cover is a choice of its own, and the number of dice another one before it.
    turns = turns_of(game, game.start())
    graph = turns.graph.at_random()
    for aim in BY_NAME:
        worths = {n: int(aim.payoff(Over((s,), shut))) for n, (s, shut) in graph.ends.items()}
        values = graph.solved(worths, more=True)
        root = turns.find(game.start())
        assert root is not None
        truth = all_worth(game, aim)(game.start())
        assert Fraction(values[root], graph.scale) == truth


@pytest.mark.parametrize("name", ["classic", "markers", "against-all-odds"])
def test_labels_of_a_box_say_what_each_child_takes(name: str) -> None:
    box = shutbox.find(name)
    turns = turns_of(box, box.start())
    graph = turns.graph
    for position in some(random.Random(name), list(places(box)), 150):
        node = turns.find(position)
        for child in graph.children[node] if node is not None and graph.weights[node] else ():
            if child in graph.ends or child not in graph.labels:
                continue
            tiles = box.position_id(position).partition("/")[0].split(".")
            all_taken = graph.taken(graph.labels[child])
            for taken, after in zip(all_taken, graph.children[child], strict=True):
                left = [tile for tile in tiles if int(tile) not in taken]
                assert len(left) == len(tiles) - len(taken)
                assert turns.find(box.position_at(".".join(left) or "-")) == after


def test_the_estimate_counts_no_position_too_few() -> None:
    for box in small_boxes(40, seed=99):
        up = {place.up for place in places(box)}
        assert cost_of(box, box.start()).positions >= len(up), box.name
    for name in ("classic", "against-all-odds", "double-shutter(tiles=1-4,behind=4-1,weights=1x8)"):
        game = shutbox.find(name)
        up = {place.up for place in places(game)}
        assert cost_of(game, game.start()).positions >= len(up), name
    cargo = shutbox.find("cargo(dice=4d6,rolls=3,hold=each)")
    assert isinstance(cargo, Cargo)
    assert cost_of(cargo, cargo.start()).positions >= len({cargo.alike(p) for p in places(cargo)})


# By hand


def value(name: str, aim: Aim) -> Fraction:
    game = shutbox.find(name)
    found = solve(game, game.start(), aim, exact=True).value(game.start())
    assert isinstance(found, Fraction)
    return found


def test_a_tie_is_half_of_a_win_by_hand() -> None:
    # One throw in six shuts it; each of the others scores 7.
    scoring = shutbox.find("lucky-seven").scoring
    assert scoring is not None
    found = {target: value("lucky-seven", beat(target, scoring)) for target in (-1, 0, 3, 7, 8)}
    sixth = Fraction(1, 6)
    assert found == {-1: 0, 0: sixth / 2, 3: sixth, 7: sixth + (1 - sixth) / 2, 8: 1}


def test_a_position_that_was_not_solved_is_refused() -> None:
    game = shutbox.find("classic")
    solution = solve(game, game.position_at("1.2.3"), MEAN)
    for ask in (solution.value, solution.shut, solution.chances):
        with pytest.raises(ValueError, match="cannot come up"):
            ask(game.position_at("1.2.4"))


@pytest.mark.parametrize("name", ["six", "cargo"])
def test_a_solution_that_was_pickled_knows_what_choices_take(name: str) -> None:
    found = shutbox.solve(name, exact=True)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for player in ("fewest", "most"):
        one, other = (policy_graph_of(player, each) for each in (again, found))
        assert one.graph.reached(one.root) == other.graph.reached(other.root)
