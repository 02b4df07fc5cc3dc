"""The strength of strategies and players, compared with what a player does on the protocol alone.

A strategy is evaluated on a graph, in which equivalent rolls are merged and tiles are bits. Here
the computer player itself chooses at every position, and its results are added up in exact
fractions. The two share only the rankings.
"""

import re
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import product
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
from shutbox.engine.game import due_choices
from shutbox.engine.play import Player
from shutbox.games.box import Box
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, beat, solvers
from shutbox.solving.box import sheet as box_sheet
from shutbox.solving.comparison import QUERY_FACTOR, Comparison, compare
from shutbox.solving.strategy.fixed import NAMES, STRATEGIES
from shutbox.solving.strategy.following import sheet_for
from shutbox.table import bots
from shutbox.table.bots import KINDS, bot
from shutbox.table.lookup import find_any
from truth import PolicyValues
from variants import SMALL, SMALL_BOXES

PAGE = Path(__file__).parents[2] / "docs" / "matches.md"


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
    return position, due_choices(game, position).choices


@pytest.mark.parametrize(
    "game", [*one_in(4, map(shutbox.find, SMALL)), *OTHERS], ids=lambda game: str(game.name)
)
def test_a_strategy_is_what_the_computer_player_of_its_name_does(game: Game[Any, Any]) -> None:
    for way in NAMES:
        player = bot(way)

        def picked(here: Any, player: Player[Any, Any] = player) -> Any:
            return player.pick(game, here, due_choices(game, here).choices)

        named, asked = evaluate(game, way), evaluate(game, player)
        followed = PolicyValues(game, None if way == "random" else picked)
        for found in (named, asked):
            figures = found.value, found.shut, found.throws, found.decisions
            assert figures == followed.numbers(game.start()), way
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
    for name in SMALL_BOXES:
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
    box = shutbox.find("classic(tiles=1-6)")
    assert isinstance(box, Box)
    assert sheet_for(box) == box_sheet.plain_sheet(box)
    for name, plain in ((box.name, "fewest"), ("cargo", "first")):
        for sheet in ("sheet", bot("sheet")):
            assert evaluate(name, sheet).value == evaluate(name, plain).value
    for game in ("cargo", Coin()):
        with pytest.raises(NotUnderstood, match=r"^there is no sheet for .*; boxes have one$"):
            shutbox.sheet(game)


# Computer players at the table


@pytest.mark.parametrize("kind", ["careful", "sheet"])
def test_in_a_match_the_turn_is_played_as_it_is_alone(kind: str) -> None:
    game = shutbox.find("classic(tiles=1-6)")
    match = find_any(f"{game.name}[seats=2,rounds=2]")
    for at in ("1-6/3+5", "1.3.5.6/2+6", "1.2.3.4.5.6", "1.5", "2.3.4.5.6/3+6"):
        position, choices = choose(match, f"1;0;0;0,0;t0;{at}")
        alone = bot(kind).pick(game, game.position_at(at), choices)
        assert bot(kind).pick(match, position, choices) == alone


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"random", "fixed"}))
def test_where_no_turn_is_played_for_a_score_the_first_choice_is_taken(kind: str) -> None:
    match = find_any("pub[seats=3,rounds=2,purse=20.1.20]")
    awaited = match.awaits(match.start())
    assert isinstance(awaited, Choose)
    assert match.choice_text(bot(kind).pick(match, match.start(), awaited.choices)) == "buy"


def test_a_careful_player_looks_no_further_than_is_quick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = shutbox.find("classic")
    position, choices = choose(game, "1.3.5.7.9/3+5")
    assert bot("careful").pick(game, position, choices) == choices[1]
    monkeypatch.setattr(bots, "MOST_LOOKED", 41)  # two dice show 21 different rolls
    assert bot("careful").pick(game, position, choices) == choices[0]
    # It would rather win now than be sure to.
    assert evaluate(SafeCoin(), "careful").throws == 1
    assert evaluate(Coin(), "careful").throws == Fraction(3, 2)


# Players of one's own


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

    def moody(game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
        pytest.fail("it said so, and was asked")

    moody.deterministic = False  # type: ignore[attr-defined]
    with pytest.raises(NotDeterministic, match=r"^moody says that it does not always"):
        evaluate("six", moody)


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
    duel: Any = Counter()
    totals: Any = [Counter({0: Fraction(1)}) for _ in range(2)]
    for seat, way in enumerate(("random", "first")):
        for _ in range(rounds):
            sums: Any = Counter()
            scores = found.strategy(way).distribution
            for total, score in product(totals[seat], scores):
                sums[total + score] += totals[seat][total] * scores[score]
            totals[seat] = sums
    for mine, theirs in product(*totals):
        duel[(mine > theirs) - (mine < theirs)] += totals[0][mine] * totals[1][theirs]
    scoring = shutbox.find(name).scoring
    wins, losses = (duel[-1], duel[1]) if scoring and scoring.low_is_good else (duel[1], duel[-1])
    assert found.beats("random", "first", rounds=rounds) == (wins, duel[0], losses)
    assert found.beats("first", "random", rounds=rounds) == (losses, duel[0], wins)
    second = found.strategies[0].name
    for best in ("best", "perfect"):
        assert found.beats(rounds=rounds) == found.beats(best, second, rounds=rounds)


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
    in_match = f"{name}[seats=3,rounds=5]"  # stands for its turn
    assert evaluate(in_match, "first") == evaluate(name, "first")
