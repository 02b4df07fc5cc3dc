"""Advice and odds: facts compared with brute force, sentences with figures, choices with play."""

import random
import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import shutbox
from nightly import one_in
from shutbox import Choose, Dice, Over, Roll, Throw, find
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import due_choices
from shutbox.match import Format, Match
from shutbox.match.standing import Turn
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, Solution, beat, compiled
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.coach import Coach
from shutbox.solving.advice.ranking import Advice, AdviceFigures, advice, compare_choices
from shutbox.solving.odds import odds_of
from shutbox.solving.options import Number
from shutbox.solving.solvers import solve
from shutbox.table.bots import Perfect
from shutbox.table.lookup import find_position
from truth import Everybody, PolicyValues, Remembered, places
from variants import SMALL


def aims_of(name: str) -> list[Aim]:
    scoring = shutbox.find(name).scoring
    assert scoring is not None
    if name.startswith("cargo"):
        return [MEAN, beat(4, scoring)]
    return [MEAN, SHUT, WORST_SHUT, beat(5 if scoring.low_is_good else 15, scoring)]


@cache
def remembered(name: str) -> Remembered:
    return Remembered(shutbox.find(name))


@cache
def choices_of(name: str) -> list[Any]:
    """Every position of a game where a choice is due."""
    game = remembered(name)
    return [position for position in places(game) if isinstance(game.awaits(position), Choose)]


def some_choices(name: str, number: int) -> list[Any]:
    found = choices_of(name)
    return random.Random(name).sample(found, min(number, len(found)))


@cache
def exact_of(name: str, aim: str) -> ExactSolver[Any, Any]:
    [wanted] = [each for each in aims_of(name) if each.name == aim]
    return ExactSolver(remembered(name), wanted)


@cache
def solution_of(name: str, aim: str) -> Solution[Any, Any]:
    game = shutbox.find(name)
    return solve(game, game.start(), exact_of(name, aim).aim)


EACH = [(name, aim.name) for name in SMALL if name != "lucky-seven" for aim in aims_of(name)]


# The facts


@pytest.mark.parametrize(("name", "aim"), one_in(4, EACH))
def test_the_facts_of_advice(name: str, aim: str) -> None:
    game, exact = remembered(name), exact_of(name, aim)
    followed = PolicyValues(game, exact.best)
    for position in some_choices(name, 40):
        found = advice(solution_of(name, aim), position)
        check_sentence(found, shutbox.find(name))
        awaited = game.awaits(position)
        assert isinstance(awaited, Choose)
        assert found.position == f"{name}:{game.position_id(position)}"
        assert found.aim == aim
        texts = [game.choice_text(choice) for choice in awaited.choices]
        assert sorted(choice.text for choice in found.ranked) == sorted(texts)
        best = exact.best(position)
        assert found.best is found.ranked[0]
        assert found.best.text == game.choice_text(best)
        assert found.best.cost == 0
        assert found.best.value == exact.value(position)
        # Best first; of equally good ones the first in canonical order.
        order = [(choice.cost, texts.index(choice.text)) for choice in found.ranked]
        assert order == sorted(order)
        for choice, text in zip(awaited.choices, texts, strict=True):
            after = game.chosen(position, choice)
            ranked = found.of(text)
            assert ranked.value == exact.value(after)
            assert ranked.cost == abs(exact.value(after) - exact.value(position))
            assert ranked.shut == followed.numbers(after)[1]
            if isinstance(game.awaits(followed.thrown_from(after)), Over):
                assert ranked.ends is None
            else:
                assert ranked.ends == followed.ends(after)
            assert sorted(ranked.keeps) == tiles_up(game, after)
            assert ranked.says in {offer.says for offer in game.scene(position).offers}
        with pytest.raises(NotUnderstood, match="is not known; write"):
            found.of("no such choice")


def tiles_up(game: Remembered, position: Any) -> list[str]:
    """The tiles that are up by the text of the position, as a voice names them."""
    tiles = game.position_id(position).partition("/")[0]
    if game.name.startswith("cargo") or tiles == "-":
        return []
    front = " in front" if game.name.startswith("double-shutter") else ""
    names = (t[1:] + " behind" if t.startswith("b") else t + front for t in tiles.split("."))
    return sorted(names)


# The sentence: its two numbers are facts, and the first is the better one


def check_sentence(found: Advice, game: Any) -> None:
    """Check what compares the best choice with the next best, and with each that may be chosen."""
    for chosen in (None, *found.ranked):
        told = compare_choices(found.ranked, found.aim, game, chosen.text if chosen else None)
        if told is None:
            assert not any(choice.cost for choice in found.ranked)
            continue
        first, _, second = told.says.partition(". ")
        is_mine = chosen is not None and chosen.cost
        assert told.best.cost == 0 < told.other.cost
        assert told.other is chosen if is_mine else told.best in (chosen, found.best)
        assert first.startswith(told.best.says[:1].upper() + told.best.says[1:])
        assert second.startswith(f"Yours, {told.other.says}" if is_mine else "Next best, ")
        best, other = told.values
        more = told.chance or not game.scoring.low_is_good
        assert (best > other) == (more and found.aim != "worst-shut")
        assert says(first.removeprefix(told.best.says), best, told.chance)
        assert says(second.partition(told.other.says)[2], other, told.chance)


def says(text: str, fact: Number, chance: bool) -> bool:
    """Whether the last number in a sentence is the fact, as far as its digits go."""
    bounds = {"less than once": (0, 0.5), "more than 99 times": (99.5, 100), "once": (0.5, 1.5)}
    scaled = float(fact) * (100 if chance else 1)
    for words, (low, high) in bounds.items():
        if words in text:
            return low <= scaled <= high
    *_, digits = re.findall(r"[0-9]+(?:\.[0-9]+)?", text.replace(" in 100", ""))
    return abs(float(digits) - scaled) <= 10.0 ** -len(digits.partition(".")[2]) * 0.5001 or (
        "less than 0.1" in text and scaled < 0.1
    )


# Odds


@pytest.mark.parametrize(("name", "aim"), one_in(4, EACH))
def test_what_the_next_throw_brings(name: str, aim: str) -> None:
    game, exact, solution = shutbox.find(name), exact_of(name, aim), solution_of(name, aim)
    everywhere = list(places(remembered(name)))
    for position in [game.start(), *random.Random(aim).sample(everywhere, 8)]:
        found = odds_of(solution, position)
        awaited = game.awaits(position)
        # Where the number of dice is chosen, the best number of them is thrown.
        if isinstance(awaited, Choose) and "/" not in game.position_id(position):
            position = game.chosen(position, exact.best(position))
            awaited = game.awaits(position)
        if not isinstance(awaited, Throw):
            assert found.openings == ()
            continue
        assert sum(opening.chance for opening in found.openings) == 1
        by_text = {opening.roll: opening for opening in found.openings}
        assert len(by_text) == len(found.openings)
        for roll, _ in awaited.dice.outcomes():
            opening = by_text.get(str(roll)) or by_text[str(roll.total)]
            after = game.rolled(position, roll)
            assert opening.value == exact.value(after)
            choices = game.awaits(after)
            if not isinstance(choices, Choose):
                assert (opening.best, opening.choices) == (None, ())
                continue
            assert opening.best
            assert (opening.best.choice, opening.best.cost) == (exact.best(after), 0)
            assert {row.text: row.value for row in opening.choices} == {
                game.choice_text(c): exact.value(game.chosen(after, c)) for c in choices.choices
            }


def test_first_throws_of_one_total_are_one_where_they_are_alike() -> None:
    def rolls(name: str) -> list[str]:
        game = shutbox.find(name)
        found = odds_of(solve(game, game.start(), MEAN), game.start())
        return [opening.roll for opening in found.openings]

    assert rolls("two-dice(tiles=1-6)") == [str(total) for total in range(2, 13)]
    assert len(rolls("markers(tiles=1-6)")) == 21
    assert rolls("markers(tiles=1-6)")[0] == "1+1"
    assert rolls("six") == list("123456")


# Who advises during a match

ROW = "six(tiles=1.2.4,dice=1d3)"
CHOICE = "classic(tiles=1-3,dice=2d2)"


def match_of(game: str, seats: int, format: str) -> "Match[Any, Any]":
    return Match(shutbox.find(game), Format.parse(format), ("Ann", "Bob", "Cleo")[:seats])


def turn_shuts(everybody: Everybody, here: Any) -> Fraction:
    """The chance that the turn that lies there shuts the box, everybody playing his best."""
    match = everybody.match
    if not isinstance(here.doing, Turn):
        here = match.settled(here).position
    over = match.game.awaits(here.doing.at) if isinstance(here.doing, Turn) else None
    if isinstance(over, Over):
        return Fraction(over.shut)
    match match.awaits(here):
        case Choose():
            return turn_shuts(everybody, match.chosen(here, everybody.best(here)))
        case Throw(dice=dice):
            return sum(
                (
                    Fraction(weight, dice.total_weight)
                    * turn_shuts(everybody, match.rolled(here, roll))
                    for roll, weight in dice.outcomes()
                ),
                Fraction(0),
            )
    raise AssertionError("a turn that awaits nothing is over")


@pytest.mark.parametrize(
    ("game", "seats", "format"),
    [
        (ROW, 2, "rounds=1"),
        (ROW, 3, "shut=wins"),
        (CHOICE, 2, "shut=wins,stake=1"),
        (CHOICE, 3, "ties=throw-off,begins=high-roll"),
        ("covered(tiles=1.2.4,dice=2d2)", 2, "rounds=1"),
    ],
)
def test_in_a_match_the_win_is_played_for(game: str, seats: int, format: str) -> None:
    match = match_of(game, seats, format)
    everybody, adviser, perfect = Everybody(match), Adviser(match), Perfect()
    everybody.hopes()
    choices = [p for p in everybody.known if isinstance(match.awaits(p), Choose)]
    for position in random.Random(format).sample(choices, min(40, len(choices))):
        awaited = match.awaits(position)
        assert isinstance(awaited, Choose)
        found = adviser.advise(position)
        assert found.aim == "win"
        assert found.position == f"{match.name}:{match.position_id(position)}"
        best = everybody.best(position)
        assert adviser.best(position) == best
        assert perfect.pick(match, position, awaited.choices) == best
        assert found.best.text == match.choice_text(best)
        for choice in awaited.choices:
            after = match.chosen(position, choice)
            ranked = found.of(match.choice_text(choice))
            assert ranked.value == everybody.hopes(after)[0][awaited.seat]
            assert ranked.shut == turn_shuts(everybody, after)
        check_sentence(found, match)


def choice_in_round(match: "Match[Any, Any]", round: int) -> Any:
    """A position of that round where a 4 lies and can be covered in two ways."""
    position = match.position_at(f"{round};0;0;0,0;t0;1-4/4")
    assert isinstance(match.awaits(position), Choose)
    return position


def test_what_is_played_for_depends_on_the_match() -> None:
    def aim(format: str, round: int = 1, seconds: float = 3.0) -> str:
        match = match_of("six(tiles=1-4)", 2, format)
        adviser = Adviser(match, seconds=seconds, every_round=False)
        return adviser.advise(choice_in_round(match, round)).aim

    assert aim("rounds=1") == "win"
    assert aim("rounds=3", round=1) == aim("rounds=3", round=2) == "mean"
    assert aim("rounds=3", round=3) == "win"
    assert aim("until=shut") == aim("until=shut,rounds=5", round=5) == "shut"
    assert aim("until=shut,rounds=1") == "win"
    assert aim("limit=10") == "mean"
    # Where the win takes too long to work out.
    assert aim("rounds=1", seconds=0.0) == "mean"
    assert aim("rounds=3", round=3, seconds=0.0) == "mean"
    assert aim("until=shut,rounds=1", seconds=0.0) == "shut"


@pytest.mark.parametrize(
    ("format", "at", "aim"),
    [
        # The only player wins whatever is covered: that would leave nothing to choose between.
        ("rounds=1", "1;0;0;0;t0", "mean"),
        ("rounds=3", "3;0;0;0;t0", "mean"),
        ("rounds=2", "1;0;0;0=3,0;t1", "mean"),
        ("until=shut", "1;0;0;0=3,0;t1", "shut"),
        ("rounds=2,until=shut,shut=wins", "1;0;0;0=3,0;t1", "mean"),
    ],
)
def test_alone_and_before_the_last_round_a_turn_is_played_as_if_alone(
    format: str, at: str, aim: str
) -> None:
    name = "classic(tiles=1-6)"
    match = match_of(name, 1 + at.count(","), format)
    adviser, exact = Adviser(match, every_round=False), exact_of(name, aim)
    for here in some_choices(name, 25):
        position = match.position_at(f"{at};{match.game.position_id(here)}")
        found = adviser.advise(position)
        assert found.aim == aim
        assert found.best.value == exact.value(here)
        assert adviser.best(position) == exact.best(here)


def test_an_adviser_answers_from_any_position() -> None:
    name = "two-to-go"
    game = shutbox.find(name)
    adviser = Adviser(game)
    # The 2 is up here, and it is down from the start.
    for id in ("3.5.8/3+5", "1-9/3+5", "2.3.5/1+4", "1.3-9/3+5"):
        position = game.position_at(id)
        exact = ExactSolver(game, MEAN)
        assert adviser.best(position) == exact.best(position)
        assert adviser.advise(position).best.value == exact.value(position)


def test_what_is_left_of_a_game_that_is_too_large_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    game = shutbox.find("two-dice(tiles=1-30,dice=2d12)")
    adviser = Adviser(game)
    position = game.position_at("1.3.4.9/1+3")
    assert adviser.best(position) == ExactSolver(game, MEAN).best(position)
    with pytest.raises(TooLarge, match="positions take about"):
        adviser.best(game.rolled(game.start(), Roll((6, 6))))
    match = match_of(ROW, 2, "begins=high-roll")
    with pytest.raises(ValueError, match="no turn lies at 1;0;0;0,0;start"):
        Adviser(match).advise(match.start())


# Perfect play


def test_one_perfect_player_can_play_one_game_after_another() -> None:
    player = Perfect()
    for name in ("six", "markers(tiles=1-6)", "six"):
        game, exact = shutbox.find(name), exact_of(name, "mean")
        for position in some_choices(name, 10):
            choices = due_choices(game, position).choices
            assert player.pick(game, position, choices) == exact.best(position)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("the-300", " In a clone of shutbox, pip install '.[fast]' makes hints faster."),
        ("the-300(score=digits)", ""),
    ],
)
def test_who_waits_too_long_for_a_hint_is_told_what_to_do(
    monkeypatch: pytest.MonkeyPatch, name: str, more: str
) -> None:
    monkeypatch.setattr(compiled, "installed", lambda: False)
    game = find(name)
    here = game.rolled(game.start(), Dice.of(4, 6).read("1 2 3 4"))
    later = "A hint would take too long now; ask again later in the turn."
    assert Coach(game).hint(here, "explained") == (f"{later}{more}",)


# Advice as numbers, for pages and programs

FOUR = "six(tiles=1-4)[seats=2,{end}]:1;0;0;0,0;t0;1-4/4"


def figures_of(text: str, most: int = 40) -> AdviceFigures:
    game, here = find_position(text)
    found = Coach(game, every_round=False).figures(here, "ranked", most)
    assert found is not None
    return found


def test_costs_are_how_much_worse_than_the_best() -> None:
    for text, *about in (
        ("classic:1-9/3+5", "mean", False, True),
        (FOUR.format(end="until=shut"), "shut", True, False),
        (FOUR.format(end="rounds=1"), "win", True, False),
        ("cargo:6.5.4/2/1+3+6", "mean", False, False),
    ):
        found = figures_of(text)
        assert [found.aim, found.chance, found.low_is_good] == about
        best, worst = found.choices[0].value, found.choices[-1].value
        assert worst > best if found.low_is_good else worst < best
        for choice in found.choices:
            assert choice.cost == pytest.approx(abs(choice.value - best))
            assert choice.best == (choice.cost == 0)


def test_of_many_choices_the_best_are_told_and_the_rest_counted() -> None:
    whole, some = figures_of("classic:1-9/3+5"), figures_of("classic:1-9/3+5", most=2)
    assert some.choices == whole.choices[:2]
    assert (whole.more, some.more) == (0, len(whole.choices) - 2)


@pytest.mark.parametrize("level", ["legal", "ranked", "explained"])
def test_the_level_says_how_much_is_told(level: str) -> None:
    game, here = find_position("classic:1.3.4.9/1+3")
    coach = Coach(game)
    found = coach.figures(here, level, 40)
    assert (found is None) == (level == "legal")
    if found is not None:
        best, *_ = found.choices
        assert best.why == (coach.hint(here, level)[-1] if level == "explained" else "")


def test_where_nothing_is_ranked_there_are_no_numbers() -> None:
    for text in ("classic:1-9", "tray:d6-3.d6-5h.d20-17"):
        game, here = find_position(text)
        assert Coach(game).figures(here, "ranked", 40) is None
