"""The solver in whole numbers, compared with the exact solver.

Every turn solver is compared with `ExactSolver` on random boxes and on all small games of the
catalogue, for every aim: the value, the choice among equal ones, and the results of play. All
values are exact fractions, so they must be equal, not close.
"""

import pickle
import random
from collections.abc import Iterator
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
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, GameGraph, GraphSolution, beat
from shutbox.solving.box.box_graph import BoxGraph
from shutbox.solving.solvers import cost_of, graph_of_turn, solve
from shutbox.solving.strategy.following import policy_graph_of
from truth import PolicyValues, Remembered, places
from variants import random_name

# Against the exact solver

BY_NAME = (MEAN, SHUT, WORST_SHUT)


def aims_of(game: Any, *targets: int) -> Iterator[Aim]:
    yield from BY_NAME
    for target in targets:
        yield beat(target, game.scoring)


def a_score(game: Any, places: list[Any], chance: random.Random) -> int:
    """A score that games end with, so that ties with it come up."""
    ends = (over for place in places if isinstance(over := game.awaits(place), Over))
    return chance.choice(sorted({over.scores[0] for over in ends}))


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
        check_chances(exact.aim, solution.chances(position), exact.value(position))


def check_followed(
    solution: Any, followed: PolicyValues, positions: list[Any], *, whole: bool
) -> None:
    """What comes of the best choices from these positions; `whole`: each chance too."""
    for position in positions:
        id = followed.game.position_id(position)
        score, shut, throws, _ = followed.numbers(position)
        assert solution.shut(position) == shut, id
        assert solution.ends(position) == followed.ends(position), id
        ends = solution.chances(position)
        assert solution.throws(position) == throws, id
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
        unfolded = GameGraph(box, box.start())
        everywhere = list(places(game))
        mean, shut, worst_shut, beats = aims_of(box, a_score(game, everywhere, chance))
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


@pytest.mark.parametrize(
    ("name", "id"), [*one_in(4, [(name, "") for name in (*CATALOGUE, *ODD)]), *POSITIONS]
)
def test_a_game_agrees_with_the_exact_solver(name: str, id: str) -> None:
    """From its start, or from any other position."""
    game, chance = shutbox.find(name), random.Random(name + id)
    start = game.position_at(id) if id else game.start()
    remembers = Remembered(game)
    everywhere = list(places(remembers, start))
    turns = graph_of_turn(game, start)
    choices = [p for p in everywhere if isinstance(remembers.awaits(p), Choose)]
    small = len(everywhere) < 400
    aims = list(aims_of(game, a_score(remembers, everywhere, chance)))
    if len(everywhere) > 5000 and name not in ("classic", "continental", "covered"):
        # Each of the many boxes of nine tiles for two aims, and all of them for every aim.
        aims = [MEAN, aims[1 + len(name) % 3]]
    for aim in aims:
        solution, exact = GraphSolution(game, aim, turns), ExactSolver(remembers, aim)
        here = [start, *some(chance, everywhere, 12), *some(chance, choices, 12)]
        check_values(solution, exact, here)
        # In larger games one aim is followed up, another one in each.
        if small or aim is aims[len(name) % len(aims)]:
            check_followed(solution, PolicyValues(remembers, exact.best), here, whole=small)


def test_what_cannot_come_up_is_not_held() -> None:
    two_to_go = shutbox.find("two-to-go")
    from_start = graph_of_turn(two_to_go, two_to_go.start())
    assert not from_start.holds(two_to_go.position_at("1-9"))
    assert from_start.holds(two_to_go.position_at("1.3-9/2+6"))
    coin = Coin()
    assert GameGraph(coin, coin.start()).holds(CoinPlace(2, 1))
    assert not GameGraph(coin, CoinPlace(1, 1)).holds(CoinPlace(2, 1))


def test_the_graph_solves_the_coin() -> None:
    coin = Coin()
    turns = graph_of_turn(coin, coin.start())
    game = Remembered(coin)
    for aim in aims_of(coin, 1, 2):
        solution, exact = GraphSolution(coin, aim, turns), ExactSolver(game, aim)
        check_values(solution, exact, list(places(game)))
        check_followed(solution, PolicyValues(game, exact.best), list(places(game)), whole=True)
    by_hand = GraphSolution(coin, MEAN, turns)
    assert by_hand.value(coin.start()) == Fraction(7, 4)
    assert by_hand.best(CoinPlace(1, 1)).choice == AGAIN
    assert by_hand.turn_ends(coin.start()) == (
        {(1, False): Fraction(1, 4), (2, True): Fraction(3, 4)},
        Fraction(3, 2),
    )
    # Of two coins worth the same the first choice is made: it is kept.
    assert GraphSolution(coin, beat(0, Scoring(2, 1)), turns).best(CoinPlace(1, 1)).choice == KEEP


def test_what_never_ends_is_not_unfolded() -> None:
    tray = shutbox.find("tray")
    with pytest.raises(TooLarge, match="tray can go on forever"):
        GameGraph(tray, tray.start())
    with pytest.raises(TooLarge, match="tray can go on forever"):
        solve(tray, tray.start(), MEAN)
    coin = Coin()
    coin.scoring = None
    for ask in (GameGraph, shutbox.odds, shutbox.advise):
        with pytest.raises(TooLarge, match="coin has no scores, so its positions have no value"):
            ask(coin, CoinPlace(1, 1))
    # A play of thousands of events is more than Python goes deep.
    match = Match(shutbox.find("lucky-seven"), Format.parse("rounds=1000"), ["Ann"])
    with pytest.raises(TooLarge, match="plays of so many are not solved"):
        GameGraph(match, match.start())


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
    assert cost_of(cargo, cargo.start()).positions >= len(
        {cargo.canonical(p) for p in places(cargo)}
    )


@pytest.mark.parametrize("name", ["six", "cargo"])
def test_a_solution_that_was_pickled_knows_what_choices_take(name: str) -> None:
    found = shutbox.solve(name, exact=True)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    for player in ("fewest", "most"):
        one, other = (policy_graph_of(player, each) for each in (again, found))
        assert one.graph.scaled_chances(one.root) == other.graph.scaled_chances(other.root)
