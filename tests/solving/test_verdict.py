"""The verdict on a finished game: figures that add up as printed."""

import re
from typing import Any

import pytest

import shutbox
from shutbox import Over, Throw, find
from shutbox.engine.cups import SeededCup
from shutbox.match import Match
from shutbox.solving.review.account_text import account_words
from shutbox.solving.review.report import MOST_BARS, Grade, SeatVerdict, Unit, Verdict, verdict
from shutbox.solving.review.review import Reviewer
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


def judged(table: Any) -> Verdict:
    review = REVIEWER.review(table, in_points=True)
    return verdict(
        review, None if isinstance(table.game, Match) else REVIEWER.perfect_scores(table)
    )


def numbers(words: str) -> list[int]:
    """The numbers of a text in tenths."""
    return [round(10 * float(found)) for found in re.findall(r"[0-9]+(?:\.[0-9])?", words)]


@pytest.mark.parametrize(("name", "seats", "format"), CASES, ids=str)
@pytest.mark.parametrize("seed", ["pub", "fern", "heath"])
def test_what_is_printed_adds_up_exactly(name: str, seats: int, format: str, seed: str) -> None:
    table = played(name, seats, format, seed)
    review, found = REVIEWER.review(table, in_points=True), judged(table)
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


def words_of(played: list[tuple[float, float]], mine: set[int], winners: tuple[int, ...]) -> str:
    """The account of seats, given what their mistakes and their turns came to."""
    seats = tuple(
        SeatVerdict(
            n, ["Ann", "Bob", "Cy"][n], 11.0, result - 11 - lost, lost, 0.0, result, 1, None
        )
        for n, (lost, result) in enumerate(played)
    )
    low, results = all(seat.mistakes >= 0 for seat in seats), [seat.result for seat in seats]
    margin = abs(results[0] - results[1]) or None
    found = Verdict("points", low, seats, (), winners, margin)
    heading, *lines = account_words(found, mine)
    return " ".join([f"{heading}.", *lines])


@pytest.mark.parametrize(
    ("played", "mine", "winners", "says"),
    [
        (
            [(0, 8), (4, 13)],
            *({0}, (0,)),
            "You played 4.0 points better. You had 1.0 more luck. So you win by 5.",
        ),
        (
            [(9, 13), (3, 8)],
            *({0, 1}, (1,)),
            "Bob played 6.0 points better. Ann had 1.0 more luck. So Bob wins by 5.",
        ),
        (
            [(2, 8), (2, 9)],
            *({1}, (0,)),
            "Ann had 1.0 points more luck. Both played equally well. So Ann wins by 1.",
        ),
        (
            [(-2, 20), (-1, 15)],  # the more the better
            *({0}, (0,)),
            "You had 6.0 points more luck. Bob played 1.0 better. So you win by 5.",
        ),
        (
            [(2, 8), (1, 8)],
            *({0}, (0, 1)),
            "Bob played 1.0 points better. You had 1.0 more luck. So it is a draw.",
        ),
        (
            [(1, 8), (2, 13), (0.5, 20)],
            *({2}, (0,)),
            "You played best. Ann had the most luck. So Ann wins by 5.",
        ),
        (
            [(1, 8), (2, 13), (1, 20)],
            *({2}, (0,)),
            "You and Ann played best. Ann had the most luck. So Ann wins by 5.",
        ),
    ],
)
def test_who_played_better_is_told_in_numbers_that_add_up(
    played: list[tuple[float, float]], mine: set[int], winners: tuple[int, ...], says: str
) -> None:
    assert words_of(played, mine, winners) == says


@pytest.mark.parametrize("name", ["classic", "cargo", "six"])
def test_a_game_alone_has_its_score_and_those_of_perfect_play(name: str) -> None:
    scores = shutbox.solve(name).distribution()
    found = judged(played(name, 1, "", "pub"))
    assert [seat.score for seat in found.seats] == [int(seat.result) for seat in found.seats]
    assert found.distribution == tuple((score, float(chance)) for score, chance in scores.items())


@pytest.mark.parametrize(("seats", "format"), [(2, "rounds=1"), (1, "rounds=3")])
def test_in_a_match_no_score_is_compared(seats: int, format: str) -> None:
    found = judged(played("six", seats, format, "pub"))
    assert {seat.score for seat in found.seats} == {None}
    assert found.distribution == ()


def test_too_many_scores_are_not_drawn() -> None:
    found = judged(played("classic(score=digits)", 1, "", "pub"))
    scores = shutbox.solve("classic(score=digits)").distribution()
    assert len(scores) > MOST_BARS
    assert found.distribution == ()
    assert found.seats[0].score is not None
