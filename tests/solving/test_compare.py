"""The strength of strategies and players, compared with what a player does on the protocol alone.

A strategy is evaluated on a graph, in which equivalent rolls are merged and tiles are bits. Here
the computer player itself chooses at every position, and its results are added up in exact
fractions. The two share only the rankings.
"""

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import lcm
from operator import mul
from pathlib import Path
from typing import Any

import pytest
from template_game import ThreeThrows

import shutbox
from coin import AGAIN, KEEP, Coin, Place
from nightly import one_in
from shutbox import Choose, Game, Over, Throw, evaluate, simulate
from shutbox.engine.english import figure, percent
from shutbox.engine.errors import BadName, IllegalChoice, NotDeterministic, NotUnderstood, TooLarge
from shutbox.engine.play import Player
from shutbox.games.box import Box
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, beat, solvers
from shutbox.solving.box import sheet as box_sheet
from shutbox.solving.comparison import QUERY_FACTOR, Comparison, Strength, compare
from shutbox.solving.strategy.fixed import NAMES, STRATEGIES
from shutbox.solving.strategy.following import sheet_for
from shutbox.table import bots
from shutbox.table.bots import KINDS, bot
from shutbox.table.lookup import find_any

PAGE = Path(__file__).parents[2] / "docs" / "matches.md"

BOXES = [
    "six",
    "even-stevens",
    "against-all-odds",
    "classic(tiles=1-6)",  # a choice of dice from the start
    "two-dice(tiles=1-5.500,fewer=may-any)",  # dice are chosen where no cover is left
    "two-dice(tiles=1-6,dice=3d3,fewer=may-any)",  # up to three numbers of dice
    "markers(tiles=1-6)",  # both dice or their total
    "pairs(tiles=1-6)",
    "thai-style(tiles=1-6)",
    "two-to-go-pub(tiles=1-6)",
    "three-to-go(tiles=1-6)",
    "unlucky-seven(tiles=1-6)",
    "digital(tiles=1-6)",
    "covered(tiles=1-6)",  # high is good
    "lucky-seven",  # nothing to choose
    "double-shutter(tiles=1-4,behind=4-1,weights=2x4.1x4)",
]
SMALL = [
    *BOXES,
    *("cargo(dice=4d6,rolls=3)", "cargo(dice=5d6,rolls=2,hold=each)", "cargo(rolls=1)"),
]


class SafeCoin(Coin):
    """A coin that wins whatever it shows; to throw once more is the first choice."""

    name = "safe coin"

    def awaits(self, position: Place) -> Throw | Choose[str] | Over:
        match super().awaits(position):
            case Over(scores=scores):
                return Over(scores, shut=True)
            case Choose():
                return Choose((AGAIN, KEEP))
            case throw:
                return throw


OTHERS: list[Game[Any, Any]] = [Coin(), SafeCoin(), ThreeThrows()]
"""Games that are neither boxes nor Cargo."""

MIXED = Aim(
    "mixed",
    lambda over: 7919 * (over.scores[0] + over.shut) % 1009,
    lambda scoring, seat: True,
)
"""An aim without sense: two ways to play that differ anywhere are worth something else."""


def aims(game: Game[Any, Any]) -> list[Aim]:
    scoring = game.scoring
    assert scoring is not None
    middle = (scoring.best + scoring.worst) // 4
    return [MEAN, SHUT, WORST_SHUT, beat(middle, scoring), MIXED]


@cache
def compared(name: str, aim: Aim = MEAN) -> Comparison:
    return compare(name, aim, players=[*STRATEGIES, "sheet"])


def choose(game: Game[Any, Any], at: str) -> tuple[Any, tuple[Any, ...]]:
    """A position where a choice is due, and its choices."""
    position = game.position_at(at)
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)
    return position, awaited.choices


# What a player's choices lead to, by the protocol alone

Outcome = tuple[Fraction, ...]  # the value, the chance to shut the box, throws, decisions


class Watched:
    """A player, asked at every position it comes to; None chooses at random."""

    def __init__(self, game: Game[Any, Any], player: Player[Any, Any] | None, aim: Aim) -> None:
        self.game, self.player, self.aim = game, player, aim
        self.known: dict[Any, Outcome] = {}

    def of(self, position: Any) -> Outcome:
        if position not in self.known:
            self.known[position] = self._of(position)
        return self.known[position]

    def _of(self, position: Any) -> Outcome:
        match self.game.awaits(position):
            case Over(shut=shut) as over:
                return Fraction(self.aim.payoff(over)), Fraction(shut), Fraction(0), Fraction(0)
            case Throw(dice=dice):
                after = [(self.of(self.game.rolled(position, r)), w) for r, w in dice.outcomes()]
                return mixed(after, throws=1)
            case Choose(choices=choices):
                picked = choices
                if self.player is not None:
                    picked = (self.player.pick(self.game, position, choices),)
                after = [(self.of(self.game.chosen(position, choice)), 1) for choice in picked]
                return mixed(after, decisions=len(choices) > 1)


def mixed(parts: list[tuple[Outcome, int]], throws: int = 0, decisions: int = 0) -> Outcome:
    weights = [weight for _, weight in parts]

    def mean(column: Iterable[Fraction], more: int) -> Fraction:
        numbers = list(column)
        under = lcm(*(number.denominator for number in numbers))  # quicker than adding fractions
        whole = [int(number * under) for number in numbers]
        return more + Fraction(sum(map(mul, whole, weights)), under * sum(weights))

    columns = zip(*(outcome for outcome, _ in parts), strict=True)
    return tuple(map(mean, columns, (0, 0, throws, decisions)))


def outcome(found: Strength) -> Outcome:
    figures = (found.value, found.shut, found.throws, found.decisions)
    return tuple(Fraction(figure) for figure in figures)


@pytest.mark.parametrize(
    "game", [*one_in(3, map(shutbox.find, SMALL)), *OTHERS], ids=lambda game: str(game.name)
)
def test_a_strategy_is_what_the_computer_player_of_its_name_does(game: Game[Any, Any]) -> None:
    for way in NAMES:
        player = None if way == "random" else bot(way)
        named, asked = evaluate(game, way), evaluate(game, bot(way))
        assert outcome(named) == Watched(game, player, MEAN).of(game.start()), way
        assert outcome(named) == outcome(asked), way
        assert (named.loss, named.chances) == (asked.loss, asked.chances), way
        if way == "sheet" and not isinstance(game, Box):  # without a sheet, the best choice is made
            assert named.loss == 0


# Best play


@pytest.mark.parametrize("name", one_in(3, SMALL))
def test_nothing_is_better_than_best_play(name: str) -> None:
    game = shutbox.find(name)
    assert game.scoring is not None
    for aim in aims(game):
        found = compared(name, aim)
        more = aim.more_is_better(game.scoring, 0)
        assert found.best.value == ExactSolver(game, aim).value()
        assert found.best.loss == found.best.per_decision == 0
        for way in found.strategies:
            worse = found.best.value - way.value if more else way.value - found.best.value
            assert way.loss == worse >= 0, (aim.name, way.name)
            assert way.per_decision * way.decisions == way.loss
        losses = [way.loss for way in found.strategies]
        assert losses == sorted(losses)
        if isinstance(game, Box):
            assert found.strategy("sheet").loss <= found.strategy("fewest").loss


# Sheets


def test_a_sheet_of_a_box_names_every_tile_in_digits() -> None:
    for name in BOXES:
        game = shutbox.find(name)
        assert isinstance(game, Box)
        sheet = sheet_for(game)
        assert isinstance(sheet, box_sheet.BoxSheet)
        assert all(0 <= points <= box_sheet.MOST_POINTS for points in sheet.points)
        said = " ".join(sheet.lines)
        named = sorted(map(int, re.findall(r"(\d+) has \d", said)))
        start = game.rules.start
        assert named == sorted(t.number for i, t in enumerate(game.rules.tiles) if start >> i & 1)
        assert ("behind" in said) == bool(game.rules.variant.behind)


def test_a_sheet_says_what_it_does() -> None:
    def dice(name: str, fewer_up_to: int) -> str:
        box = shutbox.find(name)
        assert isinstance(box, Box)
        return box_sheet.BoxSheet(box, (4,) * len(box.rules.tiles), fewer_up_to).lines[-1]

    assert dice("classic", 0) == "Always throw two dice."
    assert dice("classic", 45) == "Throw one die whenever you may."
    assert dice("classic", 6) == (
        "If you have the choice, throw two dice while 7 or more is up, then one."
    )
    three = "two-dice(tiles=1-6,dice=3d3,fewer=may-any)"
    assert dice(three, 21) == "Throw as few dice as you may."


def test_a_game_that_nobody_can_wait_for_has_a_plain_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    large = shutbox.find("the-300")
    position, choices = choose(large, "1-24/6+6+6+6")
    assert bot("sheet").pick(large, position, choices) == choices[0]
    monkeypatch.setattr("shutbox.solving.strategy.following.MOST_SECONDS", 0.0)
    classic = shutbox.find("classic")
    assert isinstance(classic, Box)
    assert sheet_for(classic) == box_sheet.plain_sheet(classic)
    assert evaluate("classic", "sheet").value == evaluate("classic", "fewest").value
    assert evaluate("cargo", "sheet").value == evaluate("cargo", "first").value
    assert evaluate("cargo", bot("sheet")).value == evaluate("cargo", "first").value


def test_a_game_without_a_sheet_is_refused() -> None:
    for game in ("cargo", Coin()):
        with pytest.raises(NotUnderstood, match=r"^there is no sheet for .*; boxes have one$"):
            shutbox.sheet(game)


# Computer players at the table


@pytest.mark.parametrize("kind", ["careful", "sheet"])
def test_in_a_match_the_turn_is_played_as_it_is_alone(kind: str) -> None:
    match, game = find_any("classic[seats=2,rounds=2]"), shutbox.find("classic")
    for at in ("1-9/3+5", "1.3.5.7.9/2+6", "1.2.3.4.5.6", "1.5", "2.3.4.5.6.7/3+6"):
        position, choices = choose(match, f"1;0;0;0,0;t0;{at}")
        alone = bot(kind).pick(game, game.position_at(at), choices)
        assert bot(kind).pick(match, position, choices) == alone


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"random", "fixed"}))
def test_where_no_turn_is_played_for_a_score_the_first_choice_is_taken(kind: str) -> None:
    match = find_any("pub[seats=3,rounds=2,purse=20.1.20]")
    awaited = match.awaits(match.start())
    assert isinstance(awaited, Choose)
    assert match.choice_text(bot(kind).pick(match, match.start(), awaited.choices)) == "buy"


def test_a_careful_player_does_not_look_at_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shutbox.find("classic")
    position, choices = choose(game, "1.3.5.7.9/3+5")
    assert bot("careful").pick(game, position, choices) == choices[1]
    monkeypatch.setattr(bots, "MOST_LOOKED", 41)  # two dice show 21 different rolls
    assert bot("careful").pick(game, position, choices) == choices[0]


def test_a_careful_player_would_rather_win_now_than_be_sure_to() -> None:
    assert evaluate(SafeCoin(), "careful").throws == 1
    assert evaluate(Coin(), "careful").throws == Fraction(3, 2)


# Players of one's own


def last(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
    """Take the last choice that is listed."""
    return choices[-1]


def test_what_lies_there_is_not_hidden_from_a_player() -> None:
    """Rolls of one total are one in the graph, and not to a player."""

    def by_roll(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return choices[-1 if position.roll and position.roll.pips[0] == 3 else 0]

    game = shutbox.find("two-dice(tiles=1-7)")
    found = evaluate(game, by_roll)
    assert evaluate(game, "first").value < found.value < evaluate(game, "most").value


def test_a_choice_that_is_not_offered_is_refused_with_player_and_position() -> None:
    def cheat(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        return game.parse_choice(game.position_at("1-6/6"), "6") if len(choices) == 1 else "7"

    with pytest.raises(IllegalChoice) as caught:
        evaluate("six", cheat)
    assert str(caught.value) == (
        "cheat took 'Cover(tiles=32)' at six:1.2.3.4.5.6/1, where the choices are 1"
    )
    assert shutbox.find("six").position_id(caught.value.position) == "1.2.3.4.5.6/1"


def test_a_player_that_does_not_always_choose_the_same_is_refused() -> None:
    turn = [0]

    def fickle(game: Game[Any, Any], position: Any, choices: tuple[Any, ...]) -> Any:
        turn[0] += 1
        return choices[turn[0] % len(choices)]

    with pytest.raises(NotDeterministic, match=r"^fickle took 2 4 at six:2\.4\.6/6, and 6 when"):
        evaluate("six", fickle)

    class Moody:
        deterministic = False

        def pick(self, game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
            pytest.fail("it said so, and was asked")

    with pytest.raises(NotDeterministic, match=r"^Moody says that it does not always"):
        evaluate("six", Moody())


def test_a_player_is_read_in_one_way_everywhere() -> None:
    def last(position: shutbox.Position) -> str:
        return position.choices[-1]

    def by_last(game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
        return choices[-1]

    assert evaluate("six", last).chances == evaluate("six", by_last).chances
    assert evaluate("six", last).name == "last"
    fixed = evaluate("six", "fixed:pub")
    assert fixed.name == "fixed:pub"
    assert fixed.chances == evaluate("six", shutbox.bot("fixed:pub")).chances
    found = compare("six", players=["fixed:pub", last])
    assert {one.name for one in found.strategies} == {"fixed:pub", "last"}
    tried = simulate("six", last, 50, seed=1)
    assert (tried.player, tried.ends) == ("last", simulate("six", by_last, 50, seed=1).ends)


def test_what_is_no_player_is_refused_and_what_a_player_raises_comes_through() -> None:
    for called in (partial(evaluate, "six"), partial(simulate, "six"), shutbox.bot):
        with pytest.raises(BadName, match="'clever' is not a kind of computer player; they are"):
            called("clever")
    with pytest.raises(NotUnderstood, match="two players have one name"):
        compare("six", players=["first", "first"])

    def broken(game: Any, position: Any, choices: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        evaluate("six", broken)


def test_what_takes_too_long_is_refused_before_a_player_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = shutbox.find("classic")
    limit = 10 * solvers.cost_of(game, game.start()).seconds
    monkeypatch.setattr(solvers, "MOST_SECONDS", limit)
    assert QUERY_FACTOR > 10
    assert evaluate(game, "first").value == evaluate(game, "fewest").value
    with pytest.raises(TooLarge, match="classic: 512 positions"):
        evaluate(game, lambda *asked: pytest.fail("it was asked"))


# The page


def test_the_strengths_in_the_docs_are_so() -> None:
    found = compared("classic")
    section = PAGE.read_text(encoding="utf-8").partition("### How strong they are\n")[2]
    rows = [line for line in section.partition("\n#")[0].splitlines() if line.startswith("| `")]
    numbers = [
        (
            *(figure(way.value), percent(way.shut), f"{float(way.decisions):.2f}"),
            *(figure(way.loss), figure(way.per_decision)),
        )
        for way in (found.best, *found.strategies)
    ]
    names = ["perfect", *(way.name for way in found.strategies)]
    assert [line for line in rows if "`--" not in line] == [
        f"| `{name}` | {' | '.join(row)} |" for name, row in zip(names, numbers, strict=True)
    ]


@pytest.mark.parametrize(("name", "rounds"), [("six", 1), ("six", 3), ("cargo(rolls=2)", 2)])
def test_a_duel_is_the_sum_over_all_scores(name: str, rounds: int) -> None:
    found = compare(name, players=["random", "first"])
    both = [found.strategy(one).distribution for one in ("random", "first")]
    duel = {-1: Fraction(0), 0: Fraction(0), 1: Fraction(0)}
    turns: Any = [[Counter({0: Fraction(1)})] for _ in both]
    for _ in range(rounds):
        for totals, scores in zip(turns, both, strict=True):
            sums: Any = Counter()
            for total, score in product(totals[-1], scores):
                sums[total + score] += totals[-1][total] * scores[score]
            totals.append(sums)
    for mine, theirs in product(turns[0][-1], turns[1][-1]):
        chance = turns[0][-1][mine] * turns[1][-1][theirs]
        duel[(mine > theirs) - (mine < theirs)] += chance
    scoring = shutbox.find(name).scoring
    wins, losses = (duel[-1], duel[1]) if scoring and scoring.low_is_good else (duel[1], duel[-1])
    assert found.beats("random", "first", rounds=rounds) == (wins, duel[0], losses)
    assert found.beats("first", "random", rounds=rounds) == (losses, duel[0], wins)
    assert found.beats(rounds=rounds) == found.beats(
        "best", found.strategies[0].name, rounds=rounds
    )


def test_best_play_is_called_perfect_too_and_does_not_meet_itself() -> None:
    found = compare("six", players=["perfect", "fewest"])
    duel = compare("six", players=["fewest"]).beats()
    assert found.beats() == found.beats("perfect", "fewest") == duel
    assert compare("six", players=["fewest"]).beats("perfect") == duel


def test_a_duel_is_refused_before_it_takes_long() -> None:
    found = compare("classic", players=["fewest"])
    for rounds in (0, -1, -(10**5000)):
        with pytest.raises(NotUnderstood, match="a duel takes one round or more"):
            found.beats(rounds=rounds)
    for rounds in (10**6, 10**5000):
        with pytest.raises(TooLarge, match="rounds have too many totals to compare"):
            found.beats(rounds=rounds)
    with pytest.raises(NotUnderstood, match="nobody"):
        found.beats("nobody")


@pytest.mark.parametrize("name", ["six", "cargo(rolls=2)", "two-dice(tiles=1-6)"])
def test_variance_and_throws_follow_from_what_can_happen(name: str) -> None:
    found, solution = shutbox.odds(name), shutbox.solve(name)
    mean = sum(score * chance for score, chance in found.distribution.items())
    squares = sum(score**2 * chance for score, chance in found.distribution.items())
    assert found.variance == solution.variance() == squares - mean**2
    assert solution.throws() == found.throws
    assert evaluate(name, "perfect").variance == found.variance


def test_a_match_stands_for_its_turn() -> None:
    assert evaluate("six[seats=3,rounds=5]", "first") == evaluate("six", "first")
    assert compare("six[seats=2]", players=["first"]) == compare("six", players=["first"])
