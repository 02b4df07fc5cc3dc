"""Reviews: their values are compared with the game itself, event by event; and the verdict.

A value is right if it equals the payoff at the end, the mean over all throws before a throw, and
the best successor before a choice. This is tested for the events of random records, for every seat.
The figures of a verdict add up as printed.
"""

import functools
import random
import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any

import pytest

import shutbox
from nightly import EVERY
from records import a_roll, random_play
from shutbox import Choose, Game, Over, Roll, Throw, find
from shutbox.engine.cups import ScriptCup, SeededCup
from shutbox.engine.errors import TooLarge, UnknownRecord
from shutbox.engine.play import Chosen, Corrected, Play, Rolled, TookBack
from shutbox.match import Match, presets
from shutbox.match.game import turn_at
from shutbox.solving.advice.coach import Coach
from shutbox.solving.advice.ranking import chosen_words
from shutbox.solving.equity import match_value
from shutbox.solving.equity.last_round import LastRound, Place
from shutbox.solving.equity.match_value import check_wins, first_round_for_win
from shutbox.solving.graph_solution import GraphSolution
from shutbox.solving.review.account_text import account_words
from shutbox.solving.review.report import (
    MOST_BARS,
    THRESHOLDS,
    Grade,
    Review,
    ReviewedThrow,
    SeatVerdict,
    Unit,
    Verdict,
    grade_of,
    verdict,
)
from shutbox.solving.review.review import Reviewer
from shutbox.table.bots import Perfect
from shutbox.table.lookup import find_any, match_of

NAMES = [*presets(), *(e.name for e in shutbox.catalogue() if find_any(e.name).scoring)]
THREE = ["six[seats=3,shut=wins]", "six[seats=4]", "lucky-seven[seats=3,begins=high-roll,stake=1]"]
"""Rounds of several, in exact fractions: what one seat does matters to all."""
SCORES = [
    "six[seats=3,rounds=3,stake=1]",
    "six[seats=1,rounds=2]",
    "six[seats=3,rounds=2,stake=1,ties=throw-off,begins=high-roll]",
]
"""Matches that are not solved, or that one plays alone: turn by turn."""
ROUNDS = ["lucky-seven[seats=3,rounds=2,order=rotate]", "six[seats=3,rounds=2,begins=high-roll]"]
"""Several rounds of three, in floats; without NumPy they are reviewed turn by turn."""
NEEDS_NUMPY = pytest.mark.skipif(
    find_spec("numpy") is None, reason="NumPy is not installed: make tools"
)


@functools.cache
def reviewer(name: str) -> tuple[Any, Reviewer]:
    """A game or match, and who reviews all its records here."""
    return find_any(name), Reviewer()


def held(review: Review, play: Play[Any, Any]) -> None:
    """What is true of the review of every play."""
    deltas = [event.delta for event in review.events]
    exact = True
    for seat, of in enumerate(review.seats):
        total = of.start + sum((delta[seat] for delta in deltas), start=Fraction(0))
        exact = exact and isinstance(total, Fraction)
        assert total == of.result if exact else total == pytest.approx(of.result, abs=1e-9)
        assert of.cost >= 0
        assert of.cost == sum(c.cost for c in review.choices if c.seat == seat)
        throws = [e for e in review.events if isinstance(e, ReviewedThrow) and e.seat == seat]
        assert of.luck == sum(e.delta[seat] for e in throws)
        assert of.counted == sum(of.grades.values()) <= of.decisions
    assert [event.number for event in review.events] == [s.number for s in play.steps]
    if isinstance(over := play.awaits, Over):
        seats = range(len(review.seats))
        won = tuple(Fraction(seat in over.winners, max(1, len(over.winners))) for seat in seats)
        results = tuple(seat.result for seat in review.seats)
        assert results == (over.scores if review.unit is Unit.POINTS else won)
    for choice in review.choices:
        if choice.value is None:  # not measured: about chips, or made for the win of the last round
            continue
        sign = 1 if review.low_is_good else -1
        assert float(choice.delta[choice.seat]) == pytest.approx(
            sign * float(choice.cost), abs=1e-8
        )


@pytest.mark.parametrize("name", NAMES + THREE + SCORES + ROUNDS)
def test_result_is_start_and_deltas_on_many_records(name: str) -> None:
    """With every case, on thousands."""
    game, review = reviewer(name)
    many = 112 if name in presets() else 25
    for seed in range(many if EVERY else many // 12):
        play = random_play(game, seed, 2000 if seed % 5 == 0 else 25 + 20 * (seed % 5))
        held(review.review(play), play)


def after_every_roll(play: Play[Any, Any]) -> Iterator[tuple[Play[Any, Any], Fraction]]:
    """The play gone on by each roll that can fall, with its chance."""
    awaited = play.awaits
    assert isinstance(awaited, Throw)
    for roll, weight in awaited.dice.outcomes():
        further = Play(play.game, play.log)
        further.happen(Rolled(roll))
        yield further, Fraction(weight, awaited.dice.total_weight)


def moments(game: Game[Any, Any], kind: type[Throw] | type[Choose[Any]]) -> list[Play[Any, Any]]:
    """Random plays as far as a throw is due, or a choice of several: some early, some late."""
    found = []
    for seed in range(3):
        log = random_play(game, seed, 40).log
        for length in range(len(log)):
            play = Play(game, log[:length])
            awaited = play.awaits
            several = not isinstance(awaited, Choose) or awaited.choices[1:]
            if isinstance(awaited, kind) and several:
                found.append(play)
    assert len(found) > 2
    return found[:: len(found) // 3]


AVERAGED = [
    *("classic", "cargo", *THREE[:2], *SCORES),
    *(
        pytest.param(n, marks=pytest.mark.nightly("cases"))
        for n in (THREE[2], *ROUNDS, "cargo-night")
    ),
]


@pytest.mark.parametrize("name", AVERAGED)
def test_no_throw_is_lucky_on_average(name: str) -> None:
    game, review = reviewer(name)
    for play in moments(game, Throw):
        reviews = [(review.review(further), share) for further, share in after_every_roll(play)]
        for seat in range(len(reviews[0][0].seats)):
            mean = sum(float(r.events[-1].delta[seat] * share) for r, share in reviews)
            assert mean == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", [*AVERAGED[:-4], *AVERAGED[-2:]])
def test_the_best_choice_changes_nothing_for_anybody(name: str) -> None:
    game, review = reviewer(name)
    for play in moments(game, Choose):
        costs = []
        awaited = play.awaits
        assert isinstance(awaited, Choose)
        for choice in awaited.choices:
            further = Play(game, play.log)
            further.happen(Chosen(choice))
            last = review.review(further).choices[-1]
            costs.append(last.cost)
            if last.best and last.best.choice == choice:
                assert not any(last.delta)
        assert min(costs) == 0


@NEEDS_NUMPY
def test_each_turn_of_a_long_match_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = find_any("six[seats=2,rounds=50]")
    solved, turn = [], LastRound.turn

    def counted(answers: LastRound, place: Place) -> GraphSolution[Any, Any]:
        solved.append(place)
        return turn(answers, place)

    monkeypatch.setattr(LastRound, "turn", counted)
    found = shutbox.review(random_play(match, 1, 2000))
    assert found.unit is Unit.SHARE
    turns = {event.turn for event in found.events}
    assert len(turns) == 100  # more than are kept
    assert len(solved) <= 100


def test_the_costliest_choices_come_worst_first() -> None:
    classic, review = reviewer("classic")
    several = 0
    for seed in range(12):
        found = review.review(random_play(classic, seed))
        costs = [choice.cost for choice in found.costliest()]
        assert costs == sorted((c.cost for c in found.choices if c.cost), reverse=True)[:3]
        several += len(set(costs)) > 1
    assert several


def test_what_is_forced_or_equally_good_is_not_counted() -> None:
    seen = set()
    for name, seeds in (("classic", 10), ("ship-captain-crew", 20)):
        game, review = reviewer(name)
        solution = shutbox.solve(game)
        for seed in range(seeds):
            for choice in review.review(random_play(game, seed)).choices:
                awaited = game.awaits(choice.before)
                after = [solution.value(game.chosen(choice.before, c)) for c in awaited.choices]
                seen.add((len(after) > 1, len(set(after)) > 1))
                assert (choice.grade is not None) == (len(set(after)) > 1)
                assert str(choice.best) == solution.best(choice.before).text
    assert seen == {(False, False), (True, False), (True, True)}


def test_what_was_taken_back_or_misread_never_was() -> None:
    classic = shutbox.find("classic")
    play = Play(classic, [Rolled(Roll((3, 4)), typed=True), Corrected(Roll((3, 5)))])
    play.happen(Chosen(classic.parse_choice(play.position, "1 2 5")))
    play.happen(TookBack())
    play.happen(Chosen(classic.parse_choice(play.position, "8")))
    plain = Play(classic, [Rolled(Roll((3, 5)))])
    plain.happen(Chosen(classic.parse_choice(plain.position, "8")))
    found, wanted = shutbox.review(play), shutbox.review(plain)
    assert found.seats == wanted.seats
    assert [event.number for event in found.events] == [2, 5]


def test_without_events_the_result_is_the_start_and_what_is_not_solved_says_so() -> None:
    classic = shutbox.find("classic")
    [seat] = shutbox.review(Play(classic)).seats
    assert seat.start == seat.result == shutbox.solve(classic).value(classic.start())
    several, alone = (shutbox.review(Play(find_any(name))) for name in SCORES[:2])
    assert [seat.result for seat in several.seats] == [0, 0, 0]
    assert "solved for one round" in several.why_points
    assert (alone.unit, alone.why_points) == (Unit.POINTS, "")


def sitting_out(match: Game[Any, Any], seed: int) -> Play[Any, Any]:
    """A random play in which everybody who cannot pay sits out."""
    play, chance = Play(match), random.Random(seed)
    while not isinstance(awaited := play.awaits, Over):
        if isinstance(awaited, Throw):
            play.happen(Rolled(a_roll(awaited.dice, chance)))
        elif isinstance(awaited, Choose):
            choices: tuple[Any, ...] = awaited.choices
            texts = [match.choice_text(choice) for choice in choices]
            place = texts.index("sit out") if "sit out" in texts else 0
            play.happen(Chosen(choices[place]))
    return play


def test_who_sits_out_has_the_worst_score_without_any_luck() -> None:
    match = find_any("six[seats=3,rounds=2,stake=1,purse=1.20.20,bonus=0]")
    asked = []
    for seed in range(4):
        play = sitting_out(match, seed)
        found = shutbox.review(play)
        held(found, play)
        asked += [choice for choice in found.choices if choice.value is None]
    assert asked
    for choice in asked:
        assert (choice.cost, choice.grade, choice.best, any(choice.delta)) == (0, None, None, False)


def test_what_takes_too_long_is_refused() -> None:
    game = shutbox.find("six")
    for less in (Reviewer(seconds=0.0001), Reviewer(memory=1000)):
        with pytest.raises(TooLarge, match="to solve it takes"):
            less.review(random_play(game, 1))


@pytest.mark.parametrize(
    ("name", "every_round", "unit"),
    [
        ("classic(tiles=1-7)[seats=2,rounds=1]", True, Unit.SHARE),
        ("classic(tiles=1-7)[seats=2,rounds=1,shut=wins,stake=1]", False, Unit.SHARE),
        ("six[seats=3,rounds=2]", False, Unit.POINTS),
    ],
)
def test_what_a_hint_advises_and_perfect_players_choose_costs_nothing(
    name: str, every_round: bool, unit: Unit
) -> None:
    """In a round, the score to beat makes choices best that lose points."""
    match = find_any(name)
    assert isinstance(match, Match)
    coach, bot = Coach(match, every_round=every_round), Perfect(every_round=every_round)
    reviewer, losing = Reviewer(every_round=every_round), 0
    for seed in range(6):
        table = shutbox.Table(match, SeededCup(str(seed)))
        while not isinstance(awaited := table.awaits, Over):
            if isinstance(awaited, Throw):
                table.throw()
                continue
            choice = match.choice_text(bot.pick(match, table.position, awaited.choices))
            figures = coach.figures(table.position, "ranked", 1)
            assert figures is not None
            assert figures.choices[0].text == choice
            turn = turn_at(match, table.position)
            assert turn is not None
            losing += shutbox.solve(turn[0]).ranked(turn[1]).of(choice).cost > 0
            table.choose(choice)
        found = reviewer.review(table)
        held(found, table)
        assert found.unit is unit
        assert not any(choice.cost for choice in found.choices)
    assert losing or unit is Unit.POINTS  # so points would have called some a mistake


def test_the_review_says_how_often_a_better_choice_wins() -> None:
    match = find_any("six[seats=2,rounds=1]")
    table = shutbox.Table(match, ScriptCup(["3", "5", "4"]))
    table.throw()
    table.choose("1 2")
    reviewer = Reviewer()
    found = reviewer.review(table)
    [choice] = found.choices
    solved = reviewer.solved_turn(found, choice.before)
    assert solved is not None
    says = chosen_words(*solved, choice.choice)
    assert re.fullmatch(r"3 wins \d+ times in 100\. Yours, 1 and 2, wins \d+ times\.", says), says


def test_the_best_choices_are_ranked_and_yours_among_them() -> None:
    classic = shutbox.find("classic")
    for text in ("1 2 3 4", "1 9"):
        play = Play(classic, [Rolled(Roll((4, 6)))])
        play.happen(Chosen(classic.parse_choice(play.position, text)))
        [choice] = shutbox.review(play).choices
        texts, values = zip(*((o.text, o.value) for o in choice.ranking), strict=True)
        assert len(texts) == 5
        assert text in texts
        assert choice.ranking[0] == choice.best
        assert list(values) == sorted(values)
        assert choice.ranking.of(text).value == choice.value


@NEEDS_NUMPY
def test_long_rounds_of_four_are_reviewed_in_points_unless_a_file_has_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = find_any("six[seats=4,rounds=5]")
    play = random_play(match, 1)
    found = shutbox.review(play)
    assert found.unit is Unit.POINTS
    assert "to solve all rounds takes about" in found.why_points
    assert found.why_points.endswith("the option anyway allows that")
    held(found, play)
    assert isinstance(match, Match)
    check_wins(match, inf)
    assert first_round_for_win(match) == 5
    check_wins(find_any("six[seats=3,rounds=2]"))  # type: ignore[arg-type]
    monkeypatch.setattr(match_value, "values_are_stored", lambda match: True)
    assert first_round_for_win(match) == 1


def test_without_numpy_a_match_of_two_is_reviewed_turn_by_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("shutbox.solving.compiled.import_columns", lambda: None)
    match = find_any("six[seats=2,rounds=2]")
    found = shutbox.review(random_play(match, 1))
    assert found.unit is Unit.POINTS
    assert "'.[fast]'" in found.why_points
    held(found, random_play(match, 1))


def test_a_grade_begins_at_its_cost() -> None:
    for unit in Unit:
        for grade, lowest in THRESHOLDS.items():
            assert grade_of(lowest[unit], unit) is grade
            assert grade_of(lowest[unit] - Fraction(1, 10**6), unit) is not grade


def test_what_cannot_be_reviewed_is_refused_in_one_sentence(tmp_path: Any) -> None:
    with pytest.raises(TooLarge, match="Dice Tray has no score, so there is nothing to review"):
        shutbox.review(Play(shutbox.find("tray")))
    for name in (tmp_path / "none.shutbox", "a\0b"):
        with pytest.raises(UnknownRecord):
            shutbox.review(name)
    for text in ("two-dice(tiles=1-30,dice=2d20)", "two-dice(tiles=1-30,dice=2d20)[seats=3]"):
        with pytest.raises(TooLarge) as refused:
            shutbox.review(Play(find_any(text)))
        assert refused.value.costly
        assert "\n" not in str(refused.value)


# The verdict on a finished game: figures that add up as printed

REVIEWER = Reviewer()
CASES = [
    ("classic", 1, ""),
    ("cargo", 1, ""),
    ("classic(tiles=1-6,score=count)", 1, ""),
    ("six", 2, "rounds=1"),
    ("six", 3, "rounds=1"),
    pytest.param("six", 2, "rounds=3", marks=pytest.mark.nightly("cases")),
    ("six", 1, "rounds=3"),
    ("cargo", 2, "rounds=1"),
    ("pub(tiles=1-6)", 2, ""),
]


def played(name: str, seats: int, format: str, seed: int) -> Play[Any, Any]:
    """A game by chance, in which there is something to judge."""
    names = [f"P{seat}" for seat in range(seats)]
    game = match_of(name, names, format) if format or name.startswith("pub") else find(name)
    return random_play(game, seed, 2000)


def judged(play: Play[Any, Any]) -> Verdict:
    review = REVIEWER.review(play)
    return verdict(review, None if isinstance(play.game, Match) else REVIEWER.perfect_scores(play))


def numbers(words: str) -> list[int]:
    """The numbers of a text in tenths."""
    return [round(10 * float(found)) for found in re.findall(r"[0-9]+(?:\.[0-9])?", words)]


@pytest.mark.parametrize(("name", "seats", "format"), CASES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_printed_adds_up_exactly(name: str, seats: int, format: str, seed: int) -> None:
    play = played(name, seats, format, seed)
    review, found = REVIEWER.review(play), judged(play)
    scale = 100 if review.unit is Unit.SHARE else 1
    for seat, sums in zip(found.seats, review.seats, strict=True):
        parts = (seat.expected, seat.luck, seat.mistakes, seat.others)
        assert sum(round(10 * part) for part in parts) == round(10 * seat.result)
        sign = 1 if review.low_is_good else -1
        assert seat.expected == pytest.approx(float(sums.start) * scale, abs=0.0501)
        assert seat.mistakes == pytest.approx(sign * float(sums.cost) * scale, abs=0.0501)
        assert seat.result == pytest.approx(float(sums.result) * scale, abs=0.0501)
        assert seat.luck == pytest.approx(float(sums.luck) * scale, abs=0.2)
        assert seat.count == sum(sums.grades.values()) - sums.grades[Grade.BEST]
    heading, *lines = account_words(found, {0})
    if seats == 1:
        [seat] = found.seats
        cost, [expected, result] = (
            numbers(heading.replace("made no mistake", "0")),
            numbers(lines[-1]),
        )
        luck = numbers(lines[0])[0] * (-1 if "gave" in lines[0] else 1) if lines[1:] else 0
        worse = (cost[-1] + luck) * (1 if found.low_is_good else -1)
        assert expected + worse == result == round(10 * seat.result), [heading, *lines]


def test_who_played_better_is_told_in_numbers_that_add_up() -> None:
    data = Path(__file__).parents[1] / "data" / "accounts.toml"
    for case in tomllib.loads(data.read_text(encoding="utf-8"))["account"]:
        seats = tuple(
            SeatVerdict(
                n, ["Ann", "Bob", "Cy"][n], 11.0, result - 11 - lost, lost, 0.0, result, 1, None
            )
            for n, (lost, result) in enumerate(case["played"])
        )
        is_low = all(seat.mistakes >= 0 for seat in seats)
        margin = abs(seats[0].result - seats[1].result) or None
        found = Verdict("points", is_low, seats, (), tuple(case["winners"]), margin)
        heading, *lines = account_words(found, set(case["yours"]))
        assert " ".join([f"{heading}.", *lines]) == case["says"]


@pytest.mark.parametrize("name", ["classic", "cargo"])
def test_a_game_alone_has_its_score_and_those_of_perfect_play(name: str) -> None:
    scores = shutbox.solve(name).distribution()
    found = judged(played(name, 1, "", 1))
    assert [seat.score for seat in found.seats] == [int(seat.result) for seat in found.seats]
    assert found.distribution == tuple((score, float(chance)) for score, chance in scores.items())
    in_match = judged(played("six", 2, "rounds=1", 1))
    assert {seat.score for seat in in_match.seats} == {None}
    assert in_match.distribution == ()


def test_too_many_scores_are_not_drawn() -> None:
    found = judged(played("classic(score=digits)", 1, "", 1))
    scores = shutbox.solve("classic(score=digits)").distribution()
    assert len(scores) > MOST_BARS
    assert found.distribution == ()
    assert found.seats[0].score is not None
