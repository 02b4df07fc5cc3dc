"""The verdict on a finished game: figures that add up as printed, and a correct rank."""

import re
from fractions import Fraction

import pytest

import shutbox
from shutbox import Over, Throw, find
from shutbox.engine.cups import SeededCup
from shutbox.solving.review.report import MOST_BARS, Grade, Unit, Verdict, verdict
from shutbox.solving.review.review import Reviewer
from shutbox.solving.review.review_text import verdict_sentences
from shutbox.table import Table
from shutbox.table.bots import bot
from shutbox.table.lookup import match_of

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


def played(name: str, seats: int, format: str, seed: str) -> Table[object, object]:
    """A game of players who choose badly enough to have something to judge."""
    names = [f"P{seat}" for seat in range(seats)]
    game = match_of(name, names, format) if format or name.startswith("pub") else find(name)
    bots = {seat: bot(f"fixed:{seed} {seat}") for seat in range(seats)}
    table = Table(game, SeededCup(seed), bots=bots)
    while not isinstance(table.awaits, Over):
        throws = isinstance(table.awaits, Throw)
        table.apply(table.prepare_throw(seat=table.due or 0) if throws else table.prepare_bot())
    return table


def judged(table: Table[object, object]) -> Verdict:
    review = REVIEWER.review(table)
    return verdict(review, table.position, REVIEWER.perfect_scores(table))


def printed(words: tuple[str, str]) -> Fraction:
    return Fraction(words[1]) * (-1 if words[0] == "minus " else 1)


def alone(line: str, *, low_is_good: bool) -> int:
    """The tenths of the result that the sentences to a single player add up to."""
    worse = 1 if low_is_good else -1
    signs = {
        "You could expect": 1,
        "The dice cost": worse,
        "The dice helped by": -worse,
        "Mistakes cost": worse,
    }
    return sum(
        sign * round(10 * float(found[1]))
        for says, sign in signs.items()
        if (found := re.search(rf"{says} (-?[0-9.]+[0-9])\.", line))
    )


@pytest.mark.parametrize(("name", "seats", "format"), CASES, ids=str)
@pytest.mark.parametrize("seed", ["pub", "fern", "heath"])
def test_what_is_printed_adds_up_exactly(name: str, seats: int, format: str, seed: str) -> None:
    table = played(name, seats, format, seed)
    review, found = REVIEWER.review(table), judged(table)
    scale = 100 if review.unit is Unit.SHARE else 1
    for seat, sums, line in zip(found.seats, review.seats, verdict_sentences(found), strict=True):
        if seats == 1:
            assert alone(line, low_is_good=review.low_is_good) == round(10 * seat.result), line
        else:
            figures = line[line.lower().index("expected") :]
            *parts, result = map(printed, re.findall(r"(minus )?([0-9]+(?:\.[0-9])?)", figures))
            assert sum(parts) == result, line
        sign = 1 if review.low_is_good else -1
        assert seat.expected == pytest.approx(float(sums.start) * scale, abs=0.0501)
        assert seat.mistakes == pytest.approx(sign * float(sums.cost) * scale, abs=0.0501)
        assert seat.result == pytest.approx(float(sums.result) * scale, abs=0.0501)
        assert seat.luck == pytest.approx(float(sums.luck) * scale, abs=0.2)
        worse = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
        assert seat.count == sum(sums.grades[grade] for grade in worse)


@pytest.mark.parametrize("name", ["classic", "cargo", "six"])
def test_the_place_is_that_of_the_score_among_perfect_play(name: str) -> None:
    scores = shutbox.solve(name).distribution()
    scoring = find(name).scoring
    assert scoring is not None
    for seed in ("pub", "fern", "heath", "moor"):
        [seat] = judged(played(name, 1, "", seed)).seats
        assert seat.score == int(seat.result)
        beaten = [
            chance
            for score, chance in scores.items()
            if (score > seat.score if scoring.low_is_good else score < seat.score)
        ]
        assert seat.better == pytest.approx(100 * float(sum(beaten)), abs=1)


def test_a_place_of_0_or_100_percent_is_no_rounding() -> None:
    table = played("classic", 1, "", "pub")
    review = REVIEWER.review(table)
    score = int(review.seats[0].result)
    for chance, better in ((0, 0), (1, 100), (0.001, 1), (0.999, 99), (0.5, 50)):
        chances = {score: Fraction(1) - Fraction(chance), score + 1: Fraction(chance)}
        assert verdict(review, table.position, chances).seats[0].better == better


def test_in_a_match_of_one_round_every_score_has_its_place() -> None:
    table = played("six", 2, "rounds=1", "pub")
    found = judged(table)
    assert isinstance(table.awaits, Over)
    assert [seat.score for seat in found.seats] == list(table.awaits.scores)
    assert all(seat.better is not None for seat in found.seats)
    assert found.unit == "share"
    assert dict(found.distribution) == pytest.approx(
        {score: float(p) for score, p in shutbox.solve("six").distribution().items()}
    )


def test_in_a_match_of_several_rounds_no_score_has_a_place() -> None:
    found = judged(played("six", 1, "rounds=3", "pub"))
    assert [(seat.score, seat.better) for seat in found.seats] == [(None, None)]
    assert found.distribution == ()
    assert not any("perfect play" in line for line in verdict_sentences(found))


def test_too_many_scores_are_not_drawn_and_still_placed() -> None:
    found = judged(played("classic(score=digits)", 1, "", "pub"))
    scores = shutbox.solve("classic(score=digits)").distribution()
    assert len(scores) > MOST_BARS
    assert found.distribution == ()
    assert found.seats[0].better is not None
